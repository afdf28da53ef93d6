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
    result = {f"data_{name}": data for name, data in solid_samples.samples().items() if name != "six"}
    for name, (solid, word) in solid_samples.odd_solids().items():
        result[f"odd_{name}"] = {"data": solid_samples.page(name, name, solid, [0.0, 1.0]), "word": word}
    return result


def try_pages(case, tried, least):
    """Opens the pages in a browser; at least so many checks must be made, and hold."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in tried.items():
            Path(folder, f"{name}.json").write_text(json.dumps(data))
        done = subprocess.run(["node", "test/solid.mjs", folder], cwd=FOLDER, capture_output=True, text=True, check=False)
    failed = [line for line in done.stdout.splitlines() if not line.startswith("ok")]
    case.assertEqual(done.returncode, 0, "\n".join(failed) + done.stderr)
    case.assertEqual(failed, ["all checks hold"])
    case.assertGreater(done.stdout.count("\nok"), least)


class Browser(unittest.TestCase):
    def test_bodies_do_what_a_reader_expects(self):
        try_pages(self, pages(), 200)


if __name__ == "__main__":
    unittest.main()
