// A GTK 3 program that takes drops itself, with a region of Carry's in the right half of its window. Needs carry.h and libcarry.
//
//     region-gtk X Y     a window without a frame of 300x300 pixels there
//
// It prints "ready", then "toolkit" for what GTK itself is given, and for what comes to the region a line: "got TYPE BYTES".
#include <carry-glib.h>
#include <carry.h>
#include <gdk/gdkx.h>
#include <gtk/gtk.h>
#include <stdio.h>
#include <stdlib.h>

// Of what is dragged, the first that it can use.
static const char *const types[] = {"text/plain", "image/png", "text/uri-list"};

static const char *wanted(carry_drop_session *session) {
  for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
    const char *best = carry_drop_session_best_type(session, 0, types[i]);
    if (best) return best;
  }
  return NULL;
}

static int32_t did_update(void *data, carry_drop_session *session) {
  (void)data;
  return wanted(session) ? CARRY_OPERATION_COPY : CARRY_OPERATION_CANCEL;
}

static void got(void *data, int32_t status, const void *bytes, size_t size, const char *why) {
  (void)data;
  if (status != CARRY_OK) {
    printf("failed %s\n", why);
    return;
  }
  printf("got %zu ", size);
  for (size_t i = 0; i < size && i < 200; i++) {
    char c = ((const char *)bytes)[i];
    if (c) putchar(c >= ' ' && c <= '~' ? c : ' ');
  }
  putchar('\n');
}

static void perform_drop(void *data, carry_drop_session *session) {
  carry_drop_session_load(session, 0, wanted(session), 1 << 24, got, data);
}

static void received(GtkWidget *widget, GdkDragContext *context, gint x, gint y, GtkSelectionData *selection, guint info,
                     guint time, gpointer data) {
  (void)widget, (void)context, (void)x, (void)y, (void)selection, (void)info, (void)time, (void)data;
  printf("toolkit\n");
}

int main(int count, char **arguments) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (count < 3) return 2;
  gtk_init(NULL, NULL);
  GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
  gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
  gtk_window_set_default_size(GTK_WINDOW(window), 300, 300);
  gtk_drag_dest_set(window, GTK_DEST_DEFAULT_ALL, NULL, 0, GDK_ACTION_COPY);
  gtk_drag_dest_add_text_targets(window);
  gtk_drag_dest_add_uri_targets(window);
  g_signal_connect(window, "drag-data-received", G_CALLBACK(received), NULL);
  gtk_window_move(GTK_WINDOW(window), atoi(arguments[1]), atoi(arguments[2]));
  gtk_widget_show_all(window);
  gdk_display_sync(gdk_display_get_default());

  carry_client *client = carry_client_create("a GTK window", NULL);
  if (!client) {
    fprintf(stderr, "region-gtk: %s\n", carry_last_error());
    return 3;
  }
  carry_region *region = carry_region_create(
      client, (uint32_t)gdk_x11_window_get_xid(gtk_widget_get_window(window)), 150, 0, 150, 300);
  carry_drop_callbacks drop = CARRY_DROP_CALLBACKS_INIT;
  drop.did_update = did_update;
  drop.perform_drop = perform_drop;
  carry_region_set_drop(region, &drop);
  carry_glib_attach(client, NULL, NULL, NULL);
  if (carry_client_synchronize(client) != CARRY_OK) {
    fprintf(stderr, "region-gtk: %s\n", carry_last_error());
    return 3;
  }
  printf("ready\n");
  gtk_main();
}
