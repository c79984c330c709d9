// libxcb alone: for code that lives in other people's programs, where Xlib's handlers of errors are theirs.
#include <stdlib.h>
#include <xcb/xcb.h>

static inline void cxcb_free(void *p) { free(p); }
