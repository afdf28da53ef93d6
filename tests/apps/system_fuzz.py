# SPDX-License-Identifier: BSD-3-Clause
"""Random systems against what is known without the program.

No run crashes; no text has a number that is none; no run whose energy is off by a tenth of what motion and place exchange is
called good; runs tend to the exact motion with the order of their method. Energies are evaluated here, from the records."""
import dataclasses
import json
import math
import random
import re
import sys

from exact_motion import NO_VALUE, Equations, TooMuchWork, motion
from formula import compiled, derivative, formula, substituted, variable
from program import ProgramInMemoryTest, read_csv
from random_systems import Grammar

EPSILON = sys.float_info.epsilon
MOST_RUNS = 10  # of one system, with halved steps
ROUGH_ERROR = 2e-3  # that is enough where the error has no series in the step
NO_NUMBER = re.compile(r"(?<![a-z_])[-+]?(nan|inf|infinity)(?![a-z_])", re.IGNORECASE)


class Energies:
    """What the energy does over records, a constant in L left out: V = -L(t, q, 0), K = v L_v - L - V."""

    def __init__(self, system, records):
        motion_of = [variable(a) * derivative(system.lagrangian, a) for a in system.v]
        place = -substituted(system.lagrangian, {a: formula(0) for a in system.v})
        motion_energy = sum(motion_of, formula(0)) - system.lagrangian - place
        values = compiled([motion_energy, place, *motion_of], ["t", *system.q, *system.v])
        kinetic, potential, *parts = zip(*(values(x) for x in records))
        total = [a + b for a, b in zip(kinetic, potential)]
        self.error = max(abs(e - total[0]) for e in total)
        self.exchanged = max(max(map(abs, kinetic)), spread(potential))
        more = self.along_coordinates(system, records) if system.degenerate else 0.0
        # a coordinate that moves steadily keeps what it has: nothing of it is exchanged
        self.swing = max(sum(map(spread, parts)) / 2, spread(potential)) + more
        self.exchanged += more
        terms = max(abs(a) + abs(b) + sum(map(abs, c)) for a, b, *c in zip(kinetic, potential, *parts))
        self.round_off = EPSILON * (100 * terms + 64 * math.sqrt(system.steps) * self.exchanged)
        self.hidden = 100 * EPSILON * abs(system.constant)  # from the program

    @staticmethod
    def along_coordinates(system, records):
        """Of L = theta v - H: what H would change by if each coordinate moved alone."""
        at_rest = {a: formula(0) for a in system.v}
        slopes = compiled([derivative(substituted(system.lagrangian, at_rest), a) for a in system.q], ["t", *system.q])
        steepest = [max(map(abs, values)) for values in zip(*(slopes(x) for x in records))]
        return sum(slope * spread(values) for slope, values in zip(steepest, list(zip(*records))[1:]))

    @property
    def ruined(self):
        beyond = self.error > max(0.1 * self.exchanged, self.round_off)
        return beyond or self.error > max(0.1 * self.swing, self.round_off + self.hidden)


def spread(values):
    return max(values) - min(values)


def grades(summary):
    return [(v["name"], v["status"]) for v in summary["verdicts"]]


def in_other_units(system, factor):
    """With another unit of energy."""
    unit = formula(factor)
    return dataclasses.replace(
        system, lagrangian=unit * system.lagrangian, constant=factor * system.constant,
        force={a: unit * f for a, f in system.force.items()},
        discrete=system.discrete and unit * system.discrete, terms=[(unit * f, h) for f, h in system.terms])


class SystemFuzz(ProgramInMemoryTest):
    def setUp(self):
        super().setUp()
        self.completed = self.refused = self.failed = self.good = self.compared = self.unknown = 0

    def run_text(self, text):
        """Exit code and summary of a run, after what must hold for each."""
        self.write("s.toml", text)
        done = self.varia("run", "s.toml", "--json", "--out", "o", "--set", "run.evaluation=interpreter")
        self.assertIn(done.returncode, (0, 2, 3), done.stderr)
        for written in (done.stdout, done.stderr):
            self.assertIsNone(NO_NUMBER.search(written), written)
        if done.returncode != 0:
            self.assertTrue(done.stderr.startswith("varia: ") and len(done.stderr) > 20, done.stderr)
        return done.returncode, json.loads(done.stdout) if done.returncode != 2 else None

    def records(self, system):
        names, rows = read_csv(self.folder / "o/trajectory.csv")
        places = [names.index(a) for a in ("t", *system.q, *system.v)]
        self.assertTrue(all(math.isfinite(x) for row in rows for x in row))
        return [[row[i] for i in places] for row in rows]

    def one(self, system, compare):
        code, summary = self.run_text(system.text())
        if code != 0:
            self.refused += code == 2
            self.failed += code == 3
            return
        self.completed += 1
        (energy,) = [v for v in summary["verdicts"] if v["name"] == "energy"]
        good = all(v["status"] == "good" for v in summary["verdicts"])
        self.good += good
        records = self.records(system)
        for name, x in zip((*system.q, *system.v), records[0][1:]):
            if name in system.start:
                self.assertAlmostEqual(x, system.start[name], delta=1e-13 * max(map(abs, system.start.values())))
        if system.conservative and energy["status"] == "good":
            found = Energies(system, records)
            self.assertFalse(found.ruined, (energy, vars(found)))
        if compare:
            self.rescale(system, summary)
        believed = good if system.conservative else not any(
            v["status"] == "bad" or v["name"] == "step" for v in summary["verdicts"])
        if compare and believed and not (system.constraints or system.degenerate or system.lengths):
            self.compare(system, records)

    def rescale(self, system, summary):
        """Another unit of energy changes no grade, unless it is one of round-off."""
        if summary["energy"]["max_abs_error"] < 1e-10 * summary["energy"]["exchanged"]:
            return
        code, other = self.run_text(in_other_units(system, 2.0 ** random.Random(system.text()).choice((-60, -30, 30, 60))).text())
        if code == 0:
            self.assertEqual(grades(other), grades(summary), [v["text"] for v in other["verdicts"]])

    def exact(self, system, records):
        """The end of the motion in (q, v), how well it is known, and how far it goes; nothing where it cannot be known."""
        force = [system.force.get(a, formula(0)) for a in system.q]
        equations = Equations(system.lagrangian, force, system.q, system.v)
        t, *start = records[0]
        try:
            found = motion(equations, t, start, records[-1][0], 1e-12, 20000)
        except (TooMuchWork, *NO_VALUE):
            return None
        longer, moved = (self.distance(other, found.end, found.change) for other in (found.longer, found.moved))
        known = max(longer, moved)
        if known > 1e-6 or not self.comparable(system, found, moved / EPSILON):  # it is chaotic, or rough
            return None
        return found.end, found.change, max(1e-8, 10 * known)

    @staticmethod
    def comparable(system, found, condition):
        """Whether the shortest steps of the program can find it: steps of a high order are not shorter; of a kink, of which
        a method errs by a step, the motion does not make too much."""
        halvings = 2 ** (MOST_RUNS - 1)
        if system.rough:
            return condition / (system.steps * halvings) < ROUGH_ERROR
        return found.shortest > system.step / halvings

    @staticmethod
    def distance(a, b, change):
        """The largest difference of coordinates and of velocities, each over how far they go."""
        n = len(a) // 2
        parts = []
        for half in (slice(0, n), slice(n, 2 * n)):
            size = max(change[half])
            gap = max(abs(x - y) for x, y in zip(a[half], b[half]))
            parts.append(gap / size if size > 0 else float(gap > 1e-9))
        return max(parts)

    def compare(self, system, records):
        """With the exact motion: there, or nearer with each halving of the step, as the order says."""
        known = self.exact(system, records)
        if known is None:
            self.unknown += 1
            return
        self.compared += 1
        exact, change, floor = known
        ends, errors = [], []
        while len(ends) < MOST_RUNS and not self.tends(system, ends, errors, known):
            if ends:
                code, _ = self.run_text(system.text(2 ** len(ends)))
                self.assertEqual(code, 0, f"with {2 ** len(ends)} times as many steps")
                records = self.records(system)
            ends.append(records[-1][1:])
            errors.append(self.distance(ends[-1], exact, change))
        self.assertTrue(self.tends(system, ends, errors, known), (errors, floor))

    def tends(self, system, ends, errors, known):
        """Whether runs with halved steps tend to the exact motion, with the order of the method."""
        exact, change, floor = known
        if errors and errors[-1] <= floor:
            return True
        if len(errors) < 3 or errors[-3] > 0.05:
            return False
        if system.method == "dopri5":  # its error is that of its tolerance
            return errors[-1] < 1e-5
        if system.rough or system.method == "avi":  # no series in the step
            return errors[-1] < ROUGH_ERROR
        # the rest of the error when the power of the step that the order names is taken away
        share = 1 / (2 ** system.order - 1)
        limit = [b + share * (b - a) for a, b in zip(ends[-2], ends[-1])]
        falls = errors[-1] <= errors[-3] / 4 ** (system.order - 0.5)
        return falls and self.distance(limit, exact, change) <= 1e-4

    def fuzz(self, seed, completed, every):
        """Until so many runs are completed; every so many of them are compared with the exact motion."""
        number = 0
        while self.completed < completed:
            system = Grammar(random.Random(f"{seed}-{number}")).system()
            with self.subTest(f"{seed}-{number}\n{system.text()}"):
                self.one(system, number % every == 0)
            number += 1
        print(f"{number} systems: {self.completed} completed, {self.failed} failed, {self.refused} refused, "
              f"{self.good} good, {self.compared} compared with the exact motion ({self.compared / self.completed:.1%}), "
              f"{self.unknown} not, as it is not known well enough", file=sys.stderr)
        self.assertGreater(self.good, self.completed / 4)
        self.assertGreater(self.compared, self.completed / 10)
        self.assertLess(self.refused, number / 20)
