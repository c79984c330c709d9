"""More applications: editors, terminals, and programs for pictures, sheets, mail and media."""
import os, re, socket, struct
from applications import Application, FileManager, Writer
from desk import HERE, until
from hands import A, ALT, CONTROL, F9, L, LEFT, PAGE_DOWN, S


class Dolphin(FileManager):
    """Its places, which take drops too, are hidden where it is a target."""

    def take(self, desk):
        super().take(desk)
        desk.settled()
        desk.changes(lambda: desk.hands.key(F9))


class Titled(Application):
    """Its title says which file it shows: of several, one after the other."""
    takes_text, turn = False, (PAGE_DOWN, CONTROL)

    def __init__(self, program, name, ending=".txt"): self.program, self.classes, self.ending = program, [name], ending

    def take(self, desk):
        # KeePassXC runs once for each TMPDIR.
        desk.start(self.program, TMPDIR=desk.folder)
        until(f"{self.program} is there", desk.titles, 60)

    def got(self, desk):
        # It needs the keys: the other window has them.
        desk.hands.click((desk.place[0] + 200, desk.place[1] + 485))
        shown = set()
        for _ in range(4):
            shown.update(t for t in desk.titles() if "carry" not in t)
            desk.hands.key(*self.turn)
            desk.settled()
        return " ".join(sorted(shown))


class Kate(Titled):
    """Saves its text, too."""
    takes_text, gives, turn = True, ["text"], (LEFT, ALT)

    def show(self, desk, words):
        self.document = desk.write("letter", words)
        desk.start(self.program, "--startanon", self.document)
        until("Kate shows the text", lambda: any("letter" in t for t in desk.titles()), 60)

    def take(self, desk): self.show(desk, b"")

    def got(self, desk):
        shown = super().got(desk)
        desk.hands.key(L, CONTROL)
        with open(self.document) as f: return f"{shown} {f.read()}"

    def give(self, desk, thing):
        self.show(desk, thing.words.encode())
        desk.settled()
        desk.hands.key(A, CONTROL)
        return desk.place[0] + 110, desk.place[1] + 116


class Emacs(Application):
    """Writes the names of its buffers and the text of the first one into a file, again and again."""
    classes = ["Emacs"]

    def take(self, desk):
        self.said = f"{desk.folder}/said"
        desk.start(self.program, "-Q", "--load", f"{HERE}/emacs.el", SAID=self.said)
        until("Emacs is there", lambda: os.path.exists(self.said), 60)

    def got(self, desk):
        with open(self.said) as f: return f.read()


class Terminal(Application):
    """What is typed into it goes into a file."""
    gives = None

    def __init__(self, program, name, *options, takes_text=True):
        self.program, self.classes, self.options, self.takes_text = program, [name], options, takes_text

    def take(self, desk):
        self.typed = f"{desk.folder}/typed"
        desk.start(self.program, *self.options, "-e", "sh", "-c", f"stty raw -echo; cat > '{self.typed}'")
        until("the terminal is there", lambda: os.path.exists(self.typed), 60)

    def got(self, desk):
        with open(self.typed) as f: return f.read()


class Calc(Writer):
    classes, gives, question = ["libreoffice-calc", "libreoffice", "Soffice", "soffice"], [], "Text Import"
    option, letter, empty, element = "--calc", "letter.fods", "", "office:spreadsheet"


class GIMP(Application):
    """Says through a socket which layers its pictures have."""
    takes_text, classes, gives, ending = False, ["Gimp"], None, ".png"

    def take(self, desk):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        desk.start(self.program, "--no-splash", "--batch",
                   f'(plug-in-script-fu-server RUN-NONINTERACTIVE "127.0.0.1" {self.port} "")')
        until("GIMP is there", lambda: desk.titles() and self.ask("1"), 90)

    def ask(self, script):
        """What a script says."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as gimp:
                gimp.sendall(b"G" + struct.pack(">H", len(script)) + script.encode())
                answer = gimp.makefile("rb")
                _, _, length = struct.unpack(">cBH", answer.read(4))
                return answer.read(length).decode(errors="replace")
        except (OSError, struct.error): return ""

    def got(self, desk):
        return self.ask("(map (lambda (image) (map (lambda (layer) (car (gimp-item-get-name layer))) (vector->list "
                        "(cadr (gimp-image-get-layers image))))) (vector->list (cadr (gimp-image-list))))")


class Inkscape(Application):
    """Saves its drawing, in which pictures are links: it is told not to ask what to do with them."""
    takes_text, classes, gives, ending = False, ["Inkscape"], None, ".png"

    def take(self, desk):
        os.makedirs(f"{desk.folder}/home/.config/inkscape")
        desk.write("home/.config/inkscape/preferences.xml", b"<inkscape version='1'><group id='dialogs'>"
                   b"<group id='import' ask='0' link='link'/></group></inkscape>")
        self.drawing = desk.write("letter.svg", b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>')
        desk.start(self.program, self.drawing)
        until("Inkscape shows the drawing", lambda: any("letter" in t for t in desk.titles()), 90)

    def got(self, desk):
        # It needs the keys: the other window has them.
        desk.hands.click((desk.place[0] + 200, desk.place[1] + 390))
        desk.hands.key(S, CONTROL)
        with open(self.drawing) as f: return " ".join(re.findall(r'href="([^"]*)"', f.read()))


class VLC(Application):
    """Says through a socket what it plays."""
    takes_text, classes, ending = False, ["vlc"], ".wav"

    def take(self, desk):
        # It does not run as root.
        fake = ["unshare", "--user", "--map-user=1000"] if os.geteuid() == 0 else []
        self.path = f"{desk.folder}/vlc"
        desk.start(*fake, self.program, "--no-qt-privacy-ask", "--aout=dummy", "--extraintf=oldrc",
                   "--rc-fake-tty", "--rc-unix", self.path)
        until("VLC is there", lambda: os.path.exists(self.path) and desk.windows(), 60)

    def got(self, desk):
        with socket.socket(socket.AF_UNIX) as vlc:
            vlc.settimeout(5)
            vlc.connect(self.path)
            vlc.sendall(b"playlist\nlogout\n")
            said = b""
            while part := vlc.recv(4096): said += part
        return " ".join(re.findall(r"\|\s+-?\s*(.*)", said.decode(errors="replace")))


class Thunderbird(Application):
    """Saves the letter that is being written, with what is attached."""
    classes, gives = ["thunderbird-default"], ["text"]

    def show(self, desk, words):
        os.makedirs(f"{desk.folder}/profile/Mail/Local Folders")
        with open(f"{HERE}/thunderbird.js") as f: settings = f.read()
        desk.write("profile/prefs.js", settings.replace("PROFILE", f"{desk.folder}/profile").encode())
        desk.start(self.program, "--no-remote", "--profile", f"{desk.folder}/profile", "-compose",
                   f"subject='letter',body='{words}'")
        until("it shows the letter", lambda: any("letter" in t for t in desk.titles()), 90)

    def take(self, desk): self.show(desk, "")

    def give(self, desk, thing):
        self.show(desk, thing.words)
        desk.settled()
        desk.hands.click((desk.place[0] + 100, desk.place[1] + 320))
        # The keys come to it a moment later.
        desk.settled()
        desk.hands.key(A, CONTROL)
        return desk.place[0] + 60, desk.place[1] + 228

    def got(self, desk):
        desk.hands.click((desk.place[0] + 100, desk.place[1] + 320))
        desk.hands.key(S, CONTROL)
        path = f"{desk.folder}/profile/Mail/Local Folders/Drafts"
        if not os.path.exists(path): return ""
        with open(path, errors="replace") as f: return " ".join(f.read().split())


APPLICATIONS = {
    "Dolphin": Dolphin("dolphin", "dolphin", asks=2, says=262, first=(319, 128), button=(385, 18), title=(300, -8),
                       beside=(500, 400)),
    "Nemo": FileManager("nemo", "Nemo", says=150, first=(241, 160), button=(177, 47), title=(300, -8),
                        beside=(500, 400)),
    "Caja": FileManager("caja", "Caja", "--no-desktop", says=100, first=(237, 142), button=(306, 87), title=(300, -8),
                        beside=(500, 400)),
    "Kate": Kate("kate", "kate"),
    "Emacs": Emacs("emacs"),
    "Alacritty": Terminal("alacritty", "Alacritty", takes_text=False),
    "Konsole": Terminal("konsole", "konsole", "-p", "ShowTerminalSizeHint=false"),
    "GIMP": GIMP("gimp"),
    "Inkscape": Inkscape("inkscape"),
    "Thunderbird": Thunderbird("thunderbird"),
    "LibreOffice Calc": Calc("soffice"),
    "VLC": VLC("vlc"),
    "KeePassXC": Titled("keepassxc", "KeePassXC", ".kdbx"),
}
