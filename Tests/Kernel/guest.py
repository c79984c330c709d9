#!/usr/bin/env python3
"""guest.py PROGRAMS REPOSITORY     the checks of the kernel lane; runs inside the virtual machine, as its root

Prints `ok NAME` or `FAILED NAME: why` for each check, and `done` at the end. The engine and the tools run as a user
without any right to input devices: access is what the checks give. Times are emulated, several times slower than real;
so conditions are waited for, with deadlines that only a failure meets."""
import ctypes, glob, os, re, shutil, signal, struct, subprocess, sys, time

PROGRAMS, ROOT = sys.argv[1:3]
SCRATCH = "/run/carry-kernel"
NOBODY = 65534
TRACE = f"{ROOT}/Tests/Fixtures/traces/press-drag-drop.events"
DEADLINE = 30
SLOWER = 2.5
PAD_TRACE = f"{ROOT}/Tests/Fixtures/traces/clickpad-drag.events"
ABS, KEY, SYN = 3, 1, 0
BTN_LEFT = 0x110
SLOT, X, Y, ID = 0x2F, 0x35, 0x36, 0x39

failures = 0
children = []


class Failed(Exception):
    pass


def check(name, body):
    global failures
    start = time.monotonic()
    try:
        note = body()
        print(f"ok {name} ({time.monotonic() - start:.1f} s){': ' + note if note else ''}", flush=True)
    except (Failed, OSError, subprocess.SubprocessError) as e:
        failures += 1
        print(f"FAILED {name}: {e}", flush=True)


def until(what, condition, seconds=DEADLINE):
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value: return value
        if time.monotonic() > end: raise Failed(f"not within {seconds} s: {what}")
        time.sleep(0.05)


def start(name, *command, user=None):
    """A child with its output in a file."""
    log = open(f"{SCRATCH}/{name}.log", "wb")
    p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, user=user,
                         group=user, extra_groups=[] if user else None)
    p.log = log.name
    children.append(p)
    return p


def text(p, since=0):
    with open(p.log, errors="replace") as f: return f.read()[since:]


def mark(p):
    return len(text(p))


def says(p, pattern, since=0, seconds=DEADLINE):
    return until(f"{os.path.basename(p.log)} says {pattern!r}; it said:\n{text(p, since)[-1500:]}",
                 lambda: re.search(pattern, text(p, since)), seconds)


# ---- the touchscreen ----

class Touchscreen:
    """A device that the kernel makes through uinput; its node is nobody's but root's until `grant`."""
    number = 0
    description = "touchscreen.desc"

    def __init__(self):
        Touchscreen.number += 1
        self.device = start(f"device{self.number}", "evemu-device", f"{SCRATCH}/{self.description}")
        self.node = says(self.device, r"(/dev/input/event\d+)").group(1)
        subprocess.run(["udevadm", "settle", "--timeout", "30"], check=True)

    def grant(self):
        os.chmod(self.node, 0o604)

    def unplug(self):
        """evemu-device waits in pause(); the kernel takes the device away with its last descriptor."""
        self.device.kill()
        self.device.wait()
        until("the node is gone", lambda: not os.path.exists(self.node))

    def send(self, *events):
        """Events through the kernel: a write to a node is what its driver says. All in one go."""
        data = b"".join(struct.pack("qqHHi", 0, 0, *e) for e in events)
        with open(self.node, "wb", buffering=0) as f:
            while data: data = data[f.write(data):]

    def down(self, slot, x, y, identifier):
        self.send((ABS, SLOT, slot), (ABS, ID, identifier), (ABS, X, x), (ABS, Y, y), (SYN, 0, 0))

    def move(self, slot, x, y):
        self.send((ABS, SLOT, slot), (ABS, X, x), (ABS, Y, y), (SYN, 0, 0))

    def up(self, slot):
        self.send((ABS, SLOT, slot), (ABS, ID, -1), (SYN, 0, 0))

    def play(self):
        """Everything here is slower, so the finger is as well; what it does stays what it was. evemu-play leaves out the
        wait behind an event at time 0, so all are a second later; and it wants nothing but events."""
        with open(TRACE) as f: lines = [line for line in f if line.startswith("E:")]
        events = "".join(re.sub(r"^E: ([\d.]+)", lambda m: f"E: {1 + SLOWER * float(m[1]):.6f}", line) for line in lines)
        subprocess.run(["evemu-play", self.node], input=events, text=True, check=True, timeout=DEADLINE)


class Clickpad(Touchscreen):
    description = "clickpad.desc"

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


def screen():
    """The picture; behind the header of an XWD file is all that is seen."""
    with open(f"{SCRATCH}/fb/Xvfb_screen0", "rb") as f: return f.read()[4096:]


def shows(x, y):
    """A pixel; the lines of the picture are the last 1280 * 800 * 4 bytes of the file."""
    with open(f"{SCRATCH}/fb/Xvfb_screen0", "rb") as f: picture = f.read()[-1280 * 800 * 4:]
    return picture[(y * 1280 + x) * 4:(y * 1280 + x) * 4 + 3]


def quiet_screen():
    """The picture once it has not changed for a while."""
    state = [screen(), time.monotonic()]

    def still():
        now = screen()
        if now != state[0]: state[:] = [now, time.monotonic()]
        return time.monotonic() - state[1] > 1.5
    until("the screen comes to rest", still)
    return state[0]


# ---- the checks ----

def start_everything():
    global engine, monitor, source, target
    os.makedirs(f"{SCRATCH}/fb", exist_ok=True)
    for trace, description in ((TRACE, "touchscreen.desc"), (PAD_TRACE, "clickpad.desc")):
        with open(trace) as f, open(f"{SCRATCH}/{description}", "w") as to:
            to.writelines(line for line in f if not line.startswith("E:"))
    for name in ("carryd", "carry"):
        # Those who run them may not be able to reach the place where they were built.
        shutil.copy(f"{PROGRAMS}/{name}", f"{SCRATCH}/{name}")
    os.makedirs(f"{SCRATCH}/user", exist_ok=True)
    os.chown(f"{SCRATCH}/user", NOBODY, NOBODY)
    os.makedirs("/run/udev/rules.d", exist_ok=True)
    shutil.copy(f"{ROOT}/udev/70-carry.rules", "/run/udev/rules.d/70-carry.rules")
    if subprocess.run(["pgrep", "-f", "systemd-udevd"], stdout=subprocess.DEVNULL).returncode != 0:
        start("udevd", "/lib/systemd/systemd-udevd")
        until("udevd runs", lambda: os.path.exists("/run/udev/control"))
    subprocess.run(["udevadm", "control", "--reload"], check=True, timeout=DEADLINE)
    subprocess.run(["modprobe", "uinput"], check=True)
    until("/dev/uinput is there", lambda: os.path.exists("/dev/uinput"))
    xserver = start("xvfb", "Xvfb", ":5", "-screen", "0", "1280x800x24", "-noreset", "-nolisten", "tcp", "-fbdir",
                    f"{SCRATCH}/fb")
    until(f"Xvfb runs: {text(xserver)}", lambda: os.path.exists("/tmp/.X11-unix/X5"))
    os.environ.update(DISPLAY=":5", CARRY_SOCKET=f"{SCRATCH}/user/socket", HOME=f"{SCRATCH}/user",
                      XDG_RUNTIME_DIR=f"{SCRATCH}/user")
    engine = start("carryd", f"{SCRATCH}/carryd", "--verbose", user=NOBODY)
    until(f"the engine listens; it said: {text(engine)}", lambda: os.path.exists(os.environ["CARRY_SOCKET"]))
    monitor = start("monitor", f"{SCRATCH}/carry", "monitor", "--json", user=NOBODY)
    says(engine, r"client \d+ is carry monitor")
    source = start("drag", f"{SCRATCH}/carry", "drag", "--json", "--text", "hello", "--geometry", "300x300+50+250",
                   user=NOBODY)
    target = start("drop", f"{SCRATCH}/carry", "drop", "--json", "--geometry", "300x300+850+250", user=NOBODY)
    until(f"both tools are there: {text(engine)}",
          lambda: len(re.findall(r"client \d+ is ", text(engine))) >= 3)
    # Both windows are drawn: they do not look like the place between them.
    until("both windows are on the screen", lambda: shows(200, 400) != shows(640, 700) != shows(1000, 400))
    quiet_screen()


def the_rule_tags_touchscreens_only():
    """udevadm shows what the rule does; logind would give the user at the seat access by it."""
    out = subprocess.run(["udevadm", "info", panel.node], capture_output=True, text=True, check=True).stdout
    if "ID_INPUT_TOUCHSCREEN=1" not in out: raise Failed(f"udev sees no touchscreen:\n{out}")
    if not re.search(r"TAGS=\S*:uaccess:", out): raise Failed(f"no uaccess:\n{out}")
    others = [n for n in glob.glob("/dev/input/event*") if n != panel.node]
    if not others: raise Failed("there is no other input device to compare with")
    for node in others:
        if ":uaccess:" in subprocess.run(["udevadm", "info", node], capture_output=True, text=True).stdout:
            raise Failed(f"{node} is no touchscreen and has the tag")
    return f"{len(others)} other devices have no tag"


def a_device_without_permission_is_named_once():
    says(engine, f"{panel.node}: no permission")
    quiet_screen()
    n = len(re.findall(f"{panel.node}: no permission", text(engine)))
    if n != 1: raise Failed(f"it was said {n} times")


def permission_that_arrives_late_is_noticed():
    since = mark(engine)
    panel.grant()
    begin = time.monotonic()
    says(engine, f"reading {panel.node}", since)
    return f"after {(time.monotonic() - begin) * 1000:.0f} emulated ms"


def nothing_wakes_the_idle_engine():
    def switches():
        with open(f"/proc/{engine.pid}/status") as f:
            return int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", f.read(), re.M).group(1))
    # The machine has only just started; what else starts in it may still speak to the engine once or twice, but an
    # engine that asks again and again never lets this much time pass.
    history = []
    for _ in range(6):
        before = switches()
        time.sleep(4)
        history.append(switches() - before)
        if history[-1] == 0: return f"in turns of 4 s: {history}"
    raise Failed(f"wake-ups in turns of 4 s: {history}")


def a_recorded_drag_delivers_the_text():
    since, heard = mark(target), mark(monitor)
    panel.play()
    try:
        says(target, r'"event": "received".*"text": "hello"', since)
    except Failed as e:
        raise Failed(f"{e}\nthe monitor said:\n{text(monitor, heard)[-3000:]}") from None
    says(monitor, r'"event": "ended"', heard)


def lift_and_carry(slot=0, identifier=100):
    """A press on the source that lifts and is carried half-way."""
    heard = mark(monitor)
    panel.down(slot, 200, 400, identifier)
    says(monitor, r'"event": "lifted"', heard)
    for x in range(220, 620, 40):
        panel.move(slot, x, 350)
        time.sleep(0.02)
    says(monitor, r'"event": "began"', heard)
    return heard


def unplugging_in_mid_drag_cancels_and_leaves_nothing():
    before = quiet_screen()
    heard, since, told = lift_and_carry(identifier=101), mark(engine), mark(source)
    until("a preview is on the screen", lambda: screen() != before)
    panel.unplug()
    says(monitor, r'"event": "cancelled"', heard)
    says(monitor, r'"event": "ended"', heard)
    says(source, r'"event": "cancelled"', told)
    says(engine, f"{panel.node}: the device is gone", since)
    if quiet_screen() != before: raise Failed("something is left on the screen")
    if re.search(r'"dropped"', text(monitor, heard)): raise Failed("it was dropped")
    n = text(engine, since).count("the device is gone")
    if n != 1: raise Failed(f"it was said {n} times")
    if any(panel.node in os.readlink(p) for p in glob.glob(f"/proc/{engine.pid}/fd/*")):
        raise Failed("the engine keeps the node open")


def a_device_that_comes_back_is_usable():
    global panel
    since, heard, got = mark(engine), mark(monitor), mark(target)
    panel = Touchscreen()
    panel.grant()
    says(engine, f"reading {panel.node}", since)
    panel.play()
    says(target, r'"event": "received".*"text": "hello"', got)
    says(monitor, r'"event": "ended"', heard)


def plugging_ten_times_leaks_nothing():
    """LD7 in small: descriptors stay flat."""
    global panel

    def descriptors():
        return len(os.listdir(f"/proc/{engine.pid}/fd"))
    quiet_screen()
    before = descriptors()
    for _ in range(10):
        panel.unplug()
        since = mark(engine)
        panel = Touchscreen()
        panel.grant()
        says(engine, f"reading {panel.node}", since)
    until("descriptors are flat", lambda: descriptors() == before)


def overrun(*last):
    """More events than the kernel keeps for a reader, while the engine cannot read; then the last ones."""
    since = mark(engine)
    os.kill(engine.pid, signal.SIGSTOP)
    events = []
    for i in range(1500): events += [(ABS, SLOT, 0), (ABS, X, 400 + i % 200), (ABS, Y, 300 + i % 7), (SYN, 0, 0)]
    events += last
    # A third finger, far from everything, is last: that the others have moved and gone is long overwritten.
    events += [(ABS, SLOT, 2), (ABS, ID, 900), (ABS, X, 640), (ABS, Y, 700), (SYN, 0, 0)]
    for i in range(1500): events += [(ABS, X, 600 + i % 50), (SYN, 0, 0)]
    events += [(ABS, ID, -1), (SYN, 0, 0)]
    panel.send(*events)
    os.kill(engine.pid, signal.SIGCONT)
    says(engine, "the kernel dropped events", since)


def dropped_events_end_the_finger_that_vanished():
    before = quiet_screen()
    heard = lift_and_carry(identifier=102)
    overrun((ABS, SLOT, 0), (ABS, ID, -1), (SYN, 0, 0))
    says(monitor, r'"event": "(cancelled|dropped)"', heard)
    says(monitor, r'"event": "ended"', heard)
    if "data-delivered" in text(monitor, heard): raise Failed("something was delivered, and nobody let go over a target")
    if quiet_screen() != before: raise Failed("something is left on the screen")


def dropped_events_keep_the_finger_that_is_down():
    heard, got = lift_and_carry(identifier=103), mark(target)
    overrun()
    for x in range(620, 1001, 20):
        panel.move(0, x, 400)
        time.sleep(0.02)
    says(monitor, r'"event": "entered"', heard)
    panel.up(0)
    says(target, r'"event": "received".*"text": "hello"', got)
    says(monitor, r'"event": "ended"', heard)
    if '"cancelled"' in text(monitor, heard): raise Failed("it was cancelled")


def a_trackpad_is_left_alone_until_it_is_wanted():
    """Z6: off by default, whatever the permissions."""
    global pad
    since = mark(engine)
    pad = Clickpad()
    pad.grant()
    # A touchscreen that comes later is read: by then the trackpad has been looked at.
    other = Touchscreen()
    other.grant()
    says(engine, f"reading {other.node}", since)
    other.unplug()
    if f"reading {pad.node}" in text(engine, since): raise Failed("it is read")
    if any(pad.node in os.readlink(p) for p in glob.glob(f"/proc/{engine.pid}/fd/*")):
        raise Failed("the engine has the node open")


def trackpads_carry_where_they_are_switched_on():
    """Z6 on a real node and with the X server's pointer: lift, tap that adds, re-grip, drop."""
    global engine, monitor, source, target
    for child in (engine, monitor, source, target):
        child.terminate()
        child.wait()
    engine = start("carryd2", f"{SCRATCH}/carryd", "--verbose", "--trackpads", user=NOBODY)
    says(engine, f"reading {pad.node}")
    until("the engine listens", lambda: os.path.exists(os.environ["CARRY_SOCKET"]))
    monitor = start("monitor2", f"{SCRATCH}/carry", "monitor", "--json", user=NOBODY)
    says(engine, r"client \d+ is carry monitor")
    source = start("drag2", f"{SCRATCH}/carry", "drag", "--json", "--text", "hello", "--geometry", "300x300+50+250",
                   user=NOBODY)
    target = start("drop2", f"{SCRATCH}/carry", "drop", "--json", "--geometry", "300x300+850+250", user=NOBODY)
    until("both tools are there", lambda: len(re.findall(r"client \d+ is ", text(engine))) >= 3)
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
    time.sleep(0.5)  # For the engine to have asked for the pointer, here where everything is slow.
    pad.button(1)
    pointer.button(1)
    time.sleep(0.15)
    if seen := pointer.clicks(): raise Failed(f"the click was not held: {seen}")
    pad.button(0)
    pointer.button(0)
    clicked("+-")
    # One that lifts is not.
    pad.button(1)
    pointer.button(1)
    says(monitor, r'"event": "lifted"')
    for x in range(210, 320, 20): pointer.move(x, 380)
    says(monitor, r'"event": "began"')
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


def the_engine_ends_when_asked():
    engine.send_signal(signal.SIGTERM)
    until("it ends", lambda: engine.poll() is not None)
    if engine.returncode != 0: raise Failed(f"status {engine.returncode}")


def main():
    global panel
    check("everything-starts", start_everything)
    if failures: return
    panel = Touchscreen()
    for body in (the_rule_tags_touchscreens_only, a_device_without_permission_is_named_once,
                 permission_that_arrives_late_is_noticed, nothing_wakes_the_idle_engine,
                 a_recorded_drag_delivers_the_text, unplugging_in_mid_drag_cancels_and_leaves_nothing,
                 a_device_that_comes_back_is_usable, plugging_ten_times_leaks_nothing,
                 dropped_events_end_the_finger_that_vanished, dropped_events_keep_the_finger_that_is_down,
                 a_recorded_drag_delivers_the_text, a_trackpad_is_left_alone_until_it_is_wanted,
                 trackpads_carry_where_they_are_switched_on, the_engine_ends_when_asked):
        check(body.__name__.replace("_", "-"), body)


os.makedirs(SCRATCH, exist_ok=True)
os.chmod(SCRATCH, 0o755)
try:
    main()
except (Failed, OSError, subprocess.SubprocessError) as e:
    failures += 1
    print(f"FAILED the-lane-itself: {e}", flush=True)
finally:
    for child in children: child.kill()
    if failures:
        for name in ("carryd", "monitor", "drag", "drop", "carryd2", "monitor2", "drag2", "drop2"):
            try:
                with open(f"{SCRATCH}/{name}.log", errors="replace") as f: print(f"--- {name}\n{f.read()[-12000:]}")
            except OSError: pass
    print("done", flush=True)
