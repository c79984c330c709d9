// libxcb alone, for code inside other programs, which own Xlib's error handlers.
#include <stdbool.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>

static inline void cxcb_free(void *p) { free(p); }

// Makes the X server report each new owner of a selection, or its loss, to a window: XFixesSelectSelectionInput,
// https://www.x.org/releases/current/doc/fixesproto/fixesproto.txt, section 7. xcb's own library for it would be
// another dependency, for two requests. Queries the server once, and waits for that.
//
// Returns the number of these events; -1 if the server does not support them.
static inline int cxcb_watch_selection(xcb_connection_t *connection, uint32_t window, uint32_t selection) {
  static xcb_extension_t fixes = {"XFIXES", 0};
  const xcb_query_extension_reply_t *answer = xcb_get_extension_data(connection, &fixes);
  if (!answer || !answer->present) return -1;
  // The server refuses other requests of a client that has not sent its version.
  struct {
    uint8_t major_opcode, minor_opcode;
    uint16_t length;
    uint32_t major, minor;
  } version = {.major = 1};
  struct {
    uint8_t major_opcode, minor_opcode;
    uint16_t length;
    uint32_t window, selection, events;
  } watch = {.window = window, .selection = selection, .events = 1 | 2 | 4};
  const xcb_protocol_request_t query = {1, &fixes, 0, 0}, select_input = {1, &fixes, 2, 1};
  // The first two belong to xcb.
  struct iovec asking[3] = {{0}, {0}, {&version, sizeof version}}, selecting[3] = {{0}, {0}, {&watch, sizeof watch}};
  xcb_discard_reply(connection, xcb_send_request(connection, 0, asking + 2, &query));
  xcb_send_request(connection, 0, selecting + 2, &select_input);
  return answer->first_event;
}

// The selection in such an event, and its owner; 0 for none.
static inline uint32_t cxcb_selection(const xcb_generic_event_t *event) { return event->pad[2]; }
static inline uint32_t cxcb_new_owner(const xcb_generic_event_t *event) { return event->pad[1]; }

// Whether the owner is lost because its window was destroyed or its connection closed; and whether it is the latter.
static inline bool cxcb_owner_is_gone(const xcb_generic_event_t *event) { return event->pad0 == 1 || event->pad0 == 2; }
static inline bool cxcb_owner_has_ended(const xcb_generic_event_t *event) { return event->pad0 == 2; }

// The process that created a window: XResQueryClientIds,
// https://www.x.org/releases/current/doc/resourceproto/resproto.txt. xcb's own library for it would be another
// dependency, for one request.
static inline xcb_extension_t *cxcb_resources(void) {
  static xcb_extension_t resources = {"X-Resource", 0};
  return &resources;
}

// Sends the request, and waits only the first time; returns the sequence number. The server must support the
// extension.
static inline unsigned cxcb_ask_process(xcb_connection_t *connection, uint32_t window) {
  // The number of queries; each has a resource and the kind of ID, here LocalClientPID.
  struct {
    uint8_t major_opcode, minor_opcode;
    uint16_t length;
    uint32_t count, resource, mask;
  } question = {.count = 1, .resource = window, .mask = 2};
  const xcb_protocol_request_t query = {1, cxcb_resources(), 4, 0};
  // The first two belong to xcb.
  struct iovec asking[3] = {{0}, {0}, {&question, sizeof question}};
  return xcb_send_request(connection, XCB_REQUEST_CHECKED, asking + 2, &query);
}

// The process in a reply; 0 if the server does not know it.
static inline int cxcb_answered_process(const void *answer) {
  // The length in words, and the number of processes; after 32 bytes: the resource, the kind of ID, its length in
  // bytes, the ID.
  const uint32_t *words = answer;
  return words[1] >= 4 && words[2] > 0 && words[10] >= 4 ? (int)words[11] : 0;
}

// Sends the request and waits; also 0 if the server cannot be asked.
static inline int cxcb_process(xcb_connection_t *connection, uint32_t window) {
  const xcb_query_extension_reply_t *there = xcb_get_extension_data(connection, cxcb_resources());
  if (!there || !there->present) return 0;
  void *answer = xcb_wait_for_reply(connection, cxcb_ask_process(connection, window), NULL);
  int process = answer ? cxcb_answered_process(answer) : 0;
  free(answer);
  return process;
}
