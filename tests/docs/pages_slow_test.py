# SPDX-License-Identifier: BSD-3-Clause
"""The pages tell the truth: their commands are typed, and what they show is compared with what is printed.

Words are compared exactly, numbers to two percent; times are left out, and numbers below 1e-10 are round-off. A page
may leave out lines: those that it shows are printed, in this order. `...` in a line stands for anything."""
import os
import re
import shlex
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "apps"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from compare_output import tokens  # noqa: E402
from program import PROGRAM, REPOSITORY, ProgramTest  # noqa: E402

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
TIME = re.compile(r"in [\d.e+-]+ s\b|\b(?:[\d.]+e?-?\d* s)\b")

SPRING = """title = "A mass on a spring"
[system]
coordinates = ["x"]
lagrangian = "x_dot^2/2 - x^2/2"
[start]
x = 1
x_dot = 0
[run]
method = "verlet"
step = 0.1
until = 20
"""
STIFF_PAIRS = """[system]
coordinates = ["x[1..6]", "y[1..6]"]
lagrangian = "sum(i, 1, 6, x_dot[i]^2 + y_dot[i]^2)/2 - 5e7*sum(i, 1, 6, y[i]^2) - (x[1] - y[1])^4 - sum(i, 1, 5, (x[i+1] - y[i+1] - x[i] - y[i])^4) - (x[6] + y[6])^4"
[start]
x = "sin(i)"
y = "1e-4*cos(i)"
x_dot = 0.1
y_dot = 0.7
[run]
method = "gauss(2)"
step = 0.01
until = 100
"""
DEGENERATE = """[system]
coordinates = ["x"]
# no kinetic energy
parameters = { k = 1 }
lagrangian = "k*x^2"
[start]
x = 1
x_dot = 1
[run]
method = "verlet"
step = 0.1
until = 1
"""


def blocks(page, kind):
    return [text for name, text in BLOCK.findall(page) if name == kind]


def scenarios(page):
    """The scenarios of a page by title."""
    found = {}
    for text in blocks(page, "toml"):
        title = re.search(r'^title = "(.*)"$', text, re.M)
        if title and "[run]" in text:
            found[title[1]] = text
    return found


def sessions(page):
    """Of every console block the commands, each with the lines below it."""
    for text in blocks(page, "console"):
        session = []
        for line in text.splitlines():
            if line.startswith("$ "):
                session.append((line[2:], []))
            elif line.strip():
                session[-1][1].append(line)
        yield session


def typed(page):
    """Commands that are shown without output."""
    lines = re.findall(r"^    (varia .*)$", page, re.M)
    for text in blocks(page, "sh"):
        lines += [line for line in text.splitlines() if line.startswith("varia ")]
    return lines


def number_agrees(shown, printed):
    return abs(shown - printed) <= max(0.02*max(abs(shown), abs(printed)), 1e-10)


def word_agrees(shown, printed):
    if isinstance(shown, float) and isinstance(printed, float):
        return number_agrees(shown, printed)
    return shown == printed


def bare(line):
    """Without times, and without the points and commas behind numbers."""
    return re.sub(r"(\d)[.,:;](?=\s|$)", r"\1", TIME.sub("TIME", line))


def line_agrees(shown, printed):
    """A line that ends or begins with ... is compared as far as it goes."""
    if "..." in shown and not re.search(r"\d\.\.\.|\w\.\.\w", shown):
        parts = [re.escape(part.strip()) for part in shown.split("...")]
        return re.search(".*".join(parts), printed) is not None
    a, b = tokens(bare(shown)), tokens(bare(printed))
    return len(a) == len(b) and all(map(word_agrees, a, b))


class Pages(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "bin").mkdir()
        (self.folder / "bin/varia").symlink_to(PROGRAM)

    def type(self, command, **changes):
        """Both streams, one after the other, and the code."""
        path = f"{self.folder/'bin'}:{os.environ['PATH']}"
        done = subprocess.run(["bash", "-c", command.replace("./run ", "varia ")], cwd=self.folder, text=True,
                              capture_output=True, check=False, timeout=300, stdin=subprocess.DEVNULL,
                              env=self.environment(PATH=path, **changes))
        return done.stdout + done.stderr, done.returncode

    def assert_shown(self, command, shown, printed):
        lines = iter(printed.splitlines())
        columns = shown and shown[0].split()[:1] == ["method"] and "seconds" in shown[0]
        for line in shown:
            if line.strip() == "...":
                continue
            for candidate in lines:
                if columns:  # the fourth column of the table is a time
                    line, candidate = (re.sub(r"^(\S.{23}(?: +\S+){2} +)\S+", r"\1TIME", x) for x in (line, candidate))
                if line_agrees(line, candidate):
                    break
            else:
                self.fail(f"$ {command}\nthe page shows\n  {line}\nprinted:\n{printed}")

    def check(self, name, files, prepare=None, skip=()):
        page = (REPOSITORY / name).read_text()
        known = scenarios(page)
        for file, what in files.items():
            self.write(file, known.get(what, what))
        for session in sessions(page):
            for command, shown in session:
                if prepare:
                    prepare(command)
                printed, _ = self.type(command)
                self.assert_shown(command, shown, printed)
        for command in typed(page):
            if command not in skip:
                printed, code = self.type(command)
                self.assertEqual(code, 0, f"$ {command}\n{printed}")

    def test_readme(self):
        page = (REPOSITORY / "README.md").read_text()
        self.write("my.toml", blocks(page, "toml")[0])
        self.check("README.md", {})
        for command in re.findall(r"`(\./run (?!list gallery)[^`]*)`", page):
            with self.subTest(command):
                printed, code = self.type(command.replace("\n", " "))
                self.assertEqual(code, 0, printed)

    def test_install(self):
        self.check("docs/guide/1-install-and-first-run.md", {},
                   skip=("varia completion fish | source", "varia man | man -l -"))  # see tests/apps/completion_slow_test.py

    def test_write_a_scenario(self):
        self.check("docs/guide/2-write-a-scenario.md", {"pendulum.toml": "Pendulum", "orbit.toml": "Orbit"},
                   self.prepare_guide)

    def prepare_guide(self, command):
        """The orbit of the second page; with nu for mu and without its first line and parts that are optional."""
        page = (REPOSITORY / "docs/guide/2-write-a-scenario.md").read_text()
        orbit = scenarios(page)["Orbit"]
        self.write("orbit.toml", orbit)
        self.write("misspelt.toml", orbit.replace("mu/sqrt(x", "nu/sqrt(x"))
        self.write("stiff_pairs.toml", STIFF_PAIRS)

    def test_read_the_results(self):
        self.check("docs/guide/3-read-the-results.md", {}, self.prepare_guide)

    def test_compare_and_check(self):
        self.check("docs/guide/4-compare-and-check.md", {}, self.prepare_guide)

    def test_my_own_system(self):
        self.check("docs/how-to/my-own-system.md",
                   {"degenerate.toml": DEGENERATE, "drag.toml": "Throw with drag", "bead.toml": "Bead on a parabola",
                    "chain.toml": "Chain of 64 masses"})

    def test_every_scenario_of_a_page_is_understood(self):
        for path in sorted((REPOSITORY / "docs/how-to").glob("*.md")):
            for title, text in scenarios(path.read_text()).items():
                with self.subTest(page=path.name, title=title):
                    self.assert_done(self.varia("show", "-", stdin=text))

    def test_rigid_bodies(self):
        self.check("docs/how-to/rigid-bodies-and-joints.md", {"pendulum.toml": "Double pendulum of two rods"})

    def test_roll_without_slipping(self):
        self.check("docs/how-to/roll-without-slipping.md",
                   {"sleigh.toml": "Chaplygin sleigh", "disk.toml": "Rolling disk"})

    def test_diagnose(self):
        self.check("docs/how-to/diagnose-a-run.md", {})

    def test_groups(self):
        self.check("docs/theory/groups.md", {})

    def test_several_time_scales(self):
        self.check("docs/how-to/several-time-scales.md", {"stiff.toml": "Stiff and soft"})

    def test_solid(self):
        page = (REPOSITORY / "docs/how-to/simulate-a-solid.md").read_text()
        self.write("part.toml", blocks(page, "toml")[0])
        self.check("docs/how-to/simulate-a-solid.md", {})

    def test_native_code(self):
        (self.folder / "shared").mkdir()
        (self.folder / "shared").chmod(0o777)
        self.check("docs/how-to/native-code-and-cache.md", {"spring.toml": SPRING})

    def test_restart(self):
        def damage(command):
            checkpoint = self.folder / "a/checkpoint.h5"
            if "damaged.h5" in command:
                data = bytearray(checkpoint.read_bytes())
                data[-100] ^= 1
                (self.folder / "damaged.h5").write_bytes(data)
        self.check("docs/how-to/restart-a-run.md", {"spring.toml": SPRING}, damage)

    def test_sweep(self):
        page = (REPOSITORY / "docs/how-to/sweep.md").read_text()
        table = blocks(page, "toml")[0]
        kepler = (REPOSITORY / "gallery/kepler.toml").read_text()
        self.write("my.toml", kepler.replace("[run]", table.replace("100", "2") + "[run]", 1))
        shard = next(command for command in typed(page) if "$TASK" in command)
        for task in range(1, 17):
            printed, code = self.type(shard, TASK=str(task))
            self.assertEqual(code, 0, printed)
        self.check("docs/how-to/sweep.md", {}, skip=(shard,))

    def test_python_of_the_page(self):
        """With the Python of the system, where it has h5py."""
        python = "/usr/bin/python3"
        if subprocess.run([python, "-c", "import h5py"], capture_output=True, check=False).returncode != 0:
            self.skipTest(f"{python} has no h5py")
        self.prepare_guide("")
        self.assert_done(self.varia("run", "orbit.toml"))
        page = (REPOSITORY / "docs/how-to/read-the-output.md").read_text()
        shown = re.findall(r"^```python\n(.*?)^```\n\nprints\n\n```text\n(.*?)^```", page, re.M | re.S)
        self.assertEqual(len(shown), 3)
        for script, output in shown:
            printed, _ = self.type(f"{python} -c {shlex.quote(script)}")
            self.assert_shown("python", output.splitlines(), printed)


class Links(unittest.TestCase):
    def test_decisions_are_numbered_in_order(self):
        page = (REPOSITORY / "docs/architecture.md").read_text()
        numbers = [int(n) for n in re.findall(r"^(\d+)\. \*\*", page, re.M)]
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))

    def test_files_and_headings_that_are_linked_exist(self):
        def anchors(path):
            titles = re.findall(r"^#+ (.*)$", BLOCK.sub("", path.read_text()), re.M)
            return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
        pages = [*(REPOSITORY / "docs").rglob("*.md"), *REPOSITORY.glob("*.md"), REPOSITORY / "gallery/README.md",
                 *(REPOSITORY / "include").rglob("*.md")]
        for page in pages:
            for target in re.findall(r"\]\(([^)\s]+)\)", BLOCK.sub("", page.read_text())):
                if target.startswith(("http", "mailto")) or "$" in target:
                    continue
                with self.subTest(page=page.name, target=target):
                    file, _, anchor = target.partition("#")
                    path = (page.parent / file) if file else page
                    self.assertTrue(path.exists(), target)
                    if anchor and path.suffix == ".md":
                        self.assertIn(anchor, anchors(path))


if __name__ == "__main__":
    unittest.main()
