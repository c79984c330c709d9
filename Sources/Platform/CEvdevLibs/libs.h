// libevdev reads and resynchronises device nodes; libudev tells when they come and go; mtdev turns protocol A into
// protocol B.
#include <libevdev/libevdev.h>
#include <libudev.h>
#include <linux/input.h>
#include <mtdev-plumbing.h>
#include <mtdev.h>
