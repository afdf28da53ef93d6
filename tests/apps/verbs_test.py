# SPDX-License-Identifier: BSD-3-Clause
"""varia check, compare, show, reproduce."""
import json
import os
import pty
import subprocess
import unittest

from program import BEAD, BODIES, KEPLER, PROGRAM, REPOSITORY, SANITIZED, ProgramTest


class Check(ProgramTest):
    KEYS = ["method", "order", "symplecticity", "reversibility", "action", "momenta", "constraints", "verdict",
            "failures"]

    def check(self, *arguments, code=0):
        done = self.varia("check", *arguments, "--json")
        self.assertEqual((done.returncode, done.stderr), (code, ""))
        return json.loads(done.stdout)

    def test_keys(self):
        self.write("kepler.toml", KEPLER)
        found = self.check("kepler.toml")
        self.assertEqual([key for key in found if key in self.KEYS], self.KEYS)
        self.assertEqual(list(found["order"]), ["declared", "measured", "errors", "steps"])
        self.assertEqual(len(found["order"]["errors"]), len(found["order"]["steps"]))
        self.assertEqual(list(found["action"]), ["p0_defect", "p1_defect"])
        self.assertEqual(list(found["momenta"]), ["rotation"])
        self.assertEqual((found["verdict"], found["failures"]), ("pass", []))
        self.assertFalse((self.folder / "out").exists(), "a check writes no files")

    def test_variational_methods_pass(self):
        self.write("kepler.toml", KEPLER)
        orders = {"verlet": 2, "gauss(2)": 4, "gauss(3)": 6, "lobatto(3)": 4, "midpoint": 2, "euler_a": 1,
                  "triple_jump(verlet)": 4, "galerkin(2, lobatto:3)": 4}
        for method, order in orders.items():
            with self.subTest(method):
                found = self.check("kepler.toml", "--method", method)
                self.assertEqual((found["method"], found["order"]["declared"]), (method, order))
                self.assertAlmostEqual(found["order"]["measured"], order, delta=0.15)
                self.assertLess(found["symplecticity"], 1e-10)
                self.assertLess(found["momenta"]["rotation"], 1e-11)
                if found["action"] is not None:
                    self.assertLess(max(found["action"].values()), 1e-10)
                if method != "euler_a":
                    self.assertLess(found["reversibility"], 1e-10)

    def test_baselines_fail_with_reasons(self):
        self.write("kepler.toml", KEPLER)
        for method, order in (("rk4", 4), ("explicit_euler", 1)):
            with self.subTest(method):
                found = self.check("kepler.toml", "--method", method, code=3)
                self.assertEqual(found["verdict"], "fail")
                self.assertAlmostEqual(found["order"]["measured"], order, delta=0.15)
                self.assertGreater(found["symplecticity"], 1e-8)
                text = " ".join(found["failures"])
                self.assertIn("symplectic", text)
                self.assertIn("rotation", text)

    def test_text(self):
        self.write("kepler.toml", KEPLER)
        good = self.assert_done(self.varia("check", "kepler.toml"))
        self.assertTrue(good.stdout.endswith("\npass\n"))
        bad = self.varia("check", "kepler.toml", "--method", "rk4")
        self.assertEqual(bad.returncode, 3)
        self.assertIn("FAIL: symplectic", bad.stdout)
        self.assertTrue(bad.stdout.endswith("\nfail\n"))

    def test_constraints_and_rotations(self):
        self.write("bead.toml", BEAD)
        found = self.check("bead.toml")
        self.assertEqual(list(found["constraints"]), ["max_position", "max_velocity", "relative_position", "relative_velocity"])
        self.assertLess(max(found["constraints"].values()), 1e-11)
        self.assertAlmostEqual(found["order"]["measured"], 4, delta=0.15)
        found = self.check("gallery:heavy_top")
        self.assertEqual(list(found["momenta"]), ["vertical", "body_axis"])
        self.assertLess(max(found["momenta"].values()), 1e-11)

    def test_forced_system_states_what_is_not_promised(self):
        found = self.check("gallery:van_der_pol")
        self.assertEqual(found["verdict"], "pass")
        self.assertTrue(found["notes"])


STIFF = """title = "Stiff chain"
[system]
coordinates = ["q[1..64]"]
lagrangian = "sum(i, 1, 64, q_dot[i]^2)/2 - sum(i, 1, 63, 1e8*(q[i+1] - q[i])^2/2 + (q[i+1] - q[i])^4) - q[1]^2/2"
[start]
q = "1e-4*sin(i)"
q_dot = "cos(i)"
[run]
method = "verlet"
step = 0.01
until = 10
"""


@unittest.skipIf(SANITIZED, "long computations, the steps of which others take")
class BoundedCheck(ProgramTest):
    def test_stiff_systems_end_with_a_reason(self):
        self.write("stiff.toml", STIFF)
        done = self.varia("check", "stiff.toml", "--method", "gauss(2)", "--work", "0.01", "--json")
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        found = json.loads(done.stdout)
        self.assertEqual(found["verdict"], "incomplete")
        self.assertEqual(found["order"], None)
        self.assertEqual([u["law"] for u in found["unmeasured"]], ["order"])
        self.assertIn("--work 0.1", found["unmeasured"][0]["why"])
        again = self.varia("check", "stiff.toml", "--method", "gauss(2)", "--work", "0.01", "--json")
        self.assertEqual(again.stdout, done.stdout)
        text = self.varia("check", "stiff.toml", "--method", "gauss(2)", "--work", "0.01").stdout
        self.assertIn("NOT MEASURED: order: ", text)
        self.assertTrue(text.endswith("\nincomplete\n"))

    def test_steps_that_end_are_reported_with_the_rest(self):
        self.write("stiff.toml", STIFF)
        done = self.varia("check", "stiff.toml", "--work", "0.1", "--json")
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        found = json.loads(done.stdout)
        self.assertEqual(found["verdict"], "fail")
        self.assertIn("steps of the scenario end", found["failures"][0])
        self.assertIsNotNone(found["reversibility"])

    def test_work_must_be_positive(self):
        self.write("kepler.toml", KEPLER)
        for work in ("0", "-1", "much"):
            self.assertEqual(self.varia("check", "kepler.toml", "--work", work).returncode, 2)

    def test_progress_on_a_terminal_only(self):
        self.write("kepler.toml", KEPLER)
        leader, follower = pty.openpty()
        done = subprocess.run([PROGRAM, "check", "kepler.toml"], cwd=self.folder, stdout=subprocess.PIPE, stderr=follower,
                              text=True, check=True)
        os.close(follower)
        shown = b""
        try:
            while part := os.read(leader, 65536):
                shown += part
        except OSError:  # all is read
            pass
        os.close(leader)
        self.assertTrue(done.stdout.endswith("\npass\n"))
        for law in ("order", "symplecticity", "certified order", "momenta and constraints"):
            self.assertIn(f"it may take: {law}", shown.decode())
        self.assertTrue(shown.endswith(b"\r\x1b[K"), "the line is cleared")
        self.assertEqual(self.varia("check", "kepler.toml").stderr, "")


class Compare(ProgramTest):
    def compare(self, *arguments):
        self.write("kepler.toml", KEPLER)
        done = self.assert_done(self.varia("compare", "kepler.toml", *arguments, "--json"))
        return json.loads(done.stdout)

    def test_rows(self):
        found = self.compare("--methods", "verlet, gauss(2), galerkin(2, lobatto:3), rk4", "--steps", "0.05, 0.025")
        rows = found["rows"]
        self.assertEqual([(r["method"], r["step"]) for r in rows],
                         [(m, h) for m in ("verlet", "gauss(2)", "galerkin(2, lobatto:3)", "rk4") for h in (0.05,
                                                                                                            0.025)])
        self.assertEqual([r["variational"] for r in rows], [True]*6 + [False]*2)
        self.assertEqual([r["steps"] for r in rows], [200, 400]*4)
        for coarse, fine, order in zip(rows[::2], rows[1::2], (2, 4, 4, 4)):
            self.assertEqual((coarse["message"], fine["message"]), ("", ""))
            ratio = coarse["error"]/fine["error"]
            self.assertGreater(ratio, 2**(order - 1), coarse["method"])
            self.assertLess(ratio, 2**(order + 1.5), coarse["method"])
            self.assertGreater(coarse["seconds"], 0)

    def test_energy_figures_are_those_of_the_runs(self):
        rows = self.compare("--methods", "verlet, gauss(2), rk4", "--steps", "0.05")["rows"]
        for row in rows:
            s = self.run_json("kepler.toml", "--method", row["method"])
            self.assertAlmostEqual(row["energy_error"]/s["energy"]["max_rel_error"], 1.0, places=9)
            self.assertAlmostEqual(row["energy_drift"]/s["energy"]["drift_per_time"], 1.0, places=6)

    def test_reference_is_right(self):
        """The error of a method of high order is small against the exact ellipse: so is that of the reference."""
        found = self.compare("--methods", "gauss(6)", "--steps", "0.01")
        self.assertLess(found["rows"][0]["error"], 1e-10)
        self.assertIn("gauss(6)", found["reference"])

    def test_files(self):
        found = self.compare("--methods", "verlet", "--out", "c")
        self.assertEqual(self.files("c"), ["compare.json", "report.html"])
        self.assertEqual(found["report"], "c/report.html")
        self.assertEqual(json.loads((self.folder / "c/compare.json").read_text()), found)
        self.assertEqual([r["step"] for r in found["rows"]], [0.05, 0.025, 0.0125], "the step, its half, its quarter")
        self.compare("--methods", "verlet")
        self.assertTrue((self.folder / "out/kepler-compare/report.html").exists())

    def test_text_marks_baselines(self):
        self.write("kepler.toml", KEPLER)
        done = self.assert_done(self.varia("compare", "kepler.toml", "--methods", "verlet, rk4", "--steps", "0.05",
                                           "--out", "c"))
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0].split(), ["method", "step", "steps", "seconds", "error", "energy", "drift"])
        self.assertTrue(lines[1].startswith("verlet  "))
        self.assertTrue(lines[2].startswith("rk4 *"))
        self.assertIn("not variational", done.stdout)
        self.assertIn("c/report.html", done.stdout)
        quiet = self.assert_done(self.varia("compare", "kepler.toml", "--methods", "verlet", "--quiet"))
        self.assertEqual(quiet.stdout, "")

    def test_method_that_fails_is_a_row_with_its_message(self):
        found = self.compare("--until", "30", "--methods", "verlet, gauss(3)", "--steps", "1.5, 0.1")
        rows = {(r["method"], r["step"]): r for r in found["rows"]}
        failed = rows["gauss(3)", 1.5]
        self.assertIn("smaller step", failed["message"])
        self.assertIsNone(failed["error"])
        self.assertEqual(rows["gauss(3)", 0.1]["message"], "")
        done = self.varia("compare", "kepler.toml", "--until", "30", "--methods", "gauss(3)", "--steps", "1.5, 0.1")
        self.assertIn("failed: ", done.stdout)

    def test_constraints(self):
        self.write("bead.toml", BEAD)
        done = self.assert_done(self.varia("compare", "bead.toml", "--methods", "verlet, lobatto(3)", "--json"))
        found = json.loads(done.stdout)
        self.assertIn("lobatto", found["reference"])
        self.assertLess(found["rows"][-1]["error"], found["rows"][0]["error"])

    def test_wrong_requests(self):
        self.write("kepler.toml", KEPLER)
        for methods, words in {"verlet, gass(2)": ("gass", "gauss"), "": ("empty",), "verlet,,rk4": ("empty",)}.items():
            self.assert_refused(self.varia("compare", "kepler.toml", "--methods", methods), *words)
        for steps in ("0", "-0.1", "x", "nan", "0.1,", "1e400"):
            with self.subTest(steps):
                done = self.varia("compare", "kepler.toml", "--methods", "verlet", "--steps", steps)
                self.assert_refused(done)
        self.assertFalse((self.folder / "out").exists())


class Show(ProgramTest):
    def show(self, name, *arguments):
        return json.loads(self.assert_done(self.varia("show", name, *arguments, "--json")).stdout)

    def test_show_has_reactions(self):
        """A pendulum in redundant coordinates: x'' = 2 lambda x, y'' = 2 lambda y."""
        self.write("bead.toml", BEAD)
        equations = self.show("bead.toml")["equations"]
        self.assertTrue(all("lambda[1]*(2*" in line for line in equations[:2]), equations)
        hoop = self.show("gallery:rotating_hoop")["equations"]
        self.assertTrue(any("lambda[2]*(cos(w*t))" in line for line in hoop), hoop)

    def test_bodies(self):
        """The Lagrangian and the constraints that were declared, with parameters by name; their numbers in the summary."""
        self.write("rods.toml", BODIES)
        found = self.show("rods.toml")
        self.assertIn("B_v1", found["lagrangian"])
        self.assertIn("l^2/6*B_w^2", found["lagrangian"])
        text = self.assert_done(self.varia("show", "rods.toml")).stdout
        self.assertRegex(text, r"0 = A_x \+ .*l.*\(hinge ground - A.base\)")
        self.assertEqual(text.count("(hinge A.tip - B.base)"), 2)
        bodies = json.loads(self.assert_done(self.varia("run", "rods.toml", "--json", "--quiet")).stdout)["bodies"]
        self.assertEqual(list(bodies), ["A", "B"])
        self.assertEqual(bodies["A"]["points"]["tip"], [0.5, 0, 0])
        self.assertEqual(bodies["A"]["shape"], {"box": [1, 0.1]})
        self.assertEqual(bodies["B"]["inertia"][2], [0, 0, 1/6])
        self.assertNotIn("shape", bodies["B"])

    def test_what_was_read(self):
        self.write("kepler.toml", KEPLER)
        found = self.show("kepler.toml")
        self.assertIn("mu", found["lagrangian"])  # parameters by name
        self.assertEqual(found["coordinates"], ["x", "y"])
        self.assertEqual(found["parameters"], {"mu": 1.0, "e": 0.6})
        self.assertEqual((found["method"], found["order"], found["step"], found["steps"]), ("verlet", 2, 0.05, 200))
        self.assertEqual(found["structure"]["separable"], True)
        self.assertEqual(found["cost"]["explicit"], True)
        self.assertEqual(len(found["equations"]), 2)
        self.assertEqual(self.show("kepler.toml", "--set", "mu=3")["parameters"]["mu"], 3.0)
        self.assertEqual(self.show("kepler.toml", "--method", "gauss(2)")["cost"]["explicit"], False)
        self.assertFalse((self.folder / "out").exists())

    def test_structure_of_the_gallery(self):
        double = self.show("gallery:double_pendulum")["structure"]
        self.assertEqual((double["separable"], double["quadratic_in_velocities"]), (False, True))
        self.assertEqual(self.show("gallery:magnetic")["structure"]["cyclic"], ["z"])
        self.assertFalse(self.show("gallery:caldirola_kanai")["structure"]["time_independent"])
        self.assertTrue(self.show("gallery:van_der_pol")["structure"]["forced"])
        chain = self.show("gallery:fermi_pasta_ulam", "--method", "gauss(2)")
        self.assertEqual(chain["structure"]["bandwidth"], 1)
        self.assertTrue(chain["cost"]["banded"])
        self.assertEqual(self.show("gallery:spherical_pendulum")["structure"]["constraints"], 1)
        self.assertEqual(self.show("gallery:heavy_top")["space"], "SO(3)")
        self.assertEqual(self.show("gallery:rotor_chain")["space"], "SO(3)^5")
        sphere = self.show("gallery:spherical_pendulum_s2", "--set", 'system.force={n1="-n1_dot"}')
        self.assertEqual((sphere["space"], sphere["coordinates"]), ("S^2", ["n1", "n2", "n3"]))
        self.assertIn("g*n3", sphere["lagrangian"])
        self.assertEqual(len(sphere["equations"]), 2)  # those along the sphere
        self.assertNotIn("n_w3", "".join(sphere["equations"]))

    def test_text(self):
        self.write("kepler.toml", KEPLER)
        done = self.assert_done(self.varia("show", "kepler.toml"))
        for word in ("R^2", "mu = 1", "separable", "rotation", "invariant", "verlet", "explicit", "200 steps",
                     "d/dt (x_dot) ="):
            self.assertIn(word, done.stdout)

    def test_forces_on_arrays_of_points(self):
        found = self.show("gallery:rotor_chain", "--set", 'system.force={R_3="-0.1*R_w3[i]", "R_1[2]"="sin(t)"}')
        self.assertEqual(found["equations"][2], "d/dt (C*R_w3[1]) = -0.1*R_w3[1] + (dL/dw x w)")
        self.assertTrue(found["equations"][3].endswith(" + (sin(t)) + (dL/dw x w)"), found["equations"][3])


class Reproduce(ProgramTest):
    def test_one(self):
        done = self.assert_done(self.varia("reproduce", "double_well", "--json"))
        found = json.loads(done.stdout)
        self.assertEqual(found["failed"], 0)
        self.assertGreaterEqual(len(found["results"]), 4)
        for row in found["results"]:
            self.assertLessEqual({"name", "source", "what", "set", "note", "expected", "tolerance", "kind", "found",
                                  "verdict"},
                                 set(row))
            self.assertEqual((row["name"], row["source"], row["verdict"]), ("double_well", "West 2004", "pass"))
        self.assertEqual(list(self.folder.iterdir()), [], "no files are written")

    def test_text(self):
        done = self.assert_done(self.varia("reproduce", "double_well"))
        for word in ("West 2004", "figure 1.4", "expected", "found", "pass", "agree with the sources"):
            self.assertIn(word, done.stdout)

    def test_a_wrong_number_is_found(self):
        """The same gallery with one number changed: the program must say so."""
        text = (REPOSITORY / "gallery/double_well.toml").read_text()
        self.assertIn("value = 0.2320", text)
        self.write("double_well.toml", text.replace("value = 0.2320", "value = 0.2330"))
        done = self.varia("reproduce", "--all", "--json", VARIA_GALLERY=str(self.folder))
        self.assertEqual(done.returncode, 3)
        found = json.loads(done.stdout)
        self.assertEqual(found["failed"], 1)
        (wrong,) = [row for row in found["results"] if row["verdict"] == "fail"]
        self.assertEqual((wrong["what"], wrong["expected"]), ("energy.final", 0.233))
        text = self.varia("reproduce", VARIA_GALLERY=str(self.folder))
        self.assertEqual(text.returncode, 3)
        self.assertIn("FAIL  energy.final", text.stdout)

    def expecting(self, text):
        """varia reproduce on a gallery of one pendulum with this expectation."""
        self.write("p.toml", """# A pendulum
[system]
coordinates = ["q"]
lagrangian = "q_dot^2/2 + cos(q)"
[start]
q = 1
q_dot = 0
[run]
method = "verlet"
step = 0.1
until = 10
[[reproduce.expect]]
""" + text)
        return self.varia("reproduce", "p", "--json", VARIA_GALLERY=str(self.folder))

    def test_the_order_of_two_runs(self):
        order = """what = "energy.max_rel_error"
kind = "order"
value = {}
tolerance = 0.1
against = {{ "run.step" = 0.05 }}
"""
        self.assert_done(self.expecting(order.format(2)))
        wrong = self.expecting(order.format(3))
        self.assertEqual(wrong.returncode, 3)
        self.assertAlmostEqual(json.loads(wrong.stdout)["results"][0]["found"], 2, delta=0.05)
        self.assert_refused(self.expecting(order.format(2).replace("0.05 }", "0.1 }")), "different steps")
        self.assert_refused(self.expecting(order.format(2).replace("against", "#")), "against", "order")

    def test_a_failure_that_is_expected(self):
        """Steps that keep the energy cease to exist in the double well: that is what must be seen."""
        text = (REPOSITORY / "gallery/energy_steps_well.toml").read_text()
        self.write("energy_steps_well.toml", text.replace("value = 84\n", "value = 85\n"))
        done = self.varia("reproduce", "energy_steps_well", "--json", VARIA_GALLERY=str(self.folder))
        self.assertEqual(done.returncode, 3)
        (wrong,) = [row for row in json.loads(done.stdout)["results"] if row["verdict"] == "fail"]
        self.assertEqual((wrong["kind"], wrong["found"]), ("fails", 84))
        self.assert_refused(self.expecting('what = "steps"\nvalue = 5\nkind = "fails"\n'), "should fail")

    def test_wrong_requests(self):
        self.assert_refused(self.varia("reproduce", "keplr"), "'keplr'", "Did you mean kepler?")
        self.assert_refused(self.varia("reproduce", "kepler", "--all"), "--all")
        self.assert_refused(self.varia("reproduce", "henon_heiles"), "'henon_heiles'", "reference numbers")

    def test_unknown_number_names_it(self):
        text = (REPOSITORY / "gallery/double_well.toml").read_text()
        self.write("double_well.toml", text.replace('what = "energy.final"', 'what = "energy.finale"'))
        done = self.varia("reproduce", "double_well", "--json", VARIA_GALLERY=str(self.folder))
        self.assert_refused(done, "energy.finale")


if __name__ == "__main__":
    unittest.main()
