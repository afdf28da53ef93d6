# SPDX-License-Identifier: BSD-3-Clause
"""Events as a user meets them: what is printed, listed and written, and runs that are killed and continued."""
import json
import os
import signal
import time
import unittest

from program import KEPLER, SANITIZED, ProgramTest, read_csv, read_h5

EVENTS = """[[event]]
when = "y"
direction = "up"
name = "section"
[[event]]
every = "pi/3"
[[event]]
when = "x*x_dot + y*y_dot"
action = "count"
"""
STOP = EVENTS + '[[event]]\nname = "third"\nwhen = "y"\naction = "stop"\nafter = 3\n'
FORMATS = ("--set", 'output.formats=["h5", "csv", "json"]')
OWN = {"wall_seconds", "steps_per_second", "files", "evaluation"}


def columns(path):
    names, rows = read_csv(path)
    return {name: [row[k] for row in rows] for k, name in enumerate(names)}


class Events(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("kepler.toml", KEPLER + EVENTS)
        self.write("stop.toml", KEPLER + STOP)

    def test_the_table_in_every_format(self):
        s = self.run_json("kepler.toml", "--out", "o", "--method", "gauss(4)", *FORMATS)
        self.assertEqual([e["name"] for e in s["events"]], ["section", "every pi/3", "x*x_dot + y*y_dot"])
        self.assertEqual([list(e) for e in s["events"]],
                         [["when", "name", "direction", "action", "after", "count", "times"],
                          ["every", "name", "action", "after", "count", "times"],
                          ["when", "name", "direction", "action", "after", "count", "times"]])
        table = columns(self.folder / "o/events.csv")
        self.assertEqual(list(table), ["event", "t", "x", "y", "x_dot", "y_dot", "x_p", "y_p", "energy", "radius", "rotation"])
        self.assertEqual(table["t"], sorted(table["t"]))
        for number in (1, 2):
            times = [t for n, t in zip(table["event"], table["t"]) if n == number]
            self.assertEqual(times, s["events"][number - 1]["times"])
        self.assertEqual(set(table["event"]), {1, 2})
        self.assertEqual(s["events"][2]["count"], 3, "apsides at pi, 2 pi, 3 pi; not the start")
        as_json = json.loads((self.folder / "o/events.json").read_text())
        self.assertEqual(as_json["columns"], list(table))
        self.assertEqual([list(row) for row in zip(*table.values())], as_json["records"])
        self.assertEqual(set(s["files"]) >= {"events.csv", "events.json", "trajectory.h5"}, True)
        self.assertNotIn("events.partial", self.files("o"))

    def test_the_group_of_the_trajectory_file(self):
        self.run_json("kepler.toml", "--out", "o", *FORMATS)
        (found,) = read_h5(self.folder / "o/trajectory.h5")
        table = columns(self.folder / "o/events.csv")
        self.assertEqual(found["events/event"]["values"], table["event"])
        self.assertEqual(found["events/t"]["values"], table["t"])
        self.assertEqual(found["events/q"]["values"], [list(q) for q in zip(table["x"], table["y"])])
        self.assertEqual(found["events/q"]["attributes"]["names"], ["x", "y"])
        self.assertEqual(found["events/observe/radius"]["values"], table["radius"])
        self.assertGreater(len(found["t"]["values"]), len(table["t"]), "the trajectory is beside it")

    def test_runs_without_events_have_no_table(self):
        self.write("plain.toml", KEPLER)
        s = self.run_json("plain.toml", "--out", "o", *FORMATS)
        self.assertNotIn("events", s)
        self.assertFalse([name for name in self.files("o") if "events" in str(name)])

    def test_what_is_printed(self):
        done = self.varia("run", "stop.toml", "--out", "o")
        self.assert_done(done)
        self.assertIn("event section: 1 time, first at t = ", done.stdout)
        self.assertIn("ended by the event third at t = ", done.stdout)
        shown = self.varia("show", "stop.toml")
        self.assertIn("Event        section: y = 0, up; record", shown.stdout)
        self.assertIn("Event        third: y = 0; stop, after 3", shown.stdout)
        self.assertIn("Event        every pi/3: every 1.0472; record", shown.stdout)
        events = json.loads(self.varia("show", "stop.toml", "--json").stdout)["events"]
        self.assertEqual(events[3], {"name": "third", "when": "y", "direction": "both", "action": "stop", "after": 3})

    def test_the_report_draws_sections(self):
        self.assert_done(self.varia("run", "kepler.toml", "--out", "o", "--set", "output.report=true", "--set", 'event[1].axes=["x", "radius"]'))
        sections = self.report_data("o")["sections"]
        self.assertEqual([(s["name"], s["title"], s["x"], s["y"]) for s in sections],
                         [("section", "Poincar\u00e9 section", "x", "radius"), ("every pi/3", "Stroboscopic section", "x", "x_p")])
        by_name = {c["name"]: c["values"] for c in sections[0]["columns"]}
        self.assertEqual(len(by_name["x"]), sections[0]["total"])
        self.assertTrue(all(abs(y) < 1e-15 for y in by_name["y"]))

    def assert_same(self, folder, other):
        one, two = self.summary(folder), self.summary(other)
        self.assertEqual({k: v for k, v in one.items() if k not in OWN}, {k: v for k, v in two.items() if k not in OWN})
        for name in ("events.csv", "events.json", "trajectory.csv"):
            self.assertEqual((self.folder / folder / name).read_bytes(), (self.folder / other / name).read_bytes(), name)

    def test_restarts_to_the_bit(self):
        for scenario in ("kepler.toml", "stop.toml"):
            for method in ("verlet", "gauss(2)"):
                with self.subTest(scenario=scenario, method=method):
                    options = ("--method", method, *FORMATS)
                    self.run_json(scenario, "--out", "full", "--until", "30", *options)
                    self.run_json(scenario, "--out", "half", "--until", "7.5", *options)
                    self.run_json(scenario, "--out", "half", "--until", "30", "--restart", "half/checkpoint.h5", *options)
                    self.assert_same("half", "full")

    def test_other_events_are_another_run(self):
        self.run_json("kepler.toml", "--out", "o", "--until", "5")
        self.assert_refused(self.varia("run", "kepler.toml", "--out", "o", "--restart", "o/checkpoint.h5", "--set", "event[1].when=x"),
                            "watched other events", "event[1].when")
        self.run_json("kepler.toml", "--out", "o", "--until", "6", "--restart", "o/checkpoint.h5", "--set", 'event[1].axes=["x", "y"]')

    @unittest.skipIf(SANITIZED, "kills a run by time")
    def test_killed_and_continued(self):
        """The end of a killed run is anywhere; its checkpoint says which events it has."""
        options = ("--until", "3000", "--method", "gauss(3)", *FORMATS)
        self.run_json("kepler.toml", "--out", "full", *options)
        for moment in (0.15, 0.4):
            folder = f"killed{moment}"
            process = self.begin("run", "kepler.toml", "--out", folder, "--quiet", *options)
            time.sleep(moment)
            process.send_signal(signal.SIGKILL)
            process.wait()
            if not os.path.exists(self.folder / folder / "checkpoint.h5"):
                continue  # not begun
            self.run_json("kepler.toml", "--out", folder, "--restart", f"{folder}/checkpoint.h5", *options)
            self.assert_same(folder, "full")

    def test_interrupted_and_continued(self):
        options = ("--until", "20000", *FORMATS)
        process = self.begin("run", "kepler.toml", "--out", "part", "--quiet", *options)
        time.sleep(0.6)
        process.send_signal(signal.SIGINT)
        process.wait()
        if self.summary("part")["status"] != "interrupted":
            self.skipTest("the run had ended")
        self.run_json("kepler.toml", "--out", "part", "--restart", "part/checkpoint.h5", *options)
        self.run_json("kepler.toml", "--out", "full", *options)
        self.assert_same("part", "full")

    def test_lost_events_are_refused(self):
        """A table without its beginning must not take the place of the one with it."""
        self.run_json("kepler.toml", "--out", "o", "--until", "7", *FORMATS)
        (self.folder / "o/trajectory.h5").rename(self.folder / "o/kept.h5")
        before = (self.folder / "o/events.csv").read_bytes()
        self.assert_refused(self.varia("run", "kepler.toml", "--out", "o", "--until", "9", "--restart", "o/checkpoint.h5", *FORMATS), "restart")
        self.assertEqual((self.folder / "o/events.csv").read_bytes(), before)


if __name__ == "__main__":
    unittest.main()
