# SPDX-License-Identifier: BSD-3-Clause
"""docs/reference/outputs.md and summary.json agree: what is written is documented, what is documented is written."""
import json
import re
import unittest

from program import BEAD, BODIES, KEPLER, REPOSITORY, SPIN, ProgramTest, read_csv

PAGE = (REPOSITORY / "docs/reference/outputs.md").read_text()
OPTIMUM = """[system]
coordinates = ["x"]
parameters = { m = 1 }
lagrangian = "x_dot^2/2"
force = { x = "u" }
[control]
inputs = ["u"]
cost = "u^2 + (m - 2)^2"
optimise = { m = [0, 3] }
[start]
x = 0
x_dot = 0
[end]
x = 1
x_dot = 0
[run]
method = "gauss(2)"
until = 1
steps = 5
[output]
report = false
"""
# Tables whose keys are names of the scenario.
BY_NAME = {"files", "shape", "momenta", "observe", "bodies", "points", "parameters", "q", "v", "p", "balance", "sensitivity"}


def section(title):
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def rows(title):
    """The first cell of each row of the tables of a section, and the rest."""
    found = [line.strip("| \n").split(" | ", 1) for line in section(title).splitlines() if line.startswith("| `")]
    return [(re.findall(r"`([^`]+)`", first), rest) for first, rest in found]


def keys(value, inside=""):
    """Every key of a summary, at any depth, names of the scenario apart."""
    if isinstance(value, list):
        return set().union(*[keys(item, inside) for item in value]) if value else set()
    if not isinstance(value, dict):
        return set()
    own = set() if inside in BY_NAME else set(value)
    return own.union(*[keys(item, "" if inside in BY_NAME else key) for key, item in value.items()])


class Summaries(ProgramTest):
    @classmethod
    def scenarios(cls):
        kepler = KEPLER.replace("[run]", '[[event]]\nwhen = "y"\n[diagnose]\nmodified_energy = "shadow"\nheat = "trapezoid"\n'
                                'balance = true\nlyapunov = true\nsensitivity = ["e"]\n[run]')
        yield kepler
        yield KEPLER.replace('method = "verlet"', '')
        yield KEPLER.replace("[start]", '[system.force]\nx = "-0.1*x_dot"\n[start]')
        yield KEPLER.replace('[run]', '[run]\npace = "x^2 + y^2"')
        yield KEPLER.replace('"verlet"', '"midpoint"').replace("[run]", '[run]\nkeep_energy = "minimise"') \
            .replace("step = 0.05", "step = 0.01").replace("until = 10", "steps = 20")
        yield BEAD.replace('holonomic = ["x^2 + y^2 - 1"]', 'holonomic = ["x^2 + y^2 - 1 - 0*t - 0.01*sin(t)"]') \
            .replace("[start]", "[start]\nproject = true")
        yield BODIES
        yield ('[system]\ncoordinates = ["x", "y", "a"]\nlagrangian = "(x_dot^2 + y_dot^2 + a_dot^2)/2"\n'
               'nonholonomic = ["y_dot*cos(a) - x_dot*sin(a)"]\n'
               '[start]\nx = 0\ny = 0\na = 0\nx_dot = 1\ny_dot = 0\na_dot = 1\n[run]\nmethod = "nh_lobatto(3)"\nstep = 0.1\nuntil = 5\n'
               "[output]\nreport = false\n")
        yield ('[system]\ncoordinates = ["x"]\nlagrangian = "x_dot^2/2 - x^2/2"\n[[system.term]]\npotential = "x^2/2"\n'
               '[start]\nx = 1\nx_dot = 0\n[run]\nmethod = "avi"\nstep = 0.1\nuntil = 5\n[output]\nreport = false\n')
        yield SPIN
        yield SPIN.replace("frames = 5", "frames = 5\nenergy_stationary = true")

    def all_keys(self):
        self.write("optimum.toml", OPTIMUM)
        found = keys(json.loads(self.assert_done(self.varia("optimise", "optimum.toml", "--json")).stdout))
        for text in self.scenarios():
            self.write("s.toml", text)
            found |= keys(self.run_json("s.toml"))
        return found

    def test_keys(self):
        table = rows("summary.json")
        self.assertGreater(len(table), 20)
        documented = {key for first, _ in table for key in first}
        inner = {key for _, rest in table for key in re.findall(r"`([^`]+)`", rest)}
        found = self.all_keys()
        self.assertEqual(found - documented - inner, set(), "written and not documented")
        self.assertEqual(documented - found, set(), "documented and not written")

    def test_parts_of_a_run_that_failed(self):
        self.write("comet.toml", KEPLER.replace('"verlet"', '"gauss(2)"').replace("step = 0.05", "step = 1")
                   .replace("e = 0.6", "e = 0.95").replace('"1 - e"', '"1 + e"')
                   .replace("(1 + e)/(1 - e)", "(1 - e)/(1 + e)"))
        self.assertEqual(self.varia("run", "comet.toml", "--out", "o", "--quiet").returncode, 3)
        summary = self.run_json("comet.toml", "--step", "1/512", "--out", "o", "--restart", "o/checkpoint.h5")
        self.assertEqual(keys(summary["parts"]), {"from_t", "step", "steps"})

    def test_files(self):
        """Every file of a run has a row in the first table, and the example of a CSV file is one."""
        named = {name for first, _ in rows_of_first_table() for name in first}
        self.write("kepler.toml", KEPLER + 'formats = ["h5", "csv", "json"]\n')
        self.run_json("kepler.toml", "--set", "output.report=true")
        self.assertEqual(set(self.files("out/kepler")) - named, set())
        shown = re.search(r"```text\n(t,.*)\n", section("trajectory.csv"))[1]
        header, _ = read_csv(self.folder / "out/kepler/trajectory.csv")
        self.assertEqual(header, shown.split(","))
        self.write("spin.toml", SPIN)
        self.run_json("spin.toml")
        files = {re.sub(r"_000\d", "_0000", name) for name in self.files("out/spin")}
        self.assertEqual(files - named - {"report.html"}, set())

    def test_arrays_of_snapshots(self):
        self.write("spin.toml", SPIN)
        self.run_json("spin.toml")
        written = set(re.findall(r'DataArray type="\w+" Name="(\w+)"', (self.folder / "out/spin/solid_0001.vtu").read_text()))
        documented = {name for first, _ in rows("solid_0000.vtu and solid.pvd") for name in first}
        self.assertEqual(written - {"connectivity", "offsets", "types"}, documented)


def rows_of_first_table():
    head = PAGE.split("\n## ")[0]
    found = [line.strip("| \n").split(" | ", 1) for line in head.splitlines() if line.startswith("| `")]
    return [(re.findall(r"`([^`]+)`", first), rest) for first, rest in found]


if __name__ == "__main__":
    unittest.main()
