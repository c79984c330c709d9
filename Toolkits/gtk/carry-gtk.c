/* The connection, and the regions: one for each visible widget with a controller, kept in step once a frame. */
#define _GNU_SOURCE
#include "carry-gtk-private.h"
#include <carry-glib.h>
#include <dlfcn.h>
#include <gdk/x11/gdkx.h>
#include <math.h>

GType carry_operation_get_type(void) {
  static gsize type;
  if (g_once_init_enter(&type)) {
    static const GEnumValue values[] = {{CARRY_OP_CANCEL, "CARRY_OP_CANCEL", "cancel"},
                                        {CARRY_OP_FORBIDDEN, "CARRY_OP_FORBIDDEN", "forbidden"},
                                        {CARRY_OP_COPY, "CARRY_OP_COPY", "copy"},
                                        {CARRY_OP_MOVE, "CARRY_OP_MOVE", "move"},
                                        {0, NULL, NULL}};
    g_once_init_leave(&type, g_enum_register_static("CarryOperation", values));
  }
  return type;
}

/* ------------------------------------------------------------------------------------------------- The client --- */

static carry_client *client;

static void lost(gpointer data) {
  (void)data;
  g_warning("Carry: %s", carry_last_error());
}

/* The program's connection; NULL on a display that is not X11. It waits for an engine, and outlives it. */
static carry_client *get_client(GdkSurface *surface) {
  if (!client && GDK_IS_X11_SURFACE(surface)) {
    client = carry_client_create_awaiting(g_get_application_name(), NULL);
    if (client) carry_glib_attach(client, NULL, lost, NULL);
    else g_warning("Carry: %s", carry_last_error());
  }
  return client;
}

/* ------------------------------------------------------------------------------------------------- The windows --- */

/* A surface with places: looked through in the frames in which something may have moved, and in no others. */
typedef struct CarryWindow {
  GdkSurface *surface;
  GdkFrameClock *clock;
  gulong layout, after_paint;
  gboolean is_dirty;
  GPtrArray *places;
} CarryWindow;

static void place_update(CarryPlace *place);

static void surface_layout(GdkSurface *surface, int width, int height, gpointer data) {
  (void)surface, (void)width, (void)height;
  ((CarryWindow *)data)->is_dirty = TRUE;
}

static void after_paint(GdkFrameClock *clock, gpointer data) {
  CarryWindow *window = data;
  (void)clock;
  if (!window->is_dirty) return;
  window->is_dirty = FALSE;
  for (guint i = 0; i < window->places->len; i++) place_update(window->places->pdata[i]);
}

static void window_free(gpointer data) {
  CarryWindow *window = data;
  for (guint i = 0; i < window->places->len; i++) ((CarryPlace *)window->places->pdata[i])->window = NULL;
  g_clear_signal_handler(&window->after_paint, window->clock);
  g_object_unref(window->clock);
  g_ptr_array_unref(window->places);
  g_free(window);
}

static CarryWindow *window_of(GdkSurface *surface) {
  CarryWindow *window = g_object_get_data(G_OBJECT(surface), "carry-window");
  if (window) return window;
  window = g_new0(CarryWindow, 1);
  window->surface = surface;
  window->clock = g_object_ref(gdk_surface_get_frame_clock(surface));
  window->places = g_ptr_array_new();
  window->layout = g_signal_connect_after(surface, "layout", G_CALLBACK(surface_layout), window);
  window->after_paint = g_signal_connect(window->clock, "after-paint", G_CALLBACK(after_paint), window);
  g_object_set_data_full(G_OBJECT(surface), "carry-window", window, window_free);
  return window;
}

/* -------------------------------------------------------------------------------------------------- The places --- */

static GQuark place_quark(void) { return g_quark_from_static_string("carry-place"); }

static CarryPlace *place_of(GtkWidget *widget) { return g_object_get_qdata(G_OBJECT(widget), place_quark()); }

CarryPlace *carry_place_ref(CarryPlace *place) {
  place->refs++;
  return place;
}

void carry_place_unref(CarryPlace *place) {
  if (--place->refs == 0) g_free(place);
}

static void destroy_region(CarryPlace *place) {
  if (!place->region) return;
  carry_target_forget(place);
  carry_region_destroy(place->region);
  place->region = NULL;
}

/* The visible part of a widget in its surface, in GTK's units. */
static gboolean visible_bounds(GtkWidget *widget, GtkNative *native, graphene_rect_t *bounds) {
  if (!gtk_widget_get_mapped(widget) || !gtk_widget_compute_bounds(widget, GTK_WIDGET(native), bounds)) return FALSE;
  for (GtkWidget *w = widget; w && w != GTK_WIDGET(native); w = gtk_widget_get_parent(w)) {
    graphene_rect_t clip;
    if (gtk_widget_get_overflow(w) != GTK_OVERFLOW_HIDDEN) continue;
    if (!gtk_widget_compute_bounds(w, GTK_WIDGET(native), &clip) || !graphene_rect_intersection(bounds, &clip, bounds))
      return FALSE;
  }
  double tx, ty;
  gtk_native_get_surface_transform(native, &tx, &ty);
  graphene_rect_offset(bounds, (float)tx, (float)ty);
  return bounds->size.width > 0 && bounds->size.height > 0;
}

static void set_rectangle(CarryPlace *place, int x, int y, int width, int height) {
  if (place->x == x && place->y == y && place->width == width && place->height == height) return;
  place->x = x, place->y = y, place->width = width, place->height = height;
  carry_region_set_rectangle(place->region, x, y, width, height);
}

static void attach_roles(CarryPlace *place) {
  if (!place->region) return;
  if (place->controllers[CARRY_ROLE_DRAG]) carry_source_attach(place);
  if (place->controllers[CARRY_ROLE_DROP]) carry_target_attach(place);
  if (place->controllers[CARRY_ROLE_SPRING]) carry_spring_attach(place);
}

static void touch_cancelled(void *data, uint32_t touch);

/* Keeps the region where the widget is. A widget that has never been visible has no region. */
static void place_update(CarryPlace *place) {
  graphene_rect_t bounds;
  GdkSurface *surface = place->window ? place->window->surface : NULL;
  GtkNative *native = place->widget ? gtk_widget_get_native(place->widget) : NULL;
  if (!surface || !native || !visible_bounds(place->widget, native, &bounds)) {
    if (place->region) set_rectangle(place, 0, 0, 0, 0);
    return;
  }
  if (!get_client(surface)) return;
  int scale = gdk_surface_get_scale_factor(surface);
  int x = (int)floor(bounds.origin.x * scale), y = (int)floor(bounds.origin.y * scale);
  int width = (int)ceil((bounds.origin.x + bounds.size.width) * scale) - x;
  int height = (int)ceil((bounds.origin.y + bounds.size.height) * scale) - y;
  uint32_t xid = (uint32_t)gdk_x11_surface_get_xid(surface);
  if (place->region && place->xid != xid) destroy_region(place);
  if (!place->region) {
    place->xid = xid;
    place->x = x, place->y = y, place->width = width, place->height = height;
    place->region = carry_region_create(client, xid, x, y, width, height);
    /* GTK grabs the touchscreen for a popover, so its touches cannot be held back from it. */
    if (GTK_IS_POPOVER(native)) carry_region_set_touch_cancelled(place->region, touch_cancelled, place);
    attach_roles(place);
  }
  set_rectangle(place, x, y, width, height);
}

static void place_mapped(GtkWidget *widget, CarryPlace *place) {
  GtkNative *native = gtk_widget_get_native(widget);
  GdkSurface *surface = native ? gtk_native_get_surface(native) : NULL;
  if (!surface || place->window) return;
  place->window = window_of(surface);
  g_ptr_array_add(place->window->places, place);
  place->window->is_dirty = TRUE;
  gdk_frame_clock_request_phase(place->window->clock, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT);
}

static void place_unmapped(GtkWidget *widget, CarryPlace *place) {
  (void)widget;
  if (place->window) g_ptr_array_remove_fast(place->window->places, place);
  place->window = NULL;
  place_update(place);
}

static CarryPlace *make_place(GtkWidget *widget) {
  CarryPlace *place = g_new0(CarryPlace, 1);
  place->refs = 1;
  place->widget = widget;
  g_object_set_qdata(G_OBJECT(widget), place_quark(), place);
  g_signal_connect_after(widget, "map", G_CALLBACK(place_mapped), place);
  g_signal_connect(widget, "unmap", G_CALLBACK(place_unmapped), place);
  return place;
}

static void remove_place(CarryPlace *place) {
  g_signal_handlers_disconnect_by_data(place->widget, place);
  g_object_set_qdata(G_OBJECT(place->widget), place_quark(), NULL);
  if (place->window) g_ptr_array_remove_fast(place->window->places, place);
  place->window = NULL;
  place->widget = NULL;
  destroy_region(place);
  carry_place_unref(place);
}

/* ----------------------------------------------------------------------------------------------------- Routing --- */

/* Whether a widget handles presses itself, as buttons, sliders and entries do; labels, pictures, boxes and rows do
   not. */
static gboolean owns_presses(GtkWidget *widget) {
  GListModel *list = gtk_widget_observe_controllers(widget);
  gboolean owns = FALSE;
  for (guint i = 0; !owns && i < g_list_model_get_n_items(list); i++) {
    gpointer controller = g_list_model_get_item(list, i);
    owns = GTK_IS_GESTURE(controller);
    g_object_unref(controller);
  }
  g_object_unref(list);
  return owns;
}

CarryPlace *carry_place_route(CarryPlace *from, CarryRole role, gboolean (*accepts)(CarryPlace *place, gpointer data),
                              gpointer data, double *x, double *y) {
  if (!from->widget || !from->window) return NULL;
  GtkNative *native = gtk_widget_get_native(from->widget);
  int scale = gdk_surface_get_scale_factor(from->window->surface);
  double tx, ty;
  gtk_native_get_surface_transform(native, &tx, &ty);
  graphene_point_t point = {(float)((from->x + *x) / scale - tx), (float)((from->y + *y) / scale - ty)}, local;
  for (GtkWidget *w = gtk_widget_pick(GTK_WIDGET(native), point.x, point.y, GTK_PICK_DEFAULT); w;
       w = gtk_widget_get_parent(w)) {
    CarryPlace *place = place_of(w);
    if (place && place->controllers[role] && (!accepts || accepts(place, data))) {
      if (!gtk_widget_compute_point(GTK_WIDGET(native), w, &point, &local)) return NULL;
      *x = local.x, *y = local.y;
      return place;
    }
    if (role == CARRY_ROLE_DRAG && owns_presses(w)) return NULL;
  }
  return NULL;
}

/* ----------------------------------------------------------------------------------------- Touches in popovers --- */

/* Keeps the rest of a touch that has lifted from the popover's own controllers. */
static gboolean swallow(GtkEventControllerLegacy *legacy, GdkEvent *event, gpointer touch) {
  GdkEventSequence *sequence = gdk_event_get_event_sequence(event);
  if (!sequence || (gpointer)sequence != touch) return FALSE;
  GdkEventType type = gdk_event_get_event_type(event);
  if (type == GDK_TOUCH_END || type == GDK_TOUCH_CANCEL)
    gtk_widget_remove_controller(gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(legacy)),
                                 GTK_EVENT_CONTROLLER(legacy));
  return TRUE;
}

static void touch_cancelled(void *data, uint32_t touch) {
  CarryPlace *place = data;
  if (!place->widget) return;
  GtkWidget *native = GTK_WIDGET(gtk_widget_get_native(place->widget));
  for (GtkWidget *w = place->widget; w; w = w == native ? NULL : gtk_widget_get_parent(w)) {
    GListModel *list = gtk_widget_observe_controllers(w);
    for (guint i = 0; i < g_list_model_get_n_items(list); i++) {
      gpointer controller = g_list_model_get_item(list, i);
      gtk_event_controller_reset(controller);
      g_object_unref(controller);
    }
    g_object_unref(list);
  }
  GtkEventController *legacy = gtk_event_controller_legacy_new();
  gtk_event_controller_set_propagation_phase(legacy, GTK_PHASE_CAPTURE);
  g_signal_connect(legacy, "event", G_CALLBACK(swallow), GUINT_TO_POINTER(touch));
  gtk_widget_add_controller(native, legacy);
}

/* ------------------------------------------------------------------------------------------------- Controllers --- */

/* GtkEventControllerClass is private. Its first members are these two, in all versions of GTK 4 so far; that they are
   functions of GTK is checked when the class is made. */
typedef struct {
  GObjectClass parent;
  void (*set_widget)(GtkEventController *controller, GtkWidget *widget);
  void (*unset_widget)(GtkEventController *controller);
} ControllerClass;

static ControllerClass base;
static int private_offset;

CarryControllerPrivate *carry_controller_get_private(gpointer controller) {
  return G_STRUCT_MEMBER_P(controller, private_offset);
}

static void set_widget(GtkEventController *controller, GtkWidget *widget) {
  CarryControllerPrivate *self = carry_controller_get_private(controller);
  base.set_widget(controller, widget);
  CarryPlace *place = place_of(widget);
  if (!place) place = make_place(widget);
  if (place->controllers[self->role])
    g_warning("Carry: %s has a %s already; the newest one counts", G_OBJECT_TYPE_NAME(widget),
              G_OBJECT_TYPE_NAME(controller));
  place->controllers[self->role] = controller;
  self->place = place;
  attach_roles(place);
  if (gtk_widget_get_mapped(widget)) place_mapped(widget, place);
}

static void unset_widget(GtkEventController *controller) {
  static const uint32_t interactions[] = {CARRY_INTERACTION_DRAG, CARRY_INTERACTION_DROP, CARRY_INTERACTION_SPRING};
  CarryControllerPrivate *self = carry_controller_get_private(controller);
  CarryPlace *place = self->place;
  self->place = NULL;
  if (place && place->controllers[self->role] == controller) {
    place->controllers[self->role] = NULL;
    /* The callbacks stay: a drag that runs ends by them. */
    if (place->region) carry_region_set_enabled(place->region, interactions[self->role], 0);
    gboolean is_empty = TRUE;
    for (int i = 0; i < CARRY_N_ROLES; i++) is_empty &= !place->controllers[i];
    if (is_empty) remove_place(place);
  }
  base.unset_widget(controller);
}

static gboolean is_of_gtk(void *function) {
  Dl_info gtk, info;
  return function && dladdr((void *)gtk_widget_get_type, &gtk) && dladdr(function, &info) &&
         gtk.dli_fbase == info.dli_fbase;
}

static void class_init(gpointer class, gpointer data) {
  ControllerClass *head = class;
  (void)data;
  g_type_class_adjust_private_offset(class, &private_offset);
  if (!is_of_gtk((void *)head->set_widget) || !is_of_gtk((void *)head->unset_widget))
    g_error("Carry: this version of GTK has another GtkEventControllerClass; a newer libcarry-gtk4 is needed");
  base = *head;
  head->set_widget = set_widget;
  head->unset_widget = unset_widget;
}

GType carry_controller_get_type(void) {
  static gsize type;
  if (g_once_init_enter(&type)) {
    GTypeQuery query;
    g_type_query(GTK_TYPE_EVENT_CONTROLLER, &query);
    GType t = g_type_register_static_simple(GTK_TYPE_EVENT_CONTROLLER, "CarryController", query.class_size, class_init,
                                            query.instance_size, NULL, G_TYPE_FLAG_ABSTRACT);
    private_offset = g_type_add_instance_private(t, sizeof(CarryControllerPrivate));
    g_once_init_leave(&type, t);
  }
  return type;
}

GType carry_controller_register(const char *name, gsize private_size, int *offset, GClassInitFunc init_class,
                                GInstanceInitFunc init) {
  GTypeQuery query;
  g_type_query(carry_controller_get_type(), &query);
  GType type = g_type_register_static_simple(carry_controller_get_type(), name, query.class_size, init_class,
                                             query.instance_size, init, 0);
  if (private_size) *offset = g_type_add_instance_private(type, private_size);
  return type;
}
