# SPDX-License-Identifier: BSD-3-Clause
"""The report page in a browser, and the files it is made of.

VARIA_REPORT_DIR: the folder report of the build tree. CHROMIUM: the browser (/usr/bin/chromium unless given).
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ["VARIA_REPORT_DIR"])
PAGE = FOLDER / "dist" / "index.html"


class Files(unittest.TestCase):
    def test_lock_file_holds_no_download_addresses(self):
        text = (ROOT / "report" / "package-lock.json").read_text()
        self.assertNotIn('"resolved"', text)
        self.assertNotRegex(text, r"https?://[^\"]*\.tgz")
        self.assertNotRegex(text, "registry")

    def test_page_is_one_file(self):
        text = PAGE.read_text()
        self.assertEqual(text.count("__VARIA_DATA__"), 1)
        self.assertNotRegex(text, r'<script[^>]+src=|<link[^>]+rel="stylesheet"')
        self.assertLess(len(text.encode()), 900_000)
        for library in ("three", "uplot"):
            self.assertRegex(text, rf"(?m)^{library}\n(The )?MIT License", "the licence travels with the code")

    def test_every_source_has_its_licence(self):
        for path in sorted((ROOT / "report").rglob("*.*js")) + sorted((ROOT / "report" / "src").glob("*.css")):
            if not {"node_modules", "dist"} & set(path.parts):
                self.assertIn("SPDX-License-Identifier: BSD-3-Clause", path.read_text().splitlines()[0], path)


class Embedding(unittest.TestCase):
    """tools/embed_file.py gives back every byte."""

    def embedded(self, data):
        with tempfile.TemporaryDirectory() as folder:
            file, source = Path(folder, "data"), Path(folder, "data.cpp")
            file.write_bytes(data)
            subprocess.run([sys.executable, "-B", ROOT / "tools" / "embed_file.py", file, source, "a::b::text"], check=True)
            text = source.read_text(encoding="ascii")
        self.assertRegex(text, r"namespace a::b \{")
        self.assertIn(f"return {{bytes, {len(data)}}};", text)
        escapes = {"n": b"\n", '"': b'"', "\\": b"\\", "?": b"?"}
        result = b""
        for line in re.findall(r'(?m)^    "(.*)";?$', text):
            for plain, octal, sign in re.findall(r'([^\\"])|\\([0-7]{3})|\\(.)', line):
                result += plain.encode() if plain else bytes([int(octal, 8)]) if octal else escapes[sign]
        return result

    def test_all_bytes(self):
        data = bytes(range(256)) * 40 + 'a??=b "\\1\\" θ̇\n7'.encode()
        self.assertEqual(self.embedded(data), data)

    def test_empty_file(self):
        self.assertEqual(self.embedded(b""), b"")


class Browser(unittest.TestCase):
    def test_pages_do_what_a_reader_expects(self):
        done = subprocess.run(["node", "test/check.mjs"], cwd=FOLDER, capture_output=True, text=True, check=False)
        failed = [line for line in done.stdout.splitlines() if not line.startswith("ok")]
        self.assertEqual(done.returncode, 0, "\n".join(failed) + done.stderr)
        self.assertEqual(failed, ["all checks hold"])
        self.assertGreater(done.stdout.count("\nok"), 150)


if __name__ == "__main__":
    unittest.main()
