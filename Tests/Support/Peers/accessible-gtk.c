// An ordinary GTK 3 program that knows nothing of Carry: a button over a text of large letters. The text's first line is
// selected, its second one is empty. The window has no frame, is at 50,250 and has 300x300 pixels; the upper 100 are the
// button's.
//
//     accessible-gtk SELECTED REST [asleep | browser]
//
// With "asleep" it says for 12 ms from the first question on that nothing lies anywhere, as Firefox does. With "browser" it says
// so for ever, and that it is of Firefox's kind. It prints "ready", and "clicked" for the button.
#include <gtk/gtk.h>
#include <stdio.h>
#include <string.h>

static void clicked(GtkButton *button, gpointer data) {
  (void)button, (void)data;
  printf("clicked\n");
}

static AtkObject *(*at)(AtkComponent *, gint, gint, AtkCoordType);
static gint64 asked = 0;

static AtkObject *at_first_nothing(AtkComponent *component, gint x, gint y, AtkCoordType type) {
  gint64 now = g_get_monotonic_time();
  if (asked == 0) asked = now;
  return now < asked + 12000 ? NULL : at(component, x, y, type);
}

static AtkObject *at_nothing(AtkComponent *component, gint x, gint y, AtkCoordType type) {
  (void)component, (void)x, (void)y, (void)type;
  return NULL;
}

static const gchar *gecko(void) { return "Gecko"; }

static gboolean is_there(GtkWidget *widget, GdkEvent *event, gpointer data) {
  (void)widget, (void)event;
  *(gboolean *)data = TRUE;
  return FALSE;
}

static void fill_text(GtkTextView *view, const char *selected, const char *rest) {
  GtkCssProvider *style = gtk_css_provider_new();
  gtk_css_provider_load_from_data(style, "textview { font: 36px monospace; }", -1, NULL);
  gtk_style_context_add_provider(gtk_widget_get_style_context(GTK_WIDGET(view)), GTK_STYLE_PROVIDER(style),
                                 GTK_STYLE_PROVIDER_PRIORITY_USER);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer(view);
  char *text = g_strconcat(selected, "\n\n", rest, NULL);
  gtk_text_buffer_set_text(buffer, text, -1);
  g_free(text);
  GtkTextIter start, end;
  gtk_text_buffer_get_start_iter(buffer, &start);
  gtk_text_buffer_get_iter_at_offset(buffer, &end, (gint)g_utf8_strlen(selected, -1));
  gtk_text_buffer_select_range(buffer, &start, &end);
}

int main(int count, char **arguments) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (count < 3) return 2;
  gtk_init(NULL, NULL);
  GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL), *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
  gtk_window_set_default_size(GTK_WINDOW(window), 300, 300);
  GtkWidget *button = gtk_button_new_with_label("Press"), *text = gtk_text_view_new();
  gtk_widget_set_size_request(button, 300, 100);
  g_signal_connect(button, "clicked", G_CALLBACK(clicked), NULL);
  fill_text(GTK_TEXT_VIEW(text), arguments[1], arguments[2]);
  gtk_box_pack_start(GTK_BOX(column), button, FALSE, FALSE, 0);
  gtk_box_pack_start(GTK_BOX(column), text, TRUE, TRUE, 0);
  gtk_container_add(GTK_CONTAINER(window), column);
  // The signal comes whenever the window is mapped, also after a change of the desktop.
  static gboolean there;
  g_signal_connect(window, "map-event", G_CALLBACK(is_there), &there);
  gtk_window_move(GTK_WINDOW(window), 50, 250);
  gtk_widget_show_all(window);
  gtk_widget_grab_focus(text);
  while (!there) gtk_main_iteration();
  if (count > 3 && strcmp(arguments[3], "asleep") == 0) {
    AtkComponentIface *component = ATK_COMPONENT_GET_IFACE(gtk_widget_get_accessible(window));
    at = component->ref_accessible_at_point;
    component->ref_accessible_at_point = at_first_nothing;
  } else if (count > 3 && strcmp(arguments[3], "browser") == 0) {
    ATK_COMPONENT_GET_IFACE(gtk_widget_get_accessible(window))->ref_accessible_at_point = at_nothing;
    ((AtkUtilClass *)g_type_class_ref(ATK_TYPE_UTIL))->get_toolkit_name = gecko;
  }
  printf("ready\n");
  gtk_main();
  return 0;
}
