"""What carry-inspect knows: fed with lines of `carry regions --json --watch` and
`carry monitor --json --verbose --details`."""

from __future__ import annotations

import json
import math
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

Rect = tuple[float, float, float, float]
Point = tuple[float, float]
LONGEST_TRAIL = 4000
MAX_ASKED = 400
MAX_ROWS = 12


@dataclass(frozen=True)
class Region:
    """A region at one moment. Places are screen pixels: x, y, width, height."""

    key: tuple[int, int, str, int]
    program: str
    pid: int
    window: int
    label: str
    place: Optional[Rect]
    does: tuple[str, ...]
    accepts: tuple[str, ...]
    reached: int
    cover: str
    cover_place: Optional[Rect]
    xdnd: bool

    @property
    def name(self) -> str:
        return self.label or self.program

    @property
    def rect(self) -> Rect:
        """Empty while the window is not on the screen."""
        return self.place or (0, 0, 0, 0)

    @property
    def area(self) -> float:
        return self.rect[2] * self.rect[3]

    def has(self, point: Point) -> bool:
        x, y, width, height = self.rect
        return x <= point[0] < x + width and y <= point[1] < y + height


@dataclass
class Step:
    """A step of a drag. Motions over one target with one proposal are one step of many points."""

    time: float
    kind: str
    source: str
    over: str
    program: str
    operation: str
    types: list[str]
    nearest: dict[str, Any]
    points: list[Point] = field(default_factory=list)


@dataclass
class Drag:
    number: int
    source: str
    program: str
    device: str
    begun: float
    types: list[str] = field(default_factory=list)
    items: int = 1
    steps: list[Step] = field(default_factory=list)
    ended: Optional[float] = None
    path: list[tuple[float, Point]] = field(default_factory=list)
    has_contact: bool = False

    def move(self, time: float, point: Point) -> None:
        self.path.append((time, point))
        # A drag may last for hours: half of the points show the same way.
        if len(self.path) > LONGEST_TRAIL:
            del self.path[1:-1:2]

    def trail(self, upto: float = math.inf) -> list[Point]:
        return [point for time, point in self.path if time <= upto]

    def find(self, *kinds: str) -> Optional[Step]:
        return next((step for step in reversed(self.steps) if step.kind in kinds), None)

    def outcome(self) -> str:
        dropped, cancelled = self.find("dropped"), self.find("cancelled")
        if dropped:
            if self.ended and self.program != dropped.program and not self.find("received", "data-delivered"):
                return f"dropped on {dropped.over}, which loaded nothing"
            return f"dropped on {dropped.over} as {dropped.operation}"
        if cancelled and cancelled.over:
            return f"{cancelled.over} refused it"
        if cancelled:
            return "released where nothing accepts it"
        if self.find("lift-reversed"):
            return "put down again"
        return "under way" if self.ended is None else "cancelled"


@dataclass
class Sample:
    """A contact at one moment. `due` is when its gesture becomes the next one."""

    time: float
    point: Point
    gesture: str
    due: Optional[float]


@dataclass
class Contact:
    """A finger from its press until it goes up."""

    number: int
    samples: list[Sample] = field(default_factory=list)
    ended: Optional[float] = None

    def upto(self, when: float) -> list[Sample]:
        return [s for s in self.samples if s.time <= when]

    def words(self, when: float) -> str:
        """What the finger is at, and why nothing lifted."""
        known = self.upto(when)
        last = known[-1]
        if last.gesture == "ignored":
            before = [s for s in known if s.gesture in ("pressing", "lifting")]
            has_moved = before and math.dist(before[0].point, next(
                s.point for s in known if s.gesture == "ignored")) > 2
            return "moved before it lifted" if has_moved else "nothing lifts here"
        return {"joined": "on a carried stack", "vanished": "lost for a moment"}.get(last.gesture, last.gesture)

    def elapsed(self, when: float) -> Optional[float]:
        """How much of the time until the next gesture is over, from 0 to 1."""
        known = self.upto(when)
        due = known[-1].due
        if due is None:
            return None
        begun = known[-1].time
        for sample in reversed(known):
            if sample.due is None or abs(sample.due - due) > 0.003:
                break
            begun = sample.time
        return min(1.0, (when - begun) / max(0.001, due - begun))


@dataclass
class Asked:
    """All questions of one kind that a program was asked about a region during one drag."""

    program: str
    label: str
    kind: str
    last: float
    count: int = 0
    slowest: float = 0
    open: set[int] = field(default_factory=set)

    QUESTIONS = {
        "may-begin": "may this press lift?", "choose-session": "which drag does the tap add to?",
        "items": "which items lift?", "options": "with which options?", "can-handle": "does it accept the drag?",
        "proposal": "what would a drop do?", "endings": "how do the items end?", "perform": "the drop",
    }

    @property
    def words(self) -> str:
        return self.QUESTIONS.get(self.kind, self.kind)

    def took(self, now: float) -> str:
        if self.open and now - self.last > 0.1:
            return f"waiting {seconds(now - self.last)}"
        if self.count < 2:
            return seconds(self.slowest) if self.count else ""
        return f"{self.count} ×, slowest {seconds(self.slowest)}"


@dataclass
class Load:
    """A representation on its way to a program."""

    session: int
    begun: float
    time: float
    bytes: int = 0
    total: int = 0
    ended: Optional[float] = None

    def words(self, now: float) -> str:
        done, elapsed = size(self.bytes), max(0.001, (self.ended or now) - self.begun)
        if self.ended is not None:
            return f"{done} in {seconds(elapsed)}" if self.bytes else f"over after {seconds(elapsed)}"
        total = f" of {size(self.total)}" if self.total else ""
        return f"{done}{total}, {size(self.bytes / elapsed)}/s"


def _crosses(a: Point, b: Point, rect: Rect) -> bool:
    """Whether the way from a to b passes through a rectangle: between targets only its ends are known."""
    (low, high), origin = (0.0, 1.0), (rect[0], rect[1])
    for axis in (0, 1):
        way, first = b[axis] - a[axis], origin[axis] - a[axis]
        last = first + rect[2 + axis]
        if way == 0:
            if not first <= 0 < last:
                return False
            continue
        low, high = max(low, min(first / way, last / way)), min(high, max(first / way, last / way))
    return low < high or (low == high and a == b)


class Model:
    """Regions now and before, and the drags of the last minute, the newest first."""

    def __init__(self, keep: float = 60, clock: Callable[[], float] = time.monotonic) -> None:
        self.keep, self.clock = keep, clock
        self.lists: deque[tuple[float, list[Region]]] = deque()
        self.drags: list[Drag] = []
        self.has_engine = False
        self.programs: list[str] = []
        self.refused: list[str] = []
        self.contacts: list[Contact] = []
        self.asked: dict[tuple[int, str, str, str], Asked] = {}
        self.questions: dict[int, tuple[Asked, float]] = {}
        self.loads: dict[int, Load] = {}

    @property
    def regions(self) -> list[Region]:
        return self.lists[-1][1] if self.lists else []

    def feed(self, origin: str, line: str) -> None:
        """Adds a line of "regions" or of "monitor"; what is none is ignored."""
        try:
            value = json.loads(line)
        except ValueError:
            return
        if origin == "regions" and isinstance(value, list):
            self.has_engine = True
            self._set_regions(value)
        elif origin == "monitor" and isinstance(value, dict):
            details = {
                "contact": self._add_contact, "asked": self._ask, "question-over": self._end_question,
                "loading": self._add_load, "load-over": self._end_load,
            }
            if add := details.get(value.get("event", "")):
                add(value)
            elif "session" in value:
                self._add_step(value)

    def _add_contact(self, v: dict[str, Any]) -> None:
        contact = next((c for c in self.contacts if c.number == v["contact"] and c.ended is None), None)
        if contact is None:
            if v["gesture"] == "up":
                return
            contact = Contact(v["contact"])
            self.contacts.append(contact)
        if v["gesture"] == "up":
            contact.ended = v["t"]
            return
        due = v["t"] + v["due"] / 1000 if "due" in v else None
        drag = self._find(v.get("session", 0))
        if drag:
            drag.has_contact = True
            drag.move(v["t"], (v["x"], v["y"]))
        contact.samples.append(Sample(v["t"], (v["x"], v["y"]), v["gesture"], due))
        if len(contact.samples) > LONGEST_TRAIL:
            del contact.samples[1:-1:2]

    def _ask(self, v: dict[str, Any]) -> None:
        if v["question"] in self.questions:
            return
        key = (v.get("session", 0), v["program"], v.get("label", ""), v["kind"])
        # A program may give its region a new label at each question.
        while len(self.asked) >= MAX_ASKED and key not in self.asked:
            del self.asked[next(iter(self.asked))]
        asked = self.asked.setdefault(key, Asked(*key[1:], v["t"]))
        asked.last = v["t"]
        asked.open.add(v["question"])
        self.questions[v["question"]] = (asked, v["t"])

    def _forget_question(self, number: int) -> tuple[Asked, float]:
        asked, begun = self.questions.pop(number)
        asked.open.discard(number)
        return asked, begun

    def _end_question(self, v: dict[str, Any]) -> None:
        if v["question"] not in self.questions:
            return
        asked, begun = self._forget_question(v["question"])
        asked.count += 1
        asked.slowest = max(asked.slowest, v["t"] - begun)

    def _add_load(self, v: dict[str, Any]) -> None:
        load = self.loads.setdefault(v["load"], Load(v["session"], v["t"], v["t"]))
        load.time, load.bytes, load.total = v["t"], v["bytes"], v.get("total", 0)

    def _end_load(self, v: dict[str, Any]) -> None:
        if v["load"] in self.loads:
            self.loads[v["load"]].ended = v["t"]

    def answers(self, drag: Drag) -> list[Asked]:
        """What programs were asked during a drag, and about the press before it."""
        end = drag.ended or math.inf
        return [
            a for (session, *_), a in self.asked.items()
            if session == drag.number or (session == 0 and drag.begun - 1 <= a.last <= end)
        ]

    def answer_rows(self, drag: Drag, now: float) -> list[tuple[str, str, str]]:
        """Who was asked during a drag, what, and how long the answers took; then the loads of its drop."""
        rows = [(a.label or a.program, a.words, a.took(now)) for a in self.answers(drag)[-MAX_ROWS:]]
        loads = [load for load in self.loads.values() if load.session == drag.number]
        over = [load for load in loads if load.ended is not None]
        if len(over) > 3:
            done, last = sum(load.bytes for load in over), max(load.ended or 0 for load in over)
            rows.append((f"{len(over)} loads", f"{size(done)} in {seconds(last - over[0].begun)}", ""))
            over = []
        rows += [("load", load.words(now), "") for load in over]
        return rows + [("load", load.words(now), "") for load in loads if load.ended is None][:6]

    def contacts_at(self, when: float) -> list[Contact]:
        return [
            c for c in self.contacts
            if c.samples and c.samples[0].time <= when and (c.ended is None or c.ended > when)
        ]

    def lose_engine(self) -> None:
        """The next engine numbers its sessions from 1 again."""
        self.has_engine = False
        for drag in self.drags:
            drag.ended = drag.ended or self.clock()
        for contact in self.contacts:
            contact.ended = contact.ended or self.clock()
        self.asked, self.questions, self.loads, self.refused = {}, {}, {}, []
        if self.regions:
            self.lists.append((self.clock(), []))

    def _set_regions(self, values: list[dict[str, Any]]) -> None:
        seen: dict[tuple[int, int, str], int] = {}
        refused: list[str] = []
        regions = []
        for v in values:
            if v.get("xdnd") and v.get("label") == "carry-inspect":
                continue
            if "refused" in v:
                refused.append(f"{v.get('label') or v['program']}: {v['refused']}")
                continue
            first = (v.get("pid", 0), v["window"], v.get("label", ""))
            seen[first] = seen.get(first, 0) + 1
            cover = tuple(v[f"cover-{k}"] for k in ("x", "y", "width", "height")) if "cover-x" in v else None
            cover_name = "another region" if v.get("cover") == v["window"] else v.get("cover-name", "")
            regions.append(
                Region(
                    (*first, seen[first]), v["program"], first[0], first[1], first[2],
                    (v["x"], v["y"], v["width"], v["height"]) if "x" in v else None, tuple(v["does"]),
                    tuple(v["accepts"]), v.get("reached", 0), cover_name, cover, v.get("xdnd", False)))
            if v["program"] not in self.programs:
                self.programs.append(v["program"])
        self.refused = refused
        self.lists.append((self.clock(), regions))
        while len(self.lists) > 2 and self.lists[1][0] < self.clock() - self.keep:
            self.lists.popleft()

    def _find(self, session: int) -> Optional[Drag]:
        return next((d for d in self.drags if d.number == session and d.ended is None), None)

    def _add_step(self, v: dict[str, Any]) -> None:
        source, point = v.get("source-label") or v["source"], (v["x"], v["y"])
        drag = self._find(v["session"])
        if drag is None:
            drag = Drag(v["session"], source, v["source"], v.get("device", ""), v["t"])
            self.drags.insert(0, drag)
        drag.items = v.get("items", drag.items)
        if v["event"] != "received" and v.get("types"):
            drag.types = v["types"]
        step = Step(
            v["t"], v["event"], source, v.get("target-label") or v.get("target", ""), v.get("target", ""),
            v.get("operation", ""), v.get("types", []), v.get("nearest", {}), [point])
        last = drag.steps[-1] if drag.steps else None
        if last and last.kind == step.kind == "updated" and (last.over, last.operation) == (step.over, step.operation):
            last.points.append(point)
            if len(last.points) > LONGEST_TRAIL:
                del last.points[1:-1:2]
        else:
            drag.steps.append(step)
        # Drags of keys and of other programs have no contact.
        if not drag.has_contact:
            drag.move(v["t"], point)
        if v["event"] in ("ended", "lift-reversed"):
            drag.ended = v["t"]

    def prune(self) -> None:
        limit = self.clock() - self.keep
        self.drags = [d for d in self.drags if d.ended is None or d.ended >= limit]
        self.contacts = [c for c in self.contacts if c.ended is None or c.ended >= limit]
        for number in [n for n, (_, begun) in self.questions.items() if begun < limit]:
            self._forget_question(number)
        # A load outlasts its drag.
        self.asked = {key: a for key, a in self.asked.items() if a.open or a.last >= limit - self.keep}
        self.loads = {n: load for n, load in self.loads.items() if load.ended is None or load.ended >= limit}

    def regions_at(self, when: float) -> list[Region]:
        """As they were; the first that is known before anything was."""
        past = [regions for at, regions in self.lists if at <= when] or [regions for _, regions in self.lists][:1]
        return past[-1] if past else []

    def under_way(self, when: Optional[float] = None) -> list[Drag]:
        when = self.clock() if when is None else when
        return [d for d in self.drags if d.begun <= when and (d.ended is None or d.ended > when)]

    @staticmethod
    def is_source(region: Region, drag: Drag) -> bool:
        """Of several regions with one name, the one that has the finger."""
        is_named = (region.program, region.name) == (drag.program, drag.source)
        return is_named and "drag" in region.does and region.has(drag.steps[0].points[0])

    @staticmethod
    def is_target(region: Region, step: Step) -> bool:
        """Of several regions with one name, the one that has the point."""
        return (region.program, region.name) == (step.program, step.over) and any(map(region.has, step.points))

    def reason(self, region: Region, drag: Drag) -> str:
        """What the region had to do with the drag, or why nothing."""
        steps = [s for s in drag.steps if self.is_target(region, s)]
        wanted = ", ".join(region.accepts)
        fits = any(t == a or (a.endswith("/*") and t.startswith(a[:-1])) for t in drag.types for a in region.accepts)
        others = f"It accepts other types: {wanted}." if region.accepts and drag.types and not fits else ""
        dropped = next((s for s in steps if s.kind == "dropped"), None)
        if dropped:
            received = [t for s in steps if s.kind == "received" for t in s.types]
            return f"Dropped here as {dropped.operation}; received {', '.join(received) or 'nothing'}."
        if steps:
            proposed = next((s.operation for s in reversed(steps) if s.operation), "")
            if proposed in ("cancel", "forbidden"):
                return f"Entered; its program proposed {proposed}. {others}".strip()
            if not proposed:
                return "Entered; its program proposed nothing."
            elsewhere = ", but the drag was not released here" if drag.ended else ""
            return f"Entered; its program proposed {proposed}{elsewhere}."
        if "drop" not in region.does:
            return "The drag came from here." if self.is_source(region, drag) else "It accepts no drops."
        if region.place is None:
            return "Not entered: its window is not on the screen."
        trail = drag.trail()
        if any(_crosses(a, b, region.place) for a, b in zip(trail, trail[1:] or trail)):
            if region.reached < 100 and region.cover:
                return f"Not entered: covered by {region.cover} where the drag passed."
            return "Not entered, although the drag passed here: a policy or a private drag may forbid it."
        near = (drag.find("cancelled") or drag.steps[-1]).nearest
        if near and (near["target"], near.get("label") or near["target"]) == (region.program, region.name):
            return f"Not entered: released {distance(near)} px beside it. {others}".strip()
        return f"Not entered: the drag did not pass here. {others}".strip()

    def state(self) -> dict[str, Any]:
        """Everything, for tests."""
        drags = [
            {
                "session": d.number, "source": d.source, "types": d.types, "outcome": d.outcome(),
                "ended": d.ended is not None,
                "steps": [[s.kind, s.source, s.over, s.operation, s.types] for s in d.steps],
                "reasons": {r.name: self.reason(r, d) for r in self.regions_at(d.steps[-1].time)},
            } for d in self.drags
        ]
        regions = [{"name": r.name, "does": r.does, "place": r.place, "reached": r.reached, "cover": r.cover}
                   for r in self.regions]
        asked = [[session, a.program, a.label, a.kind, a.count, len(a.open)] for (session, *_), a in self.asked.items()]
        contacts = [{"gestures": list(dict.fromkeys(s.gesture for s in c.samples)), "up": c.ended is not None}
                    for c in self.contacts]
        loads = [[load.session, load.bytes, load.total, load.ended is not None] for load in self.loads.values()]
        return {"engine": self.has_engine, "regions": regions, "drags": drags, "contacts": contacts, "asked": asked,
                "loads": loads}


def seconds(time: float) -> str:
    return f"{time:.1f} s" if time >= 1 else f"{time * 1000:.0f} ms" if time >= 0.01 else f"{time * 1000:.1f} ms"


def size(count: float) -> str:
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" or count >= 100 else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


def distance(nearest: dict[str, Any]) -> int:
    return round(math.hypot(nearest["x"], nearest["y"]))
