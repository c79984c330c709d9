// Pango, gdk-pixbuf and files for the demos, with what Swift's importer cannot take: macros and variadic
// functions. No logic lives here.
#ifndef CDEMOKIT_H
#define CDEMOKIT_H

#include <cairo/cairo-pdf.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <pango/pangocairo.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

// errno, environ: not plain variables for Swift.
static inline int demo_errno(void) { return errno; }
static inline char **demo_environment(void) { return environ; }
// open: variadic.
static inline int demo_open(const char *path) { return open(path, O_RDONLY | O_CLOEXEC); }
static inline int demo_create(const char *path) { return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644); }
// S_ISREG: a macro. -1 when there is no such file or it is no regular one.
static inline long long demo_file_size(int fd) {
  struct stat s;
  return fstat(fd, &s) == 0 && S_ISREG(s.st_mode) ? (long long)s.st_size : -1;
}
// g_object_unref, g_signal_connect: macros, or untyped.
static inline void demo_unref(void *object) { g_object_unref(object); }
// Has the loader make pictures no larger than this on either side: a header may claim anything.
void demo_limit_size(GdkPixbufLoader *loader, int most);

#endif
