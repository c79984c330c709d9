// libwayland-server and the protocol's server half for Swift.
#ifndef CWAYLANDSERVER_H
#define CWAYLANDSERVER_H

#include <stdbool.h>
#include <wayland-server-core.h>

#include "carry-v1-server-protocol.h"

// wl_resource_post_error and wl_client_post_implementation_error are variadic, and Swift cannot call them.
void cwayland_post_error(struct wl_resource *resource, uint32_t code, const char *message);
void cwayland_post_client_error(struct wl_client *client, const char *message);

// libwayland's log handler is variadic. This one formats each line and hands it on.
void cwayland_server_log_to(void (*line)(const char *text));

// Counts, from now on, the events that are sent to any client of the display, whether or not they wait to be flushed.
void cwayland_count_events(struct wl_display *display, uint64_t *count);

// A wl_listener finds its owner again by the address of a member; this listener carries its owner's pointer along.
struct cwayland_listener {
  struct wl_listener listener;
  void (*callback)(void *data);
  void (*created)(void *data, struct wl_resource *resource);
  void *data;
};
void cwayland_on_client_destroy(struct wl_client *client, struct cwayland_listener *listener);
// Calls back with each resource that is created, whoever creates it.
void cwayland_on_resource_created(struct wl_client *client, struct cwayland_listener *listener,
                                  void (*created)(void *data, struct wl_resource *resource));
void cwayland_stop_listening(struct cwayland_listener *listener);

// How many resources the client has now.
uint32_t cwayland_count_resources(struct wl_client *client);

// Counts from now on what comes in and goes out over a client's socket; false when the socket's number is too high.
// Beyond what the kernel keeps, up to most_bytes bytes, and up to most_descriptors descriptors among them, wait for the
// client to read. With more, sending fails. The owner, not 0, is noted as the owner of descriptors that come in.
bool cwayland_watch_socket(int fd, uint32_t owner, uint32_t most_bytes, int32_t most_descriptors);
void cwayland_forget_socket(int fd);

// Closing a file asks its file system, and a file system that does not answer keeps the closing thread for ever.
// Descriptors that clients have handed over are given to this function to be closed, unless closing them never waits.
// The function may be called from any thread.
void cwayland_close_aside_with(void (*body)(int fd, uint32_t owner));
// Whether closing a descriptor never waits: it is little memory.
bool cwayland_closes_at_once(int fd);
// Descriptors that are sent from now on count as this descriptor's owner's; -1 ends that.
void cwayland_send_on(int fd);

// How many descriptors have come in and wait for a message that takes them.
int cwayland_waiting_descriptors(int fd);
int cwayland_all_waiting_descriptors(void);
// Whether more descriptors came in one packet than libwayland takes; the excess ones are closed.
bool cwayland_has_sent_too_many_descriptors(int fd);
// Whether descriptors of the client were closed because the descriptor table had become full just before the read. libwayland
// ends the client.
bool cwayland_has_lost_descriptors(int fd);
// To be called when a request has taken this many descriptors.
void cwayland_took_descriptors(int fd, int count);

// How many clients are not read from, because they have sent descriptors and the descriptor table is nearly full.
int cwayland_held_back(void);
// Tries to read from a client again.
void cwayland_read_again(int fd);
// libwayland is about to watch this client's socket.
void cwayland_is_watched_next(int fd);

// Bytes that wait for the client to read.
uint32_t cwayland_queued_bytes(int fd);
// How often a client's empty queue got its first message. A caller that sees a new number looks for the client.
uint32_t cwayland_times_clogged(void);
// Sends the queued messages; false when some must wait further. To be called when the socket can be written to.
bool cwayland_send_queued(int fd);
// Whether more would have had to wait than is allowed, or the socket is broken.
bool cwayland_is_full(int fd);
// Whether the socket's messages wait until others' descriptors have arrived; writing is tried again after a while.
bool cwayland_is_refused_passing(int fd);

// Whether libwayland has closed the client's socket, and the last messages to the client wait until it reads.
bool cwayland_is_leaving(int fd);
// Closes the socket of a leaving client, whether or not the client has read the last messages.
void cwayland_end_leaving(int fd);

#endif
