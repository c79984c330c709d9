// Drops by XDND some times, and has no data: xdnd-drops DOOR TARGET COUNT X Y, all as numbers; DOOR gets the messages. It
// says "dropped" with each drop, and "taken" or "refused" with each Finished. It is killed by whoever started it.
#include <X11/Xlib.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Display *display;
static Window door, target, own;

static void tell(const char *kind, long flags, long place, long third, long fourth) {
  XEvent event;
  memset(&event, 0, sizeof event);
  event.xclient.type = ClientMessage;
  event.xclient.window = target;
  event.xclient.message_type = XInternAtom(display, kind, False);
  event.xclient.format = 32;
  event.xclient.data.l[0] = (long)own;
  event.xclient.data.l[1] = flags;
  event.xclient.data.l[2] = place;
  event.xclient.data.l[3] = third;
  event.xclient.data.l[4] = fourth;
  XSendEvent(display, door, False, 0, &event);
}

static void begin(long place) {
  tell("XdndEnter", 5 << 24, (long)XInternAtom(display, "UTF8_STRING", False), 0, 0);
  tell("XdndPosition", 0, place, 1000, (long)XInternAtom(display, "XdndActionCopy", False));
  XFlush(display);
}

static void say(const char *word) {
  puts(word);
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  display = XOpenDisplay(NULL);
  if (!display) return 1;
  door = strtoul(argv[1], NULL, 10);
  target = strtoul(argv[2], NULL, 10);
  long count = atol(argv[3]), place = atol(argv[4]) << 16 | atol(argv[5]);
  own = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
  Atom status = XInternAtom(display, "XdndStatus", False), finished = XInternAtom(display, "XdndFinished", False);
  begin(place);
  for (;;) {
    // There may be no room for the drag yet. After a second without an answer that it may drop, it begins again.
    struct pollfd server = {ConnectionNumber(display), POLLIN, 0};
    if (XPending(display) == 0 && poll(&server, 1, count > 0 ? 1000 : -1) == 0) {
      begin(place);
      continue;
    }
    while (XPending(display) > 0) {
      XEvent event;
      XNextEvent(display, &event);
      if (event.type != ClientMessage) continue;
      if (event.xclient.message_type == finished) say(event.xclient.data.l[1] & 1 ? "taken" : "refused");
      if (event.xclient.message_type != status || !(event.xclient.data.l[1] & 1) || count == 0) continue;
      tell("XdndDrop", 0, 2000, 0, 0);
      say("dropped");
      if (--count > 0) begin(place);
      XFlush(display);
    }
  }
}
