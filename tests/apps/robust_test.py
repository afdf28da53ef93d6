# SPDX-License-Identifier: BSD-3-Clause
"""Kills, full disks, two runs at once, long runs: files are whole, errors are told, memory is constant."""
import json
import os
import random
import resource
import shutil
import subprocess
import time
import unittest

from program import KEPLER, PENDULUM, PROGRAM, SANITIZED, ProgramTest, read_csv, read_h5


class Killed(ProgramTest):
    TRIES = 20
    LENGTHS = (30000, 45000)  # steps; every one is recorded: writing takes as long as computing
    OPTIONS = ("--set", 'output.formats=["h5", "csv"]', "--set", "output.report=true", "--quiet")

    def complete(self, steps, folder, *options):
        done = self.varia("run", "pendulum.toml", "--out", folder, "--set", f"run.steps={steps}", *self.OPTIONS,
                          *options)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def kill_at_random_moment(self, generator, steps, seconds):
        process = self.begin("run", "pendulum.toml", "--out", "o", "--set", f"run.steps={steps}", *self.OPTIONS)
        try:
            process.wait(timeout=generator.random()*seconds)
        except subprocess.TimeoutExpired:
            process.kill()
        process.communicate()

    def test_files_are_the_old_or_the_new_ones(self):
        """The old run has one length, the killed one the other: nothing between the two is ever seen."""
        self.write("pendulum.toml", PENDULUM)
        seconds, csv = {}, {}
        for steps in self.LENGTHS:
            begin = time.monotonic()
            self.complete(steps, f"whole{steps}")
            seconds[steps] = time.monotonic() - begin
            csv[steps] = (self.folder / f"whole{steps}/trajectory.csv").read_bytes()
        generator = random.Random(20)
        h5, unfinished = [], 0
        for number in range(self.TRIES):
            old, new = self.LENGTHS[::1 if number % 2 else -1]
            shutil.rmtree(self.folder / "o", ignore_errors=True)
            if number >= 4:  # the first tries begin in a folder that does not exist
                shutil.copytree(self.folder / f"whole{old}", self.folder / "o")
            self.kill_at_random_moment(generator, new, seconds[new])
            with self.subTest(number=number):
                self.assert_whole(old if number >= 4 else new, new, csv)
                unfinished += (self.folder / "o/trajectory.partial").exists()
                if (self.folder / "o/trajectory.h5").exists():
                    shutil.copy(self.folder / "o/trajectory.h5", self.folder / f"kept{number}.h5")
                    h5.append((self.folder / f"kept{number}.h5", {old + 1, new + 1}))
                if (self.folder / "o/checkpoint.h5").exists():
                    self.complete(max(self.LENGTHS), "o", "--restart", "o/checkpoint.h5")
                    self.assertEqual((self.folder / "o/trajectory.csv").read_bytes(), csv[max(self.LENGTHS)])
                else:  # a new run in the same folder works
                    self.complete(new, "o")
                self.assertEqual(self.files("o"), ["checkpoint.h5", "report.html", "summary.json", "trajectory.csv",
                                                   "trajectory.h5"])
        self.assertGreater(unfinished, 0, "no run was killed while it ran: the test tests nothing")
        self.assertGreater(len(h5), 0)
        for (path, allowed), found in zip(h5, read_h5(*(path for path, _ in h5), want="records")):
            self.assertIsInstance(found, dict, found)
            sizes = {found[name]["records"] for name in ("t", "q", "v", "p", "energy")}
            self.assertEqual(len(sizes), 1, path)
            self.assertLessEqual(sizes, allowed)

    def assert_whole(self, old, new, csv):
        folder = self.folder / "o"
        if (folder / "summary.json").exists():
            s = json.loads((folder / "summary.json").read_text())
            self.assertEqual(s["status"], "done")
            self.assertIn(s["steps"], (old, new))
        if (folder / "trajectory.csv").exists():
            self.assertIn((folder / "trajectory.csv").read_bytes(), (csv[old], csv[new]))
        if (folder / "report.html").exists():
            self.assertTrue((folder / "report.html").read_text().rstrip().endswith("</html>"))

    def test_unfinished_run_is_rescued_into_another_folder(self):
        """Files failed at the end; the folder also has the trajectory of an older run that began elsewhere."""
        self.write("kepler.toml", KEPLER)
        csv = ("--set", 'output.formats=["csv"]')
        self.run_json("kepler.toml", "--out", "full", "--until", "8", *csv)
        self.run_json("kepler.toml", "--out", "o", "--until", "6", "--set", "start.x=0.5")  # has a trajectory.h5
        (self.folder / "o/trajectory.csv").mkdir()
        done = self.varia("run", "kepler.toml", "--out", "o", "--until", "5", *csv)
        self.assert_refused(done, "trajectory.csv", code=4)
        self.run_json("kepler.toml", "--out", "p", "--until", "8", "--restart", "o/checkpoint.h5", *csv)
        self.assertEqual((self.folder / "p/trajectory.csv").read_bytes(),
                         (self.folder / "full/trajectory.csv").read_bytes())


class BadPlaces(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("kepler.toml", KEPLER)

    def test_folder_that_cannot_be_made(self):
        self.write("file", "text")
        for place in ("file/out", "file", "/proc/out", "/proc/self/out", "/dev/null/out"):
            for verb in (("run",), ("compare", "--methods", "verlet")):
                with self.subTest(place=place, verb=verb[0]):
                    done = self.varia(verb[0], "kepler.toml", "--out", place, *verb[1:])
                    self.assert_refused(done, place, "folder", code=4)
        self.assertEqual((self.folder / "file").read_text(), "text")

    def test_output_that_is_a_folder(self):
        for name in ("summary.json", "trajectory.h5", "trajectory.csv", "trajectory.json", "checkpoint.h5",
                     "report.html"):
            with self.subTest(name):
                (self.folder / "o" / name).mkdir(parents=True)
                done = self.varia("run", "kepler.toml", "--out", "o", "--set", "output.report=true",
                                  "--set", 'output.formats=["h5", "csv", "json"]')
                self.assert_refused(done, f"o/{name}", code=4)
                self.assertFalse([f for f in self.files("o") if f.endswith(".tmp")])
                shutil.rmtree(self.folder / "o")

    def mount(self, kilobytes):
        """A small disk at "small"; without the right to mount one, a limit for the size of every file. Returns what
        the system says when the room is used up."""
        place = self.folder / "small"
        place.mkdir()
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(place)],
                              capture_output=True, text=True, check=False)
        if done.returncode == 0:
            self.addCleanup(subprocess.run, ["umount", str(place)], check=True)
            return "No space left on device"
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024*kilobytes, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_FSIZE, (soft, hard))
        return "File too large"

    def test_full_disk(self):
        reason = self.mount(200)
        cases = {
            "records": ("--until", "5000", "--set", 'output.formats=["h5"]'),
            "csv": ("--until", "60", "--set", 'output.formats=["csv"]'),
            "h5": ("--until", "60", "--set", 'output.formats=["h5"]', "--set", "system.observe={}"),
            "json": ("--until", "60", "--set", 'output.formats=["json"]'),
            "report": ("--until", "1", "--set", "output.report=true"),
        }
        for name, options in cases.items():
            with self.subTest(name):
                done = self.varia("run", "kepler.toml", "--out", "small/o", *options)
                if name != "h5":  # what HDF5 compresses may fit
                    self.assert_refused(done, "small/o/", reason, code=4)
                self.assertNotIn("summary.json" if done.returncode else ".tmp", self.files("small/o"))
                self.assertFalse([f for f in self.files("small/o") if f.endswith(".tmp")])
                shutil.rmtree(self.folder / "small/o")

    def test_a_full_disk_leaves_something_to_go_on_from(self):
        """The disk is full long before the first ten seconds are over."""
        options = ("--until", "300", "--set", 'output.formats=["csv"]')
        self.run_json("kepler.toml", "--out", "whole", *options)
        reason = self.mount(100)
        self.assert_refused(self.varia("run", "kepler.toml", "--out", "small/o", *options), reason, code=4)
        self.assertIn("checkpoint.h5", self.files("small/o"))
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))  # room, where the size of files is limited
        self.run_json("kepler.toml", "--out", "o", *options, "--restart", "small/o/checkpoint.h5")
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        self.assertEqual((self.folder / "o/trajectory.csv").read_bytes(),
                         (self.folder / "whole/trajectory.csv").read_bytes())

    def test_old_files_survive_a_full_disk(self):
        reason = self.mount(200)
        options = ("--set", 'output.formats=["csv"]', "--out", "small/o")
        self.run_json("kepler.toml", "--until", "10", *options)
        before = (self.folder / "small/o/trajectory.csv").read_bytes()
        summary = (self.folder / "small/o/summary.json").read_bytes()
        self.assert_refused(self.varia("run", "kepler.toml", "--until", "60", *options), reason, code=4)
        self.assertEqual((self.folder / "small/o/trajectory.csv").read_bytes(), before)
        self.assertEqual((self.folder / "small/o/summary.json").read_bytes(), summary)

    def test_second_run_in_the_same_folder(self):
        self.write("pendulum.toml", PENDULUM)
        first = self.begin("run", "pendulum.toml", "--out", "o", "--set", "run.steps=4000000000", "--every", "1000000",
                           "--set", "run.evaluation=native")
        while first.poll() is None and not (self.folder / "o/checkpoint.h5").exists():
            time.sleep(0.005)
        self.assertIsNone(first.poll())
        done = self.varia("run", "kepler.toml", "--out", "o")
        self.assert_refused(done, "o/", "another run", code=4)
        self.assertIsNone(first.poll(), "the first run goes on")
        self.assertEqual(self.files("o"), ["checkpoint.h5", "trajectory.partial"])
        self.run_json("kepler.toml", "--out", "elsewhere")
        first.kill()
        first.communicate()
        self.run_json("kepler.toml", "--out", "o")  # the lock ends with the process
        self.assertEqual(self.files("o"), ["checkpoint.h5", "summary.json", "trajectory.h5"])


def resident_bytes(process):
    """VmRSS, or None when the process has ended."""
    try:
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
            for line in status:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1])*1024
    except OSError:
        pass
    return None


@unittest.skipUnless(os.path.exists("/proc/self/status"), "needs /proc")
@unittest.skipIf(SANITIZED, "the address sanitizer keeps freed memory")
class Memory(ProgramTest):
    LIMIT = 20e6

    def test_ten_million_steps(self):
        self.write("pendulum.toml", PENDULUM)
        options = ("--set", "run.evaluation=native", "--every", "1000", "--set", "output.report=true", "--quiet")
        self.run_json("pendulum.toml", *options)  # the compiler has run
        process = self.begin("run", "pendulum.toml", "--out", "o", "--set", "run.steps=10000000", *options)
        samples = []
        while process.poll() is None:
            size = resident_bytes(process)
            if size is not None and (self.folder / "o/trajectory.partial").exists():  # it steps
                samples.append(size)
            time.sleep(0.002)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(self.summary("o")["steps"], 10000000)
        self.assertGreater(len(samples), 20, "too few samples to tell")
        after_tenth = samples[len(samples)//10]
        self.assertLess(max(samples) - after_tenth, self.LIMIT)

    def peak(self, *arguments):
        """The largest resident memory of a run, in bytes, as the system counted it."""
        with open(os.devnull, "w", encoding="ascii") as nothing:
            pid = os.posix_spawn(PROGRAM, [PROGRAM, *arguments], self.environment(),
                                 file_actions=[(os.POSIX_SPAWN_DUP2, nothing.fileno(), 1)])
            _, status, usage = os.wait4(pid, 0)
        self.assertEqual(status, 0)
        return usage.ru_maxrss*1024

    def test_many_records(self):
        """Ten times the records, 48 MB of them, in the same memory; every format."""
        self.write("pendulum.toml", PENDULUM)
        common = ("run", str(self.folder / "pendulum.toml"), "--out", str(self.folder / "o"), "--quiet",
                  "--set", "output.report=true", "--set", 'output.formats=["h5", "csv", "json"]')
        few = self.peak(*common, "--set", "run.steps=30000")
        many = self.peak(*common, "--set", "run.steps=600000")
        self.assertLess(many - few, self.LIMIT/2)
        self.assertEqual(self.summary("o")["records"], 600001)


if __name__ == "__main__":
    unittest.main()
