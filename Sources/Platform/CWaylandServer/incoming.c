// Reads from the sockets of clients; see sockets.c.
//
// If a packet's descriptors do not fit into the buffer or the descriptor table, the kernel closes them on the reading
// thread. So a packet is read only if there is room for the maximum number of descriptors in a packet.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "CWaylandServer.h"
#include "sockets.h"

// The kernel's SCM_MAX_FD, and room for descriptors opened by other code meanwhile.
enum { MOST_IN_A_PACKET = 253, ROOM = MOST_IN_A_PACKET + 16 };
// With less room than this, each read is preceded by a peek for descriptors: the room would have to be counted too
// often.
enum { AMPLE = 2 * ROOM };
// The maximum room remembered, so that it is counted again from time to time.
enum { MOST_KNOWN = 8192 };
// How many open descriptors are listed, and how many numbers are tried if there are more.
enum { MOST_LISTED = 1024, MOST_TRIED = 1024 };
// How many descriptors other code may open on average in a turn of the loop.
enum { OPENED_IN_A_TURN = 4 };
// libwayland reads into a ring buffer, which needs two parts.
enum { MOST_PARTS = 8 };

// The socket whose watch libwayland adds next, on this thread.
static _Thread_local int to_be_watched = -1;
// The turns of all loops of the process.
static uint32_t turns;

// --- Room ---

static bool is_free(int fd) { return fcntl(fd, F_GETFD) < 0 && errno == EBADF; }

// Whether the descriptor table has room for a packet's descriptors. The kernel assigns the lowest free number, so the
// highest numbers are free unless the table is or was nearly full.
static bool has_room(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return true;
  int end = limit.rlim_cur < SOCKETS ? (int)limit.rlim_cur : SOCKETS;
  int found = 0;
  for (int fd = end - 1; fd >= 0 && found < ROOM; fd--) found += is_free(fd);
  return found >= ROOM;
}

// A lower bound of the free numbers below the end. Usually few descriptors are open, and listing those costs less
// than trying as many numbers.
static int count_room(int end) {
  int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int listed = 0;
  ssize_t size = -1;
  if (folder >= 0) {
    // Aligned like the kernel's entries.
    union {
      struct dirent64 first;
      char bytes[4096];
    } list;
    while (listed <= MOST_LISTED && (size = getdents64(folder, &list, sizeof list)) > 0) {
      for (ssize_t at = 0; at < size; at += ((struct dirent64 *)(list.bytes + at))->d_reclen) listed++;
    }
    syscall(SYS_close, folder);
  }
  // The list also has two names of directories, and may have numbers beyond the end. That is harmless.
  if (size == 0) return end - listed;
  int found = 0;
  for (int fd = end - 1, last = end > MOST_TRIED ? end - MOST_TRIED : 0; fd >= last; fd--) found += is_free(fd);
  return found;
}

void cwayland_turn_begins(void) { __atomic_fetch_add(&turns, 1, __ATOMIC_RELAXED); }

// Subtracts the descriptors that other code may have opened since the last look.
static void look_at_turns(struct cwayland_sockets *sockets) {
  uint32_t turn = __atomic_load_n(&turns, __ATOMIC_RELAXED);
  uint32_t passed = turn - sockets->turn;
  sockets->turn = turn;
  if (sockets->known_room <= 0) return;
  sockets->known_room -= OPENED_IN_A_TURN * (int32_t)(passed < MOST_KNOWN ? passed : MOST_KNOWN);
}

// Other processes may lower the limit (prlimit), which is noticed at the next tick. Reading it each time would cost
// as much as the read: it locks the kernel's list of all processes.
static void look_at_limit(struct cwayland_sockets *sockets) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  if (now.tv_nsec == sockets->limit_time.tv_nsec && now.tv_sec == sockets->limit_time.tv_sec) return;
  sockets->limit_time = now;
  sockets->is_short = false;
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == sockets->known_limit) return;
  sockets->known_limit = limit.rlim_cur;
  sockets->known_room = 0;
}

// Whether a packet's descriptors certainly have room.
static bool surely_has_room(struct cwayland_sockets *sockets) {
  look_at_turns(sockets);
  look_at_limit(sockets);
  if (sockets->known_room >= ROOM) return true;
  if (sockets->is_short) return false;
  int room = count_room(sockets->known_limit < SOCKETS ? (int)sockets->known_limit : SOCKETS);
  sockets->is_short = room < AMPLE;
  sockets->known_room = sockets->is_short ? 0 : room < MOST_KNOWN ? room : MOST_KNOWN;
  return !sockets->is_short;
}

// How many bytes can be read, and whether descriptors come with them. The peek has no buffer for descriptors, so it
// opens none. It covers all of the data, because one read may bring the descriptors of a later packet.
static ssize_t look(int fd, const struct msghdr *message, bool *brings_descriptors) {
  struct msghdr peeked = {.msg_iov = message->msg_iov, .msg_iovlen = message->msg_iovlen};
  ssize_t count = syscall(SYS_recvmsg, fd, &peeked, MSG_PEEK | MSG_DONTWAIT);
  *brings_descriptors = count > 0 && peeked.msg_flags & MSG_CTRUNC;
  return count;
}

// --- Reading ---

// Passes on as many descriptors as fit into the caller's buffer, and closes the others.
static int32_t hand_on(struct msghdr *message, size_t room, const struct msghdr *got, uint32_t owner) {
  int32_t brought = 0, handed_on = 0;
  int taken[MOST_DESCRIPTORS];
  int32_t most = room < CMSG_LEN(0) ? 0 : (int32_t)((room - CMSG_LEN(0)) / sizeof(int));
  if (most > MOST_DESCRIPTORS) most = MOST_DESCRIPTORS;
  for (struct cmsghdr *c = CMSG_FIRSTHDR(got); c != NULL; c = CMSG_NXTHDR((struct msghdr *)got, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    int32_t count = (int32_t)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    for (int32_t i = 0; i < count; i++, brought++) {
      int fd;
      memcpy(&fd, CMSG_DATA(c) + (size_t)i * sizeof fd, sizeof fd);
      if (handed_on < most) {
        taken[handed_on++] = fd;
      } else {
        cwayland_close_for_good(fd, owner, !cwayland_closes_at_once(fd));
      }
    }
  }
  message->msg_controllen = 0;
  if (handed_on == 0) return brought;
  size_t size = (size_t)handed_on * sizeof(int);
  struct cmsghdr *header = message->msg_control;
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(size);
  memcpy(CMSG_DATA(header), taken, size);
  message->msg_controllen = CMSG_LEN(size);
  cwayland_set_owners(message, owner);
  return brought;
}

static void hold_back(struct account *account);

// The limit was lowered, or descriptors were opened, just before a read, and the kernel has closed some that arrived.
// Their message can no longer be decoded, and must not get the next one's descriptors: the read fails, and libwayland
// disconnects the client.
static ssize_t lose(struct account *account) {
  account->has_lost_descriptors = true;
  account->sockets->known_room = 0;
  account->sockets->limit_time = (struct timespec){0};
  errno = EMFILE;
  return -1;
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
  struct account *account = cwayland_account_of(fd);
  if (account == NULL) return syscall(SYS_recvmsg, fd, message, flags);
  bool brings_descriptors = false;
  ssize_t seen = surely_has_room(account->sockets) ? -1 : look(fd, message, &brings_descriptors);
  if (brings_descriptors && !has_room()) {
    hold_back(account);
    errno = EAGAIN;
    return -1;
  }
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(MOST_IN_A_PACKET * sizeof(int))];
  } control;
  // Reads no more than the peek covered: later data may bring further descriptors.
  struct iovec parts[MOST_PARTS];
  struct msghdr own = *message;
  if (seen > 0 && own.msg_iovlen <= MOST_PARTS) {
    size_t left = (size_t)seen;
    for (size_t i = 0; i < own.msg_iovlen; i++) {
      parts[i] = own.msg_iov[i];
      if (parts[i].iov_len > left) parts[i].iov_len = left;
      left -= parts[i].iov_len;
    }
    own.msg_iov = parts;
  }
  own.msg_control = &control;
  own.msg_controllen = sizeof control;
  ssize_t count = syscall(SYS_recvmsg, fd, &own, flags);
  if (count < 0) return count;
  message->msg_flags = own.msg_flags;
  bool is_cut = own.msg_flags & MSG_CTRUNC;
  int32_t brought = hand_on(message, is_cut || !message->msg_control ? 0 : message->msg_controllen, &own, account->owner);
  if (is_cut) return lose(account);
  account->waiting_descriptors += brought;
  account->sockets->waiting_descriptors += brought;
  account->sockets->known_room -= brought;
  if (brought > MOST_DESCRIPTORS) account->excess_descriptors += brought - MOST_DESCRIPTORS;
  return count;
}

void cwayland_took_descriptors(int fd, int count) {
  struct account *account = cwayland_account_of(fd);
  if (account == NULL) return;
  account->waiting_descriptors -= count;
  account->sockets->waiting_descriptors -= count;
}

int cwayland_waiting_descriptors(int fd) {
  struct account *account = cwayland_account_of(fd);
  return account ? account->waiting_descriptors : 0;
}
int cwayland_all_waiting_descriptors(const struct cwayland_sockets *sockets) {
  return sockets->waiting_descriptors;
}
bool cwayland_has_sent_too_many_descriptors(int fd) {
  struct account *account = cwayland_account_of(fd);
  return account && account->excess_descriptors > 0;
}

bool cwayland_has_lost_descriptors(int fd) {
  struct account *account = cwayland_account_of(fd);
  return account && account->has_lost_descriptors;
}

// --- Holding back ---

// libwayland watches a copy of the socket's descriptor without revealing its number, so this call records it.
int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event) {
  struct account *account = operation == EPOLL_CTL_ADD ? cwayland_account_of(to_be_watched) : NULL;
  if (account != NULL) {
    account->epoll = epoll;
    account->watched = fd;
    account->event = *event;
    to_be_watched = -1;
  }
  return (int)syscall(SYS_epoll_ctl, epoll, operation, fd, event);
}

void cwayland_is_watched_next(int fd) { to_be_watched = fd; }

static void listen_for(struct account *account, uint32_t events) {
  struct epoll_event event = account->event;
  event.events = events;
  syscall(SYS_epoll_ctl, account->epoll, EPOLL_CTL_MOD, account->watched, &event);
}

static void hold_back(struct account *account) {
  if (account->is_held_back || account->watched <= 0) return;
  account->is_held_back = true;
  account->sockets->held_back++;
  listen_for(account, 0);
}

int cwayland_held_back(const struct cwayland_sockets *sockets) { return sockets->held_back; }

void cwayland_read_again(int fd) {
  struct account *account = cwayland_account_of(fd);
  if (account == NULL || !account->is_held_back) return;
  account->is_held_back = false;
  account->sockets->held_back--;
  listen_for(account, account->event.events);
}

void cwayland_forget_incoming(struct account *account) {
  account->sockets->waiting_descriptors -= account->waiting_descriptors;
  account->sockets->held_back -= account->is_held_back;
}
