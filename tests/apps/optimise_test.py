# SPDX-License-Identifier: BSD-3-Clause
"""varia optimise as a user meets it: known optima, files, replay, guesses, and requests that are refused."""
import json
import os
import pty
import unittest

from program import KEPLER, PROGRAM, ProgramTest, read_csv

POINT = """[system]
coordinates = ["x", "y"]
parameters = { T = 2, m = 1 }
lagrangian = "m*(x_dot^2 + y_dot^2)/2"
force = { x = "u1", y = "u2" }
[control]
inputs = ["u1", "u2"]
cost = "(u1^2 + u2^2)/2"
bounds = { u1 = [-20, 20] }
[start]
x = 0
y = 0
x_dot = 0
y_dot = 0
[end]
x = 4
y = 2
x_dot = 0
y_dot = 0
[run]
method = "lobatto(3)"
until = "T"
steps = 10
[output]
formats = ["h5", "csv"]
report = false
"""
CART = """[system]
coordinates = ["x", "a"]
lagrangian = "1.3*x_dot^2/2 + 0.15*x_dot*a_dot*cos(a) + 0.075*a_dot^2/2 + 0.3*9.81*0.5*cos(a)"
force = { x = "u" }
[control]
inputs = ["u"]
cost = "u^2"
[start]
x = 0
a = 0
x_dot = 0
a_dot = 0
[end]
x = 1
a = "pi"
x_dot = 0
a_dot = 0
[run]
method = "gauss(2)"
until = 2
steps = 30
[output]
formats = ["h5", "csv"]
report = false
"""
ROCKET = """[system]
coordinates = ["h"]
parameters = { c = 2, g = 1 }
lagrangian = "h_dot^2/2 - g*h"
force = { h = "u/m" }
[control]
inputs = ["u"]
cost = "u^2/2"
state = { m = "-u/c" }
bounds = { u = [0, 10] }
[start]
h = 0
h_dot = 0
m = 2
[end]
h = 0.3
h_dot = 0
[run]
method = "lobatto(3)"
until = 1
steps = 12
[output]
formats = ["h5", "csv"]
report = false
"""
PARTICLE = """[system]
coordinates = ["x", "y", "z"]
lagrangian = "(x_dot^2 + y_dot^2 + z_dot^2)/2"
nonholonomic = ["z_dot - y*x_dot"]
force = { x = "u", y = "w", z = "y*u" }
[control]
inputs = ["u", "w"]
cost = "(u^2 + w^2)/2"
[start]
x = 1
y = 1
z = 0
x_dot = 1
y_dot = -0.5
z_dot = 1
[end]
x = 4
y = 3
z = 1
x_dot = "-1/3"
y_dot = 0
z_dot = -1
[run]
method = "nh_lobatto(3)"
until = 5
steps = 25
[output]
formats = ["h5", "csv"]
report = false
"""
STATE = ("t", "x", "y", "z", "a", "h")


def line_of(text, part):
    return next(i for i, line in enumerate(text.splitlines(), 1) if part in line)


class Optimum(ProgramTest):
    def optimise(self, text, *arguments, code=0, name="s.toml"):
        self.write(name, text)
        done = self.varia("optimise", name, "--json", *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout)

    def columns(self, path):
        names, rows = read_csv(self.folder / path)
        return {name: [row[k] for row in rows] for k, name in enumerate(names)}


class Found(Optimum):
    def test_ipopt_finds_the_same_optimum_or_is_said_to_be_missing(self):
        text = CART.replace('cost = "u^2"', 'cost = "u^2"\nsolver = "ipopt"')
        self.write("s.toml", text)
        done = self.varia("optimise", "s.toml", "--json")
        if done.returncode != 0:
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("s.toml:", done.stderr)
            self.assertIn("coinor-libipopt-dev", done.stderr)
            return
        optimum = json.loads(done.stdout)["optimum"]
        self.assertEqual(optimum["solver"], "ipopt")
        own = self.optimise(CART, name="own.toml")["optimum"]
        self.assertLess(abs(optimum["cost"] - own["cost"]), 1e-7*own["cost"])

    def test_the_optimum_is_the_closed_form(self):
        s = self.optimise(POINT)
        optimum = s["optimum"]
        self.assertLess(abs(optimum["cost"] - 15), 1e-9, "6 d^2/T^3")
        self.assertEqual((optimum["status"], optimum["solver"], optimum["end_time"]), ("solved", "varia", 2.0))
        self.assertLess(optimum["kkt_error"], 1e-10)
        self.assertEqual(s["status"], "done")
        self.assertEqual(self.files("out/s"), ["checkpoint.h5", "controls.csv", "summary.json", "trajectory.csv", "trajectory.h5"])
        table = self.columns("out/s/trajectory.csv")
        for t, u, p in zip(table["t"], table["u1"], table["J_x_p"]):
            self.assertLess(abs(u - 6*(1 - t)), 1e-8)
            self.assertLess(abs(u + p), 1e-8, "the cost to go falls by as much as the input pushes")
        points = self.columns("out/s/controls.csv")
        self.assertEqual(len(points["t"]), 30, "three points for each step")
        self.assertEqual(points["step_part"][:3], [0, 0.5, 1])

    def test_both_spellings_and_overrides(self):
        self.write("s.toml", POINT)
        done = self.assert_done(self.varia("optimize", "s.toml", "--set", "T=4", "--out", "o", "--json"))
        self.assertLess(abs(json.loads(done.stdout)["optimum"]["cost"] - 15/8), 1e-9)
        self.assertIn("trajectory.h5", self.files("o"))
        text = self.assert_done(self.varia("optimise", "s.toml")).stdout
        for words in ("cost 15", "solved", "optimum: ", "files in out/s"):
            self.assertIn(words, text)

    def test_bounds_of_inputs_are_kept(self):
        s = self.optimise(POINT.replace("[-20, 20]", "[-4.5, 4.5]"))
        self.assertGreater(s["optimum"]["cost"], 15.01)
        u = self.columns("out/s/controls.csv")["u1"]
        self.assertLess(max(map(abs, u)), 4.5 + 1e-8)
        self.assertGreater(max(u), 4.5 - 1e-5, "the bound is reached")

    def test_a_free_end_time_and_a_free_parameter(self):
        free = POINT.replace('until = "T"\n', "").replace("[start]", "until = { free = [0.5, 10] }\n[start]", 1) \
            .replace('cost = "(u1^2 + u2^2)/2"', 'cost = "(u1^2 + u2^2)/2 + 15"')
        s = self.optimise(free)
        # 120/T^3 + 15 T is least at T^4 = 24
        self.assertLess(abs(s["optimum"]["end_time"] - 24**0.25), 1e-7)
        self.assertEqual(s["t_end"], s["optimum"]["end_time"])
        s = self.optimise(POINT.replace("[start]", "optimise = { m = [0.5, 3] }\n[start]", 1)
                          .replace('cost = "(u1^2 + u2^2)/2"', 'cost = "(u1^2 + u2^2)/2 + (m - 2)^2*1e4"'))
        # 15 m^2 + 2e4 (m - 2)^2
        self.assertLess(abs(s["optimum"]["parameters"]["m"] - 4e4/20015), 1e-6)

    def test_a_condition_at_the_end_instead_of_a_point(self):
        circle = POINT.split("[end]")[0].replace("[control]", 'end = ["x^2 + y^2 - 4", "x_dot", "y_dot"]\n[control]') \
            + "[run]" + POINT.split("[run]")[1]
        circle = 'end = ["x^2 + y^2 - 4", "x_dot", "y_dot"]\n' + circle.replace('end = ["x^2 + y^2 - 4", "x_dot", "y_dot"]\n', "") \
            .replace("[start]", 'guess = { x = "t", y = "t/2" }\n[start]')
        s = self.optimise(circle)
        self.assertLess(abs(s["optimum"]["cost"] - 3), 1e-8, "6*4/8")

    def test_the_nonholonomic_particle(self):
        s = self.optimise(PARTICLE)
        self.assertLess(abs(s["optimum"]["cost"] - 1.5111914141), 1e-10)
        self.assertLess(s["constraints"]["max_velocity"], 1e-10)
        self.optimise(PARTICLE, "--method", "nh_lobatto(4)", "--set", "run.steps=50")
        u = self.columns("out/s/controls.csv")
        self.assertLess(abs(u["u"][0] - 0.34935), 1e-5)
        self.assertLess(abs(u["w"][-1] + 1.05870), 1e-5)

    def test_a_path_condition_and_coordinates_within_bounds(self):
        wall = """[system]
coordinates = ["x"]
lagrangian = "x_dot^2/2"
force = { x = "u" }
[control]
inputs = ["u"]
cost = "u^2/2"
bounds = { x = { at_most = "1/9" } }
[start]
x = 0
x_dot = 1
[end]
x = 0
x_dot = -1
[run]
method = "lobatto(3)"
until = 1
steps = 30
[output]
formats = ["csv"]
report = false
"""
        s = self.optimise(wall)
        self.assertLess(abs(s["optimum"]["cost"] - 4), 1e-3)
        self.assertLess(max(self.columns("out/s/trajectory.csv")["x"]), 1/9 + 1e-8)
        path = wall.replace('bounds = { x = { at_most = "1/9" } }', 'path = [{ g = "9*x", at_most = 1 }]')
        self.assertLess(abs(self.optimise(path)["optimum"]["cost"] - s["optimum"]["cost"]), 1e-6)


class Replay(Optimum):
    def largest_difference(self, one, other):
        a, b = self.columns(one), self.columns(other)
        self.assertEqual(len(a["t"]), len(b["t"]))
        # multipliers of an optimum are those of the equations of motion, those of a run go from step to step
        names = [name for name in a if name in b and not name.startswith(("J_", "lambda"))]
        return max(abs(x - y) for name in names for x, y in zip(a[name], b[name]))

    def test_inputs_replayed_give_the_motion_of_the_optimum(self):
        for name, text in {"point": POINT, "cart": CART, "particle": PARTICLE, "rocket": ROCKET}.items():
            with self.subTest(name):
                self.optimise(text, "--out", f"{name}_o")
                done = self.varia("run", "s.toml", "--controls", f"{name}_o/trajectory.h5", "--out", f"{name}_r", "--json")
                self.assert_done(done)
                self.assertLess(self.largest_difference(f"{name}_o/trajectory.csv", f"{name}_r/trajectory.csv"), 1e-10)
                self.assertNotIn("optimum", json.loads(done.stdout))

    def test_another_method_comes_close(self):
        self.optimise(CART, "--out", "o")
        s = json.loads(self.assert_done(self.varia("run", "s.toml", "--controls", "o/trajectory.h5", "--json",
                                                   "--method", "gauss(4)", "--set", "run.steps=300")).stdout)
        error = abs(s["final"]["q"]["x"] - 1)
        self.assertLess(error, 0.1)
        self.assertGreater(error, 1e-8, "it is another discretisation")

    def test_files_that_do_not_fit(self):
        self.optimise(POINT, "--out", "o")
        self.write("k.toml", KEPLER)
        self.assert_done(self.varia("run", "k.toml", "--out", "k"))
        self.assert_refused(self.varia("run", "k.toml", "--controls", "o/trajectory.h5"), "k.toml has none", "[control]")
        self.assert_refused(self.varia("run", "s.toml", "--controls", "k/trajectory.h5"), "has no inputs", "varia optimise")
        self.write("c.toml", CART)
        self.assert_refused(self.varia("run", "c.toml", "--controls", "o/trajectory.h5"), "its inputs are u1, u2", "of the scenario u")
        self.assert_refused(self.varia("run", "s.toml", "--controls", "nothing.h5"), "nothing.h5", code=4)


class Guesses(Optimum):
    def test_guesses_lead_to_the_same_optimum(self):
        base = self.optimise(CART, "--out", "first")["optimum"]
        for guess in ('guess = { x = "t/2", a = "pi*t/2", u = "sin(t)" }', 'guess = { file = "first/trajectory.h5" }',
                      'continue = { "run.steps" = [25, 40] }'):
            with self.subTest(guess):
                found = self.optimise(CART.replace("[start]", f"{guess}\n[start]", 1))["optimum"]
                self.assertLess(abs(found["cost"] - base["cost"]), 1e-6)
                if "file" in guess:
                    self.assertLess(found["iterations"], base["iterations"])

    def test_continuation_in_a_parameter(self):
        found = self.optimise(POINT.replace("[start]", "continue = { T = [8, 4] }\n[start]", 1))
        self.assertLess(abs(found["optimum"]["cost"] - 15), 1e-9)

    def test_a_rollout(self):
        found = self.optimise(POINT.replace("[start]", 'guess = { rollout = true, u1 = "1" }\n[start]', 1))
        self.assertLess(abs(found["optimum"]["cost"] - 15), 1e-9)


class Failure(Optimum):
    def test_no_optimum(self):
        s = self.optimise(CART, "--set", "control.iterations=3", code=3)
        self.assertEqual((s["status"], s["optimum"]["status"]), ("failed", "iterations"))
        self.assertIn("no optimum was found", s["message"])
        self.assertIn("trajectory.h5", self.files("out/s"), "what was reached is written")
        status = {v["name"]: v["status"] for v in s["verdicts"]}
        self.assertEqual(status["optimum"], "bad")

    def test_an_end_that_cannot_be_reached(self):
        s = self.optimise(POINT.replace("[-20, 20]", "[-2, 2]"), code=3)
        self.assertEqual(s["optimum"]["status"], "infeasible")


class Terminal(Optimum):
    def test_a_line_of_progress(self):
        self.write("s.toml", CART)
        parent, child = pty.openpty()
        import subprocess
        done = subprocess.run([PROGRAM, "optimise", "s.toml"], cwd=self.folder, stderr=child, stdout=subprocess.PIPE, check=False,
                              env=self.environment(TERM="xterm"), timeout=300)
        os.close(child)
        shown = os.read(parent, 65536).decode()
        os.close(parent)
        self.assertEqual(done.returncode, 0)
        for word in ("iteration 1", "cost", "infeasibility"):
            self.assertIn(word, shown)


class Report(Optimum):
    def test_inputs_bounds_costates_and_convergence(self):
        self.optimise(POINT.replace("report = false", 'report = true\n[[draw.point]]\nat = ["x", "y"]'))
        data = self.report_data("out/s")
        kinds = {}
        for column in data["columns"]:
            kinds.setdefault(column["kind"], []).append(column["name"])
        self.assertEqual(kinds["input"], ["u1", "u2"])
        self.assertEqual(kinds["costate"], ["J_x", "J_y", "J_x_p", "J_y_p"])
        self.assertEqual(data["optimum"]["bounds"], {"u1": [-20, 20], "u2": [None, None]})
        self.assertGreater(len(data["optimum"]["history"]), 1)
        self.assertIn("draw", data)


class Refused(Optimum):
    def refused(self, text, at, key, *words, verb="optimise"):
        self.write("s.toml", text)
        done = self.varia(verb, "s.toml")
        self.assert_refused(done, f"varia: s.toml:{line_of(text, at)}:", f" {key}: ", *words)
        self.assertFalse((self.folder / "out").exists(), "a refused request writes nothing")

    def changed(self, old, new, at, key, *words, text=POINT):
        self.assertIn(old, text)
        self.refused(text.replace(old, new, 1), at, key, *words)

    def test_other_verbs(self):
        for verb in ("run", "check"):
            self.refused(POINT, "[control]", "control", "varia optimise", "--controls", verb=verb)
        self.write("k.toml", KEPLER)
        self.assert_refused(self.varia("optimise", "k.toml"), "control: missing", "[control]")
        shown = self.assert_done(self.varia("show", "s.toml")).stdout
        for word in ("Inputs       u1, u2", "Cost", "(u1^2 + u2^2)/2", "-20 <= u1 <= 20"):
            self.assertIn(word, shown)

    def test_inputs(self):
        self.changed('"u1", "u2"]', '"u1", "u2", "w"]', "inputs =", "control.inputs[3]", "occurs in no force", "moves nothing")
        self.changed('"u1", "u2"]', '"u1", "u2", "x"]', "inputs =", "control.inputs[3]", "already", "choose another name")
        self.changed('inputs = ["u1", "u2"]', "inputs = []", "inputs =", "control.inputs", "at least one")
        self.changed('y = "u2"', 'y = "u3"', "force =", "system.force.y", "u3", "u2")
        self.changed('"m*(x_dot^2', '"u1*m*(x_dot^2', "lagrangian", "system.lagrangian", "is an input", "forces")

    def test_bounds(self):
        self.changed("[-20, 20]", "[20, -20]", "bounds", "control.bounds.u1", "contradict", "20", "-20")
        self.changed("u1 = [-20", "v1 = [-20", "bounds", "control.bounds.v1", "Did you mean u1?")
        self.changed("u1 = [-20, 20]", "x = [1, 5]", "x = 0", "start.x", "starts at 0", "lower bound 1")
        self.changed("u1 = [-20, 20]", "x = { at_most = 3 }", "x = 4", "end.x", "ends at 4", "upper bound 3")
        self.changed("[-20, 20]", "[20]", "bounds", "control.bounds.u1", "a lower and an upper bound", "at_most")
        self.changed("[-20, 20]", "{ }", "bounds", "control.bounds.u1", "bounds nothing")

    def test_ends(self):
        self.changed("[run]", 'conditions = ["x - 4"]\n[run]', "[end]", "end", "5 conditions", "4 numbers")
        self.changed("x = 4", "xx = 4", "xx = 4", "end.xx", "Did you mean x?")
        self.changed("x = 4", 'x = "t"', 'x = "t"', "end.x", "t")
        self.changed("[run]", 'conditions = ["m - 1"]\n[run]', "conditions", "end.conditions[1]", "says nothing")
        self.refused(KEPLER + "[end]\nx = 1\n", "[end]", "end", "without control", verb="run")

    def test_time(self):
        self.changed("steps = 10\n", "", "[run]", "run.steps", "missing")
        self.changed('until = "T"', "step = 0.1", "[run]", "run.until", "missing", "free")
        self.changed("steps = 10", "steps = 10\nstep = 0.1", "step = 0.1", "run.step", "run.steps")
        self.changed("[start]", "until = { free = [1, 2] }\n[start]", 'until = "T"', "run.until", "control.until", "guess")
        self.changed('until = "T"', "until = -1", "until = -1", "run.until", "after the start")

    def test_cost_and_guess(self):
        self.changed('cost = "(u1^2 + u2^2)/2"\n', "", "[control]", "control.cost", "missing", "final_cost")
        self.changed('/2"\nbounds', '/2 + log(-1 - x^2)"\nbounds', "cost =", "control.cost", "has no value along the guess", "log", "guess")
        self.changed("[start]", 'guess = { xx = "t" }\n[start]', "guess", "control.guess.xx", "Did you mean x?")
        self.write("s.toml", POINT.replace("[start]", 'guess = { file = "none.h5" }\n[start]', 1))
        self.assert_refused(self.varia("optimise", "s.toml"), "none.h5", code=4)
        self.changed("[start]", "continue = { TT = [5] }\n[start]", "continue", "control.continue.TT", "neither a parameter")
        self.changed("[start]", "continue = { T = [5], m = [1, 2] }\n[start]", "continue", "control.continue.m", "side by side")

    def test_a_trajectory_of_another_system_as_guess(self):
        self.write("c.toml", CART)
        self.assert_done(self.varia("optimise", "c.toml", "--out", "c"))
        self.write("s.toml", POINT.replace("[start]", 'guess = { file = "c/trajectory.h5" }\n[start]', 1))
        self.assert_refused(self.varia("optimise", "s.toml"), "control.guess.file: ", "has no y", "another system")

    def test_methods_without_stages(self):
        self.changed('"lobatto(3)"', '"rk4"', "method =", "run.method", "method of stages", "gauss(s)")


if __name__ == "__main__":
    unittest.main()
