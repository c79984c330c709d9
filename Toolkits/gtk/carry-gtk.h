#ifndef CARRY_GTK_H
#define CARRY_GTK_H

/*
 * Carry for GTK: widgets become drag sources, drop targets and springs by controllers.
 *
 *     CarryDragSource *source = carry_drag_source_new();                     GTK 4
 *     gtk_widget_add_controller(label, GTK_EVENT_CONTROLLER(source));
 *     CarryDragSource *source = carry_drag_source_new(label);                GTK 3
 *     g_signal_connect(source, "prepare", G_CALLBACK(prepare), my_data);
 *
 * A controller follows its widget: layout, scrolling, clipping, scale, popovers and other windows need no code. Which
 * widget a press or a drag means is GTK's own pick: a button above a target stays a button. Everything happens on the
 * thread of GTK, in its main loop. Without an engine, and on a display that is not X11, the controllers do nothing; as
 * soon as an engine runs they work.
 *
 * Points are in the widget's coordinates, in GTK's units.
 */
#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * CarryOperation:
 * @CARRY_OP_CANCEL: nothing: the items are not accepted here
 * @CARRY_OP_FORBIDDEN: normally possible, but not now; say why with carry_drop_propose_reason()
 * @CARRY_OP_COPY: the target receives a copy
 * @CARRY_OP_MOVE: the target receives the data, and the source removes it
 *
 * What a drop does with the items. The values are those of carry_operation.
 */
typedef enum {
  CARRY_OP_CANCEL = 0,
  CARRY_OP_FORBIDDEN = 1,
  CARRY_OP_COPY = 2,
  CARRY_OP_MOVE = 3
} CarryOperation;

#define CARRY_TYPE_OPERATION (carry_operation_get_type())
GType carry_operation_get_type(void);

/* ---------------------------------------------------------------------------------------------------- Sources --- */

/**
 * CarryDrag:
 *
 * A drag out of a widget, from its press until its data has been transferred.
 */
typedef struct _CarryDrag CarryDrag;
#define CARRY_TYPE_DRAG (carry_drag_get_type())
#define CARRY_DRAG(object) (G_TYPE_CHECK_INSTANCE_CAST((object), CARRY_TYPE_DRAG, CarryDrag))
#define CARRY_IS_DRAG(object) (G_TYPE_CHECK_INSTANCE_TYPE((object), CARRY_TYPE_DRAG))
GType carry_drag_get_type(void);

/**
 * carry_drag_add_text:
 * @drag: a drag
 * @text: the text
 *
 * Adds an item that is a text. Items can be added within #CarryDragSource::prepare and #CarryDragSource::prepare-more
 * only. The last item lies on top.
 */
void carry_drag_add_text(CarryDrag *drag, const char *text);

/**
 * carry_drag_add_file:
 * @drag: a drag
 * @file: a file or folder, or a link
 *
 * Adds a file, which is opened when a target requests it. One that is not local is an address, and a text.
 */
void carry_drag_add_file(CarryDrag *drag, GFile *file);

/**
 * carry_drag_add_bytes:
 * @drag: a drag
 * @type: a media type, such as "application/json"
 * @bytes: the data
 *
 * Adds an item that is data of any type.
 */
void carry_drag_add_bytes(CarryDrag *drag, const char *type, GBytes *bytes);

/**
 * carry_drag_get_n_items:
 * @drag: a drag
 *
 * Returns: the number of items
 */
guint carry_drag_get_n_items(CarryDrag *drag);

/**
 * carry_drag_item_moved:
 * @drag: a drag
 * @item: the index of an item
 *
 * Says whether the item has arrived completely at another program that moves it: remove it. Within
 * #CarryDragSource::transferred.
 *
 * Returns: whether it was moved
 */
gboolean carry_drag_item_moved(CarryDrag *drag, guint item);

/**
 * carry_drag_offer_undo:
 * @drag: a drag that was a move
 * @title: what was done, in a few words: "Moved 2 items"
 *
 * Offers the user to undo the move, for six seconds: #CarryDragSource::undo follows if they do. Within
 * #CarryDragSource::transferred.
 */
void carry_drag_offer_undo(CarryDrag *drag, const char *title);

/**
 * CarryDragSource:
 *
 * Makes a widget a drag source: a long press lifts what the handlers of #CarryDragSource::prepare add.
 */
typedef struct _CarryDragSource CarryDragSource;
#define CARRY_TYPE_DRAG_SOURCE (carry_drag_source_get_type())
#define CARRY_DRAG_SOURCE(object) (G_TYPE_CHECK_INSTANCE_CAST((object), CARRY_TYPE_DRAG_SOURCE, CarryDragSource))
#define CARRY_IS_DRAG_SOURCE(object) (G_TYPE_CHECK_INSTANCE_TYPE((object), CARRY_TYPE_DRAG_SOURCE))
GType carry_drag_source_get_type(void);

/* ---------------------------------------------------------------------------------------------------- Targets --- */

/**
 * CarryDrop:
 *
 * A drag over a widget. Before the drop, only types and names are known.
 */
typedef struct _CarryDrop CarryDrop;
#define CARRY_TYPE_DROP (carry_drop_get_type())
#define CARRY_DROP(object) (G_TYPE_CHECK_INSTANCE_CAST((object), CARRY_TYPE_DROP, CarryDrop))
#define CARRY_IS_DROP(object) (G_TYPE_CHECK_INSTANCE_TYPE((object), CARRY_TYPE_DROP))
GType carry_drop_get_type(void);

/**
 * carry_drop_get_n_items:
 * @drop: a drop
 *
 * Returns: the number of items; it may grow while the drag lasts
 */
guint carry_drop_get_n_items(CarryDrop *drop);

/**
 * carry_drop_get_formats:
 * @drop: a drop
 *
 * Returns: (transfer full): the media types of all items
 */
char **carry_drop_get_formats(CarryDrop *drop);

/**
 * carry_drop_get_name:
 * @drop: a drop
 * @item: the index of an item
 *
 * Returns: (nullable): the file name that the source suggests
 */
const char *carry_drop_get_name(CarryDrop *drop, guint item);

/**
 * carry_drop_allows_move:
 * @drop: a drop
 *
 * Returns: whether the source allows a move
 */
gboolean carry_drop_allows_move(CarryDrop *drop);

/**
 * carry_drop_propose_reason:
 * @drop: a drop
 * @reason: a few words
 *
 * Says why a drop is forbidden, in a handler that returns %CARRY_OP_FORBIDDEN.
 */
void carry_drop_propose_reason(CarryDrop *drop, const char *reason);

/**
 * carry_drop_keep_open:
 * @drop: a drop
 *
 * Keeps the drop open after #CarryDropTarget::drop, so that loads may begin until carry_drop_finish(): to ask the user
 * first, or to load in a later turn. Within the handler only.
 */
void carry_drop_keep_open(CarryDrop *drop);

/**
 * carry_drop_finish:
 * @drop: a drop that was kept open
 * @operation: %CARRY_OP_COPY if a move is to be a copy after all; otherwise the operation of the drop
 *
 * Ends the drop. Loads that have begun continue.
 */
void carry_drop_finish(CarryDrop *drop, CarryOperation operation);

/**
 * carry_drop_read_value_async:
 * @drop: a drop
 * @item: the index of an item
 * @type: the type of the value, such as %G_TYPE_STRING, %G_TYPE_FILE, and %GDK_TYPE_TEXTURE or %GDK_TYPE_PIXBUF
 * @cancellable: (nullable): cancels the load
 * @callback: (scope async): called when the value is there
 * @user_data: data for @callback
 *
 * Loads an item as a value. Begin it within #CarryDropTarget::drop. A %G_TYPE_FILE is a copy in a temporary folder,
 * unless the item is the address of a file.
 */
void carry_drop_read_value_async(CarryDrop *drop, guint item, GType type, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data);

/**
 * carry_drop_read_value_finish:
 * @drop: a drop
 * @result: the result
 * @error: why there is no value
 *
 * Returns: (nullable) (transfer none): the value, which lasts as long as @result
 */
const GValue *carry_drop_read_value_finish(CarryDrop *drop, GAsyncResult *result, GError **error);

/**
 * carry_drop_read_bytes_async:
 * @drop: a drop
 * @item: the index of an item
 * @type: a media type, such as "application/json"
 * @cancellable: (nullable): cancels the load
 * @callback: (scope async): called when the data is there
 * @user_data: data for @callback
 *
 * Loads an item as data of one type. Begin it within #CarryDropTarget::drop.
 */
void carry_drop_read_bytes_async(CarryDrop *drop, guint item, const char *type, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data);

/**
 * carry_drop_read_bytes_finish:
 * @drop: a drop
 * @result: the result
 * @error: why there is no data
 *
 * Returns: (nullable) (transfer full): the data
 */
GBytes *carry_drop_read_bytes_finish(CarryDrop *drop, GAsyncResult *result, GError **error);

/**
 * carry_drop_cancel:
 * @drop: a drop
 *
 * Cancels all loads of the drop.
 */
void carry_drop_cancel(CarryDrop *drop);

/**
 * carry_drop_save_async:
 * @drop: a drop
 * @item: the index of an item
 * @folder: an existing local folder
 * @cancellable: (nullable): cancels the load
 * @callback: (scope async): called when the file is there
 * @user_data: data for @callback
 *
 * Saves an item under its name, or the next free one. Begin it within #CarryDropTarget::drop.
 */
void carry_drop_save_async(CarryDrop *drop, guint item, GFile *folder, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data);

/**
 * carry_drop_save_finish:
 * @drop: a drop
 * @result: the result
 * @error: why it was not saved
 *
 * Returns: (nullable) (transfer full): the file
 */
GFile *carry_drop_save_finish(CarryDrop *drop, GAsyncResult *result, GError **error);

/**
 * CarryDropTarget:
 *
 * Makes a widget a drop target.
 */
typedef struct _CarryDropTarget CarryDropTarget;
#define CARRY_TYPE_DROP_TARGET (carry_drop_target_get_type())
#define CARRY_DROP_TARGET(object) (G_TYPE_CHECK_INSTANCE_CAST((object), CARRY_TYPE_DROP_TARGET, CarryDropTarget))
#define CARRY_IS_DROP_TARGET(object) (G_TYPE_CHECK_INSTANCE_TYPE((object), CARRY_TYPE_DROP_TARGET))
GType carry_drop_target_get_type(void);

/* ---------------------------------------------------------------------------------------------------- Springs --- */

/**
 * CarrySpringController:
 *
 * Makes a widget spring-loaded: a drag that hovers over it activates it. By default a button is clicked, a tab is
 * shown, an expander opens, and a menu button pops up.
 */
typedef struct _CarrySpringController CarrySpringController;
#define CARRY_TYPE_SPRING_CONTROLLER (carry_spring_controller_get_type())
#define CARRY_SPRING_CONTROLLER(object) \
  (G_TYPE_CHECK_INSTANCE_CAST((object), CARRY_TYPE_SPRING_CONTROLLER, CarrySpringController))
#define CARRY_IS_SPRING_CONTROLLER(object) (G_TYPE_CHECK_INSTANCE_TYPE((object), CARRY_TYPE_SPRING_CONTROLLER))
GType carry_spring_controller_get_type(void);

/* ----------------------------------------------------------------------------------------------------- Labels --- */

/**
 * carry_widget_set_label:
 * @widget: a widget that has a controller, or will have one
 * @label: (nullable): what it is called, in a few words of at most 240 bytes
 *
 * Names the widget. People who drag with keys hear the name, and scripts of carry test find the widget by it.
 */
void carry_widget_set_label(GtkWidget *widget, const char *label);

/* ------------------------------------------------------------------------------------------------------ Lists --- */

/**
 * CarryList:
 *
 * Makes the rows of a list sources, and the places between them targets.
 */
typedef struct _CarryList CarryList;
#define CARRY_TYPE_LIST (carry_list_get_type())
#define CARRY_LIST(object) (G_TYPE_CHECK_INSTANCE_CAST((object), CARRY_TYPE_LIST, CarryList))
#define CARRY_IS_LIST(object) (G_TYPE_CHECK_INSTANCE_TYPE((object), CARRY_TYPE_LIST))
GType carry_list_get_type(void);

/**
 * carry_list_attach:
 * @list: a GtkListBox, GtkFlowBox or GtkTreeView, or a GtkListView, GtkGridView or GtkColumnView whose factory is a
 *   GtkSignalListItemFactory
 * @type: the type of the values that #CarryList::value delivers; %G_TYPE_INVALID for none
 *
 * Attaches a list. A press lifts the row beneath it, or all selected rows if that row is selected, as
 * #CarryList::prepare says. While a drag is over the list, a line shows the place between rows, and the edges scroll.
 * Rows of a tree are its top level. Rows that exist already are filled anew.
 *
 * Returns: (transfer none): the attachment, which lasts as long as the list
 */
CarryList *carry_list_attach(GtkWidget *list, GType type);

/**
 * carry_list_get_source:
 * @list: a list
 *
 * Returns: (transfer none): the list's source, for what becomes of a drag
 */
CarryDragSource *carry_list_get_source(CarryList *list);

/**
 * carry_list_get_target:
 * @list: a list
 *
 * Returns: (transfer none): the list's target, for the progress of loads
 */
CarryDropTarget *carry_list_get_target(CarryList *list);

G_END_DECLS

#if GTK_MAJOR_VERSION == 4
#include "carry-gtk4.h"
#else
#include "carry-gtk3.h"
#endif

#endif
