# SPDX-License-Identifier: BSD-3-Clause
"""Random changes of the scenario and of the files between the stop of a run and its restart.

A restart is refused and leaves every file as it is, or it gives the bits of the run that was not interrupted."""
import random
import re
import shutil

from program import BEAD, KEPLER, SPIN, ProgramTest

LOAD = '[[solid.load]]\nwhere = "X > 0.9"\ntraction = { y = "0.01*t" }\n'
SOLID = (SPIN.replace("elements = [4, 4], grading = 4", "elements = [2, 2], grading = 2")
         .replace("[solid.start]", LOAD + "[solid.start]")
         .replace("until = 4\nrecords = 64\nframes = 5", "until = 6\nrecords = 24\nframes = 3")
         .replace('formats = ["csv", "h5", "vtu"]\nreport = false\n', "") + '[output.units]\nlength = "m"\n')

UNITS = '[output.units]\nx = "m"\n'
# Name: text, end of the first part, ends of the second, each with options that belong to it.
RUNS = {
    "verlet": (KEPLER + UNITS, "3", {"6": (), "8": ()}),
    "gauss": (KEPLER.replace('"verlet"', '"gauss(2)"\nevery = 7') + UNITS, "3", {"6": ()}),
    "bead": (BEAD + UNITS, "2", {"3": ()}),
    "pace": (KEPLER.replace('"verlet"', '"gauss(2)"\npace = "sqrt(x^2 + y^2)"') + UNITS, "3", {"6": (), "8": ()}),
    "solid": (SOLID, "3", {"6": ("--set", "run.records=48")}),
}
FORMATS = ("--set", 'output.formats=["csv", "h5"]')
CSV = ("--set", 'output.formats=["csv"]')
# Keys of a summary in which a restart may differ from the run in one piece.
OWN = {"wall_seconds", "steps_per_second", "files", "evaluation", "overrides", "warnings", "title", "updates", "records"}
SETTINGS = ("title=other", "output.report=true", 'output.formats=["h5", "json"]', "run.evaluation=interpreter", "run.every=2",
            "run.solver=newton", "run.method=euler_a", "run.step=0.025", "run.step=1/20", "mu=2", "mu=1.0",
            "e=0.61", "start.x=0.5", "start.t=0", "start.t=1", 'system.observe.radius="x"', 'system.observe.more="y"',
            'system.symmetry.rotation={ x = "y", y = "-x" }', 'system.force.x="-x_dot"', 'output.units.x="km"',
            'output.units.y="m"', "run.retraction=cay", "diagnose.heat=trapezoid", "run.courant=0.2", "run.threads=2",
            "run.schedule=queue", "run.local_energy=none", "run.records=24", "run.frames=7", "solid.start.spin=0.4",
            'solid.observe.corner={ at = [0, 1], what = "x" }', "solid.material.density=2", "solid.start.t=1",
            'solid.load=[]', "run.start=half_kick")


class RestartFuzz(ProgramTest):
    def setUp(self):
        super().setUp()
        self.refused = self.continued = 0
        for name, (text, half, ends) in RUNS.items():
            self.write(f"{name}.toml", text)
            for end, options in ends.items():
                self.run_json(f"{name}.toml", "--out", f"{name}.full.{end}", "--until", end, *CSV, *options)
            self.run_json(f"{name}.toml", "--out", f"{name}.done", "--until", half, *FORMATS)
            place = self.folder / f"{name}.stopped/trajectory.csv"
            place.mkdir(parents=True)  # no file can be written there: the log stays
            self.varia("run", f"{name}.toml", "--out", f"{name}.stopped", "--until", half, *CSV)
            place.rmdir()
        self.run_json("verlet.toml", "--out", "early", "--until", "2", *FORMATS)
        self.run_json("verlet.toml", "--out", "elsewhere", "--until", "3", "--set", "start.x=0.5", *FORMATS)

    @staticmethod
    def content(folder):
        return {path.name: path.read_bytes() for path in folder.iterdir()}

    @staticmethod
    def changed_number(generator, text):
        """Another number somewhere in the text."""
        places = list(re.finditer(r"(?<![\w.])\d+(\.\d+)?(e[-+]?\d+)?", text))
        place = generator.choice(places)
        value = float(place.group())
        other = generator.choice((value + 1, 2*value, value/2, 1.1*value, 0, value))
        return text[:place.start()] + f"{other:.17g}" + text[place.end():]

    @staticmethod
    def changed_lines(generator, text):
        lines = text.splitlines(keepends=True)
        i, j = generator.randrange(len(lines)), generator.randrange(len(lines))
        if generator.random() < 0.5:
            lines[i], lines[j] = lines[j], lines[i]
        else:
            del lines[i]
        return "".join(lines)

    @staticmethod
    def changed_character(generator, text):
        i = generator.randrange(len(text))
        return text[:i] + generator.choice(("", text[i]*2, generator.choice("xy_+-*.0123 "))) + text[i + 1:]

    @staticmethod
    def damaged(generator, data):
        i = generator.randrange(len(data)) if data else 0
        kind = generator.randrange(4)
        if kind == 0 and data:
            return data[:i] + bytes([data[i] ^ (1 << generator.randrange(8))]) + data[i + 1:]
        if kind == 1:
            return data[:i]
        if kind == 2:
            return data + bytes(generator.randrange(256) for _ in range(generator.randrange(1, 100)))
        return data[:i] + bytes(generator.randrange(256) for _ in range(16)) + data[i + 16:]

    def change_files(self, generator, folder):
        """Damages, removes or exchanges a file; returns what was done."""
        names = sorted(path.name for path in folder.iterdir() if path.is_file())
        name = generator.choice(names)
        path = folder / name
        kind = generator.randrange(5)
        if kind == 0:
            path.unlink()
            return f"removed {name}"
        if kind == 1:
            other = self.folder / generator.choice(("early", "elsewhere", "verlet.done", "gauss.done")) / name
            if other.exists():
                shutil.copy(other, path)
                return f"{name} of {other.parent.name}"
        path.write_bytes(self.damaged(generator, path.read_bytes()))
        return f"damaged {name}"

    def one(self, generator, number):
        name = generator.choice(sorted(RUNS))
        text, _, ends = RUNS[name]
        end = generator.choice(sorted(ends))
        folder = self.folder / "o"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.folder / f"{name}.{generator.choice(('done', 'stopped'))}", folder)
        options = [*CSV, *ends[end]]
        what = f"{number}: {name} to {end}: "
        kind = generator.randrange(5)
        if kind == 0:
            setting = generator.choice(SETTINGS)
            options += ["--set", setting]
            what += setting
        elif kind == 1:
            what += self.change_files(generator, folder)
        else:
            change = (self.changed_number, self.changed_lines, self.changed_character)[kind - 2]
            text = change(generator, text)
            what += change.__name__ + "\n" + text
        self.write("changed.toml", text)
        before = self.content(folder)
        done = self.varia("run", "changed.toml", "--out", "o", "--until", end, *options, "--quiet",
                          "--restart", "o/checkpoint.h5")
        with self.subTest(what):
            self.assertIn(done.returncode, (0, 2, 4), done.stderr)
            if done.returncode == 0:
                self.continued += 1
                self.assert_continued(folder, self.folder / f"{name}.full.{end}", before)
            else:
                self.refused += 1
                self.assertTrue(done.stderr.startswith("varia: "), done.stderr)
                self.assertEqual(self.content(folder).keys(), before.keys(), done.stderr)
                self.assertEqual([key for key, data in self.content(folder).items() if data != before[key]], [],
                                 done.stderr)

    def assert_continued(self, folder, reference, before):
        one, two = self.summary(reference.name), self.summary(folder.name)
        for key in one:
            if key not in OWN and key != "scenario":
                self.assertEqual(two[key], one[key], key)
        if "trajectory.csv" not in two["files"]:
            return
        found, expected = (place.joinpath("trajectory.csv").read_text().splitlines() for place in (folder, reference))
        lost = any("not there any more" in warning for warning in two["warnings"])
        if lost:  # allowed where there was nothing that could be lost
            self.assertFalse([name for name, data in before.items() if name.startswith("trajectory.") and data])
            expected = expected[:1] + expected[len(expected) - len(found) + 1:]
        self.assertTrue(found == expected, "the records are others")

    def fuzz(self, seed, count):
        generator = random.Random(seed)
        for number in range(count):
            self.one(generator, number)
        self.assertGreater(self.refused, count//4)
        self.assertGreater(self.continued, count//8)
