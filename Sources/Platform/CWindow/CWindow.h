// Xlib and cairo for plain windows, with what Swift's importer cannot take: macros and variadic functions. No logic
// lives here.
#ifndef CWINDOW_H
#define CWINDOW_H

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/keysym.h>
#include <X11/extensions/XInput2.h>
#include <cairo/cairo-xlib.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

// XISetMask: a macro. Three bytes hold all touch events.
static inline void cwindow_select_touches(Display *display, Window window) {
  unsigned char bits[XIMaskLen(XI_LASTEVENT)] = {0};
  XISetMask(bits, XI_TouchBegin);
  XISetMask(bits, XI_TouchUpdate);
  XISetMask(bits, XI_TouchEnd);
  XIEventMask mask = {.deviceid = XIAllMasterDevices, .mask_len = sizeof bits, .mask = bits};
  XISelectEvents(display, window, &mask, 1);
}
// XCreateIC: variadic.
static inline XIC cwindow_input_context(XIM method, Window window) {
  return XCreateIC(method, XNInputStyle, XIMPreeditNothing | XIMStatusNothing, XNClientWindow, window, XNFocusWindow,
                   window, NULL);
}
// XMatchVisualInfo's visual: for a window that can be seen through. False where there is none.
static inline bool cwindow_translucent_visual(Display *display, XVisualInfo *info) {
  return XMatchVisualInfo(display, XDefaultScreen(display), 32, TrueColor, info) != 0;
}

#endif
