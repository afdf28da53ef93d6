# SPDX-License-Identifier: BSD-3-Clause
"""Random mechanical systems: a grammar of kinetic energies, potentials, forces and constraints, with starts, methods and
steps from well resolved to hopeless. The same generator gives the same system."""
import math
from dataclasses import dataclass, field

from formula import Formula, call, compiled, derivative, formula, substituted, text, variable

# Methods with their order, without and with constraints; by what they demand of a system.
ANY = {"euler_a": 1, "euler_b": 1, "midpoint": 2, "midpoint(0.3)": 1, "trapezoid": 2, "symmetrised(0.2)": 2, "verlet": 2,
       "gauss(1)": 2, "lobatto(2)": 2, "lobatto(3)": 4, "triple_jump(verlet)": 4, "suzuki(verlet)": 4, "yoshida(4)": 4,
       "adjoint(euler_a)": 1, "compose(euler_a: 1/2, euler_b: 1/2)": 1}
FREE = {"gauss(2)": 4, "gauss(3)": 6, "gauss(4)": 8, "lobatto(4)": 6, "galerkin(2, gauss:3)": 4, "galerkin(1, simpson)": 2,
        "trigonometric(1, 0.7)": 2, "yoshida(6)": 6, "yoshida(8)": 8, "kahan_li(6)": 6, "triple_jump(gauss(2))": 6,
        "rk4": 4, "dopri5": 5, "explicit_euler": 1}
UNFORCED = {"shooting": 4, "taylor(4)": 4, "taylor(3)": 3}
SEPARABLE = {"newmark": 2, "newmark(0, 1/2)": 2, "ruth(3)": 3, "mclachlan(4)": 4, "blanes_moan(4)": 4, "blanes_moan(6)": 6,
             "sofroniou_spaletta(10)": 10}
SEPARABLE_UNFORCED = {"mclachlan_atela(4)": 4, "blanes_moan_rkn(4)": 4, "blanes_moan_rkn(6)": 6}
VARIABLE = ("midpoint", "gauss(1)", "gauss(2)", "gauss(3)", "lobatto(2)", "lobatto(3)", "verlet", "trapezoid")
NAMES = ("x", "y", "z", "u")
FUNCTIONS = ("sin", "cos", "tanh", "cosh", "exp", "sqrt", "log", "atan", "abs", "sign", "min", "max")
ROUGH = {"abs", "sign", "min", "max", "if_less"}


@dataclass
class RandomSystem:
    array: bool
    q: list
    v: list
    lagrangian: object
    constant: float = 0.0  # added to L, in the text alone
    force: dict = field(default_factory=dict)
    constraints: list = field(default_factory=list)
    start: dict = field(default_factory=dict)
    method: str = "verlet"
    order: int = 2
    step: float = 0.1
    steps: int = 100
    every: int = 1
    discrete: object = None
    terms: list = field(default_factory=list)
    separable: bool = False
    degenerate: bool = False  # linear in the velocities: the start is the positions alone
    lengths: str = ""  # what makes steps of variable length

    @property
    def timed(self):
        return any(contains(f, {"t"}) for f in (self.lagrangian, *self.force.values(), *self.constraints))

    @property
    def conservative(self):
        return not self.force and not self.timed

    @property
    def rough(self):
        return any(has_operation(f, ROUGH) or has_root_of_square(f) for f in (self.lagrangian, *self.force.values()))

    def text(self, refinement=1):
        """The scenario; refined, with so many times as many steps and the same records."""
        names = [f"q[1..{len(self.q)}]"] if self.array else self.q
        lines = ["[system]", f"coordinates = {quoted(names)}",
                 f'lagrangian = "{text(self.lagrangian + self.constant)}"']
        if self.discrete is not None:
            lines.append(f'discrete_lagrangian = "{text(self.discrete)}"')
        if self.force:
            lines.append("force = { " + ", ".join(f'"{k}" = "{text(f)}"' for k, f in self.force.items()) + " }")
        if self.constraints:
            lines.append(f"holonomic = {quoted(map(text, self.constraints))}")
        for f, step in self.terms:
            lines += ["[[system.term]]", f'potential = "{text(f)}"', f"step = {step/refinement!r}"]
        lines += ["[start]", *(f'"{k}" = {x!r}' for k, x in self.start.items())]
        lines += ["[run]", f'method = "{self.method}"', f"step = {self.step/refinement!r}",
                  f"steps = {self.steps*refinement}", f"every = {self.every*refinement}", self.lengths]
        return "\n".join([*lines, "[output]", 'formats = ["csv"]', "report = false", ""])


def quoted(texts):
    return "[" + ", ".join(f'"{a}"' for a in texts) + "]"


def has_operation(f, operations):
    return f.op in operations or any(has_operation(a, operations) for a in f.arguments if not isinstance(a, (str, float)))


def has_root_of_square(f):
    """Which is |x|."""
    if f.op == "sqrt" and f.arguments[0].op == "^":
        return True
    return any(has_root_of_square(a) for a in f.arguments if not isinstance(a, (str, float)))


def contains(f, names):
    if f.op == "variable":
        return f.arguments[0] in names
    return f.op != "number" and any(contains(a, names) for a in f.arguments)


def round_to(x, digits=3):
    return float(f"{x:.{digits}g}")


class Grammar:
    def __init__(self, generator):
        self.random = generator
        Formula.forget()

    def between(self, low, high):
        return round_to(self.random.uniform(low, high))

    def size(self, low, high):
        """Any magnitude between the two is as likely as any other."""
        return round_to(math.exp(self.random.uniform(math.log(low), math.log(high))))

    def chance(self, p):
        return self.random.random() < p

    def kinetic(self, q, v):
        """A kinetic energy, and whether its mass is constant and diagonal."""
        masses = [self.size(0.3, 3) if self.chance(0.8) else self.size(1e-3, 1e3) for _ in q]
        diagonal = sum((m * a**2 / 2 for m, a in zip(masses, v)), formula(0))
        kind = self.random.choice(("diagonal",) * 5 + ("coupled", "place", "place", "polar", "quartic", "relativistic",
                                                      "magnetic", "sign"))
        i, j = self.random.randrange(len(q)), self.random.randrange(len(q))
        if kind == "coupled" and i != j:
            return diagonal + self.between(-0.9, 0.9) * math.sqrt(masses[i] * masses[j]) * v[i] * v[j], False
        if kind == "place":
            factor = self.random.choice((1 + self.size(0.05, 2) * q[j]**2, 2 + call("cos", q[j]), call("exp", q[j]) + 0.1,
                                         1 / (1 + q[j]**2)))
            return diagonal + factor * v[i]**2, False
        if kind == "polar" and i != j:
            return diagonal + q[j]**2 * v[i]**2 / 2, False
        if kind == "quartic":
            return diagonal + self.between(-0.2, 1) * v[i]**4 / 4, False
        if kind == "relativistic":
            c = self.size(2, 20)
            return -c**2 * call("sqrt", 1 - sum((a**2 for a in v), formula(0)) / c**2), False
        if kind == "magnetic" and i != j:
            return diagonal + self.between(-3, 3) * (q[i] * v[j] - q[j] * v[i]), False
        if kind == "sign" and self.chance(0.4):
            return (-diagonal, False) if self.chance(0.5) else (diagonal + q[j] * v[i]**2 / 2, False)
        return diagonal, True

    def first_order(self):
        """theta(q) v - H(q) in the plane."""
        q, v = list(NAMES[:2]), [f"{a}_dot" for a in NAMES[:2]]
        x, y = (variable(a) for a in q)
        one_form = self.between(0.5, 2) * self.random.choice((x, x + x**3 / 3, x * (1 + y**2))) * variable(v[1])
        hamiltonian = sum((self.between(0.2, 2) * self.potential_term([x, y]) for _ in range(2)), x**2 / 2 + y**2 / 2)
        s = RandomSystem(False, q, v, one_form - hamiltonian, degenerate=True)
        s.start = {a: self.between(-2, 2) for a in q}
        s.method, s.order = self.random.choice((("midpoint", 2), ("gauss(1)", 2), ("gauss(2)", 4), ("gauss(3)", 6)))
        self.choose_steps(s)
        return s

    def any_formula(self, q, depth):
        """From the grammar of the expression language."""
        if depth == 0 or self.chance(0.2):
            return self.random.choice(q) if self.chance(0.75) else formula(self.between(-3, 3))
        a = self.any_formula(q, depth - 1)
        kind = self.random.randrange(8)
        if kind < 4:
            b = self.any_formula(q, depth - 1)
            return (a + b, a - b, a * b, a / (1 + b**2))[kind]
        if kind == 4:
            return a ** self.random.choice((2, 2, 3, 4))
        name = self.random.choice(FUNCTIONS)
        if name in ("sqrt", "log"):
            return call(name, 1 + a**2)
        if name in ("min", "max"):
            return call(name, a, self.any_formula(q, depth - 1))
        return call(name, a)

    def potential_term(self, q):
        """One term, about 1 where the coordinates are about 1."""
        a, b = self.random.choice(q), self.random.choice(q)
        r2 = sum((x**2 for x in q), formula(0))
        c, d = self.between(-1, 1), self.size(0.03, 3)
        return self.random.choice((
            lambda: (a - c)**2 / 2, lambda: a**2 / 2, lambda: a**4 / 4 - a**2 / 2, lambda: a**2 * b - b**3 / 3,
            lambda: c * a, lambda: -call("cos", a), lambda: call("sin", self.between(1, 5) * a) * call("cos", b),
            lambda: call("exp", a - b) - a + b, lambda: -call("exp", -r2 / d**2), lambda: call("exp", -(a / d)**2),
            lambda: -1 / call("sqrt", r2 + (d**2 if self.chance(0.5) else 0)), lambda: 1 / a**2 - 1 / a,
            lambda: (0.5 / a)**12 - (0.5 / a)**6, lambda: call("tanh", a / d), lambda: 1 / (1 + call("exp", -a / d)),
            lambda: call("abs", a), lambda: call("sign", a - c), lambda: call("max", 0, a - c)**1.5,
            lambda: call("max", 0, a)**2.5, lambda: call("min", a**2, 1), lambda: call("max", a, -b),
            lambda: call("abs", a)**1.5, lambda: call("cosh", a), lambda: call("log", 1 + r2),
            lambda: self.size(30, 1e5) * (a - b)**2 / 2 if a is not b else self.size(30, 1e5) * a**2 / 2,
            lambda: (call("sqrt", r2) - 1)**2 * self.size(1, 1e3), lambda: self.any_formula(q, 3),
            lambda: self.any_formula(q, 4)))()

    def potential(self, q):
        """Its terms."""
        terms = []
        for _ in range(self.random.choice((0, 1, 1, 1, 2, 2, 3, 4))):
            factor = self.between(0.2, 3) if self.chance(0.8) else self.size(1e-4, 1e4)
            terms.append((factor if self.chance(0.85) else -factor) * self.potential_term(q))
        if self.chance(0.5):  # something that holds it
            terms += [self.size(0.1, 10) * x**2 / 2 for x in q]
        return terms

    def constraint(self, q):
        """phi, and the last coordinate on it as a formula of the others."""
        c = self.between(0.5, 2)
        rest = self.random.choice((c * q[0] + 0.5, c * q[0]**2, call("sin", q[0]), c * call("cosh", q[0])))
        if self.chance(0.15):
            rest = rest + self.between(0.1, 1) * call("sin", self.between(0.5, 3) * variable("t"))
        return self.size(1e-6, 1e6) * (q[-1] - rest) if self.chance(0.2) else q[-1] - rest, rest

    def circle(self, s, names):
        """A pendulum of any length in the first and the last coordinate, or all of them on a sphere."""
        chosen = range(len(names)) if self.chance(0.5) else (0, len(names) - 1)
        length = self.size(0.3, 3)
        s.constraints = [sum((variable(names[i])**2 for i in chosen), formula(0)) - length**2]
        for i in range(len(names)):
            if i in chosen:
                s.start[names[i]] = 0.0
                s.start[s.v[i]] = s.start[s.v[i]] if i != chosen[0] else 0.0
        s.start[names[0]] = length

    def constrain(self, s, names):
        if self.chance(0.5):
            return self.circle(s, names)
        q = [variable(a) for a in names]
        phi, rest = self.constraint(q)
        s.constraints = [phi]
        inputs = ["t", *names]
        values = [0.0, *(s.start[a] for a in names)]
        slope = sum((derivative(rest, a) * s.start[b] for a, b in zip(names[:-1], s.v)), derivative(rest, "t"))
        s.start[names[-1]], s.start[s.v[-1]] = compiled([rest, slope], inputs)(values)
        return None

    def choose_method(self, s):
        """One that the system allows; seldom any."""
        methods = dict(ANY)
        if not s.constraints:
            methods |= FREE
            if not s.force:
                methods |= UNFORCED
            if s.separable:
                methods |= SEPARABLE
                if not s.force and not s.timed:
                    methods |= SEPARABLE_UNFORCED
        if self.chance(0.03):
            methods = ANY | FREE | UNFORCED | SEPARABLE | SEPARABLE_UNFORCED
        s.method = self.random.choice(sorted(methods))
        s.order = methods[s.method]

    def own_discrete(self, s):
        """The midpoint rule as the user's own discrete Lagrangian."""
        h = variable("h")
        values = {}
        for a, b in zip(s.q, s.v):
            first, second = (variable(a.replace("q[", f"q_{k}[") if s.array else f"{a}_{k}") for k in (0, 1))
            values |= {a: (first + second) / 2, b: (second - first) / h}
        s.discrete = h * substituted(s.lagrangian, values)
        s.method, s.order = "discrete_lagrangian(2)", 2

    def asynchronous(self, s, potential):
        s.terms = [(f, round_to(s.step * self.random.uniform(0.1, 1), 6)) for f in potential]
        s.method, s.order = "avi", 1  # 2 where all steps are one

    def system(self):
        s = self.first_order() if self.chance(0.03) else self.second_order()
        if self.chance(0.2):
            s.constant = self.size(1, 1e18) * self.random.choice((-1, 1))
        s.every = self.random.choice((1, 1, 1, 1, 2, 7))
        return s

    def second_order(self):
        n = self.random.choice((1, 1, 1, 2, 2, 2, 3, 4))
        array = self.chance(0.25)
        q = [f"q[{i + 1}]" for i in range(n)] if array else list(NAMES[:n])
        v = [f"q_dot[{i + 1}]" for i in range(n)] if array else [f"{a}_dot" for a in q]
        places = [variable(a) for a in q]
        kinetic, separable = self.kinetic(places, [variable(a) for a in v])
        potential = self.potential(places)
        if self.chance(0.1):
            potential.append(self.between(-1, 1) * places[0] * call("sin", self.between(0.5, 3) * variable("t")))
        scale = formula(self.size(1e-12, 1e12) if self.chance(0.15) else 1)
        lagrangian = scale * (kinetic - sum(potential, formula(0)))
        s = RandomSystem(array, q, v, lagrangian, separable=separable)
        self.move(s, places)
        if n > 1 and self.chance(0.15):
            self.constrain(s, q)
        self.choose_method(s)
        self.choose_steps(s)
        if s.conservative and not s.constraints and self.chance(0.05):
            self.own_discrete(s)
        elif s.conservative and not s.constraints and separable and potential and self.chance(0.08):
            self.asynchronous(s, [scale * f for f in potential])
        elif s.conservative and not s.constraints and s.method in VARIABLE and self.chance(0.3):
            pace = text(1 + self.random.choice((places[0]**2, 0.5 * call("sin", places[-1]), call("exp", -places[0]**2))))
            s.lengths = self.random.choice((f'pace = "{pace}"', 'keep_energy = "minimise"'))
        return s

    def choose_steps(self, s):
        s.step = self.size(1e-3, 3)
        s.steps = self.random.randrange(5, 250)

    def move(self, s, places):
        """A start, and seldom a force."""
        for a in s.q:
            s.start[a] = self.between(-2, 2) if self.chance(0.9) else self.size(1e-6, 100)
        for a in s.v:
            s.start[a] = self.between(-2, 2) if self.chance(0.7) else self.random.choice((0.0, self.size(1e-6, 100)))
        if self.chance(0.2):
            i = self.random.randrange(len(places))
            speed = variable(s.v[i])
            s.force = {s.q[i]: self.random.choice((-self.size(0.01, 1) * speed, -0.1 * call("abs", speed) * speed,
                                                  call("sin", variable("t")), formula(self.between(-1, 1)),
                                                  -0.3 * call("tanh", 5 * speed)))}
