"""The window of carry-inspect."""

from __future__ import annotations

import math
import os
import sys
import time
from typing import Any, Callable, Optional

import gi

for name, version in (("Gtk", "4.0"), ("Gdk", "4.0"), ("Gsk", "4.0"), ("Graphene", "1.0")):
    gi.require_version(name, version)
from gi.repository import Gdk, Gio, GLib, Graphene, Gsk, Gtk, Pango  # noqa: E402

from inspect_model import Contact, Drag, Model, Point, Rect, Region, Step, distance  # noqa: E402

# Hues that keep apart at the same lightness, so that they are quiet on light and on dark ground.
HUES = ["#4c78a8", "#d58a3a", "#5a9e6f", "#b5678f", "#7f73c2", "#4a9c9e", "#b9654f", "#938645"]
ACCENT, GOOD, BAD = "#3584e4", "#2f9e58", "#d0443e"
ROLES = {"drag": "↑", "drop": "↓", "spring": "◎"}
CSS = b"""
.facts { padding: 12px 16px; }
.facts .name, .heading { font-weight: bold; }
.heading { padding: 10px 12px 6px 12px; }
.quiet { opacity: 0.62; }
.mono { font-feature-settings: "tnum"; }
.drags row, .steps row { padding: 5px 12px; }
.answers { padding: 2px 12px 8px 12px; }
.drags row:selected, .steps row:selected { background: alpha(@theme_selected_bg_color, 0.22); color: inherit; }
.banner { padding: 6px 12px; background: alpha(@theme_selected_bg_color, 0.16); }
"""


def colour(text: str, alpha: float = 1) -> Any:
    rgba = Gdk.RGBA()
    rgba.parse(text)
    rgba.alpha = alpha
    return rgba


def faded(rgba: Any, alpha: float) -> Any:
    copy = rgba.copy()
    copy.alpha = alpha
    return copy


def point(x: float, y: float) -> Any:
    return Graphene.Point().init(x, y)


def common(a: Rect, b: Rect) -> Optional[Rect]:
    x, y = max(a[0], b[0]), max(a[1], b[1])
    width, height = min(a[0] + a[2], b[0] + b[2]) - x, min(a[1] + a[3], b[1] + b[3]) - y
    return (x, y, width, height) if width > 0 and height > 0 else None


class Picture(Gtk.Widget):
    """The desktop to scale. `when` is the moment that it shows; None is now."""

    __gtype_name__ = "CarryInspectPicture"

    def __init__(self, model: Model, chosen: Callable[[Optional[Region]], None]) -> None:
        super().__init__(hexpand=True, vexpand=True, width_request=360, height_request=240)
        self.set_overflow(Gtk.Overflow.HIDDEN)
        self.model, self.chosen = model, chosen
        self.when: Optional[float] = None
        self.drag: Optional[Drag] = None
        self.step: Optional[Step] = None
        self.region: Optional[tuple[int, int, str, int]] = None
        self.scale, self.origin = 1.0, (0.0, 0.0)
        click = Gtk.GestureClick()
        click.connect("pressed", lambda _, n, x, y: self.pick(x, y))
        self.add_controller(click)

    @property
    def regions(self) -> list[Region]:
        return self.model.regions if self.when is None else self.model.regions_at(self.when)

    def screen(self) -> Rect:
        """In the engine's pixels, which GTK scales."""
        boxes = []
        for monitor in self.get_display().get_monitors():
            g, factor = monitor.get_geometry(), monitor.get_scale_factor()
            boxes.append((g.x * factor, g.y * factor, (g.x + g.width) * factor, (g.y + g.height) * factor))
        right, bottom = max(b[2] for b in boxes), max(b[3] for b in boxes)
        return (0, 0, right, bottom)

    def pick(self, x: float, y: float) -> None:
        """Chooses the smallest region there: a region may lie in another one."""
        at = ((x - self.origin[0]) / self.scale, (y - self.origin[1]) / self.scale)
        found = [r for r in self.regions if r.has(at)]
        self.chosen(min(found, key=lambda r: r.area) if found else None)

    def to_picture(self, place: Rect) -> Any:
        x, y = self.origin
        return Graphene.Rect().init(
            round(x + place[0] * self.scale) + 0.0, round(y + place[1] * self.scale) + 0.0,
            max(3, round(place[2] * self.scale)), max(3, round(place[3] * self.scale)))

    def hue(self, program: str) -> str:
        return HUES[self.model.programs.index(program) % len(HUES)] if program in self.model.programs else HUES[0]

    def do_snapshot(self, snapshot: Any) -> None:
        (_, _, width, height), margin = self.screen(), 16
        w, h = self.get_width(), self.get_height()
        self.scale = max(0.01, min((w - 2 * margin) / width, (h - 2 * margin) / height))
        self.origin = (round((w - width * self.scale) / 2), round((h - height * self.scale) / 2))
        text = self.get_style_context().get_color()
        desk = self.to_picture((0, 0, width, height))
        self.box(snapshot, desk, faded(text, 0.035), faded(text, 0.22), 1, 3)
        snapshot.push_clip(desk)
        under_way = self.model.under_way(self.when)
        drags = [d for d in under_way if d is not self.drag] + ([self.drag] if self.drag else [])
        # What is covered lies below what covers it, and a region below those within it.
        for region in sorted((r for r in self.regions if r.place), key=lambda r: (r.reached, -r.area)):
            self.draw_region(snapshot, region, drags, text)
        now = self.model.clock() if self.when is None else self.when
        for contact in self.model.contacts_at(now):
            self.draw_contact(snapshot, contact, now, text)
        for drag in drags:
            self.draw_drag(snapshot, drag, text)
        snapshot.pop()

    def box(self, s: Any, bounds: Any, fill: Any, line: Any, width: float, radius: float) -> None:
        rounded = Gsk.RoundedRect()
        rounded.init_from_rect(bounds, radius)
        s.push_rounded_clip(rounded)
        s.append_color(fill, bounds)
        s.pop()
        s.append_border(rounded, [width] * 4, [line] * 4)

    def words(
        self, s: Any, text: str, x: float, y: float, ink: Any, width: float = -1, bold: bool = False,
        centred: bool = False, ground: Any = None,
    ) -> None:
        layout = self.create_pango_layout(text)
        font = self.get_pango_context().get_font_description().copy()
        font.set_absolute_size(11.5 * Pango.SCALE)
        font.set_weight(Pango.Weight.BOLD if bold else Pango.Weight.NORMAL)
        layout.set_font_description(font)
        if width >= 0:
            layout.set_ellipsize(Pango.EllipsizeMode.END)
            layout.set_width(int(width * Pango.SCALE))
        if centred:
            ink_box, _ = layout.get_pixel_extents()
            x, y = x - ink_box.x - ink_box.width / 2, y - ink_box.y - ink_box.height / 2
        if ground:
            size = layout.get_pixel_size()
            self.box(s, Graphene.Rect().init(x - 5, y - 2, size[0] + 10, size[1] + 4), ground, ground, 0, 4)
        s.save()
        s.translate(point(x, y) if centred else point(round(x), round(y)))
        s.append_layout(layout, ink)
        s.restore()

    def draw_region(self, s: Any, region: Region, drags: list[Drag], text: Any) -> None:
        hue, bounds = self.hue(region.program), self.to_picture(region.rect)
        part = self.partners(region, drags)
        is_chosen = region.key == self.region
        fill = 0.20 if "drop" in region.does else 0.08
        # Opaque, so that the words of what lies below do not show through.
        _, ground = self.get_style_context().lookup_color("theme_bg_color")
        self.box(s, bounds, ground, ground, 0, 3)
        self.box(s, bounds, colour(hue, fill), colour(hue), 3 if part else 1.5, 3)
        if region.reached < 100 and region.cover:
            hidden = common(region.rect, region.cover_place) if region.cover_place else region.rect
            if hidden:
                self.hatch(s, self.to_picture(hidden), faded(text, 0.28))
        if is_chosen:
            ring = Graphene.Rect().init(*self.edges(bounds)).inset(-3, -3)
            self.box(s, ring, colour(hue, 0), faded(text, 0.8), 1.5, 5)
        x, y, width, height = self.edges(bounds)
        if width > 40 and height > 20:
            self.words(s, region.name, x + 8, y + 5, text, width - 16, bold=True)
        roles = [f"{mark} {role}" for role, mark in ROLES.items() if role in region.does]
        if width > 60 and height > 42:
            self.words(s, "   ".join(roles), x + 8, y + 21, faded(text, 0.72), width - 16)
        elif width > 14 and height > 14 and not (width > 40 and height > 20):
            self.words(s, "".join(role[0] for role in roles)[: int(width // 13)], x + 3, y + 1, text)

    @staticmethod
    def edges(bounds: Any) -> Rect:
        return (bounds.get_x(), bounds.get_y(), bounds.get_width(), bounds.get_height())

    def partners(self, region: Region, drags: list[Drag]) -> bool:
        """Whether a drag that is shown comes from the region or is over it."""
        for drag in drags:
            steps = self.steps_shown(drag)
            last = next((s for s in steps if s.kind in ("dropped", "cancelled")), steps[-1] if steps else None)
            if self.model.is_source(region, drag) or (last and last.over and self.model.is_target(region, last)):
                return True
        return False

    def steps_shown(self, drag: Drag) -> list[Step]:
        if drag is self.drag and self.step in drag.steps:
            return drag.steps[: drag.steps.index(self.step) + 1]
        return [s for s in drag.steps if self.when is None or s.time <= self.when]

    @staticmethod
    def hatch(s: Any, bounds: Any, ink: Any) -> None:
        stops = []
        for offset, rgba in ((0, ink), (0.2, ink), (0.2, faded(ink, 0)), (1, faded(ink, 0))):
            stop = Gsk.ColorStop()
            stop.offset, stop.color = offset, rgba
            stops.append(stop)
        x, y = bounds.get_x(), bounds.get_y()
        s.append_repeating_linear_gradient(bounds, point(x, y), point(x + 5, y + 5), stops)

    @staticmethod
    def line(s: Any, a: Point, b: Point, ink: Any, width: float, dash: float = 0) -> None:
        dx, dy = b[0] - a[0], b[1] - a[1]
        length = (dx * dx + dy * dy) ** 0.5
        if length < 0.1:
            return
        s.save()
        s.translate(point(*a))
        s.rotate(math.degrees(math.atan2(dy, dx)))
        at = 0.0
        while at < length:
            end = min(length, at + dash) if dash else length
            s.append_color(ink, Graphene.Rect().init(at, -width / 2, end - at + (0 if dash else width / 3), width))
            at = end + dash
        s.restore()

    def disc(self, s: Any, at: Point, radius: float, fill: Any, line: Any) -> None:
        bounds = Graphene.Rect().init(at[0] - radius, at[1] - radius, 2 * radius, 2 * radius)
        self.box(s, bounds, fill, line, 2, radius)

    def draw_contact(self, s: Any, contact: Contact, now: float, text: Any) -> None:
        """Its trail, and a ring that closes as its gesture becomes the next one. A dragging finger has its drag's."""
        known = contact.upto(now)
        (x, y), scale = self.origin, self.scale
        trail = [(x + k.point[0] * scale, y + k.point[1] * scale) for k in known]
        carries = known[-1].gesture in ("dragging", "spring-loading")
        if not carries:
            for a, b in zip(trail, trail[1:]):
                self.line(s, a, b, faded(text, 0.45), 1.5)
        end, elapsed = trail[-1], contact.elapsed(now)
        if elapsed is not None:
            self.ring(s, end, 15, elapsed)
        if not carries:
            self.disc(s, end, 8, faded(text, 0.16), faded(text, 0.7))
        if known[-1].gesture != "dragging":
            _, ground = self.get_style_context().lookup_color("theme_base_color")
            self.words(s, contact.words(now), end[0] + 22, end[1] + 12, text, ground=faded(ground, 0.85))

    def ring(self, s: Any, at: Point, radius: float, part: float) -> None:
        bounds = Graphene.Rect().init(at[0] - radius, at[1] - radius, 2 * radius, 2 * radius)
        rounded = Gsk.RoundedRect()
        rounded.init_from_rect(bounds, radius)
        stops = []
        for offset, alpha in ((0, 1), (part, 1), (part, 0.25), (1, 0.25)):
            stop = Gsk.ColorStop()
            stop.offset, stop.color = offset, colour(ACCENT, alpha)
            stops.append(stop)
        s.push_rounded_clip(rounded)
        s.append_conic_gradient(bounds, point(*at), 0, stops)
        s.pop()
        _, ground = self.get_style_context().lookup_color("theme_base_color")
        self.disc(s, at, radius - 4, ground, ground)

    def draw_drag(self, s: Any, drag: Drag, text: Any) -> None:
        steps = self.steps_shown(drag)
        if not steps:
            return
        upto = self.step.time if drag is self.drag and self.step in drag.steps else self.when
        raw = drag.trail(math.inf if upto is None else upto) or steps[0].points
        trail = [(self.origin[0] + x * self.scale, self.origin[1] + y * self.scale) for x, y in raw]
        kinds = {step.kind: step for step in steps}
        released = kinds.get("cancelled")
        ink = GOOD if "dropped" in kinds else BAD if released else ACCENT
        for a, b in zip(trail, trail[1:]):
            self.line(s, a, b, colour(ink, 0.85), 2.5)
        paper = colour("#ffffff")
        self.disc(s, trail[0], 4.5, paper, colour(ink))
        end = trail[-1]
        near = released.nearest if released else {}
        if near and (near["x"] or near["y"]):
            to = (end[0] + near["x"] * self.scale, end[1] + near["y"] * self.scale)
            self.line(s, end, to, colour(BAD, 0.8), 1.5, dash=4)
            name = near.get("label") or near["target"]
            _, ground = self.get_style_context().lookup_color("theme_base_color")
            self.words(s, f"{distance(near)} px beside {name}", end[0] + 18, end[1] - 8, text, ground=ground)
        self.disc(s, end, 9, colour(ink), paper)
        mark = "✓" if "dropped" in kinds else "✕" if released else str(drag.items)
        self.words(s, mark, end[0], end[1], paper, bold=True, centred=True)


def label(text: str = "", *classes: str, chars: int = 0, **more: Any) -> Gtk.Label:
    made = Gtk.Label(label=text, xalign=0, ellipsize=Pango.EllipsizeMode.END, css_classes=list(classes), **more)
    if chars:
        made.set_width_chars(chars)
        made.set_max_width_chars(chars)
    return made


class Window(Gtk.ApplicationWindow):
    """The picture and the facts of a region on the left, the drags and their steps on the right."""

    __gtype_name__ = "CarryInspectWindow"

    def __init__(self, app: Gtk.Application, make_feed: Callable[..., Any]) -> None:
        super().__init__(application=app, title="Carry Inspect", default_width=1180, default_height=740)
        self.model = Model()
        self.feed = make_feed(self.model, lambda: GLib.idle_add(self.refresh))
        self.follows = True
        self.told: Optional[list[tuple[str, str]]] = None
        self.shown: dict[int, tuple[Gtk.ListBoxRow, Drag, list[Gtk.Label]]] = {}
        self.listed: tuple[Optional[Drag], int] = (None, 0)
        self.picture = Picture(self.model, self.choose)
        self.pause = Gtk.ToggleButton(label="Pause", tooltip_text="Keep what is shown; the rest comes when this ends")
        self.pause.connect("toggled", self.toggled)
        self.live = Gtk.Button(label="Now", tooltip_text="Show the desktop as it is", sensitive=False)
        self.live.connect("clicked", lambda _: self.go_live())
        bar = Gtk.HeaderBar()
        bar.pack_start(self.pause)
        bar.pack_start(self.live)
        self.set_titlebar(bar)
        self.banner = label("", "banner", visible=False)
        self.facts = Gtk.Grid(column_spacing=16, row_spacing=5, css_classes=["facts"], height_request=190)
        legend = "   ".join(f"{mark} {role}" for role, mark in ROLES.items()) + "   ▨ covered"
        self.moment = label("", "quiet", hexpand=True)
        foot = Gtk.Box(margin_start=16, margin_end=16, margin_bottom=8)
        foot.append(self.moment)
        foot.append(label(legend, "quiet"))
        left = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for child in (self.banner, self.picture, foot, Gtk.Separator(), self.facts):
            left.append(child)
        self.drags, self.steps = (Gtk.ListBox(css_classes=[name]) for name in ("drags", "steps"))
        self.drags.set_placeholder(label("No drag in the last minute", "quiet", margin_top=20, margin_start=12))
        self.drags.connect("row-activated", lambda _, row: self.select(row.drag))
        self.steps.connect("row-activated", lambda _, row: self.select(row.drag, row.step))
        right = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, width_request=460)
        self.answers = Gtk.Grid(column_spacing=10, row_spacing=5, css_classes=["answers"])
        self.answered: list[tuple[str, str, str]] = []
        parts = (("Drags of the last minute", self.drags, 110), ("Steps", self.steps, 0),
                 ("Answers and loads", self.answers, 190))
        for title, box, height in parts:
            right.append(label(title, "heading"))
            scroller = Gtk.ScrolledWindow(
                child=box, vexpand=not height, hscrollbar_policy=Gtk.PolicyType.NEVER, min_content_height=height or 200)
            right.append(scroller)
            if box is self.steps:
                # The newest step is in view as it comes.
                scroller.get_vadjustment().connect(
                    "changed", lambda a: self.follows and a.set_value(a.get_upper() - a.get_page_size()))
        panes = Gtk.Paned(
            start_child=left, end_child=right, shrink_start_child=False, shrink_end_child=False, resize_end_child=False)
        self.set_child(panes)
        self.choose(None)
        self.refresh()
        # Drags leave the list a minute after their end.
        GLib.timeout_add_seconds(5, self.refresh, True)
        self.ticks = 0

    def toggled(self, button: Gtk.ToggleButton) -> None:
        self.feed.is_paused = button.get_active()
        # A moment is kept even while nothing is selected.
        if self.follows:
            self.picture.when = self.model.clock() if self.feed.is_paused else None
        self.refresh()

    def go_live(self) -> None:
        self.follows, self.picture.step, self.picture.when = True, None, None
        self.pause.set_active(False)
        self.refresh()

    def select(self, drag: Drag, step: Optional[Step] = None) -> None:
        """Shows the desktop as it was at a step, or at the drag's last one."""
        self.follows = False
        self.picture.drag, self.picture.step = drag, step or drag.steps[-1]
        self.picture.when = self.picture.step.time
        self.refresh()

    def choose(self, region: Optional[Region]) -> None:
        self.picture.region = region.key if region else None
        self.refresh()

    def refresh(self, again: bool = False) -> bool:
        self.feed.apply()
        if not self.feed.is_paused:
            self.model.prune()
        if self.follows:
            self.picture.drag = self.model.drags[0] if self.model.drags else None
        elif self.picture.drag not in self.model.drags:
            self.go_live()
            return again
        self.live.set_sensitive(not self.follows or self.feed.is_paused)
        refused = "\n".join(f"Refused: {why}" for why in self.model.refused[:3])
        absent = "No engine answers. Start carryd; carry doctor says what is wrong."
        self.banner.set_label(refused if self.model.has_engine else absent)
        self.banner.set_visible(bool(self.banner.get_label()))
        when = self.picture.when
        self.moment.set_label(
            "Now" if when is None else f"{max(0, time.monotonic() - when):.1f} s ago" if not self.follows else "Paused")
        self.list_drags()
        self.list_steps()
        self.list_answers()
        self.show_facts()
        self.picture.queue_draw()
        if self.runs() and not self.ticks:
            self.ticks = self.add_tick_callback(self.tick)
        return again

    def runs(self) -> bool:
        """Whether something on the screen changes by time alone."""
        model = self.model
        return self.picture.when is None and (
            any(c.ended is None and c.samples and c.samples[-1].due for c in model.contacts) or bool(model.questions)
            or any(load.ended is None for load in model.loads.values()))

    def tick(self, *_: Any) -> bool:
        self.picture.queue_draw()
        self.list_answers()
        if not self.runs():
            self.ticks = 0
        return bool(self.ticks)

    def list_drags(self) -> None:
        for key, (row, drag, _) in list(self.shown.items()):
            if drag not in self.model.drags:
                self.drags.remove(row)
                del self.shown[key]
        for drag in reversed(self.model.drags):
            if id(drag) not in self.shown:
                row, box = Gtk.ListBoxRow(), Gtk.Box(spacing=12)
                row.drag = drag
                parts = [label(chars=16), label("", "quiet", hexpand=True), label("", "quiet", "mono")]
                for part in parts:
                    box.append(part)
                row.set_child(box)
                self.drags.prepend(row)
                self.shown[id(drag)] = (row, drag, parts)
            row, _, parts = self.shown[id(drag)]
            age = max(0, time.monotonic() - (drag.ended or drag.begun))
            for part, text in zip(parts, (drag.source, drag.outcome(), f"{age:.0f} s" if drag.ended else "now")):
                part.set_label(text)
            if drag is self.picture.drag and self.drags.get_selected_row() is not row:
                self.drags.select_row(row)

    def list_steps(self) -> None:
        drag, count = self.listed
        if drag is not self.picture.drag:
            while self.steps.get_first_child():
                self.steps.remove(self.steps.get_first_child())
            drag, count = self.picture.drag, 0
        if drag is None:
            self.listed = (None, 0)
            return
        for step in drag.steps[count:]:
            row, box = Gtk.ListBoxRow(), Gtk.Box(spacing=10)
            row.drag, row.step = drag, step
            types = ", ".join(step.types[:3]) if step.kind in ("began", "items-added", "received") else ""
            words = types or " ".join(filter(None, (step.operation, f"over {step.over}" if step.over else "")))
            if step.nearest:
                words += f", {distance(step.nearest)} px beside {step.nearest.get('label') or step.nearest['target']}"
            clock = label(f"{step.time - drag.begun:.2f} s", "quiet", "mono", chars=7)
            clock.set_xalign(1)
            for part in (clock, label(step.kind, chars=15), label(words, "quiet", hexpand=True)):
                box.append(part)
            box.set_tooltip_text("\n".join(filter(None, (
                f"from {step.source}", step.over and f"over {step.over}", step.operation, ", ".join(step.types)))))
            row.set_child(box)
            self.steps.append(row)
        self.listed = (drag, len(drag.steps))
        wanted = self.picture.step or drag.steps[-1]
        if wanted in drag.steps:
            self.steps.select_row(self.steps.get_row_at_index(drag.steps.index(wanted)))

    def list_answers(self) -> None:
        """What programs were asked during the drag and how long their slowest answer took, and what they load."""
        drag, now = self.picture.drag, self.model.clock()
        rows = self.model.answer_rows(drag, now) if drag else []
        if rows == self.answered:
            return
        self.answered = rows
        while self.answers.get_first_child():
            self.answers.remove(self.answers.get_first_child())
        for i, (name, words, time) in enumerate(rows):
            self.answers.attach(label(name, chars=14), 0, i, 1, 1)
            self.answers.attach(label(words, "quiet", hexpand=True), 1, i, 1, 1)
            took = label(time, "quiet", "mono")
            took.set_xalign(1)
            self.answers.attach(took, 2, i, 1, 1)

    def show_facts(self) -> None:
        region = next((r for r in self.picture.regions if r.key == self.picture.region), None)
        facts = self.facts_of(region) if region else []
        # Words that are being selected stay.
        if facts == self.told:
            return
        self.told = facts
        while self.facts.get_first_child():
            self.facts.remove(self.facts.get_first_child())
        if not facts:
            hint = "Select a region to see what it accepts, and why a drag was not dropped on it."
            self.facts.attach(label(hint, "quiet"), 0, 0, 2, 1)
        for i, (key, value) in enumerate(facts):
            self.facts.attach(label(key, "quiet", chars=9), 0, i, 1, 1)
            words = label(value, *(["name"] if key in ("Region", "This drag") else []), hexpand=True, selectable=True)
            words.set_wrap(True)
            self.facts.attach(words, 1, i, 1, 1)

    def facts_of(self, region: Region) -> list[tuple[str, str]]:
        x, y, width, height = map(int, region.rect)
        covered = f"{region.reached} %" + (f", under {region.cover}" if region.reached < 100 and region.cover else "")
        facts = [
            ("Region", region.name),
            ("Program", f"{region.program}, process {region.pid}, window 0x{region.window:x}"),
            ("Place", f"{width} × {height} at {x}, {y}" if region.place else "not on the screen"),
            ("Does", ", ".join(region.does) + (" (XDND)" if region.xdnd else "")),
            ("Accepts", ", ".join(region.accepts) or "not stated: its program decides during a drag"),
            ("Reached", covered),
        ]
        if self.picture.drag:
            facts.append(("This drag", self.model.reason(region, self.picture.drag)))
        return facts


def run_window(make_feed: Callable[..., Any]) -> int:
    """Opens the window; returns the exit status."""
    if not Gtk.init_check():
        print(f"carry inspect: cannot open display {os.environ.get('DISPLAY', '')}", file=sys.stderr)
        return 3
    # Under this name the model leaves the window itself out.
    GLib.set_prgname("carry-inspect")
    app = Gtk.Application(flags=Gio.ApplicationFlags.NON_UNIQUE)
    windows: list[Window] = []

    def activate(_: Gtk.Application) -> None:
        style = Gtk.CssProvider()
        style.load_from_data(CSS)
        Gtk.StyleContext.add_provider_for_display(Gdk.Display.get_default(), style, 600)
        windows.append(Window(app, make_feed))
        windows[0].present()

    app.connect("activate", activate)
    status: int = app.run()
    for window in windows:
        window.feed.close()
    return status
