// An ordinary GTK program with a plugin of Carry's, compiled against GTK 3 or GTK 4: its left window lifts a text, its
// right one takes drops by GTK. With "copy" it copies a text by Carry, and pastes it by GTK.
#include <carry.h>
#include <glib-unix.h>
#include <gtk/gtk.h>
#include <stdio.h>
#if GTK_MAJOR_VERSION == 4
#include <gdk/x11/gdkx.h>
#else
#include <gdk/gdkx.h>
#endif

static carry_client *client;
static gint64 begin;

static void say(const char *what, const char *text) {
  printf("%s %s %s\n", what, g_get_monotonic_time() - begin < 5000000 ? "soon" : "late", text ? text : "nothing");
}

static gboolean readable(gint fd, GIOCondition condition, gpointer data) {
  (void)fd, (void)condition, (void)data;
  return carry_client_dispatch(client) >= 0;
}

static carry_item *words(void) {
  carry_item *item = carry_item_create();
  carry_item_add_text(item, "own words");
  return item;
}

static void lift(void *data, carry_drag_session *session, double x, double y) {
  (void)data, (void)x, (void)y;
  carry_item *item = words();
  carry_drag_session_add_item(session, item);
  carry_item_destroy(item);
}

#if GTK_MAJOR_VERSION == 4
static GtkWidget *make_window(void) { return gtk_window_new(); }

static Window show(GtkWidget *window, int x) {
  gtk_window_present(GTK_WINDOW(window));
  Window id = gdk_x11_surface_get_xid(gtk_native_get_surface(GTK_NATIVE(window)));
  XMoveWindow(gdk_x11_display_get_xdisplay(gdk_display_get_default()), id, x, 250);
  while (!gtk_widget_get_width(window)) g_main_context_iteration(NULL, TRUE);
  return id;
}

static void has_text(GObject *drop, GAsyncResult *result, gpointer data) {
  (void)data;
  const GValue *value = gdk_drop_read_value_finish(GDK_DROP(drop), result, NULL);
  say("dropped", value ? g_value_get_string(value) : NULL);
  gdk_drop_finish(GDK_DROP(drop), value ? GDK_ACTION_COPY : 0);
}

static gboolean dropped(GtkDropTargetAsync *target, GdkDrop *drop, double x, double y, gpointer data) {
  (void)target, (void)x, (void)y, (void)data;
  begin = g_get_monotonic_time();
  gdk_drop_read_value_async(drop, G_TYPE_STRING, G_PRIORITY_DEFAULT, NULL, has_text, NULL);
  return TRUE;
}

static void take_drops(GtkWidget *window) {
  GtkDropTargetAsync *target =
      gtk_drop_target_async_new(gdk_content_formats_new_for_gtype(G_TYPE_STRING), GDK_ACTION_COPY);
  g_signal_connect(target, "drop", G_CALLBACK(dropped), NULL);
  gtk_widget_add_controller(window, GTK_EVENT_CONTROLLER(target));
}

static void has_clipboard(GObject *clipboard, GAsyncResult *result, gpointer is_over) {
  char *text = gdk_clipboard_read_text_finish(GDK_CLIPBOARD(clipboard), result, NULL);
  say("pasted", text);
  g_free(text);
  *(gboolean *)is_over = TRUE;
}

// GTK 4 reads when it has seen the new owner of the clipboard.
static void changed(GdkClipboard *clipboard, gpointer is_over) {
  if (!gdk_content_formats_contain_gtype(gdk_clipboard_get_formats(clipboard), G_TYPE_STRING)) return;
  gdk_clipboard_read_text_async(clipboard, NULL, has_clipboard, is_over);
}

static void paste(void) {
  static gboolean is_over;
  g_signal_connect(gdk_display_get_clipboard(gdk_display_get_default()), "changed", G_CALLBACK(changed), &is_over);
  while (!is_over) g_main_context_iteration(NULL, TRUE);
}
#else
static GtkWidget *make_window(void) { return gtk_window_new(GTK_WINDOW_TOPLEVEL); }

static gboolean is_there(GtkWidget *widget, GdkEvent *event, gpointer data) {
  (void)widget, (void)event;
  *(gboolean *)data = TRUE;
  return FALSE;
}

static Window show(GtkWidget *window, int x) {
  gboolean there = FALSE;
  gulong handler = g_signal_connect(window, "map-event", G_CALLBACK(is_there), &there);
  gtk_window_move(GTK_WINDOW(window), x, 250);
  gtk_widget_show_all(window);
  while (!there) gtk_main_iteration();
  g_signal_handler_disconnect(window, handler);
  return gdk_x11_window_get_xid(gtk_widget_get_window(window));
}

static gboolean dropped(GtkWidget *widget, GdkDragContext *context, int x, int y, guint time, gpointer data) {
  (void)widget, (void)context, (void)x, (void)y, (void)time, (void)data;
  begin = g_get_monotonic_time();
  return FALSE;
}

static void received(GtkWidget *widget, GdkDragContext *context, int x, int y, GtkSelectionData *selection, guint info,
                     guint time, gpointer data) {
  (void)widget, (void)context, (void)x, (void)y, (void)info, (void)time, (void)data;
  guchar *text = gtk_selection_data_get_text(selection);
  say("dropped", (char *)text);
  g_free(text);
}

static void take_drops(GtkWidget *window) {
  gtk_drag_dest_set(window, GTK_DEST_DEFAULT_ALL, NULL, 0, GDK_ACTION_COPY);
  gtk_drag_dest_add_text_targets(window);
  g_signal_connect(window, "drag-drop", G_CALLBACK(dropped), NULL);
  g_signal_connect(window, "drag-data-received", G_CALLBACK(received), NULL);
}

static void paste(void) {
  char *text = gtk_clipboard_wait_for_text(gtk_clipboard_get(GDK_SELECTION_CLIPBOARD));
  say("pasted", text);
  g_free(text);
}
#endif

int main(int count, char **arguments) {
  (void)arguments;
  setvbuf(stdout, NULL, _IOLBF, 0);
#if GTK_MAJOR_VERSION == 4
  gtk_init();
#else
  gtk_init(NULL, NULL);
#endif
  client = carry_client_create_awaiting("own", NULL);
  if (!client) return 3;
  g_unix_fd_add(carry_client_fd(client), G_IO_IN | G_IO_HUP, readable, NULL);
  if (count > 1) {
    carry_item *item = words();
    begin = g_get_monotonic_time();
    int32_t status = carry_client_copy(client, &item, 1);
    carry_item_destroy(item);
    if (status != CARRY_OK) return printf("%s\n", carry_last_error()), 1;
    paste();
    carry_client_destroy(client);
    return 0;
  }
  GtkWidget *windows[2];
  Window ids[2];
  for (int i = 0; i < 2; i++) {
    windows[i] = make_window();
    gtk_window_set_decorated(GTK_WINDOW(windows[i]), FALSE);
    gtk_window_set_default_size(GTK_WINDOW(windows[i]), 300, 300);
    if (i == 1) take_drops(windows[i]);
    ids[i] = show(windows[i], i == 0 ? 50 : 850);
  }
  gdk_display_sync(gdk_display_get_default());
  carry_region *region = carry_region_create(client, (uint32_t)ids[0], 0, 0, 300, 300);
  carry_drag_callbacks drag = CARRY_DRAG_CALLBACKS_INIT;
  drag.items_for_beginning = lift;
  carry_region_set_drag(region, &drag);
  carry_client_flush(client);
  while (TRUE) g_main_context_iteration(NULL, TRUE);
}
