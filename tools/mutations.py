# SPDX-License-Identifier: BSD-3-Clause
"""The small mistakes that tools/mutate.py makes in a C++ source, found by the form that .clang-format gives the text.

    for place in places(text): changed = place.applied(text)

A binary operator has a blank on either side; the sign of a number, the star of a pointer and the brackets of a template
have not. Comments, directives, strings and what is thrown are left alone, and so is what nobody could notice: room that
is made in advance, and whether 0.7, which no computation hits, is itself below a bound of 0.7.
"""
import dataclasses
import re

# What is not code. A raw string comes first: it may hold the signs of all others.
NO_CODE = re.compile(
    r'R"(\w*)\((?:.|\n)*?\)\1"' r"|//[^\n]*" r"|/\*(?:.|\n)*?\*/" r"|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*"
    r'|"(?:[^"\\\n]|\\.)*"' r"|'(?:[^'\\\n]|\\.)+'", re.MULTILINE)
THROWN = re.compile(r"\b(?:throw|static_assert)\b[^;]*;")

SWAPS = {
    "sign": [("+", "-"), ("-", "+"), ("+=", "-="), ("-=", "+=")],
    "factor": [("*", "/"), ("/", "*"), ("*=", "/="), ("/=", "*=")],
    "bound": [("<", "<="), ("<=", "<"), (">", ">="), (">=", ">")],
    "equality": [("==", "!="), ("!=", "==")],
    "logic": [("&&", "||"), ("||", "&&")],
}
MEASURED = re.compile(r"\s+\d*[1-9]\d*\.\d|\s+\d+\.\d*[1-9]|\s+[\d.]+e")  # a result of a computation never equals it
NUMBERS = {"0": "1", "1": "0", "0.0": "1.0", "1.0": "0.0", "0.5": "0.25"}
NUMBER = re.compile(r"(?<![\w.<])(?:0\.5|[01](?:\.0)?)(?![\w.>'])")
PART = re.compile(r"(?<![A-Za-z0-9])(hi|lo)\b")
IF = re.compile(r"\bif \(")
CALLED = r"[A-Za-z_](?:[\w.:]|->|\[[^\]]*\])*"
# An assignment that is no declaration, or a call, on a line of its own.
STATEMENT = re.compile(rf"^[ ]*(?:\*?{CALLED}(?:\([^()]*\))?(?:\[[^;]*\])? [-+*/]?= [^;{{}}]*"
                       rf"|{CALLED}(?:<\w+>)?\([^;{{}}]*\));$", re.MULTILINE)
NOTHING_LOST = re.compile(r"\.(?:reserve|shrink_to_fit)\(|^\s*(?:return|co_return|using|delete|break|continue)\b")
OPEN_END = re.compile(r"[-+*/%=<>&|?:,(!]$")  # the line after it belongs to the same expression


@dataclasses.dataclass(frozen=True, order=True)
class Place:
    """Characters `begin` to `end` become `to`; `kind` names the mistake."""

    begin: int
    end: int
    to: str
    kind: str

    def applied(self, text):
        return text[:self.begin] + self.to + text[self.end:]

    def line(self, text):
        return text.count("\n", 0, self.begin) + 1


def blank(pattern, text):
    """The text with all that the pattern finds made blank; lines and lengths stay."""
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def code(text):
    return blank(THROWN, blank(NO_CODE, text))


def closing(text, at):
    """The place of the parenthesis that closes the one at `at`; -1 without."""
    depth = 0
    for i in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return -1


def swaps(seen):
    for kind, pairs in SWAPS.items():
        for old, new in pairs:
            for found in re.finditer(rf"(?<=\s){re.escape(old)}(?=\s)", seen):
                if not (kind == "bound" and MEASURED.match(seen, found.end())):
                    yield Place(found.start(), found.end(), new, kind)


def numbers(seen):
    for found in NUMBER.finditer(seen):
        yield Place(found.start(), found.end(), NUMBERS[found.group()], "number")


def parts(seen):
    for found in PART.finditer(seen):
        yield Place(found.start(), found.end(), "lo" if found.group() == "hi" else "hi", "part")


def conditions(text, seen):
    for found in IF.finditer(seen):
        begin = found.end() - 1
        end = closing(seen, begin)
        inside = text[begin + 1:end]
        if end > 0 and inside.strip() and ";" not in seen[begin:end]:
            yield Place(begin + 1, end, f"!({inside})", "condition")


def statements(text, seen):
    for found in STATEMENT.finditer(seen):
        line = found.group()
        before = seen[:found.start()].rstrip()
        whole = line.count("(") == line.count(")") and line.count("[") == line.count("]")
        if whole and not NOTHING_LOST.search(line) and not OPEN_END.search(before):
            begin = found.start() + len(line) - len(line.lstrip())
            yield Place(begin, found.end(), ";", "statement")


def places(text):
    """Every mistake that can be made in the text, in its order."""
    seen = code(text)
    return sorted([*swaps(seen), *numbers(seen), *parts(seen), *conditions(text, seen), *statements(text, seen)])
