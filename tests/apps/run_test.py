# SPDX-License-Identifier: BSD-3-Clause
"""varia run: files, summary, options."""
import json
import math
import subprocess
import unittest

from program import BEAD, KEPLER, PENDULUM, PROGRAM, VERSION, ProgramTest, read_csv, read_h5

NUMBER = (int, float)

# The stable keys of a summary, in order, with their types; a dict describes an object.
SUMMARY = {
    "varia": str, "scenario": str, "method": str, "order": int, "step": NUMBER, "steps": int,
    "t_end": NUMBER, "wall_seconds": NUMBER, "steps_per_second": NUMBER,
    "structure": {"separable": bool, "explicit": bool, "time_independent": bool, "cyclic": list},
    "final": {"t": NUMBER, "q": dict, "v": dict, "p": dict, "lambda": list},
    "energy": {"initial": NUMBER, "final": NUMBER, "max_abs_error": NUMBER, "max_rel_error": NUMBER,
               "drift_per_time": NUMBER},
    "momenta": dict, "observe": dict,
    "constraints": {"max_position": NUMBER, "max_velocity": NUMBER, "relative_position": NUMBER,
                    "relative_velocity": NUMBER},
    "newton": {"mean_iterations": NUMBER, "max_iterations": int, "failures": int, "retried": int,
               "iterated": int},
    "status": str, "message": str,
}


OSCILLATOR = """title = "Oscillator"
[system]
coordinates = ["x"]
lagrangian = "x_dot^2/2 - x^2/2"
[system.observe]
place = "x"
[start]
x = 1
x_dot = 0
[run]
method = "verlet"
step = 0.5
steps = 3
[output]
report = false
"""


class Files(ProgramTest):
    def test_an_observed_function_without_a_value(self):
        """sqrt(x) is missing where x < 0; the run goes on."""
        self.write("osc.toml", OSCILLATOR.replace('place = "x"', 'place = "x"\nroot = "sqrt(x)"'))
        options = ("--set", 'output.formats=["csv", "json", "h5"]', "--set", "output.report=true")
        s = self.run_json("osc.toml", "--set", "run.steps=6", *options)
        self.assertEqual((s["status"], s["records"], s["message"]), ("done", 7, "Not finite: observe.root.final."))
        lines = (self.folder / "out/osc/trajectory.csv").read_text().splitlines()
        names = lines[0].split(",")
        rows = [line.split(",") for line in lines[1:]]
        x = [float(row[names.index("x")]) for row in rows]
        root = [row[names.index("root")] for row in rows]
        missing = [i for i, value in enumerate(x) if value < 0]
        self.assertTrue(missing)
        self.assertEqual([i for i, value in enumerate(root) if value == ""], missing)
        known = [float(value) for value in root if value]
        self.assertEqual(known, [math.sqrt(value) for value in x if value >= 0])
        observed = s["observe"]["root"]
        self.assertEqual((observed["min"], observed["max"], observed["final"]), (min(known), max(known), None))
        self.assertAlmostEqual(observed["mean"], sum(a + b for a, b in zip(known, known[1:]))/2/(len(known) - 1),
                               places=14)
        warning = next(text for text in s["warnings"] if "observe.root" in text)
        self.assertIn(f"{len(missing)} of 7 records, first at t = {missing[0]*0.5:g}", warning)
        records = json.loads((self.folder / "out/osc/trajectory.json").read_text())["records"]
        self.assertEqual([i for i, row in enumerate(records) if row[names.index("root")] is None], missing)
        two = self.run_json("osc.toml", "--set", "run.steps=9", *options, "--restart", "out/osc/checkpoint.h5")
        restarted = (self.folder / "out/osc/trajectory.csv").read_bytes()
        one = self.run_json("osc.toml", "--set", "run.steps=9", *options)
        self.assertEqual((self.folder / "out/osc/trajectory.csv").read_bytes(), restarted)
        self.assertEqual((one["warnings"], one["observe"]), (two["warnings"], two["observe"]))
        found, = read_h5(self.folder / "out/osc/trajectory.h5")
        self.assertTrue(math.isnan(found["observe/root"]["values"][missing[0]]))

    def test_a_name_of_dots(self):
        """out/.. would be the folder of the scenario itself."""
        for name in ("...toml", "..toml", "....toml"):
            with self.subTest(name):
                self.write(name, OSCILLATOR)
                before = self.files(".")
                s = self.run_json(name)
                self.assertEqual(s["scenario"], "scenario")
                self.assertEqual(s["files"]["summary.json"], "out/scenario/summary.json")
                self.assertEqual(set(self.files(".")) - set(before) - {"out"}, set())

    def test_figures_are_over_all_records(self):
        """The last record counts, also when the number of steps is not a multiple of every."""
        self.write("osc.toml", OSCILLATOR)
        s = self.run_json("osc.toml", "--every", "2", "--set", 'output.formats=["csv"]')
        names, rows = read_csv(self.folder / "out/osc/trajectory.csv")
        energies = [row[names.index("energy")] for row in rows]
        self.assertEqual(len(rows), 3)
        self.assertEqual(s["records"], 3)
        self.assertEqual(s["energy"]["final"], energies[-1])
        self.assertEqual(s["energy"]["max_abs_error"], max(abs(e - energies[0]) for e in energies))
        self.assertEqual(s["energy"]["min"], min(energies))
        x = [row[names.index("x")] for row in rows]
        t = [row[0] for row in rows]
        mean = sum((a + b)*(end - begin)/2 for a, b, begin, end in zip(x, x[1:], t, t[1:]))/t[-1]
        self.assertAlmostEqual(s["observe"]["place"]["mean"], mean, places=14)
        self.assertEqual(s["observe"]["place"]["min"], min(x))

    def test_exactly_the_files_asked_for(self):
        self.write("kepler.toml", KEPLER)
        always = ["checkpoint.h5", "summary.json"]
        cases = {'["h5"]': ["trajectory.h5"], '["csv"]': ["trajectory.csv"],
                 '["json"]': ["trajectory.json"], "[]": [],
                 '["h5", "csv", "json"]': ["trajectory.csv", "trajectory.h5", "trajectory.json"]}
        for number, (formats, files) in enumerate(cases.items()):
            with self.subTest(formats=formats):
                summary = self.run_json("kepler.toml", "--out", f"o{number}", "--set", f"output.formats={formats}")
                self.assertEqual(self.files(f"o{number}"), sorted(always + files))
                self.assertEqual(sorted(summary["files"]), sorted(always + files))
                for name, path in summary["files"].items():
                    self.assertEqual(path, f"o{number}/{name}")

    def test_default_is_h5_with_report_below_out(self):
        self.write("kepler.toml", KEPLER.replace("[output]\nreport = false\n", ""))
        self.assert_done(self.varia("run", "kepler.toml"))
        self.assertEqual(self.files("out/kepler"),
                         ["checkpoint.h5", "report.html", "summary.json", "trajectory.h5"])
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["kepler.toml", "out"])
        report = (self.folder / "out/kepler/report.html").read_text()
        self.assertTrue(report.lower().startswith("<!doctype html>"))
        self.assertTrue(report.rstrip().endswith("</html>"))

    def test_files_of_an_earlier_run_are_replaced(self):
        self.write("kepler.toml", KEPLER)
        for until in ("4", "2"):
            self.run_json("kepler.toml", "--until", until, "--out", "o", "--set", 'output.formats=["csv"]')
        _, rows = read_csv(self.folder / "o/trajectory.csv")
        self.assertEqual(len(rows), 41)
        self.assertEqual(self.summary("o")["steps"], 40)


class Summary(ProgramTest):
    def assert_shape(self, found, shape, path=""):
        for key, kind in shape.items():
            self.assertIn(key, found, path)
            if isinstance(kind, dict):
                self.assert_shape(found[key], kind, f"{path}{key}.")
            else:
                self.assertIsInstance(found[key], kind, path + key)
                if kind in (NUMBER, int):
                    self.assertNotIsInstance(found[key], bool, path + key)

    def test_keys_and_types(self):
        self.write("kepler.toml", KEPLER)
        self.write("bead.toml", BEAD)
        for name in ("kepler", "bead"):
            summary = self.run_json(f"{name}.toml")
            self.assert_shape(summary, SUMMARY)
            self.assertEqual(list(summary)[:len(SUMMARY)], list(SUMMARY), "in this order")
            self.assertEqual((summary["varia"], summary["scenario"], summary["status"], summary["message"]),
                             (VERSION, name, "done", ""))

    def test_numbers_of_kepler(self):
        self.write("kepler.toml", KEPLER)
        s = self.run_json("kepler.toml")
        self.assertEqual((s["method"], s["order"], s["step"], s["steps"]), ("verlet", 2, 0.05, 200))
        self.assertAlmostEqual(s["t_end"], 10.0, places=12)
        self.assertEqual(s["final"]["t"], s["t_end"])
        self.assertEqual(s["structure"], {"separable": True, "explicit": True, "time_independent": True, "cyclic": []})
        self.assertEqual([list(s["final"][k]) for k in "qvp"], [["x", "y"], ["x_dot", "y_dot"], ["x_p", "y_p"]])
        self.assertEqual(s["final"]["lambda"], [])
        self.assertAlmostEqual(s["energy"]["initial"], -0.5, places=14)
        self.assertEqual(list(s["momenta"]), ["rotation"])
        self.assertAlmostEqual(s["momenta"]["rotation"]["initial"], 0.8, places=14)
        self.assertLess(s["momenta"]["rotation"]["max_abs_error"], 1e-14)
        self.assertEqual(list(s["observe"]), ["radius"])
        self.assertGreaterEqual(set(s["observe"]["radius"]), {"initial", "final", "min", "max"})
        x, y = s["final"]["q"].values()
        self.assertAlmostEqual(s["observe"]["radius"]["final"], math.hypot(x, y), places=14)
        self.assertEqual(s["observe"]["radius"]["initial"], 0.4)
        self.assertTrue(s["variational"])

    def test_figures_are_those_of_the_records(self):
        self.write("kepler.toml", KEPLER)
        s = self.run_json("kepler.toml", "--out", "o", "--set", 'output.formats=["csv"]')
        names, rows = read_csv(self.folder / "o/trajectory.csv")
        column = {name: [row[i] for row in rows] for i, name in enumerate(names)}
        self.assertEqual(s["records"], len(rows))
        energy, radius, t = column["energy"], column["radius"], column["t"]
        self.assertEqual((s["energy"]["initial"], s["energy"]["final"]), (energy[0], energy[-1]))
        self.assertEqual(s["energy"]["max_abs_error"], max(abs(e - energy[0]) for e in energy))
        self.assertAlmostEqual(s["energy"]["max_rel_error"], s["energy"]["max_abs_error"]/abs(energy[0]), places=15)
        self.assertEqual([s["observe"]["radius"][k] for k in ("initial", "final", "min", "max")],
                         [radius[0], radius[-1], min(radius), max(radius)])
        mean_t, mean_e = sum(t)/len(t), sum(energy)/len(t)
        slope = sum((a - mean_t)*(b - mean_e) for a, b in zip(t, energy))/sum((a - mean_t)**2 for a in t)
        self.assertAlmostEqual(s["energy"]["drift_per_time"], slope, delta=1e-9*abs(slope) + 1e-15)
        rotation = column["rotation"]
        self.assertEqual(s["momenta"]["rotation"]["max_abs_error"], max(abs(m - rotation[0]) for m in rotation))

    def test_constraints_and_multipliers(self):
        self.write("bead.toml", BEAD)
        s = self.run_json("bead.toml")
        self.assertEqual(len(s["final"]["lambda"]), 1)
        self.assertLess(s["constraints"]["max_position"], 1e-12)
        self.assertLess(s["constraints"]["max_velocity"], 1e-12)
        self.assertGreaterEqual(s["newton"]["mean_iterations"], 1)
        self.assertGreaterEqual(s["newton"]["max_iterations"], s["newton"]["mean_iterations"])
        self.assertEqual(s["newton"]["failures"], 0)
        x, y = s["final"]["q"].values()
        self.assertAlmostEqual(x*x + y*y, 1.0, places=12)

    def test_json_prints_the_summary_and_nothing_else(self):
        self.write("kepler.toml", KEPLER)
        done = self.assert_done(self.varia("run", "kepler.toml", "--out", "o", "--json"))
        self.assertEqual(done.stdout, (self.folder / "o/summary.json").read_text())

    def test_baseline_is_marked(self):
        self.write("kepler.toml", KEPLER)
        done = self.assert_done(self.varia("run", "kepler.toml", "--method", "rk4", "--until", "100"))
        self.assertIn("not variational", done.stdout)
        s = self.run_json("kepler.toml", "--method", "rk4", "--until", "100")
        self.assertFalse(s["variational"])
        status = {v["name"]: v["status"] for v in s["verdicts"]}
        self.assertEqual(status, {"energy": "bad", "rotation": "bad"})
        done = self.assert_done(self.varia("run", "kepler.toml", "--until", "100"))
        self.assertNotIn("not variational", done.stdout)
        self.assertNotIn("BAD", done.stdout)

    def test_failed_run_says_where_and_keeps_what_was_good(self):
        self.write("osc.toml", PENDULUM.replace("(1 - cos(x))", "x^2/2"))
        done = self.varia("run", "osc.toml", "--step", "3", "--every", "1000", "--out", "o",
                          "--set", 'output.formats=["csv"]')
        self.assertEqual(done.returncode, 3)
        self.assertIn("smaller", done.stderr)
        s = self.summary("o")
        self.assertEqual(s["status"], "failed")
        self.assertEqual(s["t_end"], 3*s["steps"], "the state of the last good step")
        self.assertGreater(s["steps"], 100)
        self.assertEqual(s["final"]["t"], s["t_end"])
        self.assertNotIn("good", [v["status"] for v in s["verdicts"]])

    def test_failed_newton_is_counted(self):
        self.write("kepler.toml", KEPLER)
        done = self.varia("run", "kepler.toml", "--method", "gauss(3)", "--step", "1.5", "--until", "30", "--out", "o")
        self.assertEqual(done.returncode, 3)
        for word in ("gauss(3)", "t = ", "h = 1.5", "smaller step"):
            self.assertIn(word, done.stderr)
        s = self.summary("o")
        self.assertEqual((s["status"], s["newton"]["failures"]), ("failed", 1))
        self.assertIn(s["message"], done.stderr)
        self.assertEqual(self.files("o"), ["checkpoint.h5", "summary.json", "trajectory.h5"])

    def test_no_nan_in_any_text(self):
        self.write("osc.toml", PENDULUM.replace("(1 - cos(x))", "x^2/2"))
        done = self.varia("run", "osc.toml", "--step", "3", "--out", "o")
        self.assertEqual(done.returncode, 3)
        text = done.stdout + done.stderr + (self.folder / "o/summary.json").read_text()
        for word in ("nan", "NaN", "inf ", "Infinity"):
            self.assertNotIn(word, text)


class Options(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("kepler.toml", KEPLER)

    def test_method_step_until_every(self):
        s = self.run_json("kepler.toml", "--out", "here", "--method", "gauss(2)", "--step", "0.1", "--until", "3",
                          "--every", "7", "--set", 'output.formats=["csv"]')
        self.assertEqual((s["method"], s["order"], s["step"], s["steps"]), ("gauss(2)", 4, 0.1, 30))
        _, rows = read_csv(self.folder / "here/trajectory.csv")
        times = [0, 7, 14, 21, 28, 30]  # every 7th step, and the last
        self.assertEqual(len(rows), len(times))
        for row, k in zip(rows, times):
            self.assertAlmostEqual(row[0], 0.1*k, places=12)

    def test_set_changes_any_key(self):
        s = self.run_json("kepler.toml", "--set", "e=0.2", "--set", "run.step=0.1", "--set", "until=1", "--set",
                          'system.observe.speed="hypot(x_dot, y_dot)"', "--set", "start.t=0.5")
        self.assertEqual(s["observe"]["radius"]["initial"], 0.8)
        self.assertEqual((s["step"], s["steps"]), (0.1, 5))
        self.assertIn("speed", s["observe"])
        replaced = self.run_json("kepler.toml", "--set", "run.steps=7")
        self.assertEqual(replaced["steps"], 7)

    def test_standard_input(self):
        done = self.assert_done(self.varia("run", "-", "--json", "--out", "o", stdin=KEPLER))
        file = self.run_json("kepler.toml", "--out", "o2")
        self.assertEqual(json.loads(done.stdout)["final"], file["final"])

    def test_gallery(self):
        s = self.run_json("gallery:kepler", "--until", "1")
        self.assertEqual(s["scenario"], "kepler")
        self.assertIn("report.html", self.files("out/kepler"))

    def test_quiet_is_silent(self):
        done = self.assert_done(self.varia("run", "kepler.toml", "--quiet"))
        self.assertEqual(done.stdout, "")

    def test_without_quiet_it_tells_the_verdicts(self):
        done = self.assert_done(self.varia("run", "kepler.toml", "--out", "somewhere"))
        for word in ("Kepler", "verlet", "200 steps", "energy", "rotation", "somewhere"):
            self.assertIn(word, done.stdout)

    def test_backward_in_time(self):
        s = self.run_json("kepler.toml", "--step", "-0.05", "--until", "-1")
        self.assertEqual(s["steps"], 20)
        self.assertAlmostEqual(s["t_end"], -1.0, places=13)

    def test_until_that_is_not_a_whole_number_of_steps_is_told(self):
        s = self.run_json("kepler.toml", "--step", "0.3", "--until", "1")
        self.assertEqual(s["steps"], 3)
        self.assertTrue(any("whole number of steps" in w for w in s["warnings"]), s["warnings"])

    def test_lost_standard_output_is_an_error(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([PROGRAM, "run", "kepler.toml", "--json"], cwd=self.folder, stdout=full, text=True,
                                  stderr=subprocess.PIPE, env=self.environment(), check=False)
        self.assertEqual(done.returncode, 4)
        self.assertIn("standard output", done.stderr)


class Evaluation(ProgramTest):
    def test_interpreter_and_native_code_agree(self):
        self.write("kepler.toml", KEPLER)
        self.write("bead.toml", BEAD)
        cases = [("kepler.toml", "verlet"), ("kepler.toml", "gauss(3)"), ("bead.toml", "lobatto(3)"),
                 ("gallery:heavy_top", "gauss(2)"), ("gallery:van_der_pol", "midpoint"), ("kepler.toml", "rk4")]
        for scenario, method in cases:
            with self.subTest(scenario=scenario, method=method):
                s = {how: self.run_json(scenario, "--method", method, "--set", f"run.evaluation={how}", "--until", "5",
                                        "--set", "output.report=false")
                     for how in ("native", "interpreter")}
                self.assertIn("native code", s["native"]["evaluation"])
                self.assertIn("interpreter", s["interpreter"]["evaluation"])
                for part in "qvp":
                    for name, x in s["native"]["final"][part].items():
                        y = s["interpreter"]["final"][part][name]
                        self.assertLessEqual(abs(x - y), 1e-9*max(1.0, abs(x)), name)

    def test_second_run_takes_the_code_from_the_cache(self):
        self.write("kepler.toml", KEPLER)
        texts = [self.run_json("kepler.toml", "--set", "run.evaluation=native", "--set", "mu=1.25")["evaluation"]
                 for _ in range(2)]
        self.assertNotIn("cache", texts[0])
        self.assertIn("cache", texts[1])

    def test_without_compiler_the_interpreter_runs_and_says_so(self):
        self.write("pendulum.toml", PENDULUM)
        s = self.run_json("pendulum.toml", "--set", "run.steps=10000000", "--every", "10000",
                          VARIA_CC="/nonexistent/cc")
        self.assertIn("interpreter", s["evaluation"])
        self.assertTrue(any("/nonexistent/cc" in w for w in s["warnings"]), s["warnings"])
        done = self.varia("run", "pendulum.toml", "--set", "run.evaluation=native", VARIA_CC="/nonexistent/cc")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("/nonexistent/cc", done.stderr)


class Trajectory(ProgramTest):
    def trajectories(self, text, *arguments):
        self.write("s.toml", text)
        self.run_json("s.toml", "--out", "o", "--set", 'output.formats=["h5", "csv", "json"]', *arguments)
        names, rows = read_csv(self.folder / "o/trajectory.csv")
        return names, rows, json.loads((self.folder / "o/trajectory.json").read_text())

    def test_csv_and_json_hold_the_same_numbers(self):
        names, rows, tree = self.trajectories(KEPLER, "--every", "3")
        self.assertEqual(names, ["t", "x", "y", "x_dot", "y_dot", "x_p", "y_p", "energy", "radius", "rotation"])
        self.assertEqual([c["name"] if isinstance(c, dict) else c for c in tree["columns"]], names)
        self.assertEqual(tree["records"], rows)
        self.assertEqual(len(rows), 68)

    def test_rows_are_the_motion(self):
        names, rows, _ = self.trajectories(KEPLER)
        final = self.summary("o")["final"]
        last = dict(zip(names, rows[-1]))
        for part in "qvp":
            for name, value in final[part].items():
                self.assertEqual(last[name], value, "reads back to the same double")
        for row in rows:
            r = dict(zip(names, row))
            self.assertEqual((r["x_p"], r["y_p"]), (r["x_dot"], r["y_dot"]))
            self.assertAlmostEqual(r["energy"], (r["x_dot"]**2 + r["y_dot"]**2)/2 - 1/r["radius"], places=13)
            self.assertAlmostEqual(r["rotation"], r["x"]*r["y_dot"] - r["y"]*r["x_dot"], places=14)

    def test_verlet_by_hand(self):
        names, rows, _ = self.trajectories(PENDULUM, "--set", "run.steps=50")
        x, p, h = 1.5, 0.0, 0.1
        self.assertEqual(names, ["t", "x", "x_dot", "x_p", "energy"])
        for k, row in enumerate(rows):
            self.assertAlmostEqual(row[0], k*h, places=12)
            self.assertAlmostEqual(row[1], x, places=12)
            self.assertAlmostEqual(row[3], p, places=12)
            p -= h/2*math.sin(x)
            x += h*p
            p -= h/2*math.sin(x)

    def test_h5_holds_the_same_numbers_with_names_and_units(self):
        names, rows, _ = self.trajectories(BEAD, "--set", 'output.units={ x = "m", t = "s" }',
                                           "--set", "system.observe.height=\"y + 1\"")
        (h5,) = read_h5(self.folder / "o/trajectory.h5")
        self.assertIsInstance(h5, dict)
        column = {name: [row[i] for row in rows] for i, name in enumerate(names)}
        self.assertEqual(h5["t"]["values"], column["t"])
        for data, expected in {"q": ["x", "y"], "v": ["x_dot", "y_dot"], "p": ["x_p", "y_p"],
                               "lambda": ["lambda[1]"]}.items():
            self.assertEqual(h5[data]["attributes"]["names"], expected)
            for i, name in enumerate(expected):
                self.assertEqual([row[i] for row in h5[data]["values"]], column[name])
        self.assertEqual(h5["observe/height"]["values"], column["height"])
        self.assertEqual(h5["energy"]["values"], column["energy"])
        self.assertEqual(h5["q"]["attributes"]["units"], ["m", ""])

    def test_multiplier_column(self):
        names, rows, _ = self.trajectories(BEAD)
        self.assertIn("lambda[1]", names)
        self.assertNotEqual({row[names.index("lambda[1]")] for row in rows}, {0.0})


if __name__ == "__main__":
    unittest.main()
