/* GTK 3: where widgets are, which one a point means, and controllers that belong to their widget. */
#include "carry-gtk-private.h"
#include <gdk/gdkx.h>
#include <math.h>

/* ------------------------------------------------------------------------------------------------- The windows --- */

CarrySurface *carry_surface_of(GtkWidget *widget) {
  GdkWindow *window = gtk_widget_get_window(widget);
  return window ? gdk_window_get_toplevel(window) : NULL;
}

GdkFrameClock *carry_surface_get_frame_clock(CarrySurface *surface) { return gdk_window_get_frame_clock(surface); }

uint32_t carry_surface_get_xid(CarrySurface *surface) {
  return GDK_IS_X11_WINDOW(surface) ? (uint32_t)gdk_x11_window_get_xid(surface) : 0;
}

static void paint(GdkFrameClock *clock, gboolean *is_dirty) {
  (void)clock;
  *is_dirty = TRUE;
}

/* Viewports scroll without a layout, but not without a paint. */
void carry_surface_watch(CarrySurface *surface, gboolean *is_dirty) {
  g_signal_connect_data(carry_surface_get_frame_clock(surface), "paint", G_CALLBACK(paint), is_dirty, NULL, 0);
}

/* -------------------------------------------------------------------------------------------------- The places --- */

/* Where a widget is in its GdkWindow. */
static GdkRectangle allocation(GtkWidget *widget) {
  GtkAllocation rect;
  gtk_widget_get_allocation(widget, &rect);
  if (gtk_widget_get_has_window(widget)) rect.x = rect.y = 0;
  return rect;
}

gboolean carry_widget_get_rect(GtkWidget *widget, GdkRectangle *pixels) {
  GdkWindow *window = gtk_widget_get_window(widget), *top = carry_surface_of(widget);
  GdkRectangle rect = allocation(widget);
  if (!gtk_widget_get_mapped(widget) || !window) return FALSE;
  cairo_region_t *visible = gdk_window_get_clip_region(window);
  cairo_region_intersect_rectangle(visible, &rect);
  cairo_region_get_extents(visible, &rect);
  cairo_region_destroy(visible);
  if (rect.width <= 0 || rect.height <= 0) return FALSE;
  double x = rect.x, y = rect.y;
  for (GdkWindow *w = window; w != top; w = gdk_window_get_effective_parent(w))
    gdk_window_coords_to_parent(w, x, y, &x, &y);
  int scale = gtk_widget_get_scale_factor(widget);
  *pixels = (GdkRectangle){(int)x * scale, (int)y * scale, rect.width * scale, rect.height * scale};
  return TRUE;
}

/* A point on its way from the toplevel to the widget that it means. */
typedef struct {
  double x, y;
  GtkWidget *found;
  gboolean is_in_popover;
} Pick;

/* The point in a GdkWindow; FALSE if the window does not show it. */
static gboolean window_shows(GdkWindow *window, GdkWindow *top, double *x, double *y) {
  if (window == top) return TRUE;
  if (!gdk_window_is_visible(window) || !window_shows(gdk_window_get_effective_parent(window), top, x, y)) return FALSE;
  gdk_window_coords_from_parent(window, *x, *y, x, y);
  return *x >= 0 && *y >= 0 && *x < gdk_window_get_width(window) && *y < gdk_window_get_height(window);
}

/* As gtk_drag_find_widget() in GTK. Children that are drawn later lie above; a window lists its popovers first. */
static void pick(GtkWidget *widget, gpointer data) {
  Pick *point = data;
  double x = point->x, y = point->y;
  GdkWindow *window = gtk_widget_get_window(widget);
  if (point->is_in_popover || !gtk_widget_get_mapped(widget) || !gtk_widget_get_sensitive(widget) || !window) return;
  GdkRectangle rect = allocation(widget);
  if (!window_shows(window, carry_surface_of(widget), &x, &y) || x < rect.x || y < rect.y ||
      x >= rect.x + rect.width || y >= rect.y + rect.height)
    return;
  point->found = widget;
  if (GTK_IS_CONTAINER(widget)) gtk_container_forall(GTK_CONTAINER(widget), pick, point);
  if (GTK_IS_POPOVER(widget)) point->is_in_popover = TRUE;
}

GtkWidget *carry_widget_pick(GtkWidget *any, double *x, double *y) {
  int scale = gtk_widget_get_scale_factor(any);
  *x /= scale;
  *y /= scale;
  Pick point = {*x, *y, NULL, FALSE};
  pick(gtk_widget_get_toplevel(any), &point);
  return point.found;
}

gboolean carry_widget_from_window(GtkWidget *widget, double *x, double *y) {
  return carry_widget_translate(gtk_widget_get_toplevel(widget), widget, x, y);
}

gboolean carry_widget_translate(GtkWidget *from, GtkWidget *to, double *x, double *y) {
  int dx, dy;
  if (!gtk_widget_translate_coordinates(from, to, 0, 0, &dx, &dy)) return FALSE;
  *x += dx;
  *y += dy;
  return TRUE;
}

/* GTK 3 does not tell a widget's gestures. */
gboolean carry_widget_owns_presses(GtkWidget *widget) {
  return GTK_IS_BUTTON(widget) || GTK_IS_SWITCH(widget) || GTK_IS_RANGE(widget) || GTK_IS_EDITABLE(widget) ||
         GTK_IS_TEXT_VIEW(widget) || (GTK_IS_LABEL(widget) && gtk_label_get_selectable(GTK_LABEL(widget))) ||
         g_signal_has_handler_pending(widget, g_signal_lookup("button-press-event", GTK_TYPE_WIDGET), 0, FALSE);
}

/* Popovers have no grab of the touchscreen here. */
void carry_place_watch_touches(CarryPlace *place) { (void)place; }

void carry_menu_button_open(GtkMenuButton *button) {
  GtkPopover *popover = gtk_menu_button_get_popover(button);
  if (popover) gtk_popover_set_modal(popover, FALSE);
  gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(button), TRUE);
}

GList *carry_widget_get_children(GtkWidget *widget) { return gtk_container_get_children(GTK_CONTAINER(widget)); }

gboolean carry_widget_get_bounds(GtkWidget *widget, GtkWidget *in, GdkRectangle *bounds) {
  gtk_widget_get_allocation(widget, bounds);
  return gtk_widget_translate_coordinates(widget, in, 0, 0, &bounds->x, &bounds->y);
}

void carry_widget_add_css(GtkWidget *widget, const char *css) {
  GtkCssProvider *provider = gtk_css_provider_new();
  gtk_css_provider_load_from_data(provider, css, -1, NULL);
  gtk_style_context_add_provider_for_screen(gtk_widget_get_screen(widget), GTK_STYLE_PROVIDER(provider),
                                            GTK_STYLE_PROVIDER_PRIORITY_SETTINGS);
  g_object_unref(provider);
}

/* ------------------------------------------------------------------------------------------------- Controllers --- */

static int private_offset;

CarryControllerPrivate *carry_controller_get_private(gpointer controller) {
  return G_STRUCT_MEMBER_P(controller, private_offset);
}

static void class_init(gpointer class, gpointer data) {
  (void)data;
  g_type_class_adjust_private_offset(class, &private_offset);
}

GType carry_controller_get_type(void) {
  static gsize type;
  if (g_once_init_enter(&type)) {
    GType t = g_type_register_static_simple(G_TYPE_OBJECT, "CarryController", sizeof(GObjectClass), class_init,
                                            sizeof(GObject), NULL, G_TYPE_FLAG_ABSTRACT);
    private_offset = g_type_add_instance_private(t, sizeof(CarryControllerPrivate));
    g_once_init_leave(&type, t);
  }
  return type;
}

static void destroyed(GtkWidget *widget, gpointer controller) {
  g_signal_handlers_disconnect_by_data(widget, controller);
  carry_place_remove(controller);
  g_object_unref(controller);
}

/* The controller belongs to the widget. */
static gpointer attach(GtkWidget *widget, gpointer controller) {
  gpointer replaced = carry_place_add(widget, controller);
  if (replaced) destroyed(widget, replaced);
  g_signal_connect(widget, "destroy", G_CALLBACK(destroyed), controller);
  return controller;
}

CarryDragSource *carry_drag_source_new(GtkWidget *widget) {
  return attach(widget, g_object_new(CARRY_TYPE_DRAG_SOURCE, NULL));
}

CarryDropTarget *carry_drop_target_new(GtkWidget *widget, GType type) {
  return attach(widget, g_object_new(CARRY_TYPE_DROP_TARGET, "type", type, NULL));
}

CarrySpringController *carry_spring_controller_new(GtkWidget *widget) {
  return attach(widget, g_object_new(CARRY_TYPE_SPRING_CONTROLLER, NULL));
}

CarryDragSource *carry_drag_source_on(GtkWidget *widget) { return carry_drag_source_new(widget); }

CarryDropTarget *carry_drop_target_on(GtkWidget *widget, GType type) { return carry_drop_target_new(widget, type); }
