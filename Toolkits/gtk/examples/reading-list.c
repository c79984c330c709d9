/* GTK 3: a reading list. Links that are dropped come between its rows, and rows are moved and dragged out as links.

   Links are kept in reading-list.txt in $XDG_DATA_HOME, one a line. */
#include <carry-gtk.h>

static GtkListBox *box;
static GtkHeaderBar *header;

static const char *link_of(GtkListBoxRow *row) { return g_object_get_data(G_OBJECT(row), "link"); }

/* -------------------------------------------------------------------------------------------------------- File --- */

static char *path(void) { return g_build_filename(g_get_user_data_dir(), "reading-list.txt", NULL); }

static void changed(void) {
  GString *text = g_string_new(NULL);
  GtkListBoxRow *row;
  int count;
  for (count = 0; (row = gtk_list_box_get_row_at_index(box, count)); count++)
    g_string_append_printf(text, "%s\n", link_of(row));
  char *file = path(), *folder = g_path_get_dirname(file);
  char *subtitle = g_strdup_printf(count == 1 ? "%d link" : "%d links", count);
  GError *error = NULL;
  g_mkdir_with_parents(folder, 0700);
  if (!g_file_set_contents(file, text->str, (gssize)text->len, &error)) g_warning("%s", error->message);
  gtk_header_bar_set_subtitle(header, count ? subtitle : NULL);
  g_clear_error(&error);
  g_string_free(text, TRUE);
  g_free(subtitle);
  g_free(folder);
  g_free(file);
}

/* -------------------------------------------------------------------------------------------------------- Rows --- */

static void remove_row(GtkButton *button, GtkWidget *row) {
  (void)button;
  gtk_widget_destroy(row);
  changed();
}

static GtkWidget *label(const char *text, const char *class, PangoEllipsizeMode ellipsize) {
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_ellipsize(GTK_LABEL(label), ellipsize);
  gtk_style_context_add_class(gtk_widget_get_style_context(label), class);
  return label;
}

/* What a link is called, for want of its page's title: the last part of its path, or its host. */
static char *title(GUri *uri) {
  char *name = g_strdelimit(g_path_get_basename(g_uri_get_path(uri)), "-_", ' ');
  if (g_str_has_suffix(name, ".html")) name[strlen(name) - 5] = 0;
  name[0] = g_ascii_toupper(name[0]);
  for (const char *c = name; *c; c++)
    if (g_ascii_isalpha(*c)) return name;
  g_free(name);
  return g_strdup(g_uri_get_host(uri));
}

/* Inserts the link that a text is; FALSE if it is none. */
static gboolean insert(const char *text, guint position) {
  char *link = g_strstrip(g_strndup(text, strcspn(text, "\r\n")));
  GUri *uri = g_uri_parse(link, G_URI_FLAGS_PARSE_RELAXED, NULL);
  if (!uri || !g_str_has_prefix(g_uri_get_scheme(uri), "http") || !g_uri_get_host(uri)) {
    g_clear_pointer(&uri, g_uri_unref);
    g_free(link);
    return FALSE;
  }
  GtkWidget *row = gtk_list_box_row_new(), *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *lines = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *button = gtk_button_new_from_icon_name("window-close-symbolic", GTK_ICON_SIZE_MENU);
  char *name = title(uri);
  gtk_container_add(GTK_CONTAINER(lines), label(name, "title", PANGO_ELLIPSIZE_END));
  gtk_container_add(GTK_CONTAINER(lines), label(link, "dim-label", PANGO_ELLIPSIZE_MIDDLE));
  gtk_button_set_relief(GTK_BUTTON(button), GTK_RELIEF_NONE);
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text(button, "Remove");
  g_signal_connect(button, "clicked", G_CALLBACK(remove_row), row);
  gtk_box_pack_start(GTK_BOX(line), lines, TRUE, TRUE, 0);
  gtk_box_pack_start(GTK_BOX(line), button, FALSE, FALSE, 0);
  gtk_container_add(GTK_CONTAINER(row), line);
  g_object_set_data_full(G_OBJECT(row), "link", link, g_free);
  gtk_widget_show_all(row);
  gtk_list_box_insert(box, row, (int)position);
  g_uri_unref(uri);
  g_free(name);
  return TRUE;
}

static void open_link(GtkListBox *list, GtkListBoxRow *row) {
  GError *error = NULL;
  GtkWidget *window = gtk_widget_get_toplevel(GTK_WIDGET(list));
  if (!gtk_show_uri_on_window(GTK_WINDOW(window), link_of(row), GDK_CURRENT_TIME, &error))
    g_warning("%s", error->message);
  g_clear_error(&error);
}

/* ---------------------------------------------------------------------------------------------- Drag and drop --- */

static void prepare(CarryList *list, CarryDrag *drag, guint position) {
  (void)list;
  GFile *link = g_file_new_for_uri(link_of(gtk_list_box_get_row_at_index(box, (int)position)));
  carry_drag_add_file(drag, link);
  g_object_unref(link);
}

static void value(CarryList *list, const GValue *text, guint position) {
  (void)list;
  if (insert(g_value_get_string(text), position)) changed();
}

static void move(CarryList *list, guint from, guint to) {
  (void)list;
  GtkWidget *row = g_object_ref(GTK_WIDGET(gtk_list_box_get_row_at_index(box, (int)from)));
  gtk_container_remove(GTK_CONTAINER(box), row);
  gtk_list_box_insert(box, row, (int)to);
  g_object_unref(row);
  changed();
}

/* ------------------------------------------------------------------------------------------------------ Window --- */

static void add_css(void) {
  GtkCssProvider *provider = gtk_css_provider_new();
  gtk_css_provider_load_from_data(provider,
                                  "list row { padding: 10px 8px 10px 16px; }"
                                  "list row:not(:last-child) { border-bottom: 1px solid alpha(currentColor, 0.08); }"
                                  "label.title { font-weight: bold; } label.dim-label { font-size: smaller; }"
                                  "list row button { opacity: 0.5; } label.empty { font-size: larger; }",
                                  -1, NULL);
  gtk_style_context_add_provider_for_screen(gdk_screen_get_default(), GTK_STYLE_PROVIDER(provider),
                                            GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_object_unref(provider);
}

static void activate(GtkApplication *app) {
  GtkWidget *window = gtk_application_window_new(app), *scroller = gtk_scrolled_window_new(NULL, NULL);
  GtkWidget *empty = label("Drop links here", "empty", PANGO_ELLIPSIZE_NONE);
  add_css();
  header = GTK_HEADER_BAR(gtk_header_bar_new());
  gtk_header_bar_set_title(header, "Reading List");
  gtk_header_bar_set_show_close_button(header, TRUE);
  box = GTK_LIST_BOX(gtk_list_box_new());
  gtk_list_box_set_activate_on_single_click(box, FALSE);
  gtk_list_box_set_selection_mode(box, GTK_SELECTION_NONE);
  gtk_style_context_add_class(gtk_widget_get_style_context(empty), "dim-label");
  gtk_widget_set_halign(empty, GTK_ALIGN_CENTER);
  gtk_widget_set_valign(empty, GTK_ALIGN_CENTER);
  gtk_widget_show(empty);
  gtk_list_box_set_placeholder(box, empty);
  g_signal_connect(box, "row-activated", G_CALLBACK(open_link), NULL);

  char *file = path(), *text = NULL;
  if (g_file_get_contents(file, &text, NULL, NULL)) {
    char **links = g_strsplit(text, "\n", -1);
    for (int i = 0; links[i]; i++) insert(links[i], G_MAXINT);
    g_strfreev(links);
  }
  g_free(text);
  g_free(file);
  changed();

  CarryList *list = carry_list_attach(GTK_WIDGET(box), G_TYPE_STRING);
  g_signal_connect(list, "prepare", G_CALLBACK(prepare), NULL);
  g_signal_connect(list, "value", G_CALLBACK(value), NULL);
  g_signal_connect(list, "move", G_CALLBACK(move), NULL);

  gtk_container_add(GTK_CONTAINER(scroller), GTK_WIDGET(box));
  gtk_container_add(GTK_CONTAINER(window), scroller);
  gtk_window_set_titlebar(GTK_WINDOW(window), GTK_WIDGET(header));
  gtk_window_set_default_size(GTK_WINDOW(window), 420, 520);
  gtk_widget_show_all(window);
}

int main(int argc, char **argv) {
  GtkApplication *app = gtk_application_new("org.example.reading-list", G_APPLICATION_NON_UNIQUE);
  g_signal_connect(app, "activate", G_CALLBACK(activate), NULL);
  return g_application_run(G_APPLICATION(app), argc, argv);
}
