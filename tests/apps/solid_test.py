# SPDX-License-Identifier: BSD-3-Clause
"""varia run for solids: files, restart to the bit, Ctrl-C, failures, snapshots that others read."""
import base64
import json
import os
import shutil
import signal
import struct
import subprocess
import time
import unittest
import xml.etree.ElementTree

from program import KEPLER, SPIN, ProgramTest, read_csv, read_h5

CANTILEVER = """title = "Cantilever"
[solid]
mesh = { generate = "block", size = [2, 1, 1], elements = [3, 1, 1], order = 2 }
material = { model = "st_venant_kirchhoff", young = 10, poisson = 0.3, density = 1 }
[[solid.fix]]
where = "X < 1e-9"
position = { x = "X", y = "Y + 0.05*sin(2*t)", z = "Z" }
[[solid.load]]
boundary = "right"
traction = { z = "-0.01*t" }
[run]
method = "avi"
until = 1
records = 20
frames = 3
[output]
formats = ["csv", "h5", "vtu"]
report = false
"""

SIZES = {"Float64": "d", "Float32": "f", "Int64": "q", "Int32": "i", "UInt8": "B"}
OWN = {"wall_seconds", "steps_per_second", "files", "evaluation", "updates"}


def read_vtu(path):
    """The arrays of a snapshot by name, and its attributes: XML and base64 by hand."""
    root = xml.etree.ElementTree.parse(path).getroot()
    order = "<" if root.get("byte_order") == "LittleEndian" else ">"
    arrays = {}
    for element in root.iter("DataArray"):
        if element.get("format") == "ascii":
            arrays[element.get("Name")] = [float(x) for x in element.text.split()]
            continue
        data = base64.b64decode(element.text.strip(), validate=True)
        size = struct.unpack(order + "Q", data[:8])[0]
        assert size == len(data) - 8, element.get("Name")
        code = SIZES[element.get("type")]
        arrays[element.get("Name")] = list(struct.unpack(f"{order}{size//struct.calcsize(code)}{code}", data[8:]))
    piece = next(root.iter("Piece"))
    return arrays, int(piece.get("NumberOfPoints")), int(piece.get("NumberOfCells"))


def numbers(text, code):
    """Of a page: base64 of 32-bit numbers."""
    data = base64.b64decode(text)
    return struct.unpack(f"<{len(data)//4}{code}", data)


class Files(ProgramTest):
    def test_files_and_summary(self):
        self.write("spin.toml", SPIN)
        s = self.run_json("spin.toml", "--out", "o")
        self.assertEqual(self.files("o"), ["checkpoint.h5", "solid.pvd", *[f"solid_000{i}.vtu" for i in range(5)],
                                           "summary.json", "trajectory.csv", "trajectory.h5"])
        self.assertEqual(s, self.summary("o"))
        self.assertEqual((s["status"], s["method"], s["order"], s["t_end"]), ("done", "avi", 2, 4))
        self.assertEqual(s["mesh"], {"nodes": 25, "elements": 32, "kind": "T3"})
        u = s["updates"]
        self.assertEqual(u["max"], s["steps"])
        self.assertLess(u["min"], u["max"])
        self.assertAlmostEqual(u["ratio"], u["newmark_equivalent"]/u["total"])
        self.assertEqual((len(s["momentum"]["linear"]), len(s["momentum"]["angular"])), (2, 1))
        self.assertLess(s["momentum"]["max_change"], 1e-13)
        self.assertGreater(s["energy_residual"]["max_relative"], 0)
        self.assertEqual(s["records"], 65)
        self.assertNotIn("bad", [v["status"] for v in s["verdicts"]])
        names, rows = read_csv(self.folder / "o/trajectory.csv")
        for name in ("t", "centre_x", "centre_y", "energy", "kinetic", "potential", "max_displacement", "updates",
                     "rotation", "corner", "P_x", "P_y", "L_z"):
            self.assertIn(name, names)
        self.assertEqual(len(rows), 65)
        self.assertEqual([row[0] for row in rows], [i/16 for i in range(65)])

    def test_h5(self):
        self.write("spin.toml", SPIN)
        self.run_json("spin.toml", "--out", "o")
        found, = read_h5(self.folder / "o/trajectory.h5")
        self.assertEqual(found["t"]["records"], 65)
        self.assertIn("observe/corner", found)
        self.assertIn("momenta/L_z", found)

    def test_default_files_and_terminal(self):
        self.write("spin.toml", SPIN.split("[output]", maxsplit=1)[0])
        done = self.assert_done(self.varia("run", "spin.toml"))
        files = self.files("out/spin")
        for name in ("checkpoint.h5", "report.html", "summary.json", "trajectory.h5", "solid.pvd"):
            self.assertIn(name, files)
        for word in ("Spinning block: avi to t = 4", "32 T3 elements", "updates in", "linear momentum", "energy"):
            self.assertIn(word, done.stdout)

    def page_of(self, text):
        """The data of the report of a scenario."""
        self.write("solid.toml", text.replace("report = false", "report = true"))
        self.run_json("solid.toml", "--out", "o")
        return self.report_data("o")

    def test_numbers_have_one_meaning(self):
        """What the page draws, the verdicts say and the summary holds is the same number."""
        for name, text in (("plane", SPIN), ("space", CANTILEVER.replace("*t", ""))):
            with self.subTest(name):
                data = self.page_of(text)
                s = self.summary("o")
                energy, = [c["values"] for c in data["columns"] if c["kind"] == "energy_error"]
                largest = max(abs(x) for x in energy)
                self.assertAlmostEqual(largest/s["energy"]["error_of_exchanged"], 1, places=4)
                verdicts = {v["name"]: v for v in s["verdicts"]}
                value = verdicts["energy"]["value"]
                said = float(value.split()[0])/(100 if value.endswith("%") else 1)
                self.assertAlmostEqual(said/largest, 1, delta=6e-3)
                self.assertIn(f"{value} of the exchanged energy", verdicts["energy"]["text"])
                everywhere = numbers(data["solid"]["all_updates"], "f")
                self.assertEqual((len(everywhere), sum(everywhere)), (s["mesh"]["elements"], s["updates"]["total"]))
                self.assertEqual((min(everywhere), max(everywhere)), (s["updates"]["min"], s["updates"]["max"]))
                self.assertAlmostEqual(float(verdicts["updates"]["value"])/s["updates"]["ratio"], 1, delta=6e-3)

    def test_report(self):
        data = self.page_of(CANTILEVER)
        solid = data["solid"]
        triangles, edges = numbers(solid["triangles"], "i"), numbers(solid["edges"], "i")
        self.assertEqual(solid["dimension"], 3)
        self.assertEqual(len(triangles) % 12, 0, "faces of Tet10 are cut into four")
        self.assertEqual(sorted(set(triangles)), list(range(solid["nodes"])))
        self.assertLess(max(edges), solid["nodes"])
        count = len(triangles)//3
        self.assertEqual(len(numbers(solid["element"], "i")), count)
        self.assertTrue(all(x > 0 for x in numbers(solid["updates"], "f")))
        self.assertEqual([frame["t"] for frame in solid["frames"]], [0, 0.5, 1])
        self.assertNotIn("note", solid, "nothing is left out")
        for frame in solid["frames"]:
            self.assertEqual(len(numbers(frame["x"], "f")), 3*solid["nodes"])
            self.assertEqual(len(numbers(frame["speed"], "f")), solid["nodes"])
            self.assertEqual(len(numbers(frame["stress"], "f")), count)
        self.assertIn("energy", [c["name"] for c in data["columns"]])
        self.assertEqual(self.files("o").count("frames.partial"), 0)

    def test_json_is_alone_and_quiet_is_silent(self):
        self.write("spin.toml", SPIN)
        self.assertEqual(self.assert_done(self.varia("run", "spin.toml", "--quiet")).stdout, "")


class Snapshots(ProgramTest):
    def test_by_hand(self):
        self.write("spin.toml", SPIN)
        self.run_json("spin.toml", "--out", "o")
        times = [float(d.get("timestep")) for d in
                 xml.etree.ElementTree.parse(self.folder / "o/solid.pvd").getroot().iter("DataSet")]
        self.assertEqual(times, [0, 1, 2, 3, 4])
        first, points, cells = read_vtu(self.folder / "o/solid_0000.vtu")
        last, _, _ = read_vtu(self.folder / "o/solid_0004.vtu")
        self.assertEqual((points, cells), (25, 32))
        self.assertEqual((first["TimeValue"], last["TimeValue"]), ([0], [4]))
        self.assertEqual(first["connectivity"], last["connectivity"])
        self.assertEqual(set(first["types"]), {5})
        self.assertEqual(set(first["updates"]), {0})
        self.assertEqual(sum(last["updates"]), self.summary("o")["updates"]["total"])
        self.assertEqual(last["Points"], first["Points"])
        self.assertEqual(set(first["displacement"]), {0})
        corner = next(i for i in range(points) if first["Points"][3*i:3*i + 3] == [1, 1, 0])
        observed = self.summary("o")["observe"]["corner"]["final"]
        self.assertNotAlmostEqual(observed, 1, places=2)
        self.assertAlmostEqual(last["Points"][3*corner] + last["displacement"][3*corner], observed, places=12)
        self.assertEqual(len(last["stress"]), 6*cells)
        self.assertTrue(all(x >= 0 for x in last["von_mises"]))
        self.assertGreater(max(last["von_mises"]), 0)
        self.assertEqual(set(last["region"]), {0})

    def order_of_the_user(self, *options):
        """The mesh of the file, whatever order the program computes in."""
        nodes = [(x, y) for y in range(4) for x in range(4)]
        elements = []
        for y in range(3):
            for x in range(3):
                a, b, c, d = (4*y + x + 1, 4*y + x + 2, 4*y + x + 6, 4*y + x + 5)
                elements += [(a, b, c), (a, c, d)]
        elements.reverse()
        text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n16\n"
        text += "".join(f"{i + 1} {x} {y} 0\n" for i, (x, y) in enumerate(nodes)) + "$EndNodes\n$Elements\n18\n"
        text += "".join(f"{i + 1} 2 2 1 1 {a} {b} {c}\n" for i, (a, b, c) in enumerate(elements)) + "$EndElements\n"
        self.write("part.msh", text)
        self.write("part.toml", SPIN.replace('generate = "block", size = [1, 1], elements = [4, 4], grading = 4',
                                             'file = "part.msh"'))
        self.run_json("part.toml", "--out", "o", *options)
        found, _, _ = read_vtu(self.folder / "o/solid_0000.vtu")
        self.assertEqual(found["Points"], [float(v) for x, y in nodes for v in (x, y, 0)])
        self.assertEqual(found["connectivity"], [n - 1 for element in elements for n in element])

    def test_order_of_the_user(self):
        self.order_of_the_user()

    def test_other_readers(self):
        """VTK itself and meshio, of the system's Python, as far as they are there."""
        self.write("cantilever.toml", CANTILEVER)
        self.run_json("cantilever.toml", "--out", "o")
        path = str(self.folder / "o/solid_0002.vtu")
        by_hand, points, cells = read_vtu(path)
        scripts = {"meshio": "import json, meshio, sys; m = meshio.read(sys.argv[1]); print(json.dumps("
                             "[m.points.tolist(), m.cells[0].type, m.cells[0].data.tolist(),"
                             " m.cell_data['von_mises'][0].tolist()]))",
                   "vtk": "import json, sys, vtk; from vtk.util.numpy_support import vtk_to_numpy as n\n"
                          "r = vtk.vtkXMLUnstructuredGridReader(); r.SetFileName(sys.argv[1]); r.Update()\n"
                          "g = r.GetOutput(); print(json.dumps([n(g.GetPoints().GetData()).tolist(),"
                          " {24: 'tetra10'}[g.GetCellType(0)],"
                          " n(g.GetCells().GetConnectivityArray()).reshape(g.GetNumberOfCells(), -1).tolist(),"
                          " n(g.GetCellData().GetArray('von_mises')).tolist()]))"}
        read = 0
        for name, script in scripts.items():
            there = subprocess.run(["/usr/bin/python3", "-c", f"import {name}"], capture_output=True, check=False)
            if there.returncode != 0:
                continue
            read += 1
            done = subprocess.run(["/usr/bin/python3", "-c", script, path], capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 0, name + ": " + done.stderr)
            x, kind, connectivity, von_mises = json.loads(done.stdout.splitlines()[-1])
            self.assertEqual((len(x), len(connectivity), kind), (points, cells, "tetra10"), name)
            self.assertEqual(sum(x, []), by_hand["Points"], name)
            self.assertEqual(sum(connectivity, []), by_hand["connectivity"], name)
            self.assertEqual(von_mises, by_hand["von_mises"], name)
        self.assertGreater(read, 0, "/usr/bin/python3 has neither meshio nor vtk")


class SetUp(ProgramTest):
    def test_mesh_that_is_a_pipe(self):
        os.mkfifo(self.folder / "part.msh")
        self.write("part.toml", SPIN.replace('{ generate = "block", size = [1, 1], elements = [4, 4], grading = 4 }',
                                             '{ file = "part.msh" }'))
        process = self.begin("run", "part.toml")
        output, errors = process.communicate(timeout=20)
        self.assertEqual((process.returncode, output), (4, ""))
        self.assertIn("part.msh: is a pipe", errors)

    def test_signal_while_the_mesh_is_made(self):
        """There is nothing to save yet: the program ends at once."""
        self.write("large.toml", SPIN.replace("elements = [4, 4]", "elements = [1200, 1200]"))
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(signal=number.name):
                process = self.begin("run", "large.toml", "--out", "o")
                time.sleep(0.5)
                self.assertIsNone(process.poll(), "the mesh was made too soon: the test tests nothing")
                self.assertFalse((self.folder / "o").exists())
                begin = time.monotonic()
                process.send_signal(number)
                process.communicate(timeout=60)
                self.assertEqual(process.returncode, -number)
                self.assertLess(time.monotonic() - begin, 0.5)


class Restart(ProgramTest):
    def assert_same(self, folder, other):
        one, two = self.summary(folder), self.summary(other)
        for key in one:
            if key not in OWN:
                self.assertEqual(one[key], two[key], key)
        for name in self.files(folder):
            if name.endswith((".csv", ".vtu", ".pvd")):
                self.assertEqual((self.folder / folder / name).read_bytes(),
                                 (self.folder / other / name).read_bytes(), name)
        self.assertEqual(self.files(folder), self.files(other))

    def test_to_the_bit(self):
        self.write("spin.toml", SPIN)
        self.write("cantilever.toml", CANTILEVER)
        cases = [("spin.toml", "4", "2"), ("cantilever.toml", "1", "0.5")]
        for scenario, until, half in cases:
            for method in ("avi", "newmark"):
                with self.subTest(scenario=scenario, method=method):
                    # with a given step both ends are whole numbers of steps
                    step = ("--step", str(1/256)) if method == "newmark" else ()
                    options = ("--method", method, *step, "--set", 'output.formats=["csv", "h5"]')
                    records = 64 if scenario == "spin.toml" else 20
                    self.run_json(scenario, "--out", "full", "--until", until, *options,
                                  "--set", f"run.records={records}")
                    self.run_json(scenario, "--out", "half", "--until", half, *options,
                                  "--set", f"run.records={records//2}")
                    self.run_json(scenario, "--out", "half", "--until", until, *options,
                                  "--set", f"run.records={records}", "--restart", "half/checkpoint.h5")
                    full, half_summary = self.summary("full"), self.summary("half")
                    self.assertEqual(full["final"], half_summary["final"])
                    self.assertEqual(full["energy"], half_summary["energy"])
                    self.assertEqual((self.folder / "full/trajectory.csv").read_bytes(),
                                     (self.folder / "half/trajectory.csv").read_bytes())
                    shutil.rmtree(self.folder / "half")

    def long_run(self, *options):
        self.write("spin.toml", SPIN)
        return ("run", "spin.toml", "--out", "o", "--until", "200000", "--set", "run.records=100000", *options)

    def going(self, *options):
        """A run of minutes, once it has begun to write."""
        process = self.begin(*self.long_run(*options))
        checkpoint = self.folder / "o/checkpoint.h5"
        while process.poll() is None and not checkpoint.exists():
            time.sleep(0.005)
        time.sleep(0.3)
        return process

    def test_interrupt(self):
        process = self.going()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("--restart o/checkpoint.h5", errors)
        s = self.summary("o")
        self.assertEqual(s["status"], "interrupted")
        names = self.files("o")
        self.assertIn("trajectory.h5", names)
        self.assertNotIn("trajectory.partial", names)
        for name in names:
            if name.endswith(".vtu"):
                read_vtu(self.folder / "o" / name)
        # a little further, in one piece and in two
        until = str(2.0*max(1, int(s["t_end"])) + 2)
        again = ("--until", until, "--restart", "o/checkpoint.h5", "--set", "run.frames=2")
        self.run_json("spin.toml", "--out", "two", *again)
        spacing = 2.0
        self.run_json("spin.toml", "--out", "one", "--until", until, "--set",
                      f"run.records={int(float(until)/spacing)}", "--set", "run.frames=2")
        one, two = self.summary("one"), self.summary("two")
        self.assertEqual(one["final"], two["final"])
        self.assertEqual((self.folder / "one/trajectory.csv").read_bytes(),
                         (self.folder / "two/trajectory.csv").read_bytes())

    def test_killed(self):
        process = self.going()
        process.kill()
        process.communicate(timeout=60)
        self.assertIn("trajectory.partial", self.files("o"))
        self.run_json("spin.toml", "--out", "o", "--until", "40", "--restart", "o/checkpoint.h5")
        self.assertEqual(self.summary("o")["t_end"], 40)
        self.assertNotIn("trajectory.partial", self.files("o"))

    def test_damaged_frames(self):
        self.write("spin.toml", SPIN.replace("report = false", "report = true"))
        blocked = self.folder / "o/trajectory.csv"
        blocked.mkdir(parents=True)  # no file can be written there: the logs stay
        self.varia("run", "spin.toml", "--out", "o", "--until", "2")
        blocked.rmdir()
        frames = self.folder / "o/frames.partial"
        whole = frames.read_bytes()
        again = ("run", "spin.toml", "--out", "o", "--restart", "o/checkpoint.h5")
        for damaged in (whole[:100] + b"?" + whole[101:], whole[:-1], whole[:20]):
            frames.write_bytes(damaged)
            before = {name: (self.folder / "o" / name).read_bytes() for name in self.files("o")}
            self.assert_refused(self.varia(*again), "o/frames.partial", "frames", code=4)
            self.assertEqual({name: (self.folder / "o" / name).read_bytes() for name in self.files("o")}, before)
        frames.write_bytes(whole)
        self.assert_done(self.varia(*again))
        self.assertNotIn("frames.partial", self.files("o"))

    def test_a_second_run_in_the_folder_is_refused(self):
        process = self.going()
        self.assert_refused(self.varia(*self.long_run()), "o/", code=4)
        process.kill()
        process.communicate(timeout=60)

    def test_refused(self):
        self.write("spin.toml", SPIN)
        self.write("kepler.toml", KEPLER)
        self.run_json("spin.toml", "--out", "o")
        self.run_json("kepler.toml", "--out", "k")
        again = ("run", "spin.toml", "--out", "p", "--restart", "o/checkpoint.h5")
        self.assert_refused(self.varia(*again, "--method", "newmark"), "another method")
        self.assert_refused(self.varia(*again, "--set", "run.courant=0.2"), "another courant")
        self.assert_refused(self.varia(*again, "--until", "1"), "later until")
        self.assert_refused(self.varia("run", "spin.toml", "--restart", "k/checkpoint.h5"), "not of a solid")
        self.assert_refused(self.varia("run", "kepler.toml", "--restart", "o/checkpoint.h5"), "of a solid")
        corner = 'solid.observe.corner={ at = [0, 1], what = "x" }'
        self.assert_refused(self.varia(*again, "--until", "5", "--set", corner), "solid.observe.corner.at", "[1, 1]",
                            "[0, 1]")
        self.assert_refused(self.varia(*again, "--until", "5", "--set", "solid.start.t=1"), "solid.start.t", "1")
        unit = 'output.units.length="mm"'
        self.assert_refused(self.varia(*again, "--until", "5", "--set", unit), "output.units.length", "mm")
        self.assertFalse((self.folder / "p").exists())

    def test_a_load_that_is_nothing_at_the_start(self):
        """Neither masses nor the forces of the start tell the loads or the materials apart."""
        self.write("cantilever.toml", CANTILEVER)
        self.run_json("cantilever.toml", "--out", "o", "--until", "0.1")
        again = ("run", "--out", "p", "--until", "0.2", "--restart", "o/checkpoint.h5")
        self.write("other.toml", CANTILEVER.replace("-0.01*t", "-0.02*t"))
        self.assert_refused(self.varia(*again, "other.toml"), "another solid", "solid.load[1].traction.z", "-0.02*t")
        self.write("other.toml", CANTILEVER.replace("0.05*sin(2*t)", "0.04*sin(2*t)"))
        self.assert_refused(self.varia(*again, "other.toml"), "another solid", "solid.fix[1].position.y")
        self.write("other.toml", CANTILEVER.replace("st_venant_kirchhoff", "neo_hookean"))
        self.assert_refused(self.varia(*again, "other.toml"), "another solid")


class Same(ProgramTest):
    def test_threads_and_schedules(self):
        self.write("spin.toml", SPIN)
        self.run_json("spin.toml", "--out", "one")
        for name, option in (("two", "run.threads=2"), ("four", "run.threads=4"), ("queue", "run.schedule=queue")):
            self.run_json("spin.toml", "--out", name, "--set", option)
            self.assertEqual((self.folder / "one/trajectory.csv").read_bytes(),
                             (self.folder / name / "trajectory.csv").read_bytes(), name)

    def test_equal_steps_are_newmark(self):
        uniform = SPIN.replace(", grading = 4", "")
        self.write("spin.toml", uniform)
        avi = self.run_json("spin.toml", "--set", "run.until=1")
        newmark = self.run_json("spin.toml", "--set", "run.until=1", "--method", "newmark", "--step",
                                repr(avi["step"]))
        self.assertEqual(avi["updates"]["max"], avi["updates"]["min"])
        self.assertAlmostEqual(avi["energy"]["initial"], newmark["energy"]["initial"], places=12)
        self.assertAlmostEqual(avi["updates"]["ratio"], 1.0)


class Failures(ProgramTest):
    def test_inside_out(self):
        self.write("spin.toml", SPIN.replace("spin = 0.5", 'velocity = { x = "sin(20*Y)" }')
                   .replace("courant = 0.3", "courant = 40"))
        done = self.varia("run", "spin.toml", "--out", "o")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, r"^varia: element \d+: .* t = .*smaller courant")
        self.assertEqual(self.summary("o")["status"], "failed")
        self.assertNotIn("trajectory.partial", self.files("o"))
        _, rows = read_csv(self.folder / "o/trajectory.csv")
        self.assertGreaterEqual(len(rows), 1)

    def test_bad_mesh(self):
        self.write("part.toml", SPIN.replace('generate = "block", size = [1, 1], elements = [4, 4], grading = 4',
                                             'file = "part.msh"'))
        self.assertEqual(self.varia("run", "part.toml").returncode, 4)
        self.write("part.msh", "this is not a mesh")
        done = self.varia("run", "part.toml")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("part.msh", done.stderr)

    def test_other_verbs(self):
        self.write("spin.toml", SPIN)
        done = self.varia("compare", "spin.toml", "--methods", "verlet")
        self.assert_refused(done, "solid")
        done = self.varia("check", "spin.toml", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual((report["method"], report["verdict"]), ("avi", "pass"))


if __name__ == "__main__":
    unittest.main()
