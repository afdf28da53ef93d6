# SPDX-License-Identifier: BSD-3-Clause
"""Bad scenarios of solids end with code 2 and a message with place and key; good ones are shown."""
import json
import unittest

from program import ProgramTest

PLATE = """title = "Plate"
[solid]
mesh = { generate = "block", size = [1, 1], elements = [4, 4], grading = 4 }
material = { model = "neo_hookean", lambda = 93e9, mu = 10e9, density = 7800 }
parameters = { p = 1e6 }
[[solid.fix]]
boundary = "left"
position = { x = "X", y = "Y" }
[[solid.load]]
where = "X > 1 - 1e-9"
traction = { y = "-p*sin(100*t)" }
[run]
method = "avi"
courant = 0.1
until = 1e-5
"""


class SolidTest(ProgramTest):
    def changed(self, old, new):
        self.assertEqual(PLATE.count(old), 1, old)
        self.write("s.toml", PLATE.replace(old, new))

    def refused(self, old, new, key, *words, verb="show", code=2):
        """The plate with one part changed is refused at the line of the change, for the key."""
        self.changed(old, new)
        line = PLATE[:PLATE.index(old)].count("\n") + 1
        done = self.varia(verb, "s.toml")
        self.assert_refused(done, f"varia: s.toml:{line}:", f" {key}: ", *words, code=code)
        self.assertFalse((self.folder / "out").exists(), "a refused request writes nothing")
        return done.stderr


class BadSolid(SolidTest):
    def test_mesh(self):
        self.refused('"block"', '"blok"', "solid.mesh.generate", "block, l_beam, slab, blade, slivers", "mean block?",
                     verb="run")
        self.refused("grading = 4", "gradign = 4", "solid.mesh.gradign", "unknown key", "mean grading?", verb="run")
        self.refused("grading = 4", "level = 4", "solid.mesh.level", "not a number of block",
                     "size, elements, grading")
        self.refused("grading = 4", "grading = 0.1", "solid.mesh", "grading", "0.1")
        self.refused("[4, 4]", "[4, 0]", "solid.mesh", "elements", "0")
        self.refused("[4, 4]", "[40000, 40000]", "solid.mesh", "limit")
        self.refused("[1, 1]", "[1, 1, 1, 1]", "solid.mesh", "2 or 3")

    def test_mesh_file(self):
        block = 'generate = "block", size = [1, 1], elements = [4, 4], grading = 4'
        self.changed(block, 'file = "none.msh"')
        self.assert_refused(self.varia("show", "s.toml"), "none.msh", "No such file", code=4)
        self.changed(block, 'file = "bad.msh"')
        for content in (b"", b"\x00" * 100, b"$MeshFormat\n4.1 0 8\n", b"not a mesh", bytes(range(256)) * 10):
            (self.folder / "bad.msh").write_bytes(content)
            self.assert_refused(self.varia("show", "s.toml"), "bad.msh")
        (self.folder / "d").mkdir()
        self.changed(block, 'file = "d"')
        self.assert_refused(self.varia("show", "s.toml"), "d: is a directory", code=4)
        self.refused(block, 'file = "a.msh", generate = "block"', "solid.mesh.generate", "one of them")

    def test_material(self):
        self.refused("neo_hookean", "neo_hooke", "solid.material.model", "st_venant_kirchhoff", "mean neo_hookean?")
        self.refused("mu = 10e9", "my = 10e9", "solid.material.my", "no such constant", "mean mu?")
        self.refused("mu = 10e9, ", "", "solid.material", "mu")
        self.refused("mu = 10e9", "mu = 0", "solid.material", "mu")
        self.refused("density = 7800", "density = -1", "solid.material.density", "greater than 0")
        self.refused("density = 7800", 'density = "q"', "solid.material.density", "'q'")
        self.changed("material =", "#")
        self.assert_refused(self.varia("show", "s.toml"), "s.toml:2:", "solid.material: missing",
                            "32 of 32 elements")

    def test_where(self):
        message = self.refused('"X > 1 - 1e-9"', '"X > 1 and Y < yy"', "solid.load[1].where", "unknown name 'yy'", "Y")
        lines = message.splitlines()
        self.assertEqual(lines[-2][lines[-1].index("^"):], "yy", message)
        self.refused('"X > 1 - 1e-9"', '"X = 1"', "solid.load[1].where", "equality is written ==")
        self.refused('"X > 1 - 1e-9"', '"X"', "solid.load[1].where", "compares")
        self.refused('"X > 1 - 1e-9"', '"Z > 1"', "solid.load[1].where", "'Z'")
        self.refused('"X > 1 - 1e-9"', '""', "solid.load[1].where", "empty")

    def test_names_and_components(self):
        self.refused('"left"', '"lfet"', "solid.fix[1].boundary", "left, right", "mean left?")
        self.refused('y = "Y" }', 'z = "0" }', "solid.fix[1].position.z", "plane")
        self.refused('y = "Y" }', 'w = "0" }', "solid.fix[1].position.w", "x, y, z")
        self.refused('"-p*sin(100*t)"', '"-p/t"', "solid.load[1].traction.y", "division by zero")
        self.refused("[run]", "[solid.body_forces]\nx = 1\n[run]", "solid.body_forces", "mean body_force?")

    def test_run(self):
        self.refused('"avi"', '"verlet"', "run.method", "avi, newmark", verb="run")
        self.refused("courant = 0.1", "step = 0.1", "run.step", "courant", "newmark", verb="run")
        self.refused("until = 1e-5", "until = -1", "run.until", "after the start")
        self.changed("until = 1e-5", "steps = 100")
        self.assert_refused(self.varia("show", "s.toml"), "run.steps", "until")
        self.changed("until", "until")
        self.assert_refused(self.varia("show", "s.toml", "--step", "1"), "varia: --step 1: run.step: ", "newmark")
        self.assert_refused(self.varia("show", "s.toml", "--method", "gauss(2)"), "varia: --method gauss(2): run.method",
                            "avi, newmark")
        self.assert_refused(self.varia("show", "s.toml", "--set", "q=1"), "neither a parameter (p)", "courant")

    def test_with_a_system(self):
        self.refused("[solid]", '[start]\nx = 1\n[solid]', "start", "[solid.start]", verb="run")


class Show(SolidTest):
    def show(self, *arguments):
        return json.loads(self.assert_done(self.varia("show", "s.toml", "--json", *arguments)).stdout)

    def test_plate(self):
        self.write("s.toml", PLATE)
        found = self.show()
        self.assertEqual(found["mesh"], {"source": "block", "nodes": 25, "elements": 32, "kind": "T3",
                                         "volume": found["mesh"]["volume"]})
        self.assertAlmostEqual(found["mesh"]["volume"], 1)
        self.assertAlmostEqual(found["mass"], 7800)
        self.assertEqual(found["supports"], [{"key": "solid.fix[1]", "text": "left", "count": 5}])
        self.assertEqual(found["loads"][0]["count"], 4)
        speed = (113e9/7800)**0.5
        self.assertAlmostEqual(found["materials"][0]["wave_speed"], speed, delta=1e-9*speed)
        steps, size = found["steps"], found["inradius"]
        self.assertAlmostEqual(steps["smallest"], 0.1*size["smallest"]/speed, delta=1e-12*steps["smallest"])
        self.assertAlmostEqual(found["speed_up"], steps["harmonic_mean"]/steps["smallest"], places=9)
        self.assertGreater(found["speed_up"], 1.2)
        self.assertLess(found["largest_step_over_stable"], 1)
        self.assertEqual(found["warnings"], [])

    def test_options(self):
        self.write("s.toml", PLATE)
        self.assertEqual(self.show("--method", "newmark", "--step", "1e-8")["method"], "newmark")
        self.assertAlmostEqual(self.show("--until", "2e-5")["span"], 2e-5)
        self.assertEqual(self.show("--set", "solid.mesh.order=2")["mesh"]["kind"], "T6")
        self.assertEqual(self.show("--set", "solid.mesh.size=[1,1,1]", "--set",
                                   "solid.mesh.elements=[2,2,2]", "--set",
                                   "solid.fix[1].position.y=Y")["mesh"]["kind"], "Tet4")

    def test_text(self):
        self.write("s.toml", PLATE.replace('"X > 1 - 1e-9"', '"X > 1"'))
        text = self.assert_done(self.varia("show", "s.toml")).stdout
        for word in ("Plate", "25 nodes", "32 elements T3", "neo_hookean", "left: 5 nodes", "Speed-up", "warning:",
                     "solid.load[1].where", "0 <= X <= 1, 0 <= Y <= 1"):
            self.assertIn(word, text)

    def test_standard_input(self):
        done = self.varia("show", "-", "--json", stdin=PLATE)
        self.assertEqual(json.loads(self.assert_done(done).stdout)["mesh"]["elements"], 32)


if __name__ == "__main__":
    unittest.main()
