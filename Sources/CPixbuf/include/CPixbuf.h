// Pictures in files, read and written by gdk-pixbuf, which is loaded when the first picture is: programs without
// pictures do without it. Any thread.
#ifndef CPIXBUF_H
#define CPIXBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What went wrong, as a clause; empty if nothing did.
typedef struct {
  char text[240];
} cpixbuf_problem;

typedef struct {
  int width, height;
  // Rows from the top without gaps; 0xAARRGGBB, multiplied by the alpha. The caller frees it.
  uint32_t *pixels;
} cpixbuf_picture;

// Whether gdk-pixbuf is there.
bool cpixbuf_is_there(void);

// Decodes a picture of one media type; bytes of another type are refused, as is a picture of more than `longest` pixels
// each way or `most` in all, before there is memory for it.
bool cpixbuf_decode(const void *bytes, size_t count, const char *type, int longest, int64_t most,
                    cpixbuf_picture *picture, cpixbuf_problem *problem);

// Encodes a picture as "png" or "jpeg"; without an alpha, a JPEG file shows what it would be on white. The caller frees
// the bytes.
bool cpixbuf_encode(const uint32_t *pixels, int width, int height, const char *format, void **bytes, size_t *count,
                    cpixbuf_problem *problem);

#endif
