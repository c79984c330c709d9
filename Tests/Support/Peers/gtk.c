// An ordinary GTK program, compiled against GTK 3 or GTK 4: two buttons over a list that scrolls. All of its window is
// a drag region. It prints what its user would see happen, one line each:
//
//   place NAME X Y WIDTH HEIGHT    where a widget is, in the window's pixels (which has no frame)
//   clicked NAME                   a button
//   selected ROW, scrolled VALUE   the list
//   lifting, began, ended          its part in a drag session
//
//     gtk [--plain]            plain: without Carry
#include <carry.h>
#include <glib-unix.h>
#include <gtk/gtk.h>
#include <stdio.h>
#include <string.h>
#if GTK_MAJOR_VERSION == 4
#include <gdk/x11/gdkx.h>
#else
#include <gdk/gdkx.h>
#endif

static GtkWidget *window, *left, *right, *list, *scrolled;
static carry_client *client;
static carry_region *region;
static gboolean plain;

static void clicked(GtkButton *button, gpointer name) {
  (void)button;
  printf("clicked %s\n", (const char *)name);
}

static void selected(GtkListBox *box, GtkListBoxRow *row, gpointer data) {
  (void)box, (void)data;
  printf("selected %d\n", row ? gtk_list_box_row_get_index(row) : -1);
}

static void scrolled_to(GtkAdjustment *adjustment, gpointer data) {
  (void)data;
  printf("scrolled %.0f\n", gtk_adjustment_get_value(adjustment));
}

static void print_place(GtkWidget *widget, const char *name) {
  int width, height;
#if GTK_MAJOR_VERSION == 4
  double x = 0, y = 0;
  gtk_widget_translate_coordinates(widget, window, 0, 0, &x, &y);
  width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);
#else
  int x = 0, y = 0;
  gtk_widget_translate_coordinates(widget, window, 0, 0, &x, &y);
  width = gtk_widget_get_allocated_width(widget), height = gtk_widget_get_allocated_height(widget);
#endif
  printf("place %s %d %d %d %d\n", name, (int)x, (int)y, width, height);
}

static void items_for_beginning(void *data, carry_drag_session *session, double x, double y) {
  (void)data, (void)x, (void)y;
  printf("lifting\n");
  carry_item *item = carry_item_create();
  carry_item_add_text(item, "from a list");
  carry_drag_session_add_item(session, item);
  carry_item_destroy(item);
}

static void will_begin(void *data, carry_drag_session *session) {
  (void)data, (void)session;
  printf("began\n");
}

static void did_end(void *data, carry_drag_session *session, int32_t operation) {
  (void)data, (void)session, (void)operation;
  printf("ended\n");
}

static gboolean readable(gint fd, GIOCondition condition, gpointer data) {
  (void)fd, (void)condition, (void)data;
  if (carry_client_dispatch(client) >= 0) return G_SOURCE_CONTINUE;
  printf("disconnected\n");
  return G_SOURCE_REMOVE;
}

// The window has been drawn: its widgets have their places, and its X window is there.
static gboolean drawn(gpointer data) {
  (void)data;
#if GTK_MAJOR_VERSION == 4
  Window id = gdk_x11_surface_get_xid(gtk_native_get_surface(GTK_NATIVE(window)));
  Display *display = gdk_x11_display_get_xdisplay(gdk_display_get_default());
  int width = gtk_widget_get_width(window), height = gtk_widget_get_height(window);
#else
  Window id = gdk_x11_window_get_xid(gtk_widget_get_window(window));
  Display *display = gdk_x11_display_get_xdisplay(gdk_display_get_default());
  int width = gtk_widget_get_allocated_width(window), height = gtk_widget_get_allocated_height(window);
#endif
  if (width < 2) return G_SOURCE_CONTINUE;
  XSync(display, False);
  if (!plain) {
    client = carry_client_create("gtk", NULL);
    if (!client) {
      printf("failed %s\n", carry_last_error());
      return G_SOURCE_REMOVE;
    }
    region = carry_region_create(client, (uint32_t)id, 0, 0, width, height);
    carry_drag_callbacks callbacks = CARRY_DRAG_CALLBACKS_INIT;
    callbacks.items_for_beginning = items_for_beginning;
    callbacks.session_will_begin = will_begin;
    callbacks.did_end = did_end;
    carry_region_set_drag(region, &callbacks);
    g_unix_fd_add(carry_client_fd(client), G_IO_IN | G_IO_HUP, readable, NULL);
    carry_client_dispatch(client);
  }
  print_place(left, "left");
  print_place(right, "right");
  print_place(scrolled, "list");
  printf("ready\n");
  return G_SOURCE_REMOVE;
}

static void fill(void) {
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8), *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  left = gtk_button_new_with_label("Left"), right = gtk_button_new_with_label("Right");
  gtk_widget_set_size_request(left, 200, 90);
  gtk_widget_set_size_request(right, 200, 90);
  g_signal_connect(left, "clicked", G_CALLBACK(clicked), "left");
  g_signal_connect(right, "clicked", G_CALLBACK(clicked), "right");
  list = gtk_list_box_new();
  gtk_list_box_set_selection_mode(GTK_LIST_BOX(list), GTK_SELECTION_SINGLE);
  g_signal_connect(list, "row-selected", G_CALLBACK(selected), NULL);
  for (int i = 0; i < 60; i++) {
    char text[32];
    snprintf(text, sizeof text, "Row %d", i);
    GtkWidget *label = gtk_label_new(text);
    gtk_widget_set_size_request(label, -1, 40);
#if GTK_MAJOR_VERSION == 4
    gtk_list_box_append(GTK_LIST_BOX(list), label);
#else
    gtk_container_add(GTK_CONTAINER(list), label);
#endif
  }
#if GTK_MAJOR_VERSION == 4
  scrolled = gtk_scrolled_window_new();
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), list);
  gtk_box_append(GTK_BOX(row), left);
  gtk_box_append(GTK_BOX(row), right);
  gtk_box_append(GTK_BOX(column), row);
  gtk_box_append(GTK_BOX(column), scrolled);
  gtk_window_set_child(GTK_WINDOW(window), column);
#else
  scrolled = gtk_scrolled_window_new(NULL, NULL);
  gtk_container_add(GTK_CONTAINER(scrolled), list);
  gtk_container_add(GTK_CONTAINER(row), left);
  gtk_container_add(GTK_CONTAINER(row), right);
  gtk_container_add(GTK_CONTAINER(column), row);
  gtk_container_add(GTK_CONTAINER(column), scrolled);
  gtk_container_add(GTK_CONTAINER(window), column);
#endif
  gtk_widget_set_vexpand(scrolled, TRUE);
  gtk_scrolled_window_set_kinetic_scrolling(GTK_SCROLLED_WINDOW(scrolled), TRUE);
  g_signal_connect(
      gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scrolled)), "value-changed", G_CALLBACK(scrolled_to),
      NULL);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--plain")) plain = TRUE;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
#if GTK_MAJOR_VERSION == 4
  gtk_init();
  window = gtk_window_new();
#else
  gtk_init(NULL, NULL);
  window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
#endif
  gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
  gtk_window_set_default_size(GTK_WINDOW(window), 420, 560);
  fill();
#if GTK_MAJOR_VERSION == 4
  gtk_window_present(GTK_WINDOW(window));
#else
  gtk_widget_show_all(window);
#endif
  g_timeout_add(200, drawn, NULL);
  GMainLoop *loop = g_main_loop_new(NULL, FALSE);
  g_main_loop_run(loop);
  return 0;
}
