# SPDX-License-Identifier: BSD-3-Clause
"""Method and step that a scenario leaves open: what is chosen, where it is said, and that every verb chooses alike."""
import csv
import json
import math
import unittest

from program import ProgramTest

OPEN = """
title = "Oscillator"
[system]
coordinates = ["x"]
parameters = { w = 2.0 }
lagrangian = "x_dot^2/2 - w^2*x^2/2"
[start]
x = 1
x_dot = 0
[run]
until = 30
[output]
report = false
"""


class Steering(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("o.toml", OPEN)

    def test_first_lines(self):
        lines = self.assert_done(self.varia("run", "o.toml")).stdout.splitlines()
        self.assertIn("Oscillator: blanes_moan(4) to t = 30", lines[0])
        self.assertIn("chosen blanes_moan(4): constant masses and a potential", lines[1])
        self.assertIn("chosen step 0.1", lines[2])
        self.assertIn("error of the positions", lines[2])
        shown = self.assert_done(self.varia("show", "o.toml")).stdout
        for line in lines[1:3]:
            self.assertIn(line.strip().removeprefix("chosen "), shown)
        self.assertEqual(self.summary("out/o")["chosen"]["why"], json.loads(self.varia("show", "o.toml", "--json").stdout)["chosen"])

    def test_summary(self):
        s = self.run_json("o.toml")
        chosen = s["chosen"]
        self.assertEqual((chosen["method"], chosen["step"]), (s["method"], s["step"]))
        self.assertAlmostEqual(chosen["frequency"], 2, delta=0.05)
        self.assertAlmostEqual(s["step"], math.pi/30, delta=0.005)
        self.assertLess(chosen["error_estimate"], 0.01)
        self.assertAlmostEqual(s["t_end"], 30, delta=1e-12)
        self.assertNotIn("tolerance", chosen)
        stated = self.run_json("o.toml", "--method", "verlet", "--step", "0.01")
        self.assertNotIn("chosen", stated)

    def test_tolerance(self):
        found = {}
        for tolerance in ("1e-4", "1e-7", "1e-10"):
            s = self.run_json("o.toml", "--set", f"tolerance={tolerance}", "--until", "30")
            self.assertLessEqual(s["chosen"]["error_estimate"], float(tolerance))
            self.assertEqual(s["chosen"]["tolerance"], float(tolerance))
            # the run is longer than the trial: errors grow in proportion
            error = abs(s["final"]["q"]["x"] - math.cos(60))/2
            self.assertLess(error, float(tolerance)*max(1, 30/s["chosen"]["stretch"]))
            found[tolerance] = s["steps"]
        self.assertLess(found["1e-4"], found["1e-7"])

    def test_every_verb_chooses_alike(self):
        s = self.run_json("o.toml")
        shown = json.loads(self.varia("show", "o.toml", "--json").stdout)
        self.assertEqual((shown["method"], shown["step"], shown["steps"]), (s["method"], s["step"], s["steps"]))
        check = json.loads(self.varia("check", "o.toml", "--json").stdout)
        self.assertEqual((check["method"], check["verdict"]), (s["method"], "pass"))
        compared = json.loads(self.varia("compare", "o.toml", "--methods", "verlet", "--json").stdout)
        self.assertAlmostEqual(compared["rows"][0]["step"], s["step"], delta=1e-12)
        self.assert_done(self.varia("sweep", "o.toml", "--vary", "w = 1, 2, 4", "--quiet"))
        with open(self.folder / "out/o_sweep/sweep.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            one = self.run_json("o.toml", "--set", f"w={row['w']}", "--set", f"run.evaluation={row['evaluation']}",
                                *(["--set", 'system.free=["w"]'] if row["evaluation"] == "native" else []))
            self.assertEqual(float(row["step"]), one["step"])
            self.assertEqual(float(row["final.q.x"]), one["final"]["q"]["x"])

    def test_a_restart_keeps_the_choice(self):
        whole = self.run_json("o.toml", "--until", "60", "--set", "tolerance=1e-6", "--out", "whole")
        first = self.run_json("o.toml", "--until", "30", "--set", "tolerance=1e-6", "--out", "first")
        again = self.run_json("o.toml", "--until", "60", "--set", "tolerance=1e-6", "--out", "again",
                              "--restart", "first/checkpoint.h5")
        self.assertEqual((again["method"], again["step"]), (first["method"], first["step"]))
        self.assertEqual(again["chosen"]["step"], first["step"])
        self.assertIn("as before the restart", "".join(again["chosen"]["why"]))
        stated = self.run_json("o.toml", "--until", "60", "--step", repr(first["step"]), "--method", first["method"], "--out", "stated")
        self.assertEqual(again["final"], stated["final"])
        self.assertAlmostEqual(whole["final"]["q"]["x"], again["final"]["q"]["x"], delta=1e-4)

    def test_auto_replaces_what_the_file_has(self):
        self.write("s.toml", OPEN.replace("until = 30", 'until = 30\nmethod = "verlet"\nstep = 0.01'))
        s = self.run_json("s.toml", "--method", "auto", "--step", "auto")
        self.assertEqual(s["step"], self.run_json("o.toml")["step"])
        s = self.run_json("s.toml", "--step", "auto", "--set", "tolerance=1e-6")
        self.assertEqual(s["method"], "verlet")
        self.assertNotIn("method", s["chosen"])

    def test_friction_stops_a_block(self):
        s = self.run_json("gallery:dry_friction", "--set", "output.report=false")
        self.assertEqual(s["status"], "done")
        self.assertGreater(s["newton"]["damped"], 0)
        done = self.varia("run", "gallery:dry_friction", "--set", 'system.force.x="-mu*g*sign(x_dot)"', "--quiet")
        self.assertEqual(done.returncode, 3)
        for word in ("Newton's method", "damped", "kink"):
            self.assertIn(word, done.stderr)


if __name__ == "__main__":
    unittest.main()
