"""A finger lifts out of applications that know nothing of Carry, and drops on the window of `carry drop`."""
from desk import Desk, until
from hands import ESC
from sources import PLACE, RELEASE, arrived, open_target
from things import make

# The last four: a press on a button, on the window's title, and beside the files with all of them selected, and a lift of all
# that is cancelled. Nothing may have changed after them.
COLUMNS = ["one file", "three files", "picture", "button", "title", "beside", "cancel"]


def concerns(application): return application.lifts


def carry(desk, application, thing, at):
    target = open_target(desk)
    finger = desk.lift(at)
    desk.hands.carry(finger, at, RELEASE)
    desk.monitor.event("entered")
    desk.hands.up(finger, RELEASE)
    return arrived(target, thing)


def cancel(desk, application, thing, at):
    # It says so a moment after the files have been selected.
    desk.settled()
    before = application.selection(desk)
    finger = desk.lift(at)
    desk.hands.carry(finger, at, RELEASE)
    desk.hands.key(ESC)
    desk.monitor.event("ended")
    desk.hands.up(finger, RELEASE)
    desk.settled()
    return same(before, application.selection(desk))


def beside(desk, application, thing, at):
    # It says so a moment after the files have been selected.
    desk.settled()
    before = application.selection(desk)
    tried = rest(desk, application.spot("beside"))
    return same(before, application.selection(desk), tried)


def same(before, after, tried=""):
    return ("yes" if before == after else "no"), tried or "what the window says of the selection"


def rest(desk, at, away=None):
    """A long press, until Carry has tried whether something lifts there. It may end elsewhere."""
    desk.engine.skip()
    desk.hands.down(9, at)
    try: tried = desk.engine.wait("the trial", "lift out of window", "no lift is tried", seconds=5)
    except TimeoutError: tried = "nothing is tried there"
    if away: desk.hands.carry(9, at, away)
    desk.hands.up(9, away or at)
    desk.settled()
    return tried.replace("carryd: debug: ", "")


def button(desk, application, thing, at):
    """The finger leaves the button before it goes up: only the trial can click. A tap there must click."""
    before, spot = desk.titles(), application.spot("button")
    tried = rest(desk, spot, away=application.spot("beside"))
    if desk.titles() != before: return "no", f"{tried}; it was clicked: {desk.titles()}"
    desk.hands.down(10, spot)
    desk.hands.up(10, spot)
    until("a tap clicks", lambda: desk.titles() != before, 5)
    return "yes", f"{tried}; a tap clicks"


def title(desk, application, thing, at):
    before = desk.place_of(application.window)
    tried = rest(desk, application.spot("title"))
    after = desk.place_of(application.window)
    return ("yes" if after == before else "no"), f"{tried}: {before}, {after}"


def measure(built, application, column):
    """One cell: the outcome, and what was seen."""
    carries = column in ("one file", "three files", "picture")
    desk = Desk(built, application.classes, PLACE, is_framed=True)
    try:
        thing = make(desk, column if carries else "three files")
        at = application.give(desk, thing)
        desk.settled()
        return (carry if carries else globals()[column])(desk, application, thing, at)
    finally:
        desk.close()
