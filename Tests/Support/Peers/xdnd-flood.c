// Sends answers of XDND without end: xdnd-flood WINDOW TARGET, both as numbers. It is killed by whoever started it.
#include <X11/Xlib.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  Display *display = XOpenDisplay(NULL);
  if (!display) return 1;
  Window window = strtoul(argv[1], NULL, 10);
  XEvent event;
  memset(&event, 0, sizeof event);
  event.xclient.type = ClientMessage;
  event.xclient.window = window;
  event.xclient.message_type = XInternAtom(display, "XdndStatus", False);
  event.xclient.format = 32;
  event.xclient.data.l[0] = (long)strtoul(argv[2], NULL, 10);
  event.xclient.data.l[1] = 3;
  event.xclient.data.l[4] = (long)XInternAtom(display, "XdndActionCopy", False);
  for (;;) XSendEvent(display, window, False, 0, &event);
}
