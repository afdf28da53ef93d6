# SPDX-License-Identifier: BSD-3-Clause
"""Formulas as trees, with a text for scenario files, derivatives, and Python functions for their values.

Nothing here is shared with the program under test: it reads the text, tests evaluate the tree."""
import math

_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}


class Formula:
    """A node: an operation and its operands. Equal formulas are one object."""
    _all = {}
    __slots__ = ("op", "arguments", "_derivatives")

    def __new__(cls, op, *arguments):
        key = (op, *arguments)
        found = cls._all.get(key)
        if found is None:
            found = super().__new__(cls)
            found.op, found.arguments, found._derivatives = op, arguments, {}
            cls._all[key] = found
        return found

    @classmethod
    def forget(cls):
        """All formulas so far; they must not be mixed with new ones."""
        cls._all.clear()

    def __add__(self, other):
        other = formula(other)
        if is_number(self, 0):
            return other
        return self if is_number(other, 0) else Formula("+", self, other)

    def __sub__(self, other):
        other = formula(other)
        return self if is_number(other, 0) else Formula("-", self, other)

    def __mul__(self, other):
        other = formula(other)
        if is_number(self, 0) or is_number(other, 0):
            return formula(0)
        if is_number(self, 1):
            return other
        return self if is_number(other, 1) else Formula("*", self, other)

    def __truediv__(self, other):
        other = formula(other)
        return self if is_number(self, 0) or is_number(other, 1) else Formula("/", self, other)

    def __pow__(self, exponent):
        if exponent == 0:
            return formula(1)
        return self if exponent == 1 else Formula("^", self, formula(exponent))

    def __neg__(self):
        return formula(0) - self

    __radd__ = lambda self, other: formula(other) + self
    __rsub__ = lambda self, other: formula(other) - self
    __rmul__ = lambda self, other: formula(other) * self
    __rtruediv__ = lambda self, other: formula(other) / self


def formula(x):
    return x if isinstance(x, Formula) else Formula("number", float(x))


def variable(name):
    return Formula("variable", name)


def is_number(f, value):
    return f.op == "number" and f.arguments[0] == value


def call(name, *arguments):
    return Formula(name, *map(formula, arguments))


def text(f, outer=0):
    """As a scenario has it."""
    if f.op == "number":
        value = f.arguments[0]
        written = repr(int(value)) if value == int(value) and abs(value) < 1e6 else repr(value)
        return f"({written})" if value < 0 else written
    if f.op == "variable":
        return f.arguments[0]
    if f.op not in _PRECEDENCE:
        return f"{f.op}({', '.join(text(a) for a in f.arguments)})"
    level = _PRECEDENCE[f.op]
    written = text(f.arguments[0], level + (f.op == "^")) + f" {f.op} " + text(f.arguments[1], level + 1)
    return f"({written})" if level < outer else written


def _power_derivative(f, name):
    base, exponent = f.arguments
    n = exponent.arguments[0]
    return formula(n) * base ** (n - 1) * derivative(base, name)


# The derivative of each function of one operand, f'(a).
_OUTER = {
    "sin": lambda a: call("cos", a),
    "cos": lambda a: -call("sin", a),
    "tanh": lambda a: 1 - call("tanh", a) ** 2,
    "cosh": lambda a: call("sinh", a),
    "sinh": lambda a: call("cosh", a),
    "exp": lambda a: call("exp", a),
    "log": lambda a: 1 / a,
    "sqrt": lambda a: 0.5 / call("sqrt", a),
    "atan": lambda a: 1 / (1 + a ** 2),
    "abs": lambda a: call("sign", a),
    "sign": lambda a: formula(0),
}


def derivative(f, name):
    """By the variable of that name."""
    if name in f._derivatives:
        return f._derivatives[name]
    a = f.arguments
    if f.op in ("number", "variable"):
        result = formula(float(f.op == "variable" and a[0] == name))
    elif f.op == "+":
        result = derivative(a[0], name) + derivative(a[1], name)
    elif f.op == "-":
        result = derivative(a[0], name) - derivative(a[1], name)
    elif f.op == "*":
        result = derivative(a[0], name) * a[1] + a[0] * derivative(a[1], name)
    elif f.op == "/":
        result = derivative(a[0], name) / a[1] - f * derivative(a[1], name) / a[1]
    elif f.op == "^":
        result = _power_derivative(f, name)
    elif f.op in ("min", "max"):
        first, second = a if f.op == "min" else reversed(a)
        result = Formula("if_less", first, second, derivative(a[0], name), derivative(a[1], name))
    elif f.op == "if_less":
        result = Formula("if_less", a[0], a[1], derivative(a[2], name), derivative(a[3], name))
    else:
        slope = derivative(a[0], name)
        result = formula(0) if is_number(slope, 0) else _OUTER[f.op](a[0]) * slope
    f._derivatives[name] = result
    return result


def substituted(f, values):
    """With other formulas in place of variables; `values` by name."""
    done = {}

    def visit(g):
        if g.op == "number":
            return g
        if g.op == "variable":
            return values.get(g.arguments[0], g)
        if g not in done:
            done[g] = Formula(g.op, *map(visit, g.arguments))
        return done[g]
    return visit(f)


def _real_power(base, exponent):
    if base < 0 and exponent != int(exponent):
        raise ValueError("a power of a negative number")
    return base ** exponent


_FUNCTIONS = {**{name: getattr(math, name) for name in ("sin", "cos", "tanh", "cosh", "sinh", "exp", "log", "sqrt", "atan")},
              "abs": abs, "min": min, "max": max, "power": _real_power,
              "sign": lambda x: math.copysign(1.0, x) if x else 0.0}


def compiled(formulas, variables):
    """The function of the variables, a sequence of numbers, that gives the values as a tuple."""
    lines, names = [], {}

    def name_of(f):
        if f.op == "number":
            return repr(f.arguments[0])
        if f in names:
            return names[f]
        if f.op == "variable":
            value = f"x[{variables.index(f.arguments[0])}]"
        else:
            a = [name_of(g) for g in f.arguments]
            if f.op == "if_less":
                value = f"{a[2]} if {a[0]} < {a[1]} else {a[3]}"
            elif f.op == "^":
                value = f"power({a[0]}, {a[1]})"
            else:
                value = f"({a[0]}) {f.op} ({a[1]})" if f.op in _PRECEDENCE else f"{f.op}({', '.join(a)})"
        names[f] = f"v{len(names)}"
        lines.append(f"    {names[f]} = {value}\n")
        return names[f]

    values = [name_of(f) for f in formulas]
    place = dict(_FUNCTIONS)
    exec("def function(x):\n" + "".join(lines) + f"    return ({', '.join(values)},)\n", place)  # pylint: disable=exec-used
    return place["function"]
