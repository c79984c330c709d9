"""A finger lifts out of the pages of browsers, where an accessibility bus says what lies beneath it."""
from desk import Desk, HERE, until
from lifts import rest
from sources import PLACE, RELEASE, arrived, open_target
from things import make

# How far above the lower edge of the window each thing of lift.html is.
HEIGHTS = {"link": 290, "picture": 95, "selected text": 170, "button": 350, "text": 230, "slider": 25}
COLUMNS = list(HEIGHTS)
COMES = {"link": "https://example.org/lake", "picture": "received image/", "selected text": "Text on the hill"}


class Expected:
    def __init__(self, words): self.words = words
    def came(self, got): return self.words in got


def concerns(application): return bool(application.pages)


def listen(desk):
    """An accessibility bus, which programs that start from now on come to."""
    for name in ("NO_AT_BRIDGE", "GTK_A11Y"): desk.environment.pop(name)
    desk.environment.update(GNOME_ACCESSIBILITY="1", ACCESSIBILITY_ENABLED="1")
    desk.start("/usr/libexec/at-spi-bus-launcher", "--launch-immediately", "--a11y=1", "--screen-reader=1")
    until("the accessibility bus", lambda: "=" in desk.ask("xprop", "-root", "AT_SPI_BUS"), 20)


def carry(desk, column, at, nothing):
    """Firefox says at the first press nothing of its page, as a rule: that one is where nothing is. It would change a selection,
    though, since Firefox selects by long presses itself."""
    if column != "selected text": rest(desk, nothing)
    target = open_target(desk)
    finger = desk.lift(at, away=(at[0] + 250, at[1]))
    desk.hands.carry(finger, at, RELEASE)
    desk.monitor.event("entered")
    desk.hands.up(finger, RELEASE)
    return arrived(target, Expected(COMES[column]))


def spare(desk, at):
    """What a press alone would change is not tried. The finger goes up elsewhere, and clicks nothing."""
    tried = rest(desk, at, away=(at[0] + 250, at[1]))
    if "clicked" in " ".join(desk.titles()): return "no", f"it was clicked: {tried}"
    return ("yes" if "no lift is tried" in tried else "no"), tried


def measure(built, application, column):
    """One cell: the outcome, and what was seen."""
    desk = Desk(built, application.classes, PLACE, lift=", ".join(application.classes))
    try:
        listen(desk)
        with open(f"{HERE}/lift.html") as f: page = f.read()
        picture = make(desk, "picture").files[0]
        application.show(desk, "file://" + desk.write("lift.html", page.replace("PICTURE", f"file://{picture}").encode()),
                         *application.pages)
        desk.settled()
        x, y, width, height = desk.place
        at = (x + width // 2, y + height - HEIGHTS[column])
        nothing = (x + 15, y + height - HEIGHTS["slider"])
        return carry(desk, column, at, nothing) if column in COMES else spare(desk, at)
    finally:
        desk.close()
