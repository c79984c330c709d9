/* Lists: rows that are sources, and places between rows that are targets. */
#include "carry-gtk-private.h"

struct _CarryList {
  GObject parent;
  GtkWidget *widget; /* which it belongs to */
  CarryDragSource *source;
  CarryDropTarget *target;
  GType type;
  /* Where the place of a drop is shown. */
  GtkWidget *marked;
  const char *mark;
};
typedef struct {
  GObjectClass parent;
} CarryListClass;
G_DEFINE_TYPE(CarryList, carry_list, G_TYPE_OBJECT)

enum { PREPARE, ACCEPT_INTO, MOVE, DROP, VALUE, N_SIGNALS };
static guint signals[N_SIGNALS];

/* -------------------------------------------------------------------------------------------------------- Rows --- */

/* What a row is known by while others come and go: its widget, its model's item, or a reference to it in a tree. */
typedef GObject Row;

static gboolean is_row(GtkWidget *widget) {
  return GTK_IS_LIST_BOX_ROW(widget) || GTK_IS_FLOW_BOX_CHILD(widget) || carry_list_item_of(widget);
}

static void unref_row(Row *row) {
  if (row) g_object_unref(row);
}

/* The position of a row's widget. */
static guint position_of_widget(GtkWidget *row) {
  if (GTK_IS_LIST_BOX_ROW(row)) return (guint)gtk_list_box_row_get_index(GTK_LIST_BOX_ROW(row));
  if (GTK_IS_FLOW_BOX_CHILD(row)) return (guint)gtk_flow_box_child_get_index(GTK_FLOW_BOX_CHILD(row));
  return carry_list_item_position(row);
}

static GtkTreeModel *tree_model(CarryList *self) { return gtk_tree_view_get_model(GTK_TREE_VIEW(self->widget)); }

static guint count(CarryList *self) {
  GListModel *model = carry_list_model(self->widget);
  guint rows = 0;
  if (model) return g_list_model_get_n_items(model);
  if (GTK_IS_TREE_VIEW(self->widget))
    return tree_model(self) ? (guint)gtk_tree_model_iter_n_children(tree_model(self), NULL) : 0;
  GList *children = carry_widget_get_children(self->widget);
  for (GList *c = children; c; c = c->next) rows += is_row(c->data);
  g_list_free(children);
  return rows;
}

/* NULL beyond the last row. */
static Row *row_at_position(CarryList *self, guint position) {
  GListModel *model = carry_list_model(self->widget);
  gpointer row = NULL;
  if (model) return g_list_model_get_item(model, position);
  if (GTK_IS_LIST_BOX(self->widget)) row = gtk_list_box_get_row_at_index(GTK_LIST_BOX(self->widget), (int)position);
  else if (GTK_IS_FLOW_BOX(self->widget))
    row = gtk_flow_box_get_child_at_index(GTK_FLOW_BOX(self->widget), (int)position);
  if (!GTK_IS_TREE_VIEW(self->widget)) return row ? g_object_ref(row) : NULL;
  if (!tree_model(self)) return NULL;
  GtkTreePath *path = gtk_tree_path_new_from_indices((int)position, -1);
  GtkTreeRowReference *reference = gtk_tree_row_reference_new(tree_model(self), path);
  gtk_tree_path_free(path);
  if (!reference) return NULL;
  row = g_object_new(G_TYPE_OBJECT, NULL);
  g_object_set_data_full(row, "carry-reference", reference, (GDestroyNotify)gtk_tree_row_reference_free);
  return row;
}

/* G_MAXUINT for a row that is gone. */
static guint position_of(CarryList *self, Row *row) {
  GListModel *model = carry_list_model(self->widget);
  guint position = G_MAXUINT;
  if (model) {
    for (guint i = 0; i < g_list_model_get_n_items(model) && position == G_MAXUINT; i++) {
      gpointer item = g_list_model_get_item(model, i);
      if (item == row) position = i;
      g_object_unref(item);
    }
  } else if (GTK_IS_TREE_VIEW(self->widget)) {
    GtkTreeRowReference *reference = g_object_get_data(row, "carry-reference");
    GtkTreePath *path = gtk_tree_row_reference_get_path(reference);
    if (!path) return G_MAXUINT;
    /* The tree may have another model by now. */
    if (gtk_tree_row_reference_get_model(reference) == tree_model(self))
      position = (guint)gtk_tree_path_get_indices(path)[0];
    gtk_tree_path_free(path);
  } else if (gtk_widget_is_ancestor(GTK_WIDGET(row), self->widget)) {
    position = position_of_widget(GTK_WIDGET(row));
  }
  return position;
}

static void add_flow_box_child(GtkFlowBox *box, GtkFlowBoxChild *child, gpointer positions) {
  guint position = position_of_widget(GTK_WIDGET(child));
  (void)box;
  g_array_append_val(positions, position);
}

static void add_list_box_row(GtkListBox *box, GtkListBoxRow *row, gpointer positions) {
  guint position = position_of_widget(GTK_WIDGET(row));
  (void)box;
  g_array_append_val(positions, position);
}

static void add_tree_row(GtkTreeModel *model, GtkTreePath *path, GtkTreeIter *iter, gpointer positions) {
  guint position = (guint)gtk_tree_path_get_indices(path)[0];
  (void)model, (void)iter;
  if (gtk_tree_path_get_depth(path) == 1) g_array_append_val(positions, position);
}

static int ascending(gconstpointer a, gconstpointer b) {
  return *(const guint *)a < *(const guint *)b ? -1 : *(const guint *)a > *(const guint *)b;
}

/* What a press on a row lifts: that row, or the whole selection if it is selected. */
static GArray *lifted_by(CarryList *self, guint position) {
  GArray *positions = g_array_new(FALSE, FALSE, sizeof(guint));
  if (GTK_IS_LIST_BOX(self->widget))
    gtk_list_box_selected_foreach(GTK_LIST_BOX(self->widget), add_list_box_row, positions);
  else if (GTK_IS_FLOW_BOX(self->widget))
    gtk_flow_box_selected_foreach(GTK_FLOW_BOX(self->widget), add_flow_box_child, positions);
  else if (GTK_IS_TREE_VIEW(self->widget))
    gtk_tree_selection_selected_foreach(gtk_tree_view_get_selection(GTK_TREE_VIEW(self->widget)), add_tree_row,
                                        positions);
  else carry_list_add_selected(self->widget, positions);
  g_array_sort(positions, ascending);
  for (guint i = 0; i < positions->len; i++)
    if (g_array_index(positions, guint, i) == position) return positions;
  g_array_set_size(positions, 0);
  g_array_append_val(positions, position);
  return positions;
}

/* ------------------------------------------------------------------------------------------------------ Places --- */

/* Whether rows lie beside one another. */
static gboolean is_across(CarryList *self) {
  GtkOrientation orientation = GTK_ORIENTATION_VERTICAL;
  if (GTK_IS_ORIENTABLE(self->widget)) orientation = gtk_orientable_get_orientation(GTK_ORIENTABLE(self->widget));
  if (GTK_IS_FLOW_BOX(self->widget)) return orientation == GTK_ORIENTATION_HORIZONTAL;
  return carry_list_is_grid(self->widget) == (orientation == GTK_ORIENTATION_VERTICAL);
}

/* The row that is next to a point of the list. */
static GtkWidget *nearest(CarryList *self, double x, double y, GdkRectangle *rect) {
  GList *children = carry_widget_get_children(carry_list_container(self->widget));
  GtkWidget *found = NULL;
  double distance = G_MAXDOUBLE;
  for (GList *c = children; c; c = c->next) {
    GdkRectangle at;
    if (!is_row(c->data) || !gtk_widget_get_mapped(c->data) || !carry_widget_get_bounds(c->data, self->widget, &at))
      continue;
    double dx = MAX(MAX(at.x - x, x - at.x - at.width), 0), dy = MAX(MAX(at.y - y, y - at.y - at.height), 0);
    if (dx + dy >= distance) continue;
    distance = dx + dy;
    found = c->data;
    *rect = at;
  }
  g_list_free(children);
  return found;
}

/* A place in a list. */
typedef struct {
  guint position;
  gboolean is_into; /* whether the row at the position is meant, rather than the place before it */
  GtkWidget *marked;
  const char *mark;
} Spot;

static gboolean accepts_into(CarryList *self, CarryDrop *drop, guint position) {
  gboolean accepts = FALSE;
  g_signal_emit(self, signals[ACCEPT_INTO], 0, drop, position, &accepts);
  return accepts;
}

static Spot tree_spot(CarryList *self, CarryDrop *drop, double x, double y) {
  GtkTreeView *tree = GTK_TREE_VIEW(self->widget);
  GtkTreePath *path;
  GtkTreeViewDropPosition where;
  if (!gtk_tree_view_get_dest_row_at_pos(tree, (int)x, (int)y, &path, &where)) {
    carry_tree_view_mark(tree, NULL, GTK_TREE_VIEW_DROP_BEFORE);
    return (Spot){count(self), FALSE, NULL, NULL};
  }
  Spot spot = {(guint)gtk_tree_path_get_indices(path)[0], FALSE, NULL, NULL};
  spot.is_into = where >= GTK_TREE_VIEW_DROP_INTO_OR_BEFORE && accepts_into(self, drop, spot.position);
  gboolean is_after = where == GTK_TREE_VIEW_DROP_AFTER || where == GTK_TREE_VIEW_DROP_INTO_OR_AFTER;
  if (!spot.is_into) where = is_after ? GTK_TREE_VIEW_DROP_AFTER : GTK_TREE_VIEW_DROP_BEFORE;
  carry_tree_view_mark(tree, path, where);
  if (!spot.is_into && is_after) spot.position++;
  gtk_tree_path_free(path);
  return spot;
}

/* Where a drop at a point of the list would arrive. */
static Spot find(CarryList *self, CarryDrop *drop, double x, double y) {
  GdkRectangle at;
  if (GTK_IS_TREE_VIEW(self->widget)) return tree_spot(self, drop, x, y);
  GtkWidget *row = nearest(self, x, y, &at);
  if (!row) return (Spot){count(self), FALSE, NULL, NULL};
  gboolean across = is_across(self), is_rtl = gtk_widget_get_direction(self->widget) == GTK_TEXT_DIR_RTL;
  double part = across ? (x - at.x) / at.width : (y - at.y) / at.height;
  Spot spot = {position_of_widget(row), FALSE, row, "carry-drop-into"};
  if (part > 0.25 && part < 0.75 && accepts_into(self, drop, spot.position)) {
    spot.is_into = TRUE;
    return spot;
  }
  gboolean is_behind = part > 0.5;
  spot.mark = across ? (is_behind ? "carry-drop-right" : "carry-drop-left")
                     : (is_behind ? "carry-drop-below" : "carry-drop-above");
  if (is_behind != (across && is_rtl)) spot.position++;
  return spot;
}

static const char css[] =
    ".carry-drop-above { box-shadow: inset 0 2px @theme_selected_bg_color; }"
    ".carry-drop-below { box-shadow: inset 0 -2px @theme_selected_bg_color; }"
    ".carry-drop-left { box-shadow: inset 2px 0 @theme_selected_bg_color; }"
    ".carry-drop-right { box-shadow: inset -2px 0 @theme_selected_bg_color; }"
    ".carry-drop-into { box-shadow: inset 0 0 0 2px @theme_selected_bg_color; }"
    ".carry-drop-above:selected { box-shadow: inset 0 2px @theme_selected_fg_color; }"
    ".carry-drop-below:selected { box-shadow: inset 0 -2px @theme_selected_fg_color; }"
    ".carry-drop-left:selected { box-shadow: inset 2px 0 @theme_selected_fg_color; }"
    ".carry-drop-right:selected { box-shadow: inset -2px 0 @theme_selected_fg_color; }"
    ".carry-drop-into:selected { box-shadow: inset 0 0 0 2px @theme_selected_fg_color; }";

static void mark(CarryList *self, GtkWidget *row, const char *class) {
  /* Not before: a style sheet costs milliseconds, which a program that starts does not have. */
  static gsize has_css;
  if (row && g_once_init_enter(&has_css)) {
    carry_widget_add_css(row, css);
    g_once_init_leave(&has_css, 1);
  }
  if (row == self->marked && class == self->mark) return;
  if (self->marked) gtk_widget_remove_css_class(self->marked, self->mark);
  g_set_weak_pointer(&self->marked, row);
  self->mark = class;
  if (row) gtk_widget_add_css_class(row, class);
}

static void unmark(CarryList *self) {
  mark(self, NULL, NULL);
  if (GTK_IS_TREE_VIEW(self->widget))
    carry_tree_view_mark(GTK_TREE_VIEW(self->widget), NULL, GTK_TREE_VIEW_DROP_BEFORE);
}

/* ----------------------------------------------------------------------------------------------------- Lifting --- */

/* A row that a drag has lifted. */
typedef struct {
  CarryList *list;
  Row *row;
} Lifted;

static void lifted_free(gpointer data) {
  Lifted *lifted = data;
  if (!lifted) return;
  unref_row(lifted->row);
  g_object_unref(lifted->list);
  g_free(lifted);
}

/* The rows that a drag has lifted, item by item; NULL for what comes from elsewhere. */
static GPtrArray *lifted_of(CarryDrag *drag) {
  GPtrArray *all = g_object_get_data(G_OBJECT(drag), "carry-lifted");
  if (!all) {
    all = g_ptr_array_new_with_free_func(lifted_free);
    g_object_set_data_full(G_OBJECT(drag), "carry-lifted", all, (GDestroyNotify)g_ptr_array_unref);
  }
  g_ptr_array_set_size(all, (int)carry_drag_get_n_items(drag));
  return all;
}

/* G_MAXUINT for an item that is no row of the list, or gone. */
static guint position_of_lifted(CarryList *self, Lifted *lifted) {
  return lifted && lifted->list == self ? position_of(self, lifted->row) : G_MAXUINT;
}

/* The row beneath a point; FALSE if there is none. */
static gboolean row_at(CarryList *self, double x, double y, guint *position) {
  GdkRectangle at;
  if (GTK_IS_TREE_VIEW(self->widget)) {
    GtkTreePath *path;
    int bx, by;
    gtk_tree_view_convert_widget_to_bin_window_coords(GTK_TREE_VIEW(self->widget), (int)x, (int)y, &bx, &by);
    if (by < 0 || !gtk_tree_view_get_path_at_pos(GTK_TREE_VIEW(self->widget), bx, by, &path, NULL, NULL, NULL))
      return FALSE;
    gboolean is_top = gtk_tree_path_get_depth(path) == 1;
    *position = (guint)gtk_tree_path_get_indices(path)[0];
    gtk_tree_path_free(path);
    return is_top;
  }
  GtkWidget *row = nearest(self, x, y, &at);
  if (!row || x < at.x || y < at.y || x >= at.x + at.width || y >= at.y + at.height) return FALSE;
  *position = position_of_widget(row);
  return TRUE;
}

/* The part of the window that shows a row. */
static gboolean visible_part(CarryList *self, guint position, GdkRectangle *pixels) {
  if (GTK_IS_TREE_VIEW(self->widget)) {
    GdkRectangle all, row;
    int scale = gtk_widget_get_scale_factor(self->widget);
    GtkTreePath *path = gtk_tree_path_new_from_indices((int)position, -1);
    gtk_tree_view_get_background_area(GTK_TREE_VIEW(self->widget), path, NULL, &row);
    gtk_tree_view_convert_bin_window_to_widget_coords(GTK_TREE_VIEW(self->widget), 0, row.y, &row.x, &row.y);
    gtk_tree_path_free(path);
    if (!carry_widget_get_rect(self->widget, &all)) return FALSE;
    GdkRectangle part = {all.x, all.y + row.y * scale, all.width, row.height * scale};
    return gdk_rectangle_intersect(&part, &all, pixels);
  }
  GList *children = carry_widget_get_children(carry_list_container(self->widget));
  gboolean is_visible = FALSE;
  for (GList *c = children; c && !is_visible; c = c->next)
    is_visible = is_row(c->data) && gtk_widget_get_mapped(c->data) && position_of_widget(c->data) == position &&
                 carry_widget_get_rect(c->data, pixels);
  g_list_free(children);
  return is_visible;
}

static void lift(CarryList *self, CarryDrag *drag, guint position) {
  guint before = carry_drag_get_n_items(drag);
  GdkRectangle part;
  g_signal_emit(self, signals[PREPARE], 0, drag, position);
  GPtrArray *all = lifted_of(drag);
  for (guint i = before; self->widget && i < all->len; i++) {
    Lifted *lifted = all->pdata[i] = g_new(Lifted, 1);
    *lifted = (Lifted){g_object_ref(self), row_at_position(self, position)};
    if (visible_part(self, position, &part)) carry_drag_set_part(drag, i, &part);
  }
}

static void prepare(CarryDragSource *source, CarryDrag *drag, double x, double y, CarryList *self) {
  guint position;
  (void)source;
  if (!row_at(self, x, y, &position)) return;
  GArray *positions = lifted_by(self, position);
  /* A handler may destroy the list. */
  g_object_ref(self);
  for (guint i = 0; self->widget && i < positions->len; i++) lift(self, drag, g_array_index(positions, guint, i));
  g_object_unref(self);
  g_array_unref(positions);
}

static void prepare_more(CarryDragSource *source, CarryDrag *drag, double x, double y, CarryList *self) {
  guint position;
  (void)source;
  if (!row_at(self, x, y, &position)) return;
  GPtrArray *all = lifted_of(drag);
  for (guint i = 0; i < all->len; i++)
    if (position_of_lifted(self, all->pdata[i]) == position) return;
  g_object_ref(self);
  lift(self, drag, position);
  g_object_unref(self);
}

/* ----------------------------------------------------------------------------------------------------- Dropping --- */

static gboolean has_handler(CarryList *self, guint signal) {
  return g_signal_has_handler_pending(self, signals[signal], 0, FALSE);
}

/* The rows of a drag that moves rows within the list; NULL for any other. */
static GPtrArray *own_rows(CarryList *self, CarryDrop *drop) {
  CarryDrag *drag = carry_drop_get_drag(drop);
  if (!drag || !has_handler(self, MOVE) || !carry_drop_allows_move(drop)) return NULL;
  GPtrArray *all = lifted_of(drag);
  for (guint i = 0; i < all->len; i++)
    if (position_of_lifted(self, all->pdata[i]) == G_MAXUINT) return NULL;
  return all;
}

static gboolean accept(CarryDropTarget *target, CarryDrop *drop, CarryList *self) {
  (void)target;
  if (own_rows(self, drop)) return TRUE;
  return self->type == G_TYPE_INVALID ? has_handler(self, DROP) : carry_drop_has_value(drop, self->type);
}

static CarryOperation motion(CarryDropTarget *target, CarryDrop *drop, double x, double y, CarryList *self) {
  (void)target;
  Spot spot = find(self, drop, x, y);
  mark(self, spot.marked, spot.mark);
  return own_rows(self, drop) && !spot.is_into ? CARRY_OP_MOVE : CARRY_OP_COPY;
}

static void left(CarryDropTarget *target, CarryDrop *drop, CarryList *self) {
  (void)target, (void)drop;
  unmark(self);
}

/* Values on their way to a place, which are delivered in the order of their items. */
typedef struct {
  CarryList *list;
  Row *row; /* into which or before which they come; NULL for the end */
  gboolean is_into;
  guint waiting, count;
  GValue values[];
} Arrival;

typedef struct {
  Arrival *arrival;
  guint index;
} Reading;

static void deliver(Arrival *arrival) {
  CarryList *self = arrival->list;
  for (guint i = 0; i < arrival->count; i++) {
    if (!G_IS_VALUE(&arrival->values[i])) continue;
    guint position = self->widget && arrival->row ? position_of(self, arrival->row) : G_MAXUINT;
    if (self->widget && (!arrival->is_into || position != G_MAXUINT)) {
      if (position == G_MAXUINT) position = count(self);
      g_signal_emit(self, signals[VALUE], 0, &arrival->values[i], position, arrival->is_into);
    }
    g_value_unset(&arrival->values[i]);
  }
  unref_row(arrival->row);
  g_object_unref(self);
  g_free(arrival);
}

static void value_read(GObject *drop, GAsyncResult *result, gpointer data) {
  Reading *reading = data;
  Arrival *arrival = reading->arrival;
  GError *error = NULL;
  const GValue *value = carry_drop_read_value_finish(CARRY_DROP(drop), result, &error);
  if (value) {
    g_value_init(&arrival->values[reading->index], G_VALUE_TYPE(value));
    g_value_copy(value, &arrival->values[reading->index]);
  } else if (!g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)) {
    g_warning("Carry: %s", error->message);
  }
  g_clear_error(&error);
  g_free(reading);
  if (--arrival->waiting == 0) deliver(arrival);
}

static void move_rows(CarryList *self, GPtrArray *all, guint position) {
  /* Before the next row that stays. */
  for (guint i = 0; i < all->len; i++)
    if (position_of_lifted(self, all->pdata[i]) == position) position++, i = (guint)-1;
  Row *next = row_at_position(self, position);
  for (guint i = 0; self->widget && i < all->len; i++) {
    guint from = position_of_lifted(self, all->pdata[i]), to = next ? position_of(self, next) : count(self);
    if (from == G_MAXUINT) continue;
    if (from < to) to--;
    if (from != to) g_signal_emit(self, signals[MOVE], 0, from, to);
  }
  unref_row(next);
}

static void receive(CarryList *self, CarryDrop *drop, double x, double y) {
  Spot spot = find(self, drop, x, y);
  GPtrArray *own = own_rows(self, drop);
  unmark(self);
  if (own && !spot.is_into) return move_rows(self, own, spot.position);
  guint items = carry_drop_get_n_items(drop);
  g_signal_emit(self, signals[DROP], 0, drop, spot.position, spot.is_into);
  if (!self->widget || self->type == G_TYPE_INVALID || items == 0) return;
  Arrival *arrival = g_malloc0(sizeof(Arrival) + items * sizeof(GValue));
  arrival->list = g_object_ref(self);
  arrival->row = row_at_position(self, spot.position);
  arrival->is_into = spot.is_into;
  arrival->waiting = arrival->count = items;
  for (guint i = 0; i < items; i++) {
    Reading *reading = g_new(Reading, 1);
    *reading = (Reading){arrival, i};
    carry_drop_read_value_async(drop, i, self->type, NULL, value_read, reading);
  }
}

static void dropped(CarryDropTarget *target, CarryDrop *drop, double x, double y, CarryList *self) {
  (void)target;
  /* A handler may destroy the list. */
  g_object_ref(self);
  receive(self, drop, x, y);
  g_object_unref(self);
}

/* ------------------------------------------------------------------------------------------------------- Lists --- */

/* The last reference may be that of an arrival. */
static void widget_gone(gpointer data) {
  CarryList *self = data;
  g_clear_weak_pointer(&self->marked);
  self->widget = NULL;
  g_object_unref(self);
}

CarryList *carry_list_attach(GtkWidget *widget, GType type) {
  g_return_val_if_fail(GTK_IS_LIST_BOX(widget) || GTK_IS_FLOW_BOX(widget) || GTK_IS_TREE_VIEW(widget) ||
                           carry_list_watch(widget),
                       NULL);
  CarryList *self = g_object_new(CARRY_TYPE_LIST, NULL);
  self->widget = widget;
  self->type = type;
  self->source = carry_drag_source_on(widget);
  self->target = carry_drop_target_on(widget, G_TYPE_INVALID);
  if (!GTK_IS_TREE_VIEW(widget)) carry_drop_target_set_is_list(self->target);
  g_object_set_data_full(G_OBJECT(widget), "carry-list", self, widget_gone);
  g_signal_connect(self->source, "prepare", G_CALLBACK(prepare), self);
  g_signal_connect(self->source, "prepare-more", G_CALLBACK(prepare_more), self);
  g_signal_connect(self->target, "accept", G_CALLBACK(accept), self);
  g_signal_connect(self->target, "enter", G_CALLBACK(motion), self);
  g_signal_connect(self->target, "motion", G_CALLBACK(motion), self);
  g_signal_connect(self->target, "leave", G_CALLBACK(left), self);
  g_signal_connect(self->target, "drop", G_CALLBACK(dropped), self);
  return self;
}

CarryDragSource *carry_list_get_source(CarryList *list) { return list->source; }
CarryDropTarget *carry_list_get_target(CarryList *list) { return list->target; }

static void carry_list_init(CarryList *self) { (void)self; }

static void carry_list_class_init(CarryListClass *class) {
  const GType type = G_TYPE_FROM_CLASS(class);
  /**
   * CarryList::prepare:
   * @list: the list
   * @drag: the drag
   * @position: a row that is lifted
   *
   * Asks what a row is: add its items to @drag. A press on a selected row lifts all that are selected.
   */
  signals[PREPARE] = g_signal_new("prepare", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                  CARRY_TYPE_DRAG, G_TYPE_UINT);
  /**
   * CarryList::accept-into:
   * @list: the list
   * @drop: a drag over a row
   * @position: the row
   *
   * Whether the row is a target itself, so that its middle stands for it and its edges for the places beside it. By
   * default it is not.
   *
   * Returns: whether it is a target
   */
  signals[ACCEPT_INTO] = g_signal_new("accept-into", type, G_SIGNAL_RUN_LAST, 0, g_signal_accumulator_true_handled,
                                      NULL, NULL, G_TYPE_BOOLEAN, 2, CARRY_TYPE_DROP, G_TYPE_UINT);
  /**
   * CarryList::move:
   * @list: the list
   * @from: where the row is
   * @to: where it is to be, counted without it
   *
   * A row was dropped elsewhere in its list: remove it at @from, and insert it at @to. Without a handler rows are
   * copied, as from anywhere.
   */
  signals[MOVE] =
      g_signal_new("move", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
  /**
   * CarryList::drop:
   * @list: the list
   * @drop: the drag
   * @position: the row before which or into which items come
   * @into: whether they come into that row
   *
   * Items have been dropped: begin to load them before this returns. Not needed where #CarryList::value is.
   */
  signals[DROP] = g_signal_new("drop", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3, CARRY_TYPE_DROP,
                               G_TYPE_UINT, G_TYPE_BOOLEAN);
  /**
   * CarryList::value:
   * @list: the list
   * @value: an item as a value of the list's type
   * @position: the row before which or into which it comes
   * @into: whether it comes into that row
   *
   * A dropped item has arrived. Called for each item that has the type, in their order: insert it.
   */
  signals[VALUE] = g_signal_new("value", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3, G_TYPE_VALUE,
                                G_TYPE_UINT, G_TYPE_BOOLEAN);
}
