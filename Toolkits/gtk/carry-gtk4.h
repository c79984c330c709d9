#ifndef CARRY_GTK4_H
#define CARRY_GTK4_H

/* What GTK 4 has in its own way: event controllers, content providers and paintables. Include carry-gtk.h. */

G_BEGIN_DECLS

/**
 * carry_drag_add:
 * @drag: a drag
 * @content: what the item promises; its data is made when a target requests it
 *
 * Adds an item that can be of several types. A list of files adds an item for each.
 */
void carry_drag_add(CarryDrag *drag, GdkContentProvider *content);

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
void carry_drag_set_icon(CarryDrag *drag, guint item, GdkPaintable *icon, double hot_x, double hot_y);

/**
 * carry_drag_source_new:
 *
 * Creates a source. Add it to a widget with gtk_widget_add_controller().
 *
 * Returns: (transfer full): the source
 */
CarryDragSource *carry_drag_source_new(void);

/**
 * carry_drag_source_set_content:
 * @source: a source
 * @content: (nullable): what a press lifts if no handler of #CarryDragSource::prepare adds anything
 *
 * Sets what a source lifts that always lifts the same.
 */
void carry_drag_source_set_content(CarryDragSource *source, GdkContentProvider *content);

/**
 * carry_drop_target_new:
 * @type: the type of the values that #CarryDropTarget::value delivers; %G_TYPE_INVALID for none
 *
 * Creates a target. Drags without an item that can become such a value are not accepted; with %G_TYPE_INVALID the
 * handlers decide.
 *
 * Returns: (transfer full): the target
 */
CarryDropTarget *carry_drop_target_new(GType type);

/**
 * carry_spring_controller_new:
 *
 * Creates a spring. Add it to a widget with gtk_widget_add_controller().
 *
 * Returns: (transfer full): the spring
 */
CarrySpringController *carry_spring_controller_new(void);

G_END_DECLS

#endif
