#!/usr/bin/env python3
"""Drops things on existing applications, each on an X server of its own, and writes what came of it: docs/conformance.md.

    run.py BUILT [--only NAME,...] [--write FILE]

BUILT is the folder with carryd and carry. An application that is not installed is left out, and the page says so."""
import argparse, os, re, shutil, signal, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PEERS = f"{ROOT}/Tests/Support/Peers"
TRACE = f"{ROOT}/Tests/Fixtures/traces/press-drag-drop.events"
# Where the recorded finger lets go.
PLACE = "<position force='yes'><x>800</x><y>150</y></position><size><width>420</width><height>500</height></size>"


def until(what, condition, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value: return value
        time.sleep(0.05)
    raise TimeoutError(what)


class Desk:
    """An X server with a window manager, a folder, and the engine that plays one drag."""

    def __init__(self, built, classes):
        self.built, self.children = built, []
        self.folder = tempfile.mkdtemp(prefix="carry-peers-")
        read, write = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp",
                                        "-noreset"],
                                       pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        # It writes the digits and the end of the line one after the other.
        with open(read) as lines: self.display = ":" + lines.readline().strip()
        os.makedirs(f"{self.folder}/home")
        self.environment = {**os.environ, "DISPLAY": self.display, "HOME": f"{self.folder}/home", "GDK_BACKEND": "x11",
                            "CARRY_SOCKET": f"{self.folder}/socket", "NO_AT_BRIDGE": "1", "XDG_RUNTIME_DIR": self.folder,
                            "QT_QPA_PLATFORM": "xcb"}
        for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"): self.environment.pop(name, None)
        rules = "".join(f"<application class='{c}' type='normal'><decor>no</decor>{PLACE}</application>" for c in classes)
        with open(f"{self.folder}/rc.xml", "w") as f:
            f.write(f"<openbox_config xmlns='http://openbox.org/3.4/rc'><applications>{rules}</applications></openbox_config>")
        until("the X server answers", lambda: self.ask("xwininfo", "-root"), 20)
        self.start("openbox", "--config-file", f"{self.folder}/rc.xml")

    def start(self, *command, **more):
        child = subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 stdout=more.pop("stdout", subprocess.DEVNULL), start_new_session=True, **more)
        self.children.append(child)
        return child

    def ask(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True).stdout

    def titles(self):
        """The titles of all windows that the window manager has."""
        ids = re.findall(r"0x[0-9a-f]+", self.ask("xprop", "-root", "_NET_CLIENT_LIST"))
        found = []
        for window in ids:
            match = re.search(r'"(.*)"', self.ask("xprop", "-id", window, "_NET_WM_NAME"))
            found.append(match.group(1) if match else "")
        return found

    def drag(self, arguments):
        """Plays the finger over what is there; returns the source's last word."""
        engine = self.start(f"{self.built}/carryd", "--replay", TRACE)
        until("the engine listens", lambda: os.path.exists(f"{self.folder}/socket"))
        with open(f"{self.folder}/source.json", "w") as out:
            source = self.start(f"{self.built}/carry", "drag", "--with-engine", "--json", "--geometry", "300x300+50+250",
                                *arguments, stdout=out)
            engine.wait(60)
            source.wait(30)
        with open(f"{self.folder}/source.json") as f: return re.findall(r'"event": "([a-z-]+)"', f.read())

    def close(self):
        for child in self.children:
            try: os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError: pass
            child.wait()
        # It takes its socket along.
        self.server.terminate()
        self.server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


# --- What is dropped: name, arguments of carry drag, and what must arrive: (kind, text or bytes).

def things(folder):
    def write(name, data):
        with open(f"{folder}/{name}", "wb") as f: f.write(data)
        return f"{folder}/{name}"
    note = write("note.txt", b"on the lake\n")
    files = [write(f"part {i}.txt", b"x" * i) for i in (1, 2, 3)]
    picture = f"{ROOT}/docs/images/dock.png"
    large = write("large.bin", b"a" * (8 << 20))
    return {
        "text": (["--text", "hello from a finger"], "hello from a finger"),
        "one file": ([note], "note.txt"),
        "three files": (["--together", *files], "part"),
        "a picture": ([picture], "dock.png"),
        "8 MiB": ([large], "large.bin"),
    }


# --- Applications: how each is started, and how it shows what it got.

class FileManager:
    """What is dropped lies in the folder that its window shows."""
    takes_text = False

    def __init__(self, program, classes, *options):
        self.program, self.classes, self.options = program, classes, options

    def is_there(self): return shutil.which(self.program)

    def open(self, desk):
        self.target = f"{desk.folder}/target"
        os.makedirs(self.target)
        bus = ["dbus-run-session", "--"] if shutil.which("dbus-run-session") else []
        desk.start(*bus, self.program, *self.options, self.target)
        until(f"{self.program} shows the folder", lambda: any("target" in t for t in desk.titles()), 60)
        time.sleep(1)  # It has no sign for having filled its window.

    def got(self, desk): return ", ".join(sorted(os.listdir(self.target)))


class Browser:
    """A page says in its title what was dropped on it."""
    takes_text = True

    def __init__(self, program, classes, *options):
        self.program, self.classes, self.options = program, classes, options

    def is_there(self): return shutil.which(self.program)

    def open(self, desk):
        options = [o.replace("PROFILE", f"{desk.folder}/profile").replace("PAGE", f"file://{HERE}/page.html")
                   for o in self.options]
        os.makedirs(f"{desk.folder}/profile")
        desk.start(self.program, *options)
        until(f"{self.program} shows the page", lambda: any(t.startswith("ready") for t in desk.titles()), 60)
        time.sleep(1)

    def got(self, desk): return next((t for t in desk.titles() if t.startswith("got")), "")


class Peer:
    """One of the small programs that the tests use."""
    takes_text = True
    classes = []

    def __init__(self, name, command):
        self.name, self.command = name, command

    def is_there(self): return True

    def open(self, desk):
        program = f"{desk.folder}/peer"
        subprocess.run(["sh", "-c", f"{self.command} -o {program}"], check=True)
        self.out = open(f"{desk.folder}/peer.log", "w+")
        desk.start(program, "850", "250", stdout=self.out)
        until(f"{self.name} is ready", lambda: "ready" in self.text())

    def text(self):
        with open(self.out.name) as f: return f.read()

    def got(self, desk): return " ".join(re.findall(r"^got (.*)$", self.text(), re.M))


APPLICATIONS = {
    "GTK 3": Peer("GTK 3", f"gcc {PEERS}/xdnd-gtk.c $(pkg-config --cflags --libs gtk+-3.0)"),
    "GTK 4": Peer("GTK 4", f"gcc {PEERS}/xdnd-gtk.c $(pkg-config --cflags --libs gtk4 x11)"),
    "Qt 6": Peer("Qt 6", f"g++ -std=c++17 -fPIC {PEERS}/xdnd-qt.cpp $(pkg-config --cflags --libs Qt6Widgets)"),
    "Thunar": FileManager("thunar", ["Thunar"]),
    "PCManFM": FileManager("pcmanfm", ["Pcmanfm"], "--new-win"),
    "Chromium": Browser("chromium", ["Chromium", "chromium"], "--no-sandbox", "--user-data-dir=PROFILE", "--no-first-run",
                        "--disable-gpu", "--app=PAGE"),
    "Firefox ESR": Browser("firefox-esr", ["firefox-esr", "firefox"], "--no-remote", "--profile", "PROFILE", "PAGE"),
}


def try_one(built, application, name, what):
    desk = Desk(built, application.classes)
    try:
        until("the window manager is there", lambda: "_NET_SUPPORTING_WM_CHECK" in desk.ask("xprop", "-root"), 20)
        arguments, expected = things(desk.folder)[what]
        application.open(desk)
        words = desk.drag(arguments)
        try: got = until("something came", lambda: application.got(desk), 10)
        except TimeoutError: got = ""
        if expected in got: return "yes", got
        return ("refused" if "cancelled" in words else "no"), got or "/".join(words[-2:])
    except (TimeoutError, subprocess.TimeoutExpired) as problem:
        return "?", str(problem)
    finally:
        desk.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("built")
    parser.add_argument("--only", default="")
    parser.add_argument("--write")
    options = parser.parse_args()
    columns = ["text", "one file", "three files", "a picture", "8 MiB"]
    lines = ["| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for name, application in APPLICATIONS.items():
        if options.only and name not in options.only.split(","): continue
        if not application.is_there():
            lines.append(f"| {name} | " + " | ".join(["not installed"] * len(columns)) + " |")
            continue
        cells = []
        for what in columns:
            outcome, got = try_one(options.built, application, name, what)
            if outcome == "?": outcome, got = try_one(options.built, application, name, what)
            print(f"{name}: {what}: {outcome} ({got[:120]})", flush=True)
            cells.append(outcome)
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    table = "\n".join(lines) + "\n"
    print(table)
    if options.write:
        with open(options.write) as f: page = f.read()
        page = re.sub(r"(?s)(<!-- table -->\n).*(<!-- end -->)", lambda m: m[1] + table + m[2], page)
        with open(options.write, "w") as f: f.write(page)


sys.exit(main())
