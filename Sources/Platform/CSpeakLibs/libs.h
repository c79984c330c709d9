// The accessibility bus, as a toolkit sees it.
#include <atk-bridge.h>
#include <atk/atk.h>
#include <glib-unix.h>
