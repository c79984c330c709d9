/* GTK 4: content providers as items, and data as values. */
#include "carry-gtk-private.h"
#include <string.h>

/* ----------------------------------------------------------------------------------------------------- Sending --- */

/* A destination's request for one type of a content provider, until it is answered. */
typedef struct {
  carry_request *request; /* NULL once nobody waits any more */
  GCancellable *cancellable;
  GOutputStream *stream;
  GValue value;
} Answer;

static void answer_free(Answer *answer) {
  g_object_unref(answer->cancellable);
  g_clear_object(&answer->stream);
  if (G_IS_VALUE(&answer->value)) g_value_unset(&answer->value);
  g_free(answer);
}

static void answer_cancelled(void *data) {
  Answer *answer = data;
  answer->request = NULL;
  g_cancellable_cancel(answer->cancellable);
}

static Answer *answer_new(carry_request *request) {
  Answer *answer = g_new0(Answer, 1);
  answer->request = request;
  answer->cancellable = g_cancellable_new();
  answer->stream = g_memory_output_stream_new_resizable();
  carry_request_set_cancelled(request, answer_cancelled, answer);
  return answer;
}

static void answer_end(Answer *answer, GError *error) {
  if (answer->request && error) {
    carry_request_fail(answer->request, error->message);
  } else if (answer->request) {
    g_output_stream_close(answer->stream, NULL, NULL);
    GBytes *bytes = g_memory_output_stream_steal_as_bytes(G_MEMORY_OUTPUT_STREAM(answer->stream));
    gsize size;
    const void *data = g_bytes_get_data(bytes, &size);
    carry_request_answer_data(answer->request, data ? data : "", size);
    g_bytes_unref(bytes);
  }
  g_clear_error(&error);
  answer_free(answer);
}

static void content_written(GObject *content, GAsyncResult *result, gpointer data) {
  GError *error = NULL;
  gdk_content_provider_write_mime_type_finish(GDK_CONTENT_PROVIDER(content), result, &error);
  answer_end(data, error);
}

static void value_serialized(GObject *stream, GAsyncResult *result, gpointer data) {
  GError *error = NULL;
  (void)stream;
  gdk_content_serialize_finish(result, &error);
  answer_end(data, error);
}

/* Gets the content as a value of a type; FALSE if it has none. */
static gboolean get_value(GdkContentProvider *content, GType wanted, GValue *value) {
  GdkContentFormats *formats = gdk_content_provider_ref_formats(content);
  gsize count;
  const GType *types = gdk_content_formats_get_gtypes(formats, &count);
  gboolean found = FALSE;
  for (gsize i = 0; i < count && !found; i++) {
    /* A value made in Python has the type of its object, such as GdkMemoryTexture. */
    if (!g_type_is_a(types[i], wanted)) continue;
    g_value_init(value, types[i]);
    found = gdk_content_provider_get_value(content, value, NULL);
    if (!found) g_value_unset(value);
  }
  gdk_content_formats_unref(formats);
  return found;
}

/* The first of a content's types that GTK can write as a media type. */
static GType type_written_as(GdkContentFormats *formats, const char *mime) {
  gsize count;
  const GType *types = gdk_content_formats_get_gtypes(formats, &count);
  for (gsize i = 0; i < count; i++) {
    GdkContentFormats *one = gdk_content_formats_new_for_gtype(types[i]);
    one = gdk_content_formats_union_serialize_mime_types(one);
    gboolean is_written = gdk_content_formats_contain_mime_type(one, mime);
    gdk_content_formats_unref(one);
    if (is_written) return types[i];
  }
  return G_TYPE_INVALID;
}

static void write_content(void *data, carry_request *request, const char *type) {
  GdkContentProvider *content = data;
  const char *mime = g_intern_string(type);
  Answer *answer = answer_new(request);
  GdkContentFormats *formats = gdk_content_provider_ref_formats(content);
  gboolean is_own = gdk_content_formats_contain_mime_type(formats, mime);
  GType written = type_written_as(formats, mime);
  gdk_content_formats_unref(formats);
  if (is_own) {
    gdk_content_provider_write_mime_type_async(content, mime, answer->stream, G_PRIORITY_DEFAULT, answer->cancellable,
                                               content_written, answer);
  } else if (written != G_TYPE_INVALID && get_value(content, written, &answer->value)) {
    gdk_content_serialize_async(answer->stream, mime, &answer->value, G_PRIORITY_DEFAULT, answer->cancellable,
                                value_serialized, answer);
  } else {
    answer_end(answer, g_error_new(G_IO_ERROR, G_IO_ERROR_FAILED, "the content has no value any more"));
  }
}

static carry_item *content_item(GdkContentProvider *content) {
  carry_item *item = carry_item_create();
  GValue value = G_VALUE_INIT;
  GdkContentFormats *own = gdk_content_provider_ref_formats(content);
  gboolean is_picture = get_value(content, GDK_TYPE_TEXTURE, &value);
  /* Of the sixteen formats of a texture, one is enough: Carry converts pictures. */
  if (is_picture && !gdk_content_formats_contain_mime_type(own, "image/png"))
    carry_item_add_callback(item, "image/png", carry_write_picture, g_value_dup_object(&value), carry_unref_later);
  if (is_picture) g_value_unset(&value);
  GdkContentFormats *formats = gdk_content_formats_ref(own);
  formats = gdk_content_formats_union_serialize_mime_types(formats);
  gsize count;
  const char *const *types = gdk_content_formats_get_mime_types(formats, &count);
  gboolean has_utf8 = gdk_content_formats_contain_mime_type(formats, "text/plain;charset=utf-8");
  for (gsize i = 0; i < count; i++) {
    gboolean is_own = gdk_content_formats_contain_mime_type(own, types[i]);
    if (is_picture && !is_own && g_type_is_a(type_written_as(own, types[i]), GDK_TYPE_TEXTURE)) continue;
    if (!has_utf8 || strcmp(types[i], "text/plain"))
      carry_item_add_callback(item, types[i], write_content, g_object_ref(content), carry_unref_later);
  }
  gdk_content_formats_unref(formats);
  gdk_content_formats_unref(own);
  return item;
}

void carry_drag_add(CarryDrag *drag, GdkContentProvider *content) {
  GValue value = G_VALUE_INIT;
  if (get_value(content, GDK_TYPE_FILE_LIST, &value)) {
    GSList *files = gdk_file_list_get_files(g_value_get_boxed(&value));
    for (GSList *f = files; f; f = f->next) carry_drag_add_file(drag, f->data);
    g_slist_free(files);
    g_value_unset(&value);
  } else if (get_value(content, G_TYPE_FILE, &value)) {
    carry_drag_add_file(drag, g_value_get_object(&value));
    g_value_unset(&value);
  } else {
    carry_drag_add_item(drag, content_item(content));
  }
}

GBytes *carry_content_encode_png(gpointer texture) { return gdk_texture_save_to_png_bytes(texture); }

void carry_drag_set_icon(CarryDrag *drag, guint item, GdkPaintable *icon, double hot_x, double hot_y) {
  int width = gdk_paintable_get_intrinsic_width(icon), height = gdk_paintable_get_intrinsic_height(icon);
  double scale = carry_drag_get_scale(drag);
  GtkSnapshot *snapshot = gtk_snapshot_new();
  gtk_snapshot_scale(snapshot, (float)scale, (float)scale);
  gdk_paintable_snapshot(icon, snapshot, width, height);
  GskRenderNode *node = gtk_snapshot_free_to_node(snapshot);
  cairo_surface_t *image =
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)(width * scale), (int)(height * scale));
  if (node) {
    cairo_t *cr = cairo_create(image);
    gsk_render_node_draw(node, cr);
    cairo_destroy(cr);
    gsk_render_node_unref(node);
  }
  carry_drag_set_image(drag, item, image, hot_x * scale, hot_y * scale);
}

static void add_content(CarryDragSource *source, CarryDrag *drag, double x, double y, gpointer content) {
  (void)source, (void)x, (void)y;
  if (carry_drag_get_n_items(drag) == 0) carry_drag_add(drag, content);
}

static void unref_content(gpointer content, GClosure *closure) {
  (void)closure;
  g_object_unref(content);
}

void carry_drag_source_set_content(CarryDragSource *source, GdkContentProvider *content) {
  g_signal_handlers_disconnect_matched(source, G_SIGNAL_MATCH_FUNC, 0, 0, NULL, (gpointer)add_content, NULL);
  if (content)
    g_signal_connect_data(source, "prepare", G_CALLBACK(add_content), g_object_ref(content), unref_content,
                          G_CONNECT_AFTER);
}

/* --------------------------------------------------------------------------------------------------- Receiving --- */

const char *carry_content_type(carry_drop_session *session, int32_t item, GType value) {
  int32_t count = carry_drop_session_type_count(session, item);
  for (int32_t i = 0; i < count; i++) {
    const char *type = carry_drop_session_type(session, item, i);
    GdkContentFormats *formats =
        gdk_content_formats_union_deserialize_gtypes(gdk_content_formats_new(&type, type ? 1 : 0));
    gboolean has = gdk_content_formats_contain_gtype(formats, value);
    gdk_content_formats_unref(formats);
    if (has) return type;
  }
  return NULL;
}

static void decoded(GObject *source, GAsyncResult *result, gpointer task) {
  GError *error = NULL;
  (void)source;
  if (gdk_content_deserialize_finish(result, g_object_get_data(task, "carry-value"), &error))
    g_task_return_boolean(task, TRUE);
  else g_task_return_error(task, error);
  g_object_unref(task);
}

void carry_content_decode(GTask *task, GBytes *bytes, const char *type, GValue *value) {
  GInputStream *stream = g_memory_input_stream_new_from_bytes(bytes);
  g_object_set_data(G_OBJECT(task), "carry-value", value);
  gdk_content_deserialize_async(stream, type, G_VALUE_TYPE(value), G_PRIORITY_DEFAULT, g_task_get_cancellable(task),
                                decoded, task);
  g_object_unref(stream);
}
