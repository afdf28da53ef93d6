# SPDX-License-Identifier: BSD-3-Clause
"""Good runs and ruined ones: no good one is called bad, no ruined one good. Limits: docs/reference/outputs.md, Verdicts."""
import json
import unittest

from program import REPOSITORY, ProgramInMemoryTest


def system(coordinates, lagrangian, start, method, step, until, more="", sections=""):
    names = ", ".join(f'"{c}"' for c in coordinates)
    lines = "\n".join(f"{k} = {v}" for k, v in start.items())
    return (f'[system]\ncoordinates = [{names}]\nlagrangian = "{lagrangian}"\n{more}\n[start]\n{lines}\n'
            f'[run]\nmethod = "{method}"\nstep = {step}\nuntil = {until}\n{sections}\n[output]\nformats = []\nreport = false\n')


def oscillator(method="verlet", step=0.1, until=100, more=""):
    return system(["x"], "x_dot^2/2 - x^2/2" + more, {"x": 1, "x_dot": 0}, method, step, until)


def pendulum(method="verlet", step=0.1, until=100, shift="", x=1.0):
    return system(["q"], "q_dot^2/2 + cos(q)" + shift, {"q": x, "q_dot": 0}, method, step, until)


def kepler(method, step, e, until=100):
    start = {"x": 1 - e, "y": 0, "x_dot": 0, "y_dot": ((1 + e) / (1 - e)) ** 0.5}
    return system(["x", "y"], "(x_dot^2 + y_dot^2)/2 + 1/sqrt(x^2 + y^2)", start, method, step, until,
                  '[system.symmetry]\nrotation = { x = "-y", y = "x" }')


def henon(method, step, until=200):
    return system(["x", "y"], "(x_dot^2 + y_dot^2)/2 - (x^2 + y^2)/2 - x^2*y + y^3/3",
                  {"x": 0, "y": 0.1, "x_dot": 0.45, "y_dot": 0}, method, step, until)


def bead(phi, size=1.0, method="lobatto(2)", step=0.01, until=10):
    return system(["x", "y"], f"(x_dot^2 + y_dot^2)/2 - {size}*y", {"x": size, "y": 0, "x_dot": 0, "y_dot": 0}, method,
                  step, until, f'holonomic = ["{phi}"]')


GOOD = {
    "oscillator": oscillator(),
    "oscillator, midpoint": oscillator("midpoint"),
    "oscillator with 1e6 added": oscillator(more=" + 1e6"),
    "oscillator, gauss(4), long steps": oscillator("gauss(4)", 0.5),
    "pendulum": pendulum(),
    "pendulum, gauss(3)": pendulum("gauss(3)"),
    "pendulum, yoshida(4)": pendulum("yoshida(4)"),
    "pendulum, small swing": pendulum(x=1e-6),
    "pendulum at rest": pendulum(x=0),
    "pendulum, large swing": pendulum(x=3.0),
    "pendulum with 1e3 taken away": pendulum(shift=" - 1e3"),
    "pendulum, rk4, tiny steps": pendulum("rk4", 0.001, 10),
    "pendulum, dopri5": pendulum("dopri5", 0.01, 10),
    "kepler 0": kepler("verlet", 0.05, 0.0),
    "kepler 0.6": kepler("verlet", 0.02, 0.6),
    "kepler 0.6, gauss(3)": kepler("gauss(3)", 0.05, 0.6),
    "kepler 0.9, gauss(4)": kepler("gauss(4)", 0.01, 0.9, 20),
    "henon heiles": henon("verlet", 0.05),
    "henon heiles, gauss(2)": henon("gauss(2)", 0.1),
    "free": system(["x"], "x_dot^2/2", {"x": 0, "x_dot": 2}, "verlet", 0.1, 100),
    "falling": system(["x"], "x_dot^2/2 - 9.81*x", {"x": 0, "x_dot": 2}, "verlet", 0.1, 100),
    "large numbers": system(["x"], "1e20*x_dot^2/2 - 1e20*x^2/2", {"x": 1e8, "x_dot": 0}, "verlet", 0.1, 100),
    "small numbers": system(["x"], "1e-20*x_dot^2/2 - 1e-20*x^2/2", {"x": 1e-8, "x_dot": 0}, "verlet", 0.1, 100),
    "magnetic": system(["x", "y"], "(x_dot^2 + y_dot^2)/2 + (x*y_dot - y*x_dot)/2", {"x": 1, "y": 0, "x_dot": 0, "y_dot": 1},
                       "gauss(2)", 0.1, 100),
    "relativistic": system(["x"], "-sqrt(1 - x_dot^2) - x^2/2", {"x": 1, "x_dot": 0}, "gauss(2)", 0.1, 100),
    "vortices": system(["x", "y"], "x*y_dot - x^2/2 - y^4/4", {"x": 1, "y": 0.5}, "gauss(2)", 0.05, 100),
    "bead": bead("x^2 + y^2 - 1"),
    "bead in other units": bead("1e9*(x^2 + y^2 - 1)"),
    "small bead": bead("x^2 + y^2 - 1e-12", 1e-6),
    "driven": system(["x"], "x_dot^2/2 - x^2/2 + x*sin(t)", {"x": 1, "x_dot": 0}, "gauss(2)", 0.1, 50),
}

RUINED = {
    "unstable": oscillator(step=2.1),
    "close to unstable": oscillator(step=1.95),
    "unstable, 1e9 added": oscillator(step=2.1, more=" + 1e9"),
    "unstable, 1e9 taken away": oscillator(step=2.05, more=" - 1e9", until=1000),
    "three steps a period": oscillator(step=1.8),
    "explicit euler": oscillator("explicit_euler", 0.1, 100),
    "explicit euler, pendulum": pendulum("explicit_euler", 0.1, 100),
    "rk4, long": oscillator("rk4", 0.5, 2000),
    "rk4, pendulum": pendulum("rk4", 0.5, 2000),
    "rk4, pendulum, 1e3 taken away": pendulum("rk4", 0.5, 2000, " - 1e3"),
    "rk4, pendulum, 1e12 taken away": pendulum("rk4", 0.5, 2000, " - 1e12"),
    "rk4, pendulum, 1e3 added": pendulum("rk4", 0.5, 2000, " + 1e3"),
    "rk4, henon heiles": henon("rk4", 0.9, 2000),
    "rk4, kepler": kepler("rk4", 0.2, 0.6, 500),
    "kepler 0.99": kepler("verlet", 0.05, 0.99, 1000),
    "kepler 0.999": kepler("verlet", 0.05, 0.999, 100),
    "kepler 0.95": kepler("verlet", 0.3, 0.95, 500),
    "kepler 0.99, yoshida": kepler("yoshida(4)", 0.1, 0.99, 500),
    "kepler 0.99, euler": kepler("euler_a", 0.05, 0.99, 100),
    "kepler 0.9, explicit euler": kepler("explicit_euler", 0.01, 0.9, 50),
    "barrier that is not seen": system(["x"], "x_dot^2/2 - sign(x)", {"x": -1, "x_dot": 1}, "verlet", 0.1, 10),
    "mass changes sign": system(["x"], "x*x_dot^2/2 - x^2/2", {"x": 1, "x_dot": -1}, "rk4", 0.05, 10),
    "stiff": system(["x", "y"], "(x_dot^2 + y_dot^2)/2 - x^2/2 - 1e4*y^2/2", {"x": 1, "y": 0.1, "x_dot": 0, "y_dot": 0},
                    "verlet", 0.0201, 10),
    "lennard-jones": system(["r"], "r_dot^2/2 - 4*(r^(-12) - r^(-6))", {"r": 0.9, "r_dot": 0}, "verlet", 0.1, 20),
    "kepler 0.98": kepler("verlet", 0.2, 0.98, 500),
    "softened collision": system(["x"], "x_dot^2/2 + 1/sqrt(x^2 + 1e-4)", {"x": 1, "x_dot": 0}, "verlet", 0.05, 50),
    "quartic, unstable": system(["x"], "x_dot^2/2 - x^4/4", {"x": 10, "x_dot": 0}, "verlet", 0.15, 100),
    "double well, long steps": system(["x"], "x_dot^2/2 + x^2 - x^4", {"x": 3, "x_dot": 0}, "verlet", 0.3, 100),
    "steep wall": system(["x"], "x_dot^2/2 - exp(20*x)", {"x": -1, "x_dot": 3}, "verlet", 0.1, 2),
    "toda, unstable": system(["x", "y"], "(x_dot^2 + y_dot^2)/2 - exp(x - y) - exp(y - x)", {"x": 4, "y": -4, "x_dot": 0,
                             "y_dot": 0}, "verlet", 0.2, 50),
}


class Verdicts(ProgramInMemoryTest):
    def verdicts(self, text):
        self.write("s.toml", text)
        done = self.varia("run", "s.toml", "--json", "--out", "o")
        self.assertIn(done.returncode, (0, 3), done.stderr)
        for text in (done.stdout, done.stderr):
            for word in ("nan", "inf,", " inf", "+- inf"):
                self.assertNotIn(word, text)
        return done.returncode, json.loads(done.stdout)

    def test_good_runs(self):
        self.assertGreaterEqual(len(GOOD), 30)
        for name, text in GOOD.items():
            with self.subTest(name):
                code, s = self.verdicts(text)
                self.assertEqual(code, 0)
                bad = [v for v in s["verdicts"] if v["status"] == "bad"]
                self.assertEqual(bad, [])

    def test_ruined_runs(self):
        self.assertGreaterEqual(len(RUINED), 30)
        for name, text in RUINED.items():
            with self.subTest(name):
                code, s = self.verdicts(text)
                energy = [v for v in s["verdicts"] if v["name"] == "energy"]
                self.assertTrue(all(v["status"] != "good" for v in energy), energy)
                self.assertTrue(code == 3 or any(v["status"] == "bad" for v in s["verdicts"]), s["verdicts"])

    def energy(self, text):
        (v,) = [v for v in self.verdicts(text)[1]["verdicts"] if v["name"] == "energy"]
        return v

    def test_a_constant_that_hides_the_energy(self):
        """Nothing can be said of an energy whose round-off is larger than what is exchanged."""
        for constant in ("1e16", "1e18"):
            for method in ("verlet", "rk4", "explicit_euler"):
                with self.subTest(f"{method}, {constant}"):
                    v = self.energy(pendulum(method, 0.5, 500, f" - {constant}"))
                    self.assertNotEqual(v["status"], "good", v)
                    self.assertIn("cannot be judged", v["text"])
        self.assertEqual(self.energy(pendulum("verlet", 0.1, 100, " - 1e9"))["status"], "good")
        self.assertEqual(self.energy(pendulum("verlet", 0.1, 100, " - 1e18", x=0))["status"], "good", "it is at rest")

    def test_a_constant_that_hides_a_loss(self):
        """rk4 loses energy; 1e12 taken from L make that round-off, which is no reason to call it conserved."""
        for constant in ("", " - 1e12"):
            with self.subTest(constant):
                _, s = self.verdicts(pendulum("rk4", 0.1, 1000, constant))
                (v,) = s["verdicts"]  # nothing of a kinetic energy that is negative by round-off
                self.assertEqual(v["name"], "energy")
                self.assertNotEqual(v["status"], "good", v)

    def test_a_steady_motion_hides_nothing(self):
        """A coordinate that keeps its energy is no measure for the errors of the others."""
        def beside(step, passenger):
            return self.energy(system(["x", "y"], "x_dot^2/2 + y_dot^2/2 - abs(x) - x^2/2",
                                      {"x": 1, "y": 0, "x_dot": 0, "y_dot": passenger}, "verlet", step, 100))
        self.assertEqual(beside(0.01, 0)["status"], "good")
        self.assertEqual(beside(0.01, 50)["status"], "good")
        self.assertEqual(beside(1.1, 0)["status"], "bad")
        v = beside(1.1, 50)
        self.assertEqual(v["status"], "note", v)
        self.assertIn("steady", v["text"])

    def test_units_of_energy(self):
        """A trend is one in any unit; 1e-14 of nothing in particular is not round-off."""
        for method, step, until, status in (("rk4", 0.1, 100, "bad"), ("verlet", 0.01, 1, "note"), ("verlet", 0.1, 100, "good"),
                                            ("explicit_euler", 0.1, 100, "bad")):
            for unit in ("1", "1e-20", "1e20"):
                with self.subTest(f"{method}, {until}, {unit}"):
                    text = system(["x"], f"{unit}*(x_dot^2/2 - x^2/2)", {"x": 1, "x_dot": 0}, method, step, until)
                    self.assertEqual(self.energy(text)["status"], status)

    def test_steady_loss_is_no_swing(self):
        v = self.energy(oscillator("rk4", 0.1, 100))
        self.assertEqual(v["status"], "bad", v)
        self.assertIn("decays", v["text"])
        self.assertNotIn("swing", v["text"])

    def test_an_own_discrete_lagrangian_of_another_system(self):
        def verdict(factor):
            text = oscillator("discrete_lagrangian(2)", 0.1, 10).replace(
                "\n\n[start]", f'\ndiscrete_lagrangian = "(x_1 - x_0)^2/(2*h) - {factor}*h*((x_0 + x_1)/2)^2/2"\n[start]')
            return [v for v in self.verdicts(text)[1]["verdicts"] if v["name"] == "discrete_lagrangian"]
        self.assertEqual(verdict("1"), [])
        (v,) = verdict("1.01")
        self.assertEqual(v["status"], "bad")
        self.assertIn("1 % of its size", v["text"])

    def test_a_mass_that_changes_sign(self):
        for method in ("rk4", "gauss(2)", "midpoint", "verlet", "explicit_euler"):
            with self.subTest(method):
                code, s = self.verdicts(system(["x"], "x*x_dot^2/2 - x^2/2", {"x": 1, "x_dot": -1}, method, 0.05, 10))
                self.assertTrue(code == 3 or all(v["status"] != "good" for v in s["verdicts"]), s["verdicts"])

    def test_a_step_in_the_potential(self):
        """Whatever the step: sign(x) has no force, and a particle that passes it has gained or lost what it is high."""
        for method in ("verlet", "gauss(2)", "midpoint", "rk4", "dopri5"):
            for step in (0.1, 0.01, 0.001):
                with self.subTest(f"{method}, {step}"):
                    v = self.energy(system(["x"], "x_dot^2/2 - sign(x)", {"x": -0.5, "x_dot": 1}, method, step, 1.5))
                    self.assertNotEqual(v["status"], "good", v)

    def test_a_generator_that_is_nearly_one(self):
        _, s = self.verdicts(kepler("verlet", 0.02, 0.6).replace('y = "x" }', 'y = "1.000000001*x" }'))
        (v,) = [v for v in s["verdicts"] if v["name"] == "rotation"]
        self.assertEqual(v["status"], "note")
        self.assertIn("generator", v["text"])

    def test_steps_that_do_not_resolve(self):
        def step(text):
            return [v for v in self.verdicts(text)[1]["verdicts"] if v["name"] == "step"]
        self.assertEqual(step(oscillator(step=0.1)), [])
        (v,) = step(oscillator(step=1.5))
        self.assertIn("4.19 steps", v["text"])
        self.assertEqual(step(oscillator("gauss(2)", 1.5)), [])
        self.assertEqual(len(step(oscillator("gauss(2)", 2.5))), 1)

    def test_energy_and_the_work_of_forces(self):
        def status(friction, method, step, until, more="x_dot^2/2 - x^2/2"):
            return self.energy(system(["x"], more, {"x": 1, "x_dot": 0}, method, step, until,
                                      f'force = {{ x = "{friction}" }}'))
        ruined = (("-0.001*x_dot", "explicit_euler", 0.1, 60), ("-0.001*x_dot", "verlet", 2.05, 60),
                  ("-0.001*x_dot", "rk4", 1.0, 400), ("-0.001*x_dot^3", "explicit_euler", 0.05, 100))
        for case in ruined:
            with self.subTest(case):
                v = status(*case)
                self.assertEqual(v["status"], "bad", v)
                self.assertIn("work", v["text"])
        period = 6.283185307179586
        sound = (("-0.1*x_dot", "verlet", 0.1, 60), ("-2*x_dot", "gauss(2)", 0.1, 20), ("0.1*x_dot", "midpoint", 0.1, 30),
                 ("-0.05*x_dot", "gauss(4)", period / 2, 300), ("-0.05*x_dot", "gauss(4)", period / 4, 300),
                 ("-0.05*x_dot", "gauss(4)", period / 5, 300), ("-0.3*tanh(5*x_dot)", "gauss(2)", 0.3, 60),
                 ("0.3", "verlet", 0.1, 30), ("20*(1 - x^2)*x_dot", "gauss(2)", 0.01, 60))
        for case in sound:
            with self.subTest(case):
                self.assertEqual(status(*case)["status"], "note")

    def test_steps_and_what_acts_in_them(self):
        """A drive that turns once in a step is not seen, fast friction not followed; what is resolved, or done by accurate
        steps however long, is no reason for a word."""
        def step(force, method, h, until=60):
            _, s = self.verdicts(system(["x"], "x_dot^2/2 - x^2/2", {"x": 1, "x_dot": 0}, method, h, until,
                                        f'force = {{ x = "{force}" }}'))
            return next((v for v in s["verdicts"] if v["name"] == "step"), {"status": "", "text": ""}), s.get("step_error")
        for case in (("x*sin(40*t)", "verlet", 0.157, 100), ("sin(1000*t)", "verlet", 0.1), ("-50*x_dot", "verlet", 0.06),
                     ("-50*x_dot", "midpoint", 0.6), ("-50*x_dot", "rk4", 0.05)):
            with self.subTest(case):
                verdict, _ = step(*case)
                self.assertEqual(verdict["status"], "bad", verdict)
                self.assertIn("shorter ones", verdict["text"])
        for case in (("-50*x_dot", "gauss(2)", 0.06), ("-50*x_dot + 50*sin(t)", "midpoint", 0.2)):
            with self.subTest(case):
                verdict, _ = step(*case)
                self.assertEqual(verdict["status"], "note", verdict)
                self.assertIn("fastest decay", verdict["text"])
        for case in (("x*sin(40*t)", "gauss(3)", 0.157), ("x*sin(40*t)", "verlet", 0.02), ("sin(t)", "verlet", 0.1),
                     ("if(t < 10, 1, 0)", "verlet", 0.1), ("if(mod(t, 1) < 0.5, 1, 0)", "verlet", 0.1),
                     ("0.001*sin(1000*t)", "verlet", 0.1), ("-50*x_dot", "verlet", 0.01), ("20*(1 - x^2)*x_dot", "gauss(2)", 0.01)):
            with self.subTest(case):
                verdict, error = step(*case)
                self.assertEqual(verdict["status"], "", verdict)
                self.assertLess(error, 0.3)

    def test_steps_of_first_order_systems(self):
        """Of x y' - H a point turns about 0 at the rate 2 H'(r^2); the energy tells nothing of the phase."""
        def step(h):
            text = system(["x", "y"], "x*y_dot - (x^2 + y^2)", {"x": 2, "y": 0}, "midpoint", h, 40)
            return [v for v in self.verdicts(text)[1]["verdicts"] if v["name"] == "step"]
        self.assertEqual(step(0.1), [])
        (v,) = step(0.785398163397448)
        self.assertIn("once in 4 steps, in a time of 3.14", v["text"])

    def test_bodies_that_turn_too_far_in_a_step(self):
        def step(space, lagrangian, start, method, h):
            lines = "\n".join(f"{k} = {v}" for k, v in start.items())
            text = (f'[system]\ncoordinates = [{{ name = "R", space = "{space}" }}]\nlagrangian = "{lagrangian}"\n[start]\n{lines}\n'
                    f'[run]\nmethod = "{method}"\nstep = {h}\nuntil = 1\n[output]\nformats = []\nreport = false\n')
            return [v for v in self.verdicts(text)[1]["verdicts"] if v["name"] == "step"]
        top = ("SO3", "(R_w1^2 + 1.4*R_w2^2 + 0.6*R_w3^2)/2 - R33",
               {"R": "{ angle_axis = [0.3, 0, 0] }", "R_w1": 0.1, "R_w2": 100, "R_w3": 0.1})
        self.assertEqual(step(*top, "gauss(2)", 0.001), [])
        (v,) = step(*top, "gauss(2)", 0.05)
        self.assertIn("once in 1.26 steps", v["text"])
        body = ("SE3", "(R_w1^2 + 1.4*R_w2^2 + 0.6*R_w3^2 + R_v1^2 + R_v2^2 + R_v3^2)/2 - R_z",
                {"R": "{ position = [0, 0, 0], angle_axis = [0, 0, 0] }", "R_w1": 0, "R_w2": 100, "R_w3": 0, "R_v1": 1,
                 "R_v2": 0, "R_v3": 0})
        self.assertEqual(step(*body, "gauss(2)", 0.001), [])
        self.assertEqual(len(step(*body, "gauss(2)", 0.05)), 1)
        sphere = ("S2", "(R1_dot^2 + R2_dot^2 + R3_dot^2)/2 - R3", {"R": "[1, 0, 0]", "R_dot": "[0, 20, 0]"})
        self.assertEqual(step(*sphere, "midpoint", 0.01), [])
        self.assertEqual(len(step(*sphere, "midpoint", 0.1)), 1)

    def test_a_hamiltonian_has_no_kinetic_energy(self):
        self.write("h.toml", (REPOSITORY / "gallery/point_vortices.toml").read_text())
        done = self.varia("run", "h.toml", "--json", "--out", "o", "--until", "20")
        self.assertNotIn("kinetic energy", [v["name"] for v in json.loads(done.stdout)["verdicts"]])

    def test_negative_kinetic_energy_is_a_note(self):
        text = system(["x", "y"], "x_dot^2/2 - y_dot^2/2 - x^2/2 + y^2/2", {"x": 1, "y": 2, "x_dot": 0, "y_dot": 0},
                      "gauss(2)", 0.1, 20)
        _, s = self.verdicts(text)
        self.assertIn("kinetic energy", [v["name"] for v in s["verdicts"] if v["status"] == "note"])


if __name__ == "__main__":
    unittest.main()
