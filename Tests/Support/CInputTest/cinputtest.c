#define _GNU_SOURCE
#include "CInputTest.h"

#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <xorg/xf86-input-inputtest-protocol.h>

static bool put(int s, const void *bytes, size_t count) {
  return send(s, bytes, count, MSG_NOSIGNAL) == (ssize_t)count;
}

static bool get(int s, int type, size_t count) {
  char buffer[256];
  size_t have = 0;
  while (have < count) {
    struct pollfd p = {.fd = s, .events = POLLIN};
    if (poll(&p, 1, 5000) <= 0) return false;
    ssize_t n = read(s, buffer + have, count - have);
    if (n <= 0) return false;
    have += (size_t)n;
  }
  xf86ITResponseHeader header;
  memcpy(&header, buffer, sizeof header);
  return (int)header.type == type;
}

bool cinputtest_greet(int s) {
  xf86ITEventClientVersion e = {
      .header = {.length = sizeof e, .type = XF86IT_EVENT_CLIENT_VERSION},
      .major = XF86IT_PROTOCOL_VERSION_MAJOR,
      .minor = XF86IT_PROTOCOL_VERSION_MINOR};
  return put(s, &e, sizeof e) && get(s, XF86IT_RESPONSE_SERVER_VERSION, sizeof(xf86ITResponseServerVersion));
}

bool cinputtest_touch(int s, uint32_t touch, uint32_t type, double x, double y) {
  xf86ITEventTouch e;
  memset(&e, 0, sizeof e);
  e.header.length = sizeof e;
  e.header.type = XF86IT_EVENT_TOUCH;
  e.touchid = touch;
  e.touch_type = type;
  e.valuators.mask[0] = 3;
  e.valuators.valuators[0] = x;
  e.valuators.valuators[1] = y;
  return put(s, &e, sizeof e);
}

bool cinputtest_motion(int s, double x, double y) {
  xf86ITEventMotion e;
  memset(&e, 0, sizeof e);
  e.header.length = sizeof e;
  e.header.type = XF86IT_EVENT_MOTION;
  e.is_absolute = 1;
  e.valuators.mask[0] = 3;
  e.valuators.valuators[0] = x;
  e.valuators.valuators[1] = y;
  return put(s, &e, sizeof e);
}

bool cinputtest_button(int s, int button, bool is_press) {
  xf86ITEventButton e;
  memset(&e, 0, sizeof e);
  e.header.length = sizeof e;
  e.header.type = XF86IT_EVENT_BUTTON;
  e.button = button;
  e.is_press = is_press;
  return put(s, &e, sizeof e);
}

bool cinputtest_key(int s, int key, bool is_press) {
  xf86ITEventKey e;
  memset(&e, 0, sizeof e);
  e.header.length = sizeof e;
  e.header.type = XF86IT_EVENT_KEY;
  e.key_code = key + 8;
  e.is_press = is_press;
  return put(s, &e, sizeof e);
}

bool cinputtest_sync(int s) {
  xf86ITEventWaitForSync e = {.header = {.length = sizeof e, .type = XF86IT_EVENT_WAIT_FOR_SYNC}};
  return put(s, &e, sizeof e) && get(s, XF86IT_RESPONSE_SYNC_FINISHED, sizeof(xf86ITResponseSyncFinished));
}

void cinputtest_select(Display *display, Window window) {
  unsigned char bytes[XIMaskLen(XI_LASTEVENT)] = {0};
  XISetMask(bytes, XI_TouchBegin);
  XISetMask(bytes, XI_TouchUpdate);
  XISetMask(bytes, XI_TouchEnd);
  XIEventMask mask = {.deviceid = XIAllMasterDevices, .mask_len = sizeof bytes, .mask = bytes};
  XISelectEvents(display, window, &mask, 1);
  XSync(display, False);
}

void cinputtest_select_buttons(Display *display, Window window) {
  unsigned char bytes[XIMaskLen(XI_LASTEVENT)] = {0};
  XISetMask(bytes, XI_ButtonPress);
  XISetMask(bytes, XI_ButtonRelease);
  XIEventMask mask = {.deviceid = XIAllMasterDevices, .mask_len = sizeof bytes, .mask = bytes};
  XISelectEvents(display, window, &mask, 1);
  XSync(display, False);
}

cinputtest_event cinputtest_next(Display *display, int opcode) {
  cinputtest_event out = {0};
  while (XPending(display) > 0) {
    XEvent event;
    XNextEvent(display, &event);
    if (event.type != GenericEvent || event.xcookie.extension != opcode) continue;
    if (!XGetEventData(display, &event.xcookie)) continue;
    XIDeviceEvent *e = event.xcookie.data;
    out.type = event.xcookie.evtype;
    out.detail = (uint32_t)e->detail;
    out.x = e->event_x;
    out.y = e->event_y;
    out.emulated = (e->flags & XIPointerEmulated) != 0;
    XFreeEventData(display, &event.xcookie);
    return out;
  }
  return out;
}

bool cinputtest_grab(Display *display, Window window) {
  unsigned char bytes[XIMaskLen(XI_LASTEVENT)] = {0};
  XISetMask(bytes, XI_TouchBegin);
  XISetMask(bytes, XI_TouchUpdate);
  XISetMask(bytes, XI_TouchEnd);
  XIEventMask mask = {.deviceid = XIAllMasterDevices, .mask_len = sizeof bytes, .mask = bytes};
  XIGrabModifiers modifiers = {.modifiers = (int)XIAnyModifier};
  bool failed = XIGrabTouchBegin(display, XIAllMasterDevices, window, False, &mask, 1, &modifiers) != 0;
  XSync(display, False);
  return !failed;
}

bool cinputtest_grab_device(Display *display, Window window) {
  unsigned char bytes[XIMaskLen(XI_LASTEVENT)] = {0};
  XISetMask(bytes, XI_TouchBegin);
  XISetMask(bytes, XI_TouchUpdate);
  XISetMask(bytes, XI_TouchEnd);
  XIEventMask mask = {.deviceid = XIAllMasterDevices, .mask_len = sizeof bytes, .mask = bytes};
  int device = 0;
  XIGetClientPointer(display, None, &device);
  bool taken = XIGrabDevice(display, device, window, CurrentTime, None, XIGrabModeAsync, XIGrabModeAsync, True, &mask) ==
               XIGrabSuccess;
  XSync(display, False);
  return taken;
}

bool cinputtest_ungrab_device(Display *display) {
  int device = 0;
  XIGetClientPointer(display, None, &device);
  return XIUngrabDevice(display, device, CurrentTime) == Success;
}

static int find(Display *display, const char *name) {
  int count, id = -1;
  XIDeviceInfo *devices = XIQueryDevice(display, XIAllDevices, &count);
  for (int i = 0; devices && i < count; i++)
    if (!strcmp(devices[i].name, name)) id = devices[i].deviceid;
  if (devices) XIFreeDeviceInfo(devices);
  return id;
}

bool cinputtest_set_floats(Display *display, const char *device, const char *property, const float *values, int count) {
  int id = find(display, device);
  if (id < 0) return false;
  XIChangeProperty(display, id, XInternAtom(display, property, False), XInternAtom(display, "FLOAT", False), 32,
                   XIPropModeReplace, (unsigned char *)values, count);
  XSync(display, False);
  return true;
}

bool cinputtest_set_byte(Display *display, const char *device, const char *property, unsigned char value) {
  int id = find(display, device);
  if (id < 0) return false;
  XIChangeProperty(display, id, XInternAtom(display, property, False), 19 /* INTEGER */, 8, XIPropModeReplace, &value, 1);
  XSync(display, False);
  return true;
}

bool cinputtest_share_processor(pid_t process) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (process == 0) {
    for (int i = 0; i < CPU_SETSIZE; i++) CPU_SET(i, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
  }
  int own = sched_getcpu();
  if (own < 0 || own >= CPU_SETSIZE) return false;
  CPU_SET(own, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0 && sched_setaffinity(process, sizeof set, &set) == 0;
}
