# SPDX-License-Identifier: BSD-3-Clause
"""Every kind of bad scenario ends with code 2 and a message with place, key, finding, and what is allowed."""
import json
import subprocess
import unittest

from program import BEAD, BODIES, KEPLER, PENDULUM, PROGRAM, ProgramTest

METHODS = ("euler_a, euler_b, midpoint, trapezoid, symmetrised, newmark, verlet, gauss, lobatto, nh_lobatto, nh_lobatto_sym, dla, galerkin, "
           "trigonometric, shooting, taylor, discrete_lagrangian, triple_jump")


def line_of(text, part):
    """The number of the first line that holds the part."""
    return next(i for i, line in enumerate(text.splitlines(), 1) if part in line)


class BadScenario(ProgramTest):
    def refused(self, text, at, key, *words, verb="run"):
        """The scenario is refused at the line with the text `at`, for the key, with these words."""
        self.write("s.toml", text)
        place = f"varia: s.toml:{line_of(text, at)}:"
        done = self.varia(verb, "s.toml")
        self.assert_refused(done, place, f" {key}: ", *words)
        self.assertFalse((self.folder / "out").exists(), "a refused request writes nothing")
        return done.stderr

    def changed(self, old, new, at, key, *words, text=KEPLER):
        self.assertEqual(text.count(old), 1, old)
        return self.refused(text.replace(old, new), at, key, *words)


class Keys(BadScenario):
    def test_unknown_key(self):
        self.changed("step = 0.05", "stepp = 0.05", "stepp", "run.stepp", "unknown key", "Did you mean step?",
                     "allowed: constraints, dependent_constraints, evaluation, every, keep_energy, method, multiplier, pace, projection, reconstruct, retraction, solver, start_multipliers, step, steps, "
                     "tolerance, ... (17 in all)")
        self.changed("report = false", "raport = false", "raport", "output.raport", "Did you mean report?")
        self.changed('title = "Kepler"', "titel = 1", "titel", "titel", "Did you mean title?")
        self.changed("[output]", "[outptu]", "[outptu]", "outptu", "Did you mean output?")
        self.changed("[system.observe]", "[system.obsreve]", "[system.obsreve]", "system.obsreve", "observe")

    def test_wrong_type(self):
        self.changed("step = 0.05", "step = [0.05]", "step = [", "run.step", "must be a number or an expression",
                     "list")
        self.changed("report = false", 'report = "no"', "report", "output.report", "true or false", '"no"')
        self.changed('["x", "y"]', '"x"', "coordinates", "system.coordinates", "list")

    def test_missing_key(self):
        self.changed("until = 10\n", "", "[run]", "run.until", "run.steps")
        text = self.changed('coordinates = ["x", "y"]\n', "", "[system]", "system.coordinates", "missing")
        self.assertIn('coordinates = ["x", "y"]', text, "with an example")

    def test_equations_of_motion(self):
        needed = ("equations of motion are not stated", "lagrangian", "hamiltonian", "gallery:lorenz")
        for key in ("equations", "ode", "x_dot", "dxdt", "dx_dt", '"x\'"', "rhs", "dynamics", "Equations"):
            with self.subTest(key):
                self.changed('coordinates = ["x", "y"]', f'{key} = "y"\ncoordinates = ["x", "y"]', key,
                             f"system.{key.strip(chr(34))}", *needed)
        self.refused("[equations]\nx_dot = \"10*(y - x)\"\n[start]\nx = 1\n[run]\nuntil = 1\n", "[equations]", "equations", *needed)
        self.changed("step = 0.05", "step = 0.05\nrates = 1", "rates", "run.rates", "unknown key")

    def test_step_longer_than_the_run(self):
        self.changed("step = 0.05", "step = 11", "step = 11", "run.step", "longer than the run", "until = 10", "at most 10")
        self.changed("until = 10", "until = 0.01", "step = 0.05", "run.step", "longer than the run")

    def test_tolerance(self):
        self.changed("step = 0.05", "step = 0.05\ntolerance = 1e-8", "tolerance", "run.tolerance", "step = 0.05", "leave the step out")
        self.changed("step = 0.05", "tolerance = 0", "tolerance", "run.tolerance", "greater than 0")
        self.changed("step = 0.05", "tolerance = 3", "tolerance", "run.tolerance", "less than 1")
        self.changed("step = 0.05", "tolerance = 1e-20", "tolerance", "run.tolerance", "cannot be reached with verlet")
        self.changed("step = 0.05", "tolerence = 1e-8", "tolerence", "run.tolerence", "Did you mean tolerance?")

    def test_both_of_two(self):
        self.changed("until = 10", "until = 10\nsteps = 5", "steps = 5", "run.steps", "run.until", "one of them")
        self.changed('lagrangian = ', 'hamiltonian = "x_p^2"\nlagrangian = ', "hamiltonian", "system.hamiltonian",
                     "system.lagrangian", "one of them")

    def test_formats(self):
        self.changed("report = false", 'formats = ["hdf5"]', "hdf5", "output.formats[1]", '"hdf5"',
                     "allowed: h5, csv, json")
        self.changed("report = false", 'formats = ["csv", "vtu"]', "vtu", "output.formats[2]", "solids only",
                     "h5, csv, json")

    def test_overrides(self):
        self.write("s.toml", KEPLER)
        cases = {"mv=2": ("mv", "mu, e", "Did you mean mu?"), "run.stp=1": ("run.stp", "Did you mean step?"),
                 "mu": ("name=value",), "run.step=0": ("run.step", "not be 0"), "run.every=x": ("run.every",
                                                                                                "whole number"),
                 "run.step=abc": ("run.step", "'abc'", "mu")}
        for change, words in cases.items():
            with self.subTest(change):
                self.assert_refused(self.varia("run", "s.toml", "--set", change), "varia: --", *words)
        for option in ("--step", "--every", "--until", "--method"):
            with self.subTest(option):
                done = self.varia("run", "s.toml", option, "abc")
                self.assert_refused(done, f"varia: {option} abc: run.{option[2:]}: ")


class Expressions(BadScenario):
    def test_unknown_name_with_caret(self):
        message = self.changed("mu/sqrt", "nu/sqrt", "nu/sqrt", "system.lagrangian", "unknown name 'nu'", "'mu'",
                               "e, mu, t, x, x_dot, y, y_dot")
        lines = message.splitlines()
        self.assertEqual(lines[-2][lines[-1].index("^"):][:3], "nu/", message)

    def test_unknown_function(self):
        self.changed("mu/sqrt", "mu/sqr", "mu/sqr(", "system.lagrangian", "unknown function 'sqr'", "'sqrt'")

    def test_names_of_other_parts(self):
        """Momenta in a Lagrangian, velocities in a constraint: known names that may not stand there."""
        self.changed("x_dot^2 +", "x_p^2 +", "lagrangian", "system.lagrangian", "'x_p'")
        self.changed("x^2 + y^2 - 1", "x_dot - 1", "holonomic", "system.holonomic[1]", "'x_dot'", text=BEAD)
        self.changed("sqrt(x^2 + y^2)\"\n[start]", "sqrt(z)\"\n[start]", "sqrt(z)", "system.observe.radius", "'z'")
        self.changed('"1 - e"', '"1 - y"', '"1 - y"', "start.x", "'y'")

    def test_syntax(self):
        for expression in ("x_dot^2/2 +", "(x_dot^2", "x_dot^2)", "2 x_dot", "x_dot = 1", "x_dot^2 $ 2", "sin()",
                           "sin(1, 2)",
                           "sum(i, 1, x, q)", "", "\u00e9"):
            with self.subTest(expression):
                text = PENDULUM.replace("x_dot^2/2 - (1 - cos(x))", expression)
                self.refused(text, "lagrangian", "system.lagrangian")

    def test_index_out_of_range(self):
        text = PENDULUM.replace('["x"]', '["q[1..4]"]').replace("x_dot^2/2 - (1 - cos(x))",
                                                                "sum(i, 1, 4, q_dot[i]^2 - q[i+1])")
        text = text.replace("x = 1.5\nx_dot = 0", "q = 0\nq_dot = 0")
        self.refused(text, "lagrangian", "system.lagrangian", "index 5", "q[1..4]")

    def test_nesting(self):
        for deep in ("("*100000 + "x" + ")"*100000, "("*100000, "sin("*100000, "2^"*100000 + "x"):
            with self.subTest(deep[:4]):
                self.changed("mu/sqrt(x^2 + y^2)", deep, "lagrangian", "system.lagrangian", "nested", "400")
        self.write("s.toml", "a = " + "["*100000)
        self.assert_refused(self.varia("run", "s.toml"), "s.toml:1:", "TOML")

    def test_message_is_short(self):
        self.write("s.toml", KEPLER.replace("mu/sqrt(x^2 + y^2)", "("*100000))
        self.assertLess(len(self.varia("run", "s.toml").stderr), 1000)


class Parameters(BadScenario):
    OLD = "{ mu = 1.0, e = 0.6 }"

    def test_cycle(self):
        self.changed(self.OLD, '{ mu = "2*e", e = "mu/2" }', "parameters", "system.parameters.mu", "parameter e",
                     "cycle")
        self.changed(self.OLD, '{ mu = "2*mu", e = 0.6 }', "parameters", "system.parameters.mu", "itself")

    def test_name_taken(self):
        self.changed(self.OLD, "{ mu = 1.0, e = 0.6, x = 2 }", "parameters", "system.parameters.x", "coordinate")
        self.changed(self.OLD, "{ mu = 1.0, e = 0.6, sin = 2 }", "parameters", "system.parameters.sin", "function")

    def test_not_finite(self):
        self.changed(self.OLD, '{ mu = 1.0, e = "1/0" }', "parameters", "system.parameters.e", "division by zero")
        self.changed(self.OLD, "{ mu = nan, e = 0.6 }", "parameters", "system.parameters.mu", "finite", "nan")


class Start(BadScenario):
    def test_missing_value(self):
        self.changed("y = 0\n", "", "[start]", "start.y", "missing")
        self.changed("x_dot = 0\n", "", "[start]", "start.x_dot", "missing", "momentum")

    def test_velocities_and_momenta(self):
        self.changed("x_dot = 0\n", "x_dot = 0\nx_p = 0\n", "x_p = 0", "start.x_p", "x_dot", "momenta for all")
        self.changed("x_dot = 0\n", "x_p = 0\n", "x_p =", "start.x_p", "y_dot", "momenta for all")

    def test_unknown_value(self):
        self.changed("y = 0\n", "y = 0\nz = 0\n", "z = 0", "start.z")
        self.changed("x_dot = 0\n", "x_dto = 0\n", "x_dto", "start.x_dto", "x_dot")

    def test_division_by_zero(self):
        self.changed('x = "1 - e"', "x = 0", "lagrangian", "system.lagrangian", "at the start", "division by zero",
                     "sqrt(x^2 + y^2)")

    def test_division_by_zero_with_momenta(self):
        text = KEPLER.replace('x = "1 - e"', "x = 0").replace("x_dot = ", "x_p = ").replace("y_dot = ", "y_p = ")
        self.refused(text, "lagrangian", "system.lagrangian", "at the start", "division by zero")

    def test_division_by_zero_in_force_and_function(self):
        self.changed("[system.observe]", '[system.force]\nx = "1/y"\n[system.observe]', 'x = "1/y"', "system.force.x",
                     "at the start", "division by zero")
        self.changed("sqrt(x^2 + y^2)\"\n[start]", "1/y\"\n[start]", 'radius = "1/y"', "system.observe.radius",
                     "division by zero")

    def test_off_the_constraint(self):
        self.changed("x = 1\n", "x = 1.1\n", "[start]", "start", "off the constraint", "0.21", "project = true",
                     text=BEAD)
        self.changed("x_dot = 0\n", "x_dot = 0.1\n", "[start]", "start", "velocity", "0.2", "project = true", text=BEAD)

    def test_projection(self):
        text = BEAD.replace("x = 1\n", "project = true\nx = 1.1\n").replace("x_dot = 0\n", "x_dot = 0.1\n")
        self.write("s.toml", text)
        s = self.run_json("s.toml")
        self.assertLess(s["constraints"]["max_position"], 1e-12)
        self.assertLess(s["constraints"]["max_velocity"], 1e-12)
        told = "".join(s["warnings"])
        self.assertIn("the start was moved onto the constraints (project = true): ", told)
        for name in ("x from 1.1 to ", "x_dot from 0.1 to "):
            self.assertIn(name, told)
        self.assertEqual(s["moved"]["q"]["x"]["from"], 1.1)
        self.assertEqual(s["moved"]["v"]["x_dot"]["from"], 0.1)

    def test_dependent_constraints(self):
        self.changed('["x^2 + y^2 - 1"]', '["x^2 + y^2 - 1", "2*x^2 + 2*y^2 - 2"]', "holonomic", "system.holonomic[1]",
                     "dependent",
                     text=BEAD)

    def test_too_many_constraints(self):
        self.changed('["x^2 + y^2 - 1"]', '["x - 1", "y", "x + y - 1"]', "holonomic", "system.holonomic[3]", "3", "2",
                     text=BEAD)

    def test_rotation_start(self):
        text = """[system]
coordinates = [{ name = "R", space = "SO3" }]
lagrangian = "(R_w1^2 + R_w2^2 + R_w3^2)/2"
[start]
R = { matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 2]] }
R_w1 = 0
R_w2 = 0
R_w3 = 1
[run]
method = "midpoint"
step = 0.1
until = 1
"""
        self.refused(text, "R = {", "start.R", "not a rotation")
        old = "{ matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 2]] }"
        self.changed(old, "{ quaternion = [0, 0, 0, 0] }", "R = {", "start.R", "zero", text=text)
        self.changed(old, "{ angle_axis = [0, 0] }", "R = {", "start.R.angle_axis", "3", text=text)
        self.changed(old, "1", "R = 1", "start.R", "angle_axis", "quaternion", "matrix", text=text)


class System(BadScenario):
    def test_duplicate_coordinate(self):
        self.changed('["x", "y"]', '["x", "y", "x"]', "coordinates", "system.coordinates[3]",
                     "x is already a coordinate")

    def test_singular_mass(self):
        self.changed("(x_dot^2 + y_dot^2)/2", "(x_dot + y_dot)^2/2", "lagrangian", "system.lagrangian", "d2L/dv2",
                     "singular")
        self.changed("(x_dot^2 + y_dot^2)/2", "x_dot^2/2", "lagrangian", "system.lagrangian", "singular")

    def test_degenerate_lagrangian(self):
        self.changed("(x_dot^2 + y_dot^2)/2", "x*y_dot - y*x_dot", "x_dot =", "start.x_dot", "linear in the velocities",
                     "positions alone")

    def test_force_on_unknown_coordinate(self):
        self.changed("[system.observe]", '[system.force]\nz = "-x"\n[system.observe]', 'z = "-x"', "system.force.z",
                     "no such coordinate", "x, y")

    def test_symmetry_that_is_none_is_told(self):
        self.write("s.toml", KEPLER.replace('rotation = { x = "-y", y = "x" }', 'shift = { x = "1" }'))
        s = self.run_json("s.toml")
        (verdict,) = [v for v in s["verdicts"] if v["name"] == "shift"]
        self.assertEqual(verdict["status"], "note")
        self.assertIn("'shift' is not a symmetry", verdict["text"])
        done = self.assert_done(self.varia("show", "s.toml"))
        self.assertRegex(done.stdout, r"shift.*not")

    def test_symmetry_of_unknown_coordinate(self):
        self.changed('{ x = "-y", y = "x" }', '{ z = "-y" }', "rotation", "system.symmetry.rotation.z", "x, y")

    def test_nonholonomic(self):
        def refused(phis, at, key, *words, text=BEAD):
            self.changed('holonomic = ["x^2 + y^2 - 1"]', f"nonholonomic = {phis}", at, key, *words, text=text)
        first = "system.nonholonomic[1]"
        refused('["y*y_dot - x_dot"]', "nonholonomic", first, "is the rate of a function", "holonomic")
        refused('["y - x"]', "nonholonomic", first, "does not depend on any velocity", "holonomic")
        refused('["y_dot - z_dot"]', "nonholonomic", first, "'z_dot'")
        refused('["x*y_dot - y*x_dot"]', "[start]", "start", "nonholonomic constraint 1", "Phi = 0.5", "project = true")
        refused('["y_dot*y*x"]', "method", "run.method", "gauss(2)", "nonholonomic", "nh_lobatto(s)",
                text=BEAD.replace("lobatto(3)", "gauss(2)"))
        refused('["x*x_dot + y_dot*y*x", "2*x*x_dot + 2*y_dot*y*x"]', "nonholonomic", first, "dependent", "2*x*x_dot")

    def test_hamiltonian_without_a_lagrangian(self):
        text = KEPLER.replace('lagrangian = "(x_dot^2 + y_dot^2)/2 + mu/sqrt(x^2 + y^2)"',
                              'hamiltonian = "x_p^4 + y_p^2/2"')
        self.refused(text, "[start]", "start", "momenta", "x_p")
        text = text.replace("x_dot =", "x_p =").replace("y_dot =", "y_p =")
        self.changed('y_p^2/2"', 'y_p^2/2"\nforce = { x = "1" }', "x = \"1\"", "system.force.x", "without forces",
                     text=text)

    def test_spaces(self):
        self.changed('["x", "y"]', '["x", "y", { name = "g", space = "SO4" }]', "coordinates",
                     "system.coordinates[3].space", '"SO4"', "allowed: R, SO2, SO3, SE2, SE3, S2", "Did you mean SO2?")

    def test_points_off_the_sphere(self):
        for start, at, *words in (("n = [0.6, 0, 0.81]\nn_dot = [0, 1, 0]", "n = [", "start.n", "off the sphere", "1.008", "divide"),
                                  ("n = [0, 0, 0]\nn_dot = [0, 1, 0]", "n = [", "start.n", "off the sphere", "length is 0"),
                                  ("n = [1, 0, 0]\nn_dot = [0.25, 1, 0]", "n_dot = ", "start.n_dot", "not tangent", "0.25", "subtract"),
                                  ("n = [1, 0]\nn_dot = [0, 1, 0]", "n = [", "start.n", "must have 3 entries, found 2"),
                                  ("n = [1, 0, 0]\nn_dot = 1", "n_dot = ", "start.n_dot", "a list of 3 numbers")):
            with self.subTest(start=start):
                self.refused('[system]\ncoordinates = [{ name = "n", space = "S2" }]\n'
                             'lagrangian = "n1_dot^2 + n2_dot^2 + n3_dot^2"\n'
                             f'[start]\n{start}\n[run]\nmethod = "gauss(2)"\nstep = 0.1\nsteps = 1\n', at, *words)

    def test_points_that_are_none(self):
        rates = "".join(f"g_{rate} = 0\n" for rate in ("w1", "w2", "w3", "v1", "v2", "v3"))
        for point, *words in (("{ position = [0, 0, 0], quaternion = [0, 0, 0, 0] }", "the quaternion is zero"),
                              ("{ position = [0, 0, 0], matrix = [[1, 0, 0], [0, 1, 0], [0, 0, -1]] }",
                               "not a rotation", "determinant is -1"),
                              ("{ quaternion = [1, 0, 0, 0] }", "g is a motion", "position = [x, y, z]"),
                              ("[0, 0, 0]", "g is a motion", "quaternion = [w, x, y, z]"),
                              ("{ position = [0, 0, 0], angle_axis = [0, 0, 0], matrix = [[1], [2], [3]] }",
                               "found position, angle_axis, matrix")):
            with self.subTest(point=point):
                self.refused('[system]\ncoordinates = [{ name = "g", space = "SE3" }]\n'
                             'lagrangian = "g_w1^2 + g_w2^2 + g_w3^2 + g_v1^2 + g_v2^2 + g_v3^2"\n'
                             f'[start]\ng = {point}\n{rates}[run]\nmethod = "gauss(2)"\nstep = 0.1\nsteps = 1\n',
                             "g = ", "start.g", *words)
        self.refused('[system]\ncoordinates = [{ name = "g", space = "SE2" }]\nlagrangian = "g_v1^2 + g_v2^2 + g_w^2"\n'
                     '[start]\ng = { x = 0, theta = 0 }\ng_v1 = 0\ng_v2 = 0\ng_w = 0\n'
                     '[run]\nmethod = "gauss(2)"\nstep = 0.1\nsteps = 1\n', "g = ", "start.g",
                     "a motion of the plane", "{ x = 0, y = 0, theta = 0 }", "found x, theta")

    def test_solid(self):
        self.refused('[solid]\nplane = "strain"\n', "[solid]", "solid.mesh", "missing", "generate")
        self.refused(KEPLER + '[solid]\nplane = "strain"\n', "[solid]", "solid", "given together with system")


class Run(BadScenario):
    def test_step(self):
        self.changed("step = 0.05", "step = 0", "step = 0", "run.step", "0")
        self.changed("step = 0.05", 'step = "e - 0.6"', "step =", "run.step", "0")
        self.changed("step = 0.05", "step = nan", "step =", "run.step", "finite")
        self.changed("step = 0.05", "step = 1e-300", "step =", "run.step", "too small")

    def test_until_before_t(self):
        self.changed("until = 10", "until = -1", "until", "run.until", "-1", "before t = 0")
        self.changed("x_dot = 0\n", "x_dot = 0\nt = 50\n", "until", "run.until", "before t = 50")
        self.changed("step = 0.05", "step = -0.05", "until", "run.until", "-0.05")

    def test_every_and_steps(self):
        self.changed("until = 10", "until = 10\nevery = 0", "every", "run.every", "greater than 0")
        self.changed("until = 10", "steps = -3", "steps", "run.steps", "greater than 0")
        self.changed("until = 10", "steps = 1.5", "steps", "run.steps", "whole number")

    def test_unknown_method(self):
        self.changed('"verlet"', '"gaus(2)"', "method", "run.method", "no method 'gaus'", METHODS, "ean gauss?")
        self.changed('"verlet"', '"spark"', "method", "run.method", "'spark' is not available yet", METHODS)
        self.changed('"verlet"', '"sem(0.5)"', "method", "run.method", "keep_energy", "midpoint")

    def test_method_parameters(self):
        self.changed('"verlet"', '"gauss"', "method", "run.method", "gauss", "'s'")
        self.changed('"verlet"', '"gauss(0)"', "method", "run.method", "at least 1")
        self.changed('"verlet"', '"gauss(two)"', "method", "run.method", "two")
        self.changed('"verlet"', '"gauss(2, 3)"', "method", "run.method", "gauss")
        self.changed('"verlet"', '"midpoint(beta=1)"', "method", "run.method", "beta", "alpha")
        self.changed('"verlet"', '"gauss(2"', "method", "run.method", "gauss(2")

    def test_method_that_does_not_apply(self):
        """Each message names methods that do, and those indeed run."""
        for method in ("gauss(2)", "gauss(3)", "galerkin(2, gauss:2)"):
            self.changed('"lobatto(3)"', f'"{method}"', "method", "run.method", method, "constraints", "lobatto(s)",
                         "verlet",
                         text=BEAD)
        for method in ("rk4", "dopri5", "explicit_euler"):
            self.changed('"lobatto(3)"', f'"{method}"', "method", "run.method", method, "constraints", "lobatto(s)",
                         "verlet",
                         text=BEAD)
        self.write("s.toml", BEAD)
        for method in ("lobatto(3)", "lobatto(4)", "verlet"):
            self.run_json("s.toml", "--method", method)

    def test_baseline_on_a_group(self):
        done = self.varia("run", "gallery:heavy_top", "--method", "rk4")
        self.assert_refused(done, "run.method", "rk4", "Lie group", "varia list methods")

    def test_other_verbs_refuse_too(self):
        for verb in ("check", "show"):
            self.refused(KEPLER.replace("mu/sqrt", "nu/sqrt"), "nu/sqrt", "system.lagrangian", "'mu'", verb=verb)
        self.write("s.toml", BEAD)
        self.assert_refused(self.varia("check", "s.toml", "--method", "gauss(2)"), "run.method", "lobatto(s)")
        self.assert_refused(self.varia("compare", "s.toml", "--methods", "verlet, gauss(2)"), "gauss(2)", "lobatto(s)")


class Bodies(BadScenario):
    def test_bodies(self):
        self.changed('mass = 2', 'mass = "1 - l"', '"1 - l"', "system.body[2].mass", "greater than 0", text=BODIES)
        self.changed('"l^2/6"', '"k^2/6"', '"k^2/6"', "system.body[2].inertia", "unknown name 'k'", text=BODIES)
        self.changed('mass = 2', 'mas = 2', "mas = 2", "system.body[2].mas", "Did you mean mass?", text=BODIES)

    def test_joints(self):
        self.changed('"A.tip", "B', '"A.tpi", "B', "A.tpi", "system.joint[2].between[1]", "Did you mean tip?", text=BODIES)
        self.changed('"ground", "A', '"groud", "A', "groud", "system.joint[1].between[1]", "Did you mean ground?", text=BODIES)
        self.changed("x = 1.5", "x = 1.6", "[start]", "start", "off the constraint (hinge A.tip - B.base)",
                     "project = true", text=BODIES)
        self.changed("gravity = 1", "gravity = [0, 0, -1]", "gravity", "system.gravity", "list of 2", text=BODIES)


class Files(BadScenario):
    def test_directory(self):
        (self.folder / "d").mkdir()
        self.assert_refused(self.varia("run", "d"), "d: ", "directory", code=4)

    def test_missing(self):
        self.assert_refused(self.varia("run", "none.toml"), "none.toml", "No such file", code=4)

    def test_gallery_name(self):
        self.assert_refused(self.varia("run", "gallery:keplr"), "gallery:keplr", "Did you mean kepler?", "toda")

    def test_name_with_line_breaks_or_escapes(self):
        done = self.varia("run", "a\nb\x1b[31m.toml")
        self.assertEqual((done.returncode, done.stdout), (4, ""))

    def test_empty(self):
        for text in ("", "\n", "# nothing\n", "\ufeff"):
            self.write("s.toml", text)
            self.assert_refused(self.varia("run", "s.toml"), "s.toml:1:", "system: missing", "[system]")

    def test_garbage(self):
        for garbage in (bytes(range(256))*20, b"\xff\xfe\x00"*1000, b"\x00", b"\x7fELF" + bytes(4000),
                        b"[system]\nx = \"\xc3\x28\""):
            (self.folder / "s.toml").write_bytes(garbage)
            self.assert_refused(self.varia("run", "s.toml"), "s.toml:", "TOML")
        done = subprocess.run([PROGRAM, "run", "-"], input=bytes(range(256)), capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, b""))

    def test_not_toml(self):
        self.changed("step = 0.05", "step = = 0.05", "step =", "not valid TOML")
        self.changed('"verlet"', "verlet", "method", "not valid TOML", "quotes")
        self.changed("step = 0.05", "step = 0.05\nstep = 0.06", "step = 0.06", "not valid TOML")

    def test_too_large(self):
        self.write("s.toml", KEPLER + "#" * 5_000_000)
        done = self.varia("run", "s.toml")
        self.assertIn(done.returncode, (2, 4))
        self.assertIn("4 MB", done.stderr)
        self.write("s.toml", KEPLER.replace('["x", "y"]', '["x", "y", "q[1..1000000000]"]'))
        self.assert_refused(self.varia("run", "s.toml"), "system.coordinates", "100000")

    def test_refused_also_as_json(self):
        self.write("s.toml", KEPLER.replace("step = 0.05", "step = 0"))
        self.assert_refused(self.varia("run", "s.toml", "--json", "--quiet"), "run.step")
        self.write("s.toml", KEPLER)
        json.loads(self.varia("run", "s.toml", "--json", "--quiet").stdout)


if __name__ == "__main__":
    unittest.main()
