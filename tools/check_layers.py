#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the include graph: no include points to a higher layer, none closes a cycle.

    check_layers.py [ROOT]

A layer is a folder of include/varia (and of src/); LAYERS lists them from the lowest to the highest. A new folder is
added to that list. The umbrella include/varia/varia.hpp stands above all layers; only programs include it.
"""
import re
import sys
from pathlib import Path

LAYERS = ["core", "ad", "expr", "space", "mechanics", "methods", "solve", "flow", "control", "terms", "solids", "verify", "io", "report", "apps"]
GENERATED = {"varia/core/version.hpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


def layer_of(path):
    """The name of the layer of a file given relative to the root; "" for the umbrella."""
    parts = path.parts
    if parts[0] == "apps":
        return "apps"
    inner = parts[2:] if parts[0] == "include" else parts[1:]
    return inner[0] if len(inner) > 1 else ""


def rank(layer):
    return LAYERS.index(layer) if layer in LAYERS else len(LAYERS)


def resolve(root, source, target):
    """The included file relative to the root, or None if the include is not ours."""
    if target.startswith("varia/"):
        return Path("include") / target
    beside = (root / source.parent / target).resolve()
    return beside.relative_to(root) if beside.is_file() and beside.is_relative_to(root) else None


def read_graph(root):
    graph = {}
    for folder in ("include", "src", "apps"):
        for path in sorted((root / folder).rglob("*.[hc]pp")):
            source = path.relative_to(root)
            includes = (resolve(root, source, name) for name in INCLUDE.findall(path.read_text()))
            graph[source] = [include for include in includes if include is not None]
    return graph


def find_cycle(graph):
    """A list of files that include each other in a circle, or None."""
    done, trail = set(), []

    def visit(node):
        if node in trail:
            return trail[trail.index(node):] + [node]
        if node in done:
            return None
        trail.append(node)
        for target in graph.get(node, []):
            cycle = visit(target)
            if cycle:
                return cycle
        trail.pop()
        done.add(node)
        return None

    for node in graph:
        cycle = visit(node)
        if cycle:
            return cycle
    return None


def problems(root):
    root = root.resolve()
    graph = read_graph(root)
    found = []
    for source, targets in graph.items():
        layer = layer_of(source)
        if layer and layer not in LAYERS:
            found.append(f"{source}: folder '{layer}' is not a layer; known, lowest first: {', '.join(LAYERS)}")
        for target in targets:
            if target not in graph and target.relative_to("include").as_posix() not in GENERATED:
                found.append(f"{source}: includes {target}, which does not exist")
            elif rank(layer_of(target)) > rank(layer) and layer != "apps":
                found.append(f"{source}: layer '{layer}' includes {target} of the higher layer "
                             f"'{layer_of(target) or 'umbrella'}'")
    cycle = find_cycle(graph)
    if cycle:
        found.append("include cycle: " + " -> ".join(str(node) for node in cycle))
    return found


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = problems(root)
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
