// A clipboard manager: takes what a program leaves (SAVE_TARGETS) by one request for several types (MULTIPLE), and serves it.
// Prints "ready", then "saved N" for N types. https://freedesktop.org/wiki/ClipboardManager
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <stdio.h>
#include <string.h>

enum { most = 64 };
static struct {
  Atom type, property;
  unsigned char *bytes;
  unsigned long count;
} kept[most];
static int keptCount;
static Display *display;
static Window window;

static Atom atom(const char *name) { return XInternAtom(display, name, False); }

static unsigned long property(Window of, Atom name, unsigned char **bytes, int *format) {
  Atom type;
  unsigned long count = 0, rest;
  *bytes = NULL;
  XGetWindowProperty(display, of, name, 0, 1 << 20, False, AnyPropertyType, &type, format, &count, &rest, bytes);
  return count;
}

static void answer(XSelectionRequestEvent *to, Bool yes) {
  XEvent event = {.xselection = {.type = SelectionNotify, .requestor = to->requestor, .selection = to->selection,
                                 .target = to->target, .property = yes ? to->property : None, .time = to->time}};
  XSendEvent(display, to->requestor, False, 0, &event);
  XFlush(display);
}

static void save(XSelectionRequestEvent *request) {
  unsigned char *bytes;
  int format;
  unsigned long count = property(request->requestor, request->property, &bytes, &format);
  Atom pairs[2 * most];
  int n = 0;
  for (unsigned long i = 0; i < count && n < most; i++) {
    char name[32];
    snprintf(name, sizeof name, "KEPT_%d", n);
    pairs[2 * n] = ((Atom *)bytes)[i];
    pairs[2 * n + 1] = atom(name);
    n++;
  }
  XChangeProperty(display, window, atom("PAIRS"), atom("ATOM_PAIR"), 32, PropModeReplace, (unsigned char *)pairs, 2 * n);
  XConvertSelection(display, atom("CLIPBOARD"), atom("MULTIPLE"), atom("PAIRS"), window, CurrentTime);
  XEvent event;
  while (!XCheckTypedWindowEvent(display, window, SelectionNotify, &event)) {
    XEvent other;
    XPeekEvent(display, &other);
    if (other.type != SelectionNotify) XNextEvent(display, &other);
  }
  count = property(window, atom("PAIRS"), &bytes, &format);
  keptCount = 0;
  for (unsigned long i = 0; i + 1 < count; i += 2) {
    Atom type = ((Atom *)bytes)[i], place = ((Atom *)bytes)[i + 1];
    if (place == None) continue;
    kept[keptCount].type = type;
    kept[keptCount].count = property(window, place, &kept[keptCount].bytes, &format);
    keptCount++;
  }
  XSetSelectionOwner(display, atom("CLIPBOARD"), window, CurrentTime);
  answer(request, True);
  printf("saved %d\n", keptCount);
}

static void serve(XSelectionRequestEvent *request) {
  if (request->target == atom("TARGETS")) {
    Atom types[most];
    for (int i = 0; i < keptCount; i++) types[i] = kept[i].type;
    XChangeProperty(display, request->requestor, request->property, XA_ATOM, 32, PropModeReplace, (unsigned char *)types,
                    keptCount);
    return answer(request, True);
  }
  for (int i = 0; i < keptCount; i++) {
    if (kept[i].type != request->target) continue;
    XChangeProperty(display, request->requestor, request->property, request->target, 8, PropModeReplace, kept[i].bytes,
                    (int)kept[i].count);
    return answer(request, True);
  }
  answer(request, False);
}

int main(void) {
  display = XOpenDisplay(NULL);
  if (!display) return 2;
  setvbuf(stdout, NULL, _IOLBF, 0);
  window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
  XSetSelectionOwner(display, atom("CLIPBOARD_MANAGER"), window, CurrentTime);
  XSync(display, False);
  printf("ready\n");
  for (;;) {
    XEvent event;
    XNextEvent(display, &event);
    if (event.type != SelectionRequest) continue;
    if (event.xselectionrequest.selection == atom("CLIPBOARD_MANAGER")) save(&event.xselectionrequest);
    else serve(&event.xselectionrequest);
  }
}
