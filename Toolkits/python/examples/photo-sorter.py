#!/usr/bin/python3
"""Sorts the pictures of a folder into albums, which are its folders. Drag pictures onto an album, or hold them over it
until it opens; drag them out to other programs, and pictures of other programs in.

    photo-sorter.py [FOLDER]
"""
import sys

import carry.gtk as Carry
from gi.repository import Gdk, GdkPixbuf, Gio, GLib, GObject, Gtk, Pango

SIZE = 160
STYLE = b"""
.album { padding: 8px 6px; border-radius: 6px; }
.album:drop(active) { box-shadow: inset 0 0 0 2px @theme_selected_bg_color; }
.pictures { padding: 12px; }
.pictures:drop(active) { box-shadow: inset 0 0 0 3px @theme_selected_bg_color; }
.pictures > child { border-radius: 12px; padding: 8px; }
.picture { border-radius: 8px; }
"""


def children(folder, is_wanted):
    """The wanted files of a folder, which is watched, by their names."""
    files = Gtk.DirectoryList.new("standard::*", folder)
    wanted = Gtk.FilterListModel(model=files, filter=Gtk.CustomFilter.new(is_wanted))
    order = Gtk.CustomSorter.new(lambda a, b, _: GLib.strcmp0(a.get_display_name(), b.get_display_name()))
    return Gtk.SortListModel(model=wanted, sorter=order)


class Album(GObject.Object):
    def __init__(self, folder, name):
        super().__init__()
        self.folder, self.name = folder, name
        self.pictures = children(folder, lambda info: (info.get_content_type() or "").startswith("image/"))


class Sorter(Gtk.ApplicationWindow):
    def __init__(self, app, folder):
        super().__init__(application=app, title=folder.get_basename(), default_width=840, default_height=560)
        self.folder = folder
        self.lifted = {}  # what drags out of this window carry: the drag and the file, by the file's name
        add = Gtk.Button(icon_name="folder-new-symbolic", tooltip_text="New album")
        add.connect("clicked", lambda _: self.add_album())
        header = Gtk.HeaderBar()
        header.pack_start(add)
        self.set_titlebar(header)

        self.sidebar = Gtk.ListBox(css_classes=["navigation-sidebar"], width_request=200)
        self.sidebar.append(self.row(Album(folder, "Unsorted")))
        self.albums = children(folder, lambda info: info.get_file_type() == Gio.FileType.DIRECTORY)
        self.albums.connect("items-changed", self.albums_changed)
        self.sidebar.connect("row-selected", lambda _, row: row and self.show_album(row.album))

        factory = Gtk.SignalListItemFactory()
        factory.connect("setup", self.setup)
        factory.connect("bind", self.bind)
        self.grid = Gtk.GridView(factory=factory, max_columns=12, css_classes=["view", "pictures"])
        self.accept_into(self.grid, lambda: self.album)

        box = Gtk.Box()
        box.append(Gtk.ScrolledWindow(child=self.sidebar, hscrollbar_policy=Gtk.PolicyType.NEVER))
        box.append(Gtk.Separator())
        box.append(Gtk.ScrolledWindow(child=self.grid, hexpand=True))
        self.set_child(box)
        self.sidebar.select_row(self.sidebar.get_row_at_index(0))
        self.grid.grab_focus()

    # ------------------------------------------------------------------------------------------------- Albums ---

    def row(self, album):
        row = Gtk.ListBoxRow(css_classes=["album"])
        row.album = album
        count = Gtk.Label(css_classes=["dim-label", "numeric"])
        album.pictures.bind_property("n-items", count, "label", GObject.BindingFlags.SYNC_CREATE)
        row.set_child(Gtk.Box(spacing=10))
        for child in (
            Gtk.Image(icon_name="folder-pictures-symbolic" if album.folder == self.folder else "folder-symbolic"),
            Gtk.Label(label=album.name, xalign=0, hexpand=True, ellipsize=Pango.EllipsizeMode.END), count,
        ):
            row.get_child().append(child)
        self.accept_into(row, lambda: album)
        spring = Carry.SpringController.new()
        spring.connect("activated", lambda *_: self.sidebar.select_row(row))
        row.add_controller(spring)
        return row

    def albums_changed(self, albums, position, removed, added):
        for _ in range(removed):
            self.sidebar.remove(self.sidebar.get_row_at_index(position + 1))
        for i in range(position, position + added):
            name = albums.get_item(i).get_name()
            self.sidebar.insert(self.row(Album(self.folder.get_child(name), name)), i + 1)

    def add_album(self):
        names = (f"Album {number}" for number in range(1, 1000))
        next(f for name in names if not (f := self.folder.get_child(name)).query_exists()).make_directory()

    def show_album(self, album):
        self.album = album
        self.selection = Gtk.MultiSelection.new(album.pictures)
        self.grid.set_model(self.selection)

    # ----------------------------------------------------------------------------------------------- Pictures ---

    def setup(self, _, item):
        picture = Gtk.Picture(css_classes=["picture"], overflow=Gtk.Overflow.HIDDEN, can_shrink=False)
        picture.set_properties(halign=Gtk.Align.CENTER, valign=Gtk.Align.END, vexpand=True)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6, width_request=SIZE)
        box.append(picture)
        box.append(Gtk.Label(ellipsize=Pango.EllipsizeMode.MIDDLE, max_width_chars=18, css_classes=["caption"]))
        item.set_child(box)
        source = Carry.DragSource.new()
        source.connect("prepare", lambda s, drag, x, y: self.lift(drag, self.pressed(item)))
        source.connect("prepare-more", lambda s, drag, x, y: self.lift(drag, [item.get_item()]))
        source.connect("drag-end", lambda s, drag, operation: operation < Carry.Operation.COPY and self.ended(drag))
        source.connect("transferred", lambda s, drag: self.ended(drag))
        picture.add_controller(source)

    def bind(self, _, item):
        picture, label = item.get_child()
        file = self.album.folder.get_child(item.get_item().get_name())
        label.set_label(file.get_basename())
        try:
            image = GdkPixbuf.Pixbuf.new_from_file_at_scale(file.get_path(), SIZE, SIZE * 3 // 4, True)
            picture.set_paintable(Gdk.Texture.new_for_pixbuf(image))
        except GLib.Error:
            picture.set_paintable(None)

    def pressed(self, item):
        """The pictures that a press means: all selected ones if it is one of them, the pressed one last."""
        chosen = self.selection.get_selection() if item.get_selected() else Gtk.Bitset.new_empty()
        others = [chosen.get_nth(i) for i in range(min(127, chosen.get_size())) if chosen.get_nth(i) != item.get_position()]
        return [self.selection.get_item(i) for i in others] + [item.get_item()]

    def lift(self, drag, infos):
        for name in (info.get_name() for info in infos):
            if name not in self.lifted:
                self.lifted[name] = drag, self.album.folder.get_child(name)
                drag.add_file(self.lifted[name][1])

    def ended(self, ended):
        self.lifted = {name: (drag, file) for name, (drag, file) in self.lifted.items() if drag != ended}

    # -------------------------------------------------------------------------------------------------- Drops ---

    def accept_into(self, widget, album):
        target = Carry.DropTarget()
        target.connect("accept", lambda t, drop: any(
            kind.startswith("image/") for kind in drop.get_formats()))
        for signal in ("enter", "motion"):
            target.connect(signal, lambda t, drop, x, y: self.operation(drop, album()))
        target.connect("drop", lambda t, drop, x, y: self.drop(drop, album()))
        widget.add_controller(target)

    def own(self, drop):
        """The files of a drag out of this window; nothing of any other."""
        names = [drop.get_name(i) for i in range(drop.get_n_items())]
        is_own = drop.allows_move() and all(name in self.lifted for name in names)
        return [self.lifted[name][1] for name in names] if is_own else []

    def operation(self, drop, album):
        files = self.own(drop)
        if not files:
            return Carry.Operation.COPY
        is_there = all(file.get_parent().equal(album.folder) for file in files)
        return Carry.Operation.CANCEL if is_there else Carry.Operation.MOVE

    def drop(self, drop, album):
        for file in self.own(drop):
            try:
                file.move(album.folder.get_child(file.get_basename()), Gio.FileCopyFlags.NONE, None, None)
            except GLib.Error as error:
                self.report(error)
        if not self.own(drop):
            for i in range(drop.get_n_items()):
                drop.save_async(i, album.folder, None, self.saved)

    def saved(self, drop, result):
        try:
            drop.save_finish(result)
        except GLib.Error as error:
            self.report(error)

    def report(self, error):
        Gtk.MessageDialog(transient_for=self, modal=True, buttons=Gtk.ButtonsType.CLOSE, text=error.message).show()


def activate(app):
    style = Gtk.CssProvider()
    style.load_from_data(STYLE)
    Gtk.StyleContext.add_provider_for_display(Gdk.Display.get_default(), style, 600)
    folder = sys.argv[1] if len(sys.argv) > 1 else GLib.get_user_special_dir(GLib.UserDirectory.DIRECTORY_PICTURES)
    Sorter(app, Gio.File.new_for_path(folder or GLib.get_home_dir())).present()


app = Gtk.Application(application_id="org.example.PhotoSorter", flags=Gio.ApplicationFlags.NON_UNIQUE)
app.connect("activate", activate)
app.run()
