"""Things are dragged out of an application with the mouse, and dropped on the window of `carry drop`, or on a region in a
window of GTK's."""
import os, subprocess
from applications import BUILT
from desk import Desk, PEERS, ROOT, until
from hands import ESC
from things import make

GTK_WINDOW = "in a GTK window"
COLUMNS = ["text", "one file", "three files", "picture", "cancel", GTK_WINDOW]
# Of the application's window, of the window of carry drop, and where the mouse lets go: there, or on the region in the right half
# of a window at the same place.
PLACE, TARGET, RELEASE, ON_REGION = (0, 150, 700, 500), "300x300+850+250", (1000, 400), (1075, 400)


def concerns(application): return application.gives is not None


def open_target(desk, *options):
    _, target = desk.start(f"{desk.built}/carry", "drop", "--with-engine", "--json", "--geometry", TARGET, *options)
    window = until("the window of carry drop", lambda: [w for w, title in desk.windows().items() if "carry drop" in title])[0]
    until("it takes drags", lambda: "window id" in desk.ask("xprop", "-id", window, "XdndProxy"))
    return target


def open_region(desk):
    """A window of GTK's that takes drops itself, with a region of Carry's in it."""
    program = f"{BUILT.name}/region-gtk"
    if not os.path.exists(program):
        os.symlink(os.path.abspath(f"{desk.built}/libcarryabi.so"), f"{BUILT.name}/libcarry.so.0")
        subprocess.run(["sh", "-c", f"gcc {PEERS}/region-gtk.c -I{ROOT}/Sources/Library/CCarry/include -I{ROOT}/Sources/Library/CCarry/glib "
                        f"$(pkg-config --cflags --libs gtk+-3.0) {BUILT.name}/libcarry.so.0 -o {program}"], check=True)
    x, y = TARGET.split("+")[1:]
    _, lines = desk.start(program, x, y, LD_LIBRARY_PATH=BUILT.name)
    lines.wait("the window is there", "ready", seconds=60)
    return lines


def pull(desk, at, release=RELEASE):
    """Drags from a place over the window of carry drop. Returns whether something came there that it takes."""
    desk.hands.point(at)
    desk.hands.button(True)
    # Slowly first, as hands do: the toolkit has to see that this is no click.
    out = (at[0] + 40, at[1] + 10)
    desk.hands.pull(at, out)
    desk.hands.pull(out, release)
    takes = set()

    def look():
        # No hand is quite still, and some toolkits say nothing while the mouse rests.
        desk.hands.point((release[0] + len(takes) % 5, release[1]))
        takes.add(len(takes))
        return any(e.get("operation") == "copy" for e in desk.monitor.news())
    try: return until("the window takes it", look, 8)
    except TimeoutError: return False


def drop(desk, target, thing, at):
    came = pull(desk, at)
    desk.hands.button(False)
    if not came: return "no", "no drag came"
    return arrived(target, thing)


def drop_on_region(desk, lines, thing, at):
    came = pull(desk, at, ON_REGION)
    desk.hands.button(False)
    if not came: return "no", "no drag came"
    said = lambda: " ".join(l.rstrip("\n") for l in lines.all()[1:])
    # Of a file, what is in it.
    inside = thing.words or open(thing.files[0]).read().strip()
    try: until("it came", lambda: any(l.startswith("got") and inside in l for l in lines.all()), 20)
    except TimeoutError: return "no", said()
    return ("no" if "toolkit" in said() else "yes"), said()


def arrived(target, thing):
    def got():
        return " ".join(f"{e['event']} {e.get('type')} {e.get('name', '')} {e.get('text', e.get('message', ''))}"
                        for e in target.events() if e["event"] in ("received", "failed"))
    # Writer gives texts as UTF-16 first.
    try: until("it came", lambda: thing.came(got().replace("\0", "")), 20)
    except TimeoutError: return "no", got()
    return "yes", got()


def cancel(desk, target, thing, at):
    """Esc over the window: nothing may come, and the next drag must."""
    if not pull(desk, at): return "no", "no drag came"
    desk.hands.key(ESC)
    try: desk.monitor.event("ended", seconds=8)
    except TimeoutError: return "no", "Esc did not end it"
    desk.hands.button(False)
    before = len([e for e in target.events() if e["event"] == "received"])
    if before: return "no", "what was cancelled came"
    outcome, got = drop(desk, target, thing, at)
    if len([e for e in target.events() if e["event"] == "received"]) > 1: return "no", f"it came twice: {got}"
    return outcome, f"nothing came, and the next drop did: {got}"


def measure(built, application, column):
    """One cell: the outcome, and what was seen."""
    gives = application.gives
    is_first = column in ("cancel", GTK_WINDOW)
    if column not in gives and not (is_first and gives): return "–", ""
    desk = Desk(built, application.classes, PLACE, lift="none")
    try:
        thing = make(desk, gives[0] if is_first else column)
        at = application.give(desk, thing)
        desk.settled()
        # Of a text, browsers and Writer offer richer forms first.
        text = ["--accept", "text/plain"] * bool(thing.words)
        target = open_region(desk) if column == GTK_WINDOW else open_target(desk, *text)
        # The other window has the keys now, which shows in this one.
        desk.settled()
        if column == GTK_WINDOW: return drop_on_region(desk, target, thing, at)
        return (cancel if column == "cancel" else drop)(desk, target, thing, at)
    finally:
        desk.close()
