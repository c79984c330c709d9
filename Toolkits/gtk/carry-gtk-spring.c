/* Springs: widgets that a hovering drag activates. */
#include "carry-gtk-private.h"

enum { ACTIVATED, N_SIGNALS };
static guint signals[N_SIGNALS];

static gboolean contains(GtkWidget *widget, GtkWidget *one) {
  return widget && (widget == one || gtk_widget_is_ancestor(one, widget));
}

/* Does what a tap would do. */
static void default_activated(CarrySpringController *spring, double x, double y) {
  CarryPlace *place = carry_controller_get_private(spring)->place;
  /* A handler may have removed the spring. */
  if (!place || !place->widget) return;
  GtkWidget *widget = place->widget, *notebook = gtk_widget_get_ancestor(widget, GTK_TYPE_NOTEBOOK);
  (void)x, (void)y;
  for (int i = 0; notebook && i < gtk_notebook_get_n_pages(GTK_NOTEBOOK(notebook)); i++) {
    GtkWidget *page = gtk_notebook_get_nth_page(GTK_NOTEBOOK(notebook), i);
    if (!contains(gtk_notebook_get_tab_label(GTK_NOTEBOOK(notebook), page), widget)) continue;
    return gtk_notebook_set_current_page(GTK_NOTEBOOK(notebook), i);
  }
  if (GTK_IS_MENU_BUTTON(widget)) carry_menu_button_open(GTK_MENU_BUTTON(widget));
  else if (GTK_IS_EXPANDER(widget)) gtk_expander_set_expanded(GTK_EXPANDER(widget), TRUE);
  else gtk_widget_activate(widget);
}

/* The place is meant if GTK picks its widget, or something in it. */
static gboolean is_meant(CarryPlace *place, double x, double y) {
  return carry_place_route(place, CARRY_ROLE_SPRING, NULL, NULL, &x, &y) == place;
}

static int32_t should_allow(void *data, int32_t state, double x, double y) {
  (void)state;
  return is_meant(data, x, y);
}

static void state_changed(void *data, int32_t state, double x, double y) {
  CarryPlace *place = data;
  (void)x, (void)y;
  if (!place->widget) return;
  if (state == CARRY_SPRING_POSSIBLE || state == CARRY_SPRING_ACTIVATING)
    gtk_widget_set_state_flags(place->widget, GTK_STATE_FLAG_DROP_ACTIVE, FALSE);
  else gtk_widget_unset_state_flags(place->widget, GTK_STATE_FLAG_DROP_ACTIVE);
}

static void activated(void *data, double x, double y) {
  CarryPlace *place = carry_place_route(data, CARRY_ROLE_SPRING, NULL, NULL, &x, &y);
  if (place) g_signal_emit(place->controllers[CARRY_ROLE_SPRING], signals[ACTIVATED], 0, x, y);
}

void carry_spring_attach(CarryPlace *place) {
  carry_spring_callbacks callbacks = CARRY_SPRING_CALLBACKS_INIT;
  callbacks.user_data = place;
  callbacks.should_allow = should_allow;
  callbacks.state_changed = state_changed;
  callbacks.activated = activated;
  carry_region_set_spring(place->region, &callbacks);
  carry_region_set_enabled(place->region, CARRY_INTERACTION_SPRING, 1);
}

static void spring_init(GTypeInstance *instance, gpointer class) {
  (void)class;
  carry_controller_get_private(instance)->role = CARRY_ROLE_SPRING;
}

static void spring_class_init(gpointer class, gpointer data) {
  (void)data;
  /**
   * CarrySpringController::activated:
   * @spring: the spring
   * @x: where the drag is
   * @y: where the drag is
   *
   * A drag has hovered for long enough. By default the widget does what a tap on it does; stop the emission to
   * prevent that.
   */
  signals[ACTIVATED] =
      g_signal_new_class_handler("activated", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST,
                                 G_CALLBACK(default_activated), NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE,
                                 G_TYPE_DOUBLE);
}

GType carry_spring_controller_get_type(void) {
  static gsize type;
  if (g_once_init_enter(&type))
    g_once_init_leave(&type, carry_controller_register("CarrySpringController", 0, NULL, spring_class_init,
                                                       spring_init));
  return type;
}
