// A kernel touch device behind a pipe, for tests: this process's own ioctl answers for one descriptor, so that the
// real libevdev runs unmodified without /dev/uinput.
#ifndef CFAKEEVDEV_H
#define CFAKEEVDEV_H

#include <stdint.h>

// Forgets all that was set and answers for `fd` from now on; -1 for none.
void fake_evdev_begin(int fd, const char *name);
void fake_evdev_axis(int code, int minimum, int maximum, int resolution);
void fake_evdev_key(int code);
void fake_evdev_property(int number);
// What EVIOCGMTSLOTS answers for one slot and axis.
void fake_evdev_slot_value(int slot, int code, int value);
// What EVIOCGABS answers as the value of an axis: the current slot, for ABS_MT_SLOT.
void fake_evdev_axis_value(int code, int value);
// Makes EVIOCSCLOCKID fail.
void fake_evdev_refuse_clock(void);
// Writes one event to the pipe's other end; 0 when it went.
int fake_evdev_write(int fd, int64_t microseconds, uint16_t type, uint16_t code, int32_t value);

#endif
