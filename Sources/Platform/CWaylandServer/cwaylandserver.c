#include "CWaylandServer.h"

#include <stdarg.h>
#include <stdio.h>

void cwayland_post_error(struct wl_resource *resource, uint32_t code, const char *message) {
  wl_resource_post_error(resource, code, "%s", message);
}

void cwayland_post_client_error(struct wl_client *client, const char *message) {
  wl_client_post_implementation_error(client, "%s", message);
}

static void count_event(void *count, enum wl_protocol_logger_type type, const struct wl_protocol_logger_message *message) {
  (void)message;
  *(uint64_t *)count += type == WL_PROTOCOL_LOGGER_EVENT;
}

void cwayland_count_events(struct wl_display *display, uint64_t *count) {
  wl_display_add_protocol_logger(display, count_event, count);
}

static void notify(struct wl_listener *listener, void *data) {
  (void)data;
  struct cwayland_listener *own = (struct cwayland_listener *)listener;
  own->callback(own->data);
}

void cwayland_on_client_destroy(struct wl_client *client, struct cwayland_listener *listener) {
  listener->listener.notify = notify;
  wl_client_add_destroy_listener(client, &listener->listener);
}

static void notify_created(struct wl_listener *listener, void *resource) {
  struct cwayland_listener *own = (struct cwayland_listener *)listener;
  own->created(own->data, resource);
}

void cwayland_on_resource_created(struct wl_client *client, struct cwayland_listener *listener,
                                  void (*created)(void *data, struct wl_resource *resource)) {
  listener->listener.notify = notify_created;
  listener->created = created;
  wl_client_add_resource_created_listener(client, &listener->listener);
}

static enum wl_iterator_result count_one(struct wl_resource *resource, void *count) {
  (void)resource;
  ++*(uint32_t *)count;
  return WL_ITERATOR_CONTINUE;
}

uint32_t cwayland_count_resources(struct wl_client *client) {
  uint32_t count = 0;
  wl_client_for_each_resource(client, count_one, &count);
  return count;
}

void cwayland_stop_listening(struct cwayland_listener *listener) { wl_list_remove(&listener->listener.link); }

static void (*log_line)(const char *text);

static void log_handler(const char *format, va_list arguments) {
  char text[512];
  vsnprintf(text, sizeof text, format, arguments);
  void (*line)(const char *text) = __atomic_load_n(&log_line, __ATOMIC_ACQUIRE);
  if (line != NULL) line(text);
}

void cwayland_server_log_to(void (*line)(const char *text)) {
  __atomic_store_n(&log_line, line, __ATOMIC_RELEASE);
  wl_log_set_handler_server(log_handler);
}
