// Reads and writes picture files with gdk-pixbuf, which is loaded on first use: programs without pictures do not need
// it. Any thread.
#ifndef CPIXBUF_H
#define CPIXBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A clause describing the error; empty if there is none.
typedef struct {
  char text[240];
} cpixbuf_problem;

typedef struct {
  int width, height;
  // Rows from the top without padding; premultiplied 0xAARRGGBB. The caller frees it.
  uint32_t *pixels;
} cpixbuf_picture;

// Whether gdk-pixbuf is installed.
bool cpixbuf_is_there(void);

// Decodes a picture of one media type. Refuses bytes of another type, and a picture of more than `longest` pixels in
// one direction or `most` in total, before allocating memory for it.
bool cpixbuf_decode(const void *bytes, size_t count, const char *type, int longest, int64_t most,
                    cpixbuf_picture *picture, cpixbuf_problem *problem);

// Encodes a picture as "png" or "jpeg"; JPEG has no alpha, so the picture is drawn on white. The caller frees the
// bytes.
bool cpixbuf_encode(const uint32_t *pixels, int width, int height, const char *format, void **bytes, size_t *count,
                    cpixbuf_problem *problem);

#endif
