// Shared by the files that replace calls of the C library; see sockets.c.
#ifndef CWAYLANDSERVER_SOCKETS_H
#define CWAYLANDSERVER_SOCKETS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <wayland-server-core.h>

enum { SOCKETS = 65536, MOST_DESCRIPTORS = 28 };

struct segment;

// The state that the sockets of a display's clients share.
struct cwayland_sockets {
  struct wl_listener display_end;
  uint32_t most_queued_bytes;
  int32_t most_queued_descriptors;
  uint32_t times_clogged;
  // The owner of the descriptors being passed on; 0 for none.
  uint32_t sender;
  int32_t waiting_descriptors;
  int32_t held_back;
  // A lower bound of the free descriptors: they were counted at a turn of the loop, and few can have been opened since.
  // Usually there are many, and then no peek is needed, which would cost as much as the read.
  int32_t known_room;
  uint32_t turn;
  rlim_t known_limit;
  // Whether the last count was too small to remember.
  bool is_short;
  // When the limit was last read, by a clock that ticks every few milliseconds and costs next to nothing.
  struct timespec limit_time;
};

struct account {
  struct cwayland_sockets *sockets;
  bool is_full;
  // The kernel allows no more descriptors of this user in flight.
  bool is_refused_passing;
  // libwayland has closed the socket, but queued messages still have to be sent.
  bool is_leaving;
  // The socket is not read until there is room for the descriptors that the client has sent.
  bool is_held_back;
  // The kernel has closed descriptors sent by the client, for lack of room.
  bool has_lost_descriptors;
  uint32_t owner;
  int32_t waiting_descriptors;
  // The number of descriptors in one packet beyond those that libwayland accepts.
  int32_t excess_descriptors;
  // The memory used by the queued messages.
  uint32_t queued_bytes;
  int32_t queued_descriptors;
  struct segment *first, *last;
  // libwayland watches the socket through its own descriptor: the epoll instance and that descriptor.
  int epoll, watched;
  struct epoll_event event;
};

// NULL for a socket that is not a client's.
struct account *cwayland_account_of(int fd);

// The owner that sent a descriptor; 0 for our own descriptors.
uint32_t cwayland_owner_of(int fd);
void cwayland_set_owner(int fd, uint32_t owner);
// Records the owner of a message's descriptors.
void cwayland_set_owners(struct msghdr *message, uint32_t owner);
// Closes a descriptor. With can_wait, closing may block, so another thread does it.
void cwayland_close_for_good(int fd, uint32_t owner, bool can_wait);

// Subtracts the account from the totals over all clients; call it just before clearing the account.
void cwayland_forget_incoming(struct account *account);

// libwayland is about to watch this client's socket, on this thread.
void cwayland_is_watched_next(int fd);

// A turn of a loop begins, and the counted room of the descriptor table becomes less certain.
void cwayland_turn_begins(void);

#endif
