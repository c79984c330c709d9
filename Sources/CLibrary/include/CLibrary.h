// Libraries that are loaded when they are first needed: whoever does without what they do need not have them.
#ifndef CLIBRARY_H
#define CLIBRARY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  // Where the function's address goes: a pointer to a function pointer.
  void *function;
  const char *name;
} clibrary_function;

// Loads a library, and finds functions of it or of the libraries it depends on. It is never unloaded: GObject cannot be.
// Returns whether all are there. The corresponding C functions are dlopen and dlsym.
bool clibrary_load(const char *library, const clibrary_function *wanted, size_t count);

#endif
