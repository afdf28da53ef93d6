# SPDX-License-Identifier: BSD-3-Clause
"""More bodies in the browser: quadratic elements, and the same body at sizes from a micrometre to a kilometre."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import solid_samples  # noqa: E402
from solid_page_test import try_pages  # noqa: E402


def pages():
    result = {"data_six": solid_samples.samples()["six"]}
    for size in (1.0, 1e-6, 1e3):
        for kind, make in (("beam", solid_samples.twisting_beam), ("block", solid_samples.stretching_block)):
            solid = make(size=size, frames=5)
            result[f"scale_{kind}_{size:g}"] = solid_samples.page(kind, kind, solid, [frame["t"] for frame in solid["frames"]])
    return result


class Browser(unittest.TestCase):
    def test_bodies_do_what_a_reader_expects(self):
        try_pages(self, pages(), 60)


if __name__ == "__main__":
    unittest.main()
