#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that every C++ block of the documentation is code that compiles.

    check_snippets.py [ROOT]

- A block is what stands between ```cpp and ``` in README.md and docs/**/*.md.
- Its lines appear one after the other in some examples/*.cpp, tests/**/*.cpp or bench/*.cpp, all of which are
  compiled; common indentation and blanks at the end of lines do not count.
"""
import re
import sys
import textwrap
from pathlib import Path

FENCE = re.compile(r"^\s*(```+)\s*([\w+-]*)")


def dedented(lines):
    return textwrap.dedent("\n".join(line.rstrip() for line in lines)).strip("\n").split("\n")


def blocks(text):
    """The C++ blocks as pairs (number of the first line, lines); lines is None for a block without end."""
    fence, body, first = None, None, 0
    for number, line in enumerate(text.splitlines(), start=1):
        if fence is not None:
            if line.strip() == fence:
                if body is not None:
                    yield first, dedented(body)
                fence = None
            elif body is not None:
                body.append(line)
        elif match := FENCE.match(line):
            fence, first = match.group(1), number + 1
            body = [] if match.group(2) in ("cpp", "c++") else None
    if fence is not None and body is not None:
        yield first, None


def holds(source, block):
    """Whether the lines of the block follow each other in the source."""
    head = block[0].strip()
    return any(line.strip() == head and dedented(source[at:at + len(block)]) == block
               for at, line in enumerate(source))


def problems(root):
    sources = [path.read_text().splitlines() for pattern in ("examples/*.cpp", "tests/**/*.cpp", "bench/*.cpp")
               for path in sorted(root.glob(pattern))]
    pages = [path for path in (root / "README.md", *sorted((root / "docs").rglob("*.md"))) if path.is_file()]
    found = []
    for page in pages:
        for first, block in blocks(page.read_text()):
            where = f"{page.relative_to(root)}:{first}"
            if block is None:
                found.append(f"{where}: the block has no end")
            elif block == [""]:
                found.append(f"{where}: the block is empty")
            elif not any(holds(source, block) for source in sources):
                found.append(f"{where}: no compiled file has these lines: {block[0].strip()}")
    return found


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = problems(root)
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
