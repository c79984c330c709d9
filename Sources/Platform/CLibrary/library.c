#include "CLibrary.h"

#include <dlfcn.h>
#include <string.h>

bool clibrary_load(const char *library, const clibrary_function *wanted, size_t count) {
  void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (!handle) return false;
  for (size_t i = 0; i < count; i++) {
    void *found = dlsym(handle, wanted[i].name);
    if (!found) return false;
    // C has no cast from a data pointer to a function pointer; POSIX guarantees the same representation.
    memcpy(wanted[i].function, &found, sizeof found);
  }
  return true;
}
