#include "CWaylandClient.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last[512];

static void keep(const char *format, va_list arguments) { vsnprintf(last, sizeof last, format, arguments); }

void cwayland_client_keep_log(void) { wl_log_set_handler_client(keep); }

const char *cwayland_client_last_log(void) { return last; }
