#!/usr/bin/env python3
"""A window to drop on. Prints one line for each item: the text itself, or the type and size of anything else.
Standard library only.

    target.py [--geometry WxH+X+Y] [--once]
"""
import argparse
import ctypes as c
import re
import sys

X = c.CDLL("libX11.so.6")
carry = c.CDLL("libcarry.so.0")

# Without these declarations, ctypes treats pointers as int.
X.XOpenDisplay.restype = c.c_void_p
X.XDefaultRootWindow.argtypes, X.XDefaultRootWindow.restype = [c.c_void_p], c.c_ulong
X.XCreateSimpleWindow.argtypes = [c.c_void_p, c.c_ulong] + [c.c_int] * 2 + [c.c_uint] * 3 + [c.c_ulong] * 2
X.XCreateSimpleWindow.restype = c.c_ulong
X.XMapWindow.argtypes = [c.c_void_p, c.c_ulong]
X.XStoreName.argtypes = [c.c_void_p, c.c_ulong, c.c_char_p]
X.XSync.argtypes = [c.c_void_p, c.c_int]
SESSION = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p)
UPDATE = c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_void_p)
DONE = c.CFUNCTYPE(None, c.c_void_p, c.c_int32, c.c_void_p, c.c_size_t, c.c_char_p)
carry.carry_client_create.restype = c.c_void_p
carry.carry_last_error.restype = c.c_char_p
carry.carry_region_create.argtypes = [c.c_void_p, c.c_uint32] + [c.c_int32] * 4
carry.carry_region_create.restype = c.c_void_p
for name, more, result in [
    ("drop_session_item_count", [], c.c_int32), ("drop_session_type", [c.c_int32] * 2, c.c_char_p),
    ("drop_session_best_type", [c.c_int32, c.c_char_p], c.c_char_p),
    ("drop_session_load", [c.c_int32, c.c_char_p, c.c_size_t, DONE, c.c_void_p], c.c_void_p),
    ("region_set_drop", [c.c_void_p], c.c_int32), ("client_run", [c.c_int32, c.c_void_p, c.c_void_p], c.c_int32),
    ("client_stop", [], c.c_int32), ("client_destroy", [], None),
]:
    function = getattr(carry, "carry_" + name)
    function.argtypes, function.restype = [c.c_void_p] + more, result

COPY = 2


class DropCallbacks(c.Structure):
    """carry_drop_callbacks. Members that are not set are NULL, which means their default."""

    _fields_ = [
        ("size", c.c_size_t), ("user_data", c.c_void_p), ("can_handle", UPDATE), ("did_enter", SESSION),
        ("did_update", UPDATE), ("did_exit", SESSION), ("perform_drop", SESSION), ("conclude_drop", SESSION),
        ("did_end", c.c_void_p),
    ]


parser = argparse.ArgumentParser()
parser.add_argument("--geometry", default="300x300+400+50")
parser.add_argument("--once", action="store_true")
options = parser.parse_args()
width, height, x, y = map(int, re.fullmatch(r"(\d+)x(\d+)\+(\d+)\+(\d+)", options.geometry).groups())

# An ordinary window. XSync, because it must exist on the server before it is registered.
display = X.XOpenDisplay(None)
if not display:
    sys.exit("target: no display")
window = X.XCreateSimpleWindow(display, X.XDefaultRootWindow(display), x, y, width, height, 0, 0, 0x34C759)
X.XStoreName(display, window, b"target")
X.XMapWindow(display, window)
X.XSync(display, 0)

client = carry.carry_client_create(b"Python target", None)
if not client:
    sys.exit("target: " + carry.carry_last_error().decode())

loads = {}  # The types of the running loads, by number.


@DONE
def done(number, status, data, size, why):
    """A load is over. One callback serves all loads: the user data identifies the load."""
    type = loads.pop(number)
    if status < 0:
        print("target:", why.decode(), file=sys.stderr)
    elif type.startswith("text/"):
        print("received text:", c.string_at(data, size).decode(errors="replace"), flush=True)
    else:
        print("received", type, size, "bytes", flush=True)
    if options.once and not loads:
        carry.carry_client_stop(client)


def perform_drop(_, session):
    """Dropped: the only time to start loads."""
    for item in range(carry.carry_drop_session_item_count(session)):
        text = carry.carry_drop_session_best_type(session, item, b"text/plain")
        type = text or carry.carry_drop_session_type(session, item, 0)
        number = item + 1
        if carry.carry_drop_session_load(session, item, type, 0, done, number):
            loads[number] = type.decode()  # `done` is called later, even after the session's end.
        else:
            print("target:", carry.carry_last_error().decode(), file=sys.stderr)


# The struct keeps the Python functions alive; it must exist as long as the region.
callbacks = DropCallbacks(
    size=c.sizeof(DropCallbacks), did_update=UPDATE(lambda _, session: COPY), perform_drop=SESSION(perform_drop))
region = carry.carry_region_create(client, window, 0, 0, width, height)
carry.carry_region_set_drop(region, c.byref(callbacks))

status = carry.carry_client_run(client, -1, None, None)
if status < 0:
    sys.exit("target: " + carry.carry_last_error().decode())
carry.carry_client_destroy(client)
