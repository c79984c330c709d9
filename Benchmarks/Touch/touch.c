// How long a touch takes from the driver to an application: in a window that nobody guards, or beside the regions of a
// guarded one, where the gate holds it until the engine has given it away.
//
//     touch SOCKET plain|guarded|held COUNT        SOCKET: the inputtest driver's; DISPLAY and CARRY_SOCKET as usual
//
// "held" is what any gate costs: another process grabs each touch and rejects it at once, and does nothing else.
//
// Prints "<mode>.begin.p50 N us" and p99.
#include "CInputTest.h"

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XInput2.h>
#include <carry.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b) { return (*(double *)a > *(double *)b) - (*(double *)a < *(double *)b); }

static int fail(const char *what) { return fprintf(stderr, "touch: %s\n", what), 1; }

static carry_client *client;

// Waits for an event of this kind; the program's part in drag and drop goes on meanwhile.
static double wait_for(Display *display, int opcode, int type) {
  double end = now() + 2e6;
  while (now() < end) {
    cinputtest_event e = cinputtest_next(display, opcode);
    if (e.type == type) return now();
    if (e.type) continue;
    struct pollfd fds[2] = {{ConnectionNumber(display), POLLIN, 0}, {client ? carry_client_fd(client) : -1, POLLIN, 0}};
    poll(fds, 2, 100);
    if (client && fds[1].revents) carry_client_dispatch(client);
  }
  return -1;
}

// The major opcode of XInput, after saying that 2.2 is known; 0 where it is not there.
static int xinput_opcode(Display *display) {
  int opcode, event, error, major = 2, minor = 2;
  if (!XQueryExtension(display, "XInputExtension", &opcode, &event, &error)) return 0;
  return XIQueryVersion(display, &major, &minor) == Success ? opcode : 0;
}

static void items(void *data, carry_drag_session *session, double x, double y) {
  (void)data, (void)session, (void)x, (void)y;
}

// Grabs the touches on a window, and gives each back as soon as it has come.
static int hold(Window window, int ready) {
  Display *display = XOpenDisplay(NULL);
  int opcode = display ? xinput_opcode(display) : 0;
  if (!opcode) return fail("no XInput 2.2");
  unsigned char bits[XIMaskLen(XI_LASTEVENT)] = {0};
  XISetMask(bits, XI_TouchBegin);
  XISetMask(bits, XI_TouchUpdate);
  XISetMask(bits, XI_TouchEnd);
  XIEventMask mask = {.deviceid = XIAllMasterDevices, .mask_len = sizeof bits, .mask = bits};
  XIGrabModifiers any = {.modifiers = XIAnyModifier};
  XIGrabTouchBegin(display, XIAllMasterDevices, window, False, &mask, 1, &any);
  XSync(display, False);
  if (write(ready, "", 1) != 1) return 1;
  for (;;) {
    XEvent e;
    XNextEvent(display, &e);
    if (e.type != GenericEvent || e.xcookie.extension != opcode || !XGetEventData(display, &e.xcookie)) continue;
    XIDeviceEvent *touch = e.xcookie.data;
    if (e.xcookie.evtype == XI_TouchBegin) {
      XIAllowTouchEvents(display, touch->deviceid, (unsigned)touch->detail, window, XIRejectTouch);
      XFlush(display);
    }
    XFreeEventData(display, &e.xcookie);
  }
}

int main(int argc, char **argv) {
  if (argc != 4) return fail("touch SOCKET plain|guarded|held COUNT");
  int guarded = !strcmp(argv[2], "guarded"), held = !strcmp(argv[2], "held"), count = atoi(argv[3]);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", argv[1]);
  int injector = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(injector, (struct sockaddr *)&address, sizeof address) || !cinputtest_greet(injector))
    return fail("the driver does not answer");
  Display *display = XOpenDisplay(NULL);
  int opcode = display ? xinput_opcode(display) : 0;
  if (!opcode) return fail("no XInput 2.2");
  Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 640, 640, 0, 0, 0xffffff);
  cinputtest_select(display, window);
  XMapWindow(display, window);
  XSync(display, False);
  if (guarded) {
    client = carry_client_create("benchmark", NULL);
    if (!client) return fail(carry_last_error());
    carry_region *region = carry_region_create(client, (uint32_t)window, 0, 0, 640, 320);
    carry_drag_callbacks callbacks = CARRY_DRAG_CALLBACKS_INIT;
    callbacks.items_for_beginning = items;
    carry_region_set_drag(region, &callbacks);
    carry_client_synchronize(client);
    struct timespec settle = {.tv_nsec = 300000000};
    nanosleep(&settle, NULL);  // The gate's grab.
  }
  if (held) {
    int ends[2];
    char byte;
    if (pipe(ends)) return fail("no pipe");
    pid_t child = fork();
    if (!child) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      _exit(hold(window, ends[1]));
    }
    close(ends[1]);
    if (child < 0 || read(ends[0], &byte, 1) != 1) return fail("the touches are not held");
  }
  double *samples = calloc((size_t)count, sizeof *samples);
  for (int i = 0; i < count + 20; i++) {
    double start = now();
    cinputtest_touch(injector, 1, XI_TouchBegin, 0.2 * 65535, 0.6 * 65535);
    double seen = wait_for(display, opcode, XI_TouchBegin);
    if (seen < 0) return fail("a touch did not arrive");
    if (i >= 20) samples[i - 20] = seen - start;
    cinputtest_touch(injector, 1, XI_TouchEnd, 0.2 * 65535, 0.6 * 65535);
    if (wait_for(display, opcode, XI_TouchEnd) < 0) return fail("a touch did not end");
  }
  qsort(samples, (size_t)count, sizeof *samples, compare);
  printf("%s.begin.p50 %.1f us\n%s.begin.p99 %.1f us\n", argv[2], samples[count / 2], argv[2], samples[count * 99 / 100]);
  return 0;
}
