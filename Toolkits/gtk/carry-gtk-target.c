/* Drop targets, and the drags over them. */
#include "carry-gtk-private.h"
#include <math.h>
#include <string.h>

struct _CarryDrop {
  GObject parent;
  carry_drop_session *session; /* NULL when it is over */
  CarryPlace *from;            /* whose region the drag is over */
  CarryPlace *place;           /* the target; NULL while the drag is over none */
  gboolean is_performing, is_kept_open;
  /* Scrolling at the edges of what the target lies in. */
  GtkScrolledWindow *scroller;
  double speed_x, speed_y;
  guint tick;
  gint64 last_frame;
  /* Its loads, which continue after the drop. */
  GSList *loads;
  guint begun, finished;
  gpointer progress_target; /* whose handlers show the progress; NULL for the engine */
};
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

typedef struct {
  GType type;
  gboolean edge_scroll;
  gboolean is_list; /* which shows the place of the drop itself */
} TargetPrivate;

enum { ACCEPT, ENTER, MOTION, LEAVE, DROP, VALUE, PROGRESS, N_SIGNALS };
static guint signals[N_SIGNALS];
static int private_offset;

static TargetPrivate *get_private(gpointer target) { return G_STRUCT_MEMBER_P(target, private_offset); }
static gpointer target_of(CarryPlace *place) { return place->controllers[CARRY_ROLE_DROP]; }

/* ------------------------------------------------------------------------------------------------------- Types --- */

static const char *type_for(carry_drop_session *session, int32_t item, GType value) {
  const char *type = carry_content_type(session, item, value);
  /* Any item can be a file. */
  return type || value != G_TYPE_FILE ? type : carry_drop_session_type(session, item, 0);
}

gboolean carry_drop_has_value(CarryDrop *drop, GType type) {
  for (guint i = 0; i < carry_drop_get_n_items(drop); i++)
    if (type_for(drop->session, (int32_t)i, type)) return TRUE;
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
  g_signal_emit(drop->progress_target, signals[PROGRESS], 0, drop, is_known ? fraction / drop->begun : -1);
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
  const char *mime = drop->session ? type_for(drop->session, (int32_t)item, type) : NULL;
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

/* Where a value will have been dropped. */
typedef struct {
  CarryPlace *place;
  double x, y;
} Arrival;

static void value_read(GObject *drop, GAsyncResult *result, gpointer data) {
  Arrival *arrival = data;
  gpointer target = target_of(arrival->place);
  GError *error = NULL;
  const GValue *value = carry_drop_read_value_finish(CARRY_DROP(drop), result, &error);
  if (!value && !g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) g_warning("Carry: %s", error->message);
  else if (value && target) g_signal_emit(target, signals[VALUE], 0, value, arrival->x, arrival->y);
  g_clear_error(&error);
  carry_place_unref(arrival->place);
  g_free(arrival);
}

/* ------------------------------------------------------------------------------------------ Scrolling at edges --- */

static gboolean scroll(GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
  CarryDrop *drop = data;
  gint64 now = gdk_frame_clock_get_frame_time(clock);
  double seconds = drop->last_frame ? MIN(0.05, (double)(now - drop->last_frame) / 1e6) : 0;
  drop->last_frame = now;
  g_object_ref(drop);
  GtkAdjustment *h = gtk_scrolled_window_get_hadjustment(GTK_SCROLLED_WINDOW(widget));
  GtkAdjustment *v = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(widget));
  gtk_adjustment_set_value(h, gtk_adjustment_get_value(h) + drop->speed_x * 700 * seconds);
  gtk_adjustment_set_value(v, gtk_adjustment_get_value(v) + drop->speed_y * 700 * seconds);
  /* What has scrolled may have ended the drag. */
  if (drop->from && drop->from->region) carry_region_ask_again(drop->from->region);
  g_object_unref(drop);
  return G_SOURCE_CONTINUE;
}

static void stop_scrolling(CarryDrop *drop) {
  if (drop->tick) gtk_widget_remove_tick_callback(GTK_WIDGET(drop->scroller), drop->tick);
  drop->tick = 0;
  g_clear_object(&drop->scroller);
}

/* How fast to scroll at a point: -1 to 1, and 0 away from the edges. */
static double depth(double at, double length) {
  double zone = MIN(40, length / 3);
  if (at < zone) return -MIN(1, (zone - at) / zone);
  return at > length - zone ? MIN(1, (at - length + zone) / zone) : 0;
}

static void update_scrolling(CarryDrop *drop, double x, double y) {
  GtkWidget *scroller = NULL;
  if (drop->place && drop->place->widget && target_of(drop->place) && get_private(target_of(drop->place))->edge_scroll)
    scroller = gtk_widget_get_ancestor(drop->place->widget, GTK_TYPE_SCROLLED_WINDOW);
  if (scroller && carry_widget_translate(drop->place->widget, scroller, &x, &y)) {
    drop->speed_x = depth(x, gtk_widget_get_width(scroller));
    drop->speed_y = depth(y, gtk_widget_get_height(scroller));
  }
  if (!scroller || (drop->speed_x == 0 && drop->speed_y == 0)) return stop_scrolling(drop);
  if (drop->scroller == GTK_SCROLLED_WINDOW(scroller)) return;
  stop_scrolling(drop);
  drop->scroller = g_object_ref(GTK_SCROLLED_WINDOW(scroller));
  drop->last_frame = 0;
  drop->tick = gtk_widget_add_tick_callback(scroller, scroll, drop, NULL);
}

/* ------------------------------------------------------------------------------------------------------- Drags --- */

static gboolean accepts(CarryPlace *place, gpointer drop) {
  gboolean accepted = FALSE;
  g_signal_emit(target_of(place), signals[ACCEPT], 0, drop, &accepted);
  return accepted;
}

static void set_active(CarryPlace *place, gboolean is_active) {
  if (!place->widget || (target_of(place) && get_private(target_of(place))->is_list)) return;
  if (is_active) gtk_widget_set_state_flags(place->widget, GTK_STATE_FLAG_DROP_ACTIVE, FALSE);
  else gtk_widget_unset_state_flags(place->widget, GTK_STATE_FLAG_DROP_ACTIVE);
}

static void leave(CarryDrop *drop) {
  CarryPlace *place = drop->place;
  stop_scrolling(drop);
  if (!place) return;
  drop->place = NULL;
  set_active(place, FALSE);
  if (target_of(place)) g_signal_emit(target_of(place), signals[LEAVE], 0, drop);
  carry_place_unref(place);
}

static CarryDrop *drop_of(CarryPlace *from, carry_drop_session *session) {
  CarryDrop *drop = carry_drop_session_local_data(session);
  if (drop) return drop;
  drop = g_object_new(CARRY_TYPE_DROP, NULL);
  drop->session = session;
  drop->from = from;
  from->drops = g_slist_prepend(from->drops, drop);
  carry_drop_session_set_local_data(session, drop);
  return drop;
}

static void drop_over(CarryDrop *drop) {
  /* A handler may destroy the widget. */
  drop->from->drops = g_slist_remove(drop->from->drops, drop);
  leave(drop);
  drop->from = NULL;
  drop->session = NULL;
  g_object_unref(drop);
}

/* Each handler may remove the target, or destroy its widget, which ends the drop. */
static int32_t did_update(void *data, carry_drop_session *session) {
  CarryDrop *drop = g_object_ref(drop_of(data, session));
  double x = 0, y = 0;
  carry_drop_session_location(session, NULL, &x, &y);
  CarryPlace *place = carry_place_route(data, CARRY_ROLE_DROP, accepts, drop, &x, &y);
  guint signal = place == drop->place ? MOTION : ENTER;
  if (place) carry_place_ref(place);
  if (signal == ENTER) {
    leave(drop);
    if (place && target_of(place) && drop->session) drop->place = carry_place_ref(place);
  }
  CarryOperation operation = CARRY_OP_CANCEL;
  if (place && place == drop->place && target_of(place)) {
    g_signal_emit(target_of(place), signals[signal], 0, drop, x, y, &operation);
    if (place != drop->place || !target_of(place)) operation = CARRY_OP_CANCEL;
    set_active(place, operation == CARRY_OP_COPY || operation == CARRY_OP_MOVE);
  }
  if (drop->session) update_scrolling(drop, x, y);
  if (place) carry_place_unref(place);
  g_object_unref(drop);
  return (int32_t)operation;
}

static void did_exit(void *data, carry_drop_session *session) { leave(drop_of(data, session)); }

static void perform_drop(void *data, carry_drop_session *session) {
  CarryDrop *drop = drop_of(data, session);
  double x = 0, y = 0;
  stop_scrolling(drop);
  carry_drop_session_location(session, NULL, &x, &y);
  CarryPlace *place = carry_place_route(data, CARRY_ROLE_DROP, accepts, drop, &x, &y);
  if (!place) return;
  /* The handler may remove the target, or destroy its window. */
  g_object_ref(drop);
  carry_place_ref(place);
  gpointer target = g_object_ref(target_of(place));
  GType type = get_private(target)->type;
  drop->is_performing = TRUE;
  if (g_signal_has_handler_pending(target, signals[PROGRESS], 0, FALSE)) {
    drop->progress_target = g_object_ref(target);
    carry_drop_session_set_progress_indicator(session, CARRY_PROGRESS_INDICATOR_NONE);
  }
  g_signal_emit(target, signals[DROP], 0, drop, x, y);
  for (guint i = 0; type != G_TYPE_INVALID && i < carry_drop_get_n_items(drop); i++) {
    if (!type_for(session, (int32_t)i, type)) continue;
    Arrival *arrival = g_new(Arrival, 1);
    *arrival = (Arrival){carry_place_ref(place), x, y};
    carry_drop_read_value_async(drop, i, type, NULL, value_read, arrival);
  }
  drop->is_performing = drop->is_kept_open;
  g_object_unref(target);
  carry_place_unref(place);
  g_object_unref(drop);
}

static void did_end(void *data, carry_drop_session *session, int32_t operation) {
  (void)data, (void)operation;
  CarryDrop *drop = carry_drop_session_local_data(session);
  if (!drop) return;
  carry_drop_session_set_local_data(session, NULL);
  drop_over(drop);
}

void carry_target_forget(CarryPlace *place) {
  while (place->drops) {
    CarryDrop *drop = place->drops->data;
    carry_drop_session_set_local_data(drop->session, NULL);
    drop_over(drop);
  }
}

void carry_target_attach(CarryPlace *place) {
  carry_drop_callbacks callbacks = CARRY_DROP_CALLBACKS_INIT;
  callbacks.user_data = place;
  callbacks.did_update = did_update;
  callbacks.did_exit = did_exit;
  callbacks.perform_drop = perform_drop;
  callbacks.did_end = did_end;
  carry_region_set_drop(place->region, &callbacks);
  carry_region_set_simultaneous(place->region, 1);
  carry_region_set_enabled(place->region, CARRY_INTERACTION_DROP, 1);
}

/* ----------------------------------------------------------------------------------------------------- Targets --- */

static gboolean default_accept(CarryDropTarget *target, CarryDrop *drop) {
  GType type = get_private(target)->type;
  return type == G_TYPE_INVALID || carry_drop_has_value(drop, type);
}

static CarryOperation default_motion(CarryDropTarget *target, CarryDrop *drop, double x, double y) {
  (void)target, (void)drop, (void)x, (void)y;
  return CARRY_OP_COPY;
}

void carry_drop_target_set_is_list(CarryDropTarget *target) { get_private(target)->is_list = TRUE; }

/* The first handler decides; the default only where there is none. */
static gboolean first_wins(GSignalInvocationHint *hint, GValue *all, const GValue *one, gpointer data) {
  (void)hint, (void)data;
  g_value_copy(one, all);
  return FALSE;
}

enum { PROP_TYPE = 1, PROP_EDGE_SCROLL };

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
  switch (id) {
    case PROP_TYPE: get_private(object)->type = g_value_get_gtype(value); break;
    case PROP_EDGE_SCROLL: get_private(object)->edge_scroll = g_value_get_boolean(value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  }
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
  switch (id) {
    case PROP_TYPE: g_value_set_gtype(value, get_private(object)->type); break;
    case PROP_EDGE_SCROLL: g_value_set_boolean(value, get_private(object)->edge_scroll); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  }
}

static void target_init(GTypeInstance *instance, gpointer class) {
  (void)class;
  carry_controller_get_private(instance)->role = CARRY_ROLE_DROP;
  get_private(instance)->type = G_TYPE_INVALID;
  get_private(instance)->edge_scroll = TRUE;
}

static void target_class_init(gpointer class, gpointer data) {
  (void)data;
  g_type_class_adjust_private_offset(class, &private_offset);
  GObjectClass *object = G_OBJECT_CLASS(class);
  object->set_property = set_property;
  object->get_property = get_property;
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
  /**
   * CarryDropTarget:type:
   *
   * The type of the values that #CarryDropTarget::value delivers.
   */
  g_object_class_install_property(object, PROP_TYPE, g_param_spec_gtype("type", "", "", G_TYPE_NONE, flags));
  /**
   * CarryDropTarget:edge-scroll:
   *
   * Whether a drag that rests at an edge of the scrolled window around the widget scrolls it.
   */
  g_object_class_install_property(object, PROP_EDGE_SCROLL,
                                  g_param_spec_boolean("edge-scroll", "", "", TRUE, flags));
  const GType type = G_TYPE_FROM_CLASS(class);
  /**
   * CarryDropTarget::accept:
   * @target: the target
   * @drop: a drag over the widget
   *
   * Whether the widget is a target for this drag. If not, its parents are asked. By default it is one for drags that
   * have an item of the target's type.
   *
   * Returns: whether it is a target
   */
  signals[ACCEPT] = g_signal_new_class_handler("accept", type, G_SIGNAL_RUN_LAST, G_CALLBACK(default_accept),
                                               first_wins, NULL, NULL, G_TYPE_BOOLEAN, 1, CARRY_TYPE_DROP);
  /**
   * CarryDropTarget::enter:
   * @target: the target
   * @drop: the drag
   * @x: where it is
   * @y: where it is
   *
   * A drag has come over the widget.
   *
   * Returns: what a drop would do here, by default a copy
   */
  signals[ENTER] = g_signal_new_class_handler("enter", type, G_SIGNAL_RUN_LAST, G_CALLBACK(default_motion), first_wins,
                                              NULL, NULL, CARRY_TYPE_OPERATION, 3, CARRY_TYPE_DROP, G_TYPE_DOUBLE,
                                              G_TYPE_DOUBLE);
  /**
   * CarryDropTarget::motion:
   * @target: the target
   * @drop: the drag
   * @x: where it is
   * @y: where it is
   *
   * The drag has moved, or the content beneath it. Return at once.
   *
   * Returns: what a drop would do here, by default a copy
   */
  signals[MOTION] = g_signal_new_class_handler("motion", type, G_SIGNAL_RUN_LAST, G_CALLBACK(default_motion),
                                               first_wins, NULL, NULL, CARRY_TYPE_OPERATION, 3, CARRY_TYPE_DROP,
                                               G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  /**
   * CarryDropTarget::leave:
   * @target: the target
   * @drop: the drag
   *
   * The drag has left the widget, or is over.
   */
  signals[LEAVE] =
      g_signal_new("leave", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, CARRY_TYPE_DROP);
  /**
   * CarryDropTarget::drop:
   * @target: the target
   * @drop: the drag
   * @x: where it is
   * @y: where it is
   *
   * The items have been dropped: begin to load them before this returns.
   */
  signals[DROP] = g_signal_new("drop", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3, CARRY_TYPE_DROP,
                               G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  /**
   * CarryDropTarget::value:
   * @target: the target
   * @value: an item as a value of the target's type
   * @x: where it was dropped
   * @y: where it was dropped
   *
   * A dropped item has arrived. Called for each item that has the type.
   */
  signals[VALUE] = g_signal_new("value", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3, G_TYPE_VALUE,
                                G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  /**
   * CarryDropTarget::progress:
   * @target: the target
   * @drop: a drop that loads
   * @fraction: from 0 to 1; negative while unknown. At 1 all loads are over, or nearly
   *
   * A few times a second while items arrive. Without a handler, the engine shows a window with a Cancel button if it
   * takes long. Show @fraction then, and call carry_drop_cancel() if the user wants that.
   */
  signals[PROGRESS] = g_signal_new("progress", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                   CARRY_TYPE_DROP, G_TYPE_DOUBLE);
}

GType carry_drop_target_get_type(void) {
  static gsize type;
  if (g_once_init_enter(&type))
    g_once_init_leave(&type, carry_controller_register("CarryDropTarget", sizeof(TargetPrivate), &private_offset,
                                                       target_class_init, target_init));
  return type;
}
