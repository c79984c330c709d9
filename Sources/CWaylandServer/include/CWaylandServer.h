// libwayland-server and the protocol's server half for Swift.
#ifndef CWAYLANDSERVER_H
#define CWAYLANDSERVER_H

#include <wayland-server-core.h>

#include "carry-v1-server-protocol.h"

// wl_resource_post_error and wl_client_post_implementation_error: variadic.
void cwayland_post_error(struct wl_resource *resource, uint32_t code, const char *message);
void cwayland_post_client_error(struct wl_client *client, const char *message);

// libwayland's log handler is variadic: hands each line on, formatted.
void cwayland_server_log_to(void (*line)(const char *text));

// wl_listener is found again by the address of a member; this one carries its owner along.
struct cwayland_listener {
  struct wl_listener listener;
  void (*callback)(void *data);
  void *data;
};
void cwayland_on_client_destroy(struct wl_client *client, struct cwayland_listener *listener);
void cwayland_stop_listening(struct cwayland_listener *listener);

#endif
