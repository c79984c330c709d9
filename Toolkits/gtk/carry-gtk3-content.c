/* GTK 3: pictures as items, and data as values. */
#include "carry-gtk-private.h"

void carry_drag_add_pixbuf(CarryDrag *drag, GdkPixbuf *pixbuf) {
  carry_item *item = carry_item_create();
  carry_item_add_callback(item, "image/png", carry_write_picture, g_object_ref(pixbuf), carry_unref_later);
  carry_drag_add_item(drag, item);
}

GBytes *carry_content_encode_png(gpointer pixbuf) {
  char *data;
  gsize size;
  return gdk_pixbuf_save_to_buffer(pixbuf, &data, &size, "png", NULL, NULL) ? g_bytes_new_take(data, size) : NULL;
}

void carry_drag_set_icon(CarryDrag *drag, guint item, cairo_surface_t *icon, double hot_x, double hot_y) {
  double left, top, right, bottom, scale = carry_drag_get_scale(drag);
  cairo_t *cr = cairo_create(icon);
  cairo_clip_extents(cr, &left, &top, &right, &bottom);
  cairo_destroy(cr);
  cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)((right - left) * scale),
                                                      (int)((bottom - top) * scale));
  cr = cairo_create(image);
  cairo_scale(cr, scale, scale);
  cairo_set_source_surface(cr, icon, -left, -top);
  cairo_paint(cr);
  cairo_destroy(cr);
  carry_drag_set_image(drag, item, image, hot_x * scale, hot_y * scale);
}

const char *carry_content_type(carry_drop_session *session, int32_t item, GType value) {
  const char *wanted[] = {NULL, NULL};
  if (value == G_TYPE_STRING) wanted[0] = "text/plain;charset=utf-8", wanted[1] = "text/plain";
  else if (value == GDK_TYPE_PIXBUF) wanted[0] = "image/png", wanted[1] = "image/*";
  else if (value == G_TYPE_FILE) wanted[0] = "text/uri-list";
  for (int i = 0; i < 2 && wanted[i]; i++) {
    const char *type = carry_drop_session_best_type(session, item, wanted[i]);
    /* A list of addresses is a text, but not the one that is meant. */
    if (type && (value != G_TYPE_STRING || g_str_has_prefix(type, "text/plain"))) return type;
  }
  return NULL;
}

void carry_content_decode(GTask *task, GBytes *bytes, const char *type, GValue *value) {
  GError *error = NULL;
  gsize size;
  const char *data = g_bytes_get_data(bytes, &size);
  (void)type;
  if (G_VALUE_HOLDS_STRING(value)) {
    g_value_take_string(value, g_utf8_make_valid(data ? data : "", (gssize)size));
  } else if (G_VALUE_HOLDS(value, G_TYPE_FILE)) {
    char *text = g_strndup(data ? data : "", size), **uris = g_uri_list_extract_uris(text);
    if (uris[0]) g_value_take_object(value, g_file_new_for_uri(uris[0]));
    else g_set_error_literal(&error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "the list has no address");
    g_strfreev(uris);
    g_free(text);
  } else {
    GInputStream *stream = g_memory_input_stream_new_from_bytes(bytes);
    g_value_take_object(value, gdk_pixbuf_new_from_stream(stream, g_task_get_cancellable(task), &error));
    g_object_unref(stream);
  }
  if (error) g_task_return_error(task, error);
  else g_task_return_boolean(task, TRUE);
  g_object_unref(task);
}
