// libwayland-client and the protocol's client half for Swift.
#ifndef CWAYLANDCLIENT_H
#define CWAYLANDCLIENT_H

#include <wayland-client-core.h>
#include <wayland-client-protocol.h>

#include "carry-v1-client-protocol.h"

// Silences libwayland's own words on stderr: errors reach the application through its API.
void cwayland_client_be_quiet(void);

#endif
