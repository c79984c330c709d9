// Shared by the files that stand in for the C library's calls; see sockets.c.
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
  // The kernel refuses to have more descriptors of this user under way.
  bool is_refused_passing;
  // libwayland has closed the socket, but the queued messages are still to be sent.
  bool is_leaving;
  // The socket is not read from until there is room for the descriptors that the client has sent.
  bool is_held_back;
  // The kernel has closed descriptors that the client has sent, for lack of room.
  bool has_lost_descriptors;
  uint32_t owner;
  int32_t waiting_descriptors;
  // The number of descriptors that came in one packet beyond what libwayland takes.
  int32_t excess_descriptors;
  // The memory that the queued messages take.
  uint32_t queued_bytes;
  int32_t queued_descriptors;
  struct segment *first, *last;
  // libwayland watches the socket through a descriptor of its own: the epoll instance and that descriptor.
  int epoll, watched;
  struct epoll_event event;
};

// NULL for a socket that is no client's.
struct account *cwayland_account_of(int fd);

// The owner who has handed over a descriptor; 0 for our own descriptors.
uint32_t cwayland_owner_of(int fd);
void cwayland_set_owner(int fd, uint32_t owner);
// Notes the owner of a message's descriptors.
void cwayland_set_owners(struct msghdr *message, uint32_t owner);
// Closes a descriptor. With can_wait, closing it may keep the closing thread waiting, so another thread does it.
void cwayland_close_for_good(int fd, uint32_t owner, bool can_wait);

// Takes the account out of the counts over all clients; to be called just before the account is cleared.
void cwayland_forget_incoming(struct account *account);

// A turn of the loop begins: what is known of the descriptor table's room gets old.
void cwayland_turn_begins(void);

#endif
