/* A window of GTK 3 or 4 with one list of each kind, attached by carry_list_attach. It prints what happens.

   The lists are 300x240, in two lines from 20,20 on; rows are 30 high, and cells of grids 90 wide. */
#include <carry-gtk.h>

#if GTK_MAJOR_VERSION == 4
#define show(widget)
#else
#define gtk_scrolled_window_new() gtk_scrolled_window_new(NULL, NULL)
#define gtk_scrolled_window_set_child(window, child) gtk_container_add(GTK_CONTAINER(window), child)
#define gtk_window_set_child(window, child) gtk_container_add(GTK_CONTAINER(window), child)
#define gtk_window_present(window) gtk_widget_show_all(GTK_WIDGET(window))
#define gtk_list_box_row_set_child(row, child) gtk_container_add(GTK_CONTAINER(row), child)
#define gtk_list_box_row_get_child(row) gtk_bin_get_child(GTK_BIN(row))
#define gtk_flow_box_child_get_child(child) gtk_bin_get_child(GTK_BIN(child))
#define gtk_list_box_remove(box, row) gtk_container_remove(GTK_CONTAINER(box), row)
#define gtk_flow_box_remove(box, child) gtk_container_remove(GTK_CONTAINER(box), child)
#define show(widget) gtk_widget_show_all(widget)
#endif

static GtkWidget *fixed;

/* How to read and change a kind of list. */
typedef struct {
  const char *name;
  GtkWidget *widget;
  char *(*get)(gpointer list, guint position);
  void (*insert)(gpointer list, guint position, const char *text);
  void (*remove)(gpointer list, guint position);
} Kind;

static void say_rows(Kind *kind) {
  GString *line = g_string_new(kind->name);
  char *text;
  for (guint i = 0; i < 8 && (text = kind->get(kind->widget, i)); i++) {
    g_string_append_printf(line, " %s", text);
    g_free(text);
  }
  g_print("%s\n", line->str);
  fflush(stdout);
  g_string_free(line, TRUE);
}

/* ------------------------------------------------------------------------------------------------------- Kinds --- */

static GtkWidget *cell(const char *text) {
  GtkWidget *label = gtk_label_new(text);
  gtk_widget_set_size_request(label, 90, 30);
  return label;
}

static char *box_get(gpointer list, guint position) {
  GtkListBoxRow *row = gtk_list_box_get_row_at_index(list, (int)position);
  return row ? g_strdup(gtk_label_get_text(GTK_LABEL(gtk_list_box_row_get_child(row)))) : NULL;
}

static void box_insert(gpointer list, guint position, const char *text) {
  GtkWidget *row = gtk_list_box_row_new();
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), cell(text));
  show(row);
  gtk_list_box_insert(list, row, (int)position);
}

static void box_remove(gpointer list, guint position) {
  gtk_list_box_remove(list, GTK_WIDGET(gtk_list_box_get_row_at_index(list, (int)position)));
}

static char *flow_get(gpointer list, guint position) {
  GtkFlowBoxChild *child = gtk_flow_box_get_child_at_index(list, (int)position);
  return child ? g_strdup(gtk_label_get_text(GTK_LABEL(gtk_flow_box_child_get_child(child)))) : NULL;
}

static void flow_insert(gpointer list, guint position, const char *text) {
  GtkWidget *label = cell(text);
  show(label);
  gtk_flow_box_insert(list, label, (int)position);
}

static void flow_remove(gpointer list, guint position) {
  gtk_flow_box_remove(list, GTK_WIDGET(gtk_flow_box_get_child_at_index(list, (int)position)));
}

static gboolean tree_iter(gpointer list, guint position, GtkTreeIter *iter) {
  return gtk_tree_model_iter_nth_child(gtk_tree_view_get_model(list), iter, NULL, (int)position);
}

static char *tree_get(gpointer list, guint position) {
  GtkTreeIter iter;
  char *text = NULL;
  if (tree_iter(list, position, &iter)) gtk_tree_model_get(gtk_tree_view_get_model(list), &iter, 0, &text, -1);
  return text;
}

static void tree_insert(gpointer list, guint position, const char *text) {
  gtk_list_store_insert_with_values(GTK_LIST_STORE(gtk_tree_view_get_model(list)), NULL, (int)position, 0, text, -1);
}

static void tree_remove(gpointer list, guint position) {
  GtkTreeIter iter;
  if (tree_iter(list, position, &iter)) gtk_list_store_remove(GTK_LIST_STORE(gtk_tree_view_get_model(list)), &iter);
}

static GtkWidget *tree(void) {
  GtkWidget *tree = gtk_tree_view_new_with_model(GTK_TREE_MODEL(gtk_list_store_new(1, G_TYPE_STRING)));
  GtkCellRenderer *renderer = gtk_cell_renderer_text_new();
  gtk_cell_renderer_set_fixed_size(renderer, -1, 30);
  gtk_tree_view_insert_column_with_attributes(GTK_TREE_VIEW(tree), -1, "", renderer, "text", 0, NULL);
  gtk_tree_view_set_headers_visible(GTK_TREE_VIEW(tree), FALSE);
  return tree;
}

#if GTK_MAJOR_VERSION == 4
static void setup(GtkSignalListItemFactory *factory, GtkListItem *item) { gtk_list_item_set_child(item, cell("")); }

static void bind(GtkSignalListItemFactory *factory, GtkListItem *item) {
  GtkStringObject *string = gtk_list_item_get_item(item);
  gtk_label_set_text(GTK_LABEL(gtk_list_item_get_child(item)), gtk_string_object_get_string(string));
}

static GtkListItemFactory *factory(void) {
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", G_CALLBACK(setup), NULL);
  g_signal_connect(factory, "bind", G_CALLBACK(bind), NULL);
  return factory;
}

static GtkSelectionModel *model(void) {
  return GTK_SELECTION_MODEL(gtk_multi_selection_new(G_LIST_MODEL(gtk_string_list_new(NULL))));
}

static GtkStringList *strings(gpointer list) {
  GtkMultiSelection *model;
  g_object_get(list, "model", &model, NULL);
  g_object_unref(model);
  return GTK_STRING_LIST(gtk_multi_selection_get_model(model));
}

static char *view_get(gpointer list, guint position) {
  return g_strdup(gtk_string_list_get_string(strings(list), position));
}

static void view_insert(gpointer list, guint position, const char *text) {
  const char *added[] = {text, NULL};
  gtk_string_list_splice(strings(list), position, 0, added);
}

static void view_remove(gpointer list, guint position) { gtk_string_list_remove(strings(list), position); }

static GtkWidget *columns(void) {
  GtkWidget *view = gtk_column_view_new(model());
  gtk_column_view_append_column(GTK_COLUMN_VIEW(view), gtk_column_view_column_new("one", factory()));
  gtk_column_view_append_column(GTK_COLUMN_VIEW(view), gtk_column_view_column_new("two", factory()));
  return view;
}
#endif

/* ------------------------------------------------------------------------------------------------------- Lists --- */

static void prepare(CarryList *list, CarryDrag *drag, guint position, Kind *kind) {
  char *text = kind->get(kind->widget, position);
  carry_drag_add_text(drag, text);
  g_free(text);
}

static void value(CarryList *list, const GValue *value, guint position, gboolean into, Kind *kind) {
  if (into) g_print("into %s %u: %s\n", kind->name, position, g_value_get_string(value));
  else kind->insert(kind->widget, position, g_value_get_string(value));
  say_rows(kind);
}

static void move(CarryList *list, guint from, guint to, Kind *kind) {
  char *text = kind->get(kind->widget, from);
  kind->remove(kind->widget, from);
  kind->insert(kind->widget, to, text);
  g_free(text);
  say_rows(kind);
}

/* The rows with capital letters. */
static gboolean accept_into(CarryList *list, CarryDrop *drop, guint position, Kind *kind) {
  char *text = kind->get(kind->widget, position);
  gboolean accepts = text && g_ascii_isupper(text[0]);
  g_free(text);
  return accepts;
}

static void scrolled(GtkAdjustment *adjustment, const char *name) {
  if (gtk_adjustment_get_value(adjustment) < 100) return;
  g_print("%s scrolled\n", name);
  g_signal_handlers_disconnect_by_func(adjustment, scrolled, (gpointer)name);
}

static void put(Kind *kind, int x, int y) {
  static const char *rows[] = {"a", "B", "c", "d", "e", "f", NULL};
  GtkWidget *scroller = gtk_scrolled_window_new();
  gtk_widget_set_size_request(scroller, 300, 240);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), kind->widget);
  gtk_fixed_put(GTK_FIXED(fixed), scroller, x, y);
  for (guint i = 0; i < 60; i++) kind->insert(kind->widget, i, i < 6 ? rows[i] : "z");
  g_signal_connect(gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scroller)), "value-changed",
                   G_CALLBACK(scrolled), (gpointer)kind->name);
  CarryList *list = carry_list_attach(kind->widget, G_TYPE_STRING);
  g_signal_connect(list, "prepare", G_CALLBACK(prepare), kind);
  g_signal_connect(list, "value", G_CALLBACK(value), kind);
  g_signal_connect(list, "move", G_CALLBACK(move), kind);
  g_signal_connect(list, "accept-into", G_CALLBACK(accept_into), kind);
}

static void activate(GtkApplication *app) {
  GtkWidget *window = gtk_application_window_new(app);
  fixed = gtk_fixed_new();
  static Kind kinds[] = {{"box", NULL, box_get, box_insert, box_remove},
                         {"flow", NULL, flow_get, flow_insert, flow_remove},
                         {"tree", NULL, tree_get, tree_insert, tree_remove}};
  kinds[0].widget = gtk_list_box_new();
  kinds[1].widget = gtk_flow_box_new();
  kinds[2].widget = tree();
  for (int i = 0; i < 3; i++) put(&kinds[i], 20 + 320 * i, 20);
  /* The rows e and f. */
  GtkTreePath *first = gtk_tree_path_new_from_indices(4, -1), *last = gtk_tree_path_new_from_indices(5, -1);
  GtkTreeSelection *selection = gtk_tree_view_get_selection(GTK_TREE_VIEW(kinds[2].widget));
  gtk_tree_selection_set_mode(selection, GTK_SELECTION_MULTIPLE);
  gtk_tree_selection_select_range(selection, first, last);
  gtk_tree_path_free(first);
  gtk_tree_path_free(last);
#if GTK_MAJOR_VERSION == 4
  static Kind views[] = {{"list", NULL, view_get, view_insert, view_remove},
                         {"grid", NULL, view_get, view_insert, view_remove},
                         {"columns", NULL, view_get, view_insert, view_remove}};
  views[0].widget = gtk_list_view_new(model(), factory());
  views[1].widget = gtk_grid_view_new(model(), factory());
  views[2].widget = columns();
  for (int i = 0; i < 3; i++) put(&views[i], 20 + 320 * i, 300);
#endif
  gtk_window_set_child(GTK_WINDOW(window), fixed);
  gtk_window_set_default_size(GTK_WINDOW(window), 1000, 600);
  gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
  gtk_window_present(GTK_WINDOW(window));
}

int main(int argc, char **argv) {
  GtkApplication *app = gtk_application_new("org.example.lists", G_APPLICATION_NON_UNIQUE);
  g_signal_connect(app, "activate", G_CALLBACK(activate), NULL);
  return g_application_run(G_APPLICATION(app), 1, argv);
}
