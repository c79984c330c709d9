#!/usr/bin/env python3
"""An ordinary Tk program with a plugin of Carry's: its left window lifts a text, its right one takes drops by tkdnd. With
"copy" it copies a text by Carry, and pastes it by Tk.
"""
import ctypes as c
import sys
import time
import tkinter

carry = c.CDLL("libcarry.so.0")
ITEMS = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_double, c.c_double)
for name, result, more in [
    ("client_create_awaiting", c.c_void_p, [c.c_char_p]), ("client_fd", c.c_int32, []), ("client_dispatch", c.c_int32, []),
    ("client_flush", c.c_int32, []), ("client_destroy", None, []), ("item_destroy", None, []),
    ("item_add_text", c.c_int32, [c.c_char_p]), ("drag_session_add_item", c.c_int32, [c.c_void_p]),
    ("client_copy", c.c_int32, [c.POINTER(c.c_void_p), c.c_size_t]),
    ("region_create", c.c_void_p, [c.c_uint32] + [c.c_int32] * 4), ("region_set_drag", c.c_int32, [c.c_void_p]),
]:
    function = getattr(carry, "carry_" + name)
    function.restype, function.argtypes = result, [c.c_char_p if name.endswith("awaiting") else c.c_void_p] + more
carry.carry_item_create.restype = c.c_void_p


class DragCallbacks(c.Structure):
    """carry_drag_callbacks, as far as it is used. The library knows by its size how much there is."""

    _fields_ = [("size", c.c_size_t), ("user_data", c.c_void_p), ("items_for_beginning", ITEMS)]


def words():
    item = carry.carry_item_create()
    carry.carry_item_add_text(item, b"own words")
    return item


@ITEMS
def lift(_, session, x, y):
    item = words()
    carry.carry_drag_session_add_item(session, item)
    carry.carry_item_destroy(item)


def say(what, start, text):
    print(what, "soon" if time.monotonic() - start < 5 else "late", text, flush=True)


root = tkinter.Tk()
client = carry.carry_client_create_awaiting(b"own", None)
root.tk.createfilehandler(
    carry.carry_client_fd(client), tkinter.READABLE, lambda *_: carry.carry_client_dispatch(client))
if len(sys.argv) > 1:
    item = c.c_void_p(words())
    if carry.carry_client_copy(client, c.byref(item), 1) != 0:
        sys.exit(1)
    carry.carry_item_destroy(item)
    start = time.monotonic()
    say("pasted", start, root.clipboard_get(type="UTF8_STRING"))
    carry.carry_client_destroy(client)
    sys.exit()

root.withdraw()
root.tk.call("package", "require", "tkdnd")
windows = []
for x in (50, 850):
    window = tkinter.Toplevel(root)
    window.overrideredirect(True)
    window.geometry(f"300x300+{x}+250")
    window.update()
    windows.append(window)
start = 0.0


def over():
    global start
    start = time.monotonic()
    return "copy"


def dropped(text):
    say("dropped", start, text)
    return "copy"


target = windows[1]
root.tk.call("tkdnd::drop_target", "register", target, "DND_Text")
for event in ("<<DropEnter>>", "<<DropPosition>>"):
    root.tk.call("bind", target, event, root.register(over))
root.tk.call("bind", target, "<<Drop:DND_Text>>", (root.register(dropped), "%D"))
callbacks = DragCallbacks(c.sizeof(DragCallbacks), None, lift)
region = carry.carry_region_create(client, windows[0].winfo_id(), 0, 0, 300, 300)
carry.carry_region_set_drag(region, c.byref(callbacks))
carry.carry_client_flush(client)
root.mainloop()
