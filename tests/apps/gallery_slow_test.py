# SPDX-License-Identifier: BSD-3-Clause
"""Every scenario of the gallery runs and shows what its source says; the printed numbers are reproduced."""
import json
import unittest

from program import REPOSITORY, ProgramTest

ALL = {path.stem: path.read_text() for path in (REPOSITORY / "gallery").glob("*.toml")}
# Solids have tests of their own: solid_gallery_slow_test.py.
NAMES = sorted(name for name, text in ALL.items() if "[solid]" not in text and "[control]" not in text)
CONTROLLED = sorted(name for name, text in ALL.items() if "[control]" in text)
WITH_NUMBERS = [name for name in NAMES + CONTROLLED if "[reproduce]" in ALL[name]]
# What the gallery has to hold.
WANTED = {"binary_asteroid", "caldirola_kanai", "chaotic_nonholonomic", "cvt", "double_pendulum",
          "double_spherical_pendulum", "double_well", "double_well_damped", "fermi_pasta_ulam",
          "foucault_pendulum", "four_bar", "free_particle", "heavy_top_bruels", "heavy_top_bruels_se3",
          "heavy_top_se3", "henon_heiles", "kepler", "lattice_heat", "magnetic", "nonholonomic_particle",
          "outer_solar_system", "pendulum", "plane_body", "rattleback", "relaxed_rigid_body", "rigid_chain",
          "rigid_chain_50", "rotating_hoop", "satellite_rotors", "snakeboard", "spherical_pendulum",
          "spherical_pendulum_s2", "spin_damping", "spring_pendulum", "tilted_turntable", "toda", "trailers",
          "turntable", "unicycle", "van_der_pol"}
# Reactions act along momenta; a turning table does work.
ROLLING = {"both_constraints", "chaotic_nonholonomic", "chaplygin_sleigh", "cvt", "free_particle", "knife_edge",
           "nonholonomic_particle", "rattleback", "rolling_disk", "snakeboard", "suslov", "tilted_turntable", "trailers",
           "turntable", "unicycle"}
TURNING = {"tilted_turntable", "turntable"}
FORCED = {"damped_modes", "double_well_damped", "drag_balance", "dry_friction", "relaxed_rigid_body", "spin_damping", "van_der_pol"}
TIME_DEPENDENT = {"caldirola_kanai", "satellite_rotors", "wind"}
DRIVEN = {"driven_pendulum", "rotating_hoop", "snakeboard"}  # by constraints: the energy is balanced with their work


class Gallery(ProgramTest):
    def test_is_complete_and_names_its_sources(self):
        self.assertLessEqual(WANTED, set(NAMES))
        for name in NAMES:
            first = (REPOSITORY / f"gallery/{name}.toml").read_text().splitlines()[0]
            self.assertTrue(first.startswith("# "), f"{name}: begins with what it is and where it is from")

    def test_every_default_run(self):
        for name in NAMES:
            with self.subTest(name):
                s = self.run_json(f"gallery:{name}")
                self.assertEqual(s["status"], "done")
                self.assertEqual(self.files(f"out/{name}"),
                                 ["checkpoint.h5", "report.html", "summary.json", "trajectory.h5"])
                status = {v["name"]: v["status"] for v in s["verdicts"]}
                self.assertNotIn("bad", status.values(), s["verdicts"])
                self.assertTrue(s["variational"])
                self.assertEqual(s["structure"]["time_independent"], name not in TIME_DEPENDENT | DRIVEN)
                if name in ROLLING:
                    self.assertEqual(status["energy"], "note" if name in TURNING else "good", s["verdicts"])
                    self.assertEqual((status["constraints"], status["multipliers"]), ("good", "good"))
                elif name in FORCED | TIME_DEPENDENT:
                    self.assertEqual(status["energy"], "note")
                elif s["method"].startswith("newmark"):  # it keeps another momentum, and the note says so
                    self.assertEqual(status["energy"], "good", s["verdicts"])
                    self.assertEqual({status[m] for m in s["momenta"]}, {"note"})
                else:
                    self.assertEqual(status["energy"], "good", s["verdicts"])
                    for momentum, figures in s["momenta"].items():
                        self.assertEqual(status[momentum], "good")
                        self.assertLessEqual(figures["max_abs_error"], 1e-11*max(1.0, abs(figures["initial"])),
                                             momentum)

    def test_every_optimum(self):
        self.assertLessEqual({"body_turn", "brachistochrone", "bryson_denham", "cart_pole", "controlled_particle",
                              "double_pendulum_swing_up", "falling_cat", "goddard", "orbit_raising", "parking", "point_mass"}, set(CONTROLLED))
        for name in CONTROLLED:
            with self.subTest(name):
                s = json.loads(self.assert_done(self.varia("optimise", f"gallery:{name}", "--json")).stdout)
                self.assertEqual((s["status"], s["optimum"]["status"]), ("done", "solved"))
                self.assertLessEqual(s["optimum"]["kkt_error"], 1e-10)
                self.assertNotIn("bad", {v["status"] for v in s["verdicts"]}, s["verdicts"])
                self.assertEqual(self.files(f"out/{name}"), ["checkpoint.h5", "report.html", "summary.json", "trajectory.h5"])

    def test_declared_symmetries_are_watched(self):
        wanted = {"kepler": ["rotation"], "heavy_top": ["vertical", "body_axis"],
                  "heavy_top_se3": ["vertical", "body_axis"], "rigid_chain": ["vertical", "spin_of_last"],
                  "kirchhoff_body": ["impulse_x", "moment_z", "g_s1", "g_s2", "g_s5", "g_s6", "g_casimir1", "g_casimir2"], "toda": ["translation"],
                  "heavy_top_bruels": ["vertical", "body_axis"], "heavy_top_bruels_se3": ["vertical", "body_axis"],
                  "rigid_chain_50": ["vertical", "spin_of_last"], "double_spherical_pendulum": ["rotation"],
                  "binary_asteroid": ["along_x", "along_y", "along_z", "about_x", "about_y", "about_z"],
                  "magnetic": ["rotation", "z_p"], "spherical_pendulum": ["rotation"],
                  "outer_solar_system": ["along_x", "along_y", "along_z", "about_z", "about_x", "about_y"]}
        for name, momenta in wanted.items():
            s = self.run_json(f"gallery:{name}", "--set", "output.report=false")
            self.assertEqual(list(s["momenta"]), momenta)

    def test_rolling_scenarios_pass_their_check(self):
        for name in sorted(ROLLING):
            with self.subTest(name):
                found = json.loads(self.assert_done(self.varia("check", f"gallery:{name}", "--json")).stdout)
                self.assertEqual((found["verdict"], found["failures"]), ("pass", []))
                self.assertIsNone(found["symplecticity"], "it is not claimed")
                self.assertLess(max(found["balance"].values(), default=0.0), 1e-12)
        self.assertEqual(sorted(json.loads(self.varia("check", "gallery:chaplygin_sleigh", "--json").stdout)["balance"]),
                         ["x_p", "y_p"])

    def test_rk4_decays_where_the_variational_method_does_not(self):
        for name in ("double_well", "kepler", "pendulum"):
            with self.subTest(name):
                extra = ("--step", "0.4") if name == "pendulum" else ()
                s = self.run_json(f"gallery:{name}", "--method", "rk4", "--set", "output.report=false", *extra)
                self.assertLess(s["energy"]["drift_per_time"], 0)
                self.assertLess(s["energy"]["final"], s["energy"]["initial"])
                self.assertEqual({v["name"]: v["status"] for v in s["verdicts"]}["energy"], "bad")

    def test_damped_energy_falls_all_the_way(self):
        s = self.run_json("gallery:double_well_damped", "--set", "output.report=false")
        self.assertLess(s["energy"]["final"], 0.1*s["energy"]["initial"])

    def test_toda_integral(self):
        s = self.run_json("gallery:toda", "--set", "output.report=false")
        third = s["observe"]["third_integral"]
        self.assertLess(third["range"], 1e-3*abs(third["initial"]), "an integral of the lattice")

    def test_fermi_pasta_ulam_recurs(self):
        s = self.run_json("gallery:fermi_pasta_ulam", "--set", "output.report=false", "--until", "9560")
        mode = s["observe"]["mode_1"]
        self.assertLess(mode["min"], 0.1*mode["initial"], "the energy leaves the first mode")
        self.assertGreater(mode["final"], 0.97*mode["initial"], "and comes back")

    def test_heavy_top_on_either_space(self):
        """As a body on SE(3) held at its tip and as a rotation about it, the top moves alike."""
        end = {}
        for name, method in (("heavy_top", "gauss(5)"), ("heavy_top_se3", "lobatto(6)")):
            s = self.run_json(f"gallery:{name}", "--method", method, "--until", "5", "--set", "output.report=false")
            end[name] = list(s["final"]["q"].values())[:9] + list(s["final"]["v"].values())[:3]
        for turned, moved in zip(end["heavy_top"], end["heavy_top_se3"]):
            self.assertAlmostEqual(turned, moved, delta=1e-10)

    def test_diagnoses(self):
        s = self.run_json("gallery:double_pendulum_chaos", "--set", "output.report=false")
        self.assertGreater(s["diagnose"]["lyapunov"]["exponent"], 10*s["diagnose"]["lyapunov"]["error"])
        s = self.run_json("gallery:rotating_hoop", "--set", "output.report=false")
        self.assertEqual(list(s["diagnose"]["sensitivity"]), ["w"])

    def test_published_numbers(self):
        done = self.assert_done(self.varia("reproduce", *WITH_NUMBERS, "--json"))
        found = json.loads(done.stdout)
        self.assertEqual([row for row in found["results"] if row["verdict"] != "pass"], [])
        self.assertEqual(found["failed"], 0)
        count = {}
        for row in found["results"]:
            count[row["name"]] = count.get(row["name"], 0) + 1
        self.assertEqual(count["lattice_heat"], 37)
        for name, least in {"double_well": 4, "double_well_damped": 7, "pendulum": 6, "van_der_pol": 5,
                            "kepler": 5}.items():
            self.assertGreaterEqual(count[name], least, name)


if __name__ == "__main__":
    unittest.main()
