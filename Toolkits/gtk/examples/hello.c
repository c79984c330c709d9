/* GTK 4: two labels; the text of one can be dragged onto the other. */
#include <carry-gtk.h>

static void prepare(CarryDragSource *source, CarryDrag *drag, double x, double y, GtkLabel *label) {
  carry_drag_add_text(drag, gtk_label_get_text(label));
}

static void value(CarryDropTarget *target, const GValue *value, double x, double y, GtkLabel *label) {
  gtk_label_set_text(label, g_value_get_string(value));
}

static void activate(GtkApplication *app) {
  GtkWidget *window = gtk_application_window_new(app), *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *from = gtk_label_new("Drag me"), *to = gtk_label_new("Drop here");
  CarryDragSource *source = carry_drag_source_new();
  g_signal_connect(source, "prepare", G_CALLBACK(prepare), from);
  gtk_widget_add_controller(from, GTK_EVENT_CONTROLLER(source));
  CarryDropTarget *target = carry_drop_target_new(G_TYPE_STRING);
  g_signal_connect(target, "value", G_CALLBACK(value), to);
  gtk_widget_add_controller(to, GTK_EVENT_CONTROLLER(target));
  gtk_box_set_homogeneous(GTK_BOX(box), TRUE);
  gtk_box_append(GTK_BOX(box), from);
  gtk_box_append(GTK_BOX(box), to);
  gtk_window_set_child(GTK_WINDOW(window), box);
  gtk_window_set_default_size(GTK_WINDOW(window), 700, 400);
  gtk_window_present(GTK_WINDOW(window));
}

int main(int argc, char **argv) {
  GtkApplication *app = gtk_application_new("org.example.hello", 0);
  g_signal_connect(app, "activate", G_CALLBACK(activate), NULL);
  return g_application_run(G_APPLICATION(app), argc, argv);
}
