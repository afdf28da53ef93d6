# SPDX-License-Identifier: BSD-3-Clause
"""Motions of Lagrangian systems on R^n, found without the program: equations of motion from the formula of L, and
extrapolation of the midpoint rule (Gragg, Bulirsch, Stoer) with steps by its error. How well they are known is measured."""
import math
import sys
from dataclasses import dataclass

from formula import compiled, derivative

EPSILON = sys.float_info.epsilon

NO_VALUE = (ArithmeticError, ValueError)  # what a formula raises where it has none
_COUNTS = (2, 4, 6, 8, 10, 12, 14)


class TooMuchWork(Exception):
    pass


def solved(matrix, right):
    """x with matrix x = right, by elimination with pivots."""
    n = len(right)
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            for j in range(k, n + 1):
                rows[i][j] -= factor * rows[k][j]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (rows[k][n] - sum(rows[k][j] * x[j] for j in range(k + 1, n))) / rows[k][k]
    return x


class Equations:
    """L_vv a = L_q + F - L_vq v - L_vt as a system of first order in (q, v)."""

    def __init__(self, lagrangian, force, q, v):
        self.n = n = len(q)
        by_v = [derivative(lagrangian, name) for name in v]
        mass = [derivative(f, name) for f in by_v for name in v]
        mixed = [derivative(f, name) for f in by_v for name in q]
        rate = [derivative(f, "t") for f in by_v]
        push = [derivative(lagrangian, name) + f for name, f in zip(q, force)]
        self.values = compiled(mass + mixed + rate + push, ["t", *q, *v])
        self.evaluations = 0

    def __call__(self, t, y):
        n = self.n
        self.evaluations += 1
        out = self.values((t, *y))
        v = y[n:]
        mixed, rate, push = out[n*n:2*n*n], out[2*n*n:2*n*n + n], out[2*n*n + n:]
        right = [push[i] - rate[i] - sum(mixed[i*n + j] * v[j] for j in range(n)) for i in range(n)]
        return [*v, *solved([out[i*n:(i + 1)*n] for i in range(n)], right)]


def _midpoint_steps(f, t, y, slope, h, count):
    """How y changes over h by so many steps of the midpoint rule, smoothed by one more: the end of the step is looked at too,
    or a kink shortly before it is seen by no step."""
    small = h / count
    before, here = [0.0] * len(y), [small * b for b in slope]
    for k in range(1, count + 1):
        slope_here = f(t + k * small, [a + b for a, b in zip(y, here)])
        last, before, here = before, here, [a + 2 * small * b for a, b in zip(before, slope_here)]
    return [(a + 2 * b + c) / 4 for a, b, c in zip(last, before, here)]


def _extrapolated(f, t, y, h):
    """How y changes over h, and the same with one order less."""
    slope = f(t, y)
    above = []
    for k, count in enumerate(_COUNTS):
        row = [_midpoint_steps(f, t, y, slope, h, count)]
        for j in range(1, k + 1):
            ratio = (count / _COUNTS[k - j]) ** 2
            row.append([a + (a - b) / (ratio - 1) for a, b in zip(row[j - 1], above[j - 1])])
        above = row
    return above[-1], above[-2]


class Path:
    """Where a motion has come to, with the remainders of its sums, and how far it has been from its start."""

    def __init__(self, y):
        self.start, self.y, self.rest = list(y), list(y), [0.0] * len(y)
        self.change = [0.0] * len(y)

    def add(self, steps):
        for i, step in enumerate(steps):
            step += self.rest[i]
            total = self.y[i] + step
            if not math.isfinite(total):
                raise ArithmeticError("no motion")
            there = total - self.y[i]
            self.rest[i] = (self.y[i] - (total - there)) + (step - there)
            self.y[i] = total
            self.change[i] = max(self.change[i], abs(total - self.start[i]))

    def scales(self, steps):
        """What an error is measured by: how far coordinates go, and velocities; of their size what is not all round-off."""
        n = len(self.y) // 2
        scales = []
        for half in (slice(0, n), slice(n, 2 * n)):
            far = max(max(c, abs(d)) for c, d in zip(self.change[half], steps[half]))
            scales += [max(far, 1e-4 * max(map(abs, self.y[half])), 1e-300)] * n
        return scales


def _steps_by_error(f, t, y, end, tolerance, most):
    """The times between steps with an error below the tolerance, and the path; TooMuchWork after so many evaluations."""
    times, path, most = [t], Path(y), most + f.evaluations
    longest = h = (end - t) / 16
    while t < end:
        h = min(h, longest, end - t)
        last = t + h >= end - 1e-13 * abs(end)
        try:
            steps, lower = _extrapolated(f, t, path.y, h)
            error = max(abs(a - b) / s for a, b, s in zip(steps, lower, path.scales(steps)))
        except NO_VALUE:
            error = float("inf")
        short = h < 1e-12 * max(abs(end), abs(t))  # across a kink, and its error is that of others with as short a step
        if f.evaluations > most or (short and not math.isfinite(error)):
            raise TooMuchWork
        if error <= tolerance or short:
            t = end if last else t + h
            times.append(t)
            path.add(steps)
        h *= min(3.0, max(0.2, 0.8 * (tolerance / max(error, 1e-30)) ** (1 / 13))) if error == error else 0.2
    return times, path


def _halved(times):
    return [t for a, b in zip(times, times[1:]) for t in (a, (a + b) / 2)] + times[-1:]


def _along(f, times, y):
    path = Path(y)
    for t, after in zip(times, times[1:]):
        path.add(_extrapolated(f, t, path.y, after - t)[0])
    return path


@dataclass
class Motion:
    """Two other ends tell how well the end is known: with steps twice as long, which has the larger error, and from a start
    that differs by a rounding."""
    end: list
    change: list  # the largest |y - y(0)| on the way, by component
    longer: list
    moved: list
    shortest: float  # step


def motion(f, t, y, end, tolerance, most):
    """TooMuchWork where the steps of that tolerance take more than so many evaluations."""
    times, longer = _steps_by_error(f, t, y, end, tolerance, most)
    fine = _along(f, _halved(times), y)
    moved = _along(f, _halved(times), [a * (1 + (-1) ** i * EPSILON) for i, a in enumerate(y)])
    shortest = min(b - a for a, b in zip(times, times[1:-1]))  # the last step is what is left
    return Motion(fine.y, fine.change, longer.y, moved.y, shortest)
