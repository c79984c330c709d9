/* A window to drag from: press, hold, move. The item offers the text given as argument and, as a second choice, a
   file: this source code.

     ./source [--geometry WxH+X+Y] [--once] [TEXT] */
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
  const char *text;
  int once;
};

/* A long press on the region: adds the items that it lifts. */
static void items_for_beginning(void *data, carry_drag_session *session, double x, double y) {
  struct app *app = data;
  carry_item *item = carry_item_create();
  (void)x, (void)y;
  /* Best first. Nothing is read or copied until a target requests it after the drop. */
  carry_item_add_text(item, app->text);
  carry_item_add_file(item, "text/x-csrc", __FILE__);
  carry_item_set_name(item, "greeting.txt"); /* otherwise the text would get the file's name too */
  carry_drag_session_add_item(session, item);
  carry_item_destroy(item); /* the session has its own reference */
}

static void did_end(void *data, carry_drag_session *session, int32_t operation) {
  struct app *app = data;
  (void)session;
  printf("the drag ended: %s\n", operation >= CARRY_OPERATION_COPY ? "dropped" : "cancelled");
  if (app->once && operation < CARRY_OPERATION_COPY) carry_client_stop(app->client);
}

/* Everything that the destination requested has arrived, or has failed. */
static void did_transfer(void *data, carry_drag_session *session) {
  struct app *app = data;
  (void)session;
  printf("transferred\n");
  if (app->once) carry_client_stop(app->client);
}

/* Xlib reads ahead: handle all pending events. */
static void x_readable(void *data) {
  struct app *app = data;
  XEvent event;
  while (XPending(app->display)) {
    XNextEvent(app->display, &event);
    if (event.type == ConfigureNotify)
      carry_region_set_rectangle(app->region, 0, 0, event.xconfigure.width, event.xconfigure.height);
  }
}

int main(int argc, char **argv) {
  struct app app = {NULL, NULL, NULL, "Hello World", 0};
  int x = 50, y = 50;
  unsigned int width = 300, height = 300;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--once")) app.once = 1;
    else if (!strcmp(argv[i], "--geometry") && i + 1 < argc) XParseGeometry(argv[++i], &x, &y, &width, &height);
    else app.text = argv[i];
  }
  setvbuf(stdout, NULL, _IOLBF, 0);

  /* An ordinary window. XSync, because it must exist on the server before it is registered. */
  app.display = XOpenDisplay(NULL);
  if (!app.display) return fprintf(stderr, "source: no display\n"), 3;
  XSizeHints hints = {.flags = USPosition | USSize, .x = x, .y = y};
  Window window = XCreateSimpleWindow(app.display, DefaultRootWindow(app.display), x, y, width, height, 0, 0, 0x3478f6);
  XSetWMNormalHints(app.display, window, &hints);
  XStoreName(app.display, window, "source");
  XSelectInput(app.display, window, StructureNotifyMask);
  XMapWindow(app.display, window);
  XSync(app.display, False);

  app.client = carry_client_create("C source", NULL);
  if (!app.client) return fprintf(stderr, "source: %s\n", carry_last_error()), 3;
  app.region = carry_region_create(app.client, (uint32_t)window, 0, 0, (int32_t)width, (int32_t)height);

  carry_drag_callbacks callbacks = CARRY_DRAG_CALLBACKS_INIT;
  callbacks.user_data = &app;
  callbacks.items_for_beginning = items_for_beginning;
  callbacks.did_end = did_end;
  callbacks.did_transfer = did_transfer;
  carry_region_set_drag(app.region, &callbacks);

  /* A program with its own event loop watches carry_client_fd and calls carry_client_dispatch instead. */
  int32_t status = carry_client_run(app.client, ConnectionNumber(app.display), x_readable, &app);
  if (status < 0) fprintf(stderr, "source: %s\n", carry_last_error());
  carry_client_destroy(app.client);
  XCloseDisplay(app.display);
  return status < 0 ? 3 : 0;
}
