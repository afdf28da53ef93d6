#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts tests of kind in include/ and src/: code that asks what a thing is instead of asking it to do something.

    check_kinds.py [ROOT]

A test of kind is is_rotation, a dynamic_cast, or a comparison with the name of a method, `name == "verlet"`. A new one is
an error: let the flow, the factor or the family answer through its interface. ALLOWED lists those that are in their one
place, by file, with their number and the reason; one that is gone must leave the list.
"""
import re
import sys
from pathlib import Path

ALLOWED = {
    "src/io/solid/scenario.cpp": (1, "where the word of a solid's scenario becomes a kind"),
    "src/methods/quadrature.cpp": (4, "the parser of quadratures, some of which are named like methods"),
    "src/solids/elements.cpp": (1, "where a family of terms is asked for stresses, which only elements have"),
}
METHOD_LIST = "src/methods/method_list.cpp"
OTHER_NAMES = ["avi", "rattle", "shake"]  # not in that list
ROW = re.compile(r'^\s*\{\{\.name = "(\w+)",', re.MULTILINE)
COMMENT = re.compile(r"//.*")


def method_names(root):
    found = ROW.findall((root / METHOD_LIST).read_text())
    if not found:
        sys.exit(f"{METHOD_LIST}: no names of methods found; has the form of its rows changed?")
    return found + OTHER_NAMES


def pattern(names):
    name = '"(?:' + "|".join(map(re.escape, names)) + ")"
    return re.compile(rf'\bis_rotation\b|\bdynamic_cast\b|[!=]=\s*{name}"|{name}"\s*[!=]=|\bstarts_with\({name}')


def problems(root, allowed=None):
    allowed = ALLOWED if allowed is None else allowed
    kind = pattern(method_names(root))
    found, counted = [], {}
    for folder in ("include", "src"):
        for path in sorted((root / folder).rglob("*.[hc]pp")):
            name = path.relative_to(root).as_posix()
            lines = [(i, line) for i, line in enumerate(path.read_text().splitlines(), 1)
                     if kind.search(COMMENT.sub("", line))]
            counted[name] = len(lines)
            if len(lines) > allowed.get(name, (0, ""))[0]:
                found += [f"{name}:{i}: a test of kind: {line.strip()}" for i, line in lines]
    for name, (number, _) in allowed.items():
        if counted.get(name, 0) < number:
            found.append(f"{name}: {number} tests of kind are allowed, {counted.get(name, 0)} are there: shorten ALLOWED")
    return found


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = problems(root)
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
