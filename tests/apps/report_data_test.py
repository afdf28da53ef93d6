# SPDX-License-Identifier: BSD-3-Clause
"""What stands in the report of a run: which columns are drawn, and the facts."""
import base64
import re
import struct
import unittest
from collections import Counter
from math import cos, sin

from program import PENDULUM, REPOSITORY, ProgramTest

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

    # ---- [draw] and [[plot]] ----

    def outputs(self, data):
        """Those of the scene, one value for each time."""
        def values(output):
            if isinstance(output, (int, float)):
                return [output]*len(data["draw"]["t"])
            raw = base64.b64decode(output)
            return list(struct.unpack(f"<{len(raw)//4}f", raw))
        return [values(output) for output in data["draw"]["outputs"]]

    def page_example(self, number):
        page = (REPOSITORY / "docs/how-to/draw-the-mechanism.md").read_text()
        return re.findall(r"```toml\n(.*?)```", page, re.DOTALL)[number]

    def test_the_example_of_the_page(self):
        self.write("cart.toml", self.page_example(0))
        data = self.data("cart.toml", "--set", "until=2")
        draw, out = data["draw"], self.outputs(data)
        self.assertEqual(Counter(item["kind"] for item in draw["items"]), {"point": 3, "link": 3, "box": 1, "arrow": 1})
        self.assertEqual(draw["t"], data["t"])
        s, a, b, rate = (next(c["values"] for c in data["columns"] if c["name"] == name) for name in ("s", "a", "b", "s_dot"))
        lower = next(item for item in draw["items"] if item.get("name") == "lower")["places"][0]
        arrow = next(item for item in draw["items"] if item["kind"] == "arrow")["places"]
        self.assertGreater(max(a) - min(a), 0.5)
        for k in range(len(draw["t"])):
            self.assertAlmostEqual(out[lower[0]][k], s[k] + sin(a[k]) + sin(b[k]), delta=1e-5)
            self.assertAlmostEqual(out[lower[1]][k], -cos(a[k]) - cos(b[k]), delta=1e-5)
            self.assertAlmostEqual(out[arrow[1][0]][k], s[k] + 0.2*rate[k], delta=1e-5)

    def test_the_other_examples_of_the_page(self):
        chain = CHAIN.replace('"a[1..14]"]', '"x[1..14]", "y[1..14]"]\nparameters = { n = 14 }').replace("a_dot = 0", "x_dot = 0\ny = 0\ny_dot = 0.1")
        chain = chain.replace("a_dot[i]^2", "x_dot[i]^2 + y_dot[i]^2 - y[i]^2").replace("a[", "x[").replace("a = ", "x = ")
        self.write("chain.toml", chain + self.page_example(1))
        kinds = Counter(item["kind"] for item in self.data("chain.toml")["draw"]["items"])
        self.assertEqual(kinds, {"point": 14, "link": 13})
        top = (REPOSITORY / "gallery/heavy_top.toml").read_text().split("[draw]")[0]
        self.write("top.toml", top + self.page_example(2))
        draw = self.data("top.toml", "--set", "until=1")["draw"]
        self.assertEqual((draw["dimension"], [item["kind"] for item in draw["items"]]), (3, ["point", "cylinder", "link", "ground"]))

    def test_the_picture_changes_no_number(self):
        self.write("plain.toml", CHAIN)
        self.write("drawn.toml", CHAIN + '[[draw.point]]\nat = ["i + a[i]", "a_dot[i]"]\ni = [1, 14]\n[[plot]]\ny = ["energy"]\n')
        for name, folder in (("plain.toml", "p"), ("drawn.toml", "d")):
            self.assert_done(self.varia("run", name, "--out", folder))
        first, second = self.summary("p"), self.summary("d")
        for part in ("final", "energy", "observe", "momenta", "structure"):
            self.assertEqual(first[part], second[part], part)
        self.assertEqual((self.folder / "p/trajectory.h5").stat().st_size, (self.folder / "d/trajectory.h5").stat().st_size)

    def test_many_bodies_are_shown_at_fewer_records(self):
        many = CHAIN.replace("1..14", "1..3000").replace("1, 14", "1, 3000") + '[[draw.point]]\nat = ["i", "a[i]"]\ni = [1, 3000]\n'
        self.write("many.toml", many)
        draw = self.data("many.toml", "--set", "steps=2000")["draw"]
        self.assertEqual(len(draw["items"]), 3000)
        self.assertLessEqual(len(draw["t"]), 320)
        self.assertGreaterEqual(len(draw["t"]), 100)
        self.assertEqual((draw["t"][0], draw["t"][-1]), (0, 200))

    def test_two_angles_are_no_body(self):
        self.write("angles.toml", CHAIN.replace("a[1..14]", "a[1..2]").replace("1, 14", "1, 2").replace("1, 13", "1, 1").replace("a[14]", "a[2]"))
        paths = self.data("angles.toml")["paths"]
        self.assertEqual([(path["label"], path["body"]) for path in paths], [("a[2] against a[1]", False)])

    def test_plots(self):
        self.write("plots.toml", PENDULUM.replace("report = false", "report = true") + """
[[plot]]
x = "x"
y = ["x_dot", "x_dot^2/2 - energy"]
[[plot]]
histogram = "energy_error"
""")
        curves, counted = self.data("plots.toml")["plots"]
        angle, (rate, balance) = curves["values"], (curve["values"] for curve in curves["curves"])
        for x, v, b in zip(angle, rate, balance):
            self.assertAlmostEqual(b, cos(x) - 1, delta=1e-5 + abs(v)*1e-6)
        self.assertEqual(counted["values"][0], 0)
        self.assertLess(max(map(abs, counted["values"])), 0.01)
        self.assertGreater(max(map(abs, counted["values"])), 0)


if __name__ == "__main__":
    unittest.main()
