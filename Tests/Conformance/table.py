"""The tables of docs/conformance.md: what was measured, and in a sentence each why something is otherwise."""
import re

# Whose behaviour it is where a cell is not yes, by table, application and column; a dash stands for all of them.
NO_TEXTS = "It takes no texts: its own behaviour."
SLOW = ("It waits about a second for data, and then goes without it: its own limit. From a GTK 3 program that answers after a "
        "second it gets nothing either.")
GTK4_ESC = ("GTK 4 does not react to Esc during a drag, whichever window is below: its own behaviour. Seen with GTK 4.8. A "
            "release beside the windows that accept drops drops nothing.")
WRITER_ASKS = "Writer asks into which section the file goes: its own behaviour."
DESELECTS = "A press beside the files selects nothing, as a click or a tap there does: the application's own behaviour."
SANDBOX_LIST = ("The three files are one item with a list of addresses. Addresses that a source gives do not become files of a sandbox: "
                "they could be those of anything. Carry's behaviour; files that are items come, as the others do.")
NO_TEXTS_DONE = "It accepts texts, and does nothing with them, also with those of a GTK 3 program: its own behaviour."
CALC_ASKS = "Calc asks how to read the file as a text: its own behaviour."
KDBX = "It takes only files whose names end with .kdbx: its own behaviour."
URGENT = "dwm only marks a window as urgent that another program asks to raise: its own behaviour."
LIT = ("A button on the finger's path lights up and stays lit while the finger is above the window, also after Esc. A "
       "mouse drag of a GTK 3 program lights none: a fault of Carry's.")
BSPWM = ("bspwm holds back the press of a mouse button until the window is active. Thunar selects the file then, but "
         "begins no drag; a mouse drags there. A finger lifts after `bspc config click_to_focus none`: a fault of "
         "Carry's.")
CLICKED = ("The press with which Carry tries to lift is released above the button, and Dolphin goes to that folder. A "
           "mouse that leaves the button before the release clicks nothing: a fault of Carry's.")
REASONS = {
    ("targets", "Dolphin", "text"): NO_TEXTS_DONE,
    ("targets", "Nemo", "cancel"): "A drag that crosses the side pane leaves a heading there, Bookmarks, also "
        "one of a GTK 3 program: its own behaviour.",
    ("targets", "Alacritty", "text"): NO_TEXTS,
    ("targets", "GIMP", "text"): NO_TEXTS_DONE,
    ("targets", "GIMP", "cancel"): LIT,
    ("targets", "Inkscape", "text"): NO_TEXTS,
    ("targets", "LibreOffice Calc", "-"): CALC_ASKS,
    ("targets", "KeePassXC", "three files"):
        "The three files are one item with a list of addresses, and Carry does not tell their names before the drop: a "
        "fault of Carry's. Three items (`carry drag --all`) come, and so do files of a GTK 3 program.",
    ("targets", "KeePassXC", "-"): KDBX,
    ("managers", "bspwm", "lift"): BSPWM,
    ("managers", "bspwm + picom", "lift"): BSPWM,
    ("managers", "dwm", "to the front"): URGENT,
    ("managers", "dwm + picom", "to the front"): URGENT,
    ("targets", "GTK 4 in Flatpak", "three files"): SANDBOX_LIST,
    ("targets", "Thunar", "text"): NO_TEXTS,
    ("targets", "PCManFM", "text"): NO_TEXTS,
    ("targets", "PCManFM-Qt", "text"): NO_TEXTS,
    ("targets", "Firefox ESR", "slow promise"): SLOW,
    ("targets", "Thunderbird", "slow promise"): "It waits about a second for data, as Firefox does: its own limit.",
    ("targets", "xterm", "-"): "xterm does not speak XDND.",
    ("targets", "LibreOffice Writer", "one file"): WRITER_ASKS,
    ("targets", "LibreOffice Writer", "three files"): WRITER_ASKS,
    ("targets", "LibreOffice Writer", "8 MiB"): WRITER_ASKS,
    ("sources", "GTK 4", "cancel"): GTK4_ESC,
    ("sources", "GTK 4 in Flatpak", "cancel"): GTK4_ESC,
    ("sources", "Nautilus", "cancel"): GTK4_ESC,
    ("sources", "LibreOffice Writer", "picture"):
        "Writer moves pictures within the document, but does not start a drag out of its window: its own behaviour.",
    ("lifts", "-", "beside"): DESELECTS,
    ("lifts", "Dolphin", "button"): CLICKED,
}


def read(page, name):
    """The cells of a table on the page: application, then column."""
    match = re.search(rf"(?s)<!-- {name} -->\n(.*?)<!-- end -->", page)
    rows = [[c.strip() for c in l.strip("|\n").split("|")] for l in match[1].splitlines() if l.startswith("|")]
    if len(rows) < 2: return {}
    return {row[0]: dict(zip(rows[0][1:], (re.sub(r" <sup>.*", "", c) for c in row[1:]))) for row in rows[2:]}


def reason(name, application, column, outcome):
    """Why a cell is not simply yes; None where nothing has to be said."""
    if outcome in ("yes", "–", "not installed", "not measured"): return None
    keys = ((name, application, column), (name, application, "-"), (name, "-", column))
    return next((REASONS[k] for k in keys if k in REASONS), "Not explained yet.")


def write(page, name, columns, cells):
    """Puts a table on the page; what was not measured this time stays as it was."""
    old = read(page, name)
    applications = list(old) + [a for a in cells if a not in old]
    notes = []
    lines = ["| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for application in applications:
        row = []
        for column in columns:
            outcome = cells.get(application, {}).get(column) or old.get(application, {}).get(column, "not measured")
            why = reason(name, application, column, outcome)
            if why and why not in notes: notes.append(why)
            row.append(f"{outcome} <sup>{notes.index(why) + 1}</sup>" if why else outcome)
        lines.append(f"| {application} | " + " | ".join(row) + " |")
    lines += [""] + [f"{i}. {why}" for i, why in enumerate(notes, 1)] + [""] * bool(notes)
    return put(page, name, "\n".join(lines))


def put(page, name, text):
    """Puts a text in its place on the page."""
    return re.sub(rf"(?s)(<!-- {name} -->\n).*?(<!-- end -->)", lambda m: m[1] + text + "\n" + m[2], page, count=1)
