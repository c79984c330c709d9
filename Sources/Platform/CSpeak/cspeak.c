#include "CSpeak.h"

#include <atk-bridge.h>
#include <atk/atk.h>
#include <glib-unix.h>

static const char *toolkit_version = "";
static AtkObject *root;
static GMainLoop *loop;

static AtkObject *get_root(void) { return root; }
static const char *get_name(void) { return "carry"; }
static const char *get_version(void) { return toolkit_version; }

typedef struct {
  guint signal;
  gulong hook;
} Listener;

static GHashTable *listeners;
static guint last_listener;

// A toolkit's duty: "Gtk:AtkObject:announcement" is the signal of that name of all objects of that type. Events
// without such a signal, such as window and key events, are ignored.
static guint add_listener(GSignalEmissionHook hook, const char *event) {
  g_auto(GStrv) parts = g_strsplit(event, ":", 3);
  if (g_strv_length(parts) == 3) {
    GType type = g_type_from_name(parts[1]);
    if (type && G_TYPE_IS_OBJECT(type)) {
      guint signal = g_signal_lookup(parts[2], type);
      if (signal) {
        Listener *l = g_new(Listener, 1);
        l->signal = signal;
        l->hook = g_signal_add_emission_hook(signal, 0, hook, g_strdup(event), g_free);
        g_hash_table_insert(listeners, GUINT_TO_POINTER(++last_listener), l);
        return last_listener;
      }
    }
  }
  // Not zero, which would make the bridge try again.
  return ++last_listener;
}

static void remove_listener(guint id) {
  Listener *l = g_hash_table_lookup(listeners, GUINT_TO_POINTER(id));
  if (!l) return;
  g_signal_remove_emission_hook(l->signal, l->hook);
  g_hash_table_remove(listeners, GUINT_TO_POINTER(id));
}

bool cspeak_start(const char *name, const char *version) {
  toolkit_version = g_strdup(version);
  listeners = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
  // The type must exist before the bridge looks up its signals.
  root = g_object_new(ATK_TYPE_OBJECT, NULL);
  atk_object_set_name(root, name);
  atk_object_set_role(root, ATK_ROLE_APPLICATION);
  AtkUtilClass *util = g_type_class_ref(ATK_TYPE_UTIL);
  util->get_root = get_root;
  util->get_toolkit_name = get_name;
  util->get_toolkit_version = get_version;
  util->add_global_event_listener = add_listener;
  util->remove_global_event_listener = remove_listener;
  loop = g_main_loop_new(NULL, FALSE);
  return atk_bridge_adaptor_init(NULL, NULL) == 0;
}

void cspeak_say(const char *text) { g_signal_emit_by_name(root, "announcement", text); }

typedef struct {
  bool (*readable)(void *);
  void *data;
} Watch;

static gboolean on_readable(gint fd, GIOCondition condition, gpointer data) {
  (void)fd;
  (void)condition;
  Watch *watch = data;
  if (watch->readable(watch->data)) return G_SOURCE_CONTINUE;
  g_main_loop_quit(loop);
  return G_SOURCE_REMOVE;
}

void cspeak_run(int descriptor, bool (*readable)(void *data), void *data) {
  Watch watch = {readable, data};
  guint source = g_unix_fd_add(descriptor, G_IO_IN | G_IO_HUP | G_IO_ERR, on_readable, &watch);
  g_main_loop_run(loop);
  if (g_main_context_find_source_by_id(NULL, source)) g_source_remove(source);
}
