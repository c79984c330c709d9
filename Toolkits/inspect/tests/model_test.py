"""The model of carry-inspect, fed with lines as the commands print them. Needs no engine and no GTK."""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from inspect_model import LONGEST_TRAIL, Model  # noqa: E402


def region(label, x, does="drop", **more):
    place = {"x": x, "y": 0, "width": 100, "height": 100, "reached": 100}
    return {"label": label, "program": "App", "pid": 7, "window": 1, "does": [does], "accepts": [], **place, **more}


class ModelTest(unittest.TestCase):
    def setUp(self):
        self.now = 100.0
        self.model = Model(clock=lambda: self.now)

    def regions(self, *regions):
        self.model.feed("regions", json.dumps(regions))

    def step(self, event, x, session=1, **more):
        step = {"t": self.now, "event": event, "session": session, "items": 1, "x": x, "y": 50, "source": "App",
                "source-label": "from", "types": ["text/plain"], **more}
        self.model.feed("monitor", json.dumps(step))

    def reason(self, name):
        drag = self.model.drags[0]
        found = next(r for r in self.model.regions if r.name == name)
        return self.model.reason(found, drag)

    def over(self, name):
        return {"target": "App", "target-label": name}

    def test_reasons(self):
        self.regions(
            region("from", 0, "drag"), region("shy", 200), region("under", 400, reached=0, cover=9, **{
                "cover-name": "'Note'", "cover-x": 400, "cover-y": 0, "cover-width": 100, "cover-height": 100}),
            region("picky", 600, accepts=["image/*"]), region("open", 800), region("forbidden by policy", 1000),
            region("far", 3000, accepts=["image/png"]), {k: v for k, v in region("gone", 0).items() if k not in "xy"})
        self.step("began", 50)
        for name, x, operation in (("shy", 250, "forbidden"), ("picky", 650, "cancel"), ("open", 850, "copy")):
            self.step("entered", x, **self.over(name))
            self.step("updated", x + 1, operation=operation, **self.over(name))
            self.step("exited", x + 49, **self.over(name))
        self.step("cancelled", 1200, operation="cancel", nearest={"target": "App", "label": "far", "x": 1800, "y": 0})
        self.step("ended", 1200)
        self.assertEqual(self.reason("from"), "The drag came from here.")
        self.assertEqual(self.reason("shy"), "Entered; its program proposed forbidden.")
        self.assertEqual(self.reason("under"), "Not entered: covered by 'Note' where the drag passed.")
        self.assertEqual(
            self.reason("picky"), "Entered; its program proposed cancel. It accepts other types: image/*.")
        self.assertEqual(self.reason("open"), "Entered; its program proposed copy, but the drag was not released here.")
        self.assertIn("a policy", self.reason("forbidden by policy"))
        self.assertEqual(
            self.reason("far"), "Not entered: released 1800 px beside it. It accepts other types: image/png.")
        self.assertEqual(self.reason("gone"), "Not entered: its window is not on the screen.")
        self.assertEqual(self.model.drags[0].outcome(), "released where nothing accepts it")

    def test_drop(self):
        self.regions(region("from", 0, "drag"), region("to", 200))
        self.step("began", 50)
        self.step("entered", 250, **self.over("to"))
        self.assertEqual(self.model.drags[0].outcome(), "under way")
        self.step("dropped", 250, operation="copy", **self.over("to"))
        self.assertEqual(self.reason("to"), "Dropped here as copy; received nothing.")
        self.step("received", 250, types=["text/plain"], **self.over("to"))
        self.assertEqual(self.reason("to"), "Dropped here as copy; received text/plain.")

    def test_the_past(self):
        self.regions(region("from", 0, "drag"))
        self.step("began", 50)
        self.now = 110
        self.regions(region("from", 500, "drag"))
        self.step("ended", 60)
        self.assertEqual([self.model.regions_at(t)[0].place[0] for t in (90, 105, 111)], [0, 0, 500])
        self.assertEqual([len(self.model.under_way(t)) for t in (99, 105, 111)], [0, 1, 0])
        self.now = 171
        self.model.prune()
        self.assertEqual(self.model.drags, [])

    def detail(self, event, **more):
        self.model.feed("monitor", json.dumps({"t": self.now, "event": event, **more}))

    def contact(self, gesture, x, **more):
        self.detail("contact", contact=1, gesture=gesture, x=x, y=0, **more)

    def test_contacts(self):
        self.contact("pressing", 10, due=150)
        self.now += 0.075
        self.contact("pressing", 11, due=75)
        finger = self.model.contacts[0]
        self.assertAlmostEqual(finger.elapsed(self.now), 0.5, 2)
        self.now += 0.1
        self.contact("ignored", 40)
        self.assertEqual(finger.words(self.now), "moved before it lifted")
        self.assertIsNone(finger.elapsed(self.now))
        self.assertEqual(finger.words(100.08), "pressing")
        self.now += 0.1
        self.contact("up", 40)
        self.assertEqual([len(self.model.contacts_at(t)) for t in (99, 100.2, self.now)], [0, 1, 0])
        self.contact("ignored", 10)
        self.assertEqual(self.model.contacts[1].words(self.now), "nothing lifts here")
        self.now += 61
        self.contact("up", 10)
        self.model.prune()
        self.assertEqual(len(self.model.contacts), 1)

    def test_the_path_of_a_drag_is_its_contact_s(self):
        self.regions(region("from", 0, "drag"), region("to", 200))
        self.step("began", 50)
        self.contact("dragging", 60, session=1)
        self.step("updated", 61)
        self.now += 1
        self.contact("dragging", 320, session=1)
        drag = self.model.drags[0]
        self.assertEqual([x for x, _ in drag.trail()], [50, 60, 320])
        self.assertEqual([x for x, _ in drag.trail(self.now - 0.5)], [50, 60])

    def test_answers(self):
        def ask(number, kind, session=1):
            more = {"session": session} if session else {}
            self.detail("asked", question=number, kind=kind, program="App", label="to", **more)

        ask(1, "may-begin", 0)
        self.now += 0.01
        self.detail("question-over", question=1)
        self.step("began", 50)
        for number, took in ((2, 0.004), (3, 0.012), (4, 0.5)):
            ask(number, "proposal")
            self.now += took
            if number < 4:
                self.detail("question-over", question=number)
        rows = self.model.answer_rows(self.model.drags[0], self.now)
        self.assertEqual(rows, [("to", "may this press lift?", "10 ms"), ("to", "what would a drop do?", "waiting 500 ms")])
        self.detail("question-over", question=4)
        self.assertEqual(self.model.answer_rows(self.model.drags[0], self.now)[1][2], "3 ×, slowest 500 ms")
        self.detail("question-over", question=4)

    def test_many_questions(self):
        for number in range(5000):
            self.detail("asked", question=number, kind="proposal", program="App", label=str(number), session=1)
        self.step("began", 50)
        self.assertLessEqual(len(self.model.asked), 400)
        self.assertLessEqual(len(self.model.answer_rows(self.model.drags[0], self.now)), 12)
        self.now += 61
        self.model.prune()
        self.assertEqual(self.model.questions, {})

    def test_loads(self):
        self.step("began", 50)
        self.detail("loading", load=1, session=1, bytes=0)
        self.now += 2
        self.detail("loading", load=1, session=1, bytes=12_400_000, total=40_000_000)
        rows = self.model.answer_rows(self.model.drags[0], self.now)
        self.assertEqual(rows, [("load", "12.4 MB of 40.0 MB, 6.2 MB/s", "")])
        self.detail("load-over", load=1)
        self.assertEqual(self.model.answer_rows(self.model.drags[0], self.now), [("load", "12.4 MB in 2.0 s", "")])

    def test_motions_are_one_step(self):
        self.regions(region("to", 0))
        for x in range(10_000):
            self.step("updated", x % 90, operation="copy", **self.over("to"))
        self.step("updated", 91, operation="cancel", **self.over("to"))
        steps = self.model.drags[0].steps
        self.assertEqual([s.operation for s in steps], ["copy", "cancel"])
        self.assertLessEqual(len(steps[0].points), LONGEST_TRAIL)

    def test_the_next_engine_counts_anew(self):
        self.step("began", 50)
        self.model.lose_engine()
        self.step("began", 50)
        self.assertEqual([d.ended is None for d in self.model.drags], [True, False])

    def test_what_is_no_line_is_ignored(self):
        for line in ("", "{", "[", "null", "3", '{"event": "connected"}'):
            self.model.feed("regions", line)
            self.model.feed("monitor", line)
        self.assertEqual(self.model.state()["drags"], [])


unittest.main()
