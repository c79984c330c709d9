// libwayland-server and the protocol's server half for Swift.
#ifndef CWAYLANDSERVER_H
#define CWAYLANDSERVER_H

#include <stdbool.h>
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
  void (*created)(void *data, struct wl_resource *resource);
  void *data;
};
void cwayland_on_client_destroy(struct wl_client *client, struct cwayland_listener *listener);
// Calls back with each resource that comes to be, whoever made it.
void cwayland_on_resource_created(struct wl_client *client, struct cwayland_listener *listener,
                                  void (*created)(void *data, struct wl_resource *resource));
void cwayland_stop_listening(struct cwayland_listener *listener);

// How many resources the client has now.
uint32_t cwayland_count_resources(struct wl_client *client);

// What comes in and goes out over a client's socket is counted from now on; false when its number is too high for it.
// Up to so many bytes, and descriptors among them, wait for the client to read, beyond what the kernel keeps: with more,
// sending fails. The owner is whose descriptors those are that come; not 0.
bool cwayland_watch_socket(int fd, uint32_t owner, uint32_t most_bytes, int32_t most_descriptors);
void cwayland_forget_socket(int fd);

// Closing a file asks the file system that it is on, and one that does not answer keeps whoever closes for ever. What
// clients have handed over is given to this to be closed, unless nobody is asked for it. From any thread.
void cwayland_close_aside_with(void (*body)(int fd, uint32_t owner));
// What is sent from now on came from the owner of this descriptor; -1 for no longer.
void cwayland_send_on(int fd);

// Descriptors that have come and wait for a message that takes them.
int cwayland_waiting_descriptors(int fd);
int cwayland_all_waiting_descriptors(void);
// Whether more came in one packet than libwayland takes: what was beyond is closed.
bool cwayland_has_sent_too_many_descriptors(int fd);
// A request has taken so many.
void cwayland_took_descriptors(int fd, int count);

// How many clients are not read from, since they have sent descriptors and hardly any more can be had.
int cwayland_held_back(void);
// Tries to read from a client again.
void cwayland_read_again(int fd);
// libwayland is about to watch this client's socket.
void cwayland_is_watched_next(int fd);

// Bytes that wait for the client to read.
uint32_t cwayland_queued_bytes(int fd);
// How often something had to wait for the first time: who finds another number looks which client it was.
uint32_t cwayland_times_clogged(void);
// Sends what waits; false when some of it still does. To be called when the socket can be written to.
bool cwayland_send_queued(int fd);
// Whether more would have had to wait than may.
bool cwayland_is_full(int fd);
// Whether it waits for others' descriptors to arrive where they go: writing is tried again after a while.
bool cwayland_is_refused_passing(int fd);

// Whether the client is gone, and its last words wait until it reads.
bool cwayland_is_leaving(int fd);
// Closes the socket of one who leaves, whether or not it has read.
void cwayland_end_leaving(int fd);

#endif
