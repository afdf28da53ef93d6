#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""clang-tidy over src/, apps/ and examples/; headers through them.

    tools/check_tidy.py BUILD_DIR [--since COMMIT] [--jobs N] [--deep]

BUILD_DIR holds compile_commands.json (`cmake --preset tidy`). With --since only sources that have changed since that
commit, and for every changed header one source that includes it; all where that commit is not known.

A source is looked at twice: alone by the analyzer, and together with others of its folder by all other checks.
With --deep the analyzer follows paths through the templates that a source calls, which takes five times as long.
What has passed is not looked at again as long as it, the headers it reads, the checks and clang-tidy are the
same: VARIA_TIDY_CACHE, or else $XDG_CACHE_HOME/varia-tidy, or else ~/.cache/varia-tidy, has a file for each.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import typing

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONFIG = ROOT / ".clang-tidy"
FOLDERS = ["src", "apps", "examples"]
SIZE = 16  # sources that are looked at together


def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.split("\n")[:-1] if done.returncode == 0 else None


def changed(since, *folders):
    """Files that differ from the commit `since`, and new ones."""
    return git("diff", "--name-only", "--diff-filter=d", since, "--", *folders) + git(
        "ls-files", "--others", "--exclude-standard", "--", *folders)


def reader_of(header, sources):
    """One source that includes the header."""
    pattern = re.compile(rf'#include "(?:[^"]*/)?{re.escape(pathlib.Path(header).name)}"')
    return next((s for s in sources if pattern.search((ROOT / s).read_text())), None)


def chosen(since):
    sources = sorted(str(p.relative_to(ROOT)) for folder in FOLDERS for p in (ROOT / folder).rglob("*.cpp"))
    if not since or git("rev-parse", "--quiet", "--verify", since + "^{commit}") is None:
        return sources
    names = changed(since, "include", *FOLDERS)
    readers = {reader_of(name, sources) for name in names if name.endswith(".hpp")}
    return [s for s in sources if s in names or s in readers]


def cache_folder():
    given = os.environ.get("VARIA_TIDY_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(given or os.path.join(base, "varia-tidy"))


def commands_of(build):
    """The command of every source, from compile_commands.json."""
    commands = json.loads((build / "compile_commands.json").read_text())
    return {os.path.relpath(c["file"], ROOT): c for c in commands}


def words_of(command):
    """The compiler and what it is told about a source, but for its name and what to make of it."""
    words = shlex.split(command["command"])
    words = words[next(i for i, word in enumerate(words) if "clang++" in os.path.basename(word)):]
    for option in ("-o", "-MF", "-MT"):
        if option in words:
            del words[words.index(option):words.index(option) + 2]
    return [word for word in words if word not in ("-c", "-MD", command["file"])]


class Job(typing.NamedTuple):
    """A file to look at, the compiler and what it is told about it, what to change in the list of checks, and what the
    analyzer is told."""
    file: pathlib.Path
    words: list
    checks: str
    analyzer: str = ""


def alone(sources, commands, deep):
    """A job for each source: the analyzer follows paths through the functions of the file it is given, and no others, and
    names of macros, which only the deep look takes the time for, are looked at in that file only."""
    checks = "-bugprone-*,-performance-*,-modernize-*,-readability-*" + (",bugprone-reserved-identifier" if deep else "")
    analyzer = "" if deep else "c++-template-inlining=false,max-nodes=75000"
    return [Job(ROOT / s, words_of(commands[s]), checks, analyzer) for s in sources]


def together(sources, commands, build):
    """Jobs for several sources of a folder each: all other checks read every header, which takes most of their time."""
    folders = {}
    for s in sources:
        folders.setdefault(s if s.startswith("examples/") else os.path.dirname(s), []).append(s)
    units = [group[i:i + SIZE] for group in folders.values() for i in range(0, len(group), SIZE)]
    (build / "tidy").mkdir(exist_ok=True)
    jobs = []
    for number, unit in enumerate(units):
        file = build / "tidy" / f"{number}.cpp"
        file.write_text("".join(f'#include "{s}"  // NOLINT(bugprone-suspicious-include)\n' for s in unit))
        words = [word for word in words_of(commands[unit[0]]) if not word.startswith("-W")]  # of each source alone they warn
        jobs.append(Job(file, words, "-clang-analyzer-*"))
    return jobs


class Tidy:
    def __init__(self):
        self.cache = cache_folder()
        version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
        self.checks = version + CONFIG.read_bytes()

    def key(self, job):
        """The digest of all that the verdict depends on."""
        # -C keeps comments: NOLINT is one
        text = subprocess.run([*job.words, job.file, "-E", "-C"], cwd=ROOT, capture_output=True, check=True).stdout
        text = text.replace(str(ROOT).encode(), b"")
        return hashlib.sha256(self.checks + (job.checks + job.analyzer).encode() + text).hexdigest()

    def __call__(self, job):
        """The findings; None if there are none."""
        passed = self.cache / self.key(job)
        if passed.exists():
            return None
        told = ["-Xclang", "-analyzer-config", "-Xclang", job.analyzer] if job.analyzer else []
        done = subprocess.run(["clang-tidy", "--quiet", f"--config-file={CONFIG}", f"--checks={job.checks}", job.file, "--",
                               *job.words[1:], *told], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            self.cache.mkdir(parents=True, exist_ok=True)
            passed.touch()
            return None
        return done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--since", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--deep", action="store_true")
    given = parser.parse_args()
    build = given.build.resolve()
    sources, commands = chosen(given.since), commands_of(build)
    jobs = together(sources, commands, build) + alone(sources, commands, given.deep)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for findings in pool.map(Tidy(), jobs):
            if findings is not None:
                failed += 1
                print(findings, flush=True)
    print(f"clang-tidy: {len(sources)} sources, {failed} findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
