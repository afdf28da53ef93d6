#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a C++ source with the bytes of a file.

    embed_file.py FILE OUTPUT FUNCTION

FUNCTION is a qualified name such as varia::report::page_template; it becomes a function without arguments that returns
the file as a std::string_view. The bytes stand in string literals, which compile much faster than a list of numbers.
"""
import sys
from pathlib import Path

LITERAL = 4096  # bytes per literal; the compiler joins them
PLAIN = {byte: chr(byte) for byte in range(32, 127)} | {ord("\n"): "\\n", ord('"'): '\\"', ord("\\"): "\\\\"}


def literal(data):
    """A string literal. Other bytes are octal with three digits, so that a digit may follow; "??" is no trigraph."""
    text = "".join(PLAIN.get(byte, f"\\{byte:03o}") for byte in data)
    return '"' + text.replace("??", "?\\?") + '"'


def source(name, data, function):
    *spaces, short = function.split("::")
    space = "::".join(spaces)
    literals = "\n".join("    " + literal(data[k:k + LITERAL]) for k in range(0, max(len(data), 1), LITERAL))
    return (f"// SPDX-License-Identifier: BSD-3-Clause\n// Written by tools/embed_file.py from {name}.\n"
            "#include <string_view>\n\n"
            f"namespace {space} {{\n\nstd::string_view {short}();\n\n"
            f"std::string_view {short}() {{\n  static constexpr char bytes[] =\n{literals};\n"
            f"  return {{bytes, {len(data)}}};\n}}\n\n}}  // namespace {space}\n")


def main():
    if len(sys.argv) != 4 or "::" not in sys.argv[3]:
        sys.exit(__doc__)
    file, output, function = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    output.write_text(source(file.name, file.read_bytes(), function), encoding="ascii")


if __name__ == "__main__":
    main()
