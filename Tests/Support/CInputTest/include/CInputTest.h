// Touches for a real X server without hardware: the wire format of Xorg's inputtest driver, and the XInput 2 events
// that an application sees, which are unions and macros.
#ifndef CINPUTTEST_H
#define CINPUTTEST_H

#include <X11/Xlib.h>
#include <X11/extensions/XInput2.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// Says hello to the driver behind a connected Unix socket; false when it does not answer.
bool cinputtest_greet(int socket);
// A touch event: type is XI_TouchBegin, XI_TouchUpdate or XI_TouchEnd, x and y run from 0 to 65535.
bool cinputtest_touch(int socket, uint32_t touch, uint32_t type, double x, double y);
// The pointer's device: to a place on its axes from 0 to 65535, and a button.
bool cinputtest_motion(int socket, double x, double y);
bool cinputtest_button(int socket, int button, bool is_press);
// The keyboard's device: a key by the kernel's number of it.
bool cinputtest_key(int socket, int key, bool is_press);
// Waits until the server has handled everything.
bool cinputtest_sync(int socket);

// Has a process and the calling thread run on one processor, so that each answer is there before the thread goes on; or, with
// 0, the calling thread on any again. Macros of sched_setaffinity, which Swift cannot import.
bool cinputtest_share_processor(pid_t process);

// Selects touch events on a window, as an application does.
void cinputtest_select(Display *display, Window window);
// Selects XInput 2's button events on a window, and no touches.
void cinputtest_select_buttons(Display *display, Window window);

// Takes the touches of a window for good, as another program would that holds them.
bool cinputtest_grab(Display *display, Window window);
// Takes all of the pointer and the touches that come with it, as an open menu does.
bool cinputtest_grab_device(Display *display, Window window);
bool cinputtest_ungrab_device(Display *display);
// Sets a property of the device of this name: floats, or one byte. False when there is no such device.
bool cinputtest_set_floats(Display *display, const char *device, const char *property, const float *values, int count);
bool cinputtest_set_byte(Display *display, const char *device, const char *property, unsigned char value);

typedef struct {
  int type;  // XI_TouchBegin…, or XI_ButtonPress, XI_ButtonRelease; 0 when there was none
  uint32_t detail;
  double x, y;
  bool emulated;
} cinputtest_event;
// The next event of these, without waiting.
cinputtest_event cinputtest_next(Display *display, int opcode);

#endif
