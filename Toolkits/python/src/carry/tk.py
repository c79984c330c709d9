"""Regions of Tk's widgets: `carry.tk.widget(label).on_drag(...)`."""
from __future__ import annotations

import tkinter
from typing import Any

import carry


def attach(root: tkinter.Misc) -> None:
    """Serves Carry from Tk's main loop, unless an asyncio loop serves it. `widget` does it."""
    client = carry.client()
    if client._schedule:
        return

    def watch(is_watching: bool) -> None:
        if is_watching:
            root.tk.createfilehandler(client.fileno(), tkinter.READABLE, lambda *_: client.dispatch())
        else:
            root.tk.deletefilehandler(client.fileno())

    client.serve(lambda: root.after_idle(client.flush), watch)
    root.after_idle(client.dispatch)


def widget(widget: tkinter.Misc, label: str = "") -> carry.Region:
    """A region that covers a widget, and follows it. It ends with the widget."""
    attach(widget)
    # Each widget of Tk has an X window; the engine must know it by the time that the region is made.
    widget.update_idletasks()
    region = carry.Region(widget.winfo_id(), 0, 0, widget.winfo_width(), widget.winfo_height(), label=label)
    widget.bind("<Configure>", lambda event: region.move(0, 0, event.width, event.height), add="+")

    def destroyed(event: "tkinter.Event[Any]") -> None:
        if event.widget is widget:
            region.destroy()

    widget.bind("<Destroy>", destroyed, add="+")
    return region
