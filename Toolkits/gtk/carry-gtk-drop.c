/* A drag over a target: its items, and the loads of a drop. */
#include "carry-gtk-private.h"
#include <string.h>

typedef struct {
  GObjectClass parent;
} CarryDropClass;
G_DEFINE_TYPE(CarryDrop, carry_drop, G_TYPE_OBJECT)

static void carry_drop_init(CarryDrop *drop) { (void)drop; }

static void drop_finalize(GObject *object) {
  g_clear_object(&CARRY_DROP(object)->progress_target);
  G_OBJECT_CLASS(carry_drop_parent_class)->finalize(object);
}

static void carry_drop_class_init(CarryDropClass *class) { G_OBJECT_CLASS(class)->finalize = drop_finalize; }

/* ------------------------------------------------------------------------------------------------------- Types --- */

const char *carry_drop_type(carry_drop_session *session, int32_t item, GType value) {
  const char *type = carry_content_type(session, item, value);
  /* Any item can be a file. */
  return type || value != G_TYPE_FILE ? type : carry_drop_session_type(session, item, 0);
}

gboolean carry_drop_has_value(CarryDrop *drop, GType type) {
  for (guint i = 0; i < carry_drop_get_n_items(drop); i++)
    if (carry_drop_type(drop->session, (int32_t)i, type)) return TRUE;
  return FALSE;
}

char **carry_drop_get_formats(CarryDrop *drop) {
  GStrvBuilder *builder = g_strv_builder_new();
  for (guint i = 0; i < carry_drop_get_n_items(drop); i++)
    for (int32_t t = 0; t < carry_drop_session_type_count(drop->session, (int32_t)i); t++)
      g_strv_builder_add(builder, carry_drop_session_type(drop->session, (int32_t)i, t));
  char **formats = g_strv_builder_end(builder);
  g_strv_builder_unref(builder);
  return formats;
}

CarryDrag *carry_drop_get_drag(CarryDrop *drop) { return drop->session ? carry_drag_of(drop->session) : NULL; }

guint carry_drop_get_n_items(CarryDrop *drop) {
  int32_t count = drop->session ? carry_drop_session_item_count(drop->session) : 0;
  return count > 0 ? (guint)count : 0;
}

const char *carry_drop_get_name(CarryDrop *drop, guint item) {
  return drop->session ? carry_drop_session_name(drop->session, (int32_t)item) : NULL;
}

gboolean carry_drop_allows_move(CarryDrop *drop) {
  return drop->session && carry_drop_session_allows_move(drop->session) == 1;
}

void carry_drop_propose_reason(CarryDrop *drop, const char *reason) {
  if (drop->session) carry_drop_session_propose_reason(drop->session, reason);
}

void carry_drop_keep_open(CarryDrop *drop) {
  if (!drop->session || carry_drop_session_keep_open(drop->session) != CARRY_OK)
    g_warning("Carry: a drop can be kept open within the drop handler only");
  else drop->is_kept_open = TRUE;
}

void carry_drop_finish(CarryDrop *drop, CarryOperation operation) {
  if (!drop->is_kept_open) return;
  drop->is_performing = drop->is_kept_open = FALSE;
  if (drop->session) carry_drop_session_finish(drop->session, (int32_t)operation);
}

/* ------------------------------------------------------------------------------------------------------- Loads --- */

/* A running load, the data of its task. */
typedef struct {
  carry_load *load; /* NULL when it is over */
  const char *type;
  double fraction;
  gulong cancelled;
  GValue value;
} Load;

static void load_free(gpointer data) {
  Load *load = data;
  g_value_unset(&load->value);
  g_free(load);
}

static void cancelled(GCancellable *cancellable, gpointer task) {
  Load *load = g_task_get_task_data(task);
  (void)cancellable;
  carry_load_cancel(load->load);
}

/* How far all loads of a drop are: negative while none of them tells. */
static void tell_progress(CarryDrop *drop) {
  double fraction = drop->finished;
  gboolean is_known = drop->finished > 0;
  if (!drop->progress_target) return;
  for (GSList *l = drop->loads; l; l = l->next) {
    Load *load = g_task_get_task_data(l->data);
    fraction += MAX(load->fraction, 0);
    is_known |= load->fraction >= 0;
  }
  g_signal_emit_by_name(drop->progress_target, "progress", drop, is_known ? fraction / drop->begun : -1);
}

static void progressed(void *data, carry_load *load, int64_t completed, int64_t total, double fraction) {
  GTask *task = data;
  (void)load, (void)completed, (void)total;
  ((Load *)g_task_get_task_data(task))->fraction = fraction;
  tell_progress(g_task_get_source_object(task));
}

void carry_drop_cancel(CarryDrop *drop) {
  while (drop->loads) carry_load_cancel(((Load *)g_task_get_task_data(drop->loads->data))->load);
}

/* A task for a load, or NULL if none may begin. */
static GTask *load_task(CarryDrop *drop, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data,
                        GType value, const char *type) {
  GTask *task = g_task_new(drop, cancellable, callback, data);
  Load *load = g_new0(Load, 1);
  load->type = g_intern_string(type);
  load->fraction = -1;
  g_value_init(&load->value, value);
  g_task_set_task_data(task, load, load_free);
  if (g_task_return_error_if_cancelled(task)) {
    g_object_unref(task);
    return NULL;
  }
  if (drop->is_performing && type) return task;
  g_task_return_new_error(task, G_IO_ERROR, drop->is_performing ? G_IO_ERROR_NOT_FOUND : G_IO_ERROR_FAILED, "%s",
                          drop->is_performing ? "the item has no such type" : "the drop is over");
  g_object_unref(task);
  return NULL;
}

/* Follows a load that has begun, or returns its error. */
static void follow(GTask *task, carry_load *begun) {
  Load *load = g_task_get_task_data(task);
  CarryDrop *drop = g_task_get_source_object(task);
  GCancellable *cancellable = g_task_get_cancellable(task);
  load->load = begun;
  if (!begun) {
    g_task_return_new_error(task, G_IO_ERROR, G_IO_ERROR_FAILED, "%s", carry_last_error());
    g_object_unref(task);
    return;
  }
  drop->loads = g_slist_prepend(drop->loads, task);
  drop->begun++;
  if (drop->progress_target) carry_load_set_progress(begun, progressed, task);
  if (cancellable) load->cancelled = g_signal_connect(cancellable, "cancelled", G_CALLBACK(cancelled), task);
}

/* Ends a load; FALSE if it has failed, and the task with it. */
static gboolean ends(GTask *task, int32_t status, const char *message) {
  Load *load = g_task_get_task_data(task);
  CarryDrop *drop = g_task_get_source_object(task);
  load->load = NULL;
  drop->loads = g_slist_remove(drop->loads, task);
  drop->finished++;
  tell_progress(drop);
  /* Not g_cancellable_disconnect, which would wait for the handler that may be running. */
  if (load->cancelled) g_signal_handler_disconnect(g_task_get_cancellable(task), load->cancelled);
  if (status == CARRY_OK) return TRUE;
  int code = status == CARRY_ERROR_CANCELLED ? G_IO_ERROR_CANCELLED : G_IO_ERROR_FAILED;
  g_task_return_new_error(task, G_IO_ERROR, code, "%s", message ? message : "the load has failed");
  g_object_unref(task);
  return FALSE;
}

static void loaded(void *data, int32_t status, const void *bytes, size_t size, const char *message) {
  GTask *task = data;
  Load *load = g_task_get_task_data(task);
  if (!ends(task, status, message)) return;
  GBytes *copy = g_bytes_new(bytes, size);
  if (G_VALUE_HOLDS(&load->value, G_TYPE_BYTES)) {
    g_value_set_boxed(&load->value, copy);
    g_task_return_boolean(task, TRUE);
    g_object_unref(task);
  } else {
    carry_content_decode(task, copy, load->type, &load->value);
  }
  g_bytes_unref(copy);
}

static void saved(void *data, int32_t status, const carry_file *file, const char *message) {
  GTask *task = data;
  Load *load = g_task_get_task_data(task);
  if (!ends(task, status, message)) return;
  g_value_take_object(&load->value, g_file_new_for_path(file->path));
  g_task_return_boolean(task, TRUE);
  g_object_unref(task);
}

static const GValue *finish(GAsyncResult *result, GError **error) {
  if (!g_task_propagate_boolean(G_TASK(result), error)) return NULL;
  return &((Load *)g_task_get_task_data(G_TASK(result)))->value;
}

void carry_drop_read_value_async(CarryDrop *drop, guint item, GType type, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer data) {
  const char *mime = drop->session ? carry_drop_type(drop->session, (int32_t)item, type) : NULL;
  GTask *task = load_task(drop, cancellable, callback, data, type, mime);
  if (!task) return;
  if (type == G_TYPE_FILE && strcmp(mime, "text/uri-list")) {
    char *folder = g_dir_make_tmp("carry-XXXXXX", NULL);
    follow(task, carry_drop_session_save(drop->session, (int32_t)item, mime, folder, NULL, 0, saved, task));
    g_free(folder);
  } else {
    follow(task, carry_drop_session_load(drop->session, (int32_t)item, mime, 0, loaded, task));
  }
}

const GValue *carry_drop_read_value_finish(CarryDrop *drop, GAsyncResult *result, GError **error) {
  (void)drop;
  return finish(result, error);
}

void carry_drop_read_bytes_async(CarryDrop *drop, guint item, const char *type, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer data) {
  const char *best = drop->session ? carry_drop_session_best_type(drop->session, (int32_t)item, type) : NULL;
  GTask *task = load_task(drop, cancellable, callback, data, G_TYPE_BYTES, best);
  if (task) follow(task, carry_drop_session_load(drop->session, (int32_t)item, best, 0, loaded, task));
}

GBytes *carry_drop_read_bytes_finish(CarryDrop *drop, GAsyncResult *result, GError **error) {
  const GValue *value = finish(result, error);
  (void)drop;
  return value ? g_value_dup_boxed(value) : NULL;
}

void carry_drop_save_async(CarryDrop *drop, guint item, GFile *folder, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer data) {
  const char *type = drop->session ? carry_drop_session_type(drop->session, (int32_t)item, 0) : NULL;
  GTask *task = load_task(drop, cancellable, callback, data, G_TYPE_FILE, type);
  if (task)
    follow(task, carry_drop_session_save(drop->session, (int32_t)item, type, g_file_peek_path(folder), NULL, 0, saved,
                                         task));
}

GFile *carry_drop_save_finish(CarryDrop *drop, GAsyncResult *result, GError **error) {
  const GValue *value = finish(result, error);
  (void)drop;
  return value ? g_value_dup_object(value) : NULL;
}
