// Linux calls that Swift's Glibc module does not offer: headers it leaves out, calls that need _GNU_SOURCE, macros
// and variadic functions. No logic lives here. Each function ends with the name of the C function behind it.
#ifndef CLINUX_H
#define CLINUX_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// memfd_create(MFD_CLOEXEC | MFD_ALLOW_SEALING): needs _GNU_SOURCE.
int clinux_memfd_create(const char *name);
// mmap(MAP_SHARED): MAP_FAILED is a cast that Swift cannot import; NULL instead.
void *clinux_map(int fd, size_t size, bool writable);
// madvise(MADV_POPULATE_WRITE): allocates the pages of shared memory. Without kernel support it does nothing, and
// pages are allocated when touched.
int clinux_make_pages(void *start, size_t count);
// fallocate(FALLOC_FL_KEEP_SIZE): needs _GNU_SOURCE. For tests: allocates pages beyond a file's size.
int clinux_reserve(int fd, off_t count);
// madvise(MADV_HUGEPAGE) for all whole pages: touching 16 MiB of new memory takes 2 instead of 10 ms. Only a hint.
void clinux_prefer_huge_pages(const void *start, size_t count);
// Whether the kernel would allocate this much memory now. Tries it without touching any of it.
bool clinux_has_room(size_t count);
// preadv2 with RWF_NOWAIT: reads from the page cache only, so that it never blocks.
ssize_t clinux_read_cached(int fd, void *to, size_t count, off_t at);
// Opens /dev/null in place of closed standard streams. Otherwise the next opened file would take a stream's number.
void clinux_fill_standard_streams(void);
// accept4: needs _GNU_SOURCE.
int clinux_accept4(int fd, int flags);
// setpriority(PRIO_PROCESS, 0, value), which in Linux affects the calling thread. A higher nice value stays. Swift's
// compiler crashes at the call.
void clinux_be_nice(int value);
// signal(n, SIG_IGN): SIG_IGN is a cast that Swift cannot import.
void clinux_ignore(int signal_number);
// pipe2(O_CLOEXEC): needs _GNU_SOURCE.
int clinux_pipe(int *fds);
// fcntl(F_ADD_SEALS), fcntl(F_GET_SEALS), fcntl(F_GETFL), fcntl(F_SETFL), fcntl(F_SETFD, FD_CLOEXEC),
// fcntl(F_DUPFD_CLOEXEC), fcntl(F_SETPIPE_SZ): variadic, and the seals need _GNU_SOURCE.
int clinux_add_seals(int fd, int seals);
int clinux_get_seals(int fd);
int clinux_get_status_flags(int fd);
int clinux_set_status_flags(int fd, int flags);
int clinux_set_close_on_exec(int fd);
// fcntl(F_OFD_SETLK): locks the whole file, for writing or for reading, or fails at once. Closing releases the lock.
int clinux_try_lock(int fd, int for_writing);
int clinux_dup_above(int fd, int lowest);
int clinux_set_pipe_size(int fd, int bytes);
// open, openat: variadic.
int clinux_open(const char *path, int flags, unsigned int mode);
int clinux_openat(int directory, const char *path, int flags, unsigned int mode);
// getsockopt(SO_PEERCRED): struct ucred needs _GNU_SOURCE.
int clinux_peer_credentials(int fd, int32_t *pid, uint32_t *uid, uint32_t *gid);
// getsockopt(SO_PEERPIDFD), or pidfd_open where the kernel lacks it: a descriptor of the process that connected.
int clinux_peer_process(int socket, int32_t pid);
// errno is a macro over a function.
static inline int clinux_errno(void) { return errno; }
// For use before a call that reports failure only through errno.
static inline void clinux_set_errno(int code) { errno = code; }
// environ: a global variable, which Swift does not allow to be used.
char **clinux_environ(void);
// sendmsg with SCM_RIGHTS: CMSG_* are macros. At most 253 descriptors. `flags` are added to MSG_NOSIGNAL.
ssize_t clinux_send_descriptors(int socket, const void *bytes, size_t count, const int *descriptors, int how_many,
                                int flags);
// recvmsg with SCM_RIGHTS, non-blocking: CMSG_* are macros. Closes descriptors beyond `most`: at most 253 arrive, and
// one of the sender's process if requested.
ssize_t clinux_receive_descriptors(int socket, void *bytes, size_t size, int *descriptors, int most, int *count);
// getpeername: whether a local socket has or had another end.
bool clinux_is_connected(int socket);
// statx(AT_STATX_DONT_SYNC): needs _GNU_SOURCE. A file's type as known to the kernel, without asking the file system,
// which may not respond.
int clinux_mode_as_known(int fd, uint32_t *mode);
// statx(AT_STATX_DONT_SYNC), as above: the file's identity and number of links.
struct clinux_mark {
  uint64_t device;
  uint64_t file;
  uint32_t links;
  uint32_t owner;
  uint32_t mode;
};
int clinux_file_mark(int fd, struct clinux_mark *mark);
// O_PATH needs _GNU_SOURCE.
int clinux_o_path(void);
int clinux_o_tmpfile(void);
// Makes `to` share the blocks of `from`, if the file system supports that: the ioctl FICLONE.
int clinux_clone_file(int to, int from);
// pidfd_open: needs a syscall number that some systems' headers lack.
int clinux_open_process(int32_t pid);
// copy_file_range from an offset of one file to the other's position. No data passes through this process.
ssize_t clinux_copy_range(int from, off_t at, int to, size_t count);
// The next name in a directory opened with fdopendir(3); NULL at the end.
const char *clinux_next_name(DIR *directory);
// Makes the C library use UTF-8 in this thread, regardless of the program's locale; returns whether it does.
bool clinux_use_utf8_in_thread(void);
// linkat through /proc/self/fd: gives a nameless file its name, never replacing another.
int clinux_link_descriptor(int fd, int directory, const char *name);
// syncfs: needs _GNU_SOURCE.
int clinux_sync_file_system(int fd);
// renameat2(RENAME_NOREPLACE): needs _GNU_SOURCE.
int clinux_rename_new(int directory, const char *from, const char *to);
// dl_iterate_phdr: needs _GNU_SOURCE. Calls `body` with each read-only segment of the program and its libraries.
void clinux_each_read_only_segment(void (*body)(void *start, size_t size));
// malloc_trim: in a header that the module map leaves out.
void clinux_trim_heap(void);
// ioctl: variadic.
int clinux_terminal_width(int fd);
// sem_clockwait(CLOCK_MONOTONIC): needs _GNU_SOURCE.
int clinux_wait_until(sem_t *semaphore, const struct timespec *when);
// O_DIRECT, whose value differs between architectures; needs _GNU_SOURCE.
int clinux_o_direct(void);
// POSIX_SPAWN_SETSID: needs _GNU_SOURCE.
short clinux_spawn_setsid(void);
// posix_spawn_file_actions_addclosefrom_np and addchdir_np: need _GNU_SOURCE.
int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int first);
int clinux_spawn_change_directory(posix_spawn_file_actions_t *actions, const char *directory);
// Seals as numbers: the macros need _GNU_SOURCE.
enum {
  CLINUX_SEAL_SEAL = 1,
  CLINUX_SEAL_SHRINK = 2,
  CLINUX_SEAL_GROW = 4,
  CLINUX_SEAL_WRITE = 8,
  CLINUX_SEAL_FUTURE_WRITE = 16
};

#endif
