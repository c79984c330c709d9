#include "CPixbuf.h"

#include <CLibrary.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The functions of gdk-pixbuf and GLib used here: their headers would make every client's build need and link them.
typedef struct GdkPixbuf GdkPixbuf;
typedef struct GdkPixbufLoader GdkPixbufLoader;
typedef struct {
  uint32_t domain;
  int code;
  char *message;
} GError;

static struct {
  GdkPixbufLoader *(*loader_new)(const char *, GError **);
  int (*loader_write)(GdkPixbufLoader *, const uint8_t *, size_t, GError **);
  int (*loader_close)(GdkPixbufLoader *, GError **);
  GdkPixbuf *(*loader_pixbuf)(GdkPixbufLoader *);
  void (*loader_set_size)(GdkPixbufLoader *, int, int);
  GdkPixbuf *(*oriented)(GdkPixbuf *);
  int (*width)(const GdkPixbuf *);
  int (*height)(const GdkPixbuf *);
  int (*stride)(const GdkPixbuf *);
  int (*channels)(const GdkPixbuf *);
  int (*depth)(const GdkPixbuf *);
  const uint8_t *(*read_pixels)(const GdkPixbuf *);
  GdkPixbuf *(*from_data)(const uint8_t *, int, int, int, int, int, int, void *, void *);
  int (*save)(GdkPixbuf *, char **, size_t *, const char *, char **, char **, GError **);
  unsigned long (*connect)(void *, const char *, void (*)(void), void *, void *, int);
  void (*unref)(void *);
  void (*free_error)(GError *);
  void (*free)(void *);
} g;

static bool is_there;

static void load(void) {
  const clibrary_function wanted[] = {
      {&g.loader_new, "gdk_pixbuf_loader_new_with_mime_type"},
      {&g.loader_write, "gdk_pixbuf_loader_write"},
      {&g.loader_close, "gdk_pixbuf_loader_close"},
      {&g.loader_pixbuf, "gdk_pixbuf_loader_get_pixbuf"},
      {&g.loader_set_size, "gdk_pixbuf_loader_set_size"},
      {&g.oriented, "gdk_pixbuf_apply_embedded_orientation"},
      {&g.width, "gdk_pixbuf_get_width"},
      {&g.height, "gdk_pixbuf_get_height"},
      {&g.stride, "gdk_pixbuf_get_rowstride"},
      {&g.channels, "gdk_pixbuf_get_n_channels"},
      {&g.depth, "gdk_pixbuf_get_bits_per_sample"},
      {&g.read_pixels, "gdk_pixbuf_read_pixels"},
      {&g.from_data, "gdk_pixbuf_new_from_data"},
      {&g.save, "gdk_pixbuf_save_to_bufferv"},
      {&g.connect, "g_signal_connect_data"},
      {&g.unref, "g_object_unref"},
      {&g.free_error, "g_error_free"},
      {&g.free, "g_free"},
  };
  is_there = clibrary_load("libgdk_pixbuf-2.0.so.0", wanted, sizeof wanted / sizeof *wanted);
}

bool cpixbuf_is_there(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_there;
}

static bool fail(cpixbuf_problem *problem, const char *text) {
  snprintf(problem->text, sizeof problem->text, "%s", text);
  return false;
}

static bool fail_with(cpixbuf_problem *problem, GError *error, const char *otherwise) {
  fail(problem, error && error->message ? error->message : otherwise);
  if (error) g.free_error(error);
  return false;
}

typedef struct {
  int longest;
  int64_t most;
  bool is_too_large;
} limits;

// The size is known, and the pixels are not allocated yet. A size of zero ends decoding.
static void prepared(GdkPixbufLoader *loader, int width, int height, void *data) {
  limits *l = data;
  if (width <= l->longest && height <= l->longest && (int64_t)width * height <= l->most) return;
  l->is_too_large = true;
  g.loader_set_size(loader, 0, 0);
}

static uint32_t multiplied(uint32_t value, uint32_t alpha) { return (value * alpha + 127) / 255; }

static bool take(GdkPixbuf *from, const limits *l, cpixbuf_picture *picture, cpixbuf_problem *problem) {
  int width = g.width(from), height = g.height(from), channels = g.channels(from);
  size_t stride = (size_t)g.stride(from);
  const uint8_t *source = g.read_pixels(from);
  if (!source || width < 1 || height < 1 || channels < 3 || channels > 4 || g.depth(from) != 8)
    return fail(problem, "the picture's pixels have an unknown layout");
  // Loaders may create another size than reported.
  if (width > l->longest || height > l->longest || (int64_t)width * height > l->most)
    return fail(problem, "the picture is larger than its head said");
  uint32_t *pixels = malloc((size_t)width * (size_t)height * 4);
  if (!pixels) return fail(problem, "there is no memory for the picture");
  for (int y = 0; y < height; y++) {
    const uint8_t *p = source + (size_t)y * stride;
    uint32_t *to = pixels + (size_t)y * (size_t)width;
    for (int x = 0; x < width; x++, p += channels) {
      uint32_t a = channels == 4 ? p[3] : 255;
      to[x] = a << 24 | multiplied(p[0], a) << 16 | multiplied(p[1], a) << 8 | multiplied(p[2], a);
    }
  }
  *picture = (cpixbuf_picture){width, height, pixels};
  return true;
}

bool cpixbuf_decode(const void *bytes, size_t count, const char *type, int longest, int64_t most,
                    cpixbuf_picture *picture, cpixbuf_problem *problem) {
  problem->text[0] = 0;
  if (!cpixbuf_is_there()) return fail(problem, "gdk-pixbuf is missing");
  GError *error = NULL;
  GdkPixbufLoader *loader = g.loader_new(type, &error);
  if (!loader) return fail_with(problem, error, "gdk-pixbuf cannot read this type");
  limits l = {longest, most, false};
  g.connect(loader, "size-prepared", (void (*)(void))prepared, &l, NULL, 0);
  const uint8_t *from = bytes;
  bool is_written = true;
  // In pieces: a picture that is too large is not read further.
  while (count > 0 && is_written && !l.is_too_large) {
    size_t piece = count < 65536 ? count : 65536;
    is_written = g.loader_write(loader, from, piece, &error);
    from += piece;
    count -= piece;
  }
  // A loader has to be closed in any case.
  bool is_closed = g.loader_close(loader, is_written && !l.is_too_large ? &error : NULL);
  bool is_done = false;
  if (l.is_too_large) {
    if (error) g.free_error(error);
    fail(problem, "the picture is too large");
  } else if (!is_written || !is_closed) {
    fail_with(problem, error, "the picture cannot be read");
  } else {
    GdkPixbuf *raw = g.loader_pixbuf(loader);
    GdkPixbuf *upright = raw ? g.oriented(raw) : NULL;
    if (upright) {
      is_done = take(upright, &l, picture, problem);
      g.unref(upright);
    } else {
      fail(problem, "the picture has no pixels");
    }
  }
  g.unref(loader);
  return is_done;
}

static uint8_t divided(uint32_t value, uint32_t alpha) {
  uint32_t v = alpha ? (value * 255 + alpha / 2) / alpha : 0;
  return (uint8_t)(v < 255 ? v : 255);
}

bool cpixbuf_encode(const uint32_t *pixels, int width, int height, const char *format, void **bytes, size_t *count,
                    cpixbuf_problem *problem) {
  problem->text[0] = 0;
  if (!cpixbuf_is_there()) return fail(problem, "gdk-pixbuf is missing");
  bool has_alpha = strcmp(format, "jpeg") != 0;
  size_t channels = has_alpha ? 4 : 3, all = (size_t)width * (size_t)height;
  uint8_t *parts = malloc(all * channels);
  if (!parts) return fail(problem, "there is no memory for the picture");
  for (size_t i = 0; i < all; i++) {
    uint32_t p = pixels[i], a = p >> 24;
    uint8_t *to = parts + i * channels;
    for (int part = 0; part < 3; part++) {
      uint32_t value = p >> (16 - 8 * part) & 255;
      uint32_t on_white = value + 255 - a;
      to[part] = has_alpha ? divided(value, a) : (uint8_t)(on_white < 255 ? on_white : 255);
    }
    if (has_alpha) to[3] = (uint8_t)a;
  }
  GdkPixbuf *picture =
      g.from_data(parts, 0, has_alpha, 8, width, height, (int)((size_t)width * channels), NULL, NULL);
  char *keys[] = {"quality", NULL}, *values[] = {"90", NULL}, *none[] = {NULL};
  char *buffer = NULL;
  size_t size = 0;
  GError *error = NULL;
  bool is_done = picture && g.save(picture, &buffer, &size, format, has_alpha ? none : keys, has_alpha ? none : values,
                                   &error);
  if (picture) g.unref(picture);
  free(parts);
  if (!is_done) return fail_with(problem, error, "the picture cannot be written");
  *bytes = malloc(size ? size : 1);
  if (*bytes) memcpy(*bytes, buffer, size);
  g.free(buffer);
  *count = size;
  return *bytes ? true : fail(problem, "there is no memory for the picture");
}
