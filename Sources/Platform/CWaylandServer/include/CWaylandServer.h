// libwayland-server and the protocol's server half for Swift.
#ifndef CWAYLANDSERVER_H
#define CWAYLANDSERVER_H

#include <stdbool.h>
#include <wayland-server-core.h>

#include "carry-v1-server-protocol.h"

// wl_resource_post_error and wl_client_post_implementation_error are variadic, and Swift cannot call them.
void cwayland_post_error(struct wl_resource *resource, uint32_t code, const char *message);
void cwayland_post_client_error(struct wl_client *client, const char *message);

// libwayland's log handler is variadic. This one formats each line and forwards it, for all displays.
void cwayland_server_log_to(void (*line)(const char *text));

// Counts the events sent to any client of the display from now on, whether or not they have been flushed.
void cwayland_count_events(struct wl_display *display, uint64_t *count);

// A wl_listener finds its owner by the address of a member; this listener also stores its owner's pointer.
struct cwayland_listener {
  struct wl_listener listener;
  void (*callback)(void *data);
  void (*created)(void *data, struct wl_resource *resource);
  void *data;
};
void cwayland_on_client_destroy(struct wl_client *client, struct cwayland_listener *listener);
// Calls back with each new resource, regardless of its creator.
void cwayland_on_resource_created(struct wl_client *client, struct cwayland_listener *listener,
                                  void (*created)(void *data, struct wl_resource *resource));
void cwayland_stop_listening(struct cwayland_listener *listener);

// The number of the client's resources.
uint32_t cwayland_count_resources(struct wl_client *client);

// The sockets of a display's clients. Only the thread of the display uses them.
struct cwayland_sockets;

// Beyond the kernel's buffer, up to most_bytes bytes, with up to most_descriptors descriptors among them, are queued
// for each client; with more, sending fails. NULL if memory is short. The display owns the result.
struct cwayland_sockets *cwayland_make_sockets(struct wl_display *display, uint32_t most_bytes,
                                               int32_t most_descriptors);

// Counts the input and output of a client's socket from now on; false if the socket's number is too high. The owner,
// not 0, is recorded for descriptors that arrive.
bool cwayland_watch_socket(struct cwayland_sockets *sockets, int fd, uint32_t owner);
void cwayland_forget_socket(int fd);

// Closing a file involves its file system, and one that does not respond blocks the closing thread forever. Clients'
// descriptors are passed to this function to be closed, unless closing them never blocks. The function may be called
// from any thread, and serves all displays.
void cwayland_close_aside_with(void (*body)(int fd, uint32_t owner));
// Whether closing a descriptor never blocks: it is a small amount of memory.
bool cwayland_closes_at_once(int fd);
// Descriptors sent from now on count as this descriptor's owner's; -1 ends that.
void cwayland_send_on(struct cwayland_sockets *sockets, int fd);

// How many descriptors have arrived and wait for their message.
int cwayland_waiting_descriptors(int fd);
int cwayland_all_waiting_descriptors(const struct cwayland_sockets *sockets);
// Whether more descriptors came in one packet than libwayland accepts; the excess ones are closed.
bool cwayland_has_sent_too_many_descriptors(int fd);
// Whether descriptors of the client were closed because the descriptor table became full just before the read.
// libwayland disconnects the client.
bool cwayland_has_lost_descriptors(int fd);
// Call this when a request has consumed this many descriptors.
void cwayland_took_descriptors(int fd, int count);

// How many clients are not read from, because they have sent descriptors and the descriptor table is nearly full.
int cwayland_held_back(const struct cwayland_sockets *sockets);
// Tries to read from a client again.
void cwayland_read_again(int fd);

// The number of bytes queued for the client.
uint32_t cwayland_queued_bytes(int fd);
// How often a client's empty queue got its first message. When the number changes, the caller looks for the client.
uint32_t cwayland_times_clogged(const struct cwayland_sockets *sockets);
// Sends the queued messages; false if some still wait. Call this when the socket is writable.
bool cwayland_send_queued(int fd);
// Whether the limit of the queue was exceeded, or the socket is broken.
bool cwayland_is_full(int fd);
// Whether the socket's messages wait until descriptors of other processes have arrived; writing is retried after a
// while.
bool cwayland_is_refused_passing(int fd);

// Whether libwayland has closed the client's socket while its last messages are still queued.
bool cwayland_is_leaving(int fd);
// Closes the socket of a leaving client, whether or not the client has read the last messages.
void cwayland_end_leaving(int fd);

#endif
