// An ordinary GTK program from which things are dragged with the mouse, compiled against GTK 3 or GTK 4. It knows nothing
// of Carry.
//
//     xdnd-source-gtk X Y text TEXT      a window without a frame of 300x300 pixels there; the text can be dragged
//     xdnd-source-gtk X Y files PATH...  the files can be dragged
//     xdnd-source-gtk X Y data BYTES     so many letters a, as application/x-carry-test
//     xdnd-source-gtk X Y save NAME      a file to be saved (XDS), or its bytes "lake"; GTK 3 only. It prints "asked to
//                                        save", and saves nothing.
//
// It prints "ready", "accepted" once a target would take a copy, and "dropped" or "failed" at the end of a drag.
#include <gtk/gtk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *kind;
static char **things;
static int thing_count;

#if GTK_MAJOR_VERSION == 4
#include <gdk/x11/gdkx.h>

static GdkContentProvider *prepare(GtkDragSource *source, double x, double y, gpointer data) {
  (void)source, (void)x, (void)y, (void)data;
  if (!strcmp(kind, "text")) return gdk_content_provider_new_typed(G_TYPE_STRING, things[0]);
  if (!strcmp(kind, "data")) {
    gsize count = (gsize)atol(things[0]);
    char *bytes = malloc(count);
    memset(bytes, 'a', count);
    GBytes *content = g_bytes_new_take(bytes, count);
    GdkContentProvider *provider = gdk_content_provider_new_for_bytes("application/x-carry-test", content);
    g_bytes_unref(content);
    return provider;
  }
  GFile *files[64];
  for (int i = 0; i < thing_count && i < 64; i++) files[i] = g_file_new_for_path(things[i]);
  return gdk_content_provider_new_typed(GDK_TYPE_FILE_LIST, gdk_file_list_new_from_array(files, (gsize)thing_count));
}

static void action_changed(GdkDrag *drag, GParamSpec *spec, gpointer data) {
  (void)spec, (void)data;
  if (gdk_drag_get_selected_action(drag) == GDK_ACTION_COPY) printf("accepted\n");
}

static void began(GtkDragSource *source, GdkDrag *drag, gpointer data) {
  (void)source, (void)data;
  g_signal_connect(drag, "notify::selected-action", G_CALLBACK(action_changed), NULL);
}

static void finished(GtkDragSource *source, GdkDrag *drag, gboolean deletes, gpointer data) {
  (void)source, (void)deletes, (void)data;
  printf(gdk_drag_get_selected_action(drag) ? "dropped\n" : "failed\n");
}

static gboolean cancelled(GtkDragSource *source, GdkDrag *drag, GdkDragCancelReason reason, gpointer data) {
  (void)source, (void)drag, (void)reason, (void)data;
  printf("failed\n");
  return TRUE;
}

static void place(int x, int y) {
  GtkWidget *window = gtk_window_new();
  gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
  gtk_window_set_default_size(GTK_WINDOW(window), 300, 300);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_size_request(box, 300, 300);
  gtk_window_set_child(GTK_WINDOW(window), box);
  GtkDragSource *source = gtk_drag_source_new();
  gtk_drag_source_set_actions(source, GDK_ACTION_COPY);
  g_signal_connect(source, "prepare", G_CALLBACK(prepare), NULL);
  g_signal_connect(source, "drag-begin", G_CALLBACK(began), NULL);
  g_signal_connect(source, "drag-end", G_CALLBACK(finished), NULL);
  g_signal_connect(source, "drag-cancel", G_CALLBACK(cancelled), NULL);
  gtk_widget_add_controller(box, GTK_EVENT_CONTROLLER(source));
  gtk_window_present(GTK_WINDOW(window));
  Display *display = gdk_x11_display_get_xdisplay(gdk_display_get_default());
  XMoveWindow(display, gdk_x11_surface_get_xid(gtk_native_get_surface(GTK_NATIVE(window))), x, y);
  while (!gtk_widget_get_width(window)) g_main_context_iteration(NULL, TRUE);
  XSync(display, False);
}
#else
static GdkDragContext *under_way;

static void get(GtkWidget *widget, GdkDragContext *context, GtkSelectionData *selection, guint info, guint time,
                gpointer data) {
  (void)widget, (void)context, (void)info, (void)time, (void)data;
  if (!strcmp(kind, "text")) {
    gtk_selection_data_set_text(selection, things[0], -1);
  } else if (!strcmp(kind, "data")) {
    int count = atoi(things[0]);
    char *bytes = malloc((size_t)count);
    memset(bytes, 'a', (size_t)count);
    gtk_selection_data_set(selection, gtk_selection_data_get_target(selection), 8, (guchar *)bytes, count);
    free(bytes);
  } else if (!strcmp(kind, "save")) {
    GdkAtom type = gtk_selection_data_get_target(selection);
    gboolean saves = type == gdk_atom_intern("XdndDirectSave0", FALSE);
    if (saves) printf("asked to save\n");
    gtk_selection_data_set(selection, type, 8, (const guchar *)(saves ? "F" : "lake"), saves ? 1 : 4);
  } else {
    char *addresses[65] = {NULL};
    for (int i = 0; i < thing_count && i < 64; i++) addresses[i] = g_filename_to_uri(things[i], NULL, NULL);
    gtk_selection_data_set_uris(selection, addresses);
  }
}

static gboolean look(gpointer data) {
  (void)data;
  if (!under_way || gdk_drag_context_get_selected_action(under_way) != GDK_ACTION_COPY) return under_way != NULL;
  printf("accepted\n");
  return FALSE;
}

static void began(GtkWidget *widget, GdkDragContext *context, gpointer data) {
  (void)widget, (void)data;
  under_way = context;
  if (!strcmp(kind, "save"))
    gdk_property_change(gdk_drag_context_get_source_window(context), gdk_atom_intern("XdndDirectSave0", FALSE),
                        gdk_atom_intern("text/plain", FALSE), 8, GDK_PROP_MODE_REPLACE, (guchar *)things[0],
                        (int)strlen(things[0]));
  g_timeout_add(5, look, NULL);
}

static gboolean has_failed(GtkWidget *widget, GdkDragContext *context, GtkDragResult result, gpointer data) {
  (void)widget, (void)context, (void)result, (void)data;
  printf("failed\n");
  return TRUE;
}

static void finished(GtkWidget *widget, GdkDragContext *context, gpointer data) {
  (void)widget, (void)context, (void)data;
  under_way = NULL;
  printf("dropped\n");
}

static gboolean pressed(GtkWidget *widget, GdkEventButton *event, gpointer data) {
  (void)widget, (void)data;
  if (event->button == 3) printf("menu at %.0f,%.0f\n", event->x, event->y);
  return FALSE;
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
  gtk_drag_source_set(window, GDK_BUTTON1_MASK, NULL, 0, GDK_ACTION_COPY);
  GtkTargetList *list = gtk_target_list_new(NULL, 0);
  if (!strcmp(kind, "text")) gtk_target_list_add_text_targets(list, 0);
  else if (!strcmp(kind, "data")) gtk_target_list_add(list, gdk_atom_intern("application/x-carry-test", FALSE), 0, 0);
  else if (!strcmp(kind, "save")) {
    gtk_target_list_add(list, gdk_atom_intern("XdndDirectSave0", FALSE), 0, 0);
    gtk_target_list_add(list, gdk_atom_intern("application/octet-stream", FALSE), 0, 0);
  }
  else gtk_target_list_add_uri_targets(list, 0);
  gtk_drag_source_set_target_list(window, list);
  g_signal_connect(window, "drag-begin", G_CALLBACK(began), NULL);
  g_signal_connect(window, "drag-data-get", G_CALLBACK(get), NULL);
  g_signal_connect(window, "drag-failed", G_CALLBACK(has_failed), NULL);
  g_signal_connect(window, "drag-end", G_CALLBACK(finished), NULL);
  gtk_widget_add_events(window, GDK_BUTTON_PRESS_MASK);
  g_signal_connect(window, "button-press-event", G_CALLBACK(pressed), NULL);
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
  if (count < 5) return 2;
  kind = arguments[3];
  things = arguments + 4;
  thing_count = count - 4;
#if GTK_MAJOR_VERSION == 4
  // GTK 3 does so by itself. It is the name in WM_CLASS.
  g_set_prgname(g_path_get_basename(arguments[0]));
  gtk_init();
#else
  gtk_init(NULL, NULL);
#endif
  place(atoi(arguments[1]), atoi(arguments[2]));
  printf("ready\n");
  while (TRUE) g_main_context_iteration(NULL, TRUE);
}
