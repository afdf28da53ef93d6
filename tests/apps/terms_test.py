# SPDX-License-Identifier: BSD-3-Clause
"""avi on the terms of a system: every verb, and a restart."""
import json
import unittest

from program import ProgramTest

CHAIN = """title = "Stiff and soft"
[system]
coordinates = ["q[1..4]"]
parameters = { bond = 400.0, weak = 1.0 }
lagrangian = "sum(i, 1, 4, q_dot[i]^2)/2 - sum(i, 1, 3, bond*(q[i+1] - q[i])^2/2) - weak*(q[4] - q[1])^4/4"
[[system.term]]
i = [1, 3]
potential = "bond*(q[i+1] - q[i])^2/2"
step = "0.1/sqrt(bond)"
[[system.term]]
potential = "weak*(q[4] - q[1])^4/4"
step = "0.01*sqrt(2)"
[system.symmetry]
translation = { q = "1" }
[start]
q = "0.1*sin(i)"
q_dot = "cos(i)"
[run]
method = "avi"
step = 0.05
until = 10
[output]
report = false
formats = ["h5", "csv"]
"""


class Terms(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("chain.toml", CHAIN)

    def test_run(self):
        s = self.run_json("chain.toml")
        self.assertEqual((s["status"], s["method"], s["order"], s["steps"]), ("done", "avi", 2, 200))
        self.assertEqual(s["updates"]["total"], 3*2000 + 707)
        self.assertEqual((s["updates"]["max"], s["updates"]["min"]), (2000, 707))
        self.assertAlmostEqual(s["updates"]["ratio"], s["updates"]["predicted"], places=2)
        self.assertNotIn("mesh", s)
        self.assertEqual([v["status"] for v in s["verdicts"]], ["good", "good"])
        text = self.assert_done(self.varia("run", "chain.toml")).stdout
        self.assertIn("6707 updates of terms", text)

    def test_native_code_is_the_same_motion(self):
        plain = self.run_json("chain.toml", "--set", "run.evaluation=interpreter")
        native = self.run_json("chain.toml", "--set", "run.evaluation=native")
        self.assertIn("native", native["evaluation"])
        for name, value in plain["final"]["q"].items():
            self.assertEqual(native["final"]["q"][name], value)

    def test_restart_is_to_the_bit(self):
        whole = self.run_json("chain.toml", "--out", "whole")
        self.run_json("chain.toml", "--out", "parts", "--until", "4")
        parts = self.run_json("chain.toml", "--out", "parts", "--restart", "parts/checkpoint.h5")
        for key in ("final", "energy", "momenta"):
            self.assertEqual(whole[key], parts[key])
        self.assertEqual(whole["updates"]["total"], parts["updates"]["total"])
        self.assertEqual((self.folder / "whole/trajectory.csv").read_bytes(),
                         (self.folder / "parts/trajectory.csv").read_bytes())
        other = self.varia("run", "chain.toml", "--out", "parts", "--restart", "parts/checkpoint.h5", "--until", "12",
                           "--set", "system.term[2].step=0.02")
        self.assert_refused(other, "--restart", "another system")

    def test_other_verbs(self):
        report = json.loads(self.assert_done(self.varia("check", "chain.toml", "--json")).stdout)
        self.assertEqual((report["method"], report["verdict"], report["order"]["declared"]), ("avi", "pass", 2))
        self.assertAlmostEqual(report["order"]["measured"], 2, delta=0.2)
        shown = json.loads(self.assert_done(self.varia("show", "chain.toml", "--json")).stdout)
        self.assertEqual(shown["terms"]["count"], 4)
        self.assertIn("Terms        4", self.assert_done(self.varia("show", "chain.toml")).stdout)
        done = self.assert_done(self.varia("compare", "chain.toml", "--methods", "avi, verlet", "--steps", "0.05",
                                           "--json"))
        self.assertEqual([row["method"] for row in json.loads(done.stdout)["rows"]], ["avi", "verlet"])
        names = [row["name"] for row in json.loads(self.varia("list", "methods", "--json").stdout)]
        self.assertIn("avi", names)

    def test_refusals(self):
        self.assert_refused(self.varia("run", "chain.toml", "--method", "verlet"), "system.term", "avi", "verlet")
        self.assert_refused(self.varia("run", "chain.toml", "--set", "system.term[2].potential=q[1]^2"), "system.term",
                            "do not add up", "dV/dq[1]")
        self.assert_refused(self.varia("check", "gallery:kepler", "--method", "avi"), "run.method", "[[system.term]]")


if __name__ == "__main__":
    unittest.main()
