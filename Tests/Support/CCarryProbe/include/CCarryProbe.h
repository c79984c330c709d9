// What the tests of the C interface need to do in C.
#ifndef CCARRYPROBE_H
#define CCARRYPROBE_H

#include <carry.h>
#include <stddef.h>

// The functions of carry.h, by name: a list that does not link when one of them is missing.
size_t ccarryprobe_count(void);
const char *ccarryprobe_name(size_t index);

// Calls each function that can refuse its arguments with this handle, string and number in all places.
// Returns the first function that did not refuse, or NULL.
const char *ccarryprobe_refuse(void *handle, const char *string, int number);

#endif
