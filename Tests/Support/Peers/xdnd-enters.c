// Begins hundreds of drags of XDND a second, of types that are none: xdnd-enters DOOR TARGET, both as numbers. It is killed by
// whoever started it.
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  Display *display = XOpenDisplay(NULL);
  if (!display) return 1;
  Window door = strtoul(argv[1], NULL, 10), own = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
  long types[256];
  for (int i = 0; i < 256; i++) types[i] = 0x0fff0000 + i;
  XChangeProperty(display, own, XInternAtom(display, "XdndTypeList", False), XA_ATOM, 32, PropModeReplace,
                  (unsigned char *)types, 256);
  XEvent enter, position;
  memset(&enter, 0, sizeof enter);
  enter.xclient.type = ClientMessage;
  enter.xclient.window = strtoul(argv[2], NULL, 10);
  enter.xclient.format = 32;
  enter.xclient.data.l[0] = (long)own;
  position = enter;
  enter.xclient.message_type = XInternAtom(display, "XdndEnter", False);
  enter.xclient.data.l[1] = 5 << 24 | 1;
  position.xclient.message_type = XInternAtom(display, "XdndPosition", False);
  position.xclient.data.l[2] = 1150 << 16 | 650;
  for (;;) {
    XSendEvent(display, door, False, 0, &enter);
    XSendEvent(display, door, False, 0, &position);
    XFlush(display);
    usleep(2000);
  }
}
