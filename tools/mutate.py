#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes small mistakes in the sources, one at a time, and asks whether a test notices.

    tools/mutate.py                        60 mistakes in src/
    tools/mutate.py --count 20 --only src/flow/stages.cpp --least 90
    tools/mutate.py --list                 what would be tried
    tools/mutate.py --mutant 17            one of them again, with what the test says

Nothing is built anew but the changed source: it is compiled as its library is, put in front of the libraries, and the
programs of the tests are linked again, and `varia` for the tests that call it. `cmake --build --preset release` must have
run. Tests whose names are like that of the source come first, then those of its folder, then the others, quick ones first;
the first that fails ends the matter, and so does one that takes too long. A failure counts only if the same test passes
with the unchanged source in the same place.

A mistake that does not compile, or gives the same object code, is none: the next one takes its place. One that is listed in
tools/equivalent_mutants.toml, with the reason why nobody can see it, is named and does not count. The choice depends on the
sources and the seed alone. Headers are left out: most of a build reads them.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
import typing

import mutations

ROOT = pathlib.Path(__file__).resolve().parent.parent
EQUIVALENT = ROOT / "tools/equivalent_mutants.toml"
MEMORY = 8 << 30  # a loop without end must not take the machine with it


def sources(only, root=ROOT):
    """The sources in the folders or files of `only`."""
    found = set()
    for name in only:
        path = root / name
        found |= {path} if path.is_file() else set(path.rglob("*.cpp"))
    if not found:
        sys.exit(f"no source in {', '.join(only)}")
    return [p.relative_to(root).as_posix() for p in sorted(found)]


def order(text, seed):
    """All mistakes in a text, in an order in which their kinds take turns at random."""
    chance = random.Random(seed)
    left = {}
    for place in mutations.places(text):
        left.setdefault(place.kind, []).append(place)
    result = []
    while left:
        kind = chance.choice(sorted(left))
        result.append(left[kind].pop(chance.randrange(len(left[kind]))))
        if not left[kind]:
            del left[kind]
    return result


def choice(texts, count, seed):
    """`count` lists (source, mistakes): the first mistake of each that can be made is made. Every source has its share."""
    queues = {name: order(text, f"{seed}/{name}") for name, text in texts.items()}
    names = sorted((n for n in queues if queues[n]), key=lambda n: (-len(queues[n]), n))
    count = min(count, sum(map(len, queues.values())))
    shares = dict.fromkeys(names, 0)
    if count < len(names):
        names = random.Random(seed).sample(names, count)
    while sum(shares.values()) < count:
        for name in names:
            if shares[name] < len(queues[name]) and sum(shares.values()) < count:
                shares[name] += 1
    return [(name, queues[name][k::shares[name]]) for name in sorted(shares) for k in range(shares[name])]


def equivalents(path=EQUIVALENT):
    """The reason by (source, line, the line with the mistake)."""
    listed = tomllib.loads(path.read_text()).get("mutant", [])
    return {(entry["source"], entry["line"], entry["becomes"]): entry["reason"] for entry in listed}


def stale(listed, root=ROOT):
    """What is listed and cannot be made, because the source has changed."""
    def can_be_made(source, line, becomes):
        text = (root / source).read_text() if (root / source).is_file() else ""
        return any(place.shown(text) == (line, becomes) for place in mutations.places(text))
    return [f"{source}: {line}" for source, line, becomes in listed if not can_be_made(source, line, becomes)]


def affinity(source, test):
    """Small where a test is likely to notice: one of the same name, then of the same folder."""
    path = pathlib.PurePosixPath(source)
    folder, name = test.split("/")
    below = [*path.parts[2:-1], path.stem]  # src/io/solid/frames.cpp: tests/io/solid_frames_test.cpp
    words, others = set("_".join(below).split("_")), set(name.split("_"))
    return (name not in (path.stem, "_".join(below)), -len(words & others) / len(words | others), folder != path.parts[1])


def prepare():
    """For a test about to begin: a bound of its memory, and Ctrl-C, to which a job in the background is deaf."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@dataclasses.dataclass(frozen=True)
class Test:
    """A file of tests: compiled into `program`, or a script that calls it."""

    program: pathlib.Path
    words: list  # after the program; for a script the whole command
    environment: dict

    @staticmethod
    def of(command, environment):
        """None for what neither is."""
        if option := next((word for word in command if word.startswith("--file=")), None):
            return Test(pathlib.Path(command[0]), [option, "--gtest_fail_fast", "--gtest_brief=1"], {})
        if "VARIA_PROGRAM" in environment:
            return Test(pathlib.Path(environment["VARIA_PROGRAM"]), [*command, "--failfast"], environment)
        return None

    def stamp(self):
        """Another one when the test is another one."""
        files = [self.program, *(pathlib.Path(word) for word in self.words if word.endswith(".py"))]
        return max(path.stat().st_mtime for path in files)

    def run(self, program, folder, limit=None):
        """None if the test passes in this folder with another program in place of its own, and else what it says."""
        words = self.words if self.environment else [program, *self.words]
        environment = {**os.environ, **self.environment, "VARIA_PROGRAM": str(program),
                       "VARIA_CACHE_DIR": str(folder / "cache")}
        with subprocess.Popen(words, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
                              preexec_fn=prepare) as process:
            try:
                said = process.communicate(timeout=limit)[0]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)  # a script, and the program that it has called
                return f"no end within {limit:.0f} s"
        return None if process.returncode == 0 else said


class Tests:
    """The tests of the build by name, and the time they take."""

    def __init__(self, build, folders, longest):
        shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, text=True, check=True)
        self.entries = {}
        for test in json.loads(shown.stdout)["tests"]:
            properties = {p["name"]: p["value"] for p in test["properties"]}
            environment = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
            entry = Test.of(test.get("command", [""]), environment)
            folder = test["name"].split("/")[0]
            if entry and "long" not in properties.get("LABELS", []) and (folder in folders if folders else folder != "tools"):
                self.entries[test["name"]] = entry
        self.memory = build / "mutate_times.json"
        self.times = self.measure()
        self.names = [name for name in self.entries if self.times[name] <= longest]

    def measure(self):
        """What each test takes when nothing is wrong; remembered until it is built anew."""
        known = json.loads(self.memory.read_text()) if self.memory.exists() else {}
        for name, test in self.entries.items():
            stamp = test.stamp()
            if known.get(name, [0])[0] == stamp:
                continue
            begin = time.monotonic()
            with tempfile.TemporaryDirectory() as folder:
                if (said := test.run(test.program, pathlib.Path(folder))) is not None:
                    sys.exit(f"{name} fails before anything is changed\n{said}")
            known[name] = [stamp, time.monotonic() - begin]
            self.memory.write_text(json.dumps(known))
        return {name: known[name][1] for name in self.entries}

    def likely_first(self, source):
        return sorted(self.names, key=lambda test: (*affinity(source, test), self.times[test]))


class Build:
    """Compiles one source, and links programs with it in front of the libraries."""

    def __init__(self, folder):
        self.folder = folder
        self.commands, self.libraries, self.links = {}, {}, {}
        for entry in json.loads((folder / "compile_commands.json").read_text()):
            path = pathlib.Path(entry["file"])
            library = re.search(r"CMakeFiles/(varia|varia_io)\.dir/", entry["command"])
            if not library:
                continue
            if path.is_relative_to(folder):  # several sources together
                names = re.findall(r'#include "(src/[^"]+)"', path.read_text()) if path.exists() else []
            else:
                names = [path.relative_to(ROOT).as_posix()]
            for name in names:
                self.commands[name] = entry
                self.libraries[name] = f"lib{library.group(1)}.a"

    def compile(self, source, text, folder):
        """The object of a changed source; None if it does not compile."""
        if source not in self.commands:
            sys.exit(f"{source} is not part of the libraries in {self.folder}")
        entry = self.commands[source]
        folder.mkdir()
        changed, made = folder / pathlib.Path(source).name, folder / "changed.o"
        changed.write_text(text)
        words = [w for w in shlex.split(entry["command"]) if w != "-Werror"]
        words[words.index("-o") + 1] = str(made)
        words[words.index("-c") + 1] = str(changed)
        words += ["-w", "-iquote", str((ROOT / source).parent)]
        done = subprocess.run(words, cwd=entry["directory"], capture_output=True, check=False)
        return made if done.returncode == 0 else None

    def link_command(self, program):
        name = program.relative_to(self.folder).as_posix()
        if name not in self.links:
            commands = subprocess.run(["ninja", "-t", "commands", name], cwd=self.folder, capture_output=True, text=True,
                                      check=True).stdout
            self.links[name] = commands.strip().splitlines()[-1]
        return name, self.links[name]

    def has(self, program, source):
        """Whether the source is part of the program."""
        return f" {self.libraries[source]} " in self.link_command(program)[1]

    def link(self, program, made):
        """The program with this object in front of the libraries, beside the object."""
        name, link = self.link_command(program)
        result = made.parent / name
        if not result.exists():
            result.parent.mkdir(parents=True, exist_ok=True)
            mine, its = shlex.quote(str(made)), shlex.quote(str(result))
            link = link.replace(f" -o {name} ", f" -Wl,-z,muldefs {mine} -o {its} ", 1)
            subprocess.run(link, shell=True, cwd=self.folder, check=True, capture_output=True)
        return result


class Verdict(typing.NamedTuple):
    """The test that notices a mistake and what it says; without a test, why nobody can notice."""

    test: str | None
    said: str


class Hunt:
    """One mistake after another."""

    def __init__(self, build, tests, limit, folder):
        self.build, self.tests, self.limit, self.folder = build, tests, limit, folder
        self.listed = equivalents()
        self.unchanged = (None, None)
        self.number = 0

    def temporary(self):
        self.number += 1
        return self.folder / str(self.number)

    def original(self, source):
        if self.unchanged[0] != source:
            if self.unchanged[1]:
                shutil.rmtree(self.unchanged[1].parent)
            made = self.build.compile(source, (ROOT / source).read_text(), self.temporary())
            if made is None:
                sys.exit(f"{source} does not compile")
            self.unchanged = (source, made)
        return self.unchanged[1]

    def run(self, test, made):
        """None if the test passes with this object, and else what it says."""
        entry = self.tests.entries[test]
        return entry.run(self.build.link(entry.program, made), made.parent, self.limit + 5 * self.tests.times[test])

    def killer(self, source, made):
        """The first test that notices; None if none does."""
        for test in self.tests.likely_first(source):
            if not self.build.has(self.tests.entries[test].program, source):
                continue
            said = self.run(test, made)
            if said is not None and self.run(test, self.original(source)) is not None:
                print(f"    {test} fails with {source} unchanged as well: its verdict does not count", flush=True)
            elif said is not None:
                return Verdict(test, said)
        return None

    def __call__(self, source, mistakes):
        """(mistake, verdict) of the first mistake that gives other code; None if there is none."""
        text = (ROOT / source).read_text()
        same = self.original(source).read_bytes()
        for mistake in mistakes:
            folder = self.temporary()
            made = self.build.compile(source, mistake.applied(text), folder)
            try:
                if made is not None and made.read_bytes() != same:
                    reason = self.listed.get((source, *mistake.shown(text)))
                    return mistake, Verdict(None, reason) if reason else self.killer(source, made)
            finally:
                shutil.rmtree(folder)
        return None


def shown(source, mistake, text):
    """file:line kind, the line, and the line with the mistake."""
    before, after = mistake.shown(text)
    return f"{source}:{mistake.line(text)}  {mistake.kind}\n    - {before}\n    + {after}"


class Score:
    """How many of the mistakes were noticed."""

    def __init__(self):
        self.killed, self.equivalent, self.survivors = 0, 0, []

    def count(self, where, verdict):
        """Counts one mistake, and says what became of it."""
        if verdict is None:
            self.survivors.append(where)
            return "SURVIVES"
        if verdict.test is None:
            self.equivalent += 1
            return f"equivalent: {verdict.said}"
        self.killed += 1
        return f"killed by {verdict.test}"

    def percent(self):
        tried = self.killed + len(self.survivors)
        return 100 * self.killed / tried if tried else 100

    def __str__(self):
        lines = ["", "No test notices", *self.survivors] if self.survivors else []
        left_out = f"; {self.equivalent} equivalent left out" if self.equivalent else ""
        lines += ["", f"{self.killed} of {self.killed + len(self.survivors)} killed: {self.percent():.1f} %{left_out}"]
        return "\n".join(lines)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--count", type=int, default=60, help="number of mistakes (60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", help="a source, or a folder of sources; may be repeated")
    parser.add_argument("--tests", nargs="+", help="the folders of tests that may notice (all)")
    parser.add_argument("--longest", type=float, default=30, help="leave out tests that take more seconds (30)")
    parser.add_argument("--limit", type=float, default=20, help="seconds given to a test beside five times its own (20)")
    parser.add_argument("--least", type=float, default=0, help="the demanded score in percent")
    parser.add_argument("--list", action="store_true", help="list the mistakes that would be tried first")
    parser.add_argument("--mutant", type=int, nargs="+", metavar="K", help="try these numbers only, and show what tests say")
    return parser.parse_args()


def main():
    given = arguments()
    texts = {name: (ROOT / name).read_text() for name in sources(given.only or ["src"])}
    chosen = list(enumerate(choice(texts, given.count, given.seed), 1))
    if given.mutant:
        unknown = set(given.mutant) - {number for number, _ in chosen}
        if unknown:
            sys.exit(f"there is no mutant {min(unknown)}")
        chosen = [c for c in chosen if c[0] in given.mutant]
    if given.list:
        for number, (source, mistakes) in chosen:
            print(f"{number:3} {shown(source, mistakes[0], texts[source])}")
        return 0

    build = given.build.resolve()
    score = Score()
    with tempfile.TemporaryDirectory() as folder:
        hunt = Hunt(Build(build), Tests(build, given.tests, given.longest), given.limit, pathlib.Path(folder))
        for number, (source, mistakes) in chosen:
            begin = time.monotonic()
            found = hunt(source, mistakes)
            if found is None:
                print(f"{number:3} {source}: no mistake that gives other code", flush=True)
                continue
            mistake, verdict = found
            where = shown(source, mistake, texts[source])
            print(f"{number:3} {source}:{mistake.line(texts[source])} {mistake.kind}: "
                  f"{score.count(f'{number:3} {where}', verdict)} ({time.monotonic() - begin:.0f} s)", flush=True)
            if given.mutant:
                print(where, verdict.said if verdict else "", sep="\n")
    print(score)
    return 0 if score.percent() >= given.least else 1


if __name__ == "__main__":
    sys.exit(main())
