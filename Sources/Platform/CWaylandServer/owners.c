// Records which client sent which descriptor, and decides which descriptors are closed on another thread because that
// may block; see sockets.c.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CWaylandServer.h"
#include "sockets.h"

// Indexed by descriptor; 0 for our own descriptors. Pages that are never written need no memory.
static uint32_t owners[SOCKETS];
static void (*close_aside)(int fd, uint32_t owner);

void cwayland_close_aside_with(void (*body)(int fd, uint32_t owner)) {
  __atomic_store_n(&close_aside, body, __ATOMIC_RELEASE);
}

void cwayland_set_owner(int fd, uint32_t owner) {
  if (fd >= 0 && fd < SOCKETS) __atomic_store_n(&owners[fd], owner, __ATOMIC_RELAXED);
}

uint32_t cwayland_owner_of(int fd) {
  return fd >= 0 && fd < SOCKETS ? __atomic_load_n(&owners[fd], __ATOMIC_RELAXED) : 0;
}

void cwayland_set_owners(struct msghdr *message, uint32_t owner) {
  for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR(message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    for (size_t i = 0; i < (c->cmsg_len - CMSG_LEN(0)) / sizeof(int); i++) {
      int fd;
      memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
      cwayland_set_owner(fd, owner);
    }
  }
}

// In blocks of 512 bytes: 4 MiB, enough for a ring.
enum { LITTLE_MEMORY = 8192 };

// The kernel's internal mount for the memory of memfd_create.
static dev_t memory_device;
static pthread_once_t memory_once = PTHREAD_ONCE_INIT;

static void find_memory_device(void) {
  struct stat status;
  int fd = memfd_create("carry", MFD_CLOEXEC);
  if (fd >= 0 && fstat(fd, &status) == 0) memory_device = status.st_dev;
  if (fd >= 0) syscall(SYS_close, fd);
}

// True for small amounts of memory. Closing the last descriptor of memory frees it, which takes 0.2 s for 1 GiB, and
// it may have more pages than its size suggests. A file of a tmpfs is like memory, but may be the last reference to
// its mount with all its contents. A pipe's lock is held by a writer for as long as reading the writer's memory
// takes, which may be a file that never responds: closing the pipe blocks, and so does asking whether it is one.
// Unread descriptors in a local socket, of whatever files, are closed with it.
bool cwayland_closes_at_once(int fd) {
  struct stat status;
  // Only memory has seals, and fstat of memory never blocks.
  if (fcntl(fd, F_GET_SEALS) < 0 || fstat(fd, &status) != 0) return false;
  pthread_once(&memory_once, find_memory_device);
  return status.st_dev == memory_device && status.st_blocks <= LITTLE_MEMORY;
}

void cwayland_close_for_good(int fd, uint32_t owner, bool can_wait) {
  cwayland_set_owner(fd, 0);
  void (*body)(int fd, uint32_t owner) = __atomic_load_n(&close_aside, __ATOMIC_ACQUIRE);
  if (can_wait && body != NULL) {
    body(fd, owner);
  } else {
    syscall(SYS_close, fd);
  }
}
