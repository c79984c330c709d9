// Xlib and its extensions, XRender and cairo for Swift, with wrappers for what its importer does not support.
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
// XPutImage of bytes in native order: XImage contains function pointers that only XInitImage can set.
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
// XGetPixel is a macro that calls a function pointer in XImage: all pixels, 0x00RRGGBB, row by row.
static inline void cx11_get_pixels(XImage *image, unsigned *pixels) {
  for (int y = 0; y < image->height; y++)
    for (int x = 0; x < image->width; x++) *pixels++ = XGetPixel(image, x, y) & 0xFFFFFF;
}
// The same with alpha: premultiplied 0xAARRGGBB. An image of 24 bits is opaque.
static inline void cx11_get_argb(XImage *image, unsigned *pixels) {
  unsigned opaque = image->depth == 32 ? 0 : 0xFF000000u;
  for (int y = 0; y < image->height; y++)
    for (int x = 0; x < image->width; x++) *pixels++ = (unsigned)XGetPixel(image, x, y) | opaque;
}
// XDestroyImage: a macro that calls a function pointer in XImage.
static inline void cx11_destroy_image(XImage *image) { XDestroyImage(image); }
// XISetMask: a macro. The mask must have XIMaskLen(XI_LASTEVENT) bytes, for which four suffice.
static inline void cx11_set_xi_mask(unsigned char *mask, int event) { XISetMask(mask, event); }
// The first two axes of a raw event, as sent by the device; an axis that did not change keeps its value.
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
// Draws a line of text in the desktop's sans-serif font at the current point, which is on its baseline; `size` is in
// units of the context. Text wider than `most` ends in an ellipsis. Pango supports all scripts for which there are
// fonts; without it cairo's support is used. Measures only unless `draws`. Text of up to 1024 bytes.
cx11_text_extents cx11_text(cairo_t *cr, const char *text, double size, int bold, double most, int draws);
// The same for a name, which is shortened in the middle: the end of a file name shows its kind.
cx11_text_extents cx11_name(cairo_t *cr, const char *text, double size, int bold, double most, int draws);
// Whether Pango is installed; loads it.
int cx11_text_has_pango(void);
// Requests the process that created a window, as XResQueryClientIds does, without waiting; returns the sequence
// number of the reply. Call `cx11_prepare_owners` first, once, which waits for the server.
void cx11_prepare_owners(xcb_connection_t *connection);
unsigned cx11_ask_owner(xcb_connection_t *connection, uint32_t window);
// The process in a reply; 0 if the server does not know it.
int cx11_owner(const void *reply);
// XTEST, without its library: a press or release of the left button, or a motion of the pointer to a point of the
// screen, in pixels. They do not wait, except for a connection's first call. `cx11_can_press`: whether the server
// supports XTEST; waits for it the first time.
int cx11_can_press(xcb_connection_t *connection);
void cx11_press(xcb_connection_t *connection, int is_press);
// Presses and releases a button of the same device.
void cx11_click(xcb_connection_t *connection, int button);
void cx11_point(xcb_connection_t *connection, uint32_t root, int x, int y);
// Frees replies of XQueryTree and xcb, which come from malloc.
static inline void cx11_free(void *p) { free(p); }

#endif
