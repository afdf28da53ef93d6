# SPDX-License-Identifier: BSD-3-Clause
"""Conditions, letters of other alphabets and data in scenarios, as a user meets them."""
import csv
import json
import unittest

from program import ProgramTest

SPRINGS = """[system]
coordinates = ["θ"]
parameters = { "ω₁" = 1.0, "ω₂" = 2.0 }
lagrangian = "θ_dot^2/2 - if(θ < 0, ω₁, ω₂)^2*θ^2/2"
[system.observe]
"Ω²"
[start]
"θ" = 0
"θ_dot" = 1
[run]
method = "gauss(2)"
step = 0.1
until = 2
[output]
formats = ["csv", "json", "h5"]
""".replace('"Ω²"', '"φ" = "mod(θ, π)"')

WIND = """[system]
coordinates = ["x"]
lagrangian = "x_dot^2/2"
force = { x = "table('wind.csv', t) - x_dot" }
[start]
x = 0
x_dot = 0
[run]
method = "METHOD"
step = 0.1
until = 3
[output]
report = false
"""


class Language(ProgramTest):
    def test_names_reach_all_outputs(self):
        self.write("s.toml", SPRINGS)
        names = ["t", "θ", "θ_dot", "θ_p", "energy", "φ"]
        summary = self.run_json("s.toml", "--out", "o")
        self.assertEqual(summary["status"], "done")
        self.assertIn("φ", summary["observe"])
        self.assertTrue(any("system.lagrangian: the condition θ < 0" in text for text in summary["warnings"]))
        with open(self.folder / "o/trajectory.csv", encoding="utf-8") as file:
            self.assertEqual(next(csv.reader(file)), names)
        self.assertEqual(json.loads((self.folder / "o/trajectory.json").read_text())["columns"], names)
        self.assertIn("θ_dot", (self.folder / "o/report.html").read_text())
        shown = self.assert_done(self.varia("show", "s.toml")).stdout
        self.assertIn("d/dt (θ_dot) = -if(θ < 0, ω₁, ω₂)^2*θ", shown)
        self.assertIn("note: system.lagrangian: the condition θ < 0", shown)

    def test_native_code_gives_the_same_numbers(self):
        self.write("s.toml", SPRINGS)
        rows = []
        for evaluation in ("native", "interpreter"):
            self.run_json("s.toml", "--out", evaluation, "--set", f"run.evaluation={evaluation}")
            rows.append((self.folder / evaluation / "trajectory.csv").read_bytes())
        self.assertEqual(*rows)

    def test_continued_runs_are_the_same(self):
        self.write("s.toml", SPRINGS)
        self.run_json("s.toml", "--out", "full", "--until", "4")
        self.run_json("s.toml", "--out", "half")
        self.run_json("s.toml", "--out", "half", "--until", "4", "--restart", "half/checkpoint.h5")
        for name in ("trajectory.csv", "trajectory.json"):
            self.assertEqual((self.folder / "full" / name).read_bytes(), (self.folder / "half" / name).read_bytes())

    def test_values_and_errors(self):
        self.write("s.toml", SPRINGS)
        self.run_json("s.toml", "--out", "o", "--set", "ω₁=3", "--set", "start.θ=0.5")
        self.assert_refused(self.varia("run", "s.toml", "--set", "ω=3"), "ω", "ω₁")
        self.write("bare.toml", SPRINGS.replace('"θ" = 0', "θ = 0"))
        self.assert_refused(self.varia("run", "bare.toml"), "bare.toml:8:1", 'stands in quotes, as in "θ" = 1')
        for old, new, place, *words in (
                ("θ_dot^2/2", "θ_dot²/2", "4:20", "'²'", "write ^2"),
                ("^2*θ^2/2", "·η", "4:44", "write *"),
                ("^2*θ^2/2", "*η", "4:45", "unknown name 'η'"),
                ("if(θ < 0, ω₁, ω₂)", "(θ < 0)", "4:30", "true or false", "if(c, a, b)"),
                ('["θ"]', '["θ²"]', "2:16", "'²'"),
                ('["θ"]', '["π"]', "2:16", "a constant")):
            self.write("bad.toml", SPRINGS.replace(old, new))
            with self.subTest(new):
                self.assert_refused(self.varia("run", "bad.toml"), f"bad.toml:{place}", *words)

    def test_a_table_that_ends(self):
        self.write("wind.csv", "t,v\n0,1\n1,2\n2,0\n2.52,1\n")
        for method in ("verlet", "gauss(2)", "rk4", "dopri5", "midpoint"):
            self.write("w.toml", WIND.replace("METHOD", method))
            with self.subTest(method):
                result = self.varia("run", "w.toml", "--out", "o")
                self.assertEqual(result.returncode, 3)
                for word in ('table("wind.csv") at 2.', "outside of its range 0 to 2.52"):
                    self.assertIn(word, result.stderr)
                self.assertNotIn("smaller", result.stderr)
                self.assertNotIn("nan", (self.folder / "o/summary.json").read_text())

    def test_a_restart_knows_the_table(self):
        self.write("w.toml", WIND.replace("METHOD", "gauss(2)"))
        self.write("wind.csv", "t,v\n0,1\n1,2\n2,0\n3.5,1\n")
        self.run_json("w.toml", "--out", "o", "--until", "1")
        self.write("wind.csv", "t,v\n0,1\n1,2\n2,0\n3.5,1.5\n")
        self.assert_refused(self.varia("run", "w.toml", "--out", "o", "--restart", "o/checkpoint.h5"),
                            "another system", "system.table.wind.csv")
        self.write("wind.csv", "t,v\n0,1\n1,2\n2,0\n3.5,1\n")
        self.run_json("w.toml", "--out", "o", "--restart", "o/checkpoint.h5")

    def test_start_values_outside_of_a_table(self):
        self.write("w.toml", WIND.replace("METHOD", "gauss(2)"))
        self.write("wind.csv", "t,v\n1,1\n2,2\n3,0\n3.5,1\n")
        self.assert_refused(self.varia("run", "w.toml"), 'table("wind.csv") at 0, outside of its range 1 to 3.5')


if __name__ == "__main__":
    unittest.main()
