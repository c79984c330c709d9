// A target of Carry's with a window where the recordings of one drag have theirs. It prints "hovers with" the team data
// of the first item, or "nothing", as a drag comes over it, and then "dropped".
#include <X11/Xlib.h>
#include <carry.h>
#include <stdio.h>

static void did_enter(void *data, carry_drop_session *session) {
  char bytes[64];
  int32_t count = carry_drop_session_team_data(session, 0, bytes, sizeof bytes);
  (void)data;
  if (count > 0) printf("hovers with %.*s\n", (int)count, bytes);
  else printf("hovers with nothing\n");
}

static int32_t did_update(void *data, carry_drop_session *session) {
  (void)data, (void)session;
  return CARRY_OPERATION_COPY;
}

static void perform_drop(void *data, carry_drop_session *session) {
  (void)data, (void)session;
  printf("dropped\n");
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  Display *display = XOpenDisplay(NULL);
  if (!display) return 2;
  Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 850, 250, 300, 300, 0, 0, 0x336699);
  XMapWindow(display, window);
  XSync(display, False);
  carry_client *client = carry_client_create("team", NULL);
  if (!client) return printf("%s\n", carry_last_error()), 3;
  carry_region *region = carry_region_create(client, (uint32_t)window, 0, 0, 300, 300);
  carry_drop_callbacks drop = CARRY_DROP_CALLBACKS_INIT;
  drop.did_enter = did_enter, drop.did_update = did_update, drop.perform_drop = perform_drop;
  carry_region_set_drop(region, &drop);
  return carry_client_run(client, -1, NULL, NULL) < 0;
}
