#include "../CXcb/libs.h"
#include "CX11.h"

void cx11_prepare_owners(xcb_connection_t *connection) { xcb_get_extension_data(connection, cxcb_resources()); }

unsigned cx11_ask_owner(xcb_connection_t *connection, uint32_t window) { return cxcb_ask_process(connection, window); }

int cx11_owner(const void *reply) { return cxcb_answered_process(reply); }
