// Libraries loaded on first use, so that they need not be installed.
#ifndef CLIBRARY_H
#define CLIBRARY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  // The address of a function pointer, which is set.
  void *function;
  const char *name;
} clibrary_function;

// Loads a library, and finds functions in it or its dependencies. It is never unloaded: GObject cannot be. Returns
// whether all were found. The corresponding C functions are dlopen and dlsym.
bool clibrary_load(const char *library, const clibrary_function *wanted, size_t count);

#endif
