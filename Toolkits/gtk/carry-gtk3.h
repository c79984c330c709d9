#ifndef CARRY_GTK3_H
#define CARRY_GTK3_H

/* What GTK 3 has in its own way: controllers that belong to their widget, pixbufs and surfaces. Include carry-gtk.h. */

G_BEGIN_DECLS

/**
 * carry_drag_add_pixbuf:
 * @drag: a drag
 * @pixbuf: the picture
 *
 * Adds an item that is a picture.
 */
void carry_drag_add_pixbuf(CarryDrag *drag, GdkPixbuf *pixbuf);

/**
 * carry_drag_set_icon:
 * @drag: a drag
 * @item: the index of an item that has been added
 * @icon: how it looks while it is dragged; drawn at once
 * @hot_x: the point of the icon that lies beneath the finger
 * @hot_y: the point of the icon that lies beneath the finger
 *
 * Sets how an item looks, in place of its widget. Within #CarryDragSource::prepare and #CarryDragSource::prepare-more.
 */
void carry_drag_set_icon(CarryDrag *drag, guint item, cairo_surface_t *icon, double hot_x, double hot_y);

/**
 * carry_drag_source_new:
 * @widget: a widget
 *
 * Creates a source, which lasts as long as the widget.
 *
 * Returns: (transfer none): the source
 */
CarryDragSource *carry_drag_source_new(GtkWidget *widget);

/**
 * carry_drop_target_new:
 * @widget: a widget
 * @type: the type of the values that #CarryDropTarget::value delivers; %G_TYPE_INVALID for none
 *
 * Creates a target, which lasts as long as the widget. Drags without an item that can become such a value are not
 * accepted; with %G_TYPE_INVALID the handlers decide.
 *
 * Returns: (transfer none): the target
 */
CarryDropTarget *carry_drop_target_new(GtkWidget *widget, GType type);

/**
 * carry_spring_controller_new:
 * @widget: a widget
 *
 * Creates a spring, which lasts as long as the widget.
 *
 * Returns: (transfer none): the spring
 */
CarrySpringController *carry_spring_controller_new(GtkWidget *widget);

G_END_DECLS

#endif
