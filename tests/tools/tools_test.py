# SPDX-License-Identifier: BSD-3-Clause
"""The checks of tools/ report what they are there to report, and nothing else."""
import fcntl
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import check_equations  # noqa: E402
import check_kinds  # noqa: E402
import check_layers  # noqa: E402
import check_snippets  # noqa: E402
import check_tests  # noqa: E402
import compare_output  # noqa: E402
import mutate  # noqa: E402
import mutations  # noqa: E402


class Tree(unittest.TestCase):
    """A small source tree in a temporary folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def assert_one(self, found, *words):
        self.assertEqual(len(found), 1, found)
        for word in words:
            self.assertIn(word, found[0])


class Layers(Tree):
    def setUp(self):
        super().setUp()
        self.write("include/varia/core/types.hpp", "#include <vector>\n")
        self.write("include/varia/ad/jet.hpp", '#include "varia/core/types.hpp"\n')
        self.write("include/varia/varia.hpp", '#include "varia/ad/jet.hpp"\n')
        self.write("src/ad/jet.cpp", '#include "varia/ad/jet.hpp"\n#include "varia/core/version.hpp"\n')
        self.write("apps/varia.cpp", "#include <varia/varia.hpp>\n")

    def test_downward_includes_are_fine(self):
        self.assertEqual(check_layers.problems(self.root), [])

    def test_upward_include(self):
        self.write("include/varia/core/bad.hpp", '#include "varia/ad/jet.hpp"\n')
        self.assert_one(check_layers.problems(self.root), "core/bad.hpp", "ad/jet.hpp", "higher")

    def test_upward_include_by_a_relative_path(self):
        self.write("include/varia/core/bad.hpp", '#include "../ad/jet.hpp"\n')
        self.assert_one(check_layers.problems(self.root), "core/bad.hpp", "ad/jet.hpp", "higher")

    def test_upward_include_of_a_source_file(self):
        self.write("src/core/bad.cpp", "#include <varia/ad/jet.hpp>\n")
        self.assert_one(check_layers.problems(self.root), "src/core/bad.cpp")

    def test_umbrella_in_the_library(self):
        self.write("src/ad/bad.cpp", "#include <varia/varia.hpp>\n")
        self.assert_one(check_layers.problems(self.root), "src/ad/bad.cpp", "umbrella")

    def test_cycle_inside_a_layer(self):
        self.write("include/varia/ad/a.hpp", '#include "varia/ad/b.hpp"\n')
        self.write("include/varia/ad/b.hpp", '#include "varia/ad/a.hpp"\n')
        self.assert_one(check_layers.problems(self.root), "cycle", "a.hpp", "b.hpp")

    def test_unknown_folder(self):
        self.write("include/varia/misc/a.hpp", "")
        self.assert_one(check_layers.problems(self.root), "misc", "core, ad")

    def test_missing_header(self):
        self.write("include/varia/ad/a.hpp", '#include "varia/ad/absent.hpp"\n')
        self.assert_one(check_layers.problems(self.root), "absent.hpp", "does not exist")


class Kinds(Tree):
    def setUp(self):
        super().setUp()
        self.write("src/methods/method_list.cpp", '      {{.name = "verlet",\n        .order = "2",\n      {{.name = "gauss",\n')
        self.write("src/io/a.cpp", '// x == "verlet", dynamic_cast\nmake("verlet");\nif (kind == "energy") f();\n')

    def found(self, allowed=None):
        return check_kinds.problems(self.root, allowed or {})

    def test_good(self):
        self.assertEqual(self.found(), [])

    def test_every_form(self):
        for line in ('if (name == "verlet") f();', 'if ("gauss" != name) f();', 'name.starts_with("gauss(")',
                     's.method == "avi"', "if (q.is_rotation()) f();", "auto* b = dynamic_cast<const B*>(a);"):
            with self.subTest(line=line):
                self.write("include/varia/flow/b.hpp", "int a;\n" + line + "\n")
                self.assert_one(self.found(), "include/varia/flow/b.hpp:2", line)

    def test_allowed_in_its_place(self):
        self.write("src/io/b.cpp", 'if (name == "verlet") f();\n')
        self.assertEqual(self.found({"src/io/b.cpp": (1, "here")}), [])
        self.assert_one(self.found({"src/io/b.cpp": (2, "here")}), "src/io/b.cpp", "shorten")
        self.assert_one(self.found({"src/io/a.cpp": (0, "here")}), "src/io/b.cpp:1")


class Equations(Tree):
    def setUp(self):
        super().setUp()
        self.write("docs/references.bib", "@article{MW01,\n  year = {2001}\n}\n@book{HLW06,\n}\n")
        self.write("docs/theory/equations.md",
                   "# Equations\n\n## (pm-) Momentum\n\np0 = -D1 Ld [MW01, 1.5.1]\n\nTest: tests/a_test.cpp\n\n"
                   "### (pm+)\n\nTest: `tests/a_test.cpp`, `tests/b/c_test.cpp`\n")
        self.write("tests/a_test.cpp", "")
        self.write("tests/b/c_test.cpp", "")
        self.header("// p0 = -D1 Ld(q0, q1)   (pm-) [MW01]\n// f(x) [HLW06 VI.6]\nint a[3];\n")

    def header(self, text):
        self.write("include/varia/flow/flow.hpp", text)

    def test_good(self):
        self.assertEqual(check_equations.problems(self.root), [])

    def test_unknown_tag(self):
        self.header("// (pm-), (del) [MW01]\n")
        self.assert_one(check_equations.problems(self.root), "(del)", "flow.hpp:1")

    def test_unknown_tag_with_its_source_on_the_next_line(self):
        self.header("#pragma once\n// the equation (del)\n// [MW01; HLW06]\n")
        self.assert_one(check_equations.problems(self.root), "(del)", "flow.hpp:2")

    def test_unknown_tag_of_a_statement(self):
        self.header("#pragma once\n//   (pm-)   p0 = -D1 Ld      (del)  D2 + D1 = 0   [MW01]\n// a (word) in text\n")
        self.assert_one(check_equations.problems(self.root), "(del)", "flow.hpp:2")

    def test_unknown_source(self):
        self.header("// (pm-) [MW01; ABC99, 3.1]\n")
        self.assert_one(check_equations.problems(self.root), "ABC99", "flow.hpp:1")

    def test_equation_without_test(self):
        self.write("docs/theory/equations.md", "## (pm-)\n\ntext\n")
        self.assert_one(check_equations.problems(self.root), "(pm-)", "no test")

    def test_equation_with_absent_test(self):
        self.write("docs/theory/equations.md", "## (pm-)\n\nTest: tests/absent_test.cpp\n")
        self.assert_one(check_equations.problems(self.root), "absent_test.cpp")

    def test_tag_defined_twice(self):
        self.write("docs/theory/equations.md", "## (pm-)\nTest: tests/a_test.cpp\n## (pm-)\nTest: tests/a_test.cpp\n")
        self.assert_one(check_equations.problems(self.root), "twice")


class Snippets(Tree):
    def setUp(self):
        super().setUp()
        self.write("examples/a.cpp", "int main() {\n  // 1. Begin.\n  f();\n\n  if (g())\n    h();  \n  return 0;\n}\n")
        self.write("tests/flow/b_test.cpp", "b();\n")
        self.write("bench/c.cpp", "c();\n")
        self.page("f();\n\nif (g())\n  h();\n")

    def page(self, block):
        self.write("docs/how-to/page.md", f"# Page\n\n```cpp\n{block}```\n")

    def found(self):
        return check_snippets.problems(self.root)

    def test_lines_of_a_compiled_file_at_another_depth(self):
        self.assertEqual(self.found(), [])

    def test_sources(self):
        self.page("b();\n```\n\n- item\n\n  ```cpp\n  c();\n  ```\n\n```cpp\nreturn 0;\n")
        self.assertEqual(self.found(), [])
        self.write("src/d.cpp", "d();\n")
        self.page("d();\n")
        self.assert_one(self.found(), "docs/how-to/page.md:4", "d();")

    def test_changed_line(self):
        self.page("f();\n\nif (g())\n  k();\n")
        self.assert_one(self.found(), "docs/how-to/page.md:4", "f();")

    def test_left_out_line(self):
        self.page("f();\nif (g())\n  h();\n")
        self.assert_one(self.found(), "page.md:4")

    def test_other_indentation_inside(self):
        self.page("if (g())\nh();\n")
        self.assert_one(self.found(), "page.md:4")

    def test_readme_and_every_block(self):
        self.write("README.md", "```cpp\nb();\n```\n\n```cpp\nx();\n```\n")
        self.assert_one(self.found(), "README.md:6", "x();")

    def test_other_languages_are_not_compiled(self):
        self.write("README.md", "```sh\n./test\n```\n```\ntext\n```\n````text\n```cpp\nx();\n```\n````\n")
        self.assertEqual(self.found(), [])

    def test_empty_and_endless_blocks(self):
        self.write("README.md", "```cpp\n\n```\n")
        self.assert_one(self.found(), "README.md:2", "empty")
        self.write("README.md", "```cpp\nb();\n")
        self.assert_one(self.found(), "README.md:2", "no end")


class Tests(unittest.TestCase):
    def test_of_a_header_by_name_and_by_the_head_of_a_test(self):
        folder = check_tests.ROOT / "tests/flow"
        tests = {folder / "newton_test.cpp", folder / "legs_slow_test.cpp"}
        heads = [check_tests.head_comment("// SPDX\n// Of kept_factors.hpp.\n#include <a>\n// Of later.hpp.\n")]
        for header, found in (("src/flow/newton.hpp", True), ("include/varia/flow/legs.hpp", True),
                              ("src/solve/newton.hpp", False), ("src/flow/kept_factors.hpp", True),
                              ("src/flow/factors.hpp", False), ("src/flow/later.hpp", False)):
            self.assertEqual(check_tests.has_test(check_tests.ROOT / header, tests, heads), found, header)
        self.assertEqual(check_tests.folder_of(check_tests.ROOT / "src/io/run/check_work.hpp"), "io")


class Compare(unittest.TestCase):
    def differ(self, expected, actual, rtol=1e-9, atol=1e-12):
        return compare_output.differences(expected, actual, rtol, atol)

    def test_same_within_tolerance(self):
        self.assertEqual(self.differ("t=0.1 |x| 1.0e+00\n", "t=0.1  |x|   1.0000000001\n\n"), [])
        self.assertEqual(self.differ("drift -1e-15", "drift 2e-15"), [])

    def test_wrong_number(self):
        self.assertEqual(len(self.differ("a 1.0\nb 2.0\n", "a 1.0\nb 2.00001\n")), 1)
        self.assertEqual(len(self.differ("q=(1, 2)", "q=(1, -2)")), 1)

    def test_not_a_number(self):
        self.assertEqual(len(self.differ("x 1.0", "x nan")), 1)
        self.assertEqual(len(self.differ("x 1.0", "x inf")), 1)

    def test_wrong_word_or_length(self):
        self.assertEqual(len(self.differ("gauss2 1", "gauss3 1")), 1)
        self.assertEqual(len(self.differ("a 1", "a 1 2")), 1)
        self.assertEqual(len(self.differ("a\nb", "a")), 1)

    def test_tolerance_of_a_file(self):
        directive, text, rtol, atol = compare_output.split_directive("# compare: rtol=1e-3\nx 1\n", 1e-9, 1e-12)
        self.assertEqual((directive, text, rtol, atol), ("# compare: rtol=1e-3\n", "x 1\n", 1e-3, 1e-12))
        self.assertEqual(self.differ(text, "x 1.0005", rtol, atol), [])
        self.assertEqual(len(self.differ(text, "x 1.002", rtol, atol)), 1)


class Mutations(unittest.TestCase):
    def changed(self, line, kind):
        """What the line becomes by each mistake of a kind, in the order of the text."""
        return [p.applied(line) for p in mutations.places(line) if p.kind == kind]

    def test_signs_and_factors(self):
        self.assertEqual(self.changed("x = a + b - -c;", "sign"), ["x = a - b - -c;", "x = a + b + -c;"])
        self.assertEqual(self.changed("x += 2;", "sign"), ["x -= 2;"])
        self.assertEqual(self.changed("x = a * b / c;", "factor"), ["x = a / b / c;", "x = a * b * c;"])
        self.assertEqual(self.changed("const double* const x = y;", "factor"), [])
        self.assertEqual(self.changed("x = a +\n    b;", "sign"), ["x = a -\n    b;"])

    def test_lost_signs(self):
        self.assertEqual(self.changed("x = -a;", "sign"), ["x = a;"])
        self.assertEqual(self.changed("f(-a, -(b), *c, 2 * -d)", "sign"),
                         ["f(a, -(b), *c, 2 * -d)", "f(-a, (b), *c, 2 * -d)", "f(-a, -(b), *c, 2 * d)"])
        self.assertEqual(self.changed("return -x;", "sign"), ["return x;"])
        self.assertEqual(self.changed("x = -1.0; --i; p->q;", "sign"), [])

    def test_texts_are_joined_by_plus_alone(self):
        self.assertEqual(self.changed('x = "a" + b + c + "d";', "sign"), ['x = "a" + b - c + "d";'])

    def test_comparisons_and_logic(self):
        self.assertEqual(self.changed("a < b; c >= d;", "bound"), ["a <= b; c >= d;", "a < b; c > d;"])
        self.assertEqual(self.changed("a == b; c != d;", "equality"), ["a != b; c != d;", "a == b; c == d;"])
        self.assertEqual(self.changed("a && b || c", "logic"), ["a || b || c", "a && b && c"])
        self.assertEqual(self.changed("template <class T> void f(T&& x);", "bound"), [])
        self.assertEqual(self.changed("template <class T> void f(T&& x);", "logic"), [])

    def test_bounds_that_no_number_hits(self):
        for line in ("x < 0.7", "x <= 1.0", "x > 1e-3", "x < 2.5e9"):
            self.assertEqual(self.changed(line, "bound"), [], line)
        self.assertEqual(self.changed("x > 0.0", "bound"), ["x >= 0.0"])
        self.assertEqual(self.changed("i < 10", "bound"), ["i <= 10"])

    def test_constants(self):
        self.assertEqual(self.changed("x = 0; y = 1.0;", "constant"), ["x = 1; y = 1.0;", "x = 0; y = 0.0;"])
        self.assertEqual(self.changed("x = 0.5;", "constant"), ["x = 0.25;"])
        self.assertEqual(self.changed("x = 2 * y + 3.0;", "constant"), ["x = 3 * y + 3.0;", "x = 2 * y + 4.0;"])
        self.assertEqual(self.changed("x = true; y = false;", "constant"), ["x = false; y = false;", "x = true; y = true;"])
        self.assertEqual(self.changed("f<0>(a1, 10, 1e3, 0.05, p0_, 24, is_true); Matrix<double, 3, 1> x;", "constant"), [])

    def test_indices(self):
        self.assertEqual(self.changed("x[i] = y[k1 + 1];", "index"), ["x[0] = y[k1 + 1];", "x[i] = y[k1];"])
        self.assertEqual(self.changed("x[name] = y[0] + z[i + j]; [](double a) {};", "index"), [])

    def test_exchanged_arguments(self):
        self.assertEqual(self.changed("f(a, b.c, 2);", "exchange"), ["f(b.c, a, 2);", "f(a, 2, b.c);"])
        self.assertEqual(self.changed("f(g(x), h[i],\n  y);", "exchange"), ["f(h[i], g(x),\n  y);", "f(g(x), y,\n  h[i]);"])
        self.assertEqual(self.changed("f(g(a, b));", "exchange"), ["f(g(b, a));"])
        for line in ("f(a, a);", "std::max(a, b);", "void f(int a, const B& b);", "f(a + b, c);", 'f("a", b);', "if (a) f(b);"):
            self.assertEqual(self.changed(line, "exchange"), [], line)

    def test_loops_left_after_one_pass(self):
        loop = "  for (int i = 0; i < n; ++i) {\n    if (a) {\n      f();\n    }\n  }\n"
        self.assertEqual(self.changed(loop, "leaving"), [loop[:-2] + "break; }\n"])
        place = next(p for p in mutations.places(loop) if p.kind == "leaving")
        self.assertEqual(place.line(loop), 1)
        self.assertEqual(place.shown(loop), ("for (int i = 0; i < n; ++i) {", "for (int i = 0; i < n; ++i) { ... break; }"))
        self.assertEqual(self.changed("for (;;) f();\nif (a) {\n}\n", "leaving"), [])
        self.assertEqual(self.changed("if (a) continue;", "leaving"), ["if (a) break;"])

    def test_functions_left_early(self):
        text = "void A::f(int a,\n          B b) const {\n  x = a;\n  if (b) {\n    g(x);\n  }\n}\nint h() {\n  x = 2;\n}\n"
        self.assertEqual(self.changed(text, "leaving"),
                         [text.replace("x = a;", "return; x = a;"), text.replace("g(x);", "return; g(x);")])

    def test_parts(self):
        self.assertEqual(self.changed("x = a.hi[0] + b_lo;", "part"), ["x = a.lo[0] + b_lo;", "x = a.hi[0] + b_hi;"])
        self.assertEqual(self.changed("high = low;", "part"), [])

    def test_conditions(self):
        self.assertEqual(self.changed("if (f(a) && b) g();", "condition"), ["if (!(f(a) && b)) g();"])
        self.assertEqual(self.changed('if (s == "a") g();', "condition"), ['if (!(s == "a")) g();'])
        self.assertEqual(self.changed("if constexpr (a) g();", "condition"), [])
        self.assertEqual(self.changed("if (auto x = f(); x) g();", "condition"), [])

    def test_statements(self):
        for line in ("x = y;", "x[i] += f(y);", "*x = 2;", "a.b->c(d);", "f<N>(x);", "array(x, n) = y;", "x = a +\n    b;"):
            self.assertEqual(self.changed("  " + line, "statement"), ["  ;"], line)
        for line in ("double x = y;", "return f(x);", "x.reserve(3);", "break;", "using A = B;", "f(a,\n  b) = c"):
            self.assertEqual(self.changed("  " + line, "statement"), [], line)
        self.assertEqual(self.changed("  const double a =\n    f(x);", "statement"), [])

    def test_what_is_no_code(self):
        text = ('#include "a < b"\n// x = 0 + 1;\n/* a && b\n */\n#define F(a) \\\n  a == 0\n'
                "throw Error(a + b,\n c == 1);\nstatic_assert(a == 1);\ng(\"a == 0\", R\"(if (\" + 1)\", '0')\n")
        self.assertEqual(mutations.places(text), [])

    def test_places(self):
        text = "int a;\n\nx = 1;\n"
        self.assertEqual({p.line(text) for p in mutations.places(text)}, {3})


class Mutate(unittest.TestCase):
    def setUp(self):
        self.texts = {f"src/{name}.cpp": "x = 1 + y;\nif (x == y) f(x);\n" * size for name, size in
                      (("a", 9), ("b", 1), ("c", 3))}

    def test_the_same_seed_gives_the_same_mistakes(self):
        self.assertEqual(mutate.choice(self.texts, 8, 1), mutate.choice(self.texts, 8, 1))
        self.assertNotEqual(mutate.choice(self.texts, 8, 1), mutate.choice(self.texts, 8, 2))

    def test_every_source_has_its_share(self):
        names = [name for name, _ in mutate.choice(self.texts, 7, 1)]
        self.assertEqual(names, ["src/a.cpp"] * 3 + ["src/b.cpp"] * 2 + ["src/c.cpp"] * 2)
        self.assertEqual(len({name for name, _ in mutate.choice(self.texts, 2, 1)}), 2)

    def test_no_mistake_twice(self):
        every = [(name, place) for name, places in mutate.choice(self.texts, 20, 1) for place in places]
        self.assertEqual(len(every), len(set(every)))
        self.assertEqual(len(every), sum(len(mutations.places(text)) for text in self.texts.values()))
        self.assertEqual(len(mutate.choice(self.texts, 10**6, 1)), len(every))

    def test_the_kinds_take_turns(self):
        kinds = [place.kind for place in mutate.order("x = y;\n" * 100 + "a && b\n", 1)]
        self.assertLess(kinds.index("logic"), 20)

    def test_the_nearest_test_comes_first(self):
        tests = ["io/other", "flow/jacobian", "laws/one_form_laws", "mechanics/one_form_flow", "flow/one_form_flow"]
        near = sorted(tests, key=lambda test: mutate.affinity("src/flow/one_form_flow.cpp", test))
        self.assertEqual(near, ["flow/one_form_flow", "mechanics/one_form_flow", "laws/one_form_laws", "flow/jacobian",
                                "io/other"])

    def test_tests_of_a_folder_below(self):
        tests = ["flow/run", "io/run", "io/solid_run", "solids/frames", "io/solid_frames"]
        near = sorted(tests, key=lambda test: mutate.affinity("src/io/solid/frames.cpp", test))
        self.assertEqual(near, ["io/solid_frames", "solids/frames", "io/solid_run", "io/run", "flow/run"])

    def test_kinds_of_tests(self):
        compiled = mutate.Test.of(["/b/tests/io/tests", "--file=a_test.cpp", "--gtest_brief=1"], {})
        self.assertEqual((compiled.program, compiled.words[0]), (Path("/b/tests/io/tests"), "--file=a_test.cpp"))
        script = mutate.Test.of(["python3", "-B", "a_test.py"], {"VARIA_PROGRAM": "/b/bin/varia"})
        self.assertEqual((script.program, script.words[:3]), (Path("/b/bin/varia"), ["python3", "-B", "a_test.py"]))
        self.assertIsNone(mutate.Test.of(["/b/thread_sanitizer"], {"TSAN_OPTIONS": "halt_on_error=1"}))

    def test_a_test_sees_the_program_that_it_is_given(self):
        script = mutate.Test(Path("/b/bin/varia"), [sys.executable, "-c", "import os; assert os.environ['VARIA_PROGRAM'] == '/c'"],
                             {"VARIA_PROGRAM": "/b/bin/varia"})
        with tempfile.TemporaryDirectory() as folder:
            self.assertIsNone(script.run(Path("/c"), Path(folder)))
            self.assertIn("AssertionError", script.run(Path("/d"), Path(folder)))

    def test_what_a_test_has_begun_ends_with_it(self):
        """A script that waits for a program: when the script takes too long, the program is ended as well."""
        waiting = "import subprocess; subprocess.run(['flock', 'lock', 'sh', '-c', 'sleep 8; touch lived'])"
        script = mutate.Test(Path("/b"), [sys.executable, "-c", waiting], {"VARIA_PROGRAM": "/b"})
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("no end", script.run(Path("/b"), Path(folder), limit=1))
            with open(Path(folder, "lock"), "w", encoding="ascii") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)  # free when the program has ended in one way or the other
            self.assertFalse(Path(folder, "lived").exists())

    def test_equivalent_mutants_can_be_made(self):
        self.assertEqual(mutate.stale(mutate.equivalents()), [])

    def test_an_equivalent_mutant_of_a_changed_source(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.cpp").write_text("x = a + 1;\n")
            listed = {("a.cpp", "x = a + 1;", "x = a - 1;"): "why", ("a.cpp", "x = a + 2;", "x = a - 2;"): "why",
                      ("b.cpp", "x = a + 1;", "x = a - 1;"): "why"}
            self.assertEqual(mutate.stale(listed, Path(folder)), ["a.cpp: x = a + 2;", "b.cpp: x = a + 1;"])

    def test_the_score(self):
        score = mutate.Score()
        self.assertEqual(score.percent(), 100)
        self.assertIn("io/run", score.count("a", mutate.Verdict("io/run", "1 != 2")))
        self.assertIn("no room", score.count("b", mutate.Verdict(None, "no room")))
        self.assertEqual(score.percent(), 100)
        score.count("src/c.cpp:3 sign", None)
        self.assertEqual(score.percent(), 50)
        for word in ("src/c.cpp:3", "1 of 2 killed: 50.0 %", "1 equivalent"):
            self.assertIn(word, str(score))

    def test_what_is_shown(self):
        text = "int a;\n  x = a + 1;\n"
        place = next(p for p in mutations.places(text) if p.kind == "sign")
        self.assertEqual(mutate.shown("src/a.cpp", place, text), "src/a.cpp:2  sign\n    - x = a + 1;\n    + x = a - 1;")


if __name__ == "__main__":
    unittest.main()
