/* A window to drop on. Prints each received text as one line, and saves anything else in the working directory: data,
   files and folders. Prints the progress; a click into the window cancels the running saves.

     ./target [--geometry WxH+X+Y] [--once] */
#define _POSIX_C_SOURCE 200809L
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <carry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct app {
  carry_client *client;
  carry_region *region;
  Display *display;
  int once;
  int loads;            /* running */
  carry_load *save[64]; /* the saves among them, or NULL */
};

/* Says what a drop would do here, now. While hovering, types are visible, data is not. */
static int32_t did_update(void *data, carry_drop_session *session) {
  (void)data, (void)session;
  return CARRY_OPERATION_COPY;
}

static void over(struct app *app) {
  if (--app->loads == 0 && app->once) carry_client_stop(app->client);
}

/* Data from another program may contain anything, such as terminal control sequences. */
static void print_text(const char *what, const void *bytes, size_t size) {
  fputs(what, stdout);
  for (const unsigned char *c = bytes; size--; c++)
    putchar((*c < ' ' && *c != '\n') || *c == 0x7f || (*c == 0xc2 && size && c[1] < 0xa0) ? '?' : *c);
  putchar('\n');
}

static void got_text(void *data, int32_t status, const void *bytes, size_t size, const char *why) {
  if (status == CARRY_OK) print_text("received text: ", bytes, size);
  else fprintf(stderr, "target: %s\n", why);
  over(data);
}

/* The slot of one save. Its load is valid until its callback is called. */
struct save {
  struct app *app;
  int index;
};

static void saved(void *data, int32_t status, const carry_file *file, const char *why) {
  struct save *save = data;
  struct app *app = save->app;
  app->save[save->index] = NULL;
  free(save);
  if (status == CARRY_OK) printf("received %s: %s\n", file->is_folder ? "folder" : "file", file->path);
  else fprintf(stderr, "target: %s\n", why);
  over(app);
}

static void went_on(void *data, carry_load *load, int64_t completed, int64_t total, double fraction) {
  (void)data, (void)load, (void)total;
  if (fraction < 0) printf("%lld bytes so far\n", (long long)completed);
  else printf("%d%%\n", (int)(100 * fraction));
}

/* Saves the source's data, file or folder here, under a harmless name that replaces nothing. */
static carry_load *save_item(struct app *app, carry_drop_session *session, int32_t item) {
  struct save *save = malloc(sizeof *save);
  if (!save) return NULL;
  save->app = app;
  for (save->index = 0; save->index < 63 && app->save[save->index]; save->index++) {
  }
  const char *type = carry_drop_session_type(session, item, 0);
  carry_load *load = carry_drop_session_save(session, item, type, ".", NULL, 0, saved, save);
  app->save[save->index] = load;
  if (load) carry_load_set_progress(load, went_on, NULL);
  else free(save);
  return load;
}

/* The type by which to load an item as text; NULL for anything else. A file from a file manager also offers its address
 * as text/uri-list, a subtype of text/plain: skip that. */
static const char *text_type(carry_drop_session *session, int32_t item) {
  const char *type = carry_drop_session_best_type(session, item, "text/plain");
  return type && strcmp(type, "text/uri-list") ? type : NULL;
}

/* Dropped: the only time to start loads. Their callbacks come later, even after the session's end. */
static void perform_drop(void *data, carry_drop_session *session) {
  struct app *app = data;
  for (int32_t i = 0; i < carry_drop_session_item_count(session); i++) {
    const char *text = text_type(session, i);
    carry_load *load = text ? carry_drop_session_load(session, i, text, 1 << 20, got_text, app)
                            : save_item(app, session, i);
    if (load) app->loads++;
    else fprintf(stderr, "target: item %d: %s\n", i, carry_last_error());
  }
}

/* Xlib reads ahead: handle all pending events. */
static void x_readable(void *data) {
  struct app *app = data;
  XEvent event;
  while (XPending(app->display)) {
    XNextEvent(app->display, &event);
    if (event.type == ConfigureNotify)
      carry_region_set_rectangle(app->region, 0, 0, event.xconfigure.width, event.xconfigure.height);
    if (event.type == ButtonPress) /* calls their callbacks before it returns */
      for (int i = 0; i < 64; i++) carry_load_cancel(app->save[i]);
  }
}

int main(int argc, char **argv) {
  struct app app = {0};
  int x = 400, y = 50;
  unsigned int width = 300, height = 300;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--once")) app.once = 1;
    else if (!strcmp(argv[i], "--geometry") && i + 1 < argc) XParseGeometry(argv[++i], &x, &y, &width, &height);
  }
  setvbuf(stdout, NULL, _IOLBF, 0);

  app.display = XOpenDisplay(NULL);
  if (!app.display) return fprintf(stderr, "target: no display\n"), 3;
  XSizeHints hints = {.flags = USPosition | USSize, .x = x, .y = y};
  Window window = XCreateSimpleWindow(app.display, DefaultRootWindow(app.display), x, y, width, height, 0, 0, 0x34c759);
  XSetWMNormalHints(app.display, window, &hints);
  XStoreName(app.display, window, "target");
  XSelectInput(app.display, window, StructureNotifyMask | ButtonPressMask);
  XMapWindow(app.display, window);
  XSync(app.display, False);

  app.client = carry_client_create("C target", NULL);
  if (!app.client) return fprintf(stderr, "target: %s\n", carry_last_error()), 3;
  app.region = carry_region_create(app.client, (uint32_t)window, 0, 0, (int32_t)width, (int32_t)height);

  carry_drop_callbacks callbacks = CARRY_DROP_CALLBACKS_INIT;
  callbacks.user_data = &app;
  callbacks.did_update = did_update;
  callbacks.perform_drop = perform_drop;
  carry_region_set_drop(app.region, &callbacks);

  int32_t status = carry_client_run(app.client, ConnectionNumber(app.display), x_readable, &app);
  if (status < 0) fprintf(stderr, "target: %s\n", carry_last_error());
  carry_client_destroy(app.client);
  XCloseDisplay(app.display);
  return status < 0 ? 3 : 0;
}
