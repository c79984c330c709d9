#include "CAtspi.h"

#include <CLibrary.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The functions of GIO and GLib used here: their headers would make the engine's build need and link them.
typedef struct GCancellable GCancellable;
typedef struct GDBusAuthObserver GDBusAuthObserver;
typedef struct GDBusConnection GDBusConnection;
typedef struct GMainContext GMainContext;
typedef struct GVariant GVariant;

static struct {
  GDBusConnection *(*connect)(const char *, int, GDBusAuthObserver *, GCancellable *, void *);
  GVariant *(*call)(GDBusConnection *, const char *, const char *, const char *, const char *, GVariant *, const char *,
                    int, int, GCancellable *, void *);
  int (*is_name)(const char *);
  GCancellable *(*cancellable)(void);
  void (*cancel)(GCancellable *);
  void (*unref)(void *);
  GDBusAuthObserver *(*observer)(void);
  unsigned long (*signal)(void *, const char *, void (*)(void), void *, void *, int);
  unsigned (*log)(const char *, int, void (*)(const char *, int, const char *, void *), void *);
  int (*close)(GDBusConnection *, GCancellable *, void *);
  void (*watch)(void *, void *);
  void *(*watched)(void *);
  void (*unwatch)(void *);
  GMainContext *(*context)(void);
  void (*push)(GMainContext *);
  void (*pop)(GMainContext *);
  int (*iterate)(GMainContext *, int);
  void (*context_unref)(GMainContext *);
  GVariant *(*make)(const char *, ...);
  void (*get)(GVariant *, const char *, ...);
  GVariant *(*child)(GVariant *, size_t);
  size_t (*children)(GVariant *);
  int (*is_of_type)(GVariant *, const char *);
  void (*variant_unref)(GVariant *);
} g;

enum {
  // G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT. With _MESSAGE_BUS_CONNECTION GIO itself would send Hello, for up
  // to 25 seconds, even when cancelled.
  CLIENT = 1,
  // G_DBUS_CALL_FLAGS_NO_AUTO_START: a call starts no service.
  NO_AUTO_START = 1,
  // The timeout of one call in milliseconds. The caller cancels much earlier.
  PATIENCE = 1000,
  // How long GIO's thread may take to release a connection, in milliseconds.
  MOST_TURNS = 500,
  // ATSPI_COORD_TYPE_SCREEN.
  OF_THE_SCREEN = 0,
};

static bool is_there;

// GIO logs each message that it cannot parse, and a bus may send any number.
static void discard(const char *domain, int level, const char *message, void *data) {}

static void load(void) {
  const clibrary_function wanted[] = {
      {&g.connect, "g_dbus_connection_new_for_address_sync"},
      {&g.call, "g_dbus_connection_call_sync"},
      {&g.is_name, "g_dbus_is_name"},
      {&g.cancellable, "g_cancellable_new"},
      {&g.cancel, "g_cancellable_cancel"},
      {&g.unref, "g_object_unref"},
      {&g.observer, "g_dbus_auth_observer_new"},
      {&g.signal, "g_signal_connect_data"},
      {&g.log, "g_log_set_handler"},
      {&g.close, "g_dbus_connection_close_sync"},
      {&g.watch, "g_weak_ref_init"},
      {&g.watched, "g_weak_ref_get"},
      {&g.unwatch, "g_weak_ref_clear"},
      {&g.context, "g_main_context_new"},
      {&g.push, "g_main_context_push_thread_default"},
      {&g.pop, "g_main_context_pop_thread_default"},
      {&g.iterate, "g_main_context_iteration"},
      {&g.context_unref, "g_main_context_unref"},
      {&g.make, "g_variant_new"},
      {&g.get, "g_variant_get"},
      {&g.child, "g_variant_get_child_value"},
      {&g.children, "g_variant_n_children"},
      {&g.is_of_type, "g_variant_is_of_type"},
      {&g.variant_unref, "g_variant_unref"},
  };
  is_there = clibrary_load("libgio-2.0.so.0", wanted, sizeof wanted / sizeof *wanted);
  // All of G_LOG_LEVEL_MASK.
  if (is_there) g.log("GLib-GIO", ~3, discard, NULL);
}

// MARK: A question

struct catspi_question {
  // Both threads use the members below, except `bus`.
  pthread_mutex_t lock;
  bool is_cancelled;
  GCancellable *cancellable;
  GDBusConnection *bus;
  // The context in which GIO reports the connection's state.
  GMainContext *context;
};

catspi_question *catspi_create(void) {
  catspi_question *question = calloc(1, sizeof *question);
  if (question) pthread_mutex_init(&question->lock, NULL);
  return question;
}

void catspi_cancel(catspi_question *question) {
  pthread_mutex_lock(&question->lock);
  question->is_cancelled = true;
  if (question->cancellable) g.cancel(question->cancellable);
  pthread_mutex_unlock(&question->lock);
}

bool catspi_is_cancelled(catspi_question *question) {
  pthread_mutex_lock(&question->lock);
  bool is_cancelled = question->is_cancelled;
  pthread_mutex_unlock(&question->lock);
  return is_cancelled;
}

void catspi_disconnect(catspi_question *question) {
  if (question->bus) {
    // GIO's thread may be using the connection, and would crash if it were released now. This stops the thread's
    // work.
    g.close(question->bus, NULL, NULL);
    void *watched = NULL;
    g.watch(&watched, question->bus);
    g.unref(question->bus);
    question->bus = NULL;
    // GIO may have to report the closing in the context, and retains the connection until then.
    for (int i = 0; i < MOST_TURNS; i++) {
      while (g.iterate(question->context, 0)) {}
      void *still = g.watched(&watched);
      if (!still) break;
      g.unref(still);
      usleep(1000);
    }
    g.unwatch(&watched);
  }
  if (question->context) g.context_unref(question->context);
  question->context = NULL;
}

void catspi_destroy(catspi_question *question) {
  if (question->cancellable) g.unref(question->cancellable);
  pthread_mutex_destroy(&question->lock);
  free(question);
}

// The other mechanism reads a file that the bus names, and could block forever.
static int allows(GDBusAuthObserver *observer, const char *mechanism, void *data) {
  return !strcmp(mechanism, "EXTERNAL");
}

static GVariant *ask(catspi_question *question, const char *name, const char *path, const char *interface,
                     const char *method, GVariant *arguments, const char *answer);

static const char bus_name[] = "org.freedesktop.DBus", bus_path[] = "/org/freedesktop/DBus";

bool catspi_connect(catspi_question *question, const char *address) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  // A single address that neither starts a program nor names another machine.
  if (strncmp(address, "unix:", 5) || strchr(address, ';')) return false;
  pthread_once(&once, load);
  if (!is_there) return false;
  pthread_mutex_lock(&question->lock);
  question->cancellable = g.cancellable();
  if (question->is_cancelled) g.cancel(question->cancellable);
  pthread_mutex_unlock(&question->lock);
  GDBusAuthObserver *observer = g.observer();
  g.signal(observer, "allow-mechanism", (void (*)(void))allows, NULL, NULL, 0);
  question->context = g.context();
  g.push(question->context);
  question->bus = g.connect(address, CLIENT, observer, question->cancellable, NULL);
  g.pop(question->context);
  g.unref(observer);
  if (!question->bus) return false;
  GVariant *answer = ask(question, bus_name, bus_path, bus_name, "Hello", NULL, "(s)");
  if (answer) g.variant_unref(answer);
  return answer;
}

// The reply if its type is `answer`, otherwise NULL.
static GVariant *ask(catspi_question *question, const char *name, const char *path, const char *interface,
                     const char *method, GVariant *arguments, const char *answer) {
  return g.call(question->bus, name, path, interface, method, arguments, answer, NO_AUTO_START, PATIENCE,
                question->cancellable, NULL);
}

static GVariant *ask_object(catspi_question *question, const catspi_object *object, const char *interface,
                            const char *method, GVariant *arguments, const char *answer) {
  return ask(question, object->name, object->path, interface, method, arguments, answer);
}

// MARK: Accessibles

static const char accessible[] = "org.a11y.atspi.Accessible", component[] = "org.a11y.atspi.Component",
                  text[] = "org.a11y.atspi.Text";

// `pair` has the type (so). False for the null path, and for strings that are too long.
static bool read_object(GVariant *pair, catspi_object *object) {
  const char *name, *path;
  g.get(pair, "(&s&o)", &name, &path);
  if (!strcmp(path, "/org/a11y/atspi/null") || !g.is_name(name)) return false;
  if (strlen(name) >= sizeof object->name || strlen(path) >= sizeof object->path) return false;
  strcpy(object->name, name);
  strcpy(object->path, path);
  return true;
}

void catspi_root(catspi_object *root) {
  strcpy(root->name, "org.a11y.atspi.Registry");
  strcpy(root->path, "/org/a11y/atspi/accessible/root");
}

size_t catspi_children(catspi_question *question, const catspi_object *object, catspi_object *children, size_t room) {
  GVariant *answer = ask_object(question, object, accessible, "GetChildren", NULL, "(a(so))");
  if (!answer) return 0;
  GVariant *list = g.child(answer, 0);
  size_t found = 0, count = g.children(list);
  for (size_t i = 0; i < count && found < room; i++) {
    GVariant *child = g.child(list, i);
    if (read_object(child, &children[found])) found++;
    g.variant_unref(child);
  }
  g.variant_unref(list);
  g.variant_unref(answer);
  return found;
}

int32_t catspi_process(catspi_question *question, const catspi_object *object) {
  GVariant *answer = ask(question, bus_name, bus_path, bus_name, "GetConnectionUnixProcessID",
                         g.make("(s)", object->name), "(u)");
  if (!answer) return 0;
  uint32_t process;
  g.get(answer, "(u)", &process);
  g.variant_unref(answer);
  return process <= INT32_MAX ? (int32_t)process : 0;
}

bool catspi_extents(catspi_question *question, const catspi_object *object, int32_t extents[4]) {
  GVariant *answer = ask_object(question, object, component, "GetExtents", g.make("(u)", OF_THE_SCREEN), "((iiii))");
  if (!answer) return false;
  g.get(answer, "((iiii))", &extents[0], &extents[1], &extents[2], &extents[3]);
  g.variant_unref(answer);
  return true;
}

bool catspi_at(catspi_question *question, const catspi_object *object, int32_t x, int32_t y, catspi_object *found) {
  GVariant *answer = ask_object(question, object, component, "GetAccessibleAtPoint",
                                g.make("(iiu)", x, y, OF_THE_SCREEN), "((so))");
  if (!answer) return false;
  GVariant *pair = g.child(answer, 0);
  bool is_there = read_object(pair, found);
  g.variant_unref(pair);
  g.variant_unref(answer);
  return is_there;
}

bool catspi_parent(catspi_question *question, const catspi_object *object, catspi_object *parent) {
  GVariant *answer = ask_object(question, object, "org.freedesktop.DBus.Properties", "Get",
                                g.make("(ss)", accessible, "Parent"), "(v)");
  if (!answer) return false;
  GVariant *pair;
  g.get(answer, "(v)", &pair);
  bool is_there = g.is_of_type(pair, "(so)") && read_object(pair, parent);
  g.variant_unref(pair);
  g.variant_unref(answer);
  return is_there;
}

bool catspi_is_gecko(catspi_question *question, const catspi_object *program) {
  GVariant *answer = ask_object(question, program, "org.freedesktop.DBus.Properties", "Get",
                                g.make("(ss)", "org.a11y.atspi.Application", "ToolkitName"), "(v)");
  if (!answer) return false;
  GVariant *name;
  g.get(answer, "(v)", &name);
  const char *text = "";
  if (g.is_of_type(name, "s")) g.get(name, "&s", &text);
  bool is_gecko = strcmp(text, "Gecko") == 0;
  g.variant_unref(name);
  g.variant_unref(answer);
  return is_gecko;
}

bool catspi_role(catspi_question *question, const catspi_object *object, uint32_t *role) {
  GVariant *answer = ask_object(question, object, accessible, "GetRole", NULL, "(u)");
  if (!answer) return false;
  g.get(answer, "(u)", role);
  g.variant_unref(answer);
  return true;
}

bool catspi_offset(catspi_question *question, const catspi_object *object, int32_t x, int32_t y, int32_t *offset) {
  GVariant *answer = ask_object(question, object, text, "GetOffsetAtPoint", g.make("(iiu)", x, y, OF_THE_SCREEN),
                                "(i)");
  if (!answer) return false;
  g.get(answer, "(i)", offset);
  g.variant_unref(answer);
  return true;
}

int32_t catspi_selections(catspi_question *question, const catspi_object *object) {
  GVariant *answer = ask_object(question, object, text, "GetNSelections", NULL, "(i)");
  if (!answer) return 0;
  int32_t count;
  g.get(answer, "(i)", &count);
  g.variant_unref(answer);
  return count;
}

bool catspi_selection(catspi_question *question, const catspi_object *object, int32_t i, int32_t range[2]) {
  GVariant *answer = ask_object(question, object, text, "GetSelection", g.make("(i)", i), "(ii)");
  if (!answer) return false;
  g.get(answer, "(ii)", &range[0], &range[1]);
  g.variant_unref(answer);
  return true;
}

bool catspi_same(const catspi_object *a, const catspi_object *b) {
  return !strcmp(a->name, b->name) && !strcmp(a->path, b->path);
}
