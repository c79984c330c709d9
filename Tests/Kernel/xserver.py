"""The checks that need an X server which reads the same touchscreen as the engine: Xorg with the libinput driver, on a
dummy screen. Fingers come from XInput 2 then, and what the node says is matched with them."""
import os, re, subprocess, time

from lane import ABS, DEADLINE, ID, ROOT, SCRATCH, SLOT, SYN, Desk, Failed, Touchscreen, mark, says, start, text, until

TOOL_TYPE, PALM = 0x37, 2
WIDTH, HEIGHT = 1280, 800


def with_axis(description, code, maximum):
    """An evemu description with one more axis: its range, and its bit among those that the device has."""
    lines = description.splitlines()
    bits = [i for i, line in enumerate(lines) if line.startswith("B: 03")]
    at, byte = bits[code // 64], 2 + code // 8 % 8
    fields = lines[at].split()
    fields[byte] = f"{int(fields[byte], 16) | 1 << code % 8:02x}"
    lines[at] = " ".join(fields)
    return "\n".join(lines) + f"\nA: {code:02x} 0 {maximum} 0 0 0\n"


class Palms(Touchscreen):
    description = f"{SCRATCH}/palms.desc"


class Scene:
    """Xorg on the panel's node, an engine that may not read the node, a source and a target."""

    def __init__(self):
        # The same panel, but one that tells palms from fingers.
        with open(Touchscreen.description) as f: description = f.read()
        with open(Palms.description, "w") as f: f.write(with_axis(description, TOOL_TYPE, 2))
        self.panel = Palms()
        with open(f"{ROOT}/Tests/Support/xorg.conf") as f: configuration = f.read().replace("@NODE@", self.panel.node)
        with open(f"{SCRATCH}/xorg.conf", "w") as f: f.write(configuration)
        os.environ["DISPLAY"] = ":7"
        server = start("xorg", "Xorg", ":7", "-config", f"{SCRATCH}/xorg.conf", "-layout", "panel", "-seat", "carry",
                       "-noreset", "-nolisten", "tcp", "-ac", "-logfile", f"{SCRATCH}/xorg.server.log")
        until(f"Xorg runs: {text(server)[-2000:]}", lambda: os.path.exists("/tmp/.X11-unix/X7"))
        until("Xorg answers", lambda: subprocess.run(["xinput", "list"], capture_output=True).returncode == 0)
        self.desk = Desk("xorg", ready="touch gate runs")
        self.engine, self.monitor, self.target = self.desk.engine, self.desk.monitor, self.desk.target
        says(self.engine, "its touches are held")
        until("both windows are there", lambda: self.viewable() >= 2)

    def viewable(self):
        tree = subprocess.run(["xwininfo", "-root", "-tree"], capture_output=True, text=True).stdout
        return len(re.findall(r"300x300\+", tree))

    def finger(self, identifier, path, slot=0):
        """A finger that presses at the first place, lifts, and goes to the others; it stays down."""
        heard = mark(self.monitor)
        (x, y), *rest = path
        self.panel.down(slot, x, y, identifier)
        try:
            says(self.monitor, r'"event": "lifted"', heard)
            for place in rest:
                self.panel.move(slot, *place)
                time.sleep(0.02)
            says(self.monitor, r'"event": "began"', heard)
        except Failed:
            # The next check wants the same slot.
            self.panel.up(slot)
            raise
        return heard


scene = None
ACROSS = [(200 + 20 * i, 400) for i in range(41)]


def x_and_evdev_see_the_same_finger():
    """From press to delivered data through libinput and XInput 2, with no right to read the node."""
    global scene
    scene = Scene()
    got, heard = mark(scene.target), scene.finger(201, ACROSS)
    says(scene.monitor, r'"event": "entered"', heard)
    scene.panel.up(0)
    says(scene.target, r'"event": "received".*"text": "hello"', got)
    says(scene.monitor, r'"event": "ended"', heard)
    if f"reading {scene.panel.node}" in text(scene.engine): raise Failed("it reads the node, and may not")


def a_node_that_may_be_read_is_matched_with_the_touches():
    since = mark(scene.engine)
    scene.panel.grant()
    says(scene.engine, f"reading {scene.panel.node} beside the X server", since)
    heard, got = scene.finger(202, ACROSS), mark(scene.target)
    says(scene.monitor, r'"event": "entered"', heard)
    scene.panel.up(0)
    says(scene.target, r'"event": "received".*"text": "hello"', got)
    says(scene.monitor, r'"event": "ended"', heard)
    # One finger, not two.
    n = len(re.findall(r'"event": "began"', text(scene.monitor, heard)))
    if n != 1: raise Failed(f"{n} drags began")


def a_palm_ends_the_drag_though_x_says_nothing():
    # In a slot of its own: for the X server, whose driver is silent about palms, this touch never ends.
    heard = scene.finger(203, ACROSS[:20], slot=5)
    scene.panel.send((ABS, SLOT, 5), (ABS, TOOL_TYPE, PALM), (SYN, 0, 0))
    says(scene.monitor, r'"event": "cancelled"', heard)
    says(scene.monitor, r'"event": "ended"', heard)
    scene.panel.send((ABS, SLOT, 5), (ABS, TOOL_TYPE, 0), (ABS, ID, -1), (SYN, 0, 0))


def a_turned_panel_drags_where_it_shows():
    """Z5: the Coordinate Transformation Matrix, set while everything runs."""
    subprocess.run(["xinput", "set-prop", "panel", "Coordinate Transformation Matrix", "-1", "0", "1", "0", "-1", "1", "0",
                    "0", "1"], check=True, timeout=DEADLINE)
    got = mark(scene.target)
    heard = scene.finger(204, [(WIDTH - x, HEIGHT - y) for x, y in ACROSS])
    says(scene.monitor, r'"event": "entered"', heard)
    scene.panel.up(0)
    says(scene.target, r'"event": "received".*"text": "hello"', got)
    says(scene.monitor, r'"event": "ended"', heard)
    subprocess.run(["xinput", "set-prop", "panel", "Coordinate Transformation Matrix", "1", "0", "0", "0", "1", "0", "0",
                    "0", "1"], check=True, timeout=DEADLINE)


def unplugged_under_x_the_drag_ends():
    heard, since = scene.finger(205, ACROSS[:20]), mark(scene.engine)
    scene.panel.unplug()
    says(scene.monitor, r'"event": "(cancelled|dropped)"', heard)
    says(scene.monitor, r'"event": "ended"', heard)
    says(scene.engine, f"{scene.panel.node}: the device is gone", since)
    scene.desk.end()


CHECKS = (x_and_evdev_see_the_same_finger, a_node_that_may_be_read_is_matched_with_the_touches,
          a_palm_ends_the_drag_though_x_says_nothing, a_turned_panel_drags_where_it_shows,
          unplugged_under_x_the_drag_ends)
