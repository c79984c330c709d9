/* Drag sources, and the drags out of them. */
#include "carry-gtk-private.h"
#include <string.h>

/* ------------------------------------------------------------------------------------------------------- Items --- */

void carry_unref_later(void *object) { g_idle_add_once((GSourceOnceFunc)g_object_unref, object); }

static carry_item *file_item(GFile *file) {
  char *path = g_file_get_path(file);
  carry_item *item = NULL;
  if (path) {
    item = carry_item_create();
    const char *type = g_file_test(path, G_FILE_TEST_IS_DIR) ? "inode/directory" : NULL;
    if (carry_item_add_original(item, type, path) != CARRY_OK) carry_item_add_file(item, type, path);
  } else {
    char *uri = g_file_get_uri(file);
    item = carry_item_create();
    carry_item_add_data(item, "text/uri-list", uri, strlen(uri));
    carry_item_add_text(item, uri);
    g_free(uri);
  }
  g_free(path);
  return item;
}

static void encode_png(GTask *task, gpointer source, gpointer picture, GCancellable *cancellable) {
  (void)source, (void)cancellable;
  g_task_return_pointer(task, carry_content_encode_png(picture), (GDestroyNotify)g_bytes_unref);
}

/* A request, until it is answered. */
typedef struct {
  carry_request *request; /* NULL once nobody waits any more */
} PictureAnswer;

static void picture_cancelled(void *answer) { ((PictureAnswer *)answer)->request = NULL; }

static void png_encoded(GObject *picture, GAsyncResult *result, gpointer data) {
  PictureAnswer *answer = data;
  GBytes *bytes = g_task_propagate_pointer(G_TASK(result), NULL);
  (void)picture;
  if (answer->request && bytes) {
    gsize size;
    const void *png = g_bytes_get_data(bytes, &size);
    carry_request_answer_data(answer->request, png, size);
  } else if (answer->request) {
    carry_request_fail(answer->request, "the picture cannot be encoded");
  }
  if (bytes) g_bytes_unref(bytes);
  g_free(answer);
}

/* A large picture takes a tenth of a second. */
void carry_write_picture(void *picture, carry_request *request, const char *type) {
  (void)type;
  PictureAnswer *answer = g_new(PictureAnswer, 1);
  answer->request = request;
  carry_request_set_cancelled(request, picture_cancelled, answer);
  GTask *task = g_task_new(picture, NULL, png_encoded, answer);
  g_task_set_task_data(task, g_object_ref(picture), g_object_unref);
  g_task_run_in_thread(task, encode_png);
  g_object_unref(task);
}

/* ------------------------------------------------------------------------------------------------------- Drags --- */

/* An item's looks, until it rises. */
typedef struct {
  CarryPlace *place;      /* that it comes from */
  double x, y;            /* the press, in pixels of the place's region */
  GdkRectangle part;      /* of the region, that shows the item; empty for all of it */
  cairo_surface_t *image; /* in place of the part */
  double hot_x, hot_y;    /* the image's pixel beneath the finger */
} Item;

static void item_clear(gpointer data) {
  Item *item = data;
  carry_place_unref(item->place);
  if (item->image) cairo_surface_destroy(item->image);
}

struct _CarryDrag {
  GObject parent;
  carry_drag_session *session; /* NULL when it is over */
  CarryDragSource *source;     /* where it began */
  GArray *items;
  /* While items are added: */
  CarryPlace *place;
  double x, y;
  /* The offer to undo it. */
  guint offer;
};
typedef struct {
  GObjectClass parent;
} CarryDragClass;
G_DEFINE_TYPE(CarryDrag, carry_drag, G_TYPE_OBJECT)

static void carry_drag_init(CarryDrag *drag) {
  drag->items = g_array_new(FALSE, TRUE, sizeof(Item));
  g_array_set_clear_func(drag->items, item_clear);
}

static void drag_finalize(GObject *object) {
  CarryDrag *drag = CARRY_DRAG(object);
  g_array_unref(drag->items);
  g_object_unref(drag->source);
  G_OBJECT_CLASS(carry_drag_parent_class)->finalize(object);
}

static void carry_drag_class_init(CarryDragClass *class) { G_OBJECT_CLASS(class)->finalize = drag_finalize; }

void carry_drag_add_item(CarryDrag *drag, carry_item *item) {
  if (!drag->place) {
    g_warning("Carry: items can be added within prepare and prepare-more only");
  } else if (carry_drag_session_add_item_from(drag->session, item, drag->place->region) == CARRY_OK) {
    Item added = {carry_place_ref(drag->place), drag->x, drag->y, {0, 0, 0, 0}, NULL, 0, 0};
    g_array_append_val(drag->items, added);
  } else {
    g_warning("Carry: %s", carry_last_error());
  }
  carry_item_destroy(item);
}

void carry_drag_add_text(CarryDrag *drag, const char *text) {
  carry_item *item = carry_item_create();
  carry_item_add_text(item, text);
  carry_drag_add_item(drag, item);
}

void carry_drag_add_file(CarryDrag *drag, GFile *file) { carry_drag_add_item(drag, file_item(file)); }

void carry_drag_add_bytes(CarryDrag *drag, const char *type, GBytes *bytes) {
  carry_item *item = carry_item_create();
  gsize size;
  const void *data = g_bytes_get_data(bytes, &size);
  carry_item_add_data(item, type, data ? data : "", size);
  carry_drag_add_item(drag, item);
}

guint carry_drag_get_n_items(CarryDrag *drag) { return drag->items->len; }

gboolean carry_drag_item_moved(CarryDrag *drag, guint item) {
  return drag->session && carry_drag_session_item_moved(drag->session, (int32_t)item) == 1;
}

CarryDragSource *carry_drag_get_source(CarryDrag *drag) { return drag->source; }

CarryDrag *carry_drag_of(carry_drop_session *drop) {
  carry_drag_session *session = carry_drop_session_local_drag_session(drop);
  return session ? carry_drag_session_local_data(session) : NULL;
}

/* ------------------------------------------------------------------------------------------------- Their looks --- */

double carry_drag_get_scale(CarryDrag *drag) {
  return drag->place && drag->place->widget ? gtk_widget_get_scale_factor(drag->place->widget) : 1;
}

void carry_drag_set_image(CarryDrag *drag, guint item, cairo_surface_t *image, double hot_x, double hot_y) {
  if (!drag->place || item >= drag->items->len) {
    g_warning("Carry: an icon can be set for an item that has been added, within prepare and prepare-more only");
    return cairo_surface_destroy(image);
  }
  Item *looks = &g_array_index(drag->items, Item, item);
  if (looks->image) cairo_surface_destroy(looks->image);
  looks->image = image;
  looks->hot_x = hot_x;
  looks->hot_y = hot_y;
}

void carry_drag_set_part(CarryDrag *drag, guint item, const GdkRectangle *pixels) {
  GdkRectangle *part = &g_array_index(drag->items, Item, item).part;
  *part = *pixels;
  part->x -= drag->place->rect.x;
  part->y -= drag->place->rect.y;
}

static carry_preview *image_preview(Item *item) {
  int width = cairo_image_surface_get_width(item->image), height = cairo_image_surface_get_height(item->image);
  cairo_surface_flush(item->image);
  carry_preview *preview =
      carry_preview_create_image((const uint32_t *)(void *)cairo_image_surface_get_data(item->image), width, height, 1);
  if (!preview) {
    g_warning("Carry: %s", carry_last_error());
    return NULL;
  }
  carry_preview_set_background(preview, 0);
  carry_preview_set_target(preview, item->place->region, item->x - item->hot_x + width / 2.0,
                           item->y - item->hot_y + height / 2.0, 1, 0);
  return preview;
}

static int32_t preview_for_lifting(void *data, carry_drag_session *session, int32_t index, carry_preview **preview) {
  CarryDrag *drag = carry_drag_session_local_data(session);
  (void)data;
  if (!drag || (guint)index >= drag->items->len) return CARRY_PREVIEW_USUAL;
  Item *item = &g_array_index(drag->items, Item, index);
  if (item->image) *preview = image_preview(item);
  else if (item->part.width > 0 && item->place->region)
    *preview = carry_preview_create_region(item->place->region, item->part.x, item->part.y, item->part.width,
                                           item->part.height);
  return *preview ? CARRY_PREVIEW_OWN : CARRY_PREVIEW_USUAL;
}

/* ----------------------------------------------------------------------------------------------------- Sources --- */

typedef struct {
  gboolean allows_move, allows_move_to_others;
} SourcePrivate;

enum { PREPARE, PREPARE_MORE, LIFT_BEGIN, DRAG_BEGIN, DRAG_END, TRANSFERRED, UNDO, N_SIGNALS };
static guint signals[N_SIGNALS];
static int private_offset;

static SourcePrivate *get_private(gpointer source) { return G_STRUCT_MEMBER_P(source, private_offset); }

/* Asks a source for items. */
static void prepare(CarryDrag *drag, CarryPlace *place, guint signal, double x, double y, double px, double py) {
  gpointer source = g_object_ref(place->controllers[CARRY_ROLE_DRAG]);
  drag->place = carry_place_ref(place);
  drag->x = px;
  drag->y = py;
  g_signal_emit(source, signals[signal], 0, drag, x, y);
  drag->place = NULL;
  carry_place_unref(place);
  g_object_unref(source);
}

static int32_t may_begin(void *data, double x, double y) {
  return carry_place_route(data, CARRY_ROLE_DRAG, NULL, NULL, &x, &y) != NULL;
}

static void items_for_beginning(void *data, carry_drag_session *session, double x, double y) {
  CarryPlace *from = data;
  double px = x, py = y;
  CarryPlace *place = carry_place_route(from, CARRY_ROLE_DRAG, NULL, NULL, &x, &y);
  if (!place) return;
  CarryDrag *drag = g_object_new(CARRY_TYPE_DRAG, NULL);
  drag->session = session;
  drag->source = CARRY_DRAG_SOURCE(g_object_ref(place->controllers[CARRY_ROLE_DRAG]));
  carry_drag_session_set_local_data(session, drag);
  prepare(drag, place, PREPARE, x, y, px + from->rect.x - place->rect.x, py + from->rect.y - place->rect.y);
  if (drag->items->len > 0) return;
  carry_drag_session_set_local_data(session, NULL);
  drag->session = NULL;
  g_object_unref(drag);
}

static void items_for_adding(void *data, carry_drag_session *session, double x, double y) {
  CarryDrag *drag = carry_drag_session_local_data(session);
  CarryPlace *from = data;
  double px = x, py = y;
  CarryPlace *place = carry_place_route(from, CARRY_ROLE_DRAG, NULL, NULL, &x, &y);
  if (drag && place)
    prepare(drag, place, PREPARE_MORE, x, y, px + from->rect.x - place->rect.x, py + from->rect.y - place->rect.y);
}

static void tell(carry_drag_session *session, guint signal) {
  CarryDrag *drag = carry_drag_session_local_data(session);
  if (drag) g_signal_emit(drag->source, signals[signal], 0, drag);
}

static void finish(CarryDrag *drag) {
  carry_drag_session_set_local_data(drag->session, NULL);
  drag->session = NULL;
  g_object_unref(drag);
}

static void lift_began(void *data, carry_drag_session *session) { (void)data, tell(session, LIFT_BEGIN); }
static void will_begin(void *data, carry_drag_session *session) { (void)data, tell(session, DRAG_BEGIN); }

static void lift_ended(void *data, carry_drag_session *session, int32_t completed) {
  CarryDrag *drag = carry_drag_session_local_data(session);
  (void)data;
  if (completed || !drag) return;
  g_signal_emit(drag->source, signals[DRAG_END], 0, drag, CARRY_OP_CANCEL);
  finish(drag);
}

static void did_end(void *data, carry_drag_session *session, int32_t operation) {
  CarryDrag *drag = carry_drag_session_local_data(session);
  (void)data;
  if (!drag) return;
  g_signal_emit(drag->source, signals[DRAG_END], 0, drag, operation);
  if (operation != CARRY_OP_COPY && operation != CARRY_OP_MOVE) finish(drag);
}

/* ------------------------------------------------------------------------------------------------------- Undo --- */

/* The engine does not say that an offer has lapsed: it lasts six seconds, and can be made three seconds late. */
enum { OFFER_SECONDS = 10 };

static gboolean offer_lapsed(gpointer drag) {
  ((CarryDrag *)drag)->offer = 0;
  return G_SOURCE_REMOVE;
}

static void undo(void *data) {
  CarryDrag *drag = data;
  g_signal_emit(drag->source, signals[UNDO], 0, drag);
}

void carry_drag_offer_undo(CarryDrag *drag, const char *title) {
  if (!drag->session || carry_drag_session_offer_undo(drag->session, title, undo, drag) != CARRY_OK)
    g_warning("Carry: %s", drag->session ? carry_last_error() : "undo can be offered within transferred only");
  else if (!drag->offer)
    drag->offer =
        g_timeout_add_seconds_full(G_PRIORITY_LOW, OFFER_SECONDS, offer_lapsed, g_object_ref(drag), g_object_unref);
}

static void did_transfer(void *data, carry_drag_session *session) {
  CarryDrag *drag = carry_drag_session_local_data(session);
  (void)data;
  if (!drag) return;
  g_signal_emit(drag->source, signals[TRANSFERRED], 0, drag);
  finish(drag);
}

static int32_t allows_move(void *data, carry_drag_session *session) {
  CarryDrag *drag = carry_drag_session_local_data(session);
  (void)data;
  return !drag || get_private(drag->source)->allows_move;
}

static int32_t allows_move_to_others(void *data, carry_drag_session *session) {
  CarryDrag *drag = carry_drag_session_local_data(session);
  (void)data;
  return drag && get_private(drag->source)->allows_move_to_others;
}

void carry_source_attach(CarryPlace *place) {
  carry_drag_callbacks callbacks = CARRY_DRAG_CALLBACKS_INIT;
  callbacks.user_data = place;
  callbacks.may_begin = may_begin;
  callbacks.items_for_beginning = items_for_beginning;
  callbacks.items_for_adding = items_for_adding;
  callbacks.lift_began = lift_began;
  callbacks.lift_ended = lift_ended;
  callbacks.session_will_begin = will_begin;
  callbacks.did_end = did_end;
  callbacks.did_transfer = did_transfer;
  callbacks.preview_for_lifting = preview_for_lifting;
  callbacks.allows_move = allows_move;
  callbacks.allows_move_to_others = allows_move_to_others;
  carry_region_set_drag(place->region, &callbacks);
  carry_region_set_enabled(place->region, CARRY_INTERACTION_DRAG, 1);
}

enum { PROP_ALLOWS_MOVE = 1, PROP_ALLOWS_MOVE_TO_OTHERS };

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
  SourcePrivate *self = get_private(object);
  switch (id) {
    case PROP_ALLOWS_MOVE: self->allows_move = g_value_get_boolean(value); break;
    case PROP_ALLOWS_MOVE_TO_OTHERS: self->allows_move_to_others = g_value_get_boolean(value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  }
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
  SourcePrivate *self = get_private(object);
  switch (id) {
    case PROP_ALLOWS_MOVE: g_value_set_boolean(value, self->allows_move); break;
    case PROP_ALLOWS_MOVE_TO_OTHERS: g_value_set_boolean(value, self->allows_move_to_others); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  }
}

static void source_init(GTypeInstance *instance, gpointer class) {
  (void)class;
  carry_controller_get_private(instance)->role = CARRY_ROLE_DRAG;
  get_private(instance)->allows_move = TRUE;
}

static void source_class_init(gpointer class, gpointer data) {
  (void)data;
  g_type_class_adjust_private_offset(class, &private_offset);
  GObjectClass *object = G_OBJECT_CLASS(class);
  object->set_property = set_property;
  object->get_property = get_property;
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
  /**
   * CarryDragSource:allows-move:
   *
   * Whether a target in this application may propose a move.
   */
  g_object_class_install_property(
      object, PROP_ALLOWS_MOVE, g_param_spec_boolean("allows-move", "", "", TRUE, flags));
  /**
   * CarryDragSource:allows-move-to-others:
   *
   * Whether a target in another application may propose a move. Remove then, in #CarryDragSource::transferred, the
   * items of which carry_drag_item_moved() is true.
   */
  g_object_class_install_property(
      object, PROP_ALLOWS_MOVE_TO_OTHERS, g_param_spec_boolean("allows-move-to-others", "", "", FALSE, flags));
  const GType type = G_TYPE_FROM_CLASS(class);
  /**
   * CarryDragSource::prepare:
   * @source: the source
   * @drag: the drag that begins
   * @x: where the press is
   * @y: where the press is
   *
   * A press asks what it lifts: add items to @drag. Without items the press is an ordinary one. Return at once.
   */
  signals[PREPARE] = g_signal_new("prepare", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                                  CARRY_TYPE_DRAG, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  /**
   * CarryDragSource::prepare-more:
   * @source: the source
   * @drag: a drag that runs
   * @x: where the tap is
   * @y: where the tap is
   *
   * Another finger taps while @drag is carried: add items to it, but none that it has.
   */
  signals[PREPARE_MORE] = g_signal_new("prepare-more", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                                       CARRY_TYPE_DRAG, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  /**
   * CarryDragSource::lift-begin:
   * @source: the source
   * @drag: the drag
   *
   * The items begin to rise.
   */
  signals[LIFT_BEGIN] =
      g_signal_new("lift-begin", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, CARRY_TYPE_DRAG);
  /**
   * CarryDragSource::drag-begin:
   * @source: the source
   * @drag: the drag
   *
   * The finger moves.
   */
  signals[DRAG_BEGIN] =
      g_signal_new("drag-begin", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, CARRY_TYPE_DRAG);
  /**
   * CarryDragSource::drag-end:
   * @source: the source
   * @drag: the drag
   * @operation: what became of it
   *
   * The drag is over, and any dimming with it. Data may still be requested after a copy or a move.
   */
  signals[DRAG_END] = g_signal_new("drag-end", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                   CARRY_TYPE_DRAG, CARRY_TYPE_OPERATION);
  /**
   * CarryDragSource::transferred:
   * @source: the source
   * @drag: the drag
   *
   * After a copy or a move: everything that the target requested has been delivered, or has failed.
   */
  signals[TRANSFERRED] =
      g_signal_new("transferred", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, CARRY_TYPE_DRAG);
  /**
   * CarryDragSource::undo:
   * @source: the source
   * @drag: the drag
   *
   * The user undoes the move, as carry_drag_offer_undo() has offered.
   */
  signals[UNDO] = g_signal_new("undo", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, CARRY_TYPE_DRAG);
}

GType carry_drag_source_get_type(void) {
  static gsize type;
  if (g_once_init_enter(&type))
    g_once_init_leave(&type, carry_controller_register("CarryDragSource", sizeof(SourcePrivate), &private_offset,
                                                       source_class_init, source_init));
  return type;
}
