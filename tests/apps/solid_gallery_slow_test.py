# SPDX-License-Identifier: BSD-3-Clause
"""The solids of the gallery: no bad verdict, momenta to round-off, update counts as the steps predict."""
import json
import unittest

from program import REPOSITORY, ProgramTest

NAMES = sorted(path.stem for path in (REPOSITORY / "gallery").glob("*.toml") if "[solid]" in path.read_text())
WANTED = {"blade", "l_beam", "neo_hookean_block", "slab", "slivers"}
FREE = {"blade", "l_beam", "slivers"}
SHORTER = {"blade": "5e-4", "neo_hookean_block": "2e-3", "l_beam": "2e-3", "slab": "0.05", "slivers": "5e-4"}


class SolidGallery(ProgramTest):
    def test_is_complete_and_names_its_sources(self):
        self.assertEqual(WANTED, set(NAMES))
        for name in NAMES:
            first = (REPOSITORY / f"gallery/{name}.toml").read_text().splitlines()[0]
            self.assertTrue(first.startswith("# "), f"{name}: begins with what it is and where it is from")

    def test_every_run(self):
        for name in NAMES:
            with self.subTest(name):
                s = self.run_json(f"gallery:{name}", "--until", SHORTER[name], "--set", "run.frames=4",
                                  "--set", "run.records=50")
                self.assertEqual(s["status"], "done")
                self.assertTrue(s["variational"])
                status = {v["name"]: v["status"] for v in s["verdicts"]}
                self.assertNotIn("bad", status.values(), s["verdicts"])
                self.assertLess(s["energy"]["max_rel_error"], 0.02)
                if name in FREE:
                    self.assertEqual((status["linear momentum"], status["angular momentum"]), ("good", "good"))
                else:
                    self.assertEqual(status["momentum balance"], "good")
                updates = s["updates"]
                self.assertLessEqual(updates["min"], updates["max"])
                self.assertLess(updates["total"], updates["newmark_equivalent"])
                for file in ("report.html", "summary.json", "solid.pvd", "checkpoint.h5", "trajectory.h5"):
                    self.assertIn(file, self.files(f"out/{name}"))

    def test_slivers_cost_only_themselves(self):
        s = self.run_json("gallery:slivers", "--until", "2e-4", "--set", "output.report=false")
        self.assertGreater(s["updates"]["ratio"], 30)

    def test_numbers_of_the_sources(self):
        # those of the blade and the slab take minutes
        names = ("l_beam", "neo_hookean_block", "slivers")
        results = json.loads(self.assert_done(self.varia("reproduce", *names, "--json")).stdout)
        self.assertEqual(results["failed"], 0, results)
        self.assertEqual({row["name"] for row in results["results"]}, set(names))
        shape = [row for row in results["results"] if row["what"] == "shape.difference"]
        self.assertEqual(len(shape), 1)
        self.assertGreater(shape[0]["found"], 0, "two methods are never the same")


if __name__ == "__main__":
    unittest.main()
