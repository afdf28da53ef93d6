# SPDX-License-Identifier: BSD-3-Clause
"""The contract of the program `varia`: outputs, formats, exit codes."""
import json
import os
import subprocess
import unittest
from pathlib import Path

PROGRAM = os.environ["VARIA_PROGRAM"]
VERSION = os.environ["VARIA_VERSION"]
KEYS = ["name", "parameters", "order", "symmetric", "explicit_when", "needs", "cite", "summary"]


def varia(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)


class CommandLine(unittest.TestCase):
    def assert_done(self, done):
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def assert_refused(self, done, *words):
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr.count("\n"), 1, "one paragraph")
        for word in words:
            self.assertIn(word, done.stderr)

    def test_version_is_that_of_the_project(self):
        done = varia("--version")
        self.assert_done(done)
        self.assertEqual(done.stdout, f"varia {VERSION}\n")

    def test_help(self):
        for arguments in ([], ["--help"], ["-h"], ["list", "--help"]):
            done = varia(*arguments)
            self.assert_done(done)
            self.assertIn("varia list methods", done.stdout)

    def test_list_as_json(self):
        done = varia("list", "methods", "--json")
        self.assert_done(done)
        methods = json.loads(done.stdout)
        self.assertGreater(len(methods), 0)
        for method in methods:
            self.assertEqual(list(method), KEYS)
            self.assertNotEqual(method["name"], "")
        names = [method["name"] for method in methods]
        self.assertEqual(len(names), len(set(names)))

    def test_all_formats_list_the_same_methods(self):
        names = [method["name"] for method in json.loads(varia("list", "methods", "--json").stdout)]
        text = varia("list", "methods")
        self.assert_done(text)
        self.assertEqual([line.split("  ")[0] for line in text.stdout.splitlines()], ["method"] + names)
        table = varia("list", "methods", "--markdown")
        self.assert_done(table)
        rows = table.stdout.splitlines()
        self.assertEqual(rows[1], "|---" * len(KEYS) + "|")
        self.assertEqual([row.split("|")[1].strip() for row in rows[2:]], names)

    def test_documentation_holds_the_table(self):
        page = Path(__file__).resolve().parents[2] / "docs/how-to/choose-a-method.md"
        table = page.read_text().split("<!-- methods -->\n")[1].split("<!-- /methods -->")[0].strip("\n")
        self.assertEqual(table + "\n", varia("list", "methods", "--markdown").stdout)

    def test_wrong_requests(self):
        self.assert_refused(varia("lst"), "unknown verb 'lst'", "'list'")
        self.assert_refused(varia("--verison"), "unknown option '--verison'", "'--version'")
        self.assert_refused(varia("list"), "methods")
        self.assert_refused(varia("list", "method"), "'method'", "'methods'")
        self.assert_refused(varia("list", "methods", "--jsn"), "'--jsn'", "'--json'")
        self.assert_refused(varia("list", "methods", "--json", "--markdown"), "--markdown")
        self.assert_refused(varia("--version", "now"), "'now'")


if __name__ == "__main__":
    unittest.main()
