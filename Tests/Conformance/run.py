#!/usr/bin/env python3
"""Drags things onto existing applications and out of them, and writes what came of it: docs/conformance.md.

    run.py BUILT [--table targets,sources,lifts,pages,managers] [--only NAME,...] [--column NAME,...] [--write FILE]

BUILT is the folder with carryd and carry. Each cell of a table has an X server of its own (desk.py), with a touchscreen, a
mouse and keys that hands.py moves. applications.py and programs.py know the applications, things.py what is carried;
targets.py, sources.py, lifts.py, pages.py and managers.py are the tables, and table.py writes them. What is not measured this time stays on the page."""
import argparse, datetime, platform, signal, subprocess, sys, textwrap, time
import applications, lifts, managers, pages, programs, sources, table, targets

APPLICATIONS = {**applications.APPLICATIONS, **programs.APPLICATIONS}
TABLES = {"targets": targets, "sources": sources, "lifts": lifts, "pages": pages, "managers": managers}


def cell(kind, built, application, column):
    """The outcome and what was seen. A cell that could not be measured is tried once more."""
    for _ in range(2):
        try: return kind.measure(built, application, column)
        except (TimeoutError, OSError, subprocess.SubprocessError) as problem: failed = f"{type(problem).__name__}: {problem}"
        print(f"  {column}: {failed}", flush=True)
    return "?", failed


def measure(name, options):
    kind, cells = TABLES[name], {}
    # The rows are applications, as a rule.
    rows = getattr(kind, "ROWS", None) or {a: how for a, how in APPLICATIONS.items() if kind.concerns(how)}
    for application, how in rows.items():
        if not chosen(options.only, application): continue
        cells[application] = {}
        for column in kind.COLUMNS:
            if not chosen(options.column, column): continue
            began = time.monotonic()
            outcome, seen = cell(kind, options.built, how, column) if how.is_there() else ("not installed", "")
            cells[application][column] = outcome
            print(f"{name}: {application}: {column}: {outcome}, {time.monotonic() - began:.0f} s ({' '.join(seen.split())[:150]})", flush=True)
            if options.write: save(name, kind, cells, options.write)
    return cells


def chosen(wanted, name): return not wanted or name in wanted.split(",")


def save(name, kind, cells, path):
    with open(path) as f: page = f.read()
    with open(path, "w") as f: f.write(table.write(page, name, kind.COLUMNS, cells))


# Debian's, by what the tables call the application.
PACKAGES = {"GTK 3": "libgtk-3-0", "GTK 4": "libgtk-4-1", "Qt 6": "libqt6core6", "Java": "openjdk-17-jre-headless", "Chromium": "chromium",
            "Firefox ESR": "firefox-esr", "LibreOffice": "libreoffice-core", "Thunar": "thunar", "PCManFM": "pcmanfm",
            "PCManFM-Qt": "pcmanfm-qt", "Nautilus": "nautilus", "Dolphin": "dolphin", "Nemo": "nemo", "Caja": "caja",
            "Kate": "kate", "Emacs": "emacs-gtk", "Alacritty": "alacritty", "Konsole": "konsole", "GIMP": "gimp",
            "Inkscape": "inkscape", "Thunderbird": "thunderbird", "VLC": "vlc-bin", "KeePassXC": "keepassxc",
            "Xfwm4": "xfwm4", "KWin": "kwin-x11", "Marco": "marco", "IceWM": "icewm", "i3": "i3-wm", "bspwm": "bspwm",
            "dwm": "dwm"}


def versions():
    """When and with what it was measured, as a sentence."""
    found = []
    for application, package in PACKAGES.items():
        asked = subprocess.run(["dpkg-query", "-W", "-f", "${source:Upstream-Version}", package], capture_output=True, text=True)
        if asked.returncode == 0 and asked.stdout: found.append(f"{application} {asked.stdout.split('+')[0]}")
    system = platform.freedesktop_os_release().get("PRETTY_NAME", "Linux")
    return f"Measured last on {datetime.date.today()}, on {system}: {', '.join(found)}."


def main():
    # So that the desks are cleared when somebody ends it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("built")
    parser.add_argument("--table", default=",".join(TABLES))
    parser.add_argument("--only", default="", metavar="APPLICATION,...")
    parser.add_argument("--column", default="", metavar="COLUMN,...")
    parser.add_argument("--write", metavar="FILE")
    options = parser.parse_args()
    for name in options.table.split(","): measure(name, options)
    # The page names one date, which is that of whole tables.
    if options.write and not options.only and not options.column:
        with open(options.write) as f: page = f.read()
        with open(options.write, "w") as f: f.write(table.put(page, "measured", textwrap.fill(versions(), 130, break_on_hyphens=False)))


main()
