/* A window of GTK 4 with a target, and an autohide popover with a source, in a row that can be activated, and a button.
   It prints what happens. */
#include <carry-gtk.h>

static void say(const char *line) {
  g_print("%s\n", line);
  fflush(stdout);
}

static void prepare(CarryDragSource *source, CarryDrag *drag) { carry_drag_add_text(drag, "from a popover"); }
static void lifts(CarryDragSource *source, CarryDrag *drag) { say("lifting"); }
static void begins(CarryDragSource *source, CarryDrag *drag) { say("began"); }
static void ends(CarryDragSource *source, CarryDrag *drag) { say("ended"); }
static void clicked(GtkButton *button) { say("clicked"); }
static void activated(GtkListBox *list, GtkListBoxRow *row) { say("activated"); }
static void closed(GtkPopover *popover) { say("closed"); }

static void value(CarryDropTarget *target, const GValue *value) { say(g_value_get_string(value)); }

/* Says where a widget is on the screen: the window is at its corner. */
static void say_place(const char *name, GtkWidget *widget) {
  graphene_point_t middle = {(float)gtk_widget_get_width(widget) / 2, (float)gtk_widget_get_height(widget) / 2};
  GtkNative *native = gtk_widget_get_native(widget);
  double tx, ty;
  if (!gtk_widget_compute_point(widget, GTK_WIDGET(native), &middle, &middle)) return;
  gtk_native_get_surface_transform(native, &tx, &ty);
  GdkSurface *surface = gtk_native_get_surface(native);
  gboolean is_popup = GDK_IS_POPUP(surface);
  int x = is_popup ? gdk_popup_get_position_x(GDK_POPUP(surface)) : 0;
  int y = is_popup ? gdk_popup_get_position_y(GDK_POPUP(surface)) : 0;
  g_print("place %s %d %d\n", name, (int)(middle.x + tx) + x, (int)(middle.y + ty) + y);
}

static gboolean frame(GtkWidget *popover, GdkFrameClock *clock, gpointer data) {
  static int frames;
  if (++frames < 20) return G_SOURCE_CONTINUE;
  say_place("source", gtk_widget_get_first_child(gtk_popover_get_child(GTK_POPOVER(popover))));
  say_place("button", gtk_widget_get_last_child(gtk_popover_get_child(GTK_POPOVER(popover))));
  say("ready");
  return G_SOURCE_REMOVE;
}

static void activate(GtkApplication *app) {
  GtkWidget *window = gtk_application_window_new(app), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *target = gtk_label_new("target"), *popover = gtk_popover_new(), *source = gtk_label_new("source");
  GtkWidget *button = gtk_button_new_with_label("button");
  gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
  gtk_window_set_default_size(GTK_WINDOW(window), 600, 500);
  gtk_window_set_child(GTK_WINDOW(window), target);
  gtk_widget_set_size_request(source, 200, 60);
  GtkWidget *list = gtk_list_box_new();
  gtk_list_box_append(GTK_LIST_BOX(list), source);
  g_signal_connect(list, "row-activated", G_CALLBACK(activated), NULL);
  gtk_box_append(GTK_BOX(box), list);
  gtk_box_append(GTK_BOX(box), button);
  gtk_popover_set_child(GTK_POPOVER(popover), box);
  gtk_widget_set_parent(popover, target);
  gtk_popover_set_pointing_to(GTK_POPOVER(popover), &(GdkRectangle){250, 50, 1, 1});
  gtk_popover_set_position(GTK_POPOVER(popover), GTK_POS_BOTTOM);
  g_signal_connect(popover, "closed", G_CALLBACK(closed), NULL);
  g_signal_connect(button, "clicked", G_CALLBACK(clicked), NULL);
  CarryDragSource *drag = carry_drag_source_new();
  g_signal_connect(drag, "prepare", G_CALLBACK(prepare), NULL);
  g_signal_connect(drag, "lift-begin", G_CALLBACK(lifts), NULL);
  g_signal_connect(drag, "drag-begin", G_CALLBACK(begins), NULL);
  g_signal_connect(drag, "drag-end", G_CALLBACK(ends), NULL);
  gtk_widget_add_controller(source, GTK_EVENT_CONTROLLER(drag));
  CarryDropTarget *drop = carry_drop_target_new(G_TYPE_STRING);
  g_signal_connect(drop, "value", G_CALLBACK(value), NULL);
  gtk_widget_add_controller(target, GTK_EVENT_CONTROLLER(drop));
  gtk_window_present(GTK_WINDOW(window));
  gtk_popover_popup(GTK_POPOVER(popover));
  gtk_widget_add_tick_callback(popover, frame, NULL, NULL);
}

int main(int argc, char **argv) {
  GtkApplication *app = gtk_application_new("org.example.popover", G_APPLICATION_NON_UNIQUE);
  g_signal_connect(app, "activate", G_CALLBACK(activate), NULL);
  return g_application_run(G_APPLICATION(app), argc, argv);
}
