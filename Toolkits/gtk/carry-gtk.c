/* The connection, and the regions: one for each visible widget with a controller, kept in step once a frame. */
#include "carry-gtk-private.h"
#include <carry-glib.h>

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

/* The program's connection. It waits for an engine, and outlives it. */
static carry_client *get_client(void) {
  if (client) return client;
  client = carry_client_create_awaiting(g_get_application_name(), NULL);
  if (client) carry_glib_attach(client, NULL, lost, NULL);
  else g_warning("Carry: %s", carry_last_error());
  return client;
}

/* ------------------------------------------------------------------------------------------------- The windows --- */

/* A surface with places: looked through in the frames in which something may have moved, and in no others. */
typedef struct CarryWindow {
  GdkFrameClock *clock;
  gboolean is_dirty;
  GPtrArray *places;
} CarryWindow;

static void place_update(CarryPlace *place);

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
  /* A clock that was disposed has no handlers any more. */
  g_signal_handlers_disconnect_by_data(window->clock, window);
  g_signal_handlers_disconnect_by_data(window->clock, &window->is_dirty);
  g_object_unref(window->clock);
  g_ptr_array_unref(window->places);
  g_free(window);
}

static CarryWindow *window_of(CarrySurface *surface) {
  CarryWindow *window = g_object_get_data(G_OBJECT(surface), "carry-window");
  if (window) return window;
  window = g_new0(CarryWindow, 1);
  window->clock = g_object_ref(carry_surface_get_frame_clock(surface));
  window->places = g_ptr_array_new();
  g_signal_connect(window->clock, "after-paint", G_CALLBACK(after_paint), window);
  carry_surface_watch(surface, &window->is_dirty);
  g_object_set_data_full(G_OBJECT(surface), "carry-window", window, window_free);
  return window;
}

/* -------------------------------------------------------------------------------------------------- The places --- */

static GQuark place_quark(void) { return g_quark_from_static_string("carry-place"); }

CarryPlace *carry_place_of(GtkWidget *widget) { return g_object_get_qdata(G_OBJECT(widget), place_quark()); }

CarryPlace *carry_place_ref(CarryPlace *place) {
  place->refs++;
  return place;
}

void carry_place_unref(CarryPlace *place) {
  if (--place->refs == 0) g_free(place);
}

static void label_region(CarryPlace *place) {
  const char *label = g_object_get_data(G_OBJECT(place->widget), "carry-label");
  if (carry_region_set_label(place->region, label ? label : "") != CARRY_OK)
    g_warning("Carry: %s", carry_last_error());
}

void carry_widget_set_label(GtkWidget *widget, const char *label) {
  g_return_if_fail(GTK_IS_WIDGET(widget));
  CarryPlace *place = carry_place_of(widget);
  g_object_set_data_full(G_OBJECT(widget), "carry-label", g_strdup(label), g_free);
  if (place && place->region) label_region(place);
}

static void destroy_region(CarryPlace *place) {
  if (!place->region) return;
  carry_target_forget(place);
  carry_region_destroy(place->region);
  place->region = NULL;
}

static void attach_roles(CarryPlace *place) {
  if (!place->region) return;
  if (place->controllers[CARRY_ROLE_DRAG]) carry_source_attach(place);
  if (place->controllers[CARRY_ROLE_DROP]) carry_target_attach(place);
  if (place->controllers[CARRY_ROLE_SPRING]) carry_spring_attach(place);
}

/* Keeps the region where the widget is. A widget that has never been visible has no region. */
static void place_update(CarryPlace *place) {
  GdkRectangle rect = {0, 0, 0, 0};
  CarrySurface *surface = place->window ? carry_surface_of(place->widget) : NULL;
  uint32_t xid = surface ? carry_surface_get_xid(surface) : 0;
  gboolean is_visible = xid && carry_widget_get_rect(place->widget, &rect);
  if (is_visible && place->region && place->xid != xid) destroy_region(place);
  if (is_visible && !place->region && get_client()) {
    place->xid = xid;
    place->rect = rect;
    place->region = carry_region_create(client, xid, rect.x, rect.y, rect.width, rect.height);
    label_region(place);
    carry_place_watch_touches(place);
    attach_roles(place);
  }
  if (!place->region || gdk_rectangle_equal(&place->rect, &rect)) return;
  place->rect = rect;
  carry_region_set_rectangle(place->region, rect.x, rect.y, rect.width, rect.height);
}

static void place_mapped(GtkWidget *widget, CarryPlace *place) {
  CarrySurface *surface = carry_surface_of(widget);
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

gpointer carry_place_add(GtkWidget *widget, gpointer controller) {
  CarryControllerPrivate *self = carry_controller_get_private(controller);
  CarryPlace *place = carry_place_of(widget);
  if (!place) place = make_place(widget);
  gpointer replaced = place->controllers[self->role];
  if (replaced)
    g_warning("Carry: %s has a %s already; the newest one counts", G_OBJECT_TYPE_NAME(widget),
              G_OBJECT_TYPE_NAME(controller));
  place->controllers[self->role] = controller;
  self->place = place;
  attach_roles(place);
  if (gtk_widget_get_mapped(widget)) place_mapped(widget, place);
  return replaced;
}

void carry_place_remove(gpointer controller) {
  static const uint32_t interactions[] = {CARRY_INTERACTION_DRAG, CARRY_INTERACTION_DROP, CARRY_INTERACTION_SPRING};
  CarryControllerPrivate *self = carry_controller_get_private(controller);
  CarryPlace *place = self->place;
  self->place = NULL;
  if (!place || place->controllers[self->role] != controller) return;
  place->controllers[self->role] = NULL;
  /* The callbacks stay: a drag that runs ends by them. */
  if (place->region) carry_region_set_enabled(place->region, interactions[self->role], 0);
  if (self->role != CARRY_ROLE_DRAG && gtk_widget_get_mapped(place->widget))
    gtk_widget_unset_state_flags(place->widget, GTK_STATE_FLAG_DROP_ACTIVE);
  for (int i = 0; i < CARRY_N_ROLES; i++)
    if (place->controllers[i]) return;
  remove_place(place);
}

/* ----------------------------------------------------------------------------------------------------- Routing --- */

CarryPlace *carry_route_in(GtkWidget *any, CarryRole role, gboolean (*accepts)(CarryPlace *place, gpointer data),
                           gpointer data, double *x, double *y) {
  for (GtkWidget *w = carry_widget_pick(any, x, y); w; w = gtk_widget_get_parent(w)) {
    CarryPlace *place = carry_place_of(w);
    if (place && place->controllers[role] && (!accepts || accepts(place, data)))
      return carry_widget_from_window(w, x, y) ? place : NULL;
    if (role == CARRY_ROLE_DRAG && carry_widget_owns_presses(w)) return NULL;
  }
  return NULL;
}

CarryPlace *carry_place_route(CarryPlace *from, CarryRole role, gboolean (*accepts)(CarryPlace *place, gpointer data),
                              gpointer data, double *x, double *y) {
  if (!from->widget || !from->window) return NULL;
  *x += from->rect.x, *y += from->rect.y;
  return carry_route_in(from->widget, role, accepts, data, x, y);
}

/* ------------------------------------------------------------------------------------------------- Controllers --- */

GType carry_controller_register(const char *name, gsize private_size, int *offset, GClassInitFunc init_class,
                                GInstanceInitFunc init) {
  GTypeQuery query;
  g_type_query(carry_controller_get_type(), &query);
  GType type = g_type_register_static_simple(carry_controller_get_type(), name, query.class_size, init_class,
                                             query.instance_size, init, 0);
  if (private_size) *offset = g_type_add_instance_private(type, private_size);
  return type;
}
