# SPDX-License-Identifier: BSD-3-Clause
"""Motions of Lagrangian systems on R^n, found without the program: equations of motion from the formula of L, and
extrapolation of the midpoint rule (Gragg, Bulirsch, Stoer) with steps by its error."""
from formula import compiled, derivative

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
    """y at t + h by so many steps of the midpoint rule."""
    small = h / count
    before, here = y, [a + small * b for a, b in zip(y, slope)]
    for k in range(1, count):
        slope_here = f(t + k * small, here)
        before, here = here, [a + 2 * small * b for a, b in zip(before, slope_here)]
    return here


def _extrapolated(f, t, y, h):
    """y at t + h, and the same with one order less."""
    slope = f(t, y)
    above = []
    for k, count in enumerate(_COUNTS):
        row = [_midpoint_steps(f, t, y, slope, h, count)]
        for j in range(1, k + 1):
            ratio = (count / _COUNTS[k - j]) ** 2
            row.append([a + (a - b) / (ratio - 1) for a, b in zip(row[j - 1], above[j - 1])])
        above = row
    return above[-1], above[-2]


def motion(f, t, y, end, tolerance, most):
    """y at the end, and the largest |y - y(0)| on the way, by component; TooMuchWork after so many evaluations."""
    start, most = list(y), most + f.evaluations
    size, change = [abs(a) for a in y], [0.0] * len(y)
    h = (end - t) / 16
    while t < end:
        h = min(h, end - t)
        last = t + h >= end - 1e-13 * abs(end)
        try:
            new, lower = _extrapolated(f, t, y, h)
            size_there = [max(a, abs(b)) for a, b in zip(size, new)]
            least = max(1e-6 * max(size_there), 1e-300)
            error = max(abs(a - b) / max(s, least) for a, b, s in zip(new, lower, size_there))
        except NO_VALUE:
            error = float("inf")
        if f.evaluations > most or h < 1e-12 * max(abs(end), abs(t)):
            raise TooMuchWork
        if error <= tolerance:
            t = end if last else t + h
            y, size = new, size_there
            change = [max(c, abs(a - b)) for c, a, b in zip(change, y, start)]
        h *= min(3.0, max(0.2, 0.8 * (tolerance / max(error, 1e-30)) ** (1 / 13))) if error == error else 0.2
    return y, change
