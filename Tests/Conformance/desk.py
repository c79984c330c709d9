"""A desk for one application: an X server with a touchscreen, a mouse and keys, a window manager, the engine, and a folder."""
import itertools, json, os, re, shutil, signal, subprocess, tempfile, time
from hands import Hands

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PEERS = f"{ROOT}/Tests/Support/Peers"
SIZE = (1280, 800)

BUS = b"""<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>"""


def until(what, condition, seconds=30):
    """Waits for a condition, and returns what it says."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value: return value
        time.sleep(0.05)
    raise TimeoutError(what)


class Lines:
    """What a program prints, line by line; `wait` goes on where the last one has ended."""

    def __init__(self, path): self.path, self.seen = path, 0

    def all(self):
        with open(self.path, errors="replace") as f: return [l for l in f.read().splitlines(True) if l.endswith("\n")]

    def skip(self): self.seen = len(self.all())

    def wait(self, what, *words, seconds=20):
        """The next line with one of some words."""
        def look():
            lines = self.all()
            while self.seen < len(lines):
                self.seen += 1
                if any(w in lines[self.seen - 1] for w in words): return lines[self.seen - 1].rstrip("\n")
        return until(what, look, seconds)

    def event(self, *names, seconds=20):
        """The next of some events of a program that prints JSON."""
        return json.loads(self.wait(" or ".join(names), *(f'"event": "{n}"' for n in names), seconds=seconds))

    def news(self):
        """The events since `wait` or `news` has ended."""
        new = [json.loads(l) for l in self.all()[self.seen:] if l.startswith("{")]
        self.skip()
        return new

    def events(self):
        return [json.loads(l) for l in self.all() if l.startswith("{")]


class Desk:
    """
    classes: of the application's windows, which the window manager puts at place (x, y, width, height).
    lift: the applications that are lifted out of; None leaves the engine's own list."""

    def __init__(self, built, classes, place, is_framed=False, lift=None):
        self.built, self.children, self.hands = built, [], None
        # File systems that are taken away when all programs have ended.
        self.mounts = []
        self.place, self.names, self.fingers = place, itertools.count(1), itertools.count(1)
        self.folder = tempfile.mkdtemp(prefix="carry-peers-")
        try:
            self.serve()
            self.manage(classes, place, is_framed)
            self.run_engine(lift)
        except BaseException:
            self.close()
            raise

    def serve(self):
        with open(f"{ROOT}/Tests/Support/xorg.conf") as f: configuration = f.read().replace("@FOLDER@", self.folder)
        self.write("xorg.conf", configuration.encode())
        read, write = os.pipe()
        # A seat other than seat0 keeps it off the consoles.
        self.server = subprocess.Popen(
            ["Xorg", "-displayfd", str(write), "-config", f"{self.folder}/xorg.conf", "-layout", "touchscreen", "-seat",
             "carrytest", "-noreset", "-nolisten", "tcp", "-logfile", f"{self.folder}/xorg.log"],
            pass_fds=[write], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        # It writes the digits and the end of the line one after the other.
        with open(read) as lines: number = lines.readline().strip()
        if not number: raise TimeoutError("Xorg with the inputtest driver did not start")
        os.makedirs(f"{self.folder}/home")
        self.environment = {
            **os.environ, "DISPLAY": f":{number}", "HOME": f"{self.folder}/home", "XDG_RUNTIME_DIR": self.folder,
            "CARRY_SOCKET": f"{self.folder}/socket", "GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb", "NO_AT_BRIDGE": "1",
            "GTK_A11Y": "none", "GSETTINGS_BACKEND": "memory", "GSK_RENDERER": "cairo", "LANG": "C.UTF-8", "SHOW_LINES": "1"}
        for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "WAYLAND_DISPLAY"): self.environment.pop(name, None)
        self.hands = Hands(self.folder, SIZE)
        # A message bus that starts nothing by itself: portals would mount a file system in the folder, and outlive the desk.
        self.write("bus.conf", BUS)
        _, bus = self.start("dbus-daemon", f"--config-file={self.folder}/bus.conf", "--nofork", "--print-address")
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.wait("the message bus", "unix:")

    def manage(self, classes, place, is_framed):
        x, y, width, height = place
        rules = "".join(
            f"<application class='{c}' type='normal'><decor>{'yes' if is_framed else 'no'}</decor><position force='yes'>"
            f"<x>{x}</x><y>{y}</y></position><size><width>{width}</width><height>{height}</height></size>"
            "<maximized>no</maximized></application>"
            for c in classes)
        # As a click does, so that what the mouse drags is in front and has the keys.
        self.write("rc.xml", f"""<openbox_config xmlns='http://openbox.org/3.4/rc'>
          <mouse><context name='Client'><mousebind button='Left' action='Press'><action name='Focus'/><action name='Raise'/>
          </mousebind></context><context name='Titlebar'><mousebind button='Left' action='Drag'><action name='Move'/>
          </mousebind></context></mouse>
          <theme><keepBorder>no</keepBorder></theme><applications>{rules}</applications></openbox_config>""".encode())
        self.start("openbox", "--config-file", f"{self.folder}/rc.xml")
        until("the window manager is there", lambda: "_NET_SUPPORTING_WM_CHECK" in self.ask("xprop", "-root"), 20)

    def run_engine(self, lift):
        self.write("carry.conf", b"" if lift is None else f"[lift]\napplications = {lift}\n".encode())
        _, self.engine = self.start(f"{self.built}/carryd", "--config", f"{self.folder}/carry.conf", "--verbose")
        self.engine.wait("the touch gate", "touch gate runs")
        _, self.monitor = self.start(f"{self.built}/carry", "monitor", "--verbose", "--json", "--with-engine")
        self.engine.wait("the monitor", "is carry monitor")

    # --- Programs and files.

    def write(self, name, data):
        with open(f"{self.folder}/{name}", "wb") as f: f.write(data)
        return f"{self.folder}/{name}"

    def start(self, *command, stdin=subprocess.DEVNULL, **more):
        """Starts a program; returns its process and what it prints."""
        path = f"{self.folder}/out-{next(self.names)}"
        with open(path, "w") as out:
            child = subprocess.Popen(command, env={**self.environment, **more}, stdin=stdin, stdout=out,
                                     stderr=subprocess.STDOUT, start_new_session=True)
        self.children.append(child)
        return child, Lines(path)

    def ask(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True).stdout

    # --- What is on the screen.

    def windows(self):
        """The windows that the window manager has, by number, each with its title."""
        ids = re.findall(r"0x[0-9a-f]+", self.ask("xprop", "-root", "_NET_CLIENT_LIST"))
        found = {}
        for window in ids:
            match = re.search(r'"(.*)"', self.ask("xprop", "-id", window, "_NET_WM_NAME", "WM_NAME"))
            found[window] = match.group(1) if match else ""
        return found

    def place_of(self, window):
        """x, y, width and height of a window, without its frame."""
        said = self.ask("xwininfo", "-id", window)
        return tuple(int(re.search(rf"{w}:\s*(-?\d+)", said)[1])
                     for w in ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height"))

    def titles(self): return list(self.windows().values())

    def picture(self, place=None):
        """The pixels of a part of the screen, three bytes each."""
        x, y, width, height = place or self.place
        return subprocess.run(
            ["import", "-silent", "-window", "root", "-crop", f"{width}x{height}+{x}+{y}", "+repage", "-depth", "8", "rgb:-"],
            env=self.environment, capture_output=True, check=True).stdout

    def settled(self, place=None):
        """Waits until a part of the screen has something on it and rests, but for a blinking caret; returns its pixels."""
        seen = []

        def rests():
            seen.append(self.picture(place))
            caret, still = seen[-12:], seen[-4:]
            rests = len(still) == 4 and len(set(still)) == 1 or len(caret) == 12 and len(set(caret)) == 2
            return rests and len(set(seen[-1])) > 1 and seen[-1]
        return until("the window rests", rests, 60)

    def lift(self, at, away=None):
        """Presses there until something lifts; returns the finger. Windows are guarded a moment after they are there.

        A finger of which nothing lifts goes up elsewhere, where it would click."""
        for finger in itertools.islice(self.fingers, 4):
            self.hands.down(finger, at)
            try:
                self.monitor.event("lifted", seconds=4)
                return finger
            except TimeoutError:
                if away: self.hands.carry(finger, at, away)
                self.hands.up(finger, away or at)
        raise TimeoutError("nothing was lifted")

    def changes(self, act, place=None):
        """Does something, and waits until it shows in the window."""
        before = self.picture(place)
        act()
        until("the window changes", lambda: self.picture(place) != before, 10)

    def close(self):
        for child in self.children:
            try: os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError: pass
            child.wait()
        for mount in self.mounts: subprocess.run(["umount", "--lazy", mount], capture_output=True)
        if self.hands: self.hands.close()
        if hasattr(self, "server"):
            # It takes its socket along.
            self.server.terminate()
            self.server.wait()
        if "CARRY_KEEP" in os.environ: print("kept:", self.folder)
        else: shutil.rmtree(self.folder, ignore_errors=True)
