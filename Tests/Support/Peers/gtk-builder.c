/* GTK 4: an interface of GtkBuilder, whose file is the argument, with the handlers that docs/gtk.md shows. */
#include <carry-gtk.h>

void prepare(GtkLabel *label, CarryDrag *drag, double x, double y, CarryDragSource *source);
void prepare(GtkLabel *label, CarryDrag *drag, double x, double y, CarryDragSource *source) {
  (void)x, (void)y, (void)source;
  carry_drag_add_text(drag, gtk_label_get_text(label));
}

void value(GtkLabel *label, const GValue *value, double x, double y, CarryDropTarget *target);
void value(GtkLabel *label, const GValue *value, double x, double y, CarryDropTarget *target) {
  (void)x, (void)y, (void)target;
  gtk_label_set_text(label, g_value_get_string(value));
  g_print("value %s\n", gtk_label_get_text(label));
}

int main(int argc, char **argv) {
  (void)argc;
  gtk_init();
  GtkBuilder *builder = gtk_builder_new_from_file(argv[1]);
  gtk_window_present(GTK_WINDOW(gtk_builder_get_object(builder, "window")));
  g_object_unref(builder);
  for (;;) g_main_context_iteration(NULL, TRUE);
}
