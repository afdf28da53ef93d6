# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of the documentation: the script that makes them runs, and each one is small and used.

VARIA_PROGRAM: the program; VARIA_REPORT_DIR: the folder report of the build tree. CHROMIUM: the browser (/usr/bin/chromium unless given).
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "make_pictures.py"
PICTURES = ROOT / "docs" / "pictures"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def used():
    """Every picture that a page shows, by its place."""
    found = set()
    for page in PAGES:
        for link in re.findall(r'!\[[^\]]*\]\(([^)\s]+)\)|<img src="([^"]+)"', page.read_text(encoding="utf-8")):
            found.add((page.parent / (link[0] or link[1])).resolve())
    return found


class Pictures(unittest.TestCase):
    def test_each_is_small_and_used(self):
        there = {path.resolve() for path in PICTURES.rglob("*.*")}
        self.assertEqual(used() - there, set(), "these are missing: run tools/make_pictures.py")
        self.assertEqual(there - used(), set(), "no page shows these")
        self.assertGreater(len(there), 60)
        for path in there:
            self.assertLess(path.stat().st_size, 200_000, path)
        self.assertLess(sum(path.stat().st_size for path in there), 2_000_000)

    def test_each_has_words_for_those_who_do_not_see_it(self):
        for page in PAGES:
            text = page.read_text(encoding="utf-8")
            self.assertEqual(re.findall(r"!\[\]\([^)]*\)", text), [], page)
            self.assertEqual(re.findall(r'<img (?![^>]*alt="[^"]+")[^>]*>', text), [], page)

    def test_the_script_knows_each(self):
        script = SCRIPT.read_text(encoding="utf-8")
        for path in PICTURES.glob("*.*"):
            self.assertIn(f'"{path.name}"', script)

    def test_small_pictures_are_those_of_the_gallery(self):
        names = {path.stem for path in (ROOT / "gallery").glob("*.toml")}
        self.assertLessEqual({path.stem for path in (PICTURES / "gallery").glob("*.webp")}, names, "run tools/make_pictures.py")

    def test_the_script_makes_pictures(self):
        build = Path(os.environ["VARIA_PROGRAM"]).parents[1]
        with tempfile.TemporaryDirectory() as folder:
            wanted = ["modes.svg", "equations.png"]
            only = [word for name in wanted for word in ("--only", name)]
            done = subprocess.run([sys.executable, "-B", SCRIPT, build, "--to", folder, *only], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(sorted(path.name for path in Path(folder).iterdir()), sorted(wanted))
            root = ElementTree.parse(Path(folder, "modes.svg")).getroot()
            self.assertTrue(root.tag.endswith("svg"), root.tag)
            self.assertEqual(Path(folder, "equations.png").read_bytes()[1:4], b"PNG")
            refused = subprocess.run([sys.executable, "-B", SCRIPT, build, "--to", folder, "--only", "none.png"], capture_output=True, text=True, check=False)
            self.assertEqual(refused.returncode, 2)


if __name__ == "__main__":
    unittest.main()
