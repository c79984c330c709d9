"""Existing applications: how each is started as a target and as a source of drags, and how it shows what it got."""
import base64, os, re, shutil, subprocess, tempfile, zlib
from desk import HERE, PEERS, until
from hands import A, CONTROL, DOWN, RETURN, S

# The small programs are compiled once.
BUILT = tempfile.TemporaryDirectory(prefix="carry-peers-built-")


class Application:
    """
    classes: the WM_CLASS of windows that do not know their place themselves.
    gives: what can be dragged out of it with a mouse; None where that is not measured. lifts: whether touches lift
    out of it by default.
    bars: the height in pixels of what it draws anew by itself, at the top of its window. tries: how often it is asked, where
    it refuses whole drags in some runs, whoever drags. pages: the options with which the accessibility tree has its pages; None
    for what shows none. ending: of the names of files that it opens."""
    takes_text, classes, gives, lifts, question, bars, tries = True, [], [], False, "no question", 0, 1
    pages, ending = None, ".txt"

    def __init__(self, program): self.program = program
    def is_there(self): return shutil.which(self.program)
    def take(self, desk):
        """Opens it as a target of drags."""
    def got(self, desk):
        """What came into it, in words."""
        return ""
    def give(self, desk, thing):
        """Opens it as a source of a thing; returns the place to press, in pixels of the screen."""
        raise NotImplementedError


class FileManager(Application):
    """What is dropped lies in the folder that its window shows.

    spots: places in its window: the first file, a button that shows another folder, a bar without a button, and the view
    beside the files. asks: which line of a menu that asks what to do with a drop is "Copy here"; 0 for none. says: from
    where on, in its lowest line, it says how much is selected."""
    takes_text, gives, lifts = False, ["one file", "three files", "picture"], True

    def __init__(self, program, name, *options, asks=0, says=0, **spots):
        self.program, self.classes, self.options = program, [name], options
        self.asks, self.says, self.spots = asks, says, spots

    def show(self, desk, files=()):
        self.folder = f"{desk.folder}/shown"
        os.makedirs(self.folder)
        for file in files: shutil.copy(file, self.folder)
        desk.start(self.program, *self.options, self.folder)
        self.window = until(f"{self.program} shows the folder",
                            lambda: [w for w, title in desk.windows().items() if "shown" in title], 60)[0]
        desk.settled()
        self.corner = desk.place_of(self.window)

    def spot(self, name): return tuple(a + b for a, b in zip(self.corner, self.spots[name]))

    def selection(self, desk):
        """The pixels in which the window says how much is selected."""
        x, y, width, height = self.corner
        return desk.picture((x + self.says, y + height - 28, width // 2, 26))

    def take(self, desk): self.show(desk)

    def got(self, desk):
        if self.asks and not os.listdir(self.folder): desk.hands.keys(*[DOWN] * self.asks, RETURN)
        return ", ".join(name + self.inside(name) for name in sorted(os.listdir(self.folder)))

    def inside(self, name):
        """Of a text what is in it: some make files of texts, with names of their own."""
        if not name.endswith(".txt"): return ""
        with open(f"{self.folder}/{name}", errors="replace") as f: return f" ({f.read(100).strip()})"

    def give(self, desk, thing):
        self.show(desk, thing.files)
        at = self.spot("first")
        if len(thing.files) > 1:
            # The window manager holds the click back for a moment, and keys would come before it.
            desk.changes(lambda: desk.hands.click(at))
            desk.hands.key(A, CONTROL)
        return at


class Browser(Application):
    """A page says in its title what was dropped on it."""
    gives = ["text", "picture"]

    def __init__(self, program, classes, *options, pages=("",)):
        self.program, self.classes, self.options, self.pages = program, classes, options, pages

    def show(self, desk, page, *more):
        os.makedirs(f"{desk.folder}/profile")
        # Firefox without its welcome.
        desk.write("profile/user.js", b'user_pref("datareporting.policy.firstRunURL", "");\n'
                   b'user_pref("browser.aboutwelcome.enabled", false);\n')
        options = [*filter(None, more), *self.options]
        desk.start(self.program, *(o.replace("PROFILE", f"{desk.folder}/profile").replace("PAGE", page) for o in options))
        until(f"{self.program} shows the page", lambda: any(t.startswith("ready") for t in desk.titles()), 60)

    def take(self, desk): self.show(desk, f"file://{HERE}/page.html")
    def got(self, desk): return next((t for t in desk.titles() if t.startswith("got")), "")

    def give(self, desk, thing):
        with open(f"{HERE}/source.html") as f: page = f.read()
        what = f"<img id=thing src='file://{thing.files[0]}'>" if thing.files else f"<p id=thing>{thing.words}</p>"
        self.show(desk, "file://" + desk.write("source.html", page.replace("THING", what).encode()))
        desk.settled()
        # The page is at the bottom of the window, however high the browser's own things are.
        x, y, width, height = desk.place
        return x + width // 2, y + height - 100


class Writer(Application):
    """Saves its document, which shows what came into it. What it opens by itself has a window with its name."""
    classes, gives = ["libreoffice-writer", "libreoffice", "Soffice", "soffice"], ["text", "picture"]
    question, bars, tries = "Insert Section", 145, 4
    # Its option, its document, what is in it at first, and the element with that.
    option, letter, empty, element = "--writer", "letter.fodt", "<text:p/>", "office:text"

    def show(self, desk, body):
        with open(f"{HERE}/{self.letter}") as f: letter = f.read()
        self.document = desk.write(self.letter, letter.replace("BODY", body).encode())
        os.makedirs(f"{desk.folder}/profile/user")
        with open(f"{HERE}/registrymodifications.xcu") as f: settings = f.read()
        place = ",".join(str(n) for n in desk.place)
        desk.write("profile/user/registrymodifications.xcu", settings.replace("PLACE", place).encode())
        desk.start(self.program, "--norestore", "--nologo", f"-env:UserInstallation=file://{desk.folder}/profile",
                   self.option, self.document)
        until(f"{self.option[2:]} shows the document", lambda: any("letter" in t for t in desk.titles()), 90)

    def take(self, desk): self.show(desk, self.empty)

    def give(self, desk, thing):
        # What is selected shows where it is: the picture as well as the text.
        inner = thing.words
        if thing.files:
            with open(thing.files[0], "rb") as f: data = base64.b64encode(f.read()).decode()
            inner = (f'<draw:frame text:anchor-type="as-char" svg:width="6cm" svg:height="4cm"><draw:image><office:binary-data>'
                     f"{data}</office:binary-data></draw:image></draw:frame>")
        self.show(desk, f"<text:p>{inner}</text:p>")
        desk.settled()
        if thing.files: return desk.place[0] + 190, desk.place[1] + 270
        x, y, width, height = desk.place
        desk.hands.click((x + 300, y + 400))
        desk.hands.key(A, CONTROL)
        return x + 130, y + 235

    def got(self, desk):
        others = [t for t in desk.titles() if t and "letter" not in t and "carry" not in t]
        # It needs the keys: the other window has them.
        desk.hands.click((desk.place[0] + 300, desk.place[1] + 430))
        desk.hands.key(S, CONTROL)
        with open(self.document, errors="replace") as f: saved = f.read()
        body = "".join(re.findall(f"(?s)<{self.element}.*</{self.element}>", saved))
        return " ".join(others + re.sub(r"<office:binary-data>.*?</office:binary-data>", "picture", body, flags=re.S).split())


class Peer(Application):
    """A small program of our own, as a toolkit makes them. It prints what it got."""
    gives = ["text", "one file", "three files", "picture"]

    def __init__(self, build, run="PROGRAM"):
        """The commands: PROGRAM is what is built, PEER the name of its source."""
        self.build, self.run = build, run

    def is_there(self): return shutil.which(self.build.split()[0])

    def show(self, desk, peer, *arguments):
        build = self.build.replace("PEER", peer)
        program = f"{BUILT.name}/{zlib.crc32(build.encode())}"
        if not os.path.exists(program):
            subprocess.run(["sh", "-c", build.replace("PROGRAM", program)], check=True)
        x, y = desk.place[0] + 50, desk.place[1] + 100
        _, self.lines = desk.start(*self.run.replace("PROGRAM", program).split(), str(x), str(y), *arguments)
        self.lines.wait("the program is ready", "ready", seconds=60)

    def take(self, desk): self.show(desk, "xdnd")
    def got(self, desk): return " ".join(l[4:].rstrip("\n") for l in self.lines.all() if l.startswith("got "))

    def give(self, desk, thing):
        kind = ["text", thing.words] if thing.words else [self.kind(thing), *thing.files]
        self.show(desk, "xdnd-source", *kind)
        return desk.place[0] + 200, desk.place[1] + 250

    def kind(self, thing): return "files"


class Flatpak(Peer):
    """The program of another toolkit in a sandbox of Flatpak's, with a runtime that has just the libraries it needs. Files come by
    the document portal; it sees none of the desk's own, so it gives texts only."""
    gives, ID, RUNTIME = ["text"], "org.carry.Peer", "org.carry.Platform"

    def is_there(self): return shutil.which("flatpak") and os.path.exists("/usr/libexec/xdg-document-portal") and super().is_there()

    def show(self, desk, peer, *arguments):
        settings = {"FLATPAK_USER_DIR": f"{BUILT.name}/flatpak-{peer}", "XDG_DATA_HOME": f"{desk.folder}/home/share"}
        if not os.path.exists(settings["FLATPAK_USER_DIR"]): self.install(peer, settings)
        # The desk's bus starts nothing by itself.
        desk.mounts.append(f"{desk.folder}/doc")
        for service, name in (("xdg-permission-store", "org.freedesktop.impl.portal.PermissionStore"),
                              ("xdg-document-portal", "org.freedesktop.portal.Documents")):
            desk.start(f"/usr/libexec/{service}")
            until(service, lambda: "true" in desk.ask(
                "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner",
                f"string:{name}"))
        x, y = desk.place[0] + 50, desk.place[1] + 100
        _, self.lines = desk.start("flatpak", "--user", "run", "--env=SHOW_LINES=1", self.ID, str(x), str(y), *arguments, **settings)
        self.lines.wait("the program is ready", "ready", seconds=60)

    def got(self, desk):
        """Of files those that it can open: the portal's. An address of the desk's is none."""
        return re.sub(r"\bfile \d+ (?!\S*/doc/)\S+", "an address that it cannot open", super().got(desk))

    def install(self, peer, settings):
        """Makes the runtime and the application, and installs both for nobody but this run."""
        made = tempfile.mkdtemp(dir=BUILT.name)
        runtime, programs = f"{made}/runtime/usr", f"{made}/app/files/bin"
        for folder in (f"{runtime}/lib", f"{runtime}/share", f"{runtime}/etc", f"{made}/runtime/files", programs, f"{made}/app/export"):
            os.makedirs(folder)
        program = f"{programs}/peer"
        subprocess.run(["sh", "-c", self.build.replace("PEER", peer).replace("PROGRAM", program)], check=True)
        for path in re.findall(r"/\S+", subprocess.run(["ldd", program], capture_output=True, text=True).stdout):
            if os.path.exists(path): shutil.copy(path, f"{runtime}/lib")
        os.symlink("lib", f"{runtime}/lib64")
        for source, to in (("/usr/share/fonts", "share/fonts"), ("/usr/share/mime", "share/mime"), ("/etc/fonts", "etc/fonts")):
            shutil.copytree(source, f"{runtime}/{to}", ignore_dangling_symlinks=True)
        platform = f"{self.RUNTIME}/{os.uname().machine}/1"
        with open(f"{made}/runtime/metadata", "w") as f:
            f.write(f"[Runtime]\nname={self.RUNTIME}\nruntime={platform}\nsdk={platform}\n")
        with open(f"{made}/app/metadata", "w") as f:
            f.write(f"[Application]\nname={self.ID}\nruntime={platform}\nsdk={platform}\ncommand=peer\n"
                    "[Context]\nsockets=x11;\nshared=ipc;\n")
        run = lambda *command: subprocess.run(command, check=True, env={**os.environ, **settings}, stdout=subprocess.DEVNULL)
        os.makedirs(settings["FLATPAK_USER_DIR"])
        run("flatpak", "build-export", "-r", "--disable-fsync", f"{made}/repo", f"{made}/runtime", "1")
        run("flatpak", "build-export", "--disable-fsync", f"{made}/repo", f"{made}/app", "1")
        run("flatpak", "--user", "remote-add", "--no-gpg-verify", "local", f"{made}/repo")
        run("flatpak", "--user", "install", "-y", "--noninteractive", "local", f"{self.RUNTIME}//1", f"{self.ID}//1")


class Swing(Peer):
    """Its picture is one of pixels, and no file."""

    def kind(self, thing): return "picture" if thing.files[0].endswith(".png") else "files"


class Terminal(Application):
    """It knows nothing of drags."""
    classes, takes_text = ["XTerm"], True

    def take(self, desk):
        desk.start(self.program, "-cm", "-e", "cat")
        until("the terminal is there", desk.windows)


APPLICATIONS = {
    "GTK 3": Peer(f"gcc {PEERS}/PEER-gtk.c $(pkg-config --cflags --libs gtk+-3.0) -o PROGRAM"),
    "GTK 4 in Flatpak": Flatpak(f"gcc {PEERS}/PEER-gtk.c $(pkg-config --cflags --libs gtk4 x11) -o PROGRAM"),
    "GTK 4": Peer(f"gcc {PEERS}/PEER-gtk.c $(pkg-config --cflags --libs gtk4 x11) -o PROGRAM"),
    "Qt 6": Peer(f"g++ -std=c++17 -fPIC {PEERS}/PEER-qt.cpp $(pkg-config --cflags --libs Qt6Widgets) -o PROGRAM"),
    "Java Swing": Swing(f"javac -d PROGRAM {HERE}/Swing.java", "java -cp PROGRAM Swing"),
    "Chromium": Browser("chromium", ["Chromium", "chromium"], "--no-sandbox", "--user-data-dir=PROFILE", "--no-first-run",
                        "--disable-gpu", "--app=PAGE", pages=["--force-renderer-accessibility"]),
    "Firefox ESR": Browser("firefox-esr", ["firefox-esr", "firefox"], "--no-remote", "--profile", "PROFILE", "PAGE"),
    "LibreOffice Writer": Writer("soffice"),
    "Thunar": FileManager("thunar", "Thunar", first=(212, 135), button=(134, 46), title=(300, -8), beside=(500, 400)),
    "PCManFM": FileManager("pcmanfm", "Pcmanfm", "--new-win", first=(207, 100), button=(175, 46), title=(300, -8),
                           beside=(500, 400)),
    "PCManFM-Qt": FileManager("pcmanfm-qt", "pcmanfm-qt", asks=1, first=(200, 158), button=(357, 40), title=(300, -8),
                              beside=(500, 400)),
    # It draws its own title.
    "Nautilus": FileManager("nautilus", "org.gnome.Nautilus", says=350, first=(365, 123), button=(168, 28), title=(459, 28),
                            beside=(600, 400)),
    "xterm": Terminal("xterm"),
}
