#include "CX11.h"

#include <CLibrary.h>

// The functions of Pango used here: its headers would make the build link it and GLib, which an idle engine would
// keep loaded for rare texts. It is loaded with the first text.
typedef struct PangoLayout PangoLayout;
typedef struct PangoFont PangoFont;

static struct {
  PangoLayout *(*create_layout)(cairo_t *);
  void (*show_layout)(cairo_t *, PangoLayout *);
  void (*set_text)(PangoLayout *, const char *, int);
  void (*set_font)(PangoLayout *, const PangoFont *);
  void (*set_width)(PangoLayout *, int);
  void (*set_height)(PangoLayout *, int);
  void (*set_ellipsize)(PangoLayout *, int);
  void (*set_single)(PangoLayout *, int);
  void (*get_size)(PangoLayout *, int *, int *);
  int (*get_baseline)(PangoLayout *);
  PangoFont *(*font_new)(void);
  void (*font_free)(PangoFont *);
  void (*font_set_family)(PangoFont *, const char *);
  void (*font_set_weight)(PangoFont *, int);
  void (*font_set_absolute_size)(PangoFont *, double);
  void (*unref)(void *);
} pango;

// Pango's unit, PANGO_SCALE; PANGO_ELLIPSIZE_MIDDLE and END; PANGO_WEIGHT_BOLD and NORMAL. They are part of its ABI.
enum { UNIT = 1024, ELLIPSIZE_MIDDLE = 2, ELLIPSIZE_END = 3, WEIGHT_NORMAL = 400, WEIGHT_BOLD = 700 };

int cx11_text_has_pango(void) {
  static int known = -1;
  if (known >= 0) return known;
  known = 0;
  const clibrary_function wanted[] = {
      {&pango.create_layout, "pango_cairo_create_layout"},
      {&pango.show_layout, "pango_cairo_show_layout"},
      {&pango.set_text, "pango_layout_set_text"},
      {&pango.set_font, "pango_layout_set_font_description"},
      {&pango.set_width, "pango_layout_set_width"},
      {&pango.set_height, "pango_layout_set_height"},
      {&pango.set_ellipsize, "pango_layout_set_ellipsize"},
      {&pango.set_single, "pango_layout_set_single_paragraph_mode"},
      {&pango.get_size, "pango_layout_get_size"},
      {&pango.get_baseline, "pango_layout_get_baseline"},
      {&pango.font_new, "pango_font_description_new"},
      {&pango.font_free, "pango_font_description_free"},
      {&pango.font_set_family, "pango_font_description_set_family"},
      {&pango.font_set_weight, "pango_font_description_set_weight"},
      {&pango.font_set_absolute_size, "pango_font_description_set_absolute_size"},
      {&pango.unref, "g_object_unref"},
  };
  return known = clibrary_load("libpangocairo-1.0.so.0", wanted, sizeof wanted / sizeof *wanted);
}

static cx11_text_extents with_pango(cairo_t *cr, const char *text, double size, int bold, double most, int ends, int draws) {
  cx11_text_extents extents = {0, 0, 0};
  PangoLayout *layout = pango.create_layout(cr);
  if (!layout) return extents;
  PangoFont *font = pango.font_new();
  pango.font_set_family(font, "Sans");
  pango.font_set_weight(font, bold ? WEIGHT_BOLD : WEIGHT_NORMAL);
  pango.font_set_absolute_size(font, size * UNIT);
  pango.set_font(layout, font);
  pango.font_free(font);
  pango.set_single(layout, 1);
  pango.set_text(layout, text, -1);
  int width, height;
  pango.get_size(layout, &width, &height);
  if (width > most * UNIT) {
    pango.set_height(layout, -1);
    pango.set_ellipsize(layout, ends ? ELLIPSIZE_END : ELLIPSIZE_MIDDLE);
    pango.set_width(layout, (int)(most * UNIT));
    pango.get_size(layout, &width, &height);
  }
  extents.width = (double)width / UNIT;
  extents.ascent = (double)pango.get_baseline(layout) / UNIT;
  extents.descent = (double)height / UNIT - extents.ascent;
  if (draws) {
    cairo_rel_move_to(cr, 0, -extents.ascent);
    pango.show_layout(cr, layout);
  }
  pango.unref(layout);
  return extents;
}

static size_t start(const char *text, size_t at) {
  while (at && (text[at] & 0xC0) == 0x80) at--;
  return at;
}

// The first `head` and last `tail` bytes of a text, with an ellipsis between.
static void join(char *shown, const char *text, size_t head, size_t tail) {
  memcpy(shown, text, head);
  memcpy(shown + head, "\xE2\x80\xA6", 3);
  memcpy(shown + head + 3, text + strlen(text) - tail, tail + 1);
}

static cx11_text_extents with_cairo(cairo_t *cr, const char *text, double size, int bold, double most, int ends, int draws) {
  // The longest text of callers, and an ellipsis.
  char whole[1024 + 1] = "", shown[1024 + 4] = "";
  strncpy(whole, text, 1024);
  strcpy(shown, whole);
  cairo_select_font_face(cr, "Sans", CAIRO_FONT_SLANT_NORMAL, bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cr, size);
  cairo_text_extents_t line;
  cairo_text_extents(cr, shown, &line);
  size_t head = strlen(whole), tail = 0;
  // The end of a name gets a third of the room: its last letters are more telling than those before.
  while (line.x_advance > most && head) {
    head = start(whole, head - 1);
    if (!ends) {
      size_t from = strlen(whole) - head / 2;
      while ((whole[from] & 0xC0) == 0x80) from++;
      tail = strlen(whole) - from;
      if (head + tail >= strlen(whole)) continue;
    }
    join(shown, whole, head, tail);
    cairo_text_extents(cr, shown, &line);
  }
  cairo_font_extents_t font;
  cairo_font_extents(cr, &font);
  if (draws) cairo_show_text(cr, shown);
  return (cx11_text_extents){line.x_advance, font.ascent, font.descent};
}

static cx11_text_extents line(
    cairo_t *cr, const char *text, double size, int bold, double most, int ends, int draws) {
  return cx11_text_has_pango() ? with_pango(cr, text, size, bold, most, ends, draws)
                               : with_cairo(cr, text, size, bold, most, ends, draws);
}

cx11_text_extents cx11_text(cairo_t *cr, const char *text, double size, int bold, double most, int draws) {
  return line(cr, text, size, bold, most, 1, draws);
}

cx11_text_extents cx11_name(cairo_t *cr, const char *text, double size, int bold, double most, int draws) {
  return line(cr, text, size, bold, most, 0, draws);
}
