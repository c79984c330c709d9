#include "CWaylandClient.h"

#include <stdarg.h>

static void quiet(const char *format, va_list arguments) {
  (void)format;
  (void)arguments;
}

void cwayland_client_be_quiet(void) { wl_log_set_handler_client(quiet); }
