# SPDX-License-Identifier: BSD-3-Clause
"""A run that is interrupted and continued is the run that was not interrupted, to the bit."""
import hashlib
import os
import shutil
import signal
import time
import unittest

from program import BEAD, KEPLER, PENDULUM, SANITIZED, ProgramTest, read_csv

FORMATS = 'output.formats=["h5", "csv"]'
# What two runs of the same scenario may differ in.
OWN = {"wall_seconds", "steps_per_second", "files", "evaluation"}


class Restart(ProgramTest):
    def assert_same(self, folder, other):
        one, two = self.summary(folder), self.summary(other)
        for key in one:
            if key not in OWN:
                self.assertEqual(one[key], two[key], key)
        for name in ("trajectory.csv",):
            self.assertEqual((self.folder / folder / name).read_bytes(), (self.folder / other / name).read_bytes(),
                             name)
        self.assertEqual(self.files(folder), self.files(other))

    def continued(self, scenario, half, until, *options, folder="half"):
        """The run in one piece in `full`, in two pieces in `folder`."""
        options = ("--set", FORMATS, "--set", "output.report=false", *options)
        self.run_json(scenario, "--out", "full", "--until", until, *options)
        self.run_json(scenario, "--out", folder, "--until", half, *options)
        return self.run_json(scenario, "--out", folder, "--until", until, "--restart", f"{folder}/checkpoint.h5",
                             *options)

    def test_to_the_bit(self):
        self.write("kepler.toml", KEPLER)
        self.write("bead.toml", BEAD)
        cases = [("kepler.toml", "verlet"), ("kepler.toml", "gauss(2)"), ("kepler.toml", "euler_a"),
                 ("bead.toml", "lobatto(3)"), ("bead.toml", "verlet"), ("kepler.toml", "triple_jump(verlet)"),
                 ("gallery:heavy_top", "gauss(2)"), ("gallery:heavy_top", "verlet"), ("gallery:plane_body", "gauss(2)"),
                 ("gallery:kirchhoff_body", "lobatto(3)"), ("kepler.toml", "rk4"),
                 ("kepler.toml", "dopri5"), ("kepler.toml", "explicit_euler"), ("gallery:van_der_pol", "midpoint"),
                 ("gallery:caldirola_kanai", "lobatto(3)")]
        for scenario, method in cases[::3] if SANITIZED else cases:
            for every in ("1", "7"):  # 7 divides neither the half nor the whole
                with self.subTest(scenario=scenario, method=method, every=every):
                    self.continued(scenario, "5", "10", "--method", method, "--step", "0.05", "--every", every)
                    self.assert_same("half", "full")
                    shutil.rmtree(self.folder / "half")

    def test_native_code(self):
        self.write("kepler.toml", KEPLER)
        s = self.continued("kepler.toml", "300", "700", "--set", "run.evaluation=native", "--method", "gauss(2)")
        self.assertIn("native", s["evaluation"])
        self.assert_same("half", "full")

    def test_log_of_a_run_that_wrote_nothing(self):
        """A new run in the folder was killed before its first record: the old one can still be continued."""
        self.write("kepler.toml", KEPLER)
        options = ("--set", FORMATS, "--set", "output.report=false")
        self.run_json("kepler.toml", "--out", "full", "--until", "6", *options)
        self.run_json("kepler.toml", "--out", "half", "--until", "3", *options)
        (self.folder / "half/trajectory.partial").write_bytes(b"")
        self.run_json("kepler.toml", "--out", "half", "--until", "6", "--restart", "half/checkpoint.h5", *options)
        self.assert_same("half", "full")

    def test_three_pieces_and_another_folder(self):
        self.write("kepler.toml", KEPLER)
        options = ("--set", FORMATS, "--every", "7")
        self.run_json("kepler.toml", "--out", "full", "--until", "9", *options)
        self.run_json("kepler.toml", "--out", "a", "--until", "3", *options)
        self.run_json("kepler.toml", "--out", "b", "--until", "6", "--restart", "a/checkpoint.h5", *options)
        self.run_json("kepler.toml", "--out", "c", "--until", "9", "--restart", "b/checkpoint.h5", *options)
        self.assert_same("c", "full")
        _, rows = read_csv(self.folder / "a/trajectory.csv")
        self.assertAlmostEqual(rows[-1][0], 3.0, places=12, msg="the first folder is left alone")

    def test_nothing_left_to_do(self):
        self.write("kepler.toml", KEPLER)
        options = ("--set", FORMATS, "--until", "3", "--every", "7")
        self.run_json("kepler.toml", "--out", "full", *options)
        self.run_json("kepler.toml", "--out", "again", *options)
        self.run_json("kepler.toml", "--out", "again", "--restart", "again/checkpoint.h5", *options)
        self.assert_same("again", "full")

    def test_csv_alone_loses_nothing(self):
        self.write("kepler.toml", KEPLER)
        options = ("--set", 'output.formats=["csv"]')
        self.run_json("kepler.toml", "--out", "full", "--until", "4", *options)
        self.run_json("kepler.toml", "--out", "half", "--until", "2", *options)
        before = (self.folder / "half/trajectory.csv").read_bytes()
        done = self.varia("run", "kepler.toml", "--out", "half", "--until", "4", "--restart", "half/checkpoint.h5",
                          *options)
        after = (self.folder / "half/trajectory.csv").read_bytes()
        if done.returncode == 0:
            self.assertEqual(after, (self.folder / "full/trajectory.csv").read_bytes())
        else:  # refused rather than half of the trajectory written over the other half
            self.assertIn(done.returncode, (2, 4))
            self.assertIn("trajectory", done.stderr)
            self.assertEqual(after, before)


class Refused(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("kepler.toml", KEPLER)
        self.write("pendulum.toml", PENDULUM)
        self.run_json("kepler.toml", "--out", "first", "--until", "5")

    def again(self, *options, until="8"):
        return self.varia("run", "kepler.toml", "--out", "second", "--until", until, *options,
                          "--restart", "first/checkpoint.h5")

    def test_another_request(self):
        cases = {
            "method": (("--method", "gauss(2)"), ("another method", "verlet", "gauss(2)")),
            "step": (("--step", "0.1"), ("another step", "0.05", "0.1")),
            "every": (("--every", "2"), ("every",)),
            "parameter": (("--set", "mu=2"), ("another system",)),
            "lagrangian": (("--set", "system.lagrangian=(x_dot^2 + y_dot^2)/2"), ("another system",)),
            "force": (("--set", 'system.force.x="-x_dot"'), ("another system",)),
            "observe": (("--set", 'system.observe.speed="x_dot"'), ("observe",)),
        }
        for name, (options, words) in cases.items():
            with self.subTest(name):
                shutil.rmtree(self.folder / "second", ignore_errors=True)
                done = self.again(*options)
                self.assert_refused(done, "--restart first/checkpoint.h5", *words)
                self.assertFalse((self.folder / "second").exists())

    def test_end_before_the_checkpoint(self):
        self.assert_refused(self.again(until="2"), "--restart first/checkpoint.h5", "100 steps", "later until")

    def test_another_system(self):
        done = self.varia("run", "pendulum.toml", "--step", "0.05", "--until", "8", "--restart", "first/checkpoint.h5")
        self.assert_refused(done, "another system")

    def test_another_retraction(self):
        heavy = ("run", "gallery:heavy_top", "--set", "output.report=false", "--out", "top")
        self.assert_done(self.varia(*heavy, "--until", "1"))
        done = self.varia(*heavy, "--until", "2", "--set", "run.retraction=cay", "--restart", "top/checkpoint.h5")
        self.assert_refused(done, "retraction")

    def test_damaged_checkpoint(self):
        good = (self.folder / "first/checkpoint.h5").read_bytes()
        damaged = [b"", good[:100], good[:512], good[:len(good)//2], good[:-1], good + b"x", b"nothing of ours" * 100]
        for position in (0, 200, 511, 512, 700, len(good)//2, len(good) - 1):
            flipped = bytearray(good)
            flipped[position] ^= 0x10
            damaged.append(bytes(flipped))
        for number, data in enumerate(damaged):
            with self.subTest(number=number, size=len(data)):
                (self.folder / "first/checkpoint.h5").write_bytes(data)
                self.assert_refused(self.again(), "first/checkpoint.h5", "checkpoint", code=4)
        self.assertFalse((self.folder / "second").exists())

    def test_missing_checkpoint(self):
        (self.folder / "first/checkpoint.h5").unlink()
        self.assert_refused(self.again(), "first/checkpoint.h5", "No such file", code=4)
        (self.folder / "first/checkpoint.h5").mkdir()
        self.assert_refused(self.again(), "first/checkpoint.h5", code=4)
        os.mkfifo(self.folder / "first/pipe.h5")
        process = self.begin("run", "kepler.toml", "--out", "second", "--restart", "first/pipe.h5")
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 4)


class Stopped(ProgramTest):
    """A run that stopped before its files were written: the folder holds its log and its checkpoint."""
    CSV = ("--set", 'output.formats=["csv"]')

    def setUp(self):
        super().setUp()
        self.write("kepler.toml", KEPLER)
        self.run_json("kepler.toml", "--out", "full", "--until", "8", *self.CSV)
        self.stop("o")

    def stop(self, folder, scenario="kepler.toml", until="5", *options):
        place = self.folder / folder / "trajectory.csv"
        place.mkdir(parents=True)  # no file can be written there
        done = self.varia("run", scenario, "--out", folder, "--until", until, *self.CSV, *options)
        self.assert_refused(done, "trajectory.csv", code=4)
        place.rmdir()

    def content(self, folder="o"):
        return {path.name: hashlib.md5(path.read_bytes()).hexdigest() for path in (self.folder / folder).iterdir()}

    def again(self, *options, out="o", until="8"):
        return self.varia("run", "kepler.toml", "--out", out, "--until", until, *self.CSV, *options,
                          "--restart", "o/checkpoint.h5")

    def assert_left_alone(self, *options, words, code=2):
        before = self.content()
        self.assertIn("trajectory.partial", before)
        self.assert_refused(self.again(*options), *words, code=code)
        self.assertEqual(self.content(), before)

    def test_goes_on(self):
        self.assert_done(self.again())
        self.assertEqual(self.content()["trajectory.csv"], self.content("full")["trajectory.csv"])

    def test_same_numbers_in_other_words(self):
        """What is a number is compared as one; titles, ends and formats may change."""
        self.assert_done(self.again("--step", "1/20", "--set", "mu=1", "--set", "title=another", "--set", "start.t=0",
                                    "--set", "system.parameters.e=\"3/5\"", "--every", "1"))
        self.assertEqual(self.content()["trajectory.csv"], self.content("full")["trajectory.csv"])

    def test_what_is_refused_is_named(self):
        cases = {
            "unit": (("--set", 'output.units.x="km"'), ("output.units.x", "nothing", "km")),
            "observe": (("--set", 'system.observe.radius="x"'), ("system.observe.radius", "sqrt(x^2 + y^2)", '"x"')),
            "symmetry": (("--set", 'system.symmetry.rotation.x="-2*y"'),
                         ("system.symmetry.rotation.x", '"-y"', '"-2*y"')),
            "time": (("--set", "start.t=1"), ("start.t", "0", "1")),
            "solver": (("--set", "run.solver=newton"), ("solver", "auto", "newton")),
            "parameter": (("--set", "mu=2"), ("another system", "system.parameters.mu", "1", "2")),
            "diagnose": (("--set", 'diagnose.heat="trapezoid"'), ("diagnose.heat",)),
        }
        for name, (options, words) in cases.items():
            with self.subTest(name):
                self.assert_left_alone(*options, words=("--restart o/checkpoint.h5", *words))

    def damaged(self, change):
        """The refusal of a log that was changed; it is left as it is."""
        path = self.folder / "o/trajectory.partial"
        good = path.read_bytes()
        path.write_bytes(change(good))
        self.assert_left_alone(words=("--restart o/checkpoint.h5", "o/trajectory.partial", "--out"), code=4)
        path.write_bytes(good)

    def test_damaged_log(self):
        size = (self.folder / "o/trajectory.partial").stat().st_size
        self.damaged(lambda good: good[:-1])
        self.damaged(lambda good: good[:size//2])
        self.damaged(lambda good: good[:20])
        self.damaged(lambda good: good[:1])
        for position in (3, 100, size//2, size - 100, size - 1):
            self.damaged(lambda good: good[:position] + bytes([good[position] ^ 1]) + good[position + 1:])
        self.test_goes_on()

    def test_damaged_log_beside_a_good_trajectory(self):
        self.run_json("kepler.toml", "--out", "o", "--until", "5")  # writes trajectory.h5
        whole = (self.folder / "o/trajectory.h5").read_bytes()
        self.stop("p")
        (self.folder / "o/trajectory.partial").write_bytes((self.folder / "p/trajectory.partial").read_bytes()[:-1])
        self.test_goes_on()
        self.assertEqual((self.folder / "o/trajectory.h5").read_bytes(), whole)

    def test_damaged_log_and_another_folder(self):
        path = self.folder / "o/trajectory.partial"
        path.write_bytes(path.read_bytes()[:-1])
        before = self.content()
        self.assert_done(self.again(out="p"))
        self.assertEqual(self.content(), before)
        warning = self.summary("p")["warnings"][0]
        self.assertIn("100 of the 101 records", warning)
        self.assertIn("begins after t = 5", warning)
        self.assertEqual((self.folder / "p/trajectory.csv").read_text().splitlines()[1:],
                         (self.folder / "full/trajectory.csv").read_text().splitlines()[-60:])

    def test_changed_trajectory(self):
        """The trajectory of another start, or of another length, is not taken for that of the checkpoint."""
        (self.folder / "o/trajectory.partial").unlink()
        self.run_json("kepler.toml", "--out", "other", "--until", "6", "--set", "start.x=0.5")
        shutil.copy(self.folder / "other/trajectory.h5", self.folder / "o/trajectory.h5")
        before = self.content()
        self.assert_refused(self.again(), "o/trajectory.h5", "checksum", code=4)
        self.assertEqual(self.content(), before)

    def test_another_order_of_columns(self):
        two = KEPLER.replace("[start]", 'speed = "hypot(x_dot, y_dot)"\n[start]')
        self.write("two.toml", two)
        self.stop("p", "two.toml")
        self.write("two.toml", two.replace('speed = "hypot(x_dot, y_dot)"\n', "").replace(
            "radius =", 'speed = "hypot(x_dot, y_dot)"\nradius ='))
        before = self.content("p")
        done = self.varia("run", "two.toml", "--out", "p", "--until", "8", *self.CSV, "--restart", "p/checkpoint.h5")
        self.assert_refused(done, "another order")
        self.assertEqual(self.content("p"), before)


class SmallerStep(ProgramTest):
    """A close encounter that a step of 1 does not resolve."""

    def setUp(self):
        super().setUp()
        self.write("comet.toml", KEPLER.replace('"verlet"', '"gauss(2)"').replace("step = 0.05", "step = 1"))
        self.options = ("--set", "e=0.95", "--set", "start.x=1 + e", "--set", "start.y_dot=sqrt((1 - e)/(1 + e))",
                        "--set", FORMATS)
        done = self.varia("run", "comet.toml", "--out", "o", *self.options)
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("Try a smaller step", done.stderr)
        self.failed = self.summary("o")

    def go_on(self, *options, folder="o", out=None):
        return self.varia("run", "comet.toml", "--out", out or folder, *self.options, *options,
                          "--restart", f"{folder}/checkpoint.h5")

    def test_goes_on(self):
        _, before = read_csv(self.folder / "o/trajectory.csv")
        self.assertEqual(self.go_on("--until", "4").returncode, 3, "the same step fails again")
        self.assert_done(self.go_on("--step", "1/512", out="p"))
        s = self.summary("p")
        t, steps = self.failed["t_end"], self.failed["steps"]
        self.assertEqual((s["status"], s["t_end"], s["step"]), ("done", 10, 1/512))
        left = round((10 - t)*512)
        self.assertEqual(s["parts"], [{"from_t": 0, "step": 1, "steps": steps},
                                      {"from_t": t, "step": 1/512, "steps": left}])
        self.assertEqual(s["steps"], steps + left)
        _, rows = read_csv(self.folder / "p/trajectory.csv")
        self.assertEqual(rows[:len(before)], before)
        self.assertEqual(len(rows), 1 + steps + left)
        self.assertNotIn("parts", self.failed)

    def test_goes_on_in_two_pieces(self):
        self.assert_done(self.go_on("--step", "1/512", out="one"))
        self.assert_done(self.go_on("--step", "1/512", "--until", "6", out="two"))
        self.assert_refused(self.go_on("--step", "1/1024", folder="two"), "another step")
        self.assert_refused(self.go_on("--step", "1", folder="two"), "another step")
        self.assert_done(self.go_on("--step", "1/512", folder="two"))
        one, two = self.summary("one"), self.summary("two")
        for key in one:
            if key not in OWN | {"overrides"}:
                self.assertEqual(one[key], two[key], key)
        self.assertEqual((self.folder / "one/trajectory.csv").read_bytes(),
                         (self.folder / "two/trajectory.csv").read_bytes())

    def test_refused(self):
        for step in ("2", "-0.01"):
            self.assertEqual(self.go_on(f"--step={step}", "--until", "10" if step == "2" else "-10").returncode, 2)
        self.assert_refused(self.go_on("--step", "0.01", "--set", "mu=2"), "system.parameters.mu")
        self.assert_refused(self.go_on("--step", "1/512", "--until", "1"), "later until")


class Interrupted(ProgramTest):
    """2e9 steps would take a minute: the signal comes first, wherever that is."""

    def interrupt(self, number):
        """Sends the signal once the run is going; returns how it ended."""
        self.write("pendulum.toml", PENDULUM)
        self.options = ("--set", FORMATS, "--set", "run.evaluation=native", "--every", "300007")
        process = self.begin("run", "pendulum.toml", "--out", "o", "--set", "run.steps=2000000000", *self.options)
        log = self.folder / "o/trajectory.partial"
        while process.poll() is None and not log.exists():  # the steps begin when there is a log
            time.sleep(0.005)
        time.sleep(0.05)
        process.send_signal(number)
        output, errors = process.communicate(timeout=60)
        return process.returncode, output, errors

    def test_ends_cleanly_and_goes_on(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number.name):
                code, _, errors = self.interrupt(number)
                self.assertEqual(code, 130)
                self.assertIn("interrupted after", errors)
                s = self.summary("o")
                self.assertEqual(s["status"], "interrupted")
                self.assertIn(s["message"], errors)
                self.assertEqual(self.files("o"), ["checkpoint.h5", "summary.json", "trajectory.csv", "trajectory.h5"])
                _, rows = read_csv(self.folder / "o/trajectory.csv")
                self.assertAlmostEqual(rows[-1][0]/s["t_end"], 1.0, places=13)
                self.assertAlmostEqual(s["t_end"]/(0.1*s["steps"]), 1.0, places=9)
                end = s["steps"] + 1234567
                for folder, restart in (("o", ("--restart", "o/checkpoint.h5")), ("full", ())):
                    self.run_json("pendulum.toml", "--out", folder, "--set", f"run.steps={end}", *restart,
                                  *self.options)
                one, two = self.summary("o"), self.summary("full")
                for key in one:
                    if key not in OWN:
                        self.assertEqual(one[key], two[key], key)
                self.assertEqual((self.folder / "o/trajectory.csv").read_bytes(),
                                 (self.folder / "full/trajectory.csv").read_bytes())

    def test_implicit_method_ends_soon_too(self):
        self.write("bead.toml", BEAD)
        process = self.begin("run", "bead.toml", "--out", "o", "--until", "1e9", "--every", "1000000")
        while process.poll() is None and not (self.folder / "o/trajectory.partial").exists():
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(self.summary("o")["status"], "interrupted")


if __name__ == "__main__":
    unittest.main()
