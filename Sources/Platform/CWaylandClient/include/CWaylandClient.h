// libwayland-client and the protocol's client half for Swift.
#ifndef CWAYLANDCLIENT_H
#define CWAYLANDCLIENT_H

#include <wayland-client-core.h>
#include <wayland-client-protocol.h>

#include "carry-v1-client-protocol.h"

// libwayland prints on stderr what went wrong, such as the text of a protocol error, and has no call that returns it;
// its log handler is variadic. This keeps the newest line of the calling thread instead of printing it.
void cwayland_client_keep_log(void);
const char *cwayland_client_last_log(void);

#endif
