"""What carry-inspect knows: fed with lines of `carry regions --json --watch` and `carry monitor --json --verbose`."""

from __future__ import annotations

import json
import math
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

Rect = tuple[float, float, float, float]
Point = tuple[float, float]


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

    def trail(self, upto: Optional[Step] = None) -> list[Point]:
        points: list[Point] = []
        for step in self.steps:
            points += step.points
            if step is upto:
                break
        return points

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

    LONGEST_TRAIL = 4000

    def __init__(self, keep: float = 60, clock: Callable[[], float] = time.monotonic) -> None:
        self.keep, self.clock = keep, clock
        self.lists: deque[tuple[float, list[Region]]] = deque()
        self.drags: list[Drag] = []
        self.has_engine = False
        self.programs: list[str] = []

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
        elif origin == "monitor" and isinstance(value, dict) and "session" in value:
            self._add_step(value)

    def lose_engine(self) -> None:
        """The next engine numbers its sessions from 1 again."""
        self.has_engine = False
        for drag in self.drags:
            drag.ended = drag.ended or self.clock()
        if self.regions:
            self.lists.append((self.clock(), []))

    def _set_regions(self, values: list[dict[str, Any]]) -> None:
        seen: dict[tuple[int, int, str], int] = {}
        regions = []
        for v in values:
            if v.get("xdnd") and v.get("label") == "carry-inspect":
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
        self.lists.append((self.clock(), regions))
        while len(self.lists) > 2 and self.lists[1][0] < self.clock() - self.keep:
            self.lists.popleft()

    def _add_step(self, v: dict[str, Any]) -> None:
        source, point = v.get("source-label") or v["source"], (v["x"], v["y"])
        drag = next((d for d in self.drags if d.number == v["session"] and d.ended is None), None)
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
            # A drag may last for hours: half of the points show the same way.
            if len(last.points) > self.LONGEST_TRAIL:
                del last.points[1:-1:2]
        else:
            drag.steps.append(step)
        if v["event"] in ("ended", "lift-reversed"):
            drag.ended = v["t"]
        self.prune()

    def prune(self) -> None:
        limit = self.clock() - self.keep
        self.drags = [d for d in self.drags if d.ended is None or d.ended >= limit]

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
            return f"Entered; its program proposed {proposed}, but the drag was not released here."
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
        return {"engine": self.has_engine, "regions": regions, "drags": drags}


def distance(nearest: dict[str, Any]) -> int:
    return round(math.hypot(nearest["x"], nearest["y"]))
