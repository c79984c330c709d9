// Counts this process's allocations: linked into the benchmark, or preloaded into a program (then it says at the end
// on standard error how many there were).
#ifndef CALLOCATIONCOUNT_H
#define CALLOCATIONCOUNT_H

#include <stdint.h>

// How often malloc, calloc, realloc and their aligned kin were called so far, by all threads.
uint64_t allocation_count(void);

#endif
