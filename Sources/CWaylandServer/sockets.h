// Shared by the files that replace calls of the C library; see sockets.c.
#ifndef CWAYLANDSERVER_SOCKETS_H
#define CWAYLANDSERVER_SOCKETS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/socket.h>

enum { SOCKETS = 65536, MOST_DESCRIPTORS = 28 };

struct segment;

struct account {
  bool is_client;
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

// A turn of the loop begins, and the counted room of the descriptor table becomes less certain.
void cwayland_turn_begins(void);

#endif
