# SPDX-License-Identifier: BSD-3-Clause
"""The completion scripts and the manual page know every verb and option, and offer what can be given."""
import json
import os
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

from program import PROGRAM, REPOSITORY, ProgramTest


def options_of(text):
    """The options of a help text: --set, -h."""
    section = text.split("Options:\n")[1]
    lines = [line for line in section.splitlines() if re.match(r"  -", line)]
    return {name for line in lines for name in line.split()[0].split(",")}


class CommandTable(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "bin").mkdir()
        (self.folder / "bin/varia").symlink_to(PROGRAM)
        self.path = f"{self.folder/'bin'}:{os.environ['PATH']}"

    def help(self, *verb):
        return self.assert_done(self.varia(*verb, "--help")).stdout

    def verbs(self):
        lines = self.help().split("Subcommands:\n")[1].split("\n\n")[0].splitlines()
        return [line.split()[0].rstrip(',') for line in lines]

    def names(self, what):
        return [row["name"] for row in json.loads(self.varia("list", what, "--json").stdout)]

    def script(self, shell):
        path = self.folder / f"varia.{shell}"
        path.write_text(self.assert_done(self.varia("completion", shell)).stdout)
        return path

    def needs(self, program):
        if shutil.which(program) is None:
            self.skipTest(f"{program} is not installed")

    def check_all(self, complete):
        """`complete(line)` is what a shell offers at the end of the line."""
        self.write("my.toml", "")
        (self.folder / "results").mkdir()
        self.assertLessEqual(set(self.verbs()), set(complete("varia ")))
        self.assertEqual(complete("varia swe"), ["sweep"])
        for verb in self.verbs():
            with self.subTest(verb):
                self.assertLessEqual({name for name in options_of(self.help(verb)) if name.startswith("--")},
                                     set(complete(f"varia {verb} --")))
        self.assertEqual(complete("varia sweep my.toml --mode "), ["grid", "list"])
        self.assertEqual(complete("varia list ele"), ["elements"])
        self.assertEqual(complete("varia completion "), ["bash", "fish", "zsh"])
        self.assertEqual(complete("varia run my.toml --method gau"), ["gauss"])
        self.assertLessEqual(set(self.names("methods")), set(complete("varia check --method ")))
        self.assertIn("my.toml", complete("varia run m"))
        self.assertLessEqual({"kepler", "kepler_pace"}, {word.removeprefix("gallery:") for word in
                                                         complete("varia run gallery:kep")})
        self.assertIn("double_well", complete("varia reproduce double"))
        folders = [word.rstrip("/") for word in complete("varia run my.toml --out ")]
        self.assertIn("results", folders)
        self.assertNotIn("my.toml", folders)

    def test_bash(self):
        script = self.script("bash")

        def complete(line):
            program = (f"source {script}; COMP_LINE=$1; COMP_POINT=${{#1}}; read -ra COMP_WORDS <<<\"$1\"; _varia; "
                       'printf "%s\\n" "${COMPREPLY[@]}"')
            done = subprocess.run(["bash", "-c", program, "bash", line], cwd=self.folder, text=True, check=False,
                                  capture_output=True, env=self.environment(PATH=self.path))
            self.assertEqual(done.stderr, "")
            return sorted(done.stdout.split())
        self.check_all(complete)

    def test_fish(self):
        self.needs("fish")
        script = self.script("fish")

        def complete(line):
            done = subprocess.run(["fish", "--no-config", "-c", f'source {script}; complete -C "{line}"'], text=True,
                                  cwd=self.folder, capture_output=True, check=False,
                                  env=self.environment(PATH=self.path, HOME=str(self.folder)))
            self.assertEqual(done.stderr, "")
            return sorted(row.split("\t")[0] for row in done.stdout.splitlines())
        self.check_all(complete)

    def test_zsh(self):
        """A shell that reads keys: what it lists after TAB."""
        self.needs("zsh")
        script = self.script("zsh")
        setup = self.write("setup.zsh", "autoload -Uz compinit && compinit -u -D\n"
                           "zstyle ':completion:*' list-separator '#'\nLISTMAX=1000\nsetopt no_menu_complete\n"
                           "unsetopt always_last_prompt auto_menu\nPS1='>' PS2= RPS1=\n"
                           f"source {script}\n"
                           "list-all() { local -a found; compadd() { local -a more; "
                           "builtin compadd -O more \"$@\"; found+=($more); builtin compadd \"$@\" }; "
                           "_main_complete; print -rl -- $found >$OFFERED; unfunction compadd }\n"
                           "zle -C list-all list-choices list-all\nbindkey '^X' list-all\nprint ready\n")

        offered = self.folder / "offered"
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**self.environment(PATH=self.path), "TERM": "dumb",
                                                    "OFFERED": str(offered)})
        self.addCleanup(os.waitpid, pid, 0)
        self.addCleanup(os.close, terminal)
        os.write(terminal, f"source {setup}\n".encode())
        self.read_until(terminal, b"ready\r")

        def complete(line):
            offered.unlink(missing_ok=True)
            os.write(terminal, b"\x15" + line.encode() + b"\x18")
            limit = time.monotonic() + 60
            while time.monotonic() < limit and not (offered.exists() and offered.read_text().endswith("\n")):
                self.read_some(terminal)
            return sorted(set(offered.read_text().split()))
        self.check_all(complete)

    @staticmethod
    def read_some(terminal):
        if select.select([terminal], [], [], 0.05)[0]:
            return os.read(terminal, 65536)
        return b""

    def read_until(self, terminal, end):
        text, limit = b"", time.monotonic() + 60
        while end not in text and time.monotonic() < limit:
            text += self.read_some(terminal)
        return text

    def test_unknown_shells(self):
        self.assert_refused(self.varia("completion"), "SHELL", "bash, zsh or fish")
        self.assert_refused(self.varia("completion", "fihs"), "'fihs'", "'fish'")

    def test_the_manual_page_has_everything(self):
        self.needs("groff")
        page = self.write("varia.1", self.assert_done(self.varia("man")).stdout)
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-P-cbou", page], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = re.sub(r"\s+", " ", done.stdout.replace("−", "-").replace("‐", "-"))
        for verb in self.verbs():
            self.assertIn(f"varia {verb}", text)
            help_text = self.help(verb)
            for name in options_of(help_text):
                self.assertIn(name, text)
            for example in re.findall(r"^  (varia .*)$", help_text, re.M):
                self.assertIn(example, text)
        for section in ("NAME", "SYNOPSIS", "VERBS", "EXIT STATUS", "ENVIRONMENT", "NO_COLOR"):
            self.assertIn(section, text)

    def test_the_reference_page_has_every_verb_and_option(self):
        page = (REPOSITORY / "docs/reference/command-line.md").read_text()
        for verb in self.verbs():
            self.assertIn(f"varia {verb}", page)
            for name in options_of(self.help(verb)) - {"-h"}:
                self.assertIn(name, page, verb)


if __name__ == "__main__":
    unittest.main()
