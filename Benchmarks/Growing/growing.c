// The work of a card that grows, by the shortest way that XRender knows: what Carry's own drawing is compared with.
//
//     growing SIDE COUNT FRAMES        DISPLAY as usual
//
// Each frame draws COUNT windows anew, each SIDE pixels wide: cleared, a blurred shadow and a card of 192 pixels, both
// scaled by another factor each time with a bilinear filter, shown as the window's background. Prints
// "grow.sync N us/frame", the server's answer included.
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/Xrender.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { card_side = 192, shadow_side = 72, most = 64 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int fail(const char *what) { return fprintf(stderr, "growing: %s\n", what), 1; }

// A picture whose pixels are made by `pixel`.
static Picture draw(Display *d, XRenderPictFormat *argb, int side, unsigned (*pixel)(int x, int y)) {
  Pixmap pixmap = XCreatePixmap(d, DefaultRootWindow(d), (unsigned)side, (unsigned)side, 32);
  unsigned *data = malloc((size_t)side * (size_t)side * 4);
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++) data[y * side + x] = pixel(x, y);
  XImage *image = XCreateImage(d, NULL, 32, ZPixmap, 0, (char *)data, (unsigned)side, (unsigned)side, 32, 0);
  GC gc = XCreateGC(d, pixmap, 0, NULL);
  XPutImage(d, pixmap, gc, image, 0, 0, 0, 0, (unsigned)side, (unsigned)side);
  XFreeGC(d, gc);
  XDestroyImage(image);
  Picture picture = XRenderCreatePicture(d, pixmap, argb, 0, NULL);
  XRenderSetPictureFilter(d, picture, FilterBilinear, NULL, 0);
  return picture;
}

static unsigned card_pixel(int x, int y) { return 0xff000000u | (unsigned)(y * card_side + x); }

static unsigned shadow_pixel(int x, int y) {
  int edge = x < y ? x : y;
  if (shadow_side - 1 - x < edge) edge = shadow_side - 1 - x;
  if (shadow_side - 1 - y < edge) edge = shadow_side - 1 - y;
  return (unsigned)(edge > 12 ? 255 : edge * 255 / 12) << 24;
}

// Draws `picture`, `scale` times as large, with its middle in the middle of a canvas of this side.
static void place(Display *d, Picture picture, int size, double scale, Picture mask, Picture canvas, int side) {
  double k = 1 / scale, offset = size / 2.0 - k * side / 2.0;
  XTransform t = {{{XDoubleToFixed(k), 0, XDoubleToFixed(offset)},
                   {0, XDoubleToFixed(k), XDoubleToFixed(offset)},
                   {0, 0, XDoubleToFixed(1)}}};
  XRenderSetPictureTransform(d, picture, &t);
  int part = (int)(size * scale) + 2, corner = (side - part) / 2;
  if (corner < 0) corner = 0, part = side;
  XRenderComposite(d, PictOpOver, picture, mask, canvas, corner, corner, 0, 0, corner, corner, (unsigned)part,
                   (unsigned)part);
}

int main(int argc, char **argv) {
  if (argc != 4) return fail("growing SIDE COUNT FRAMES");
  int side = atoi(argv[1]), count = atoi(argv[2]), frames = atoi(argv[3]);
  if (side < 200 || count < 1 || count > most || frames < 1) return fail("SIDE is 200 or more, COUNT is 1 to 64");
  Display *d = XOpenDisplay(NULL);
  if (!d) return fail("no display");
  XVisualInfo info;
  if (!XMatchVisualInfo(d, DefaultScreen(d), 32, TrueColor, &info)) return fail("no visual with alpha");
  XRenderPictFormat *argb = XRenderFindStandardFormat(d, PictStandardARGB32);
  XSetWindowAttributes a = {.override_redirect = True,
                            .colormap = XCreateColormap(d, DefaultRootWindow(d), info.visual, AllocNone)};
  Window windows[most];
  Pixmap pixmaps[most];
  Picture canvases[most];
  for (int i = 0; i < count; i++) {
    windows[i] = XCreateWindow(d, DefaultRootWindow(d), 50 + i * 53, 50 + i * 31, (unsigned)side, (unsigned)side, 0, 32,
                               InputOutput, info.visual, CWOverrideRedirect | CWColormap | CWBorderPixel | CWBackPixmap,
                               &a);
    pixmaps[i] = XCreatePixmap(d, windows[i], (unsigned)side, (unsigned)side, 32);
    canvases[i] = XRenderCreatePicture(d, pixmaps[i], argb, 0, NULL);
    XMapRaised(d, windows[i]);
  }
  Picture card = draw(d, argb, card_side, card_pixel), shadow = draw(d, argb, shadow_side, shadow_pixel);
  XRenderColor faint = {0, 0, 0, 0x5000}, none = {0, 0, 0, 0};
  Picture opacity = XRenderCreateSolidFill(d, &faint);
  XSync(d, False);
  double start = now();
  for (int f = 0; f < frames; f++) {
    double scale = 1 + 0.06 * f / frames;
    for (int i = 0; i < count; i++) {
      XRenderFillRectangle(d, PictOpSrc, canvases[i], &none, 0, 0, (unsigned)side, (unsigned)side);
      place(d, shadow, shadow_side, scale * (card_side + 48.0) / shadow_side, opacity, canvases[i], side);
      place(d, card, card_side, scale, None, canvases[i], side);
      XSetWindowBackgroundPixmap(d, windows[i], pixmaps[i]);
      XClearWindow(d, windows[i]);
    }
    XSync(d, False);
  }
  printf("grow.sync %.1f us/frame\n", (now() - start) / frames);
  return 0;
}
