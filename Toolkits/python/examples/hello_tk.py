#!/usr/bin/env python3
"""Two labels: the text of one can be dragged onto the other."""
import tkinter

import carry.tk

root = tkinter.Tk()
root.geometry("700x400+0+0")
source = tkinter.Label(root, text="Drag me")
target = tkinter.Label(root, text="Drop here")
source.place(relwidth=0.5, relheight=1)
target.place(relx=0.5, relwidth=0.5, relheight=1)
root.update()

carry.tk.widget(source, "Drag me").on_drag(lambda: [source["text"]])


def arrived(text, error):
    target["text"] = error or text
    print("dropped:", target["text"], flush=True)


@carry.tk.widget(target, "Drop here").on_drop("text/plain")
def dropped(drop):
    for item in drop.items:
        item.text().then(arrived)


root.mainloop()
