#!/usr/bin/env python3
"""A window to drag from: press, hold, move. The item offers the text given as argument and, as a second choice, a
file: this source code.

    source.py [--geometry WxH+X+Y] [--once] [TEXT]
"""
import argparse
import tkinter

import carry.tk

parser = argparse.ArgumentParser()
parser.add_argument("--geometry", default="300x300+50+50")
parser.add_argument("--once", action="store_true")
parser.add_argument("text", nargs="?", default="Hello World")
options = parser.parse_args()

root = tkinter.Tk()
root.title("source")
root.geometry(options.geometry)
root["background"] = "#3478F6"


def items():
    # The best type first. The file is not read until a target requests it after the drop.
    text = {"text/plain;charset=utf-8": options.text}
    return [carry.Item(name="greeting.txt", data=text, file=__file__)]


def ended(drag):
    print("the drag ended:", drag.operation.name.lower(), flush=True)
    if options.once:
        root.destroy()


carry.tk.widget(root).on_drag(items, ended=ended)
root.mainloop()
