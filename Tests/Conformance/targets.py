"""Things are carried from `carry drag` by a finger, and dropped on an application."""
import itertools, os, subprocess
from desk import Desk, until
from hands import ESC, TOUCH_UPDATE
from things import SLOW, contents, make, one_file, text

COLUMNS = ["text", "one file", "three files", "picture", "8 MiB", "cancel", "slow promise"]
# Of the application's window, of the window of carry drag, and where the finger presses and lets go.
PLACE, SOURCE, PRESS, RELEASE = (800, 150, 420, 500), "300x300+50+250", (200, 400), (1000, 400)


def concerns(application): return True


def offer(desk, thing):
    """Opens a window with the thing; returns its process, and the pipe into which the data of a slow promise goes."""
    read, write = os.pipe()
    desk.engine.skip()
    source, _ = desk.start(f"{desk.built}/carry", "drag", "--with-engine", "--json", "--geometry", SOURCE, *thing.arguments,
                           stdin=read)
    os.close(read)
    desk.engine.wait("carry drag", "is carry drag")
    return source, write


def hold(desk):
    """Carries what is offered over the application. Returns the finger, and what the application says of the thing: "yes",
    "refused" or "no target"."""
    finger = desk.lift(PRESS)
    desk.hands.carry(finger, PRESS, RELEASE)
    try: said = [desk.monitor.event("entered", seconds=5)]
    except TimeoutError: return finger, "no target"
    return finger, "yes" if takes(desk, finger, RELEASE, said) else "refused"


def takes(desk, finger, place, said=()):
    """Whether what is there takes what the finger carries. said: the last that the monitor has said."""
    steps, said = itertools.count(), list(said)

    def look():
        # No finger is quite still.
        desk.hands.touch(finger, TOUCH_UPDATE, (place[0] + next(steps) % 5, place[1]))
        said.extend(desk.monitor.news())
        return any(e.get("operation") == "copy" for e in said[-3:])
    try: return until("it takes it", look, 5)
    except TimeoutError: return False


def drop(desk, application, thing, seconds):
    _, pipe = offer(desk, thing)
    finger, said = hold(desk)
    desk.hands.up(finger, RELEASE)
    with open(pipe, "wb") as end:
        if thing.slow: subprocess.Popen(["sh", "-c", f"sleep {SLOW}; {thing.slow}"], stdout=end)
    ended = desk.monitor.event("ended", seconds=60)
    if ended["operation"] == "cancel": seconds = 2

    def came():
        got = application.got(desk)
        return (thing.came(got) or application.question in got) and got
    try: got = until("it came", came, seconds)
    except TimeoutError: return (said if said != "yes" else "no"), f"{application.got(desk)} {ended.get('operation')}"
    # What it asks about can have the name in its title.
    return "asks" if application.question in got else "yes", got


def cancel(desk, application):
    """Esc while it hovers. The application must look as before, get nothing, and take the next thing."""
    first, second = (text("a cancelled text"), text()) if application.takes_text else (
        one_file(desk, f"cancelled{application.ending}", contents(application.ending)),
        make(desk, "one file", ending=application.ending))
    source, pipe = offer(desk, first)
    os.close(pipe)
    x, y, width, height = desk.place
    inside = (x, y + application.bars, width, height - application.bars)
    # Now that another window has the keys.
    before = desk.settled(inside)
    finger, said = hold(desk)
    desk.hands.key(ESC)
    ended = desk.monitor.event("ended")
    desk.hands.up(finger, RELEASE)
    if said != "yes": return said, ""
    if ended["operation"] != "cancel": return "no", "the drag did not end as a cancelled one"
    try: until("the highlight is gone", lambda: desk.picture(inside) == before, 10)
    except TimeoutError: return "no", "the window does not look as before"
    source.terminate()
    source.wait()
    outcome, got = drop(desk, application, second, 20)
    if "cancelled" in got: return "no", f"what was cancelled came: {got}"
    return outcome, f"nothing came, and the next drop did: {got}"


def measure(built, application, column):
    """One cell: the outcome, and what was seen."""
    for _ in range(application.tries):
        outcome, seen = once(built, application, column)
        if outcome != "refused": break
    return outcome, seen


def once(built, application, column):
    desk = Desk(built, application.classes, PLACE)
    try:
        application.take(desk)
        desk.settled()
        if column == "cancel": return cancel(desk, application)
        thing = make(desk, column, application.takes_text, application.ending)
        return drop(desk, application, thing, 20)
    finally:
        desk.close()
