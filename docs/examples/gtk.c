/* A GTK 3 window to drop text on and to drag it out again: carry-glib.h joins the two event loops. GDK_BACKEND=x11.

     ./gtk [--once] */
#include <carry-glib.h>
#include <carry.h>
#include <gdk/gdkx.h>
#include <gtk/gtk.h>
#include <string.h>

struct app {
  GtkWidget *window, *label;
  carry_client *client;
  carry_region *region;
  gboolean once;
};

static void items_for_beginning(void *data, carry_drag_session *session, double x, double y) {
  struct app *app = data;
  carry_item *item = carry_item_create();
  (void)x, (void)y;
  carry_item_add_text(item, gtk_label_get_text(GTK_LABEL(app->label)));
  carry_drag_session_add_item(session, item);
  carry_item_destroy(item);
}

static int32_t did_update(void *data, carry_drop_session *session) {
  (void)data;
  return carry_drop_session_conforms(session, "text/plain") == 1 ? CARRY_OPERATION_COPY : CARRY_OPERATION_CANCEL;
}

static void got_text(void *data, int32_t status, const void *bytes, size_t size, const char *why) {
  struct app *app = data;
  char *text = status == CARRY_OK ? g_utf8_make_valid(bytes, (gssize)size) : g_strdup(why);
  gtk_label_set_text(GTK_LABEL(app->label), text);
  g_print("%s: %s\n", status == CARRY_OK ? "received" : "failed", text);
  g_free(text);
  if (app->once) gtk_main_quit();
}

static void perform_drop(void *data, carry_drop_session *session) {
  carry_drop_session_load(session, 0, carry_drop_session_best_type(session, 0, "text/plain"), 1 << 20, got_text, data);
}

/* GTK's units are pixels divided by the scale factor. */
static void size_changed(GtkWidget *widget, GdkRectangle *size, gpointer data) {
  struct app *app = data;
  int scale = gtk_widget_get_scale_factor(widget);
  carry_region_set_rectangle(app->region, 0, 0, size->width * scale, size->height * scale);
}

static void engine_lost(gpointer data) {
  (void)data;
  g_printerr("gtk: %s\n", carry_last_error());
  gtk_main_quit();
}

int main(int argc, char **argv) {
  struct app app = {0};
  gdk_set_allowed_backends("x11");
  gtk_init(&argc, &argv);
  app.once = argc > 1 && !strcmp(argv[1], "--once");
  app.window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
  app.label = gtk_label_new("Drop some text here, and drag it out again");
  gtk_container_add(GTK_CONTAINER(app.window), app.label);
  gtk_window_set_default_size(GTK_WINDOW(app.window), 400, 200);
  g_signal_connect(app.window, "destroy", G_CALLBACK(gtk_main_quit), NULL);
  gtk_widget_show_all(app.window);
  gdk_display_sync(gdk_display_get_default());

  app.client = carry_client_create("GTK example", NULL);
  if (!app.client) return g_printerr("gtk: %s\n", carry_last_error()), 3;
  app.region =
      carry_region_create(app.client, (uint32_t)gdk_x11_window_get_xid(gtk_widget_get_window(app.window)), 0, 0, 1, 1);
  carry_drag_callbacks drag = CARRY_DRAG_CALLBACKS_INIT;
  drag.user_data = &app;
  drag.items_for_beginning = items_for_beginning;
  carry_region_set_drag(app.region, &drag);
  carry_drop_callbacks drop = CARRY_DROP_CALLBACKS_INIT;
  drop.user_data = &app;
  drop.did_update = did_update;
  drop.perform_drop = perform_drop;
  carry_region_set_drop(app.region, &drop);
  g_signal_connect(app.window, "size-allocate", G_CALLBACK(size_changed), &app);
  GtkAllocation size;
  gtk_widget_get_allocation(app.window, &size);
  size_changed(app.window, &size, &app);

  guint source = carry_glib_attach(app.client, NULL, engine_lost, &app);
  gtk_main();
  if (g_main_context_find_source_by_id(NULL, source)) g_source_remove(source);
  carry_client_destroy(app.client);
  return 0;
}
