#include "CX11.h"

// XResQueryClientIds of one window, without waiting for the answer: Xlib can only wait, and xcb's own library for it would
// be one more to install, for one request.
static xcb_extension_t resources = {"X-Resource", 0};

void cx11_prepare_owners(xcb_connection_t *connection) { xcb_get_extension_data(connection, &resources); }

unsigned cx11_ask_owner(xcb_connection_t *connection, uint32_t window) {
  // QueryClientIds: how many questions; each has a resource and what is wanted, here LocalClientPID.
  struct {
    uint8_t major, minor;
    uint16_t length;
    uint32_t count, resource, mask;
  } request = {0, 4, 0, 1, window, 2};
  struct iovec parts[3] = {{0}, {0}, {&request, sizeof request}};
  const xcb_protocol_request_t kind = {1, &resources, 4, 0};
  return xcb_send_request(connection, XCB_REQUEST_CHECKED, parts + 2, &kind);
}

int cx11_owner(const void *reply) {
  // After 32 bytes: resource, what it is, its length in bytes, and the number. The count of such is at byte 8.
  const uint32_t *words = reply;
  return words[2] > 0 && words[1] >= 4 && words[10] >= 4 ? (int)words[11] : 0;
}
