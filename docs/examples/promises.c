/* A window to drag from: press, hold, move. A press lifts three items, each promised in a different way:

   - FILE, which a target may also open in place, and change: see inplace.c;
   - a million numbers, generated while they are sent, whose size is known in advance;
   - a letter, served by a file provider, so that it can be dropped after this program has exited: see provider.c.

     ./promises [--geometry WxH+X+Y] [--once] FILE */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <carry.h>
#include <stdio.h>
#include <string.h>

#define NUMBERS "application/vnd.example.numbers"

struct app {
  carry_client *client;
  const char *file;
  int once;
};

enum { LINES = 1000000, AT_ONCE = 1000, WIDTH = 8 };

/* Called for each load, on a thread of its own. Any result but 0 makes the target's load fail. */
static int32_t write_numbers(void *data, carry_stream *stream) {
  (void)data;
  /* For a size that is known only now. Fewer bytes than this are a failure. */
  carry_stream_set_total(stream, (uint64_t)LINES * WIDTH);
  for (int i = 0; i < LINES; i += AT_ONCE) {
    char lines[AT_ONCE * WIDTH + 1];
    for (int k = 0; k < AT_ONCE; k++) snprintf(lines + k * WIDTH, WIDTH + 1, "%07d\n", i + k);
    /* Waits while the target is behind, and fails once the target has cancelled. */
    int32_t status = carry_stream_write(stream, lines, AT_ONCE * WIDTH);
    if (status != CARRY_OK) return status;
  }
  return 0;
}

static void lift(carry_drag_session *session, carry_item *item) {
  carry_drag_session_add_item(session, item);
  carry_item_destroy(item); /* the session has its own reference */
}

static void items_for_beginning(void *data, carry_drag_session *session, double x, double y) {
  struct app *app = data;
  (void)x, (void)y;
  carry_item *file = carry_item_create();
  if (carry_item_add_original(file, NULL, app->file) != CARRY_OK) fprintf(stderr, "promises: %s\n", carry_last_error());
  lift(session, file);

  carry_item *numbers = carry_item_create();
  carry_item_add_stream(numbers, NUMBERS, write_numbers, NULL, NULL);
  carry_item_set_byte_count(numbers, NUMBERS, (uint64_t)LINES * WIDTH); /* a progress bar from the beginning */
  carry_item_set_name(numbers, "numbers.csv");
  lift(session, numbers);

  /* Targets can request only types that the item has, from the file provider too. The provider's text is available after
     this program has exited. Without a manifest that names a file provider, the target receives this text. */
  carry_item *letter = carry_item_create();
  carry_item_add_text(letter, "Letter 7, from promises");
  carry_item_set_reference(letter, "letter 7");
  lift(session, letter);
}

static void did_end(void *data, carry_drag_session *session, int32_t operation) {
  struct app *app = data;
  (void)session;
  printf("the drag ended: %s\n", operation >= CARRY_OPERATION_COPY ? "dropped" : "cancelled");
  if (app->once && operation < CARRY_OPERATION_COPY) carry_client_stop(app->client);
}

static void did_transfer(void *data, carry_drag_session *session) {
  struct app *app = data;
  (void)session;
  printf("transferred\n");
  if (app->once) carry_client_stop(app->client);
}

int main(int argc, char **argv) {
  struct app app = {NULL, NULL, 0};
  int x = 50, y = 50;
  unsigned int width = 300, height = 300;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--once")) app.once = 1;
    else if (!strcmp(argv[i], "--geometry") && i + 1 < argc) XParseGeometry(argv[++i], &x, &y, &width, &height);
    else app.file = argv[i];
  }
  if (!app.file) return fprintf(stderr, "promises: name a file to drag\n"), 2;
  setvbuf(stdout, NULL, _IOLBF, 0);

  Display *display = XOpenDisplay(NULL);
  if (!display) return fprintf(stderr, "promises: no display\n"), 3;
  XSizeHints hints = {.flags = USPosition | USSize, .x = x, .y = y};
  Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), x, y, width, height, 0, 0, 0xff9500);
  XSetWMNormalHints(display, window, &hints);
  XStoreName(display, window, "promises");
  XMapWindow(display, window);
  XSync(display, False);

  app.client = carry_client_create("C promises", NULL);
  if (!app.client) return fprintf(stderr, "promises: %s\n", carry_last_error()), 3;
  carry_region *region = carry_region_create(app.client, (uint32_t)window, 0, 0, (int32_t)width, (int32_t)height);
  carry_drag_callbacks callbacks = CARRY_DRAG_CALLBACKS_INIT;
  callbacks.user_data = &app;
  callbacks.items_for_beginning = items_for_beginning;
  callbacks.did_end = did_end;
  callbacks.did_transfer = did_transfer;
  carry_region_set_drag(region, &callbacks);

  int32_t status = carry_client_run(app.client, -1, NULL, NULL);
  if (status < 0) fprintf(stderr, "promises: %s\n", carry_last_error());
  carry_client_destroy(app.client);
  XCloseDisplay(display);
  return status < 0 ? 3 : 0;
}
