// What libFuzzer offers to programs with a main function of their own; it is in the compiler's runtime.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *_Nonnull count, char *_Nullable *_Nullable *_Nonnull arguments,
                        int (*_Nonnull body)(const uint8_t *_Nullable bytes, size_t size));
