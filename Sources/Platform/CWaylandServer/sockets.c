// Counts and limits the input and output of clients' sockets.
//
// libwayland keeps up to 1,024 descriptors of each client that belong to no message, for as long as the client is
// connected. It disconnects a client whose socket is full once 4096 more bytes wait for it. It has no API for either.
// libwayland uses the sockets through recvmsg and sendmsg, so the recvmsg and sendmsg here replace the C library's in
// the engine's process. For sockets other than clients' they behave like the C library's. The same holds for close:
// an untrusted descriptor is closed on a thread that it may block (owners.c). Reading is in incoming.c
// (docs/decisions/0021-socket-calls-are-interposed.md).
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "CWaylandServer.h"
#include "sockets.h"

// The message of a sendmsg call for which the socket had no room.
struct segment {
  struct segment *next;
  size_t size;
  size_t sent;
  int descriptor_count;
  int descriptors[MOST_DESCRIPTORS];
  char bytes[];
};

// Indexed by socket. Pages that are never written need no memory. Only the thread of the client's display uses an
// account, but any thread may ask whether a descriptor of its own has one.
static struct account accounts[SOCKETS];
static bool has_account[SOCKETS];

struct account *cwayland_account_of(int fd) {
  return fd >= 0 && fd < SOCKETS && __atomic_load_n(&has_account[fd], __ATOMIC_ACQUIRE) ? &accounts[fd] : NULL;
}

// --- Closing ---

static void end_socket(int fd) {
  uint32_t owner = accounts[fd].owner;
  cwayland_forget_socket(fd);
  shutdown(fd, SHUT_RDWR);
  // The kernel closes unread descriptors together with the socket, which may block.
  int unread = 0;
  ioctl(fd, FIONREAD, &unread);
  cwayland_close_for_good(fd, owner, unread > 0);
}

int close(int fd) {
  struct account *account = cwayland_account_of(fd);
  uint32_t owner = cwayland_owner_of(fd);
  if (account == NULL && owner == 0) return (int)syscall(SYS_close, fd);
  if (account == NULL) {
    cwayland_close_for_good(fd, owner, !cwayland_closes_at_once(fd));
    return 0;
  }
  if (account->first != NULL && !account->is_full && !cwayland_send_queued(fd) && !account->is_full) {
    account->is_leaving = true;
  } else {
    end_socket(fd);
  }
  return 0;
}

void cwayland_send_on(struct cwayland_sockets *sockets, int fd) { sockets->sender = cwayland_owner_of(fd); }
bool cwayland_is_leaving(int fd) { return cwayland_account_of(fd) && accounts[fd].is_leaving; }
void cwayland_end_leaving(int fd) {
  if (cwayland_is_leaving(fd)) end_socket(fd);
}

// --- Out ---

static void close_descriptors(struct segment *segment) {
  for (int i = 0; i < segment->descriptor_count; i++) close(segment->descriptors[i]);
  segment->descriptor_count = 0;
}

static void free_segment(struct segment *segment) {
  close_descriptors(segment);
  free(segment);
}

// Copies the message of a call, including descriptors: libwayland closes its own afterwards.
static struct segment *copy_of(const struct msghdr *message) {
  size_t size = 0;
  for (size_t i = 0; i < message->msg_iovlen; i++) size += message->msg_iov[i].iov_len;
  struct segment *segment = malloc(sizeof *segment + size);
  if (segment == NULL) return NULL;
  *segment = (struct segment){.size = size};
  char *to = segment->bytes;
  for (size_t i = 0; i < message->msg_iovlen; i++) {
    memcpy(to, message->msg_iov[i].iov_base, message->msg_iov[i].iov_len);
    to += message->msg_iov[i].iov_len;
  }
  if (message->msg_controllen == 0) return segment;
  for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR((struct msghdr *)message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    int count = (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    for (int i = 0; i < count; i++) {
      int own = -1, theirs;
      memcpy(&theirs, CMSG_DATA(c) + (size_t)i * sizeof theirs, sizeof theirs);
      if (segment->descriptor_count < MOST_DESCRIPTORS) own = fcntl(theirs, F_DUPFD_CLOEXEC, 0);
      if (own < 0) {
        free_segment(segment);
        return NULL;
      }
      cwayland_set_owner(own, cwayland_owner_of(theirs));
      segment->descriptors[segment->descriptor_count++] = own;
    }
  }
  return segment;
}

static ssize_t send_segment(int fd, struct segment *segment) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
  } control;
  struct iovec vector = {segment->bytes + segment->sent, segment->size - segment->sent};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  if (segment->descriptor_count > 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE((size_t)segment->descriptor_count * sizeof(int));
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN((size_t)segment->descriptor_count * sizeof(int));
    memcpy(CMSG_DATA(&control.header), segment->descriptors, (size_t)segment->descriptor_count * sizeof(int));
  }
  return syscall(SYS_sendmsg, fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// ETOOMANYREFS: this user's processes have as many descriptors in flight as one process may have open. The kernel
// does not report which processes they are, and the receiver of this message is not to blame.
static bool is_no_room(struct account *account, int error) {
  account->is_refused_passing = error == ETOOMANYREFS;
  return error == EAGAIN || error == EWOULDBLOCK || error == ENOBUFS || error == ETOOMANYREFS;
}

bool cwayland_send_queued(int fd) {
  struct account *account = cwayland_account_of(fd);
  if (account == NULL) return true;
  while (account->first != NULL) {
    struct segment *segment = account->first;
    ssize_t count = send_segment(fd, segment);
    if (count < 0) {
      if (errno == EINTR) continue;
      // A socket broken for another reason counts as full: the next call that uses it fails.
      if (!is_no_room(account, errno)) account->is_full = true;
      return false;
    }
    account->is_refused_passing = false;
    account->queued_descriptors -= segment->descriptor_count;
    close_descriptors(segment);
    segment->sent += (size_t)count;
    account->queued_bytes -= (uint32_t)count;
    if (segment->sent < segment->size) continue;
    account->first = segment->next;
    if (account->first == NULL) account->last = NULL;
    account->queued_bytes -= sizeof *segment;
    free_segment(segment);
  }
  return true;
}

static ssize_t queue(struct account *account, const struct msghdr *message) {
  struct segment *segment = copy_of(message);
  struct cwayland_sockets *sockets = account->sockets;
  if (segment == NULL || account->queued_bytes + segment->size + sizeof *segment > sockets->most_queued_bytes ||
      account->queued_descriptors + segment->descriptor_count > sockets->most_queued_descriptors) {
    if (segment != NULL) free_segment(segment);
    account->is_full = true;
    errno = EPIPE;
    return -1;
  }
  if (account->first == NULL) {
    sockets->times_clogged++;
    account->first = segment;
  } else {
    account->last->next = segment;
  }
  account->last = segment;
  account->queued_bytes += (uint32_t)(segment->size + sizeof *segment);
  account->queued_descriptors += segment->descriptor_count;
  return (ssize_t)segment->size;
}

static ssize_t size_of(const struct msghdr *message) {
  size_t size = 0;
  for (size_t i = 0; i < message->msg_iovlen; i++) size += message->msg_iov[i].iov_len;
  return (ssize_t)size;
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  struct account *account = cwayland_account_of(fd);
  if (account == NULL) return syscall(SYS_sendmsg, fd, message, flags);
  // The message's descriptors are libwayland's copies, which it closes after sending.
  uint32_t sender = account->sockets->sender;
  cwayland_set_owners((struct msghdr *)message, sender ? sender : account->owner);
  if (account->is_full) {
    errno = EPIPE;
    return -1;
  }
  if (account->first != NULL) return queue(account, message);
  ssize_t count = syscall(SYS_sendmsg, fd, message, flags);
  if (count >= 0) return count;
  // The client no longer reads. libwayland would destroy it at once, although its last messages may still be unread:
  // its end is detected by reading (hangups.c).
  if (errno == EPIPE || errno == ECONNRESET) return size_of(message);
  return is_no_room(account, errno) ? queue(account, message) : -1;
}

bool cwayland_is_refused_passing(int fd) { return cwayland_account_of(fd) && accounts[fd].is_refused_passing; }

uint32_t cwayland_queued_bytes(int fd) { return cwayland_account_of(fd) ? accounts[fd].queued_bytes : 0; }
uint32_t cwayland_times_clogged(const struct cwayland_sockets *sockets) { return sockets->times_clogged; }
bool cwayland_is_full(int fd) { return cwayland_account_of(fd) && accounts[fd].is_full; }

// --- Which sockets ---

static void free_sockets(struct wl_listener *display_end, void *display) {
  (void)display;
  struct cwayland_sockets *sockets = wl_container_of(display_end, sockets, display_end);
  free(sockets);
}

struct cwayland_sockets *cwayland_make_sockets(struct wl_display *display, uint32_t most_bytes,
                                               int32_t most_descriptors) {
  struct cwayland_sockets *sockets = calloc(1, sizeof *sockets);
  if (sockets == NULL) return NULL;
  sockets->most_queued_bytes = most_bytes;
  sockets->most_queued_descriptors = most_descriptors;
  sockets->display_end.notify = free_sockets;
  wl_display_add_destroy_listener(display, &sockets->display_end);
  return sockets;
}

bool cwayland_watch_socket(struct cwayland_sockets *sockets, int fd, uint32_t owner) {
  if (fd < 0 || fd >= SOCKETS) return false;
  cwayland_forget_socket(fd);
  accounts[fd].sockets = sockets;
  accounts[fd].owner = owner;
  __atomic_store_n(&has_account[fd], true, __ATOMIC_RELEASE);
  // Out-of-band data is read inline. Otherwise the kernel would discard it when reading passes it, along with its
  // descriptors.
  int yes = 1;
  setsockopt(fd, SOL_SOCKET, SO_OOBINLINE, &yes, sizeof yes);
  cwayland_is_watched_next(fd);
  return true;
}

void cwayland_forget_socket(int fd) {
  struct account *account = cwayland_account_of(fd);
  if (account == NULL) return;
  cwayland_forget_incoming(account);
  while (account->first != NULL) {
    struct segment *next = account->first->next;
    free_segment(account->first);
    account->first = next;
  }
  *account = (struct account){0};
  __atomic_store_n(&has_account[fd], false, __ATOMIC_RELEASE);
}
