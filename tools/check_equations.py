#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that every equation cited in a comment of include/ is written down, sourced and tested.

    check_equations.py [ROOT]

- A comment cites an equation as `(tag) [KEY]`, several as `(tag1), (tag2) [KEY1; KEY2, section 1.5]`,
  and states one as `(tag)  formula`, with two spaces or more after the tag.
- Every such tag is a heading `## (tag) title` (any level) of docs/theory/equations.md, and stands there once.
- Every [KEY] of a comment and of equations.md is an entry of docs/references.bib.
- Every tagged heading is followed by a line `Test: tests/folder/file ...` that names at least one file; all exist.
"""
import re
import sys
from pathlib import Path

KEY = r"[A-Z][A-Za-z]*\d{2}[a-z]?"
TAG = r"(?<![\w)\]>])\([^()\s]+\)"
SOURCES = re.compile(rf"\[({KEY}(?:[;,][^\]\n]*|\s[^\]\n]*)?)\](?!\()")
CITATION = re.compile(rf"((?:{TAG}(?:,|\s+and)?\s+)+)\[{KEY}\b")
STATEMENT = re.compile(r"(?:^[ ]*|(?<=  ))(\([A-Za-z][\w+-]*\))(?=  )", re.MULTILINE)
HEADING = re.compile(r"^#+\s+(\([^()\s]+\))")
ENTRY = re.compile(r"^@\w+\{\s*([^,\s]+)\s*,", re.MULTILINE)


def comments(text):
    """The text with everything but the comments blanked, so that line numbers stay right."""
    lines, inside = [], False
    for line in text.splitlines():
        if inside:
            body, end, _ = line.partition("*/")
            inside = not end
        elif "//" in line:
            body = line[line.index("//"):].lstrip("/!<")
        elif "/*" in line:
            body, end, _ = line[line.index("/*") + 2:].partition("*/")
            inside = not end
        else:
            body = ""
        lines.append(body)
    return "\n".join(lines)


def unknown_keys(name, text, known):
    for match in SOURCES.finditer(text):
        for key in re.findall(rf"(?:^|[;,]\s*)({KEY})\b", match.group(1)):
            if key not in known:
                line = text.count("\n", 0, match.start()) + 1
                yield f"{name}:{line}: source [{key}] is not in docs/references.bib"


def read_equations(root, text):
    """The set of tags, and the complaints about equations.md itself."""
    found, tests, current = [], {}, None
    for number, line in enumerate(text.splitlines(), start=1):
        heading = HEADING.match(line)
        if heading:
            current = heading.group(1)
            if current in tests:
                found.append(f"docs/theory/equations.md:{number}: {current} is defined twice")
            tests.setdefault(current, [])
        elif re.match(r"#+\s", line):
            current = None
        elif line.startswith("Test:") and current:
            for path in re.findall(r"tests/[\w./-]*\w", line):
                tests[current].append(path)
                if not (root / path).is_file():
                    found.append(f"docs/theory/equations.md:{number}: {path} does not exist")
    found += [f"docs/theory/equations.md: {tag} names no test (a line `Test: tests/...`)"
              for tag, paths in tests.items() if not paths]
    return set(tests), found


def problems(root):
    bibliography, equations = root / "docs/references.bib", root / "docs/theory/equations.md"
    missing = [f"{path.relative_to(root)} does not exist" for path in (bibliography, equations) if not path.is_file()]
    if missing:
        return missing
    known = set(ENTRY.findall(bibliography.read_text()))
    tags, found = read_equations(root, equations.read_text())
    found += unknown_keys("docs/theory/equations.md", equations.read_text(), known)
    for path in sorted((root / "include").rglob("*.hpp")):
        name, text = path.relative_to(root), comments(path.read_text())
        found += unknown_keys(name, text, known)
        for match in sorted([*CITATION.finditer(text), *STATEMENT.finditer(text)], key=lambda m: m.start()):
            line = text.count("\n", 0, match.start()) + 1
            found += [f"{name}:{line}: {tag} is no heading of docs/theory/equations.md"
                      for tag in re.findall(TAG, match.group(1)) if tag not in tags]
    return found


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = problems(root)
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
