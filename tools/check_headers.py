#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every public header compiles alone, first and twice, with clang.

    tools/check_headers.py BUILD_DIR [--jobs N]

BUILD_DIR holds compile_commands.json (`cmake --preset tidy`).

Most of the time would go into reading the same few headers again. So these, STEMS, are compiled alone once and kept, and a
header that includes one of them, itself or through others, begins with what was kept. That hides nothing: the text of a
header comes after all that it includes, and each of those is checked too.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import check_tidy

ROOT = pathlib.Path(__file__).resolve().parent.parent
STEMS = ["varia/flow/stage_flow.hpp", "varia/mechanics/kernel_system.hpp", "varia/core/types.hpp"]  # the largest first
INCLUDE = re.compile(r'^#include "(varia/[^"]+)"', re.MULTILINE)


def read_headers(folders):
    """The names of all headers, each with those that it includes."""
    return {str(path.relative_to(folder)): INCLUDE.findall(path.read_text())
            for folder in folders for path in sorted(folder.rglob("*.hpp"))}


def reached(header, includes):
    """All headers that a header includes, itself or through others."""
    found, left = set(), [header]
    while left:
        new = set(includes[left.pop()]) - found
        found |= new
        left += new
    return found


class Compiler:
    def __init__(self, build, kept):
        command = check_tidy.commands_of(build)["src/core/error.cpp"]
        self.words = check_tidy.words_of(command)
        self.folder = command["directory"]
        self.kept = kept

    def kept_path(self, stem):
        return self.kept / (pathlib.Path(stem).stem + ".pch")

    def __call__(self, header, *arguments):
        """What the compiler has to say of a header; None if nothing."""
        text = f"#include <{header}>\n" * 2
        done = subprocess.run([*self.words, *arguments, "-"], cwd=self.folder, input=text, capture_output=True, text=True, check=False)
        return None if done.returncode == 0 else done.stderr

    def keep(self, stem):
        return self(stem, "-x", "c++-header", "-o", self.kept_path(stem))

    def check(self, header, stem):
        begin = ["-include-pch", self.kept_path(stem)] if stem else []
        return self(header, "-x", "c++", "-fsyntax-only", *begin)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    build = given.build.resolve()
    includes = read_headers([ROOT / "include", build / "include"])
    with tempfile.TemporaryDirectory() as kept, concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        compiler = Compiler(build, pathlib.Path(kept))
        findings = [found for found in pool.map(compiler.keep, STEMS) if found]
        if not findings:
            rest = [header for header in includes if header not in STEMS]
            stems = [next((stem for stem in STEMS if stem in reached(header, includes)), None) for header in rest]
            findings = [found for found in pool.map(compiler.check, rest, stems) if found]
    print(*findings, f"headers: {len(includes)}, {len(findings)} do not compile alone", sep="\n")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
