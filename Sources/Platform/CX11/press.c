// Two requests of XTEST, https://www.x.org/releases/X11R7.7/doc/xextproto/xtest.html, whose library would be needed
// for nothing else.
#include "CX11.h"
#include <sys/uio.h>

static xcb_extension_t xtest = {"XTEST", 0};

int cx11_can_press(xcb_connection_t *connection) {
  const xcb_query_extension_reply_t *answer = xcb_get_extension_data(connection, &xtest);
  return answer && answer->present;
}

// XTestFakeInput. xcb fills in the opcodes and the length.
static void fake(xcb_connection_t *connection, uint8_t type, uint8_t detail, uint32_t root, int x, int y) {
  struct {
    uint8_t major_opcode, minor_opcode;
    uint16_t length;
    uint8_t type, detail, unused[2];
    uint32_t time, root, unused_words[2];
    int16_t x, y;
    uint8_t unused_bytes[7], device;
  } request = {.type = type, .detail = detail, .root = root, .x = (int16_t)x, .y = (int16_t)y};
  _Static_assert(sizeof request == 36, "XTestFakeInput has 36 bytes");
  if (!cx11_can_press(connection)) return;
  const xcb_protocol_request_t kind = {.count = 2, .ext = &xtest, .opcode = 2, .isvoid = 1};
  // The first two belong to xcb.
  struct iovec parts[4] = {{0}, {0}, {&request, sizeof request}, {0, -sizeof request & 3}};
  xcb_send_request(connection, 0, parts + 2, &kind);
}

void cx11_press(xcb_connection_t *connection, int is_press) {
  fake(connection, is_press ? XCB_BUTTON_PRESS : XCB_BUTTON_RELEASE, 1, 0, 0, 0);
}

void cx11_click(xcb_connection_t *connection, int button) {
  fake(connection, XCB_BUTTON_PRESS, (uint8_t)button, 0, 0, 0);
  fake(connection, XCB_BUTTON_RELEASE, (uint8_t)button, 0, 0, 0);
}

void cx11_point(xcb_connection_t *connection, uint32_t root, int x, int y) {
  fake(connection, XCB_MOTION_NOTIFY, 0, root, x, y);
}
