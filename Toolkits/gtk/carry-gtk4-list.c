/* GTK 4: lists that show a model. A row of theirs does not tell its position, but the factory that fills it knows. */
#include "carry-gtk-private.h"

static void bound(GtkSignalListItemFactory *factory, GtkListItem *item) {
  GtkWidget *child = gtk_list_item_get_child(item);
  (void)factory;
  if (child) g_object_set_data(G_OBJECT(child), "carry-list-item", item);
}

static void unbound(GtkSignalListItemFactory *factory, GtkListItem *item) {
  GtkWidget *child = gtk_list_item_get_child(item);
  (void)factory;
  if (child) g_object_set_data(G_OBJECT(child), "carry-list-item", NULL);
}

/* Watches the factory of a list or column, which then fills its rows anew. */
static void watch_factory(gpointer of) {
  GtkListItemFactory *factory;
  g_object_get(of, "factory", &factory, NULL);
  if (!factory) return;
  if (!GTK_IS_SIGNAL_LIST_ITEM_FACTORY(factory))
    g_warning("Carry: rows of a %s cannot take part", G_OBJECT_TYPE_NAME(factory));
  else if (!g_signal_handler_find(factory, G_SIGNAL_MATCH_FUNC, 0, 0, NULL, (gpointer)bound, NULL)) {
    g_object_set(of, "factory", NULL, NULL);
    g_signal_connect_after(factory, "bind", G_CALLBACK(bound), NULL);
    g_signal_connect(factory, "unbind", G_CALLBACK(unbound), NULL);
    g_object_set(of, "factory", factory, NULL);
  }
  g_object_unref(factory);
}

static void factory_changed(gpointer of, GParamSpec *spec, gpointer data) {
  (void)spec, (void)data;
  watch_factory(of);
}

static void columns_changed(GListModel *columns, guint at, guint removed, guint added, gpointer data) {
  (void)removed, (void)data;
  for (guint i = at; i < at + added; i++) {
    gpointer column = g_list_model_get_item(columns, i);
    g_signal_connect(column, "notify::factory", G_CALLBACK(factory_changed), NULL);
    watch_factory(column);
    g_object_unref(column);
  }
}

gboolean carry_list_watch(GtkWidget *list) {
  if (GTK_IS_COLUMN_VIEW(list)) {
    GListModel *columns = gtk_column_view_get_columns(GTK_COLUMN_VIEW(list));
    g_signal_connect(columns, "items-changed", G_CALLBACK(columns_changed), NULL);
    columns_changed(columns, 0, 0, g_list_model_get_n_items(columns), NULL);
    return TRUE;
  }
  if (!GTK_IS_LIST_VIEW(list) && !GTK_IS_GRID_VIEW(list)) return FALSE;
  g_signal_connect(list, "notify::factory", G_CALLBACK(factory_changed), NULL);
  watch_factory(list);
  return TRUE;
}

GListModel *carry_list_model(GtkWidget *list) {
  if (GTK_IS_COLUMN_VIEW(list)) return G_LIST_MODEL(gtk_column_view_get_model(GTK_COLUMN_VIEW(list)));
  if (GTK_IS_LIST_VIEW(list)) return G_LIST_MODEL(gtk_list_view_get_model(GTK_LIST_VIEW(list)));
  return GTK_IS_GRID_VIEW(list) ? G_LIST_MODEL(gtk_grid_view_get_model(GTK_GRID_VIEW(list))) : NULL;
}

/* The child of a row, or of its first cell, is what a factory has filled. */
gpointer carry_list_item_of(GtkWidget *row) {
  gpointer item = NULL;
  for (GtkWidget *w = gtk_widget_get_first_child(row); w && !item; w = gtk_widget_get_first_child(w))
    item = g_object_get_data(G_OBJECT(w), "carry-list-item");
  return item;
}

guint carry_list_item_position(GtkWidget *row) { return gtk_list_item_get_position(carry_list_item_of(row)); }

void carry_list_add_selected(GtkWidget *list, GArray *positions) {
  GtkBitset *selected = gtk_selection_model_get_selection(GTK_SELECTION_MODEL(carry_list_model(list)));
  for (guint i = 0; i < gtk_bitset_get_size(selected); i++) {
    guint position = gtk_bitset_get_nth(selected, i);
    g_array_append_val(positions, position);
  }
  gtk_bitset_unref(selected);
}

/* A column view has its rows in a list of its own. */
GtkWidget *carry_list_container(GtkWidget *list) {
  if (!GTK_IS_COLUMN_VIEW(list)) return list;
  GtkWidget *child = gtk_widget_get_first_child(list);
  while (child && !GTK_IS_LIST_VIEW(child)) child = gtk_widget_get_next_sibling(child);
  return child;
}
