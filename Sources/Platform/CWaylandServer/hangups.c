// Reads a client's last messages although it has hung up.
//
// libwayland destroys a client as soon as epoll reports that its socket has hung up, and does not read what the
// client sent before: "the data has arrived" would be lost if the application ends right after it. So this epoll_wait
// replaces the C library's in the engine's process. While a descriptor is readable, a hang-up or error is not
// reported yet. A read at the end of the data fails or returns nothing, and then libwayland destroys the client as
// usual (docs/decisions/0021-socket-calls-are-interposed.md).
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sockets.h"

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout) {
  int count = (int)syscall(SYS_epoll_pwait, epoll, events, most, timeout, NULL, 8);
  cwayland_turn_begins();
  for (int i = 0; i < count; i++) {
    if (events[i].events & EPOLLIN) events[i].events &= ~(uint32_t)(EPOLLHUP | EPOLLERR);
  }
  return count;
}
