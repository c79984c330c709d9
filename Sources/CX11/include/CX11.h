// Xlib and its extensions, XRender and cairo for Swift, with what its importer cannot take.
#ifndef CX11_H
#define CX11_H

#include <X11/Xatom.h>
#include <X11/Xlib-xcb.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/keysym.h>
#include <X11/extensions/XInput2.h>
#include <X11/extensions/XRes.h>
#include <X11/extensions/Xcomposite.h>
#include <X11/extensions/Xdamage.h>
#include <X11/extensions/Xfixes.h>
#include <X11/extensions/Xpresent.h>
#include <X11/extensions/Xrandr.h>
#include <X11/extensions/Xrender.h>
#include <X11/extensions/shape.h>
#include <cairo/cairo-xlib.h>
#include <cairo/cairo.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/shape.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>

// XDoubleToFixed: a macro with a cast.
static inline XFixed cx11_fixed(double v) { return XDoubleToFixed(v); }
// XPutImage of bytes in this machine's order: XImage holds function pointers that only XInitImage can fill in.
static inline void cx11_put_image(Display *display, Drawable drawable, GC gc, int depth, int bits_per_pixel,
                                  const void *bytes, int stride, int width, int height) {
  XImage image;
  memset(&image, 0, sizeof image);
  image.width = width;
  image.height = height;
  image.format = ZPixmap;
  image.data = (char *)bytes;
  image.byte_order = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? MSBFirst : LSBFirst;
  image.bitmap_unit = 32;
  image.bitmap_bit_order = image.byte_order;
  image.bitmap_pad = 32;
  image.depth = depth;
  image.bits_per_pixel = bits_per_pixel;
  image.bytes_per_line = stride;
  if (XInitImage(&image)) XPutImage(display, drawable, gc, &image, 0, 0, 0, 0, (unsigned)width, (unsigned)height);
}
// XGetPixel is a macro over a function pointer inside XImage: all pixels, 0x00RRGGBB, row by row.
static inline void cx11_get_pixels(XImage *image, unsigned *pixels) {
  for (int y = 0; y < image->height; y++)
    for (int x = 0; x < image->width; x++) *pixels++ = XGetPixel(image, x, y) & 0xFFFFFF;
}
// The same with what is not opaque: premultiplied 0xAARRGGBB. An image of 24 bits is opaque.
static inline void cx11_get_argb(XImage *image, unsigned *pixels) {
  unsigned opaque = image->depth == 32 ? 0 : 0xFF000000u;
  for (int y = 0; y < image->height; y++)
    for (int x = 0; x < image->width; x++) *pixels++ = (unsigned)XGetPixel(image, x, y) | opaque;
}
// XDestroyImage: a macro over a function pointer inside XImage.
static inline void cx11_destroy_image(XImage *image) { XDestroyImage(image); }
// XISetMask: a macro. The mask must have XIMaskLen(XI_LASTEVENT) bytes, which four are.
static inline void cx11_set_xi_mask(unsigned char *mask, int event) { XISetMask(mask, event); }
// The first two axes of a raw event, as the device gives them; an axis that did not change keeps its value.
static inline void cx11_raw_position(const XIRawEvent *event, double *x, double *y) {
  const double *value = event->raw_values;
  for (int i = 0; i < event->valuators.mask_len * 8 && i < 2; i++) {
    if (!XIMaskIsSet(event->valuators.mask, i)) continue;
    *(i == 0 ? x : y) = *value++;
  }
}
typedef struct {
  double width, ascent, descent;
} cx11_text_extents;
// A line of text in the desktop's sans-serif font at the current point, which is on its base line; `size` is in units of
// the context. What is wider than `most` ends in an ellipsis. With Pango in all scripts, as far as there are fonts;
// without it as cairo alone can. Measures only unless `draws`. Text of up to 1024 bytes.
cx11_text_extents cx11_text(cairo_t *cr, const char *text, double size, int bold, double most, int draws);
// The same for a name, which is cut in its middle: the end of a file's name tells its kind.
cx11_text_extents cx11_name(cairo_t *cr, const char *text, double size, int bold, double most, int draws);
// Whether Pango is there; loads it.
int cx11_text_has_pango(void);
// Asks which process made a window, as XResQueryClientIds does, without waiting: the sequence number of the answer.
// `cx11_prepare_owners` comes first, once, and waits for the server.
void cx11_prepare_owners(xcb_connection_t *connection);
unsigned cx11_ask_owner(xcb_connection_t *connection, uint32_t window);
// The process that an answer names; 0 where the server cannot tell.
int cx11_owner(const void *reply);
// XTEST, without its library: a press or a release of the left button, or a motion of the pointer to a place of the
// screen, in pixels. They do not wait, but for the first call of a connection. `cx11_can_press`: whether the server knows
// XTEST; waits for it the first time.
int cx11_can_press(xcb_connection_t *connection);
void cx11_press(xcb_connection_t *connection, int is_press);
void cx11_point(xcb_connection_t *connection, uint32_t root, int x, int y);
// XQueryTree and xcb replies come from malloc.
static inline void cx11_free(void *p) { free(p); }

#endif
