# SPDX-License-Identifier: BSD-3-Clause
"""The report page of a solid in a browser: the deforming mesh, the map of the updates and their histogram.

VARIA_REPORT_DIR: the folder report of the build tree. CHROMIUM: the browser (/usr/bin/chromium unless given).
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import solid_samples  # noqa: E402

FOLDER = Path(os.environ["VARIA_REPORT_DIR"])


def pages():
    """name: data of each page; the start of the name says what test/solid.mjs does with it."""
    result = {f"data_{name}": data for name, data in solid_samples.samples().items()}
    for size in (1.0, 1e-6, 1e3):
        for kind, make in (("beam", solid_samples.twisting_beam), ("block", solid_samples.stretching_block)):
            solid = make(size=size, frames=5)
            result[f"scale_{kind}_{size:g}"] = solid_samples.page(kind, kind, solid, [frame["t"] for frame in solid["frames"]])
    for name, (solid, word) in solid_samples.odd_solids().items():
        result[f"odd_{name}"] = {"data": solid_samples.page(name, name, solid, [0.0, 1.0]), "word": word}
    return result


class Browser(unittest.TestCase):
    def test_bodies_do_what_a_reader_expects(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, data in pages().items():
                Path(folder, f"{name}.json").write_text(json.dumps(data))
            done = subprocess.run(["node", "test/solid.mjs", folder], cwd=FOLDER, capture_output=True, text=True, check=False)
        failed = [line for line in done.stdout.splitlines() if not line.startswith("ok")]
        self.assertEqual(done.returncode, 0, "\n".join(failed) + done.stderr)
        self.assertEqual(failed, ["all checks hold"])
        self.assertGreater(done.stdout.count("\nok"), 250)


if __name__ == "__main__":
    unittest.main()
