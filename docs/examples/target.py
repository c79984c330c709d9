#!/usr/bin/env python3
"""A window to drop on. Prints one line for each item: the text itself, or the type and size of anything else.

    target.py [--geometry WxH+X+Y] [--once]
"""
import argparse
import sys
import tkinter

import carry.tk

parser = argparse.ArgumentParser()
parser.add_argument("--geometry", default="300x300+400+50")
parser.add_argument("--once", action="store_true")
options = parser.parse_args()

root = tkinter.Tk()
root.title("target")
root.geometry(options.geometry)
root["background"] = "#34C759"


@carry.tk.widget(root).on_drop()
def dropped(drop):
    running = list(drop.items)
    for item in drop.items:
        kind = item.best("text/plain") or item.types[0]

        def arrived(data, error, item=item, kind=kind):
            if error:
                print("target:", error, file=sys.stderr)
            elif kind.startswith("text/"):
                print("received text:", data.decode(errors="replace"), flush=True)
            else:
                print("received", kind, len(data), "bytes", flush=True)
            running.remove(item)
            if options.once and not running:
                root.destroy()

        item.read(kind).then(arrived)


root.mainloop()
