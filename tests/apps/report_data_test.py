# SPDX-License-Identifier: BSD-3-Clause
"""What stands in the report of a run: which columns are drawn, and the facts."""
import unittest
from collections import Counter

from program import PENDULUM, ProgramTest

CHAIN = """title = "Chain"
[system]
coordinates = ["a[1..14]"]
lagrangian = "sum(i, 1, 14, a_dot[i]^2 - a[i]^2)/2 - sum(i, 1, 13, (a[i+1] - a[i])^2)/2"
[system.observe]
first = "a[1]"
last = "a[14]"
[start]
a = "cos(i)"
a_dot = 0
[run]
method = "verlet"
step = 0.1
steps = 20
"""


class Report(ProgramTest):
    def data(self, scenario, *options):
        self.assert_done(self.varia("run", scenario, "--out", "o", *options))
        return self.report_data("o")

    @staticmethod
    def names(data, kind):
        return [c["name"] for c in data["columns"] if c["kind"] == kind]

    def test_twelve_columns_of_each_kind(self):
        self.write("chain.toml", CHAIN)
        data = self.data("chain.toml")
        kinds = Counter(c["kind"] for c in data["columns"])
        self.assertEqual(self.names(data, "q"), [f"a[{i}]" for i in range(1, 13)])
        self.assertEqual((kinds["v"], kinds["p"], kinds["energy_error"]), (12, 12, 1))
        self.assertEqual(self.names(data, "observe"), ["first", "last"])
        self.assertIn(["Shown", "12 of 14 coordinates"], data["facts"])

    def test_what_a_path_needs_is_drawn(self):
        """Fourteen particles in the plane: the paths of twelve, and no coordinate of the others."""
        text = CHAIN.replace('"a[1..14]"', '"x[1..14]", "y[1..14]"').replace("a_dot = 0", "x_dot = 0\ny = 0\ny_dot = 0.1")
        text = text.replace("a_dot[i]^2", "x_dot[i]^2 + y_dot[i]^2 - y[i]^2").replace("a[", "x[").replace("a = ", "x = ")
        self.write("plane.toml", text)
        data = self.data("plane.toml")
        wanted = [f"{c}[{i}]" for c in "xy" for i in range(1, 13)]
        self.assertEqual(self.names(data, "q"), wanted)
        self.assertEqual([name for path in data["paths"] for name in (path["x"], path["y"])],
                         [f"{c}[{i}]" for i in range(1, 13) for c in "xy"])

    def test_the_length_of_steps_that_change(self):
        self.write("pendulum.toml", PENDULUM.replace("report = false", "report = true"))
        self.assertNotIn("Step length", dict(self.data("pendulum.toml")["facts"]))
        fact = dict(self.data("gallery:energy_steps", "--set", "run.steps=50")["facts"])["Step length"]
        lengths, why = fact.split(", ", 1)
        length = self.summary("o")["step_length"]
        for said, value in zip(lengths.split(" to "), (length["min"], length["max"])):
            self.assertAlmostEqual(float(said)/value, 1, delta=6e-3)
        self.assertLess(length["min"], length["max"])
        self.assertEqual(why, "such that the energy is kept")


if __name__ == "__main__":
    unittest.main()
