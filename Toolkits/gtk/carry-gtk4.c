/* GTK 4: where widgets are, which one a point means, and controllers that are event controllers. */
#define _GNU_SOURCE
#include "carry-gtk-private.h"
#include <dlfcn.h>
#include <gdk/x11/gdkx.h>
#include <math.h>

/* ------------------------------------------------------------------------------------------------- The windows --- */

CarrySurface *carry_surface_of(GtkWidget *widget) {
  GtkNative *native = gtk_widget_get_native(widget);
  return native ? gtk_native_get_surface(native) : NULL;
}

GdkFrameClock *carry_surface_get_frame_clock(CarrySurface *surface) { return gdk_surface_get_frame_clock(surface); }

uint32_t carry_surface_get_xid(CarrySurface *surface) {
  return GDK_IS_X11_SURFACE(surface) ? (uint32_t)gdk_x11_surface_get_xid(surface) : 0;
}

static void layout(GdkSurface *surface, int width, int height, gboolean *is_dirty) {
  (void)surface, (void)width, (void)height;
  *is_dirty = TRUE;
}

void carry_surface_watch(CarrySurface *surface, gboolean *is_dirty) {
  g_signal_connect_after(surface, "layout", G_CALLBACK(layout), is_dirty);
}

/* -------------------------------------------------------------------------------------------------- The places --- */

gboolean carry_widget_get_rect(GtkWidget *widget, GdkRectangle *pixels) {
  GtkNative *native = gtk_widget_get_native(widget);
  graphene_rect_t bounds;
  if (!gtk_widget_get_mapped(widget) || !gtk_widget_compute_bounds(widget, GTK_WIDGET(native), &bounds)) return FALSE;
  for (GtkWidget *w = widget; w != GTK_WIDGET(native); w = gtk_widget_get_parent(w)) {
    graphene_rect_t clip;
    if (gtk_widget_get_overflow(w) != GTK_OVERFLOW_HIDDEN) continue;
    if (!gtk_widget_compute_bounds(w, GTK_WIDGET(native), &clip)) return FALSE;
    if (!graphene_rect_intersection(&bounds, &clip, &bounds)) return FALSE;
  }
  double tx, ty;
  gtk_native_get_surface_transform(native, &tx, &ty);
  graphene_rect_offset(&bounds, (float)tx, (float)ty);
  if (bounds.size.width <= 0 || bounds.size.height <= 0) return FALSE;
  int scale = gtk_widget_get_scale_factor(widget);
  pixels->x = (int)floor(bounds.origin.x * scale);
  pixels->y = (int)floor(bounds.origin.y * scale);
  pixels->width = (int)ceil((bounds.origin.x + bounds.size.width) * scale) - pixels->x;
  pixels->height = (int)ceil((bounds.origin.y + bounds.size.height) * scale) - pixels->y;
  return TRUE;
}

GtkWidget *carry_widget_pick(GtkWidget *any, double *x, double *y) {
  GtkNative *native = gtk_widget_get_native(any);
  int scale = gtk_widget_get_scale_factor(any);
  double tx, ty;
  gtk_native_get_surface_transform(native, &tx, &ty);
  *x = *x / scale - tx;
  *y = *y / scale - ty;
  return gtk_widget_pick(GTK_WIDGET(native), *x, *y, GTK_PICK_DEFAULT);
}

gboolean carry_widget_from_window(GtkWidget *widget, double *x, double *y) {
  return carry_widget_translate(GTK_WIDGET(gtk_widget_get_native(widget)), widget, x, y);
}

gboolean carry_widget_translate(GtkWidget *from, GtkWidget *to, double *x, double *y) {
  graphene_point_t point = {(float)*x, (float)*y};
  if (!gtk_widget_compute_point(from, to, &point, &point)) return FALSE;
  *x = point.x, *y = point.y;
  return TRUE;
}

gboolean carry_widget_owns_presses(GtkWidget *widget) {
  /* A row's gesture selects it. */
  if (carry_list_item_of(widget)) return FALSE;
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

/* A popover stays open without a grab, which would end a drag by mouse. */
void carry_menu_button_open(GtkMenuButton *button) {
  GtkPopover *popover = gtk_menu_button_get_popover(button);
  if (popover) gtk_popover_set_autohide(popover, FALSE);
  gtk_menu_button_popup(button);
}

GList *carry_widget_get_children(GtkWidget *widget) {
  GList *children = NULL;
  for (GtkWidget *w = gtk_widget_get_last_child(widget); w; w = gtk_widget_get_prev_sibling(w))
    children = g_list_prepend(children, w);
  return children;
}

gboolean carry_widget_get_bounds(GtkWidget *widget, GtkWidget *in, GdkRectangle *bounds) {
  graphene_rect_t rect;
  if (!gtk_widget_compute_bounds(widget, in, &rect)) return FALSE;
  *bounds = (GdkRectangle){(int)rect.origin.x, (int)rect.origin.y, (int)rect.size.width, (int)rect.size.height};
  return TRUE;
}

void carry_widget_add_css(GtkWidget *widget, const char *css) {
  GtkCssProvider *provider = gtk_css_provider_new();
  gtk_css_provider_load_from_data(provider, css, -1);
  gtk_style_context_add_provider_for_display(gtk_widget_get_display(widget), GTK_STYLE_PROVIDER(provider),
                                             GTK_STYLE_PROVIDER_PRIORITY_SETTINGS);
  g_object_unref(provider);
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

void carry_place_watch_touches(CarryPlace *place) {
  if (GTK_IS_POPOVER(gtk_widget_get_native(place->widget)))
    carry_region_set_touch_cancelled(place->region, touch_cancelled, place);
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
  base.set_widget(controller, widget);
  carry_place_add(widget, controller);
}

static void unset_widget(GtkEventController *controller) {
  carry_place_remove(controller);
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

CarryDragSource *carry_drag_source_new(void) { return g_object_new(CARRY_TYPE_DRAG_SOURCE, NULL); }

CarryDropTarget *carry_drop_target_new(GType type) { return g_object_new(CARRY_TYPE_DROP_TARGET, "type", type, NULL); }

CarrySpringController *carry_spring_controller_new(void) { return g_object_new(CARRY_TYPE_SPRING_CONTROLLER, NULL); }

static gpointer add_to(GtkWidget *widget, gpointer controller) {
  gtk_widget_add_controller(widget, controller);
  return controller;
}

CarryDragSource *carry_drag_source_on(GtkWidget *widget) { return add_to(widget, carry_drag_source_new()); }

CarryDropTarget *carry_drop_target_on(GtkWidget *widget, GType type) {
  return add_to(widget, carry_drop_target_new(type));
}
