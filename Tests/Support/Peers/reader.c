// A screen reader: says on its output what is announced on the accessibility bus, and by whom.
#include <atspi/atspi.h>
#include <stdio.h>

static void heard(AtspiEvent *event, void *data) {
  (void)data;
  gchar *name = atspi_accessible_get_name(event->source, NULL);
  const char *text = G_VALUE_HOLDS_STRING(&event->any_data) ? g_value_get_string(&event->any_data) : "";
  printf("%s|%s|%s\n", name ? name : "", event->type, text && *text ? text : "");
  fflush(stdout);
  g_free(name);
  g_boxed_free(ATSPI_TYPE_EVENT, event);
}

int main(void) {
  if (atspi_init() > 1) return 3;
  AtspiEventListener *listener = atspi_event_listener_new(heard, NULL, NULL);
  if (!atspi_event_listener_register(listener, "object:announcement", NULL)) return 4;
  puts("listening");
  fflush(stdout);
  atspi_event_main();
  return 0;
}
