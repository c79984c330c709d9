#ifndef CARRY_GTK_PRIVATE_H
#define CARRY_GTK_PRIVATE_H

#include "carry-gtk.h"
#include <carry.h>

/* What a widget can be. A controller has one role. */
typedef enum { CARRY_ROLE_DRAG, CARRY_ROLE_DROP, CARRY_ROLE_SPRING, CARRY_N_ROLES } CarryRole;

/* A widget with controllers, and the region that covers its visible rectangle. The region only wakes the library up:
   GTK's pick decides which widget is meant. A place outlives its widget while a drag out of it runs. */
typedef struct CarryPlace {
  int refs;
  GtkWidget *widget; /* NULL once it is gone */
  gpointer controllers[CARRY_N_ROLES];
  carry_region *region; /* NULL until the widget has been visible */
  struct CarryWindow *window; /* while the widget is mapped */
  uint32_t xid;
  GdkRectangle rect; /* of the region, in pixels of its X window */
  GSList *drops; /* the drags over the region */
} CarryPlace;

CarryPlace *carry_place_ref(CarryPlace *place);
void carry_place_unref(CarryPlace *place);

/* Gives a widget a controller, or removes it. Returns the one that it replaces. */
gpointer carry_place_add(GtkWidget *widget, gpointer controller);
void carry_place_remove(gpointer controller);

/* Finds the widget that a point of an X window means, whose place has the role.

   x, y: pixels of the window, and then the point in the found widget's coordinates. */
CarryPlace *carry_route_in(GtkWidget *any, CarryRole role, gboolean (*accepts)(CarryPlace *place, gpointer data),
                           gpointer data, double *x, double *y);
/* The same for a point of a place's region.

   accepts: NULL, or whether a place may be meant; otherwise its parents are asked. */
CarryPlace *carry_place_route(CarryPlace *from, CarryRole role, gboolean (*accepts)(CarryPlace *place, gpointer data),
                              gpointer data, double *x, double *y);
CarryPlace *carry_place_of(GtkWidget *widget);

/* The controllers' base class. Subclasses set the role. */
typedef struct {
  CarryRole role;
  CarryPlace *place;
} CarryControllerPrivate;
CarryControllerPrivate *carry_controller_get_private(gpointer controller);
GType carry_controller_register(const char *name, gsize private_size, int *private_offset, GClassInitFunc class_init,
                                GInstanceInitFunc init);

/* The callbacks of each role. */
void carry_source_attach(CarryPlace *place);
void carry_target_attach(CarryPlace *place);
void carry_spring_attach(CarryPlace *place);
/* The region of these drags is about to be destroyed. */
void carry_target_forget(CarryPlace *place);

/* ------------------------------------------------------------ What each version of GTK does in its own way --- */

#if GTK_MAJOR_VERSION == 4
typedef GdkSurface CarrySurface;

/* Lists of models, and what their rows show: NULL if a widget is no such list, or no row of one. */
gboolean carry_list_watch(GtkWidget *list);
GListModel *carry_list_model(GtkWidget *list);
gpointer carry_list_item_of(GtkWidget *row);
guint carry_list_item_position(GtkWidget *row);
void carry_list_add_selected(GtkWidget *list, GArray *positions);
GtkWidget *carry_list_container(GtkWidget *list);
#define carry_list_is_grid(list) GTK_IS_GRID_VIEW(list)
/* gtk_tree_view_set_drag_dest_row() makes GTK 4.8 crash when it draws. The tree as a whole has :drop(active). */
#define carry_tree_view_mark(tree, path, where) (void)(where)
#else
typedef GdkWindow CarrySurface;
#define gtk_widget_get_width gtk_widget_get_allocated_width
#define gtk_widget_get_height gtk_widget_get_allocated_height
#define gtk_widget_add_css_class(widget, name) gtk_style_context_add_class(gtk_widget_get_style_context(widget), name)
#define gtk_widget_remove_css_class(widget, name) \
  gtk_style_context_remove_class(gtk_widget_get_style_context(widget), name)
#define carry_list_watch(list) FALSE
#define carry_list_model(list) ((GListModel *)NULL)
#define carry_list_item_of(row) NULL
#define carry_list_item_position(row) 0
#define carry_list_add_selected(list, positions) (void)(positions)
#define carry_list_container(list) (list)
#define carry_list_is_grid(list) FALSE
#define carry_tree_view_mark gtk_tree_view_set_drag_dest_row
#endif

/* The surface with an X window in which a mapped widget is; NULL if it has none. */
CarrySurface *carry_surface_of(GtkWidget *widget);
GdkFrameClock *carry_surface_get_frame_clock(CarrySurface *surface);
/* 0 on a display that is not X11. */
uint32_t carry_surface_get_xid(CarrySurface *surface);
/* Sets the variable whenever a widget of the surface may have moved. */
void carry_surface_watch(CarrySurface *surface, gboolean *is_dirty);

/* The visible part of a widget, in pixels of its X window. */
gboolean carry_widget_get_rect(GtkWidget *widget, GdkRectangle *pixels);
/* The topmost widget at a point of the X window that shows a widget. x, y: pixels, and then in GTK's units. */
GtkWidget *carry_widget_pick(GtkWidget *any, double *x, double *y);
/* From units of the window to those of a widget. */
gboolean carry_widget_from_window(GtkWidget *widget, double *x, double *y);
gboolean carry_widget_translate(GtkWidget *from, GtkWidget *to, double *x, double *y);
/* Whether a widget handles presses itself, as buttons, sliders and entries do; labels, pictures, boxes and rows do
   not. */
gboolean carry_widget_owns_presses(GtkWidget *widget);
/* For a widget whose touches GTK grabs, so that they cannot be held back from it. */
void carry_place_watch_touches(CarryPlace *place);
void carry_menu_button_open(GtkMenuButton *button);
GList *carry_widget_get_children(GtkWidget *widget);
/* Where a widget is in another. */
gboolean carry_widget_get_bounds(GtkWidget *widget, GtkWidget *in, GdkRectangle *bounds);
/* Adds style rules for the widget's screen. */
void carry_widget_add_css(GtkWidget *widget, const char *css);

GType carry_controller_get_type(void);
/* Controllers that belong to a widget. */
CarryDragSource *carry_drag_source_on(GtkWidget *widget);
CarryDropTarget *carry_drop_target_on(GtkWidget *widget, GType type);

/* The first type of an item that becomes such a value; NULL if there is none. */
const char *carry_content_type(carry_drop_session *session, int32_t item, GType value);
/* Makes a value of the task's kind out of data. Completes the task with TRUE, or with an error. */
void carry_content_decode(GTask *task, GBytes *bytes, const char *type, GValue *value);
/* Of GDK_TYPE_TEXTURE or GDK_TYPE_PIXBUF. */
GBytes *carry_content_encode_png(gpointer picture);

/* ------------------------------------------------------------------------------------------ Drags and drops --- */

void carry_drag_add_item(CarryDrag *drag, carry_item *item);
CarryDragSource *carry_drag_get_source(CarryDrag *drag);
/* Pixels in a unit of GTK's. */
double carry_drag_get_scale(CarryDrag *drag);
/* Sets the picture of an item: ARGB32, which is then the drag's. Within prepare. */
void carry_drag_set_image(CarryDrag *drag, guint item, cairo_surface_t *image, double hot_x, double hot_y);
/* Sets the part of the X window that shows an item, in pixels. Within prepare. */
void carry_drag_set_part(CarryDrag *drag, guint item, const GdkRectangle *pixels);
/* The drag of a session that began in this program. */
CarryDrag *carry_drag_of(carry_drop_session *drop);
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
CarryDrag *carry_drop_get_drag(CarryDrop *drop);
/* The first type of an item that becomes such a value, or a file; NULL if there is none. */
const char *carry_drop_type(carry_drop_session *session, int32_t item, GType value);
/* Whether an item can become such a value. */
gboolean carry_drop_has_value(CarryDrop *drop, GType type);
/* For a target that shows itself where a drop would arrive. */
void carry_drop_target_set_is_list(CarryDropTarget *target);
/* A carry_request_func that answers with a picture as PNG. */
void carry_write_picture(void *picture, carry_request *request, const char *type);
/* A carry_release_func for an object: the library may release its data on any thread. */
void carry_unref_later(void *object);

#endif
