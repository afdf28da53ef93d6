# SPDX-License-Identifier: BSD-3-Clause
"""The motions that random systems are compared with, against closed forms: their errors are within what they say."""
import math
import unittest

from exact_motion import Equations, TooMuchWork, motion
from formula import call, formula, variable

X, Y, X_DOT, Y_DOT = map(variable, ("x", "y", "x_dot", "y_dot"))


def gap(a, b):
    return max(abs(x - y) for x, y in zip(a, b))


def stated_error(found):
    return max(gap(found.end, found.longer), gap(found.end, found.moved))


class ExactMotion(unittest.TestCase):
    def assert_known(self, equations, start, end, exact):
        """At any tolerance the end is off by no more than the other ends differ, but for round-off; at the last by little."""
        for tolerance in (1e-4, 1e-6, 1e-8, 1e-10, 1e-12):
            with self.subTest(tolerance):
                found = motion(equations, 0.0, start, end, tolerance, 20000)
                self.assertLessEqual(gap(found.end, exact), stated_error(found) + 1e-14 * max(map(abs, exact)))
        self.assertLess(gap(found.end, exact), 1e-12 * max(map(abs, exact)))

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
        equations = Equations(lagrangian, [formula(0)] * 2, ["x", "y"], ["x_dot", "y_dot"])
        found = motion(equations, 0.0, start, 2 * math.pi, 1e-12, 40000)
        self.assertLess(gap(found.end, start), 1e-12)
        self.assertLessEqual(gap(found.end, start), 10 * stated_error(found))
        self.assertAlmostEqual(found.change[0], 2.0, 2)

    def test_small_change_of_a_velocity(self):
        """Far from a wall exp(-x/d), x(t) = d log(2/w^2 cosh(s)^2), s = w t/(2 d) + s0: the change of the velocity is known
        to a part of itself, though it is 1e-7 of the velocity."""
        d, w, s0, end = 0.05, 0.1, 8.0, 40.0
        s1 = s0 + w * end / (2 * d)
        (x0, v0), (x1, _) = ((d * math.log(2 / w**2 * math.cosh(s)**2), w * math.tanh(s)) for s in (s0, s1))
        gain = w * math.sinh(s1 - s0) / (math.cosh(s0) * math.cosh(s1))
        equations = Equations(X_DOT**2 / 2 - call("exp", -X / d), [formula(0)], ["x"], ["x_dot"])
        found = motion(equations, 0.0, [x0, v0], end, 1e-12, 20000)
        self.assertAlmostEqual(found.change[1] / gain, 1, 8)
        self.assertAlmostEqual((found.end[1] - v0) / gain, 1, 8)
        self.assertAlmostEqual(found.end[0], x1, 12)
        self.assertLess(max(abs(found.end[1] - other[1]) for other in (found.longer, found.moved)), 1e-8 * gain)

    def test_kink(self):
        """Free until x = 1, then x'' = -k x: no step may pass the edge unseen, wherever it is."""
        k, end, w = 3.0, 2.0, math.sqrt(3.0)
        equations = Equations(X_DOT**2 / 2 - k * call("min", X**2, 1) / 2, [formula(0)], ["x"], ["x_dot"])
        for start in (1.21, 1.24, 1.28, 1.31, 1.34, 1.39, 1.46, 1.53, 1.66, 1.75):
            with self.subTest(start):
                s = w * (end - (start - 1) / 0.4)
                exact = [math.cos(s) - 0.4 / w * math.sin(s), -w * math.sin(s) - 0.4 * math.cos(s)]
                found = motion(equations, 0.0, [start, -0.4], end, 1e-12, 20000)
                self.assertLess(gap(found.end, exact), 1e-9)
                self.assertLess(stated_error(found), 1e-9)

    def test_narrow_well(self):
        """A long time is many short ones: no step is so long that it passes something unseen."""
        equations = Equations(X_DOT**2 / 2 + 2 * call("exp", -(X / 0.06)**2), [formula(0)], ["x"], ["x_dot"])
        for x in (-20.1, -21.4):
            with self.subTest(x):
                pieces = [x, 1.0]
                for begin in range(0, 40, 5):
                    pieces = motion(equations, float(begin), pieces, begin + 5.0, 1e-12, 20000).end
                found = motion(equations, 0.0, [x, 1.0], 40.0, 1e-12, 20000)
                self.assertLess(gap(found.end, pieces), 1e-9)

    def test_work_has_a_limit(self):
        equations = Equations(X_DOT**2 / 2 - 1e10 * X**2 / 2, [formula(0)], ["x"], ["x_dot"])
        with self.assertRaises(TooMuchWork):
            motion(equations, 0.0, [1.0, 0.0], 100.0, 1e-12, 5000)


if __name__ == "__main__":
    unittest.main()
