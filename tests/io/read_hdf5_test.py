# SPDX-License-Identifier: BSD-3-Clause
"""A trajectory file as a user of h5py sees it: names, units, sizes, numbers."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SYSTEM_PYTHON = "/usr/bin/python3"  # the one that Debian installs h5py for
WRITER = Path(os.environ["VARIA_PROGRAM"]).parent.parent / "tests" / "io" / "hdf5_trajectory_test"

try:
    import h5py
except ImportError:
    h5py = None


class Trajectory(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not WRITER.exists():
            raise unittest.SkipTest(f"{WRITER.name} is not built")
        cls.folder = tempfile.TemporaryDirectory()
        path = os.path.join(cls.folder.name, "trajectory.h5")
        subprocess.run([str(WRITER), "--gtest_filter=Hdf5Trajectory.Sample", "--gtest_brief=1"], check=True,
                       env={**os.environ, "VARIA_SAMPLE_FILE": path}, stdout=subprocess.DEVNULL)
        cls.file = h5py.File(path, "r")

    @classmethod
    def tearDownClass(cls):
        cls.file.close()
        cls.folder.cleanup()

    def test_file_attributes(self):
        attributes = dict(self.file.attrs)
        self.assertEqual(attributes.pop("varia"), os.environ["VARIA_VERSION"])
        self.assertEqual(attributes, {"title": "Kepler ellipse", "scenario": 'title = "Képler"\n',
                                      "method": "gauss(3)", "step": 0.05})

    def test_datasets(self):
        self.assertEqual(sorted(self.file), ["energy", "lambda", "momenta", "observe", "p", "q", "t", "v"])
        self.assertEqual(sorted(self.file["observe"]), ["Höhe", "a", "x"])
        self.assertEqual(sorted(self.file["momenta"]), ["rotation_z"])

    def test_names_and_units(self):
        expected = {"t": (["t"], ["s"]), "q": (["x", "y"], ["m", "m"]), "v": (["x_dot"], ["m/s"]),
                    "lambda": (["lambda[1]"], [""]), "observe/Höhe": (["Höhe"], [""]),
                    "momenta/rotation_z": (["rotation/z"], [""])}
        for dataset, (names, units) in expected.items():
            self.assertEqual(list(self.file[dataset].attrs["names"]), names)
            self.assertEqual(list(self.file[dataset].attrs["units"]), units)
            self.assertIs(type(self.file[dataset].attrs["names"][0]), str)

    def test_numbers(self):
        for dataset, columns in {"t": 2, "energy": 0, "q": [1, 3], "v": [4], "p": [6], "lambda": [8],
                                 "observe/Höhe": 5, "observe/a": 9, "observe/x": 10, "momenta/rotation_z": 7}.items():
            numbers = self.file[dataset]
            shape = (10000,) if isinstance(columns, int) else (10000, len(columns))
            self.assertEqual((numbers.shape, numbers.dtype.str), (shape, "<f8"))
            for row in (0, 1, 4095, 4096, 8192, 9999):
                expected = row + 0.0625 * columns if isinstance(columns, int) else [row + 0.0625 * c for c in columns]
                self.assertEqual(numbers[row].tolist(), expected)

    def test_storage(self):
        for dataset in ("t", "q", "observe/a"):
            self.assertEqual((self.file[dataset].compression, self.file[dataset].compression_opts), ("gzip", 1))
            self.assertTrue(self.file[dataset].shuffle)
            self.assertIsNone(self.file[dataset].maxshape[0])
            rows, *rest = self.file[dataset].chunks
            self.assertEqual(rows * (rest[0] if rest else 1) * 8, 65536)


if __name__ == "__main__":
    if h5py is None:
        # Another Python stands first in the path: ask the one that may have h5py.
        ask = [SYSTEM_PYTHON, "-c", "import h5py"]
        if (os.environ.get("VARIA_ASKED") or not os.path.exists(SYSTEM_PYTHON)
                or subprocess.run(ask, capture_output=True, check=False).returncode != 0):
            print("skipped: no Python with h5py (Debian package python3-h5py)")
            sys.exit(0)
        os.execve(SYSTEM_PYTHON, [SYSTEM_PYTHON, "-B", __file__, *sys.argv[1:]],
                  {**os.environ, "VARIA_ASKED": "1"})
    unittest.main()
