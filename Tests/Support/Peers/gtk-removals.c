/* A window of GTK 4 whose handlers remove what called them. The argument says which handler. It prints what happens.

   The source is the left half of the window, 350x400; at the right lie a spring, 120 high, and the target below it. */
#include <carry-gtk.h>
#include <stdlib.h>
#include <unistd.h>

/* For a build with AddressSanitizer. */
const char *__asan_default_options(void) { return "detect_leaks=0"; }

static const char *mode;
static GtkWidget *window, *box, *left, *right, *spring, *target, *other;

static gboolean is(const char *name) { return g_str_equal(mode, name); }

static void remove_from(GtkWidget *widget, gpointer controller) { gtk_widget_remove_controller(widget, controller); }

typedef GObject Unwritten;
typedef GObjectClass UnwrittenClass;
G_DEFINE_TYPE(Unwritten, unwritten, G_TYPE_OBJECT)
static void unwritten_init(Unwritten *self) { (void)self; }
static void unwritten_class_init(UnwrittenClass *class) { (void)class; }

static GdkContentProvider *both(GdkContentProvider *first, GdkContentProvider *second) {
  GdkContentProvider *providers[] = {first, second};
  return gdk_content_provider_new_union(providers, 2);
}

static void prepare(CarryDragSource *source, CarryDrag *drag) {
  (void)source;
  if (is("union")) {
    /* Only the second one can be written. */
    GObject *object = g_object_new(unwritten_get_type(), NULL);
    GdkContentProvider *content = both(gdk_content_provider_new_typed(unwritten_get_type(), object),
                                       gdk_content_provider_new_typed(G_TYPE_STRING, "second"));
    carry_drag_add(drag, content);
    g_object_unref(content);
    g_object_unref(object);
  } else if (is("picture")) {
    GBytes *own = g_bytes_new_static("own", 3), *pixels = g_bytes_new_static("\1\2\3\4", 4);
    GdkTexture *texture = gdk_memory_texture_new(1, 1, GDK_MEMORY_B8G8R8A8, pixels, 4);
    GdkContentProvider *content = both(gdk_content_provider_new_for_bytes("application/x-own", own),
                                       gdk_content_provider_new_typed(GDK_TYPE_TEXTURE, texture));
    carry_drag_add(drag, content);
    g_object_unref(content);
    g_object_unref(texture);
    g_bytes_unref(own);
    g_bytes_unref(pixels);
  } else {
    carry_drag_add_text(drag, "text");
  }
}

static CarryOperation enter(CarryDropTarget *self) {
  g_print("enter\n");
  if (is("enter")) remove_from(target, self);
  if (is("enter-destroy")) gtk_box_remove(GTK_BOX(right), target);
  return CARRY_OP_COPY;
}

static void leave(void) {
  g_print("leave\n");
  if (is("leave")) gtk_box_remove(GTK_BOX(right), target);
}

static void saved(GObject *drop, GAsyncResult *result, gpointer folder) {
  GError *error = NULL;
  (void)carry_drop_save_finish(CARRY_DROP(drop), result, &error);
  GDir *dir = g_dir_open(folder, 0, NULL);
  g_print("saved: %s, %s\n", error ? error->message : "yes", g_dir_read_name(dir) ? "a file" : "no file");
  g_dir_close(dir);
  g_clear_error(&error);
  rmdir(folder);
  g_free(folder);
}

static void drop(CarryDropTarget *self, CarryDrop *drop) {
  char **formats = carry_drop_get_formats(drop), *line = g_strjoinv(" ", formats);
  g_print("drop of %s\n", line);
  g_free(line);
  g_strfreev(formats);
  if (is("drop")) {
    remove_from(target, self);
    g_print("%s\n", gtk_widget_get_state_flags(target) & GTK_STATE_FLAG_DROP_ACTIVE ? "still active" : "not active");
  }
  if (is("drop-close")) gtk_window_destroy(GTK_WINDOW(window));
  if (is("cancelled")) {
    char *folder = g_dir_make_tmp("removals-XXXXXX", NULL);
    GFile *file = g_file_new_for_path(folder);
    GCancellable *cancellable = g_cancellable_new();
    g_cancellable_cancel(cancellable);
    carry_drop_save_async(drop, 0, file, cancellable, saved, folder);
    g_object_unref(cancellable);
    g_object_unref(file);
  }
}

static void value(CarryDropTarget *self, const GValue *value) {
  (void)self;
  if (G_VALUE_HOLDS_STRING(value)) g_print("value %s\n", g_value_get_string(value));
}

static void activated(CarrySpringController *self) {
  g_print("sprung\n");
  if (is("spring")) remove_from(spring, self);
}

/* ------------------------------------------------------------------------------------------------------- Lists --- */

static void prepare_row(CarryList *list, CarryDrag *drag, guint position) {
  char *text = g_strdup_printf("row %u", position);
  (void)list;
  carry_drag_add_text(drag, text);
  g_free(text);
}

/* The program moves the row itself, into another list, or the tree has another model. */
static gboolean change(gpointer data) {
  (void)data;
  if (is("row")) {
    GtkWidget *row = GTK_WIDGET(gtk_list_box_get_row_at_index(GTK_LIST_BOX(left), 2));
    g_object_ref(row);
    gtk_list_box_remove(GTK_LIST_BOX(left), row);
    gtk_list_box_append(GTK_LIST_BOX(other), row);
    g_object_unref(row);
  }
  if (is("tree")) gtk_tree_view_set_model(GTK_TREE_VIEW(left), NULL);
  return G_SOURCE_REMOVE;
}

static void begun(void) { g_timeout_add(100, change, NULL); }

static void move(CarryList *list, guint from, guint to) {
  (void)list;
  g_print("move %u %u\n", from, to);
  if (is("move-close")) gtk_window_destroy(GTK_WINDOW(window));
}

static void row_value(CarryList *list, const GValue *value, guint position) {
  (void)list;
  g_print("value %s at %u\n", g_value_get_string(value), position);
}

static GtkWidget *make_tree(void) {
  GtkListStore *store = gtk_list_store_new(1, G_TYPE_STRING);
  for (int i = 0; i < 5; i++) gtk_list_store_insert_with_values(store, NULL, -1, 0, "row", -1);
  GtkWidget *tree = gtk_tree_view_new_with_model(GTK_TREE_MODEL(store));
  GtkCellRenderer *cell = gtk_cell_renderer_text_new();
  gtk_cell_renderer_set_fixed_size(cell, 340, 70);
  gtk_tree_view_insert_column_with_attributes(GTK_TREE_VIEW(tree), -1, "", cell, "text", 0, NULL);
  gtk_tree_view_set_headers_visible(GTK_TREE_VIEW(tree), FALSE);
  g_object_unref(store);
  return tree;
}

static GtkWidget *make_box(void) {
  GtkWidget *list = gtk_list_box_new();
  for (int i = 0; i < 5; i++) {
    GtkWidget *label = gtk_label_new("row");
    gtk_widget_set_size_request(label, 340, 70);
    gtk_list_box_append(GTK_LIST_BOX(list), label);
  }
  return list;
}

static void attach_list(void) {
  CarryList *list = carry_list_attach(left, G_TYPE_STRING);
  g_signal_connect(list, "prepare", G_CALLBACK(prepare_row), NULL);
  g_signal_connect(list, "move", G_CALLBACK(move), NULL);
  g_signal_connect(list, "value", G_CALLBACK(row_value), NULL);
  g_signal_connect(carry_list_get_source(list), "drag-begin", G_CALLBACK(begun), NULL);
}

static void activate(GtkApplication *app) {
  window = gtk_window_new();
  g_application_hold(G_APPLICATION(app));
  box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  right = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  if (is("row") || is("tree") || is("move-close")) {
    left = is("tree") ? make_tree() : make_box();
    other = gtk_list_box_new();
    gtk_list_box_append(GTK_LIST_BOX(other), gtk_label_new("other"));
    attach_list();
  } else {
    CarryDragSource *source = carry_drag_source_new();
    left = gtk_label_new("source");
    g_signal_connect(source, "prepare", G_CALLBACK(prepare), NULL);
    gtk_widget_add_controller(left, GTK_EVENT_CONTROLLER(source));
  }
  gtk_widget_set_size_request(left, 350, 400);
  spring = gtk_button_new_with_label("spring");
  gtk_widget_set_size_request(spring, 350, 120);
  CarrySpringController *controller = carry_spring_controller_new();
  g_signal_connect(controller, "activated", G_CALLBACK(activated), NULL);
  gtk_widget_add_controller(spring, GTK_EVENT_CONTROLLER(controller));
  target = gtk_label_new("target");
  gtk_widget_set_vexpand(target, TRUE);
  CarryDropTarget *to = carry_drop_target_new(is("picture") || is("cancelled") ? G_TYPE_INVALID : G_TYPE_STRING);
  g_signal_connect(to, "enter", G_CALLBACK(enter), NULL);
  g_signal_connect(to, "leave", G_CALLBACK(leave), NULL);
  g_signal_connect(to, "drop", G_CALLBACK(drop), NULL);
  g_signal_connect(to, "value", G_CALLBACK(value), NULL);
  gtk_widget_add_controller(target, GTK_EVENT_CONTROLLER(to));
  /* With a second controller, the place of the target stays when the target is removed. */
  if (is("enter") || is("drop")) gtk_widget_add_controller(target, GTK_EVENT_CONTROLLER(carry_drag_source_new()));
  gtk_box_append(GTK_BOX(right), spring);
  gtk_box_append(GTK_BOX(right), target);
  if (other) gtk_box_append(GTK_BOX(right), other);
  gtk_box_append(GTK_BOX(box), left);
  gtk_box_append(GTK_BOX(box), right);
  gtk_window_set_child(GTK_WINDOW(window), box);
  gtk_window_set_default_size(GTK_WINDOW(window), 700, 400);
  gtk_window_present(GTK_WINDOW(window));
}

int main(int argc, char **argv) {
  /* AddressSanitizer sees nothing of GLib's own allocator. */
  if (argc < 2) return 2;
  if (!g_getenv("G_SLICE")) {
    g_setenv("G_SLICE", "always-malloc", TRUE);
    execv(argv[0], argv);
  }
  mode = argv[1];
  GtkApplication *app = gtk_application_new("org.example.removals", G_APPLICATION_NON_UNIQUE);
  g_signal_connect(app, "activate", G_CALLBACK(activate), NULL);
  int status = g_application_run(G_APPLICATION(app), 0, NULL);
  g_object_unref(app);
  return status;
}
