#include "CPortal.h"

#include <CLibrary.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The functions of GIO and GLib used here: their headers would make every client's build need and link them.
typedef struct GDBusConnection GDBusConnection;
typedef struct GUnixFDList GUnixFDList;
typedef struct GVariant GVariant;
typedef struct {
  uint32_t domain;
  int code;
  char *message;
} GError;

static struct {
  GDBusConnection *(*connect)(const char *, int, void *, void *, GError **);
  int (*is_closed)(GDBusConnection *);
  GVariant *(*call)(GDBusConnection *, const char *, const char *, const char *, const char *, GVariant *, const char *,
                    int, int, GUnixFDList *, GUnixFDList **, void *, GError **);
  GUnixFDList *(*list_new)(void);
  int (*list_append)(GUnixFDList *, int, GError **);
  void (*unref)(void *);
  GVariant *(*parsed)(const char *, ...);
  GVariant *(*string)(const char *);
  GVariant *(*handle)(int32_t);
  GVariant *(*array)(const char *, GVariant *const *, size_t);
  GVariant *(*tuple)(GVariant *const *, size_t);
  GVariant *(*child)(GVariant *, size_t);
  size_t (*children)(GVariant *);
  const char *(*text)(GVariant *, size_t *);
  void (*variant_unref)(GVariant *);
  void (*free_error)(GError *);
} g;

// G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT and _MESSAGE_BUS_CONNECTION.
enum { CLIENT_OF_A_BUS = 1 | 8 };

static bool is_there;

static void load(void) {
  const clibrary_function wanted[] = {
      {&g.connect, "g_dbus_connection_new_for_address_sync"},
      {&g.is_closed, "g_dbus_connection_is_closed"},
      {&g.call, "g_dbus_connection_call_with_unix_fd_list_sync"},
      {&g.list_new, "g_unix_fd_list_new"},
      {&g.list_append, "g_unix_fd_list_append"},
      {&g.unref, "g_object_unref"},
      {&g.parsed, "g_variant_new_parsed"},
      {&g.string, "g_variant_new_string"},
      {&g.handle, "g_variant_new_handle"},
      {&g.array, "g_variant_new_array"},
      {&g.tuple, "g_variant_new_tuple"},
      {&g.child, "g_variant_get_child_value"},
      {&g.children, "g_variant_n_children"},
      {&g.text, "g_variant_get_string"},
      {&g.variant_unref, "g_variant_unref"},
      {&g.free_error, "g_error_free"},
  };
  is_there = clibrary_load("libgio-2.0.so.0", wanted, sizeof wanted / sizeof *wanted);
}

static void fail(cportal_problem *problem, GError *error, const char *otherwise) {
  snprintf(problem->text, sizeof problem->text, "%s", error && error->message ? error->message : otherwise);
  if (error) g.free_error(error);
}

// The connection of this process, separate from the application's own. It is never released.
static GDBusConnection *bus(const char *address, cportal_problem *problem) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static GDBusConnection *connection;
  static char *reached;
  problem->text[0] = 0;
  pthread_once(&once, load);
  if (!is_there) {
    fail(problem, NULL, "GIO is missing");
    return NULL;
  }
  GError *error = NULL;
  pthread_mutex_lock(&lock);
  // An unused connection stays, since another thread may be using it.
  if (!connection || g.is_closed(connection) || strcmp(reached, address)) {
    connection = g.connect(address, CLIENT_OF_A_BUS, NULL, NULL, &error);
    free(reached);
    reached = strdup(address);
  }
  GDBusConnection *now = connection;
  pthread_mutex_unlock(&lock);
  if (!now) fail(problem, error, "the session bus cannot be reached");
  return now;
}

static GVariant *call(GDBusConnection *connection, const char *method, GVariant *arguments, const char *answer,
                      GUnixFDList *files, int timeout, cportal_problem *problem) {
  GError *error = NULL;
  GVariant *result = g.call(connection, "org.freedesktop.portal.Documents", "/org/freedesktop/portal/documents",
                            "org.freedesktop.portal.FileTransfer", method, arguments, answer, 0, timeout, files, NULL,
                            NULL, &error);
  if (!result) fail(problem, error, "the portal does not answer");
  return result;
}

// The only string of a reply, which the caller frees.
static char *take_text(GVariant *answer) {
  GVariant *first = g.child(answer, 0);
  char *text = strdup(g.text(first, NULL));
  g.variant_unref(first);
  g.variant_unref(answer);
  return text;
}

// A message carries few descriptors: 16 on many buses.
enum { MOST_AT_ONCE = 16 };

static bool add(GDBusConnection *connection, const char *key, const int *files, size_t count, int timeout,
                cportal_problem *problem) {
  GUnixFDList *list = g.list_new();
  GVariant *handles[MOST_AT_ONCE];
  for (size_t i = 0; i < count; i++) {
    GError *error = NULL;
    int n = g.list_append(list, files[i], &error);
    if (n < 0) {
      fail(problem, error, "there is no descriptor left");
      g.unref(list);
      return false;
    }
    handles[i] = g.handle(n);
  }
  GVariant *arguments[] = {g.string(key), g.array("h", handles, count), g.parsed("@a{sv} {}")};
  GVariant *answer = call(connection, "AddFiles", g.tuple(arguments, 3), "()", list, timeout, problem);
  g.unref(list);
  if (answer) g.variant_unref(answer);
  return answer != NULL;
}

char *cportal_offer(const char *address, const int *files, size_t count, int timeout, cportal_problem *problem) {
  GDBusConnection *connection = bus(address, problem);
  if (!connection) return NULL;
  GVariant *options = g.parsed("({'writable': <false>, 'autostop': <true>},)");
  GVariant *answer = call(connection, "StartTransfer", options, "(s)", NULL, timeout, problem);
  if (!answer) return NULL;
  char *key = take_text(answer);
  for (size_t i = 0; key && i < count; i += MOST_AT_ONCE) {
    size_t next = count - i < MOST_AT_ONCE ? count - i : MOST_AT_ONCE;
    if (add(connection, key, files + i, next, timeout, problem)) continue;
    cportal_problem ignored;
    GVariant *name = g.string(key);
    GVariant *stopped = call(connection, "StopTransfer", g.tuple(&name, 1), "()", NULL, timeout, &ignored);
    if (stopped) g.variant_unref(stopped);
    free(key);
    return NULL;
  }
  return key;
}

char *cportal_fetch(const char *address, const char *key, int timeout, size_t *bytes, cportal_problem *problem) {
  GDBusConnection *connection = bus(address, problem);
  if (!connection) return NULL;
  GVariant *arguments[] = {g.string(key), g.parsed("@a{sv} {}")};
  GVariant *answer = call(connection, "RetrieveFiles", g.tuple(arguments, 2), "(as)", NULL, timeout, problem);
  if (!answer) return NULL;
  GVariant *list = g.child(answer, 0);
  size_t count = g.children(list), used = 0;
  // The bus limits the size of messages.
  char *paths = malloc(1);
  for (size_t i = 0; paths && i < count; i++) {
    GVariant *child = g.child(list, i);
    size_t length;
    const char *path = g.text(child, &length);
    char *more = realloc(paths, used + length + 1);
    if (more) {
      memcpy(more + used, path, length + 1);
      used += length + 1;
    } else {
      free(paths);
    }
    paths = more;
    g.variant_unref(child);
  }
  g.variant_unref(list);
  g.variant_unref(answer);
  if (!paths) fail(problem, NULL, "there is no memory for the paths");
  *bytes = used;
  return paths;
}
