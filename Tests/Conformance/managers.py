"""Window managers: drags between windows, to windows behind others, on other desktops and full screens, and out of and
into the windows of `carry drag` and `carry drop` after they have grown."""
import ctypes, os, shutil
from applications import APPLICATIONS
from desk import SIZE, Desk, until
from hands import ALT, F, M, ONE, T, TWO
from sources import arrived, open_target
from targets import offer, takes
from things import make

COLUMNS = ["lift", "drop", "to the front", "other desktop", "full screen", "maximise"]
SCREEN = (0, 0, *SIZE)


class Manager:
    """
    options: of its program. files: its settings, by name below the desk's folder. composes: whether it composes the
    screen itself. compositor: what does that beside it. settings: of its environment."""

    def __init__(self, program, *options, files={}, composes=False, compositor=(), **settings):
        self.program, self.options, self.files, self.settings = program, options, files, settings
        self.composes, self.compositor = composes, compositor

    def is_there(self): return all(shutil.which(p) for p in (self.program, "wmctrl", *self.compositor[:1]))

    def start(self, desk):
        for name, data in self.files.items():
            os.makedirs(os.path.dirname(f"{desk.folder}/{name}"), exist_ok=True)
            os.chmod(desk.write(name, data.encode()), 0o755)
        desk.start(self.program, *(o.replace("FOLDER", desk.folder) for o in self.options), **self.settings)
        until("the window manager is there",
              lambda: "window id" in desk.ask("xprop", "-root", "_NET_SUPPORTING_WM_CHECK"), 20)
        if self.compositor: desk.start(*self.compositor)
        wanted = self.composes or bool(self.compositor)
        until(f"the screen is {'' if wanted else 'not '}composed", lambda: is_composed(desk) == wanted, 20)

    # --- What a person does with keys and buttons. A number of a desktop begins at 0.

    def switch(self, desk, number): desk.ask("wmctrl", "-s", str(number))
    def overlap(self, desk):
        """Lets all windows lie anywhere, also above one another."""
    def tile(self, desk):
        """Lets all windows be seen, each in its part."""
    def grow(self, desk, window): desk.ask("wmctrl", "-i", "-r", window, "-b", "add,maximized_vert,maximized_horz")


class Tiling(Manager):
    """It is told with a command what another is told with a window's buttons."""

    def __init__(self, program, *options, switch, overlap, tile, grow, **more):
        super().__init__(program, *options, **more)
        self.commands = {"switch": switch, "overlap": overlap, "tile": tile, "grow": grow}

    def order(self, desk, what, *values):
        command = self.commands[what]
        if isinstance(command[0], int): desk.hands.key(*command)
        else: desk.ask(*(w.format(*values) for w in command))

    def switch(self, desk, number): self.order(desk, "switch", number + 1)
    def overlap(self, desk): self.order(desk, "overlap")
    def tile(self, desk): self.order(desk, "tile")
    def grow(self, desk, window): self.order(desk, "grow")


class Dwm(Tiling):
    def switch(self, desk, number): desk.hands.key((ONE, TWO)[number], ALT)


class ManagedDesk(Desk):
    """A desk with another window manager than the applications have."""

    def __init__(self, built, manager):
        self.manager = manager
        # Where GTK 3 programs open, beside the window of carry drag.
        super().__init__(built, [], (600, 0, 680, 600))

    def manage(self, *_): self.manager.start(self)


def is_composed(desk):
    """Whether somebody owns the selection by which a compositing manager is found."""
    x = ctypes.CDLL("libX11.so.6")
    x.XOpenDisplay.restype = ctypes.c_void_p
    x.XInternAtom.restype = x.XGetSelectionOwner.restype = ctypes.c_ulong
    display = ctypes.c_void_p(x.XOpenDisplay(desk.environment["DISPLAY"].encode()))
    owner = x.XGetSelectionOwner(display, ctypes.c_ulong(x.XInternAtom(display, b"_NET_WM_CM_S0", 0)))
    x.XCloseDisplay(display)
    return owner != 0


# --- Windows.

def opened(desk, act):
    """Does something that opens a window; returns what it returns, and the window, which rests at its place."""
    before = set(desk.windows())
    made = act()
    window = until("the window is there", lambda: [w for w in desk.windows() if w not in before])[0]
    # Not the whole screen: a bar can show a clock.
    desk.settled(desk.place_of(window))
    return made, window


def at(desk, window, across=0.5, down=0.5):
    """A point of a window, by default the middle."""
    x, y, width, height = desk.place_of(window)
    return x + width * across, y + height * down


def is_above(desk, upper, lower):
    windows = desk.ask("xwininfo", "-root", "-tree")
    return windows.index(f"{upper} ") < windows.index(f"{lower} ")


def put(desk, window, x, y):
    """Moves a window, as a person does."""
    desk.ask("wmctrl", "-i", "-r", window, "-e", f"0,{x},{y},300,300")

    def is_there():
        place = desk.place_of(window)
        # With its frame or without.
        return abs(place[0] - x) < 40 and abs(place[1] - y) < 60
    until("the window is there", is_there, 10)


def gtk(desk):
    """A GTK 3 program that takes drops, and its window."""
    program = type(APPLICATIONS["GTK 3"])(APPLICATIONS["GTK 3"].build)
    _, window = opened(desk, lambda: program.take(desk))
    return program, window


def source(desk, thing):
    _, window = opened(desk, lambda: offer(desk, thing))
    return window


def release(desk, finger, program, place, thing):
    """Hovers there until something takes it, and drops: whether it came to the program."""
    if not takes(desk, finger, place): return "no", "nothing takes it there"
    desk.hands.up(finger, place)
    ended = desk.monitor.event("ended")
    try: until("it came", lambda: thing.came(program.got(desk)), 10)
    except TimeoutError: return "no", f"{program.got(desk)} {ended.get('operation')}"
    return "yes", program.got(desk)


# --- The columns.

def lift(desk):
    """Out of Thunar, which knows nothing of Carry, into the window of carry drop."""
    thing, thunar = make(desk, "one file"), APPLICATIONS["Thunar"]
    _, window = opened(desk, lambda: thunar.show(desk, thing.files))
    target, drop = opened(desk, lambda: open_target(desk))
    thunar.corner = desk.place_of(window)
    start, end = thunar.spot("first"), at(desk, drop)
    try: finger = desk.lift(start)
    except TimeoutError as problem: return "no", str(problem)
    desk.hands.carry(finger, start, end)
    if not takes(desk, finger, end): return "no", "carry drop does not take it"
    desk.hands.up(finger, end)
    return arrived(target, thing)


def drop(desk):
    thing = make(desk, "text")
    program, target = gtk(desk)
    start = at(desk, source(desk, thing))
    end = at(desk, target)
    finger = desk.lift(start)
    desk.hands.carry(finger, start, end)
    return release(desk, finger, program, end, thing)


def to_the_front(desk):
    """The drag rests on the edge of a window of which another covers the rest. It drops where the other was."""
    thing = make(desk, "text")
    program, target = gtk(desk)
    _, cover = gtk(desk)
    window = source(desk, thing)
    desk.manager.overlap(desk)
    for w, x in ((target, 500), (cover, 560), (window, 100)): put(desk, w, x, 300)
    desk.hands.click(at(desk, cover, 0.9))
    until("one covers the other", lambda: is_above(desk, cover, target), 10)
    desk.settled(desk.place_of(cover))
    start, edge, end = at(desk, window), at(desk, target, 0.1), at(desk, target, 0.8)
    finger = desk.lift(start)
    desk.hands.carry(finger, start, edge)
    desk.monitor.event("entered")
    try: until("it comes to the front", lambda: is_above(desk, target, cover), 6)
    except TimeoutError as problem: return "no", str(problem)
    desk.hands.carry(finger, edge, end)
    return release(desk, finger, program, end, thing)


def other_desktop(desk):
    thing = make(desk, "text")
    desk.manager.switch(desk, 1)
    program, target = gtk(desk)
    before = desk.picture(SCREEN)
    desk.manager.switch(desk, 0)
    until("the first desktop is there", lambda: desk.picture(SCREEN) != before, 10)
    start = at(desk, source(desk, thing))
    finger = desk.lift(start)
    desk.hands.carry(finger, start, (start[0] + 30, start[1] + 10))
    desk.manager.switch(desk, 1)
    until("the other desktop is there", lambda: is_seen(desk, target), 10)
    end = at(desk, target)
    desk.hands.carry(finger, (start[0] + 30, start[1] + 10), end)
    return release(desk, finger, program, end, thing)


def is_seen(desk, window):
    x, _, width, _ = desk.place_of(window)
    return "IsViewable" in desk.ask("xwininfo", "-id", window) and 0 <= x + width / 2 < SIZE[0]


def full_screen(desk):
    """The target fills the screen while something is carried. The preview has to be above it."""
    thing = make(desk, "text")
    program, target = gtk(desk)
    start = at(desk, source(desk, thing))
    finger = desk.lift(start)
    desk.ask("wmctrl", "-i", "-r", target, "-b", "add,fullscreen")
    until("it fills the screen", lambda: desk.place_of(target) == SCREEN, 10)
    end = (start[0] + 30, start[1] + 30)
    desk.hands.carry(finger, start, end)
    around = (int(end[0]) - 60, int(end[1]) - 90, 120, 120)
    carried = desk.settled(around)
    outcome, got = release(desk, finger, program, end, thing)
    if outcome != "yes": return outcome, got
    desk.settled(SCREEN)
    return ("no", "the preview was not above it") if desk.picture(around) == carried else ("yes", got)


def maximise(desk):
    """A press near the lower right corner of carry drag lifts, and a drop near that of carry drop arrives."""
    thing = make(desk, "text")
    # Where windows are tiled, another one takes half the screen.
    if isinstance(desk.manager, Tiling): source(desk, make(desk, "one file"))
    grown(desk, window := source(desk, thing))
    start = at(desk, window, 0.85, 0.85)
    finger, middle = desk.lift(start), at(desk, window)
    desk.hands.carry(finger, start, middle)
    desk.manager.tile(desk)
    target, drop = opened(desk, lambda: open_target(desk))
    grown(desk, drop)
    end = at(desk, drop, 0.85, 0.85)
    desk.hands.carry(finger, middle, end)
    if not takes(desk, finger, end): return "no", "carry drop does not take it there"
    desk.hands.up(finger, end)
    return arrived(target, thing)


def grown(desk, window):
    width = desk.place_of(window)[2]
    desk.manager.grow(desk, window)
    until("the window has grown", lambda: desk.place_of(window)[2] > max(width, SIZE[0] - 100), 10)


def measure(built, manager, column):
    """One cell: the outcome, and what was seen."""
    desk = ManagedDesk(built, manager)
    try: return globals()[column.replace(" ", "_")](desk)
    finally: desk.close()


PICOM = ("picom", "--backend", "xrender", "--config", "/dev/null", "--shadow")
KWIN = {"home/.config/kwinrc": "[Desktops]\nNumber=2\n"}
I3 = dict(files={"i3.conf": "font pango:monospace 8\n"}, switch=("i3-msg", "workspace", "{}"),
          overlap=("i3-msg", "[all] floating enable"), tile=("i3-msg", "layout splith"),
          grow=("i3-msg", "layout tabbed"))
BSPWM = dict(files={"bspwmrc": "#!/bin/sh\nbspc monitor -d 1 2\n"}, switch=("bspc", "desktop", "-f", "^{}"),
             overlap=("sh", "-c", "for w in $(bspc query -N -n .window); do bspc node $w -t floating; done"),
             tile=("bspc", "desktop", "-l", "tiled"), grow=("bspc", "desktop", "-l", "monocle"))
DWM = dict(switch=(), overlap=(F, ALT), tile=(T, ALT), grow=(M, ALT))
ROWS = {
    "Xfwm4": Manager("xfwm4", "--compositor=off"),
    "Xfwm4 + compositor": Manager("xfwm4", "--compositor=on", composes=True),
    "KWin": Manager("kwin_x11", "--no-kactivities", files=KWIN, KWIN_COMPOSE="N"),
    "KWin + compositor": Manager("kwin_x11", "--no-kactivities", files=KWIN, composes=True, KWIN_COMPOSE="O2"),
    "Marco": Manager("marco", "--no-composite"),
    "Marco + compositor": Manager("marco", "--composite", composes=True),
    "IceWM": Manager("icewm"),
    "IceWM + picom": Manager("icewm", compositor=PICOM),
    "i3": Tiling("i3", "-c", "FOLDER/i3.conf", **I3),
    "i3 + picom": Tiling("i3", "-c", "FOLDER/i3.conf", compositor=PICOM, **I3),
    "bspwm": Tiling("bspwm", "-c", "FOLDER/bspwmrc", **BSPWM),
    "bspwm + picom": Tiling("bspwm", "-c", "FOLDER/bspwmrc", compositor=PICOM, **BSPWM),
    "dwm": Dwm("dwm", **DWM),
    "dwm + picom": Dwm("dwm", compositor=PICOM, **DWM),
}
