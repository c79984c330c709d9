#!/usr/bin/python3
"""Two labels: the text of one can be dragged onto the other."""
import gi

gi.require_version("Gtk", "4.0")
gi.require_version("CarryGtk4", "0")
from gi.repository import CarryGtk4 as Carry, Gtk


def activate(app):
    box = Gtk.Box(homogeneous=True)
    source, target = Gtk.Label(label="Drag me"), Gtk.Label(label="Drop here")
    drag = Carry.DragSource.new()
    drag.connect("prepare", lambda s, drag, x, y: drag.add_text(source.get_label()))
    source.add_controller(drag)
    drop = Carry.DropTarget.new(str)
    drop.connect("value", lambda t, value, x, y: target.set_label(value))
    target.add_controller(drop)
    box.append(source)
    box.append(target)
    Gtk.ApplicationWindow(application=app, child=box, default_width=700, default_height=400).present()


app = Gtk.Application(application_id="org.example.hello")
app.connect("activate", activate)
app.run()
