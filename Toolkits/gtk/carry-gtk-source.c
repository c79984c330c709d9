/* Drag sources, and the drags out of them. */
#include "carry-gtk-private.h"
#include <string.h>

/* ------------------------------------------------------------------------------------------------------- Items --- */

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

/* Gets the content as a value of one of its types; FALSE if it has none. */
static gboolean get_value(GdkContentProvider *content, GType wanted, GValue *value) {
  GdkContentFormats *formats = gdk_content_provider_ref_formats(content);
  gsize count;
  const GType *types = gdk_content_formats_get_gtypes(formats, &count);
  gboolean found = FALSE;
  for (gsize i = 0; i < count && !found; i++) {
    /* A value made in Python has the type of its object, such as GdkMemoryTexture. */
    if (wanted != G_TYPE_INVALID && !g_type_is_a(types[i], wanted)) continue;
    g_value_init(value, types[i]);
    found = gdk_content_provider_get_value(content, value, NULL);
    if (!found) g_value_unset(value);
  }
  gdk_content_formats_unref(formats);
  return found;
}

static void write_content(void *data, carry_request *request, const char *type) {
  GdkContentProvider *content = data;
  const char *mime = g_intern_string(type);
  Answer *answer = answer_new(request);
  GdkContentFormats *formats = gdk_content_provider_ref_formats(content);
  gboolean is_own = gdk_content_formats_contain_mime_type(formats, mime);
  gdk_content_formats_unref(formats);
  if (is_own) {
    gdk_content_provider_write_mime_type_async(content, mime, answer->stream, G_PRIORITY_DEFAULT, answer->cancellable,
                                               content_written, answer);
  } else if (get_value(content, G_TYPE_INVALID, &answer->value)) {
    gdk_content_serialize_async(answer->stream, mime, &answer->value, G_PRIORITY_DEFAULT, answer->cancellable,
                                value_serialized, answer);
  } else {
    answer_end(answer, g_error_new(G_IO_ERROR, G_IO_ERROR_FAILED, "the content has no value any more"));
  }
}

static void encode_png(GTask *task, gpointer source, gpointer texture, GCancellable *cancellable) {
  (void)source, (void)cancellable;
  g_task_return_pointer(task, gdk_texture_save_to_png_bytes(texture), (GDestroyNotify)g_bytes_unref);
}

static void png_encoded(GObject *texture, GAsyncResult *result, gpointer data) {
  Answer *answer = data;
  GBytes *bytes = g_task_propagate_pointer(G_TASK(result), NULL);
  (void)texture;
  if (bytes) {
    gsize size;
    const void *png = g_bytes_get_data(bytes, &size);
    g_output_stream_write_all(answer->stream, png, size, NULL, NULL, NULL);
    g_bytes_unref(bytes);
  }
  answer_end(answer, NULL);
}

/* A large picture takes a tenth of a second. */
static void write_texture(void *texture, carry_request *request, const char *type) {
  (void)type;
  GTask *task = g_task_new(texture, NULL, png_encoded, answer_new(request));
  g_task_set_task_data(task, g_object_ref(texture), g_object_unref);
  g_task_run_in_thread(task, encode_png);
  g_object_unref(task);
}

/* The library may release its data on any thread. */
static void release(void *object) { g_idle_add_once((GSourceOnceFunc)g_object_unref, object); }

static carry_item *file_item(GFile *file) {
  char *path = g_file_get_path(file);
  carry_item *item = NULL;
  if (path) {
    item = carry_item_create();
    const char *type = g_file_test(path, G_FILE_TEST_IS_DIR) ? "inode/directory" : NULL;
    if (carry_item_add_original(item, type, path) != CARRY_OK) carry_item_add_file(item, type, path);
  } else {
    char *uri = g_file_get_uri(file);
    item = carry_item_create();
    carry_item_add_data(item, "text/uri-list", uri, strlen(uri));
    g_free(uri);
  }
  g_free(path);
  return item;
}

static carry_item *content_item(GdkContentProvider *content) {
  carry_item *item = carry_item_create();
  GValue value = G_VALUE_INIT;
  if (get_value(content, GDK_TYPE_TEXTURE, &value)) {
    /* Of the sixteen formats of a texture, one is enough: Carry converts pictures. */
    carry_item_add_callback(item, "image/png", write_texture, g_value_dup_object(&value), release);
    g_value_unset(&value);
    return item;
  }
  GdkContentFormats *formats = gdk_content_formats_union_serialize_mime_types(gdk_content_provider_ref_formats(content));
  gsize count;
  const char *const *types = gdk_content_formats_get_mime_types(formats, &count);
  gboolean has_utf8 = gdk_content_formats_contain_mime_type(formats, "text/plain;charset=utf-8");
  for (gsize i = 0; i < count; i++)
    if (!has_utf8 || strcmp(types[i], "text/plain"))
      carry_item_add_callback(item, types[i], write_content, g_object_ref(content), release);
  gdk_content_formats_unref(formats);
  return item;
}

/* ------------------------------------------------------------------------------------------------------- Drags --- */

struct _CarryDrag {
  GObject parent;
  carry_drag_session *session; /* NULL when it is over */
  CarryPlace *place;           /* from which items are added now */
  CarryDragSource *source;     /* where it began */
  gboolean is_adding;
  guint count;
};
typedef struct {
  GObjectClass parent;
} CarryDragClass;
G_DEFINE_TYPE(CarryDrag, carry_drag, G_TYPE_OBJECT)

static void carry_drag_init(CarryDrag *drag) { (void)drag; }

static void drag_finalize(GObject *object) {
  CarryDrag *drag = CARRY_DRAG(object);
  carry_place_unref(drag->place);
  g_object_unref(drag->source);
  G_OBJECT_CLASS(carry_drag_parent_class)->finalize(object);
}

static void carry_drag_class_init(CarryDragClass *class) { G_OBJECT_CLASS(class)->finalize = drag_finalize; }

static void add(CarryDrag *drag, carry_item *item) {
  if (!drag->is_adding) {
    g_warning("Carry: items can be added within prepare and prepare-more only");
  } else if (carry_drag_session_add_item_from(drag->session, item, drag->place->region) == CARRY_OK) {
    drag->count++;
  } else {
    g_warning("Carry: %s", carry_last_error());
  }
  carry_item_destroy(item);
}

void carry_drag_add_text(CarryDrag *drag, const char *text) {
  carry_item *item = carry_item_create();
  carry_item_add_text(item, text);
  add(drag, item);
}

void carry_drag_add_file(CarryDrag *drag, GFile *file) { add(drag, file_item(file)); }

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
    add(drag, content_item(content));
  }
}

guint carry_drag_get_n_items(CarryDrag *drag) { return drag->count; }

gboolean carry_drag_item_moved(CarryDrag *drag, guint item) {
  return drag->session && carry_drag_session_item_moved(drag->session, (int32_t)item) == 1;
}

/* ----------------------------------------------------------------------------------------------------- Sources --- */

typedef struct {
  GdkContentProvider *content;
  gboolean allows_move, allows_move_to_others;
} SourcePrivate;

enum { PREPARE, PREPARE_MORE, LIFT_BEGIN, DRAG_BEGIN, DRAG_END, TRANSFERRED, N_SIGNALS };
static guint signals[N_SIGNALS];
static int private_offset;
static gpointer parent_class;

static SourcePrivate *get_private(gpointer source) { return G_STRUCT_MEMBER_P(source, private_offset); }

/* Asks a source for items. */
static void prepare(CarryDrag *drag, CarryPlace *place, guint signal, double x, double y) {
  gpointer source = g_object_ref(place->controllers[CARRY_ROLE_DRAG]);
  CarryPlace *old = drag->place;
  guint before = drag->count;
  drag->place = carry_place_ref(place);
  carry_place_unref(old);
  drag->is_adding = TRUE;
  g_signal_emit(source, signals[signal], 0, drag, x, y);
  if (signal == PREPARE && drag->count == before && get_private(source)->content)
    carry_drag_add(drag, get_private(source)->content);
  drag->is_adding = FALSE;
  g_object_unref(source);
}

static int32_t may_begin(void *data, double x, double y) {
  return carry_place_route(data, CARRY_ROLE_DRAG, NULL, NULL, &x, &y) != NULL;
}

static void items_for_beginning(void *data, carry_drag_session *session, double x, double y) {
  CarryPlace *place = carry_place_route(data, CARRY_ROLE_DRAG, NULL, NULL, &x, &y);
  if (!place) return;
  CarryDrag *drag = g_object_new(CARRY_TYPE_DRAG, NULL);
  drag->session = session;
  drag->place = carry_place_ref(place);
  drag->source = CARRY_DRAG_SOURCE(g_object_ref(place->controllers[CARRY_ROLE_DRAG]));
  carry_drag_session_set_local_data(session, drag);
  prepare(drag, place, PREPARE, x, y);
  if (drag->count > 0) return;
  carry_drag_session_set_local_data(session, NULL);
  drag->session = NULL;
  g_object_unref(drag);
}

static void items_for_adding(void *data, carry_drag_session *session, double x, double y) {
  CarryDrag *drag = carry_drag_session_local_data(session);
  CarryPlace *place = carry_place_route(data, CARRY_ROLE_DRAG, NULL, NULL, &x, &y);
  if (drag && place) prepare(drag, place, PREPARE_MORE, x, y);
}

static void tell(carry_drag_session *session, guint signal) {
  CarryDrag *drag = carry_drag_session_local_data(session);
  if (drag) g_signal_emit(drag->source, signals[signal], 0, drag);
}

/* The last callback of a drag. */
static void finish(carry_drag_session *session) {
  CarryDrag *drag = carry_drag_session_local_data(session);
  if (!drag) return;
  carry_drag_session_set_local_data(session, NULL);
  drag->session = NULL;
  g_object_unref(drag);
}

static void lift_began(void *data, carry_drag_session *session) { (void)data, tell(session, LIFT_BEGIN); }
static void will_begin(void *data, carry_drag_session *session) { (void)data, tell(session, DRAG_BEGIN); }

static void lift_ended(void *data, carry_drag_session *session, int32_t completed) {
  CarryDrag *drag = carry_drag_session_local_data(session);
  (void)data;
  if (completed || !drag) return;
  g_signal_emit(drag->source, signals[DRAG_END], 0, drag, CARRY_OP_CANCEL);
  finish(session);
}

static void did_end(void *data, carry_drag_session *session, int32_t operation) {
  CarryDrag *drag = carry_drag_session_local_data(session);
  (void)data;
  if (!drag) return;
  g_signal_emit(drag->source, signals[DRAG_END], 0, drag, operation);
  if (operation != CARRY_OP_COPY && operation != CARRY_OP_MOVE) finish(session);
}

static void did_transfer(void *data, carry_drag_session *session) {
  (void)data;
  tell(session, TRANSFERRED);
  finish(session);
}

static int32_t allows_move(void *data, carry_drag_session *session) {
  CarryDrag *drag = carry_drag_session_local_data(session);
  (void)data;
  return !drag || get_private(drag->source)->allows_move;
}

static int32_t allows_move_to_others(void *data, carry_drag_session *session) {
  CarryDrag *drag = carry_drag_session_local_data(session);
  (void)data;
  return drag && get_private(drag->source)->allows_move_to_others;
}

void carry_source_attach(CarryPlace *place) {
  carry_drag_callbacks callbacks = CARRY_DRAG_CALLBACKS_INIT;
  callbacks.user_data = place;
  callbacks.may_begin = may_begin;
  callbacks.items_for_beginning = items_for_beginning;
  callbacks.items_for_adding = items_for_adding;
  callbacks.lift_began = lift_began;
  callbacks.lift_ended = lift_ended;
  callbacks.session_will_begin = will_begin;
  callbacks.did_end = did_end;
  callbacks.did_transfer = did_transfer;
  callbacks.allows_move = allows_move;
  callbacks.allows_move_to_others = allows_move_to_others;
  carry_region_set_drag(place->region, &callbacks);
  carry_region_set_enabled(place->region, CARRY_INTERACTION_DRAG, 1);
}

enum { PROP_CONTENT = 1, PROP_ALLOWS_MOVE, PROP_ALLOWS_MOVE_TO_OTHERS };

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
  SourcePrivate *self = get_private(object);
  switch (id) {
    case PROP_CONTENT: g_set_object(&self->content, g_value_get_object(value)); break;
    case PROP_ALLOWS_MOVE: self->allows_move = g_value_get_boolean(value); break;
    case PROP_ALLOWS_MOVE_TO_OTHERS: self->allows_move_to_others = g_value_get_boolean(value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  }
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
  SourcePrivate *self = get_private(object);
  switch (id) {
    case PROP_CONTENT: g_value_set_object(value, self->content); break;
    case PROP_ALLOWS_MOVE: g_value_set_boolean(value, self->allows_move); break;
    case PROP_ALLOWS_MOVE_TO_OTHERS: g_value_set_boolean(value, self->allows_move_to_others); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  }
}

static void source_finalize(GObject *object) {
  g_clear_object(&get_private(object)->content);
  G_OBJECT_CLASS(parent_class)->finalize(object);
}

static void source_init(GTypeInstance *instance, gpointer class) {
  (void)class;
  carry_controller_get_private(instance)->role = CARRY_ROLE_DRAG;
  get_private(instance)->allows_move = TRUE;
}

static void source_class_init(gpointer class, gpointer data) {
  (void)data;
  g_type_class_adjust_private_offset(class, &private_offset);
  parent_class = g_type_class_peek_parent(class);
  GObjectClass *object = G_OBJECT_CLASS(class);
  object->set_property = set_property;
  object->get_property = get_property;
  object->finalize = source_finalize;
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
  /**
   * CarryDragSource:content:
   *
   * What a press lifts if no handler of #CarryDragSource::prepare adds anything.
   */
  g_object_class_install_property(
      object, PROP_CONTENT, g_param_spec_object("content", "", "", GDK_TYPE_CONTENT_PROVIDER, flags));
  /**
   * CarryDragSource:allows-move:
   *
   * Whether a target in this application may propose a move.
   */
  g_object_class_install_property(
      object, PROP_ALLOWS_MOVE, g_param_spec_boolean("allows-move", "", "", TRUE, flags));
  /**
   * CarryDragSource:allows-move-to-others:
   *
   * Whether a target in another application may propose a move. Remove then, in #CarryDragSource::transferred, the
   * items of which carry_drag_item_moved() is true.
   */
  g_object_class_install_property(
      object, PROP_ALLOWS_MOVE_TO_OTHERS, g_param_spec_boolean("allows-move-to-others", "", "", FALSE, flags));
  const GType type = G_TYPE_FROM_CLASS(class);
  /**
   * CarryDragSource::prepare:
   * @source: the source
   * @drag: the drag that begins
   * @x: where the press is
   * @y: where the press is
   *
   * A press asks what it lifts: add items to @drag. Without items the press is an ordinary one. Return at once.
   */
  signals[PREPARE] = g_signal_new("prepare", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                                  CARRY_TYPE_DRAG, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  /**
   * CarryDragSource::prepare-more:
   * @source: the source
   * @drag: a drag that runs
   * @x: where the tap is
   * @y: where the tap is
   *
   * Another finger taps while @drag is carried: add items to it, but none that it has.
   */
  signals[PREPARE_MORE] = g_signal_new("prepare-more", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                                       CARRY_TYPE_DRAG, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  /**
   * CarryDragSource::lift-begin:
   * @source: the source
   * @drag: the drag
   *
   * The items begin to rise.
   */
  signals[LIFT_BEGIN] =
      g_signal_new("lift-begin", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, CARRY_TYPE_DRAG);
  /**
   * CarryDragSource::drag-begin:
   * @source: the source
   * @drag: the drag
   *
   * The finger moves.
   */
  signals[DRAG_BEGIN] =
      g_signal_new("drag-begin", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, CARRY_TYPE_DRAG);
  /**
   * CarryDragSource::drag-end:
   * @source: the source
   * @drag: the drag
   * @operation: what became of it
   *
   * The drag is over, and any dimming with it. Data may still be requested after a copy or a move.
   */
  signals[DRAG_END] = g_signal_new("drag-end", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                   CARRY_TYPE_DRAG, CARRY_TYPE_OPERATION);
  /**
   * CarryDragSource::transferred:
   * @source: the source
   * @drag: the drag
   *
   * After a copy or a move: everything that the target requested has been delivered, or has failed.
   */
  signals[TRANSFERRED] =
      g_signal_new("transferred", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, CARRY_TYPE_DRAG);
}

GType carry_drag_source_get_type(void) {
  static gsize type;
  if (g_once_init_enter(&type))
    g_once_init_leave(&type, carry_controller_register("CarryDragSource", sizeof(SourcePrivate), &private_offset,
                                                       source_class_init, source_init));
  return type;
}

CarryDragSource *carry_drag_source_new(void) { return g_object_new(CARRY_TYPE_DRAG_SOURCE, NULL); }

void carry_drag_source_set_content(CarryDragSource *source, GdkContentProvider *content) {
  g_object_set(source, "content", content, NULL);
}
