#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares a program's output with a stored one: words exactly, numbers with a tolerance.

    compare_output.py EXPECTED ACTUAL [--rtol R] [--atol A]
    compare_output.py EXPECTED --run PROGRAM [ARGUMENT ...]
    compare_output.py EXPECTED --update --run PROGRAM [ARGUMENT ...]     stores the new output

A first line `# compare: rtol=1e-6 atol=1e-9` of EXPECTED sets its tolerances and is not compared. Numbers agree
when |actual - expected| <= atol + rtol |expected|. The amount of white space does not matter.
"""
import argparse
import math
import re
import subprocess
import sys
from pathlib import Path

NUMBER = re.compile(r"(?<![\w.])[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])")
DIRECTIVE = re.compile(r"^# compare:(.*)$")


def tokens(line):
    """The words and numbers of a line, in order; a number is a float, anything else a string."""
    found, position = [], 0
    for match in NUMBER.finditer(line):
        found += line[position:match.start()].split()
        found.append(float(match.group()))
        position = match.end()
    return found + line[position:].split()


def agree(expected, actual, rtol, atol):
    if isinstance(expected, float) and isinstance(actual, float):
        return math.isclose(expected, actual, rel_tol=0, abs_tol=atol + rtol * abs(expected))
    return type(expected) is type(actual) and expected == actual


def differences(expected_text, actual_text, rtol, atol):
    """One message per line that differs."""
    expected = [line for line in expected_text.splitlines() if line.strip()]
    actual = [line for line in actual_text.splitlines() if line.strip()]
    messages = []
    for number, (left, right) in enumerate(zip(expected, actual), start=1):
        a, b = tokens(left), tokens(right)
        if len(a) != len(b) or not all(agree(x, y, rtol, atol) for x, y in zip(a, b)):
            messages.append(f"line {number} (blank lines not counted)\n  expected: {left}\n  actual:   {right}")
    if len(expected) != len(actual):
        messages.append(f"expected {len(expected)} lines, got {len(actual)}")
    return messages


def split_directive(text, rtol, atol):
    """The directive line (or ""), the rest of the text, and the tolerances that hold."""
    first, _, rest = text.partition("\n")
    match = DIRECTIVE.match(first)
    if not match:
        return "", text, rtol, atol
    values = {"rtol": rtol, "atol": atol}
    for item in match.group(1).split():
        key, _, value = item.partition("=")
        if key not in values:
            sys.exit(f"compare_output.py: unknown tolerance '{key}'; allowed: rtol, atol")
        values[key] = float(value)
    return first + "\n", rest, values["rtol"], values["atol"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("expected", type=Path)
    parser.add_argument("actual", type=Path, nargs="?")
    parser.add_argument("--rtol", type=float, default=1e-9)
    parser.add_argument("--atol", type=float, default=1e-12)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--run", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if (arguments.actual is None) == (not arguments.run):
        parser.error("give either ACTUAL or --run PROGRAM")

    if arguments.run:
        done = subprocess.run(arguments.run, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{arguments.run[0]} ended with exit code {done.returncode}")
        actual = done.stdout
    else:
        actual = arguments.actual.read_text()

    stored = arguments.expected.read_text() if arguments.expected.exists() else None
    if stored is None and not arguments.update:
        sys.exit(f"{arguments.expected} does not exist; store the output with --update")
    directive, expected, rtol, atol = split_directive(stored or "", arguments.rtol, arguments.atol)
    if arguments.update:
        arguments.expected.write_text(directive + actual)
        return
    messages = differences(expected, actual, rtol, atol)
    if messages:
        sys.exit(f"{arguments.expected.name}: output differs (rtol={rtol:g}, atol={atol:g})\n" + "\n".join(messages))


if __name__ == "__main__":
    main()
