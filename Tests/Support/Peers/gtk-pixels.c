/* Windows of GTK 3 or 4 in which targets overlap, turn, clip and scroll. For each pixel, what the library finds has to be
   what GTK picks; in GTK 3, which has no pick, what is drawn there. And regions have to cover what is found. Needs no
   engine. Prints a line for each window, and ends. */
#include <carry-gtk-private.h>

#if GTK_MAJOR_VERSION == 4
#define add_target(widget) gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(carry_drop_target_new(G_TYPE_STRING)))
#define show(window) gtk_window_present(GTK_WINDOW(window))
#else
#define add_target(widget) carry_drop_target_new(widget, G_TYPE_STRING)
#define show(window) gtk_widget_show_all(window)
#define gtk_window_new() gtk_window_new(GTK_WINDOW_TOPLEVEL)
#define gtk_window_destroy(window) gtk_widget_destroy(GTK_WIDGET(window))
#define gtk_window_set_child(window, child) gtk_container_add(GTK_CONTAINER(window), child)
#define gtk_box_append(box, child) gtk_box_pack_start(box, child, FALSE, FALSE, 0)
#define gtk_overlay_set_child(overlay, child) gtk_container_add(GTK_CONTAINER(overlay), child)
#define gtk_scrolled_window_new() gtk_scrolled_window_new(NULL, NULL)
#define gtk_scrolled_window_set_child(window, child) gtk_container_add(GTK_CONTAINER(window), child)
#define gtk_revealer_set_child(revealer, child) gtk_container_add(GTK_CONTAINER(revealer), child)
#define gtk_widget_get_root gtk_widget_get_toplevel
#endif

static GPtrArray *targets; /* of the window */
static GSourceFunc action; /* of the scene, once the window is there */
static gpointer action_data;

/* A box in a colour of its own. */
static GtkWidget *box(int width, int height) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  char *class = g_strdup_printf("target%u", targets->len);
  gtk_widget_set_size_request(box, width, height);
  gtk_widget_add_css_class(box, class);
  g_ptr_array_add(targets, box);
  g_free(class);
  return box;
}

static GtkWidget *target(int width, int height) {
  GtkWidget *target = box(width, height);
  add_target(target);
  return target;
}

/* ------------------------------------------------------------------------------------------------------ Scenes --- */

static GtkWidget *button_above(void) {
  GtkWidget *overlay = gtk_overlay_new(), *button = gtk_button_new_with_label("above");
  gtk_overlay_set_child(GTK_OVERLAY(overlay), target(300, 200));
  gtk_widget_set_halign(button, GTK_ALIGN_CENTER);
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class(button, "plain");
  gtk_overlay_add_overlay(GTK_OVERLAY(overlay), button);
  return overlay;
}

static GtkWidget *overlapping(void) {
  GtkWidget *fixed = gtk_fixed_new(), *lower = box(150, 100);
  gtk_fixed_put(GTK_FIXED(fixed), lower, 10, 10);
  gtk_fixed_put(GTK_FIXED(fixed), target(150, 100), 90, 60);
  add_target(lower);
  return fixed;
}

static GtkWidget *nested(void) {
  GtkWidget *outer = box(200, 150), *inner = target(100, 60);
  gtk_widget_set_halign(inner, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(outer), inner);
  add_target(outer);
  return outer;
}

static void set_adjustment(GtkWidget *scroller, double value) {
  gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scroller)), value);
}

static gboolean scroll(gpointer scroller) {
  set_adjustment(scroller, 45);
  set_adjustment(gtk_widget_get_ancestor(gtk_widget_get_parent(scroller), GTK_TYPE_SCROLLED_WINDOW), 20);
  return G_SOURCE_REMOVE;
}

static GtkWidget *scrolled(void) {
  GtkWidget *outer = gtk_scrolled_window_new(), *inner = gtk_scrolled_window_new();
  GtkWidget *page = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *rows = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_scrolled_window_set_overlay_scrolling(GTK_SCROLLED_WINDOW(inner), FALSE);
  for (int i = 0; i < 12; i++) gtk_box_append(GTK_BOX(rows), target(200, 30));
  gtk_widget_set_size_request(inner, 250, 150);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(inner), rows);
  gtk_box_append(GTK_BOX(page), inner);
  gtk_box_append(GTK_BOX(page), target(250, 200));
  gtk_widget_set_size_request(outer, 300, 200);
  gtk_scrolled_window_set_overlay_scrolling(GTK_SCROLLED_WINDOW(outer), FALSE);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(outer), page);
  action = scroll;
  action_data = inner;
  return outer;
}

static GtkWidget *margins(void) {
  GtkWidget *page = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *padded = target(100, 50);
  gtk_widget_add_css_class(padded, "padded");
  gtk_box_append(GTK_BOX(padded), target(40, 20));
  gtk_box_append(GTK_BOX(page), padded);
  gtk_widget_set_margin_start(padded, 13);
  return page;
}

static GtkWidget *notebook(void) {
  GtkWidget *notebook = gtk_notebook_new();
  gtk_notebook_append_page(GTK_NOTEBOOK(notebook), target(200, 100), target(60, 20));
  gtk_notebook_append_page(GTK_NOTEBOOK(notebook), target(200, 100), target(60, 20));
  return notebook;
}

static gboolean reveal(gpointer revealer) {
  gtk_revealer_set_reveal_child(revealer, TRUE);
  return G_SOURCE_REMOVE;
}

static GtkWidget *revealer(void) {
  GtkWidget *page = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *revealer = gtk_revealer_new();
  gtk_revealer_set_transition_duration(GTK_REVEALER(revealer), 60000);
  gtk_revealer_set_child(GTK_REVEALER(revealer), target(200, 5000));
  gtk_box_append(GTK_BOX(page), revealer);
  gtk_box_append(GTK_BOX(page), target(200, 50));
  action = reveal;
  action_data = revealer;
  return page;
}

#if GTK_MAJOR_VERSION == 4
static GtkWidget *turned(void) {
  GtkWidget *fixed = gtk_fixed_new(), *widget = target(150, 80);
  gtk_fixed_put(GTK_FIXED(fixed), widget, 0, 0);
  GskTransform *move = gsk_transform_translate(NULL, &GRAPHENE_POINT_INIT(60, 20));
  gtk_fixed_set_child_transform(GTK_FIXED(fixed), widget, gsk_transform_rotate(move, 30));
  gtk_widget_set_size_request(fixed, 250, 200);
  return fixed;
}

static GtkWidget *round_corners(void) {
  GtkWidget *widget = target(200, 150), *page = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class(widget, "round");
  gtk_widget_set_overflow(widget, GTK_OVERFLOW_HIDDEN);
  gtk_box_append(GTK_BOX(widget), target(200, 40));
  gtk_box_append(GTK_BOX(page), widget);
  return page;
}
#endif

static const struct {
  const char *name;
  GtkWidget *(*make)(void);
  gboolean is_decorated;
} scenes[] = {{"a button above", button_above, FALSE},
              {"overlapping targets", overlapping, FALSE},
              {"nested targets", nested, FALSE},
              {"rows in scrolled windows", scrolled, FALSE},
              {"margins", margins, FALSE},
              {"a notebook", notebook, FALSE},
              {"a revealer", revealer, FALSE},
#if GTK_MAJOR_VERSION == 4
              {"a turned target", turned, FALSE},
              {"round corners", round_corners, FALSE},
#endif
              {"decorations", nested, TRUE}};

/* ---------------------------------------------------------------------------------------------------- Checking --- */

#if GTK_MAJOR_VERSION == 4
static GtkWidget *expected(GtkWidget *window, int x, int y) {
  double tx, ty, scale = gtk_widget_get_scale_factor(window);
  gtk_native_get_surface_transform(GTK_NATIVE(window), &tx, &ty);
  GtkWidget *w = gtk_widget_pick(window, (x + 0.5) / scale - tx, (y + 0.5) / scale - ty, GTK_PICK_DEFAULT);
  while (w && !g_ptr_array_find(targets, w, NULL)) w = gtk_widget_get_parent(w);
  return w;
}
#define draw(window)
#else
static cairo_surface_t *drawn;

static void draw(GtkWidget *window) {
  int scale = gtk_widget_get_scale_factor(window);
  if (drawn) cairo_surface_destroy(drawn);
  drawn = cairo_image_surface_create(CAIRO_FORMAT_RGB24, gtk_widget_get_width(window) * scale,
                                     gtk_widget_get_height(window) * scale);
  cairo_surface_set_device_scale(drawn, scale, scale);
  cairo_t *cr = cairo_create(drawn);
  gtk_widget_draw(window, cr);
  cairo_destroy(cr);
  cairo_surface_flush(drawn);
}

static GtkWidget *expected(GtkWidget *window, int x, int y) {
  const guchar *pixel = cairo_image_surface_get_data(drawn) + y * cairo_image_surface_get_stride(drawn) + 4 * x;
  guint number = pixel[2] / 10u - 1;
  (void)window;
  return pixel[0] == 80 && pixel[1] == 200 && number < targets->len ? targets->pdata[number] : NULL;
}
#endif

static gboolean is_covered(int x, int y) {
  for (guint i = 0; i < targets->len; i++) {
    GdkRectangle at = carry_place_of(targets->pdata[i])->rect;
    if (x >= at.x && y >= at.y && x < at.x + at.width && y < at.y + at.height) return TRUE;
  }
  return FALSE;
}

static void check(GtkWidget *window, const char *name) {
  int scale = gtk_widget_get_scale_factor(window), hits = 0, wrong = 0, uncovered = 0;
  int width = gtk_widget_get_width(window) * scale, height = gtk_widget_get_height(window) * scale;
  draw(window);
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      double px = x + 0.5, py = y + 0.5;
      GtkWidget *meant = expected(window, x, y);
      CarryPlace *place = carry_route_in(window, CARRY_ROLE_DROP, NULL, NULL, &px, &py);
      hits += meant != NULL;
      wrong += (place ? place->widget : NULL) != meant;
      uncovered += meant && !is_covered(x, y);
    }
  }
  g_print("%s: %s, %d wrong, %d uncovered\n", name, hits > 1000 ? "hit" : "not hit", wrong, uncovered);
}

/* Lets a window come to rest, or into the middle of its animation. */
static gboolean frame(GtkWidget *window, GdkFrameClock *clock, gpointer loop) {
  static int frames;
  (void)window, (void)clock;
  frames++;
  if (frames == 5 && action) action(action_data);
  if (frames < 30) return G_SOURCE_CONTINUE;
  frames = 0;
  g_main_loop_quit(loop);
  return G_SOURCE_REMOVE;
}

int main(int argc, char **argv) {
  static const char rules[] =
#if GTK_MAJOR_VERSION == 4
      "box.padded { margin: 11px; }"
#endif
      "box.padded { border: 3px solid transparent; padding: 7px; } box.round { border-radius: 40px; }"
      ".plain { background: rgb(0,0,0); border: none; border-radius: 0; box-shadow: none; }";
#if GTK_MAJOR_VERSION == 4
  (void)argc, (void)argv;
  gtk_init();
#else
  gtk_init(&argc, &argv);
#endif
  GMainLoop *loop = g_main_loop_new(NULL, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS(scenes); i++) {
    GtkWidget *window = gtk_window_new(), *header = gtk_header_bar_new();
    GString *css = g_string_new(rules);
    for (int t = 0; t < 20; t++)
      g_string_append_printf(css, ".target%d { background: rgb(%d,200,80); }", t, 10 * (t + 1));
    if (i == 0) carry_widget_add_css(window, css->str);
    g_string_free(css, TRUE);
    targets = g_ptr_array_new();
    action = NULL;
    gtk_window_set_child(GTK_WINDOW(window), scenes[i].make());
    gtk_window_set_default_size(GTK_WINDOW(window), 320, 240);
    gtk_window_set_decorated(GTK_WINDOW(window), scenes[i].is_decorated);
    if (scenes[i].is_decorated) gtk_window_set_titlebar(GTK_WINDOW(window), header);
    else g_object_unref(g_object_ref_sink(header));
    show(window);
    gtk_widget_add_tick_callback(window, frame, loop, NULL);
    g_main_loop_run(loop);
    check(window, scenes[i].name);
    gtk_window_destroy(GTK_WINDOW(window));
    g_ptr_array_unref(targets);
  }
  return 0;
}
