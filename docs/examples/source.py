#!/usr/bin/env python3
"""A window to drag from: press, hold, move. The item offers the text given as argument and, as a second choice, a
file: this source code. Standard library only.

    source.py [--geometry WxH+X+Y] [--once] [TEXT]
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
carry.carry_client_create.restype = c.c_void_p
carry.carry_last_error.restype = c.c_char_p
carry.carry_region_create.argtypes = [c.c_void_p, c.c_uint32] + [c.c_int32] * 4
carry.carry_region_create.restype = c.c_void_p
carry.carry_item_create.restype = c.c_void_p
for name, more in {
    "item_add_text": [c.c_char_p], "item_add_file": [c.c_char_p] * 2, "item_set_name": [c.c_char_p], "item_destroy": [],
    "drag_session_add_item": [c.c_void_p], "region_set_drag": [c.c_void_p],
    "client_run": [c.c_int32, c.c_void_p, c.c_void_p], "client_stop": [], "client_destroy": [],
}.items():
    getattr(carry, "carry_" + name).argtypes = [c.c_void_p] + more

ITEMS = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_double, c.c_double)
OPERATION = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_int32)
SESSION = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p)
COPY = 2


class DragCallbacks(c.Structure):
    """carry_drag_callbacks. Members that are not set are NULL, which means their default."""

    _fields_ = [
        ("size", c.c_size_t), ("user_data", c.c_void_p), ("items_for_beginning", ITEMS), ("items_for_adding", ITEMS),
        ("allows_move", c.c_void_p), ("is_restricted", c.c_void_p), ("lift_ended", c.c_void_p),
        ("session_will_begin", c.c_void_p), ("session_did_move", c.c_void_p), ("will_end", c.c_void_p),
        ("did_end", OPERATION), ("did_transfer", SESSION),
    ]


parser = argparse.ArgumentParser()
parser.add_argument("--geometry", default="300x300+50+50")
parser.add_argument("--once", action="store_true")
parser.add_argument("text", nargs="?", default="Hello World")
options = parser.parse_args()
width, height, x, y = map(int, re.fullmatch(r"(\d+)x(\d+)\+(\d+)\+(\d+)", options.geometry).groups())

# An ordinary window. XSync, because it must exist on the server before it is registered.
display = X.XOpenDisplay(None)
if not display:
    sys.exit("source: no display")
window = X.XCreateSimpleWindow(display, X.XDefaultRootWindow(display), x, y, width, height, 0, 0, 0x3478F6)
X.XStoreName(display, window, b"source")
X.XMapWindow(display, window)
X.XSync(display, 0)

client = carry.carry_client_create(b"Python source", None)
if not client:
    sys.exit("source: " + carry.carry_last_error().decode())


def items_for_beginning(_, session, x, y):
    """A long press on the region: which items does it lift?"""
    item = carry.carry_item_create()
    # Best first. Nothing is read until a target requests it after the drop.
    carry.carry_item_add_text(item, options.text.encode())
    carry.carry_item_add_file(item, b"text/x-python", __file__.encode())
    carry.carry_item_set_name(item, b"greeting.txt")
    carry.carry_drag_session_add_item(session, item)
    carry.carry_item_destroy(item)  # the session has its own reference


def did_end(_, session, operation):
    print("the drag ended:", "dropped" if operation >= COPY else "cancelled", flush=True)
    if options.once and operation < COPY:
        carry.carry_client_stop(client)


def did_transfer(_, session):
    print("transferred", flush=True)
    if options.once:
        carry.carry_client_stop(client)


# The struct keeps the Python functions alive; it must exist as long as the region.
callbacks = DragCallbacks(
    size=c.sizeof(DragCallbacks), items_for_beginning=ITEMS(items_for_beginning), did_end=OPERATION(did_end),
    did_transfer=SESSION(did_transfer))
region = carry.carry_region_create(client, window, 0, 0, width, height)
carry.carry_region_set_drag(region, c.byref(callbacks))

# A program with its own event loop watches carry_client_fd and calls carry_client_dispatch instead.
status = carry.carry_client_run(client, -1, None, None)
if status < 0:
    sys.exit("source: " + carry.carry_last_error().decode())
carry.carry_client_destroy(client)
