#include "CLinux.h"

#include <link.h>
#include <locale.h>
#include <malloc.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/uio.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

int clinux_memfd_create(const char *name) { return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); }
void *clinux_map(int fd, size_t size, bool writable) {
  int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  void *p = mmap(NULL, size, protection, MAP_SHARED, fd, 0);
  return p == MAP_FAILED ? NULL : p;
}
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
int clinux_make_pages(void *start, size_t count) {
  size_t inside = (uintptr_t)start & ((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
  int r;
  do r = madvise((char *)start - inside, count + inside, MADV_POPULATE_WRITE);
  while (r < 0 && (errno == EINTR || errno == EAGAIN));
  if (r == 0) return 0;
  // Before Linux 5.14.
  if (errno == EINVAL) return 0;
  // No address is invalid here: no page was available.
  if (errno == EFAULT) errno = ENOMEM;
  return -1;
}
int clinux_reserve(int fd, off_t count) { return fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, count); }
void clinux_prefer_huge_pages(const void *start, size_t count) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uintptr_t from = ((uintptr_t)start + page - 1) & ~(page - 1), to = ((uintptr_t)start + count) & ~(page - 1);
  if (from < to) madvise((void *)from, to - from, MADV_HUGEPAGE);
}
bool clinux_has_room(size_t count) {
  void *start = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return start != MAP_FAILED && munmap(start, count) == 0;
}
bool clinux_is_connected(int socket) {
  struct sockaddr_storage name;
  socklen_t length = sizeof name;
  return getpeername(socket, (struct sockaddr *)&name, &length) == 0;
}
ssize_t clinux_read_cached(int fd, void *to, size_t count, off_t at) {
  struct iovec part = {to, count};
  return preadv2(fd, &part, 1, at, RWF_NOWAIT);
}
void clinux_fill_standard_streams(void) {
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) < 0) open("/dev/null", O_RDWR);
}
int clinux_wait_until(sem_t *semaphore, const struct timespec *when) {
  return sem_clockwait(semaphore, CLOCK_MONOTONIC, when);
}
int clinux_o_direct(void) { return O_DIRECT; }
short clinux_spawn_setsid(void) { return POSIX_SPAWN_SETSID; }
int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
int clinux_spawn_change_directory(posix_spawn_file_actions_t *actions, const char *directory) {
  return posix_spawn_file_actions_addchdir_np(actions, directory);
}
int clinux_accept4(int fd, int flags) { return accept4(fd, NULL, NULL, flags); }
void clinux_be_nice(int value) { setpriority(PRIO_PROCESS, 0, value); }

void clinux_ignore(int signal_number) { signal(signal_number, SIG_IGN); }
int clinux_pipe(int *fds) { return pipe2(fds, O_CLOEXEC); }
int clinux_add_seals(int fd, int seals) { return fcntl(fd, F_ADD_SEALS, seals); }
int clinux_get_seals(int fd) { return fcntl(fd, F_GET_SEALS); }
int clinux_get_status_flags(int fd) { return fcntl(fd, F_GETFL); }
int clinux_set_status_flags(int fd, int flags) { return fcntl(fd, F_SETFL, flags); }
int clinux_set_close_on_exec(int fd) { return fcntl(fd, F_SETFD, FD_CLOEXEC); }
int clinux_try_lock(int fd, int for_writing) {
  struct flock lock = {.l_type = for_writing ? F_WRLCK : F_RDLCK, .l_whence = SEEK_SET};
  return fcntl(fd, F_OFD_SETLK, &lock);
}
int clinux_dup_above(int fd, int lowest) { return fcntl(fd, F_DUPFD_CLOEXEC, lowest); }
int clinux_set_pipe_size(int fd, int bytes) { return fcntl(fd, F_SETPIPE_SZ, bytes); }
int clinux_open(const char *path, int flags, unsigned int mode) { return open(path, flags, mode); }
int clinux_openat(int directory, const char *path, int flags, unsigned int mode) {
  return openat(directory, path, flags, mode);
}
int clinux_peer_credentials(int fd, int32_t *pid, uint32_t *uid, uint32_t *gid) {
  struct ucred c;
  socklen_t size = sizeof c;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &c, &size) != 0) return -1;
  *pid = c.pid;
  *uid = c.uid;
  *gid = c.gid;
  return 0;
}
int clinux_mode_as_known(int fd, uint32_t *mode) {
  struct statx s;
  if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &s) != 0) return -1;
  *mode = s.stx_mode;
  return 0;
}
int clinux_o_path(void) { return O_PATH; }
int clinux_o_tmpfile(void) { return O_TMPFILE; }
int clinux_clone_file(int to, int from) { return ioctl(to, _IOW(0x94, 9, int), from); }
ssize_t clinux_copy_range(int from, off_t at, int to, size_t count) {
  return copy_file_range(from, &at, to, NULL, count, 0);
}
const char *clinux_next_name(DIR *directory) {
  errno = 0;
  const struct dirent *entry = readdir(directory);
  return entry ? entry->d_name : NULL;
}
static pthread_once_t utf8_once = PTHREAD_ONCE_INIT;
static locale_t utf8;
static void make_utf8(void) { utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }
bool clinux_use_utf8_in_thread(void) {
  pthread_once(&utf8_once, make_utf8);
  return utf8 && uselocale(utf8);
}
int clinux_link_descriptor(int fd, int directory, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  return linkat(AT_FDCWD, path, directory, name, AT_SYMLINK_FOLLOW);
}
int clinux_sync_file_system(int fd) { return syncfs(fd); }
int clinux_rename_new(int directory, const char *from, const char *to) {
  return renameat2(directory, from, directory, to, RENAME_NOREPLACE);
}
int clinux_terminal_width(int fd) {
  struct winsize w;
  return ioctl(fd, TIOCGWINSZ, &w) == 0 ? w.ws_col : 0;
}

extern char **environ;
char **clinux_environ(void) { return environ; }

ssize_t clinux_send_descriptors(int socket, const void *bytes, size_t count, const int *descriptors, int how_many,
                                int flags) {
  if (how_many < 0 || how_many > 253) {
    errno = EINVAL;
    return -1;
  }
  union {
    struct cmsghdr align;
    char space[CMSG_SPACE(253 * sizeof(int))];
  } control = {0};
  struct iovec data = {.iov_base = (void *)bytes, .iov_len = count};
  size_t length = (size_t)how_many * sizeof(int);
  struct msghdr message = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = CMSG_SPACE(length)};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(length);
  memcpy(CMSG_DATA(header), descriptors, length);
  return sendmsg(socket, &message, MSG_NOSIGNAL | flags);
}

// Segments are collected before any is passed on: their locations are stored in their first pages, which return when
// read.
struct segments {
  void (*body)(void *, size_t);
  size_t count;
  struct {
    void *start;
    size_t size;
  } all[512];
};

// Whether the loader has written to otherwise read-only segments.
static int is_relocated(const struct dl_phdr_info *info) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn) *d = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; d->d_tag != DT_NULL; d++)
      if (d->d_tag == DT_TEXTREL || (d->d_tag == DT_FLAGS && (d->d_un.d_val & DF_TEXTREL))) return 1;
  }
  return 0;
}

static int collect_read_only(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  struct segments *segments = data;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  if (is_relocated(info)) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    if (h->p_type != PT_LOAD || (h->p_flags & PF_W)) continue;
    if (segments->count == sizeof segments->all / sizeof *segments->all) return 1;
    uintptr_t start = (info->dlpi_addr + h->p_vaddr) & ~(page - 1);
    uintptr_t end = (info->dlpi_addr + h->p_vaddr + h->p_memsz + page - 1) & ~(page - 1);
    segments->all[segments->count].start = (void *)start;
    segments->all[segments->count++].size = end - start;
  }
  return 0;
}

// Within an iteration of the loader, so that no other thread unloads anything meanwhile.
static int hand_on_read_only(struct dl_phdr_info *info, size_t size, void *data) {
  (void)info, (void)size;
  struct segments *segments = data;
  dl_iterate_phdr(collect_read_only, segments);
  for (size_t i = 0; i < segments->count; i++) segments->body(segments->all[i].start, segments->all[i].size);
  return 1;
}

void clinux_each_read_only_segment(void (*body)(void *, size_t)) {
  struct segments segments = {.body = body};
  dl_iterate_phdr(hand_on_read_only, &segments);
}

void clinux_trim_heap(void) { malloc_trim(0); }

int clinux_open_process(int32_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

// Some systems have SO_PEERPIDFD, but not in their headers.
int clinux_peer_process(int socket, int32_t pid) {
  int process = -1;
  socklen_t size = sizeof process;
  if (getsockopt(socket, SOL_SOCKET, 77, &process, &size) == 0) return process;
  if (errno != ENOPROTOOPT) return -1;
  return (int)syscall(SYS_pidfd_open, pid, 0);
}

int clinux_file_mark(int fd, struct clinux_mark *mark) {
  struct statx status;
  // Without asking the file system: a program could control it and block this call.
  if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_BASIC_STATS, &status) != 0) return -1;
  mark->device = (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor;
  mark->file = status.stx_ino;
  mark->links = status.stx_nlink;
  mark->owner = status.stx_uid;
  mark->mode = status.stx_mode;
  return 0;
}

ssize_t clinux_receive_descriptors(int socket, void *bytes, size_t size, int *descriptors, int most, int *count) {
  // The kernel closes descriptors that do not fit, within this call. A holder of the socket's other end, or of a copy
  // of this one, can add further control messages: credentials, timestamp and security context.
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(253 * sizeof(int)) + 8192];
  } control;
  struct iovec vector = {bytes, size};
  struct msghdr message = {
      .msg_iov = &vector, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  *count = 0;
  ssize_t n = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (n < 0) return n;
  for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c != NULL; c = CMSG_NXTHDR(&message, c)) {
    // SCM_PIDFD, from Linux 6.5 on, is also a descriptor.
    if (c->cmsg_level != SOL_SOCKET || (c->cmsg_type != SCM_RIGHTS && c->cmsg_type != 4)) continue;
    int brought = (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    for (int i = 0; i < brought; i++) {
      int fd;
      memcpy(&fd, CMSG_DATA(c) + (size_t)i * sizeof fd, sizeof fd);
      if (*count < most) descriptors[(*count)++] = fd; else close(fd);
    }
  }
  return n;
}
