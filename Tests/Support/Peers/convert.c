// A stranger that asks for what is being dragged: convert TYPE [TIME]. It prints "refused", or how many bytes it got.
#include <X11/Xlib.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
  Display *display = XOpenDisplay(NULL);
  if (!display || count < 2) return 2;
  Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
  Atom property = XInternAtom(display, "RESULT", False);
  XConvertSelection(display, XInternAtom(display, "XdndSelection", False), XInternAtom(display, arguments[1], False),
                    property, window, count > 2 ? strtoul(arguments[2], NULL, 10) : CurrentTime);
  XEvent event;
  do XNextEvent(display, &event);
  while (event.type != SelectionNotify);
  if (event.xselection.property == None) {
    printf("refused\n");
    return 0;
  }
  Atom type;
  int format;
  unsigned long items = 0, rest = 0;
  unsigned char *bytes = NULL;
  XGetWindowProperty(display, window, property, 0, 1 << 20, False, AnyPropertyType, &type, &format, &items, &rest, &bytes);
  printf("got %lu\n", items);
  return 0;
}
