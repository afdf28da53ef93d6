# SPDX-License-Identifier: BSD-3-Clause
"""The motions that random systems are compared with, against closed forms: their errors are within what they say."""
import math
import unittest

from exact_motion import Equations, TooMuchWork, motion
from formula import call, formula, variable

X, Y, X_DOT, Y_DOT = map(variable, ("x", "y", "x_dot", "y_dot"))


def gap(a, b):
    return max(abs(x - y) for x, y in zip(a, b))


class ExactMotion(unittest.TestCase):
    def assert_known(self, equations, start, end, exact):
        """At any tolerance the end is off by no more than the other ends differ, but for round-off; at the last by little."""
        for tolerance in (1e-4, 1e-6, 1e-8, 1e-10, 1e-12):
            with self.subTest(tolerance):
                found, _, others = motion(equations, 0.0, start, end, tolerance, 20000)
                self.assertLessEqual(gap(found, exact), max(gap(found, other) for other in others) + 1e-14 * max(map(abs, exact)))
        self.assertLess(gap(found, exact), 1e-12 * max(map(abs, exact)))

    def test_oscillator(self):
        equations = Equations(X_DOT**2 / 2 - X**2 / 2, [formula(0)], ["x"], ["x_dot"])
        self.assert_known(equations, [1.0, 0.5], 20.0,
                          [math.cos(20) + 0.5 * math.sin(20), 0.5 * math.cos(20) - math.sin(20)])

    def test_friction(self):
        equations = Equations(X_DOT**2 / 2, [formula(-2) * X_DOT], ["x"], ["x_dot"])
        self.assert_known(equations, [0.0, 3.0], 5.0, [-1.5 * math.expm1(-10), 3 * math.exp(-10)])

    def test_kepler(self):
        """After one turn it is where it was."""
        e = 0.6
        start = [1 - e, 0.0, 0.0, math.sqrt((1 + e) / (1 - e))]
        lagrangian = X_DOT**2 / 2 + Y_DOT**2 / 2 + 1 / call("sqrt", X**2 + Y**2)
        found, change, others = motion(Equations(lagrangian, [formula(0)] * 2, ["x", "y"], ["x_dot", "y_dot"]), 0.0, start,
                                       2 * math.pi, 1e-12, 40000)
        self.assertLess(gap(found, start), 1e-12)
        self.assertLessEqual(gap(found, start), 10 * max(gap(found, other) for other in others))
        self.assertAlmostEqual(change[0], 2.0, 2)

    def test_small_change_of_a_velocity(self):
        """Far from a wall exp(-x/d), x(t) = d log(2/w^2 cosh(s)^2), s = w t/(2 d) + s0: the change of the velocity is known
        to a part of itself, though it is 1e-7 of the velocity."""
        d, w, s0, end = 0.05, 0.1, 8.0, 40.0
        s1 = s0 + w * end / (2 * d)
        (x0, v0), (x1, _) = ((d * math.log(2 / w**2 * math.cosh(s)**2), w * math.tanh(s)) for s in (s0, s1))
        gain = w * math.sinh(s1 - s0) / (math.cosh(s0) * math.cosh(s1))
        equations = Equations(X_DOT**2 / 2 - call("exp", -X / d), [formula(0)], ["x"], ["x_dot"])
        found, change, others = motion(equations, 0.0, [x0, v0], end, 1e-12, 20000)
        self.assertAlmostEqual(change[1] / gain, 1, 8)
        self.assertAlmostEqual((found[1] - v0) / gain, 1, 8)
        self.assertAlmostEqual(found[0], x1, 12)
        self.assertLess(max(abs(found[1] - other[1]) for other in others), 1e-8 * gain)

    def test_work_has_a_limit(self):
        equations = Equations(X_DOT**2 / 2 - 1e10 * X**2 / 2, [formula(0)], ["x"], ["x_dot"])
        with self.assertRaises(TooMuchWork):
            motion(equations, 0.0, [1.0, 0.0], 100.0, 1e-12, 5000)


if __name__ == "__main__":
    unittest.main()
