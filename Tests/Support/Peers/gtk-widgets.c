/* A window of GTK 3 or 4 with widgets that are sources, targets and springs by carry-gtk.h. It prints what happens.

   The content lies at fixed places, so that recordings can play on it: see activate. */
#include <carry-gtk.h>

#if GTK_MAJOR_VERSION == 4
#define make_controller(kind, widget, ...) add_controller(widget, carry_##kind##_new(__VA_ARGS__))
#define PICTURE GDK_TYPE_TEXTURE

static gpointer add_controller(GtkWidget *widget, gpointer controller) {
  gtk_widget_add_controller(widget, controller);
  return controller;
}
#else
#define make_controller(kind, widget, ...) carry_##kind##_new(widget, ##__VA_ARGS__)
#define PICTURE GDK_TYPE_PIXBUF
#define gtk_box_append(box, child) gtk_box_pack_start(box, child, FALSE, FALSE, 0)
#define gtk_overlay_set_child(overlay, child) gtk_container_add(GTK_CONTAINER(overlay), child)
#define gtk_scrolled_window_new() gtk_scrolled_window_new(NULL, NULL)
#define gtk_scrolled_window_set_child(window, child) gtk_container_add(GTK_CONTAINER(window), child)
#define gtk_window_set_child(window, child) gtk_container_add(GTK_CONTAINER(window), child)
#define gtk_window_present(window) gtk_widget_show_all(GTK_WIDGET(window))
#endif

static GtkWidget *fixed;
static char *file;

static void say(const char *format, ...) G_GNUC_PRINTF(1, 2);
static void say(const char *format, ...) {
  va_list list;
  va_start(list, format);
  char *line = g_strdup_vprintf(format, list);
  va_end(list);
  g_print("%s\n", line);
  fflush(stdout);
  g_free(line);
}

/* ----------------------------------------------------------------------------------------------------- Sources --- */

static GdkPixbuf *picture(void) {
  GdkPixbuf *pixels = gdk_pixbuf_new(GDK_COLORSPACE_RGB, FALSE, 8, 64, 48);
  gdk_pixbuf_fill(pixels, 0x3366CCFF);
  return pixels;
}

static void prepare(CarryDragSource *source, CarryDrag *drag, double x, double y, const char *name) {
  say("prepare %s at %d,%d", name, (int)x, (int)y);
  if (g_str_equal(name, "file")) {
    GFile *letter = g_file_new_for_path(file);
    carry_drag_add_file(drag, letter);
    g_object_unref(letter);
  } else if (g_str_equal(name, "picture")) {
    GdkPixbuf *pixels = picture();
#if GTK_MAJOR_VERSION == 4
    GdkTexture *texture = gdk_texture_new_for_pixbuf(pixels);
    GdkContentProvider *content = gdk_content_provider_new_typed(GDK_TYPE_TEXTURE, texture);
    carry_drag_add(drag, content);
    carry_drag_set_icon(drag, 0, GDK_PAINTABLE(texture), 64, 48);
    g_object_unref(content);
    g_object_unref(texture);
#else
    cairo_surface_t *icon = gdk_cairo_surface_create_from_pixbuf(pixels, 1, NULL);
    carry_drag_add_pixbuf(drag, pixels);
    carry_drag_set_icon(drag, 0, icon, 64, 48);
    cairo_surface_destroy(icon);
#endif
    g_object_unref(pixels);
  } else {
    carry_drag_add_text(drag, g_str_equal(name, "text") ? "Grüße" : name);
  }
}

static gboolean has_moved;

static void drag_end(CarryDragSource *source, CarryDrag *drag, CarryOperation operation, const char *name) {
  say("drag-end %s %d of %u", name, operation, carry_drag_get_n_items(drag));
  has_moved = operation == CARRY_OP_MOVE;
}

static void transferred(CarryDragSource *source, CarryDrag *drag, const char *name) {
  say("transferred %s", name);
  if (has_moved) carry_drag_offer_undo(drag, "Moved 1 item");
}

static void undo(CarryDragSource *source, CarryDrag *drag, const char *name) { say("undo %s", name); }

static void make_source(GtkWidget *widget, const char *name) {
  CarryDragSource *source = make_controller(drag_source, widget);
  carry_widget_set_label(widget, name);
  g_signal_connect(source, "prepare", G_CALLBACK(prepare), (gpointer)name);
  g_signal_connect(source, "drag-end", G_CALLBACK(drag_end), (gpointer)name);
  g_signal_connect(source, "transferred", G_CALLBACK(transferred), (gpointer)name);
  g_signal_connect(source, "undo", G_CALLBACK(undo), (gpointer)name);
}

/* ----------------------------------------------------------------------------------------------------- Targets --- */

static void value(CarryDropTarget *target, const GValue *value, double x, double y, const char *name) {
  if (G_VALUE_HOLDS_STRING(value)) {
    say("value %s: %s", name, g_value_get_string(value));
  } else if (G_VALUE_HOLDS(value, PICTURE)) {
    int width, height;
#if GTK_MAJOR_VERSION == 4
    width = gdk_texture_get_width(g_value_get_object(value));
    height = gdk_texture_get_height(g_value_get_object(value));
#else
    width = gdk_pixbuf_get_width(g_value_get_object(value));
    height = gdk_pixbuf_get_height(g_value_get_object(value));
#endif
    say("value %s: %dx%d", name, width, height);
  } else if (G_VALUE_HOLDS(value, G_TYPE_FILE)) {
    char *text = NULL;
    g_file_load_contents(g_value_get_object(value), NULL, &text, NULL, NULL, NULL);
    say("value %s: %s", name, text ? text : "unreadable");
    g_free(text);
  }
}

static CarryOperation enter(CarryDropTarget *target, CarryDrop *drop, double x, double y, const char *name) {
  say("enter %s", name);
  return CARRY_OP_COPY;
}

static void leave(CarryDropTarget *target, CarryDrop *drop, const char *name) { say("leave %s", name); }

static GtkWidget *make_target(GtkWidget *widget, const char *name, GType type) {
  CarryDropTarget *target = make_controller(drop_target, widget, type);
  carry_widget_set_label(widget, name);
  g_signal_connect(target, "enter", G_CALLBACK(enter), (gpointer)name);
  g_signal_connect(target, "leave", G_CALLBACK(leave), (gpointer)name);
  g_signal_connect(target, "value", G_CALLBACK(value), (gpointer)name);
  return widget;
}

/* A page that loads in a later turn than the drop. */
static void read_later(GObject *drop, GAsyncResult *result, gpointer data) {
  const GValue *value = carry_drop_read_value_finish(CARRY_DROP(drop), result, NULL);
  (void)data;
  say("value page: %s", value ? g_value_get_string(value) : "none");
}

static gboolean load_later(gpointer drop) {
  carry_drop_read_value_async(drop, 0, G_TYPE_STRING, NULL, read_later, NULL);
  carry_drop_finish(drop, CARRY_OP_COPY);
  g_object_unref(drop);
  return G_SOURCE_REMOVE;
}

static void dropped(CarryDropTarget *target, CarryDrop *drop, double x, double y, gpointer data) {
  carry_drop_keep_open(drop);
  g_timeout_add(300, load_later, g_object_ref(drop));
}

static CarryOperation enter_move(CarryDropTarget *target, CarryDrop *drop, double x, double y, gpointer data) {
  return CARRY_OP_MOVE;
}

static void bytes_read(GObject *drop, GAsyncResult *result, gpointer data) {
  GBytes *bytes = carry_drop_read_bytes_finish(CARRY_DROP(drop), result, NULL);
  say("bytes: %zu", bytes ? g_bytes_get_size(bytes) : 0);
  if (bytes) g_bytes_unref(bytes);
}

static void read_bytes(CarryDropTarget *target, CarryDrop *drop, double x, double y, gpointer data) {
  char **formats = carry_drop_get_formats(drop);
  say("of %s", formats[0]);
  carry_drop_read_bytes_async(drop, 0, "text/plain", NULL, bytes_read, NULL);
  g_strfreev(formats);
}

static void progress(CarryDropTarget *target, CarryDrop *drop, double fraction, gpointer data) {
  if (fraction == 1) say("all has arrived");
}

static void read_never(GObject *drop, GAsyncResult *result, gpointer data) {
  GError *error = NULL;
  carry_drop_read_value_finish(CARRY_DROP(drop), result, &error);
  say("%s", g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? "cancelled" : "not cancelled");
  g_clear_error(&error);
}

static void cancel(CarryDropTarget *target, CarryDrop *drop, double x, double y, gpointer data) {
  carry_drop_read_value_async(drop, 0, G_TYPE_STRING, NULL, read_never, NULL);
  carry_drop_cancel(drop);
}

static GtkWidget *make_page(GtkWidget *widget) {
  CarryDropTarget *target = make_controller(drop_target, widget, G_TYPE_INVALID);
  carry_widget_set_label(widget, "page");
  g_signal_connect(target, "drop", G_CALLBACK(dropped), NULL);
  return widget;
}

/* ---------------------------------------------------------------------------------------------------- The page --- */

static GtkWidget *put(GtkWidget *widget, int x, int y, int width, int height) {
  gtk_widget_set_size_request(widget, width, height);
  gtk_fixed_put(GTK_FIXED(fixed), widget, x, y);
  return widget;
}

static void page_switched(GtkNotebook *notebook, GtkWidget *page, guint number, gpointer data) {
  say("page %u", number);
}

static gboolean scroll(gpointer list) {
  gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(list), 400);
  say("scrolled");
  return G_SOURCE_REMOVE;
}

static void clicked(GtkButton *button, gpointer data) { say("clicked"); }

static void sprung(CarrySpringController *spring, double x, double y, gpointer data) { say("sprung"); }

static void edge(GtkAdjustment *adjustment, gpointer data) {
  static double highest;
  double at = gtk_adjustment_get_value(adjustment);
  if (at > highest + 100) say("at %d", (int)(highest = at));
}

static void activate(GtkApplication *app) {
  GtkWidget *window = gtk_application_window_new(app);
  fixed = gtk_fixed_new();

  make_source(put(gtk_label_new("A text"), 20, 20, 200, 60), "text");
  make_source(put(gtk_label_new("A file"), 20, 100, 200, 60), "file");
  make_source(put(gtk_label_new("A picture"), 20, 180, 200, 60), "picture");
  GtkWidget *box = put(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0), 20, 260, 200, 60);
  GtkWidget *button = gtk_button_new_with_label("A button");
  g_signal_connect(button, "clicked", G_CALLBACK(clicked), NULL);
  gtk_box_append(GTK_BOX(box), button);
  gtk_box_append(GTK_BOX(box), gtk_label_new("in a source"));
  make_source(box, "box");

  /* Twenty pixels a row, and row 20 is at the top. */
  GtkWidget *list = gtk_scrolled_window_new(), *rows = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  for (int i = 0; i < 100; i++) {
    char *name = g_strdup_printf("row %d", i);
    GtkWidget *row = gtk_label_new(name);
    gtk_widget_set_size_request(row, -1, 20);
    make_source(row, name);
    make_target(row, "row", G_TYPE_STRING);
    gtk_box_append(GTK_BOX(rows), row);
  }
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(list), rows);
  put(list, 20, 340, 200, 200);
  g_signal_connect(gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(list)), "value-changed", G_CALLBACK(edge),
                   NULL);
  g_timeout_add(200, scroll, list);

  /* A button lies above the middle of the first target. */
  GtkWidget *overlay = put(gtk_overlay_new(), 600, 20, 300, 120), *above = gtk_button_new_with_label("above");
  gtk_overlay_set_child(GTK_OVERLAY(overlay), make_target(gtk_label_new("texts"), "texts", G_TYPE_STRING));
  gtk_widget_set_halign(above, GTK_ALIGN_CENTER);
  gtk_widget_set_valign(above, GTK_ALIGN_CENTER);
  gtk_overlay_add_overlay(GTK_OVERLAY(overlay), above);
  put(make_target(gtk_label_new("pictures"), "pictures", PICTURE), 600, 160, 300, 60);
  put(make_target(gtk_label_new("files"), "files", G_TYPE_FILE), 600, 240, 300, 60);

  GtkWidget *moving = put(gtk_label_new("moves"), 300, 20, 200, 60);
  GtkWidget *bytes = put(gtk_label_new("bytes"), 300, 100, 200, 60);
  GtkWidget *cancelling = put(gtk_label_new("cancels"), 300, 180, 200, 60);
  CarryDropTarget *target = make_controller(drop_target, moving, G_TYPE_STRING);
  g_signal_connect(target, "enter", G_CALLBACK(enter_move), NULL);
  g_signal_connect(target, "motion", G_CALLBACK(enter_move), NULL);
  target = make_controller(drop_target, bytes, G_TYPE_INVALID);
  g_signal_connect(target, "drop", G_CALLBACK(read_bytes), NULL);
  g_signal_connect(target, "progress", G_CALLBACK(progress), NULL);
  target = make_controller(drop_target, cancelling, G_TYPE_INVALID);
  g_signal_connect(target, "drop", G_CALLBACK(cancel), NULL);

  /* Another button covers the left half. */
  GtkWidget *springs = put(gtk_overlay_new(), 300, 260, 200, 60), *spring = gtk_button_new_with_label("springs");
  GtkWidget *cover = gtk_button_new_with_label("covers");
  gtk_overlay_set_child(GTK_OVERLAY(springs), spring);
  gtk_widget_set_size_request(cover, 100, 60);
  gtk_widget_set_halign(cover, GTK_ALIGN_START);
  gtk_overlay_add_overlay(GTK_OVERLAY(springs), cover);
  g_signal_connect(make_controller(spring_controller, spring), "activated", G_CALLBACK(sprung), NULL);

  GtkWidget *notebook = put(gtk_notebook_new(), 600, 340, 300, 200), *second = gtk_label_new("The second tab");
  gtk_notebook_append_page(GTK_NOTEBOOK(notebook), gtk_label_new("one"), gtk_label_new("The first tab"));
  gtk_notebook_append_page(GTK_NOTEBOOK(notebook), make_page(gtk_label_new("two")), second);
  g_signal_connect(notebook, "switch-page", G_CALLBACK(page_switched), NULL);
  make_controller(spring_controller, second);
  carry_widget_set_label(second, "second tab");

  gtk_window_set_child(GTK_WINDOW(window), fixed);
  gtk_window_set_default_size(GTK_WINDOW(window), 1000, 600);
  gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
  gtk_window_present(GTK_WINDOW(window));
}

int main(int argc, char **argv) {
  GtkApplication *app = gtk_application_new("org.example.widgets", G_APPLICATION_NON_UNIQUE);
  file = argv[1];
  g_signal_connect(app, "activate", G_CALLBACK(activate), NULL);
  return g_application_run(G_APPLICATION(app), 1, argv);
}
