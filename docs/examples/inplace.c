/* A window to drop a text file on. It opens the source's own file in place and prints it, prints it again whenever a
   program changes it, and adds a line to it at a click into the window.

     ./inplace [--geometry WxH+X+Y] */
#define _POSIX_C_SOURCE 200809L
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <carry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct app {
  carry_client *client;
  carry_region *region;
  Display *display;
  carry_file_watch *watch;
  char *path; /* of the open file, or NULL */
  int is_reading, read_again;
  char text[4096];
  size_t size;
};

/* Names and data from another program may contain anything, such as terminal control sequences. */
static void print(const char *what, const void *bytes, size_t size) {
  fputs(what, stdout);
  for (const unsigned char *c = bytes; size--; c++)
    putchar((*c < ' ' && *c != '\n') || *c == 0x7f || (*c == 0xc2 && size && c[1] < 0xa0) ? '?' : *c);
  putchar('\n');
}

/* On another thread, while no program writes. Only one read runs at a time, so `text` belongs to this thread. */
static int32_t read_text(void *data, int32_t descriptor) {
  struct app *app = data;
  ssize_t n;
  app->size = 0;
  while (app->size < sizeof app->text && (n = read(descriptor, app->text + app->size, sizeof app->text - app->size)) > 0)
    app->size += (size_t)n;
  return 0;
}

static void show(struct app *app);

static void did_read(void *data, int32_t status) {
  struct app *app = data;
  app->is_reading = 0;
  if (status < 0) fprintf(stderr, "inplace: %s\n", carry_last_error());
  else if (!app->read_again) print("it says: ", app->text, app->size);
  if (app->read_again) show(app);
}

/* The file system may not answer; the window stays responsive meanwhile. */
static void show(struct app *app) {
  app->read_again = app->is_reading;
  if (app->is_reading || !app->path) return;
  app->is_reading = carry_file_read(app->client, app->path, 2, read_text, did_read, app) == CARRY_OK;
  if (!app->is_reading) fprintf(stderr, "inplace: %s\n", carry_last_error());
}

static void did_change(void *data, int32_t change) {
  struct app *app = data;
  if (change == CARRY_FILE_REMOVED) printf("it is gone\n"); /* the watch continues: a new file may appear */
  else show(app);
}

/* On another thread, while no other program reads or writes. */
static int32_t add_line(void *data, int32_t descriptor) {
  static const char line[] = "One more line\n";
  (void)data;
  return lseek(descriptor, 0, SEEK_END) < 0 || write(descriptor, line, sizeof line - 1) != sizeof line - 1;
}

static void did_add(void *data, int32_t status) {
  (void)data;
  if (status < 0) fprintf(stderr, "inplace: %s\n", carry_last_error());
  else if (status > 0) fprintf(stderr, "inplace: the line could not be written\n");
}

static void did_open(void *data, int32_t status, const carry_file *file, const char *why) {
  struct app *app = data;
  if (status != CARRY_OK) {
    fprintf(stderr, "inplace: %s\n", why);
    return;
  }
  carry_file_watch_destroy(app->watch);
  app->watch = NULL;
  free(app->path);
  app->path = NULL;
  if (!file->is_original) { /* a copy, which exists until this function returns */
    printf("the source keeps its file to itself\n");
    return;
  }
  app->path = strdup(file->path);
  print(file->is_writable ? "opened " : "opened, for others to change, ", app->path, strlen(app->path));
  app->watch = carry_file_watch_create(app->client, app->path, did_change, app);
  if (!app->watch) fprintf(stderr, "inplace: %s\n", carry_last_error());
  show(app);
}

/* The type and index of the first text item; NULL if there is none. */
static const char *text_item(carry_drop_session *session, int32_t *item) {
  for (*item = 0; *item < carry_drop_session_item_count(session); ++*item) {
    const char *type = carry_drop_session_best_type(session, *item, "text/plain");
    if (type) return type;
  }
  return NULL;
}

static int32_t did_update(void *data, carry_drop_session *session) {
  int32_t item;
  (void)data;
  return text_item(session, &item) ? CARRY_OPERATION_COPY : CARRY_OPERATION_CANCEL;
}

static void perform_drop(void *data, carry_drop_session *session) {
  int32_t item;
  const char *type = text_item(session, &item);
  if (!type || !carry_drop_session_open(session, item, type, did_open, data))
    fprintf(stderr, "inplace: %s\n", carry_last_error());
}

static void x_readable(void *data) {
  struct app *app = data;
  XEvent event;
  while (XPending(app->display)) {
    XNextEvent(app->display, &event);
    if (event.type == ConfigureNotify)
      carry_region_set_rectangle(app->region, 0, 0, event.xconfigure.width, event.xconfigure.height);
    if (event.type == ButtonPress && app->path &&
        carry_file_write(app->client, app->path, 2, add_line, did_add, app) != CARRY_OK)
      fprintf(stderr, "inplace: %s\n", carry_last_error());
  }
}

int main(int argc, char **argv) {
  static struct app app; /* static, because other threads use it until the program exits */
  int x = 400, y = 50;
  unsigned int width = 300, height = 300;
  if (argc > 2 && !strcmp(argv[1], "--geometry")) XParseGeometry(argv[2], &x, &y, &width, &height);
  setvbuf(stdout, NULL, _IOLBF, 0);

  app.display = XOpenDisplay(NULL);
  if (!app.display) return fprintf(stderr, "inplace: no display\n"), 3;
  XSizeHints hints = {.flags = USPosition | USSize, .x = x, .y = y};
  Window window = XCreateSimpleWindow(app.display, DefaultRootWindow(app.display), x, y, width, height, 0, 0, 0xaf52de);
  XSetWMNormalHints(app.display, window, &hints);
  XStoreName(app.display, window, "inplace");
  XSelectInput(app.display, window, StructureNotifyMask | ButtonPressMask);
  XMapWindow(app.display, window);
  XSync(app.display, False);

  app.client = carry_client_create("C in place", NULL);
  if (!app.client) return fprintf(stderr, "inplace: %s\n", carry_last_error()), 3;
  app.region = carry_region_create(app.client, (uint32_t)window, 0, 0, (int32_t)width, (int32_t)height);
  carry_drop_callbacks callbacks = CARRY_DROP_CALLBACKS_INIT;
  callbacks.user_data = &app;
  callbacks.did_update = did_update;
  callbacks.perform_drop = perform_drop;
  carry_region_set_drop(app.region, &callbacks);

  int32_t status = carry_client_run(app.client, ConnectionNumber(app.display), x_readable, &app);
  if (status < 0) fprintf(stderr, "inplace: %s\n", carry_last_error());
  carry_client_destroy(app.client);
  XCloseDisplay(app.display);
  return status < 0 ? 3 : 0;
}
