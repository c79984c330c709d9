// An ordinary GTK program that takes drops, compiled against GTK 3 or GTK 4. It knows nothing of Carry.
//
//     xdnd-gtk X Y [TYPE]     a window without a frame of 300x300 pixels there; takes files and text, or the type
//
// It prints "ready", then "over" while something that it takes is over it, "left", and for each drop a line:
//
//     got TYPE BYTES FIRST    the bytes' number, and the first of them as far as they are text; with SHOW_LINES in the
//                             environment the ends of lines are shown as spaces
#include <gtk/gtk.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *wanted;

static void say(const char *type, const char *bytes, gsize count) {
  printf("got %s %zu ", type, (size_t)count);
  bool whole = getenv("SHOW_LINES") != NULL;
  for (gsize i = 0; i < 200 && i < count; i++) {
    if (bytes[i] >= ' ' && bytes[i] <= '~') putchar(bytes[i]);
    else if (whole && (bytes[i] == '\r' || bytes[i] == '\n')) putchar(' ');
    else break;
  }
  putchar('\n');
}

#if GTK_MAJOR_VERSION == 4
#include <gdk/x11/gdkx.h>

static GdkDragAction over(GtkDropTarget *target, double x, double y, gpointer data) {
  (void)target, (void)x, (void)y, (void)data;
  printf("over\n");
  return GDK_ACTION_COPY;
}

static void left(GtkDropTarget *target, gpointer data) {
  (void)target, (void)data;
  printf("left\n");
}

static gboolean dropped(GtkDropTarget *target, const GValue *value, double x, double y, gpointer data) {
  (void)target, (void)x, (void)y, (void)data;
  if (G_VALUE_HOLDS(value, GDK_TYPE_FILE_LIST)) {
    for (GSList *l = g_value_get_boxed(value); l; l = l->next) {
      char *path = g_file_get_path(l->data);
      say("file", path, strlen(path));
      g_free(path);
    }
  } else if (G_VALUE_HOLDS(value, G_TYPE_BYTES)) {
    gsize count;
    const char *bytes = g_bytes_get_data(g_value_get_boxed(value), &count);
    say(wanted, bytes, count);
  } else {
    say("text", g_value_get_string(value), strlen(g_value_get_string(value)));
  }
  return TRUE;
}

static void has_read(GObject *stream, GAsyncResult *result, gpointer drop) {
  GError *error = NULL;
  gssize count = g_output_stream_splice_finish(G_OUTPUT_STREAM(stream), result, &error);
  if (count >= 0) {
    say(wanted, g_memory_output_stream_get_data(G_MEMORY_OUTPUT_STREAM(stream)),
        g_memory_output_stream_get_data_size(G_MEMORY_OUTPUT_STREAM(stream)));
  } else {
    printf("failed %s\n", error->message);
  }
  gdk_drop_finish(drop, count >= 0 ? GDK_ACTION_COPY : 0);
}

static void has_stream(GObject *drop, GAsyncResult *result, gpointer data) {
  (void)data;
  GInputStream *in = gdk_drop_read_finish(GDK_DROP(drop), result, NULL, NULL);
  if (!in) {
    printf("failed\n");
    gdk_drop_finish(GDK_DROP(drop), 0);
    return;
  }
  g_output_stream_splice_async(g_memory_output_stream_new_resizable(), in, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET,
                               G_PRIORITY_DEFAULT, NULL, has_read, drop);
}

static gboolean dropped_here(GtkDropTargetAsync *target, GdkDrop *drop, double x, double y, gpointer data) {
  (void)target, (void)x, (void)y, (void)data;
  const char *types[] = {wanted, NULL};
  gdk_drop_read_async(drop, types, G_PRIORITY_DEFAULT, NULL, has_stream, NULL);
  return TRUE;
}

static void place(int x, int y) {
  GtkWidget *window = gtk_window_new();
  gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
  gtk_window_set_default_size(GTK_WINDOW(window), 300, 300);
  if (wanted) {
    const char *types[] = {wanted};
    GtkDropTargetAsync *target = gtk_drop_target_async_new(gdk_content_formats_new(types, 1), GDK_ACTION_COPY);
    g_signal_connect(target, "drop", G_CALLBACK(dropped_here), NULL);
    gtk_widget_add_controller(window, GTK_EVENT_CONTROLLER(target));
  } else {
    GtkDropTarget *target = gtk_drop_target_new(G_TYPE_INVALID, GDK_ACTION_COPY);
    GType types[] = {GDK_TYPE_FILE_LIST, G_TYPE_STRING};
    gtk_drop_target_set_gtypes(target, types, 2);
    g_signal_connect(target, "enter", G_CALLBACK(over), NULL);
    g_signal_connect(target, "leave", G_CALLBACK(left), NULL);
    g_signal_connect(target, "drop", G_CALLBACK(dropped), NULL);
    gtk_widget_add_controller(window, GTK_EVENT_CONTROLLER(target));
  }
  gtk_window_present(GTK_WINDOW(window));
  Display *display = gdk_x11_display_get_xdisplay(gdk_display_get_default());
  Window id = gdk_x11_surface_get_xid(gtk_native_get_surface(GTK_NATIVE(window)));
  XMoveWindow(display, id, x, y);
  // Until it is there.
  while (!gtk_widget_get_width(window)) g_main_context_iteration(NULL, TRUE);
  XSync(display, False);
}
#else
static gboolean moved(GtkWidget *widget, GdkDragContext *context, int x, int y, guint time, gpointer data) {
  (void)widget, (void)context, (void)x, (void)y, (void)time, (void)data;
  printf("over\n");
  return FALSE;
}

static void left(GtkWidget *widget, GdkDragContext *context, guint time, gpointer data) {
  (void)widget, (void)context, (void)time, (void)data;
  printf("left\n");
}

static void received(GtkWidget *widget, GdkDragContext *context, int x, int y, GtkSelectionData *selection, guint info,
                     guint time, gpointer data) {
  (void)widget, (void)context, (void)x, (void)y, (void)info, (void)time, (void)data;
  char *type = gdk_atom_name(gtk_selection_data_get_target(selection));
  int count = gtk_selection_data_get_length(selection);
  if (count < 0) printf("failed %s\n", type);
  else say(type, (const char *)gtk_selection_data_get_data(selection), (gsize)count);
  g_free(type);
}

static gboolean is_there(GtkWidget *widget, GdkEvent *event, gpointer data) {
  (void)widget, (void)event;
  *(gboolean *)data = TRUE;
  return FALSE;
}

static void place(int x, int y) {
  GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
  gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
  gtk_window_set_default_size(GTK_WINDOW(window), 300, 300);
  gtk_drag_dest_set(window, GTK_DEST_DEFAULT_ALL, NULL, 0, GDK_ACTION_COPY);
  GtkTargetList *list = gtk_target_list_new(NULL, 0);
  if (wanted) {
    gtk_target_list_add(list, gdk_atom_intern(wanted, FALSE), 0, 0);
  } else {
    gtk_target_list_add_uri_targets(list, 0);
    gtk_target_list_add_text_targets(list, 0);
  }
  gtk_drag_dest_set_target_list(window, list);
  g_signal_connect(window, "drag-motion", G_CALLBACK(moved), NULL);
  g_signal_connect(window, "drag-leave", G_CALLBACK(left), NULL);
  g_signal_connect(window, "drag-data-received", G_CALLBACK(received), NULL);
  // The signal comes whenever the window is mapped, also after a change of the desktop.
  static gboolean there;
  g_signal_connect(window, "map-event", G_CALLBACK(is_there), &there);
  gtk_window_move(GTK_WINDOW(window), x, y);
  gtk_widget_show_all(window);
  while (!there) gtk_main_iteration();
}
#endif

int main(int count, char **arguments) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (count < 3) return 2;
  if (count > 3) wanted = arguments[3];
#if GTK_MAJOR_VERSION == 4
  gtk_init();
#else
  gtk_init(NULL, NULL);
#endif
  place(atoi(arguments[1]), atoi(arguments[2]));
  printf("ready\n");
  while (TRUE) g_main_context_iteration(NULL, TRUE);
}
