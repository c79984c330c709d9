/* Drop targets: what a drag does over them. */
#include "carry-gtk-private.h"

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
    if (!carry_drop_type(session, (int32_t)i, type)) continue;
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
