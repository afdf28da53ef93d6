#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes small mistakes in the sources, one at a time, and asks whether a test notices.

    tools/mutate.py                        60 mistakes in src/flow, src/space and src/mechanics
    tools/mutate.py --count 20 --only src/flow/stages.cpp --least 90
    tools/mutate.py --list                 what would be tried
    tools/mutate.py --mutant 17            one of them again, with what the test says

Nothing is built anew but the changed source: it is compiled as the library is, put in front of the library, and the
programs of the tests are linked again. `cmake --build --preset release` must have run. Tests whose names are like that of
the source come first, then those of its folder; the first that fails ends the matter, and so does one that takes too long.
A failure counts only if the same test passes with the unchanged source in the same place.

A mistake that does not compile, or gives the same object code, is none: the next one takes its place. The choice depends
on the sources and the seed alone. Headers are left out: most of a build reads them.
"""
import argparse
import json
import pathlib
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import mutations

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["src/flow", "src/space", "src/mechanics"]
TESTS = ["space", "mechanics", "flow", "laws", "io", "verify", "papers"]
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


def affinity(source, test):
    """Small where a test is likely to notice: one of the same name, then of the same folder."""
    path = pathlib.PurePosixPath(source)
    folder, name = test.split("/")
    words, others = set(path.stem.split("_")), set(name.split("_"))
    return (name != path.stem, -len(words & others) / len(words | others), folder != path.parent.name)


class Tests:
    """The tests of the build by name: program, file, and the time they take."""

    def __init__(self, build, folders, longest):
        shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, text=True, check=True)
        self.entries = {}
        for test in json.loads(shown.stdout)["tests"]:
            command = test.get("command", [""])
            option = next((word for word in command if word.startswith("--file=")), None)
            labels = next((p["value"] for p in test["properties"] if p["name"] == "LABELS"), [])
            if option and test["name"].split("/")[0] in folders and "long" not in labels:
                self.entries[test["name"]] = (pathlib.Path(command[0]), option)
        self.memory = build / "mutate_times.json"
        self.times = self.measure()
        self.names = [name for name in self.entries if self.times[name] <= longest]

    def measure(self):
        """What each test takes when nothing is wrong; remembered until its program is built anew."""
        known = json.loads(self.memory.read_text()) if self.memory.exists() else {}
        for name, (program, option) in self.entries.items():
            stamp = program.stat().st_mtime
            if known.get(name, [0])[0] == stamp:
                continue
            begin = time.monotonic()
            if subprocess.run([program, option], capture_output=True, check=False).returncode != 0:
                sys.exit(f"{name} fails before anything is changed")
            known[name] = [stamp, time.monotonic() - begin]
        self.memory.write_text(json.dumps(known))
        return {name: known[name][1] for name in self.entries}

    def likely_first(self, source):
        return sorted(self.names, key=lambda test: (*affinity(source, test), self.times[test]))


class Build:
    """Compiles one source, and links the programs of the tests with it in front of the library."""

    def __init__(self, folder):
        self.folder = folder
        self.commands = {}
        for entry in json.loads((folder / "compile_commands.json").read_text()):
            path = pathlib.Path(entry["file"])
            if "CMakeFiles/varia.dir/" not in entry["command"]:
                continue
            if path.is_relative_to(folder):  # several sources together
                for name in re.findall(r'#include "(src/[^"]+)"', path.read_text()):
                    self.commands[name] = entry
            else:
                self.commands[path.relative_to(ROOT).as_posix()] = entry

    def compile(self, source, text, folder):
        """The object of a changed source; None if it does not compile."""
        if source not in self.commands:
            sys.exit(f"{source} is not part of the library in {self.folder}")
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

    def link(self, program, made):
        """The program with this object in front of the library, beside the object."""
        name = program.relative_to(self.folder).as_posix()
        result = made.parent / name.replace("/", "_")
        if not result.exists():
            commands = subprocess.run(["ninja", "-t", "commands", name], cwd=self.folder, capture_output=True, text=True,
                                      check=True).stdout
            link = commands.strip().splitlines()[-1]
            link = link.replace(f" -o {name} ", f" -Wl,-z,muldefs -o {shlex.quote(str(result))} ", 1)
            link = link.replace(" libvaria.a ", f" {shlex.quote(str(made))} libvaria.a ", 1)
            subprocess.run(link, shell=True, cwd=self.folder, check=True, capture_output=True)
        return result


class Hunt:
    """One mistake after another."""

    def __init__(self, build, tests, limit, folder):
        self.build, self.tests, self.limit, self.folder = build, tests, limit, folder
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
        program, option = self.tests.entries[test]
        linked = self.build.link(program, made)
        limit = self.limit + 5 * self.tests.times[test]
        try:
            done = subprocess.run([linked, option, "--gtest_fail_fast", "--gtest_brief=1"], cwd=made.parent, timeout=limit,
                                  capture_output=True, text=True, errors="replace", check=False,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
        except subprocess.TimeoutExpired:
            return f"no end within {limit:.0f} s"
        return None if done.returncode == 0 else done.stdout + done.stderr

    def killer(self, source, made):
        """(test, what it says) of the first test that notices; None if none does."""
        for test in self.tests.likely_first(source):
            said = self.run(test, made)
            if said is not None:
                if self.run(test, self.original(source)) is not None:
                    sys.exit(f"{test} fails with {source} unchanged, put in front of the library")
                return test, said
        return None

    def __call__(self, source, mistakes):
        """(mistake, killer): the first mistake that gives other code; None if there is none."""
        text = (ROOT / source).read_text()
        same = self.original(source).read_bytes()
        for mistake in mistakes:
            folder = self.temporary()
            made = self.build.compile(source, mistake.applied(text), folder)
            try:
                if made is not None and made.read_bytes() != same:
                    return mistake, self.killer(source, made)
            finally:
                shutil.rmtree(folder)
        return None


def shown(source, mistake, text):
    """file:line kind, the line, and the line with the mistake."""
    line = mistake.line(text)
    before = text.splitlines()[line - 1].strip()
    after = mistake.applied(text).splitlines()[line - 1].strip()
    return f"{source}:{line}  {mistake.kind}\n    - {before}\n    + {after}"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--count", type=int, default=60, help="number of mistakes (60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", help="a source, or a folder of sources; may be repeated")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="the folders of tests that may notice")
    parser.add_argument("--longest", type=float, default=10, help="leave out tests that take more seconds (10)")
    parser.add_argument("--limit", type=float, default=20, help="seconds given to a test beside five times its own (20)")
    parser.add_argument("--least", type=float, default=0, help="the demanded score in percent")
    parser.add_argument("--list", action="store_true", help="list the mistakes that would be tried first")
    parser.add_argument("--mutant", type=int, nargs="+", metavar="K", help="try these numbers only, and show what tests say")
    return parser.parse_args()


def main():
    given = arguments()
    texts = {name: (ROOT / name).read_text() for name in sources(given.only or FOLDERS)}
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
    survivors, killed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        hunt = Hunt(Build(build), Tests(build, given.tests, given.longest), given.limit, pathlib.Path(folder))
        for number, (source, mistakes) in chosen:
            begin = time.monotonic()
            found = hunt(source, mistakes)
            if found is None:
                print(f"{number:3} {source}: no mistake that gives other code", flush=True)
                continue
            mistake, killer = found
            verdict = f"killed by {killer[0]}" if killer else "SURVIVES"
            print(f"{number:3} {source}:{mistake.line(texts[source])} {mistake.kind}: {verdict} "
                  f"({time.monotonic() - begin:.0f} s)", flush=True)
            if killer:
                killed += 1
            else:
                survivors.append(f"{number:3} {shown(source, mistake, texts[source])}")
            if given.mutant:
                print(shown(source, mistake, texts[source]), killer[1] if killer else "", sep="\n")
    if survivors:
        print("\nNo test notices\n" + "\n".join(survivors))
    tried = killed + len(survivors)
    score = 100 * killed / tried if tried else 100
    print(f"\n{killed} of {tried} killed: {score:.1f} %")
    return 0 if score >= given.least else 1


if __name__ == "__main__":
    sys.exit(main())
