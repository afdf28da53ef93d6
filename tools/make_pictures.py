#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the pictures of the documentation from reports of the gallery, with the built program in headless Chromium.

    make_pictures.py [BUILD] [--only NAME]... [--to FOLDER] [--thumbnails | --no-thumbnails]

BUILD is a build folder (build/release unless given): BUILD/bin/varia runs the scenarios, BUILD/report has the browser driver. Pictures go to
docs/pictures, the small ones of the whole gallery to docs/pictures/gallery, and docs/gallery.md shows those. The environment variable CHROMIUM
names another browser. A picture of more than 200 kB is an error.
"""
import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIMIT = 200_000  # bytes
SMALL = (240, 200)  # pixels of the pictures of the gallery
FIRST = ["scene", "solid", "section", "trajectory", "phase", "energy"]  # what is shown of a page with several plots


def run(scenario, *arguments):
    controlled = "[control]" in (ROOT / "gallery" / f"{scenario}.toml").read_text(encoding="utf-8")
    return ["optimise" if controlled else "run", f"gallery:{scenario}", "--quiet", *arguments]


# name of the file: what varia is asked for, then the picture of its report
PICTURES = {
    "heavy_top.png": (run("heavy_top"), {"plot": "scene", "at": 0.37}),
    "methods.svg": (["compare", "gallery:kepler", "--quiet", "--methods", "verlet, gauss(2), rk4", "--steps", "0.1, 0.05"],
                    {"plot": "energy", "width": 640}),
    "report.png": (run("double_pendulum"), {"width": 1200, "height": 1000, "at": 0.3}),
    "equations.png": (run("spring_pendulum"), {"part": ".equations"}),
    "work.svg": (["compare", "gallery:kepler", "--quiet", "--methods", "verlet, yoshida(4), gauss(2), gauss(3), rk4",
                  "--steps", "0.1, 0.05, 0.025, 0.0125", "--until", "2*pi"], {"plot": "step"}),
    "symmetric_body.png": (run("free_symmetric_body"), {"plot": "scene", "at": 0.37}),
    "carts.svg": (run("coupled_carts"), {"plot": "scene", "at": 0.37}),
    "modes.svg": (run("coupled_carts"), {"plot": "plot-1"}),
    "four_bar.svg": (run("body_four_bar"), {"plot": "scene", "at": 0.4}),
    "section.png": (run("henon_heiles_section"), {"plot": "section"}),
    "orders.svg": (["sweep", "gallery:kepler_orders", "--quiet"], {"plot": "sweep"}),
    "rattleback.png": (run("rattleback"), {"plot": "scene", "at": 0.4}),
    "beam.png": (run("l_beam"), {"plot": "solid", "at": 0.35}),
    "trailers.svg": (run("trailers"), {"plot": "scene", "at": 0.45}),
}


def varia(build, arguments, folder):
    """Runs the program; its report."""
    out = folder / hashlib.sha256(" ".join(arguments).encode()).hexdigest()[:16]
    if not (out / "report.html").is_file():
        subprocess.run([build / "bin" / "varia", *arguments, "--out", out], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return out / "report.html"


def shoot(build, jobs, folder):
    path = folder / "jobs.json"
    path.write_text(json.dumps(jobs))
    subprocess.run(["node", "test/shoot.mjs", path], cwd=build / "report", check=True)
    for job in jobs:
        size = Path(job["out"]).stat().st_size
        print(f"{size:7d}  {job['out']}")
        if not 500 < size < LIMIT:
            sys.exit(f"make_pictures.py: {job['out']} has {size} bytes; at most {LIMIT} are allowed")


def gallery(build):
    done = subprocess.run([build / "bin" / "varia", "list", "gallery", "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def page_of_gallery(scenarios):
    """Three in a row: picture, name, title."""
    cells = [f'<td><a href="../gallery/{s["name"]}.toml"><img src="pictures/gallery/{s["name"]}.webp" width="{SMALL[0]}" '
             f'alt="{s["name"]}"></a><br><code>{s["name"]}</code><br>{s["title"]}</td>' for s in scenarios]
    rows = ["<tr>\n" + "\n".join(cells[k:k + 3]) + "\n</tr>" for k in range(0, len(cells), 3)]
    return ("# The gallery in pictures\n\nEach picture is the scene of a report at one time, or its first plot, and leads to the "
            "scenario. `varia run gallery:NAME` makes the report, in which it moves. Names, methods and sources are in the "
            "[table of the gallery](../gallery/README.md). This page is made by `tools/make_pictures.py`.\n\n<table>\n"
            + "\n".join(rows) + "\n</table>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("--only", action="append", choices=sorted(PICTURES), help="make this picture alone")
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "pictures")
    parser.add_argument("--thumbnails", action=argparse.BooleanOptionalAction, default=None,
                        help="the small pictures of the gallery as well (unless --only is given)")
    options = parser.parse_args()
    build = options.build.resolve()
    to = options.to.resolve()
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="varia-pictures-") as name:
        folder = Path(name)
        jobs = [{"page": str(varia(build, request, folder)), "out": str(to / file), "width": 1200, **picture}
                for file, (request, picture) in PICTURES.items() if not options.only or file in options.only]
        if options.thumbnails if options.thumbnails is not None else not options.only:
            scenarios = gallery(build)
            (to / "gallery").mkdir(exist_ok=True)
            jobs += [{"page": str(varia(build, run(s["name"]), folder)), "out": str(to / "gallery" / f"{s['name']}.webp"),
                      "plot": FIRST, "width": SMALL[0], "height": SMALL[1], "at": 0.37} for s in scenarios]
            (to.parent / "gallery.md").write_text(page_of_gallery(scenarios), encoding="utf-8")
        shoot(build, jobs, folder)


if __name__ == "__main__":
    main()
