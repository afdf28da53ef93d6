# SPDX-License-Identifier: BSD-3-Clause
"""The contract of the program `varia`: version, help, lists, wrong requests."""
import json
import os
import pty
import re
import shlex
import subprocess
import unittest

from program import KEPLER, PROGRAM, REPOSITORY, VERSION, ProgramTest

KEYS = ["name", "parameters", "order", "symmetric", "variational", "explicit_when", "needs", "cite", "summary"]
VERBS = ["run", "optimise", "check", "compare", "sweep", "list", "show", "reproduce", "completion", "man"]
LISTS = ["methods", "spaces", "functions", "elements", "materials", "gallery"]
BASELINES = {"rk4", "dopri5", "explicit_euler", "rkmk"}


class CommandLine(ProgramTest):
    def test_version_is_that_of_the_project(self):
        done = self.assert_done(self.varia("--version"))
        self.assertEqual(done.stdout, f"varia {VERSION}\n")

    def test_help_names_every_verb_and_exit_code(self):
        for arguments in ([], ["--help"], ["-h"]):
            done = self.assert_done(self.varia(*arguments))
            for word in VERBS + ["--version", "Exit codes", "130", "varia run gallery:kepler"]:
                self.assertIn(word, done.stdout)

    def test_help_of_each_verb_has_an_example_that_works(self):
        for verb in VERBS:
            with self.subTest(verb):
                done = self.assert_done(self.varia(verb, "--help"))
                self.assertIn(f"Usage: varia {verb}", done.stdout)
                self.assertEqual(done.stdout, self.varia(verb, "-h").stdout)
                example = re.split("Examples?:\n", done.stdout)[1].strip().splitlines()[0]
                self.assertTrue(example.startswith(f"varia {verb}"), example)
                self.assert_done(self.varia(*shlex.split(example)[1:]))

    def test_wrong_requests(self):
        self.assert_refused(self.varia("lst"), "unknown verb 'lst'", "'list'")
        self.assert_refused(self.varia("--verison"), "unknown option '--verison'", "'--version'")
        self.assert_refused(self.varia("list"), "methods")
        self.assert_refused(self.varia("list", "method"), "'method'", "'methods'")
        self.assert_refused(self.varia("list", "methods", "--jsn"), "'--jsn'", "'--json'")
        self.assert_refused(self.varia("list", "methods", "--json", "--markdown"), "--markdown")
        self.assert_refused(self.varia("list", "methods", "spaces"), "'spaces'", "varia list --help")
        self.assert_refused(self.varia("--version", "now"), "'now'")

    def test_unknown_options_suggest_the_nearest(self):
        cases = {"run": ("--methd", "--method"), "check": ("--jso", "--json"), "compare": ("--stpes", "--steps"),
                 "show": ("--sett", "--set"), "reproduce": ("--al", "--all"), "list": ("--markdwn", "--markdown")}
        for verb, (wrong, right) in cases.items():
            with self.subTest(verb):
                arguments = [] if verb in ("reproduce", "list") else ["gallery:kepler"]
                arguments += ["--methods", "verlet"] if verb == "compare" else []
                done = self.varia(verb, *arguments, wrong)
                self.assert_refused(done, f"'{wrong}'", f"'{right}'", "--help")

    def test_missing_and_surplus_arguments(self):
        for verb in ("run", "check", "compare", "show"):
            self.assert_refused(self.varia(verb), f"varia {verb}", "FILE")
        self.assert_refused(self.varia("compare", "gallery:kepler"), "--methods")
        self.assert_refused(self.varia("run", "a.toml", "b.toml"), "'b.toml'")
        self.assert_refused(self.varia("run", "gallery:kepler", "--step"), "--step")
        self.assert_refused(self.varia("run", "gallery:kepler", "--until", "3", "--until", "4"), "--until")


class Lists(ProgramTest):
    def table(self, what):
        return json.loads(self.assert_done(self.varia("list", what, "--json")).stdout)

    def test_methods_as_json(self):
        methods = self.table("methods")
        self.assertGreater(len(methods), 0)
        for method in methods:
            self.assertEqual(list(method), KEYS)
            self.assertNotEqual(method["name"], "")
            wanted = "no" if method["name"] in BASELINES else "yes"
            if method["name"] == "newmark":
                wanted = "gamma = 1/2, with a two-form of its own"
            self.assertEqual(method["variational"], wanted)
        names = [method["name"] for method in methods]
        self.assertEqual(len(names), len(set(names)))
        self.assertLessEqual(BASELINES, set(names))

    def test_all_formats_list_the_same(self):
        for what in LISTS:
            with self.subTest(what):
                rows = self.table(what)
                names = [row["name"] for row in rows]
                text = self.assert_done(self.varia("list", what)).stdout
                if rows:
                    self.assertEqual([line.split("  ")[0] for line in text.splitlines()][1:], names)
                else:
                    self.assertIn(f"no {what}", text)
                table = self.assert_done(self.varia("list", what, "--markdown")).stdout.splitlines()
                columns = table[0].count("|") - 1
                self.assertEqual(table[1], "|---"*columns + "|")
                self.assertEqual([row.split("|")[1].strip() for row in table[2:]], names)
                if rows:
                    self.assertEqual(columns, len(rows[0]))

    def test_documentation_holds_the_table(self):
        page = REPOSITORY / "docs/how-to/choose-a-method.md"
        table = page.read_text().split("<!-- methods -->\n")[1].split("<!-- /methods -->")[0].strip("\n")
        self.assertEqual(table + "\n", self.varia("list", "methods", "--markdown").stdout)

    def test_reference_holds_the_functions(self):
        page = REPOSITORY / "docs/reference/scenario.md"
        table = page.read_text().split("<!-- functions -->\n")[1].split("<!-- /functions -->")[0].strip("\n")
        self.assertEqual(table + "\n", self.varia("list", "functions", "--markdown").stdout)

    def test_gallery_is_the_folder(self):
        names = [row["name"] for row in self.table("gallery")]
        self.assertEqual(names, sorted(path.stem for path in (REPOSITORY / "gallery").glob("*.toml")))
        for row in self.table("gallery"):
            self.assertNotEqual(row["title"], "")
            self.assertNotEqual(row["method"], "")

    def test_spaces(self):
        self.assertEqual([row["name"] for row in self.table("spaces")], ["R", "SO2", "SO3", "SE2", "SE3", "S2"])

    def test_elements_and_materials(self):
        self.assertEqual([row["name"] for row in self.table("elements")], ["T3", "T6", "Tet4", "Tet10"])
        materials = {row["name"]: row["constants"] for row in self.table("materials")}
        self.assertIn("lambda, mu", materials["neo_hookean"])
        self.assertIn("young, poisson", materials["linear_elastic"])


class Terminal(ProgramTest):
    def test_a_title_does_not_command_the_terminal(self):
        """Bell, an escape sequence, a carriage return, a C1 control; other characters stay."""
        self.write("loud.toml", KEPLER.replace('"Kepler"', r'"K\u0007 \u001b[31mred\r \u009b2J ü"'))
        for verb in ("run", "show"):
            with self.subTest(verb):
                done = self.assert_done(self.varia(verb, "loud.toml"))
                self.assertFalse([c for c in done.stdout if c != "\n" and not c.isprintable()], done.stdout)
                self.assertIn(r"K\u0007 \u001B[31mred\u000D \u009B2J ü", done.stdout)
        done = self.varia("run", "\x1b[31mnone.toml")
        self.assert_refused(done, r"\u001B[31mnone.toml", code=4)
        self.assertNotIn("\x1b", done.stderr)


class Colours(ProgramTest):
    """Each stream is coloured where it is a terminal, and only there."""
    RED, GREEN = "\x1b[1;31m", "\x1b[32m"

    def terminal(self, *arguments, out=True, error=True, **changes):
        """What arrives on the streams; each is a terminal or a pipe."""
        ends = [pty.openpty() if wanted else os.pipe() for wanted in (out, error)]
        environment = {**self.environment(), "TERM": "xterm", **changes}
        environment.pop("NO_COLOR", None) if "NO_COLOR" not in changes else None
        process = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=ends[0][1], stderr=ends[1][1], env=environment)
        self.addCleanup(self._end, process)
        texts = []
        for _, end in ends:
            os.close(end)
        for begin, _ in ends:
            text = b""
            try:
                while piece := os.read(begin, 65536):
                    text += piece
            except OSError:  # the end of a terminal
                pass
            os.close(begin)
            texts.append(text.decode().replace("\r\n", "\n"))
        process.wait()
        return texts

    def test_verdicts(self):
        self.write("kepler.toml", KEPLER)
        out, _ = self.terminal("run", "kepler.toml")
        self.assertIn(f"  {self.GREEN}ok\x1b[0m    rotation: ", out)
        self.assertIn("files in out/kepler", out)
        out, _ = self.terminal("run", "kepler.toml", "--method", "rk4", "--until", "100")
        self.assertIn(f"  {self.RED}BAD\x1b[0m   energy: ", out)
        out, _ = self.terminal("check", "kepler.toml", "--method", "rk4")
        self.assertIn(f"  {self.RED}FAIL\x1b[0m: ", out)
        self.assertIn(f"{self.RED}fail\x1b[0m\n", out)
        plain = self.varia("check", "kepler.toml", "--method", "rk4").stdout
        self.assertEqual(re.sub("\x1b\\[[0-9;]*m", "", out), plain)

    def test_what_is_chosen_and_not_smooth_is_said_before_a_long_run(self):
        self.write("kink.toml", """[system]
coordinates = ["x"]
lagrangian = "x_dot^2/2 - abs(x)"
[start]
x = 1
x_dot = 0
[run]
step = 1e-5
until = 40
[output]
report = false
formats = []
""")
        _, error = self.terminal("run", "kink.toml", out=False)
        before = error[:error.index(" % ")]
        self.assertIn("  chosen verlet: ", before)
        self.assertIn("  note  system.lagrangian: abs(x) is not smooth where x = 0", before)
        self.assertEqual(error.count("methods may lose"), 1)
        self.assertNotIn("is not smooth", self.terminal("run", "kink.toml", "--until", "1", "--step", "0.1", out=False)[1])

    def test_errors(self):
        _, error = self.terminal("rn")
        self.assertTrue(error.startswith(f"{self.RED}varia:\x1b[0m unknown verb 'rn'"), error)

    def test_only_what_is_a_terminal(self):
        self.write("kepler.toml", KEPLER)
        out, _ = self.terminal("run", "kepler.toml", out=False)
        self.assertNotIn("\x1b", out)
        _, error = self.terminal("rn", out=False)
        self.assertIn(self.RED, error)
        out, error = self.terminal("run", "kepler.toml", "--step", "x", error=False)
        self.assertNotIn("\x1b", error)

    def test_whoever_wants_none_gets_none(self):
        self.write("kepler.toml", KEPLER)
        for change in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            out, _ = self.terminal("run", "kepler.toml", error=False, **change)
            self.assertIn("  ok    rotation: ", out)
            self.assertNotIn("\x1b", out)
            _, error = self.terminal("rn", **change)
            self.assertTrue(error.startswith("varia: unknown"), error)
        self.assertIn(self.GREEN, self.terminal("run", "kepler.toml", NO_COLOR="")[0])

    def test_files_and_json_stay_plain(self):
        self.write("kepler.toml", KEPLER)
        out, _ = self.terminal("run", "kepler.toml", "--json")
        self.assertNotIn("\x1b", out)
        for path in (self.folder / "out/kepler").iterdir():
            self.assertNotIn(b"\x1b[", path.read_bytes() if path.suffix == ".json" else b"")


if __name__ == "__main__":
    unittest.main()
