/* The smallest target: a window that prints text dropped on it. target.c does more.

     cc smallest.c -o smallest $(pkg-config --cflags --libs carry x11) */
#include <X11/Xlib.h>
#include <carry.h>
#include <stdio.h>

/* Says what a drop would do here, now. Without a text among the items it is CANCEL: nothing is dropped then. */
static int32_t did_update(void *data, carry_drop_session *session) {
  (void)data;
  return carry_drop_session_conforms(session, "text/plain") == 1 ? CARRY_OPERATION_COPY : CARRY_OPERATION_CANCEL;
}

static void got_text(void *data, int32_t status, const void *bytes, size_t size, const char *why) {
  (void)data;
  if (status != CARRY_OK) {
    fprintf(stderr, "smallest: %s\n", why);
    return;
  }
  /* Data from another program may contain anything, such as terminal control sequences. */
  printf("received text: ");
  for (const unsigned char *c = bytes; size--; c++)
    putchar((*c < ' ' && *c != '\n') || *c == 0x7f || (*c == 0xc2 && size && c[1] < 0xa0) ? '?' : *c);
  printf("\n"), fflush(stdout);
}

/* The items were dropped: the only time to request data, which arrives later. */
static void perform_drop(void *data, carry_drop_session *session) {
  for (int32_t i = 0; i < carry_drop_session_item_count(session); i++) {
    const char *type = carry_drop_session_best_type(session, i, "text/plain");
    if (type && !carry_drop_session_load(session, i, type, 1 << 20, got_text, data))
      fprintf(stderr, "smallest: %s\n", carry_last_error());
  }
}

int main(void) {
  Display *display = XOpenDisplay(NULL);
  if (!display) return 3;
  Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 400, 50, 300, 300, 0, 0, 0x34c759);
  XMapWindow(display, window);
  XSync(display, False); /* the X server must know the window before the engine does */

  carry_client *client = carry_client_create("Smallest", NULL);
  if (!client) return fprintf(stderr, "smallest: %s\n", carry_last_error()), 3;
  carry_region *region = carry_region_create(client, (uint32_t)window, 0, 0, 300, 300);
  carry_drop_callbacks callbacks = CARRY_DROP_CALLBACKS_INIT;
  callbacks.did_update = did_update;
  callbacks.perform_drop = perform_drop;
  carry_region_set_drop(region, &callbacks);

  int32_t status = carry_client_run(client, -1, NULL, NULL); /* all callbacks come from here, on this thread */
  carry_client_destroy(client);
  return status < 0 ? 3 : 0;
}
