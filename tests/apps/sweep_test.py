# SPDX-License-Identifier: BSD-3-Clause
"""varia sweep: tables, threads, kills, parts, refusals."""
import csv
import json
import os
import pty
import re
import signal
import subprocess
import time
import unittest
from pathlib import Path

from program import KEPLER, PROGRAM, SANITIZED, SPIN, ProgramInMemoryTest, read_h5

VARY = ["--vary", "e = 0 : 0.9 : 0.1", "--vary", "method = verlet, gauss(2)"]


def rows(path, time_column=False):
    """The table as dictionaries, without the time, which differs from run to run."""
    with open(path, newline="") as file:
        found = list(csv.DictReader(file))
    if not time_column:
        for row in found:
            del row["wall_seconds"]
    return found


class Sweep(ProgramInMemoryTest):
    def setUp(self):
        super().setUp()
        self.write("kepler.toml", KEPLER)

    def sweep(self, *arguments, code=0):
        done = self.varia("sweep", *arguments, "--json")
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout)

    def test_table_and_summary(self):
        found = self.sweep("kepler.toml", *VARY)
        self.assertEqual((found["cases"], found["done"], found["failed"], found["status"]), (20, 20, 0, "done"))
        self.assertEqual([Path(name).name for name in found["files"]], ["sweep.csv", "sweep.h5"])
        self.assertEqual(self.files("out/kepler_sweep"), ["sweep.csv", "sweep.h5"])
        table = rows(self.folder / "out/kepler_sweep/sweep.csv", time_column=True)
        header = list(table[0])
        self.assertEqual(header[:5], ["e", "method", "status", "message", "evaluation"])
        self.assertEqual(header[-1], "wall_seconds")
        for name in ("energy.max_rel_error", "momenta.rotation.max_abs_error", "observe.radius.final", "observe.radius.min",
                     "final.q.x", "newton.mean_iterations"):
            self.assertIn(name, header)
        self.assertEqual([row["e"] for row in table[::2]], ["0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"])
        self.assertEqual([row["method"] for row in table[:2]], ["verlet", "gauss(2)"])

    def test_rows_are_runs(self):
        self.sweep("kepler.toml", *VARY)
        for row in rows(self.folder / "out/kepler_sweep/sweep.csv")[::3]:
            changes = ["--set", f"e={row['e']}", "--method", row["method"], "--set", f"run.evaluation={row['evaluation']}"]
            if row["evaluation"] == "native":
                changes += ["--set", 'system.free=["e"]']
            summary = self.run_json("kepler.toml", *changes)
            for path in ("energy.max_rel_error", "energy.final", "momenta.rotation.max_abs_error", "observe.radius.final", "final.q.x", "final.p.y_p"):
                value = summary
                for key in path.split("."):
                    value = value[key]
                self.assertEqual(float(row[path]), value, (row["e"], row["method"], path))

    def test_threads_give_the_same_table(self):
        self.sweep("kepler.toml", *VARY, "--jobs", 1, "--out", "one")
        self.sweep("kepler.toml", *VARY, "--jobs", 3, "--out", "three")
        self.assertEqual(rows(self.folder / "one/sweep.csv"), rows(self.folder / "three/sweep.csv"))

    def test_native_code_is_compiled_once(self):
        found = self.sweep("kepler.toml", "--vary", "e = 0 : 0.9 : 0.02", "--vary", "method = verlet, gauss(2)",
                           "--set", "run.evaluation=native", "--jobs", 3)
        self.assertEqual(found["free"], ["e"])
        entries = [path for path in Path(self.cache).rglob("*") if path.is_file()]
        self.assertLessEqual(len(entries), 2, "one for each method")
        self.assertGreaterEqual(len(entries), 1)

    def test_failed_case_in_the_middle(self):
        done = self.varia("sweep", "kepler.toml", "--vary", "e = 0.5, 1, 0.6")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr, "varia: 1 of 3 cases failed; their rows say why\n")
        table = rows(self.folder / "out/kepler_sweep/sweep.csv")
        self.assertEqual([row["status"] for row in table], ["done", "failed", "done"])
        self.assertIn("y_dot", table[1]["message"])
        self.assertEqual(table[1]["energy.max_rel_error"], "")
        file, = read_h5(self.folder / "out/kepler_sweep/sweep.h5")
        self.assertEqual(file["status"]["values"], ["done", "failed", "done"])
        column = file["numbers"]["attributes"]["columns"].index("energy.max_rel_error")
        self.assertEqual([row[column] for row in file["present"]["values"]], [1, 0, 1])
        self.assertEqual(file["numbers"]["values"][1][column], 0)
        self.assertEqual(file["numbers"]["values"][0][column], float(table[0]["energy.max_rel_error"]))
        self.assertEqual(file["varied/0"]["values"], [0.5, 1, 0.6])

    def test_killed_at_many_moments(self):
        request = ["sweep", "kepler.toml", "--vary", "e = 0 : 0.78 : 0.02", "--until", 100, "--jobs", 2]
        self.assert_done(self.varia(*request, "--out", "whole", "--quiet"))
        whole = rows(self.folder / "whole/sweep.csv")
        moments = int(os.environ.get("VARIA_SWEEP_KILLS", "5"))
        taken_up = 0
        for moment in range(moments):
            folder = f"killed{moment}"
            process = self.begin(*request, "--out", folder, "--quiet")
            log = self.folder / folder / "sweep.partial"
            wanted = 200 + moment * 40000 // moments  # bytes, not seconds: the machine may be slow
            while process.poll() is None and not (log.exists() and log.stat().st_size >= wanted):
                time.sleep(0.0005)
            process.kill()
            process.wait()
            done = self.assert_done(self.varia(*request, "--out", folder, "--json"))
            taken_up += json.loads(done.stdout)["resumed"]
            self.assertEqual(rows(self.folder / folder / "sweep.csv"), whole)
            self.assertFalse(log.exists())
        self.assertGreater(taken_up, 0)

    def test_interrupt_keeps_the_rows(self):
        request = ["sweep", "kepler.toml", "--vary", "e = 0 : 0.9 : 0.1", "--until", 3000]
        process = self.begin(*request)
        log = self.folder / "out/kepler_sweep/sweep.partial"
        while process.poll() is None and not (log.exists() and log.stat().st_size > 3000):
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 130, error)
        self.assertIn("the same command goes on", error)
        states = [row["status"] for row in rows(self.folder / "out/kepler_sweep/sweep.csv")]
        self.assertEqual(len(states), 10)
        self.assertIn("interrupted", states)
        self.assertTrue(log.exists())
        found = self.sweep(*request[1:])
        self.assertEqual(found["resumed"], states.count("done"))
        self.assertEqual(found["done"], 10)

    def test_another_sweep_is_not_overwritten(self):
        (self.folder / "o").mkdir()
        process = self.begin("sweep", "kepler.toml", *VARY, "--until", 3000, "--out", "o")
        log = self.folder / "o/sweep.partial"
        while process.poll() is None and not (log.exists() and log.stat().st_size > 100):
            time.sleep(0.001)
        self.assert_refused(self.varia("sweep", "kepler.toml", *VARY, "--until", 3000, "--out", "o"),
                            "another run is writing there", code=4)
        process.kill()
        process.wait()
        before = log.read_bytes()
        self.assert_refused(self.varia("sweep", "kepler.toml", *VARY, "--out", "o"), "another sweep", "run.until is 3000 there, 10 here")
        self.assertEqual(log.read_bytes(), before)

    def test_parts(self):
        self.sweep("kepler.toml", *VARY, "--out", "whole")
        for part in (1, 2, 3):
            self.sweep("kepler.toml", *VARY, "--out", f"parts{part}", "--shard", f"{part}/3")
        self.assertEqual(self.files("parts2"), ["sweep.2-of-3.csv", "sweep.2-of-3.h5"])
        self.assert_refused(self.varia("sweep", "--merge", "parts1", "parts3"), "part 2 of 3 is missing")
        found = self.sweep("--merge", "parts1", "parts2", "parts3", "--out", "all")
        self.assertEqual((found["cases"], found["done"]), (20, 20))
        self.assertEqual(rows(self.folder / "all/sweep.csv"), rows(self.folder / "whole/sweep.csv"))
        self.assertEqual(self.files("all"), ["report.html", "sweep.csv", "sweep.h5"])
        self.sweep("kepler.toml", *VARY, "--out", "parts2", "--shard", "2/3", "--step", "0.02")
        self.assert_refused(self.varia("sweep", "--merge", "parts1", "parts2", "parts3"), "different sweeps", "run.step")

    def test_files_of_runs_are_kept_when_asked_for(self):
        self.sweep("kepler.toml", "--vary", "e = 0 : 0.9 : 0.1", "--keep", "--jobs", 3)
        folders = sorted(path.name for path in (self.folder / "out/kepler_sweep").iterdir() if path.is_dir())
        self.assertEqual(folders, [f"case-{k:02}" for k in range(1, 11)])
        table = rows(self.folder / "out/kepler_sweep/sweep.csv")
        for k, folder in enumerate(folders):
            self.assertEqual(self.files(f"out/kepler_sweep/{folder}"), ["checkpoint.h5", "summary.json", "trajectory.h5"])
            summary = self.summary(f"out/kepler_sweep/{folder}")
            self.assertEqual(summary["final"]["q"]["x"], float(table[k]["final.q.x"]))
        read_h5(*[self.folder / "out/kepler_sweep" / folder / "trajectory.h5" for folder in folders], want="records")

    def test_sweep_in_the_scenario(self):
        self.write("s.toml", KEPLER + '[sweep]\nmode = "list"\nrandom = { count = 3, seed = 5 }\n[sweep.vary]\n'
                                      'e = "uniform(0.1, 0.2)"\nmethod = ["verlet", "rk4", "gauss(2)"]\n')
        self.assert_done(self.varia("run", "s.toml", "--quiet"))
        self.sweep("s.toml")
        table = rows(self.folder / "out/s_sweep/sweep.csv")
        self.assertEqual([row["method"] for row in table], ["verlet", "rk4", "gauss(2)"])
        self.assertTrue(all(0.1 <= float(row["e"]) < 0.2 for row in table))
        self.sweep("s.toml", "--mode", "grid", "--seed", 6, "--samples", 2, "--out", "other")
        self.assertEqual(len(rows(self.folder / "other/sweep.csv")), 6)

    def test_report(self):
        self.write("s.toml", KEPLER.replace("report = false", "report = true"))
        self.sweep("s.toml", "--vary", "e = 0.5, 1, 0.6", "--vary", "step = 0.05, 0.1", code=3)
        data = self.report_data("out/s_sweep")
        self.assertEqual(data["kind"], "sweep")
        self.assertEqual([axis["name"] for axis in data["sweep"]["varied"]], ["e", "step"])
        self.assertEqual(data["sweep"]["varied"][0]["values"], [0.5, 0.5, 1, 1, 0.6, 0.6])
        self.assertEqual(data["sweep"]["columns"][0]["name"], "energy.max_rel_error")
        self.assertIsNone(data["sweep"]["columns"][0]["values"][2])
        self.assertEqual([row["case"] for row in data["sweep"]["failures"]], [3, 4])

    def test_solid(self):
        self.write("spin.toml", SPIN)
        self.sweep("spin.toml", "--vary", "courant = 0.2, 0.3", "--until", 0.5)
        table = rows(self.folder / "out/spin_sweep/sweep.csv")
        summary = self.run_json("spin.toml", "--set", "courant=0.2", "--until", 0.5)
        self.assertEqual(float(table[0]["updates.total"]), summary["updates"]["total"])
        self.assertEqual(float(table[0]["energy.final"]), summary["energy"]["final"])
        self.assertNotEqual(table[0]["updates.total"], table[1]["updates.total"])

    def test_refusals(self):
        for arguments, words in ((["--vary", "ee = 1"], ["--vary ee=", "neither a parameter"]),
                                 (["--vary", "metod = verlet"], ["Did you mean method?"]),
                                 (["--vary", "e"], ["name=values"]),
                                 (["--vary", "e = 0 : 1 : -0.1"], ["--vary e=", "leads away from 1"]),
                                 (["--vary", "method = verlet, gaus(2)"], ["gauss"]),
                                 (["--vary", "e = uniform(0, 1)"], ["--samples"]),
                                 (["--vary", "e = 0.1, 0.2", "--vary", "mu = 1", "--mode", "list"], ["mu", "has 1 value, e has 2"]),
                                 (["--vary", "e = 0.1", "--mode", "lists"], ["grid, list"]),
                                 (["--vary", "e = 0.1", "--jobs", "0"], ["--jobs"]),
                                 (["--vary", "e = 0.1", "--shard", "3/2"], ["--shard"]),
                                 (["--vary", "e = 0 : 1 : 1e-5", "--vary", "mu = 1 : 2 : 1e-4"], ["at most 1000000"]),
                                 ([], ["nothing is varied", "--vary"]),
                                 (["more.toml", "--vary", "e = 0.1"], ["more.toml", "--merge"])):
            with self.subTest(arguments):
                self.assert_refused(self.varia("sweep", "kepler.toml", *arguments), *words)
        self.assert_refused(self.varia("sweep"), "FILE")
        self.assert_refused(self.varia("sweep", "--merge", "nowhere"), "nowhere", code=4)
        self.assertFalse((self.folder / "out").exists())

    def test_help_and_progress(self):
        help_text = self.assert_done(self.varia("sweep", "--help")).stdout
        self.assertIn('--vary "e = 0 : 0.9 : 0.1"', help_text)
        leader, follower = pty.openpty()
        subprocess.run([PROGRAM, "sweep", "kepler.toml", *VARY, "--until", "500"], cwd=self.folder, stdout=subprocess.DEVNULL,
                       stderr=follower, check=True, env=self.environment())
        os.close(follower)
        shown = b""
        try:
            while part := os.read(leader, 65536):
                shown += part
        except OSError:  # all is read
            pass
        os.close(leader)
        self.assertRegex(shown.decode(), r"\d+ of 20 cases +\d+ s left")
        self.assertTrue(shown.endswith(b"\r\x1b[K"), "the line is cleared")


if __name__ == "__main__":
    unittest.main()
