/* Copy and paste: puts text on the clipboard, or prints the text that it holds. Needs no engine.

     cc clipboard.c -o clipboard $(pkg-config --cflags --libs carry x11)
     ./clipboard copy "Some text" &           the text is there while it runs
     ./clipboard paste */
#include <X11/Xlib.h>
#include <carry.h>
#include <stdio.h>
#include <string.h>

struct app {
  carry_client *client;
  int32_t loads; /* running */
  int is_over, has_failed;
};

static void end_if_done(struct app *app) {
  if (app->is_over && app->loads == 0) carry_client_stop(app->client);
}

static void got_text(void *data, int32_t status, const void *bytes, size_t size, const char *why) {
  struct app *app = data;
  if (status == CARRY_OK) fwrite(bytes, 1, size, stdout), putchar('\n');
  else fprintf(stderr, "clipboard: %s\n", why), app->has_failed = 1;
  app->loads--;
  end_if_done(app);
}

/* The items that the region accepts: the only time to start loads. The same callback would serve a drop. */
static void paste(void *data, carry_drop_session *session, const int32_t *items, size_t count) {
  struct app *app = data;
  for (size_t i = 0; i < count; i++) {
    const char *type = carry_drop_session_best_type(session, items[i], "text/plain");
    if (carry_drop_session_load(session, items[i], type, 1 << 20, got_text, app)) app->loads++;
    else fprintf(stderr, "clipboard: %s\n", carry_last_error()), app->has_failed = 1;
  }
}

static void pasted(void *data, int32_t count) {
  struct app *app = data;
  if (count == 0) fprintf(stderr, "clipboard: there is no text on it\n"), app->has_failed = 1;
  app->is_over = 1;
  end_if_done(app);
}

int main(int argc, char **argv) {
  struct app app = {0};
  int copies = argc == 3 && !strcmp(argv[1], "copy");
  if (!copies && !(argc == 2 && !strcmp(argv[1], "paste")))
    return fprintf(stderr, "usage: clipboard copy TEXT | clipboard paste\n"), 2;
  Display *display = XOpenDisplay(NULL);
  if (!display) return fprintf(stderr, "clipboard: there is no X display\n"), 3;
  /* A paste goes into a region of a window, which need not be visible. */
  Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
  XSync(display, False);

  app.client = carry_client_create_awaiting("Clipboard", NULL);
  if (!app.client) return fprintf(stderr, "clipboard: %s\n", carry_last_error()), 3;
  int32_t status;
  if (copies) {
    carry_item *item = carry_item_create();
    status = carry_item_add_text(item, argv[2]);
    if (status >= 0) status = carry_client_copy(app.client, &item, 1);
    carry_item_destroy(item);
  } else {
    carry_region *region = carry_region_create(app.client, (uint32_t)window, 0, 0, 1, 1);
    const char *types[] = {"text/plain"};
    status = carry_region_set_paste(region, types, 1, paste, &app);
    if (status >= 0) status = carry_region_paste(region, pasted, &app);
  }
  if (status >= 0) status = carry_client_run(app.client, -1, NULL, NULL);
  if (status < 0) fprintf(stderr, "clipboard: %s\n", carry_last_error());
  carry_client_destroy(app.client); /* hands the copied item to the clipboard manager, if there is one */
  XCloseDisplay(display);
  return status < 0 ? 3 : app.has_failed;
}
