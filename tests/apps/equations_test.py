# SPDX-License-Identifier: BSD-3-Clause
"""The equations of motion as a person reads them: MathML in the report, LaTeX from varia show --latex."""
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from program import BODIES, ProgramTest

BEAD = """title = "Bead on a circle, 50 % of m_1 & more"
[system]
coordinates = ["x", "y"]
parameters = { m = 2.0, mass_1 = 3.0, g = 9.81 }
lagrangian = "m*mass_1*(x_dot^2 + y_dot^2)/2 - m*g*y"
force = { x = "-m*x_dot" }
holonomic = ["x^2 + y^2 - 1"]
[start]
x = 0
y = -1
x_dot = 1
y_dot = 0
[run]
method = "lobatto(2)"
step = 0.1
steps = 5
"""

CHAIN = """title = "Chain"
[system]
coordinates = ["q[1..{n}]"]
lagrangian = "sum(i, 1, {n}, q_dot[i]^2)/2 - sum(i, 1, {last}, (q[i+1] - q[i])^2)/2"
[start]
q = "cos(i)"
q_dot = 0
[run]
method = "verlet"
step = 0.1
steps = 5
"""

# of every kind that has other equations: groups, the sphere, reduced groups, both kinds of constraints, joints,
# Hamiltonians, Lagrangians linear in the velocities, conditions, tables, letters of other alphabets, an own discrete Lagrangian
KINDS = ["heavy_top", "spherical_pendulum_s2", "free_body", "both_constraints", "body_four_bar", "point_vortices", "guiding_centre",
         "two_springs", "wind", "own_lagrangian", "pendulum_chain", "rattleback", "driven_pendulum", "hertz_contact", "lattice_heat"]


def text_of(mathml):
    return "".join(ElementTree.fromstring(f"<math>{mathml}</math>").itertext())


class Equations(ProgramTest):
    def latex(self, scenario, *options):
        return self.assert_done(self.varia("show", scenario, "--latex", *options)).stdout

    def equations(self, scenario, *options):
        self.assert_done(self.varia("run", scenario, "--out", "o", "--quiet", *options))
        return self.report_data("o")["equations"]

    def assert_balanced(self, text):
        for opens, closes in (("{", "}"), (r"\left", r"\right"), (r"\begin", r"\end")):
            plain = text.replace(r"\{", "").replace(r"\}", "")
            count = [len(re.findall(re.escape(mark) + (r"(?![a-z])" if mark[1:] else ""), plain)) for mark in (opens, closes)]
            self.assertEqual(*count, opens)

    def test_latex_of_a_bead(self):
        self.write("bead.toml", BEAD)
        text = self.latex("bead.toml")
        self.assertTrue(text.startswith("\\documentclass"), text[:80])
        self.assertIn(r"\text{Bead on a circle, 50 \% of m\_1 \& more}", text)
        self.assertIn(r"$g = 9.81$", text)
        self.assertIn(r"\mathrm{mass}_{1}", text)
        self.assertIn(r"\frac{d}{dt}\,", text)
        self.assertEqual(len(re.findall(r"2\\,[^&]*\\lambda_\{1\}|\\lambda_\{1\}[^&]*2", text)), 2)  # 2 lambda x, 2 lambda y
        self.assertRegex(text, r"&= -m\\,\\dot\{x\} \+ ")  # the force, then the reaction
        self.assertNotIn("9.81\\,", text)  # in formulas parameters have names
        self.assert_balanced(text)

    def test_mathml_of_a_bead(self):
        self.write("bead.toml", BEAD)
        data = self.equations("bead.toml")
        self.assertEqual(data["heading"], "Lagrangian")
        self.assertEqual(len(data["statement"]["terms"]), 2)
        self.assertEqual([len(e["terms"]) for e in data["motion"]], [2, 2])
        shown = ["".join(text_of(term) for term in e["terms"]) for e in data["motion"]]
        self.assertTrue(all("λ" in text and "2" in text for text in shown), shown)
        self.assertEqual(["".join(text_of(t) for t in e["terms"]) for e in data["constraints"]], ["x2+y2−1"])
        self.assertEqual({text_of(p["name"]): p["value"] for p in data["parameters"]}, {"m": 2, "mass1": 3, "g": 9.81})
        self.assertEqual(data["note"], "")

    def test_turning_bodies(self):
        """(EL) of a body is written out where it is short: A w1' = (B - C) w2 w3."""
        self.write("body.toml", """[system]
coordinates = [{ name = "R", space = "SO3" }]
parameters = { A = 1.0, B = 2.0, C = 3.0 }
lagrangian = "(A*R_w1^2 + B*R_w2^2 + C*R_w3^2)/2"
[start]
R = { angle_axis = [0, 0, 0] }
R_w = [1, 2, 3]
[run]
method = "gauss(2)"
step = 0.1
steps = 5
""")
        text = self.latex("body.toml")
        self.assertNotIn("dL/dw", text)
        for pair in ("w2", "w3"), ("w1", "w3"), ("w1", "w2"):
            self.assertEqual(len([line for line in text.splitlines() if "frac{d}" in line
                                  and all(line.count(rf"R_{{\mathrm{{{w}}}}}") >= 2 for w in pair)]), 1, (pair, text))

    def test_joints_are_named(self):
        self.write("rods.toml", BODIES.replace("report = false", "report = true"))
        notes = [row.get("note") for row in self.equations("rods.toml")["constraints"]]
        self.assertIn("hinge A.tip - B.base", notes)
        self.assertIn(r"\quad \text{(hinge A.tip - B.base)}", self.latex("rods.toml"))

    def test_long_systems_are_cut_with_a_sentence(self):
        self.write("chain.toml", CHAIN.format(n=30, last=29))
        data = self.equations("chain.toml")
        sentence = "The system has 30 degrees of freedom; the equations of the first 12 are shown."
        self.assertEqual((len(data["motion"]), data["note"]), (12, sentence))
        self.assertIn(sentence, self.latex("chain.toml"))
        self.write("long.toml", CHAIN.format(n=100, last=99))
        data = self.equations("long.toml")
        self.assertEqual(set(data), {"note"})
        self.assertIn("100 degrees of freedom", data["note"])

    def test_every_kind_of_system(self):
        for name in KINDS:
            with self.subTest(name):
                text = self.latex(f"gallery:{name}")
                self.assert_balanced(text)
                self.assertNotRegex(text, r"nan|inf\b|\bx\d\d\b")
                self.assertTrue(text.isascii() or name in ("point_vortices",), text)
        for name, equations in ("point_vortices", 8), ("henon_heiles", 2):
            data = self.equations(f"gallery:{name}", "--until", "0.1")
            self.assertEqual((data["heading"], text_of(data["statement"]["left"])), ("Hamiltonian", "H"))
            self.assertEqual(len(data["motion"]), equations)

    @unittest.skipUnless(shutil.which("pdflatex"), "LaTeX is not installed")
    def test_latex_compiles(self):
        for name in KINDS:
            with self.subTest(name):
                self.write("show.tex", self.latex(f"gallery:{name}"))
                done = subprocess.run(["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "show.tex"], cwd=self.folder,
                                      capture_output=True, text=True, errors="replace", check=False)
                self.assertEqual(done.returncode, 0, done.stdout[-1500:])

    def test_requests_that_mean_nothing(self):
        self.assert_refused(self.varia("show", "gallery:kepler", "--latex", "--json"), "--json", "--latex")
        self.assert_refused(self.varia("show", "gallery:l_beam", "--latex"), "solid")


if __name__ == "__main__":
    unittest.main()
