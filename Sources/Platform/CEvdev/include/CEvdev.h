// libevdev, libudev and mtdev for Swift, with what its importer cannot take.
#ifndef CEVDEV_H
#define CEVDEV_H

#include <libevdev/libevdev.h>
#include <libudev.h>
#include <linux/input.h>
#include <mtdev-plumbing.h>
#include <mtdev.h>

#endif
