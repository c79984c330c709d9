// What the parts of the stand-ins for the C library's calls share; see sockets.c.
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
  // The kernel lets no more descriptors of this user be under way.
  bool is_refused_passing;
  // libwayland has closed it; what waits is still sent.
  bool is_leaving;
  // It is not read from until there is room for what it has sent.
  bool is_held_back;
  uint32_t owner;
  int32_t waiting_descriptors;
  // What came in one packet beyond what libwayland takes.
  int32_t excess_descriptors;
  // What waits takes this much memory.
  uint32_t queued_bytes;
  int32_t queued_descriptors;
  struct segment *first, *last;
  // How libwayland watches it: through a descriptor of its own.
  int epoll, watched;
  struct epoll_event event;
};

// Nil for a socket that is no client's.
struct account *cwayland_account_of(int fd);

// Who has handed over a descriptor; 0 for our own.
uint32_t cwayland_owner_of(int fd);
void cwayland_set_owner(int fd, uint32_t owner);
// Notes down whose the descriptors of a message are.
void cwayland_set_owners(struct msghdr *message, uint32_t owner);
// Closes what may keep whoever closes it.
void cwayland_close_for_good(int fd, uint32_t owner, bool can_wait);
// Whether nobody is asked when it is closed.
bool cwayland_closes_at_once(int fd);

// The client's account is about to be cleared.
void cwayland_forget_incoming(struct account *account);

#endif
