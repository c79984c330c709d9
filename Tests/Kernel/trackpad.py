"""Trackpads on real nodes (Z6), and the clicks of theirs that applications must or must not see."""
import ctypes, os, re

from lane import DEADLINE, KEY, ROOT, SCRATCH, SYN, Desk, Failed, Touchscreen, at_rest, mark, open_files, quiet_screen
from lane import says, shows, text, until

PAD_TRACE = f"{ROOT}/Tests/Fixtures/traces/clickpad-drag.events"
BTN_LEFT = 0x110


class Clickpad(Touchscreen):
    description = f"{SCRATCH}/clickpad.desc"

    def button(self, value):
        self.send((KEY, BTN_LEFT, value), (SYN, 0, 0))


class Pointer:
    """The X server's pointer, which Xvfb lets no device move: what the X server makes of a trackpad, we do."""

    def __init__(self):
        self.x = ctypes.CDLL("libX11.so.6")
        self.xtest = ctypes.CDLL("libXtst.so.6")
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(None))
        if not self.display: raise Failed("no display for the pointer")

    def move(self, x, y):
        self.xtest.XTestFakeMotionEvent(self.display, -1, x, y, ctypes.c_ulong(0))
        self.x.XSync(self.display, 0)

    def button(self, value):
        self.xtest.XTestFakeButtonEvent(self.display, 1, value, ctypes.c_ulong(0))
        self.x.XSync(self.display, 0)

    def watch(self):
        """From now on `clicks` tells of presses and releases in the window below the pointer, as its application would
        see them."""
        root = self.x.XDefaultRootWindow
        root.restype = ctypes.c_ulong
        found = [ctypes.c_ulong() for _ in range(2)] + [ctypes.c_int() for _ in range(4)] + [ctypes.c_uint()]
        self.x.XQueryPointer(self.display, ctypes.c_ulong(root(self.display)), *map(ctypes.byref, found))
        if not found[1].value: raise Failed("there is no window below the pointer")
        self.x.XSelectInput(self.display, found[1], ctypes.c_long(4 | 8))
        self.x.XSync(self.display, 0)

    def clicks(self):
        """"+" for each press and "-" for each release since the last call."""
        event, seen = (ctypes.c_long * 24)(), ""
        self.x.XSync(self.display, 0)
        while self.x.XCheckMaskEvent(self.display, ctypes.c_long(4 | 8), ctypes.byref(event)):
            seen += {4: "+", 5: "-"}[event[0] & 0xFFFFFFFF]
        return seen


def a_trackpad_is_left_alone_until_it_is_wanted(engine):
    """Z6: off by default, whatever the permissions."""
    global pad
    with open(PAD_TRACE) as f, open(Clickpad.description, "w") as to:
        to.writelines(line for line in f if not line.startswith("E:"))
    since = mark(engine)
    pad = Clickpad()
    pad.grant()
    # A touchscreen that comes later is read: by then the trackpad has been looked at.
    other = Touchscreen()
    other.grant()
    says(engine, f"reading {other.node}", since)
    other.unplug()
    if f"reading {pad.node}" in text(engine, since): raise Failed("it is read")
    if pad.node in open_files(engine): raise Failed("the engine has the node open")


def trackpads_are_switched_on_and_off_while_it_runs(engine):
    """Z6, and the settings that are read again when they change."""
    def is_open():
        return pad.node in open_files(engine)
    since = mark(engine)
    os.makedirs(f"{SCRATCH}/user/.config/carry")
    for folder in (".config", ".config/carry"): os.chmod(f"{SCRATCH}/user/{folder}", 0o755)
    path = f"{SCRATCH}/user/.config/carry/carry.conf"
    with open(path, "w") as f: f.write("[trackpad]\nenabled = yes\n")
    says(engine, f"reading {pad.node}", since)
    if not is_open(): raise Failed("the node is not open")
    os.remove(path)
    until("the node is let go of", lambda: not is_open())


def trackpads_carry_where_they_are_switched_on():
    """Z6 on a real node and with the X server's pointer: lift, tap that adds, re-grip, drop."""
    # A mouse lifts as well, where nobody says otherwise, and its clicks would be held too.
    settings = f"{SCRATCH}/pad.conf"
    with open(settings, "w") as f: f.write("[pointer]\nenabled = no\n")
    os.chmod(settings, 0o644)
    desk = Desk("pad", "--trackpads", "--config", settings, ready=f"reading {pad.node}")
    engine, monitor, target = desk.engine, desk.monitor, desk.target
    until("both windows are on the screen", lambda: shows(200, 400) != shows(640, 700) != shows(1000, 400))
    quiet_screen()
    pointer = Pointer()
    pointer.move(600, 400)
    pointer.move(200, 400)
    pointer.watch()

    def clicked(expected):
        seen = [""]

        def all_there():
            seen[0] += pointer.clicks()
            return len(seen[0]) >= len(expected)
        until(f"the application sees {expected}, not {seen}", all_there)
        if seen[0] != expected: raise Failed(f"the application saw {seen[0]}, not {expected}")
    # A mouse's click is the application's at once, a short one of the pad's as well.
    pointer.button(1)
    clicked("+")
    pointer.button(0)
    clicked("-")
    pad.down(0, 500, 300, 1)
    at_rest(engine)  # It has asked for the pointer.

    def pressed(is_as_wanted, what):
        """A click that the engine does not ask for within 50 ms, as on a busy machine, is the application's: tried again."""
        tries = []
        for _ in range(8):
            pad.button(1)
            pointer.button(1)
            if is_as_wanted():
                if tries: print(f"note: tries in which {what}: {tries}", flush=True)
                return
            pad.button(0)
            pointer.button(0)
            clicked("-" if handed[0] else "+-")
            tries.append(handed[0])
        raise Failed(f"{what}; what the application saw of each: {tries}")
    handed = [""]

    def is_held():
        # Whether the click goes to the gate, the X server has decided by now.
        handed[0] = pointer.clicks()
        return not handed[0]
    pressed(is_held, "the click was not held")
    pad.button(0)
    pointer.button(0)
    clicked("+-")

    # One that lifts is not.
    def lifts():
        handed[0] = ""
        since = mark(monitor)
        def comes(event):
            def is_decided():
                handed[0] += pointer.clicks()
                return handed[0] or f'"{event}"' in text(monitor, since)
            # One that the application has gets another try at once: what has rested for long is slow again.
            try: until("it is decided", is_decided, DEADLINE / 12)
            except Failed: return False
            return not handed[0]
        if not comes("lifted"): return False
        for x in range(210, 320, 20): pointer.move(x, 380)
        # A slow engine lifts what the application is given just then, and puts it down again.
        if comes("began"): return True
        pointer.move(200, 400)
        return False
    pressed(lifts, "a click that is held does not lift")
    pad.down(1, 700, 300, 2)
    pad.up(1)
    says(monitor, r'"event": "items-added"')
    for x in range(320, 601, 20): pointer.move(x, 380)
    pad.button(0)
    pointer.button(0)
    pad.up(0)
    pad.down(0, 200, 300, 3)
    for x in range(600, 1001, 20): pointer.move(x, 400)
    says(monitor, r'"event": "entered"')
    pad.up(0)
    says(target, r'"event": "received".*"text": "hello"')
    says(monitor, r'"event": "ended"')
    if len(re.findall(r'"event": "received"', text(target))) != 2: raise Failed(f"not two items:\n{text(target)}")
    if '"cancelled"' in text(monitor): raise Failed("it was cancelled")
    if seen := pointer.clicks(): raise Failed(f"the application saw the click that lifted: {seen}")
    pad.unplug()
    says(engine, f"{pad.node}: the device is gone")
    desk.end()
