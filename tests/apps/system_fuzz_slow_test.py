# SPDX-License-Identifier: BSD-3-Clause
"""A few random systems; the long form is system_fuzz_long_test.py. And what such a test must notice."""
import dataclasses
import unittest

from formula import call, formula, variable
from random_systems import RandomSystem
from system_fuzz import Energies, SystemFuzz


def pendulum(method="verlet", order=2, gravity=1.0):
    motion, place = variable("x_dot")**2 / 2, gravity * call("cos", variable("x"))
    return RandomSystem(False, ["x"], ["x_dot"], motion + place, start={"x": 1.0, "x_dot": 0.3}, method=method, order=order,
                        step=0.3, steps=20)


class Short(SystemFuzz):
    def test_random_systems(self):
        self.fuzz(seed=14, completed=80, every=3)

    def test_another_system_is_noticed(self):
        """Runs of a pendulum against the exact motion of one with a little more gravity, or of one with friction."""
        for method, order in (("verlet", 2), ("gauss(2)", 4)):
            right = pendulum(method, order)
            self.run_text(right.text())
            records = self.records(right)
            self.compare(right, records)
            heavier = dataclasses.replace(right, lagrangian=pendulum(gravity=1.001).lagrangian)
            slowed = dataclasses.replace(right, force={"x": formula(-0.001) * variable("x_dot")})
            for other in (heavier, slowed):
                other.text = right.text  # the program runs the right one
                with self.assertRaises(AssertionError):
                    self.compare(other, records)

    def test_a_lower_order_is_noticed(self):
        for method, order in (("verlet", 3), ("euler_a", 2)):
            claims = pendulum(method, order)
            self.run_text(claims.text())
            with self.assertRaises(AssertionError):
                self.compare(claims, self.records(claims))

    def test_a_ruined_energy_is_noticed(self):
        system = pendulum()
        fall = [[0.1 * i, 1.0 - 0.02 * i, 0.0] for i in range(50)]  # from one place to another, always at rest
        self.assertTrue(Energies(system, fall).ruined)
        self.run_text(system.text())
        self.assertFalse(Energies(system, self.records(system)).ruined)


if __name__ == "__main__":
    unittest.main()
