"""What all checks of the kernel lane use: waiting, programs with their output in files, the touchscreen, the screen."""
import os, re, struct, subprocess, sys, time

PROGRAMS, ROOT = sys.argv[1:3]
SCRATCH = "/run/carry-kernel"
NOBODY = 65534
# As evemu's tools read it.
TRACE = f"{SCRATCH}/press-drag-drop.events"


def slowness():
    """How much slower this machine is than an idle one that emulates, by the time of a loop; at least 1. Everything
    that is waited for, and what fingers do, takes as much longer: a busy machine is no failure."""
    start = time.perf_counter()
    for i in range(400_000): i * i
    return min(8, max(1, (time.perf_counter() - start) / IDLE_LOOP))


# Seconds of that loop in an idle virtual machine of this lane.
IDLE_LOOP = 0.35
SLOWNESS = max(slowness() for _ in range(3))
# It costs nothing where what is waited for comes.
DEADLINE = 120 * SLOWNESS
SLOWER = 2.5 * SLOWNESS
ABS, KEY, SYN = 3, 1, 0
SLOT, X, Y, ID = 0x2F, 0x35, 0x36, 0x39

failures = []
children = []


def children_of(pid):
    """The processes that a process has started and that still run."""
    def parent(entry):
        try:
            with open(f"/proc/{entry}/stat") as f: return int(f.read().rpartition(")")[2].split()[1])
        except OSError: return 0
    return [int(entry) for entry in os.listdir("/proc") if entry.isdigit() and parent(entry) == pid]


def at_rest(process):
    """Waits until a process and its children have handled all that came: none of them runs between several looks."""
    def switches(pid):
        with open(f"/proc/{pid}/status") as f:
            return re.search(r"^voluntary_ctxt_switches:\s+(\d+)", f.read(), re.M).group(1)
    looks = []

    def is_same():
        looks.append([switches(pid) for pid in [process.pid, *children_of(process.pid)]])
        return len(looks) > 5 and all(look == looks[-1] for look in looks[-6:])
    until("the engine and its gates rest", is_same)


class Desk:
    """An engine with a monitor, a source at the left and a target at the right, on the display of DISPLAY. All run as a
    user without any right to input devices."""

    def __init__(self, name, *arguments, ready=None):
        run = lambda what, *command: start(f"{name}-{what}", *command, user=NOBODY)
        os.environ["CARRY_SOCKET"] = f"{SCRATCH}/user/{name}"
        self.engine = run("carryd", f"{SCRATCH}/carryd", "--verbose", *arguments)
        until(f"the engine listens; it said: {text(self.engine)}", lambda: os.path.exists(os.environ["CARRY_SOCKET"]))
        if ready: says(self.engine, ready)
        self.monitor = run("monitor", f"{SCRATCH}/carry", "monitor", "--verbose", "--json")
        says(self.engine, r"client \d+ is carry monitor")
        self.source = run("drag", f"{SCRATCH}/carry", "drag", "--json", "--text", "hello", "--geometry", "300x300+50+250")
        self.target = run("drop", f"{SCRATCH}/carry", "drop", "--json", "--geometry", "300x300+850+250")
        until(f"both tools are there: {text(self.engine)}",
              lambda: len(re.findall(r"client \d+ is carry (?:drag|drop)", text(self.engine))) >= 2)

    def end(self):
        for child in (self.source, self.target, self.monitor):
            child.terminate()
            child.wait()
        self.engine.terminate()
        until("the engine ends", lambda: self.engine.poll() is not None)
        if self.engine.returncode != 0: raise Failed(f"the engine ended with status {self.engine.returncode}")


class Failed(Exception):
    pass


def check(name, body):
    start = time.monotonic()
    try:
        note = body()
        print(f"ok {name} ({time.monotonic() - start:.1f} s){': ' + note if note else ''}", flush=True)
    except (Failed, OSError, subprocess.SubprocessError) as e:
        failures.append(name)
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


def open_files(p):
    """What a process has open; a descriptor may be closed while we look."""
    found = []
    for name in os.listdir(f"/proc/{p.pid}/fd"):
        try: found.append(os.readlink(f"/proc/{p.pid}/fd/{name}"))
        except FileNotFoundError: pass
    return found


def mark(p):
    return len(text(p))


def says(p, pattern, since=0, seconds=DEADLINE):
    return until(f"{os.path.basename(p.log)} says {pattern!r}; it said:\n{text(p, since)[-1500:]}",
                 lambda: re.search(pattern, text(p, since)), seconds)


# ---- the touchscreen ----

class Touchscreen:
    """A device that the kernel makes through uinput; its node is nobody's but root's until `grant`."""
    number = 0
    description = f"{SCRATCH}/touchscreen.desc"

    def __init__(self):
        Touchscreen.number += 1
        self.device = start(f"device{self.number}", "evemu-device", self.description)
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
