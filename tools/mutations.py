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
CONSTANTS = {"0": "1", "1": "0", "0.0": "1.0", "1.0": "0.0", "0.5": "0.25", "true": "false", "false": "true",
             **{f"{n}{point}": f"{n + 1}{point}" for n in (2, 3, 4) for point in ("", ".0")}}
CONSTANT = re.compile(r"(?<![\w.<])(?:0\.5|[0-4](?:\.0)?|true|false)(?![\w.>'])")
TEMPLATE = re.compile(r"(?<=\w)<[\w:, ]*>")
UNARY = re.compile(r"(?:(?<=[(\[{])|(?<=[=,?:*/] )|(?<=\breturn ))-(?=[A-Za-z_(])")
INDEX = re.compile(r"(?<=\[)([a-z]\d?)( [-+] 1)?(?=\])")
PART = re.compile(r"(?<![A-Za-z0-9])(hi|lo)\b")
IF = re.compile(r"\bif \(")
CALLED = r"[A-Za-z_](?:[\w.:]|->|\[[^\]]*\])*"
# An assignment that is no declaration, or a call, on a line of its own.
STATEMENT = re.compile(rf"^[ ]*(?:\*?{CALLED}(?:\([^()]*\))?(?:\[[^;]*\])? [-+*/]?= [^;{{}}]*"
                       rf"|{CALLED}(?:<\w+>)?\([^;{{}}]*\));$", re.MULTILINE)
NOTHING_LOST = re.compile(r"\.(?:reserve|shrink_to_fit)\(|^\s*(?:return|co_return|using|delete|break|continue)\b")
CALL = re.compile(r"\b(\w+)\(")
ARGUMENT = re.compile(r"\w[\w.:]*(?:\[\w*\]|\(\w*\))?$")
EITHER_WAY = {"min", "max", "hypot", "dot", "swap", "if", "for", "while", "switch", "catch", "sizeof", "decltype"}
VOID = re.compile(r"^( *)(?:static |inline )*void [\w:]+\((?:[^;{}]*\n)*?[^;{}]* \{$", re.MULTILINE)
LOOP = re.compile(r"^( *)(?:for|while) (?=\()", re.MULTILINE)
OPEN_END = re.compile(r"[-+*/%=<>&|?:,(!]$")  # the line after it belongs to the same expression


@dataclasses.dataclass(frozen=True, order=True)
class Place:
    """Characters `begin` to `end` become `to`; `kind` names the mistake. Where the line of the change says nothing, `head` is
    a place in the line that does."""

    begin: int
    end: int
    to: str
    kind: str
    head: int = -1

    def applied(self, text):
        return text[:self.begin] + self.to + text[self.end:]

    def line(self, text):
        return text.count("\n", 0, self.begin if self.head < 0 else self.head) + 1

    def shown(self, text):
        """The line with the mistake, before and after."""
        at = self.line(text) - 1
        before = text.splitlines()[at].strip()
        after = self.applied(text).splitlines()[at].strip()
        return before, after if self.head < 0 else f"{before} ... {self.to}"


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


def joins_text(text, at, end):
    return text[:at].rstrip().endswith('"') or text[end:].lstrip().startswith('"')


def swaps(text, seen):
    for kind, pairs in SWAPS.items():
        for old, new in pairs:
            for found in re.finditer(rf"(?<=\s){re.escape(old)}(?=\s)", seen):
                if kind == "bound" and MEASURED.match(seen, found.end()):
                    continue
                if not (kind == "sign" and joins_text(text, found.start(), found.end())):
                    yield Place(found.start(), found.end(), new, kind)


def signs(seen):
    """-x becomes x."""
    for found in UNARY.finditer(seen):
        yield Place(found.start(), found.end(), "", "sign")


def constants(seen):
    for found in CONSTANT.finditer(blank(TEMPLATE, seen)):
        yield Place(found.start(), found.end(), CONSTANTS[found.group()], "constant")


def indices(seen):
    """x[i] becomes x[0], and x[i + 1] becomes x[i]: never outside."""
    for found in INDEX.finditer(seen):
        yield Place(found.start(), found.end(), found.group(1) if found.group(2) else "0", "index")


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


def separate(seen, begin, end):
    """The parts of seen[begin:end] between commas that are not in brackets: their places, without blanks."""
    depth, at = 0, begin
    for i in range(begin, end + 1):
        if i == end or (seen[i] == "," and depth == 0):
            part = seen[at:i]
            yield at + len(part) - len(part.lstrip()), at + len(part.rstrip())
            at = i + 1
        else:
            depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(seen[i], 0)


def exchanges(seen):
    """f(a, b) becomes f(b, a). A parameter has a type and a name, and is no argument."""
    for found in CALL.finditer(seen):
        end = closing(seen, found.end() - 1)
        if end < 0 or found.group(1) in EITHER_WAY:
            continue
        arguments = list(separate(seen, found.end(), end))
        for (a, b), (c, d) in zip(arguments, arguments[1:]):
            first, second = seen[a:b], seen[c:d]
            if first != second and ARGUMENT.match(first) and ARGUMENT.match(second):
                yield Place(a, d, second + seen[b:c] + first, "exchange")


def block_end(seen, found):
    """The place of the brace that closes the block after `found`: it stands as far to the left as the first line."""
    end = re.compile(rf"^{found.group(1)}}}", re.MULTILINE).search(seen, found.end())
    return end.end() - 1 if end else -1


def leavings(text, seen):
    """A loop has one pass; a function without a result ends before a statement; what should go on with the next does not."""
    for found in LOOP.finditer(seen):
        end = block_end(seen, found)
        if seen.startswith(" {\n", closing(seen, found.end()) + 1) and end > 0:
            yield Place(end, end + 1, "break; }", "leaving", found.start())
    inside = [(found.end(), block_end(seen, found)) for found in VOID.finditer(seen)]
    for statement in statements(text, seen):
        if any(begin < statement.begin < end for begin, end in inside):
            yield Place(statement.begin, statement.begin, "return; ", "leaving")
    for found in re.finditer(r"\bcontinue;", seen):
        yield Place(found.start(), found.end(), "break;", "leaving")


def places(text):
    """Every mistake that can be made in the text, in its order."""
    seen = code(text)
    return sorted([*swaps(text, seen), *signs(seen), *constants(seen), *indices(seen), *parts(seen), *conditions(text, seen),
                   *statements(text, seen), *exchanges(seen), *leavings(text, seen)])
