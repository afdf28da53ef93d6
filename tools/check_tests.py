#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which header has a test of its own: every header of include/varia and src should be found in tests/ by its name.

A header include/varia/flow/name.hpp or src/flow/name.hpp has one if there is tests/flow/name_test.cpp (or
name_slow_test.cpp, name_long_test.cpp, name_test.py), or if the comment at the head of a test names it: name.hpp.
The folders below src/io are one folder of tests, tests/io.

    tools/check_tests.py             the headers without one, by folder
    tools/check_tests.py --near      and for each the tests that include it, those that include few others first
"""
import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KINDS = ("_test.cpp", "_slow_test.cpp", "_long_test.cpp", "_test.py")


def folder_of(header):
    """The folder of its tests: flow for include/varia/flow/a.hpp and src/flow/a.hpp."""
    parts = header.relative_to(ROOT).parts
    return parts[2] if parts[0] == "include" else parts[1]


def head_comment(text):
    """The comment lines at the head of a C++ test, the first string of a Python one."""
    if text.startswith("#"):
        found = re.search(r'"""(.*?)"""', text, re.S)
        return found[1] if found else ""
    lines = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line)
    return "\n".join(lines)


def tests_by_path():
    folder = ROOT / "tests"
    return {path: path.read_text() for path in sorted([*folder.rglob("*.cpp"), *folder.rglob("*.hpp"),
                                                        *folder.rglob("*_test.py")])}


def headers():
    return sorted([*(ROOT / "include/varia").glob("*/*.hpp"), *(ROOT / "src").rglob("*.hpp")])


def has_test(header, tests, heads):
    name, folder = header.stem, ROOT / "tests" / folder_of(header)
    if any(folder / (name + kind) in tests for kind in KINDS):
        return True
    return any(re.search(rf"\b{re.escape(name)}\.hpp\b", head) for head in heads)


def included(text):
    return re.findall(r'#include "(?:varia/|[./]*src/)([\w/]+)\.hpp"', text)


def near(header, tests):
    """The tests that include the header; those that include few others first."""
    name = str(header.relative_to(ROOT).with_suffix("")).removeprefix("include/varia/").removeprefix("src/")
    users = [(len(included(text)), str(path.relative_to(ROOT / "tests"))) for path, text in tests.items()
             if name in included(text)]
    return [path for _, path in sorted(users)[:4]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--near", action="store_true")
    arguments = parser.parse_args()
    tests = tests_by_path()
    heads = [head_comment(text) for text in tests.values()]
    found = headers()
    without = [header for header in found if not has_test(header, tests, heads)]
    for header in without:
        line = str(header.relative_to(ROOT))
        if arguments.near:
            line += ": " + (", ".join(near(header, tests)) or "no test includes it")
        print(line)
    print(f"{len(found) - len(without)} of {len(found)} headers have a test of their name")
    return 0


if __name__ == "__main__":
    sys.exit(main())
