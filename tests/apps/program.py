# SPDX-License-Identifier: BSD-3-Clause
"""The program under test, called as a user calls it: in an empty folder, with an empty cache."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ["VARIA_PROGRAM"]
VERSION = os.environ["VARIA_VERSION"]
# Built with the address sanitizer: slower by twenty times, and it keeps freed memory for a while.
SANITIZED = b"__asan_init" in Path(PROGRAM).read_bytes()
REPOSITORY = Path(__file__).resolve().parents[2]

KEPLER = """title = "Kepler"
[system]
coordinates = ["x", "y"]
parameters = { mu = 1.0, e = 0.6 }
lagrangian = "(x_dot^2 + y_dot^2)/2 + mu/sqrt(x^2 + y^2)"
[system.symmetry]
rotation = { x = "-y", y = "x" }
[system.observe]
radius = "sqrt(x^2 + y^2)"
[start]
x = "1 - e"
y = 0
x_dot = 0
y_dot = "sqrt(mu*(1 + e)/(1 - e))"
[run]
method = "verlet"
step = 0.05
until = 10
[output]
report = false
"""

PENDULUM = """title = "Pendulum"
[system]
coordinates = ["x"]
lagrangian = "x_dot^2/2 - (1 - cos(x))"
[start]
x = 1.5
x_dot = 0
[run]
method = "verlet"
step = 0.1
steps = 1000
[output]
report = false
"""

BODIES = """title = "Two rods"
[system]
parameters = { l = 1.0 }
gravity = 1
[[system.body]]
name = "A"
space = "SE2"
mass = 1
shape = { box = ["l", 0.1] }
points = { base = ["-l/2", 0], tip = ["l/2", 0] }
[[system.body]]
name = "B"
space = "SE2"
mass = 2
inertia = "l^2/6"
points = { base = ["-l/2", 0], tip = ["l/2", 0] }
[[system.joint]]
kind = "hinge"
between = ["ground", "A.base"]
[[system.joint]]
kind = "hinge"
between = ["A.tip", "B.base"]
[start]
A = { x = 0.5, y = 0, theta = 0 }
B = { x = 1.5, y = 0, theta = 0 }
[run]
method = "lobatto(3)"
step = 0.02
until = 2
[output]
report = false
"""

SPIN = """title = "Spinning block"
[solid]
mesh = { generate = "block", size = [1, 1], elements = [4, 4], grading = 4 }
material = { model = "neo_hookean", lambda = 3, mu = 1, density = 1 }
[solid.start]
spin = 0.5
[solid.observe]
corner = { at = [1, 1], what = "x" }
[run]
method = "avi"
courant = 0.3
until = 4
records = 64
frames = 5
[output]
formats = ["csv", "h5", "vtu"]
report = false
"""

BEAD = """title = "Bead on a circle"
[system]
coordinates = ["x", "y"]
lagrangian = "(x_dot^2 + y_dot^2)/2 - y"
holonomic = ["x^2 + y^2 - 1"]
[start]
x = 1
y = 0
x_dot = 0
y_dot = 0.5
[run]
method = "lobatto(3)"
step = 0.05
until = 10
[output]
report = false
"""

# Reads HDF5 files: a list of {dataset: {"values", "attributes", "records"}}, or an error text.
_H5_READER = """
import json, sys
import h5py
import numpy
def plain(value):
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, numpy.ndarray):
        return [plain(x) for x in value.tolist()]
    return value.item() if hasattr(value, "item") else value
def read(path):
    found = {}
    with h5py.File(path, "r") as file:
        attributes = {name: plain(value) for name, value in file.attrs.items()}
        found["/"] = {"attributes": attributes, "values": None}
        def take(name, thing):
            if isinstance(thing, h5py.Dataset):
                attributes = {key: plain(value) for key, value in thing.attrs.items()}
                values = thing[()]  # all of it is read, whether it is wanted or not
                found[name] = {"attributes": attributes, "records": thing.shape[0] if thing.shape else 1,
                               "values": (plain(values) if values.dtype == object else values.tolist()) if want == "values" else None}
        file.visititems(take)
    return found
answers = []
want = sys.argv[1]
for path in sys.argv[2:]:
    try:
        answers.append(read(path))
    except Exception as error:
        answers.append(f"{path}: {error}")
json.dump(answers, sys.stdout)
"""


def read_h5(*paths, want="values"):
    """What h5py of the system's Python reads; skips the test where there is none.

    `want="records"` leaves the values out and gives their number only."""
    python = "/usr/bin/python3"
    try:
        found = subprocess.run([python, "-c", "import h5py"], capture_output=True, check=False)
    except OSError:
        raise unittest.SkipTest(f"{python} is not there: HDF5 files are not read") from None
    if found.returncode != 0:
        raise unittest.SkipTest(f"{python} has no h5py: HDF5 files are not read")
    done = subprocess.run([python, "-c", _H5_READER, want, *map(str, paths)],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def read_csv(path):
    """The names of the columns and the rows as numbers."""
    header, *rows = Path(path).read_text().splitlines()
    return header.split(","), [[float(x) for x in row.split(",")] for row in rows]


class ProgramTest(unittest.TestCase):
    """Each test has a folder of its own, each class a cache of its own."""
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.mkdtemp(prefix="varia-cache-")
        cls.addClassCleanup(shutil.rmtree, cls.cache, ignore_errors=True)

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="varia-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def environment(self, **changes):
        return {**os.environ, "VARIA_CACHE_DIR": self.cache, "LC_ALL": "C", **changes}

    def varia(self, *arguments, stdin="", **changes):
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, input=stdin, text=True,
                              capture_output=True, check=False, timeout=300,
                              env=self.environment(**changes))

    def begin(self, *arguments):
        """The program running beside the test."""
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=self.environment())
        self.addCleanup(self._end, process)
        return process

    @staticmethod
    def _end(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def files(self, folder):
        return sorted(path.name for path in (self.folder / folder).iterdir())

    def summary(self, folder):
        return json.loads((self.folder / folder / "summary.json").read_text())

    def report_data(self, folder):
        """What the page of a run draws."""
        page = (self.folder / folder / "report.html").read_text()
        return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])

    def assert_done(self, done):
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done

    def assert_refused(self, done, *words, code=2):
        """Ends with the code, prints nothing but one paragraph, which has these words."""
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertTrue(done.stderr.startswith("varia: "), done.stderr)
        self.assertTrue(done.stderr.endswith("\n"), done.stderr)
        self.assertNotIn("\n\n", done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        return done

    def run_json(self, *arguments, **changes):
        """The summary of a run that must succeed."""
        done = self.assert_done(self.varia("run", *arguments, "--json", **changes))
        return json.loads(done.stdout)


class ProgramInMemoryTest(ProgramTest):
    """For many short runs: to force their files to a disk takes longer than the runs."""
    memory = Path("/dev/shm")

    def setUp(self):
        super().setUp()
        if self.memory.is_dir():
            self.folder = Path(tempfile.mkdtemp(prefix="varia-test-", dir=self.memory))
            self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
