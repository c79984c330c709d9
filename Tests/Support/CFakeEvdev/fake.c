#define _GNU_SOURCE
#include "CFakeEvdev.h"

#include <errno.h>
#include <linux/input.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLOTS 64
static int fake_fd = -1, refuse_clock;
static char device_name[256];
static struct input_absinfo axes[ABS_CNT];
static unsigned char abs_bits[(ABS_CNT + 7) / 8], key_bits[(KEY_CNT + 7) / 8], property_bits[8];
static int slot_values[ABS_CNT][SLOTS];

static void set(unsigned char *bits, int i) { bits[i / 8] |= (unsigned char)(1u << (i % 8)); }

static void copy(void *to, size_t room, const void *from, size_t count) {
  memset(to, 0, room);
  memcpy(to, from, count < room ? count : room);
}

static int answer(unsigned long request, void *argument) {
  unsigned number = _IOC_NR(request), room = _IOC_SIZE(request);
  if (number == _IOC_NR(EVIOCGVERSION)) return *(int *)argument = EV_VERSION, 0;
  if (number == _IOC_NR(EVIOCGID)) {
    struct input_id id = {BUS_I2C, 1, 2, 3};
    return copy(argument, room, &id, sizeof id), 0;
  }
  if (number == 0x06) return copy(argument, room, device_name, strlen(device_name) + 1), (int)strlen(device_name) + 1;
  if (number == 0x07 || number == 0x08) return errno = ENOENT, -1;
  if (number == 0x09) return copy(argument, room, property_bits, sizeof property_bits), (int)sizeof property_bits;
  if (number == 0x0a) {
    int *values = argument, code = values[0];
    for (unsigned i = 1; i < room / sizeof(int) && i <= SLOTS; i++) values[i] = slot_values[code][i - 1];
    return 0;
  }
  if (number == 0xa0) return refuse_clock ? (errno = EINVAL, -1) : 0;
  if (number >= 0x20 && number < 0x40) {
    unsigned char types[4] = {0};
    switch (number - 0x20) {
      case 0:
        set(types, EV_SYN);
        set(types, EV_KEY);
        set(types, EV_ABS);
        copy(argument, room, types, sizeof types);
        break;
      case EV_KEY: copy(argument, room, key_bits, sizeof key_bits); break;
      case EV_ABS: copy(argument, room, abs_bits, sizeof abs_bits); break;
      default: memset(argument, 0, room);
    }
    return (int)room;
  }
  if (number >= 0x40 && number < 0x40 + ABS_CNT) return copy(argument, room, &axes[number - 0x40], sizeof axes[0]), 0;
  if (_IOC_DIR(request) == _IOC_READ) memset(argument, 0, room);
  return 0;
}

int ioctl(int fd, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  void *argument = va_arg(list, void *);
  va_end(list);
  if (fd == fake_fd && fd >= 0 && _IOC_TYPE(request) == 'E') return answer(request, argument);
  return (int)syscall(SYS_ioctl, fd, request, argument);
}

void fake_evdev_begin(int fd, const char *name) {
  fake_fd = fd;
  refuse_clock = 0;
  strncpy(device_name, name, sizeof device_name - 1);
  memset(axes, 0, sizeof axes);
  memset(abs_bits, 0, sizeof abs_bits);
  memset(key_bits, 0, sizeof key_bits);
  memset(property_bits, 0, sizeof property_bits);
  memset(slot_values, 0, sizeof slot_values);
  for (int i = 0; i < SLOTS; i++) slot_values[ABS_MT_TRACKING_ID][i] = -1;
}

void fake_evdev_axis(int code, int minimum, int maximum, int resolution) {
  axes[code] = (struct input_absinfo){.minimum = minimum, .maximum = maximum, .resolution = resolution};
  set(abs_bits, code);
}

void fake_evdev_key(int code) { set(key_bits, code); }
void fake_evdev_property(int number) { set(property_bits, number); }
void fake_evdev_slot_value(int slot, int code, int value) { slot_values[code][slot] = value; }
void fake_evdev_axis_value(int code, int value) { axes[code].value = value; }
void fake_evdev_refuse_clock(void) { refuse_clock = 1; }

int fake_evdev_write(int fd, int64_t microseconds, uint16_t type, uint16_t code, int32_t value) {
  struct input_event event = {.type = type, .code = code, .value = value};
  event.input_event_sec = microseconds / 1000000;
  event.input_event_usec = microseconds % 1000000;
  return write(fd, &event, sizeof event) == sizeof event ? 0 : -1;
}
