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
  GtkEventController *controllers[CARRY_N_ROLES];
  carry_region *region; /* NULL until the widget has been visible */
  struct CarryWindow *window; /* while the widget is mapped */
  uint32_t xid;
  int x, y, width, height; /* of the region, in pixels of its X window */
  GSList *drops; /* the drags over the region */
} CarryPlace;

CarryPlace *carry_place_ref(CarryPlace *place);
void carry_place_unref(CarryPlace *place);

/* Finds the place that a point of a place's region means.

   accepts: NULL, or whether a place may be meant; otherwise its parents are asked.
   x, y: pixels of the region, and then the point in the found widget's coordinates. */
CarryPlace *carry_place_route(CarryPlace *from, CarryRole role, gboolean (*accepts)(CarryPlace *place, gpointer data),
                              gpointer data, double *x, double *y);

/* The controllers' base class. Subclasses set the role. */
typedef struct {
  CarryRole role;
  CarryPlace *place;
} CarryControllerPrivate;
GType carry_controller_get_type(void);
CarryControllerPrivate *carry_controller_get_private(gpointer controller);
GType carry_controller_register(const char *name, gsize private_size, int *private_offset, GClassInitFunc class_init,
                                GInstanceInitFunc init);

/* The callbacks of each role. */
void carry_source_attach(CarryPlace *place);
void carry_target_attach(CarryPlace *place);
void carry_spring_attach(CarryPlace *place);
/* The region of these drags is about to be destroyed. */
void carry_target_forget(CarryPlace *place);

#endif
