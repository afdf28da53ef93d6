# SPDX-License-Identifier: BSD-3-Clause
"""Example bodies for the report page, with motions given by formulas: a beam in space that twists, a block in the plane
that stretches, and shapes that the page must survive."""
import base64
import math
from array import array
from itertools import permutations, product


def packed(kind, values):
    """base64 of 32-bit numbers; the machines of the tests store the least byte first, as the page reads them."""
    return base64.b64encode(array(kind, values).tobytes()).decode()


def integers(values):
    return packed("i", [v for row in values for v in row])


def edges_of(triangles):
    return sorted({tuple(sorted((t[i], t[j]))) for t in triangles for i, j in ((0, 1), (1, 2), (2, 0))})


def page(name, title, solid, frames_t, columns=()):
    t = [frames_t[0] + (frames_t[-1] - frames_t[0]) * k / 400 for k in range(401)]
    errors = [("energy error", "energy_error", lambda s: 4e-6 * math.sin(40 * s) * math.sin(3 * s) ** 2),
              ("momentum x", "momentum_error", lambda s: 1e-16 * math.sin(300 * s)),
              ("kinetic", "observe", lambda s: 12 * math.sin(6.28 * s) ** 2),
              ("elastic", "observe", lambda s: 12 * math.cos(6.28 * s) ** 2), *columns]
    span = (frames_t[-1] - frames_t[0]) or 1.0
    return {
        "varia": "0.3.0", "kind": "run", "title": title, "name": name, "scenario": f'title = "{title}"\n[run]\nmethod = "avi"\n',
        "summary": {"method": "avi", "t_end": frames_t[-1], "status": "done", "energy": {"initial": 12.0}},
        "verdicts": [{"name": "Energy", "status": "good", "value": "4.0e-6", "text": "The energy error stays bounded."}],
        "facts": [["Method", "asynchronous"], ["Material", "neo-Hookean"]],
        "t": t, "columns": [{"name": n, "kind": kind, "unit": "", "values": [f((s - t[0]) / span) for s in t]} for n, kind, f in errors],
        "paths": [], "phase": [], "solid": solid,
    }


def body(dimension, places, triangles, element, updates, times, motion, stress, **more):
    """A solid; motion(X, t) gives a place, stress(triangle's middle X, t) a number; speeds by differences."""
    small = 1e-5 * ((times[-1] - times[0]) or 1.0)
    frames = []
    for t in times:
        x = [motion(X, t) for X in places]
        after, before = ([motion(X, t + d) for X in places] for d in (small, -small))
        middle = [[sum(places[n][k] for n in nodes) / 3 for k in range(3)] for nodes in triangles]
        frames.append({
            "t": t, "x": packed("f", [v for p in x for v in p]), "stress": packed("f", [stress(X, t) for X in middle]),
            "speed": packed("f", [math.dist(a, b) / (2 * small) for a, b in zip(after, before)]),
        })
    return {
        "dimension": dimension, "nodes": len(places), "triangles": integers(triangles), "edges": integers(edges_of(triangles)),
        "element": packed("i", element), "updates": packed("f", updates), "frames": frames, "units": {"stress": "Pa", "speed": "m/s"}, **more,
    }


def twisting_beam(size=1.0, frames=41, cells=(24, 5, 5), axis=0):
    """A beam of length 1 (times size) of tetrahedra, held at one end; the other end turns and bends."""
    nx, ny, nz = cells
    number = lambda i, j, k: (i * (ny + 1) + j) * (nz + 1) + k
    faces = {}  # nodes of a face: element and order of its nodes
    tetrahedra = 0
    for i, j, k in product(range(nx), range(ny), range(nz)):
        for order in permutations(range(3)):  # six tetrahedra along the diagonal of a cell
            corner, path = [i, j, k], [number(i, j, k)]
            for direction in order:
                corner[direction] += 1
                path.append(number(*corner))
            tetrahedra += 1
            for out in range(4):
                face = [n for m, n in enumerate(path) if m != out]
                faces.setdefault(tuple(sorted(face)), []).append(tetrahedra)
    surface = sorted((key, owner[0]) for key, owner in faces.items() if len(owner) == 1)
    used = sorted({n for key, _ in surface for n in key})
    new = {n: m for m, n in enumerate(used)}
    cell = lambda n: (n // ((ny + 1) * (nz + 1)), n // (nz + 1) % (ny + 1), n % (nz + 1))
    graded = lambda s: s ** 1.5  # small elements at the clamp
    places = [(size * graded(i / nx), size * 0.2 * (j / ny - 0.5), size * 0.2 * (k / nz - 0.5)) for i, j, k in map(cell, used)]
    triangles = [tuple(new[n] for n in key) for key, _ in surface]

    def motion(X, t):
        s = X[0] / size
        angle = 1.9 * math.sin(2 * math.pi * t) * s
        c, d = math.cos(angle), math.sin(angle)
        lift = 0.22 * size * math.sin(math.pi * t) * s * s
        x = (X[0] * (1 - 0.04 * s * math.sin(math.pi * t) ** 2), c * X[1] - d * X[2], d * X[1] + c * X[2] + lift)
        return x[-axis:] + x[:-axis] if axis else x

    def stress(X, t):
        return 2.6e10 * abs(1.9 * math.sin(2 * math.pi * t)) * math.hypot(X[1], X[2]) / size + 3e9 * abs(math.sin(math.pi * t)) * (1 - X[0] / size) * abs(X[2]) / size * 10

    updates = [round(220 / max(0.004, graded(max(1, places[t[0]][0] / size * nx) / nx)) ** 0.8) for t in triangles]
    times = [0.8 * k / (frames - 1) for k in range(frames)]
    element = [owner for _, owner in surface]
    at_surface = dict(zip(element, updates))
    everywhere = [at_surface.get(k, 2 * max(updates)) for k in range(1, tetrahedra + 1)]  # those inside have small steps
    return body(3, places, triangles, element, updates, times, motion, stress, all_updates=packed("f", everywhere))


def stretching_block(size=1.0, frames=31, cells=(16, 10), quadratic=False):
    """A block in the plane, finer towards one corner, that is stretched and sheared; quadratic triangles are cut into four."""
    nx, ny = cells
    fine = 2 if quadratic else 1
    graded = lambda s: s ** 1.6
    mx, my = nx * fine, ny * fine
    number = lambda i, j: i * (my + 1) + j
    def along(k, n):  # the nodes on the sides of a quadratic element lie in the middle
        low, high = graded(k // fine / n), graded((k // fine + 1) / n)
        return low + (high - low) * (k % fine) / fine
    places = [(size * 1.3 * along(i, nx), size * along(j, ny), 0.0) for i, j in product(range(mx + 1), range(my + 1))]
    triangles, element, lines = [], [], []
    count = 0
    for i, j in product(range(0, mx, fine), range(0, my, fine)):
        f = fine
        for corners in (((i, j), (i + f, j), (i + f, j + f)), ((i, j), (i + f, j + f), (i, j + f))):
            count += 1
            a, b, c = corners
            half = lambda p, q: ((p[0] + q[0]) // 2, (p[1] + q[1]) // 2)
            if quadratic:
                ab, bc, ca = half(a, b), half(b, c), half(c, a)
                parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
                lines += [(a, ab), (ab, b), (b, bc), (bc, c), (c, ca), (ca, a)]
            else:
                parts = [corners]
            for part in parts:
                triangles.append(tuple(number(*p) for p in part))
                element.append(count)

    def motion(X, t):
        a = 0.45 * math.sin(2 * math.pi * t) ** 2
        y = X[1] / size
        return (X[0] * (1 + a) + 0.25 * size * math.sin(2 * math.pi * t) * y * y, X[1] / (1 + 0.6 * a) + 0.05 * size * a * math.sin(3 * X[0] / size), 0.0)

    def stress(X, t):
        return 2e6 * abs(math.sin(2 * math.pi * t)) * (0.2 + 1.6 * X[1] / size + 0.4 * math.sin(4 * X[0] / size) ** 2)

    sides = {}  # of each element: the longer one of its first triangle
    for number_, t in zip(element, triangles):
        sides.setdefault(number_, max(math.dist(places[t[0]], places[t[1]]), math.dist(places[t[1]], places[t[2]])))
    updates = [round(90 * size / sides[number_]) for number_ in element]
    solid = body(2, places, triangles, element, updates, [k / (frames - 1) for k in range(frames)], motion, stress)
    if quadratic:
        solid["edges"] = integers(sorted({tuple(sorted((number(*a), number(*b)))) for a, b in lines}))
        solid["note"] = "Quadratic elements: every one is drawn as four triangles."
    return solid


def odd_solids():
    """Shapes that must not break the page, and a word that the panel must then show (None: it draws)."""
    block = stretching_block(frames=3, cells=(2, 2))
    one = {"dimension": 2, "nodes": 3, "triangles": packed("i", [0, 1, 2]), "edges": "", "frames": [{"t": 0, "x": packed("f", [0, 0, 0, 1, 0, 0, 0, 1, 0])}]}
    lost = {**block, "frames": [*block["frames"], {**block["frames"][1], "t": 9.0, "x": packed("f", [math.nan] * 27)}]}
    still = {**block, "frames": [{**f, "x": block["frames"][0]["x"], "stress": packed("f", [0] * 8), "speed": packed("f", [0] * 9)} for f in block["frames"]]}
    large = stretching_block()
    spike = {**large["frames"][-1], "stress": packed("f", [5e9] * 3 + [1e6] * 317)}
    return {
        "one_triangle": (one, None), "still": (still, None), "lost_frame": (lost, None),
        "same_counts": ({**block, "updates": packed("f", [700] * 8)}, None), "some_never": ({**block, "updates": packed("f", [0, 1, 10, 100, 0, 1, 10, 100])}, None),
        "never": ({**block, "updates": packed("f", [0] * 8)}, None),
        "spike": ({**large, "frames": [*large["frames"][:-1], spike]}, "Few values lie above the colour bar, up to 5.0"),
        "no_frames": ({**block, "frames": []}, "no frames"), "empty": ({}, "number of nodes"), "text": ("mesh", "number of nodes"),
        "wrong_node": ({**block, "triangles": packed("i", [0, 1, 99] * 8)}, "the node 99; there are 9"),
        "short": ({**block, "frames": [{**block["frames"][0], "x": packed("f", [0.0])}]}, "1 numbers instead of 27"),
        "no_base64": ({**block, "edges": "%%%"}, "edges is not base64"),
        "back_in_time": ({**block, "frames": block["frames"][::-1]}, "before that of frame 1"),
    }


def samples():
    times = lambda solid: [frame["t"] for frame in solid["frames"]]
    beam, block, six = twisting_beam(), stretching_block(), stretching_block(quadratic=True, cells=(8, 5))
    return {name: page(name, title, solid, times(solid)) for name, title, solid in (
        ("beam", "Twisting beam", beam), ("block", "Stretching block", block), ("six", "Block of quadratic elements", six))}
