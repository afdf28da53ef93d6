// SPDX-License-Identifier: BSD-3-Clause
// The reference page of scenario files, written from the schema.
#include <algorithm>

#include "schema_tree.hpp"
#include "varia/io/schema.hpp"
#include "words.hpp"

namespace varia::io {

namespace {

constexpr const char* introduction = R"~(# Scenario files

<!-- Written from the schema in src/io/scenario and src/io/solid; do not edit by hand. To write it again:
     VARIA_UPDATE_DOCS=1 and the test io/schema. -->

A scenario is a TOML file: a system and its start, or a [solid](#solids), a run, and what to write. Keys that are not on this page are errors, with the nearest key that is.

```toml
title = "Kepler ellipse"

[system]
coordinates = ["x", "y"]
parameters = { mu = 1.0, e = 0.6 }
lagrangian = "(x_dot^2 + y_dot^2)/2 + mu/sqrt(x^2 + y^2)"

[system.symmetry]
rotation = { x = "-y", y = "x" }

[system.observe]
radius = "sqrt(x^2 + y^2)"

[start]
x = "1 - e"
y = 0
x_dot = 0
y_dot = "sqrt((1 + e)/(1 - e))"

[run]
method = "gauss(3)"
step = 0.05
until = 1000
every = 10
```

In the tables, NAME stands for a name that you choose or that the system has. A number must be finite. An expression is a text of numbers, names, `+ - * / ^ ( )`, `pi`, functions and `sum(i, 1, 63, (q[i+1] - q[i])^2)`.
)~";

constexpr const char* names_text = R"~(
## Names

A name has letters, digits and `_`, and does not begin with a digit. No two things share a name, and none has the name of a function, `pi` or `t`.

| coordinate | value | velocity | momentum | force and generator |
|---|---|---|---|---|
| `"x"` | `x` | `x_dot` | `x_p` | `x` |
| `"q[1..64]"` | `q[1]` to `q[64]` | `q_dot[1]` ... | `q_p[1]` ... | `q[1]` ... |
| `{ name = "a", space = "SO2" }` | `a`, an angle | `a_dot` | `a_p` | `a` |
| `{ name = "R", space = "SO3" }` | `R11` to `R33` | `R_w1`, `R_w2`, `R_w3` | `R_m1`, `R_m2`, `R_m3` | `R_1`, `R_2`, `R_3` |
| `{ name = "g", space = "SE2" }` | `g_x`, `g_y`, `g_theta` | `g_v1`, `g_v2`, `g_w` | `g_n1`, `g_n2`, `g_m` | `g_1`, `g_2`, `g_3` |
| `{ name = "g", space = "SE3" }` | `g11` to `g33`, `g_x`, `g_y`, `g_z` | `g_w1` to `g_w3`, `g_v1` to `g_v3` | `g_m1` to `g_m3`, `g_n1` to `g_n3` | `g_1` to `g_6` |
| `{ name = "n", space = "S2" }` | `n1`, `n2`, `n3` | `n1_dot`, `n2_dot`, `n3_dot` | `n1_p`, `n2_p`, `n3_p` | `n1`, `n2`, `n3` |
| `{ name = "R[1..10]", space = "SO3" }` | `R11[1]` to `R33[1]`, `R11[2]` ... | `R_w1[1]` ... | `R_m1[1]` ... | `R_1[1]` ... |

Velocities, momenta, forces and generators of rotations and motions are components in the frame of the body: `R_w1`, `R_m1` and `R_1`, and in the order of the velocities `g_1` and so on. Positions `g_x` are in the frame of space. Angles are not wrapped. A point of the unit sphere is a vector in space, and so are its velocity and momentum, which are tangent to the sphere; of forces and generators only the part along the sphere counts.

## Arrays

In `start`, `system.force` and `system.symmetry.NAME` an array `q[1..64]` takes one number for all entries, one expression in the index `i`, a list with an entry for each, and `"q[3]"` for one entry, which has precedence:

```toml
[system]
coordinates = ["q[1..64]"]
lagrangian = "sum(i, 1, 64, q_dot[i]^2)/2 - sum(i, 1, 63, (q[i+1] - q[i])^2)/2"

[start]
q = "sin(pi*i/65)"
"q[3]" = 0.5
q_dot = 0

[run]
method = "verlet"
step = 0.1
steps = 1000
```

Points of any space come in arrays too. The index follows the whole name: `R33[i]`, `R_w1[i]`, `R_1[i]`. Their start is one table for all, in whose numbers `i` may be used, a list with a table for each, and `"R[3]"` for one. Of unit vectors, `n[1..5]`, it is one list of three for all, `n = ["sin(i)", 0, "cos(i)"]`, or a list of such lists:

```toml
[system]
coordinates = [{ name = "R[1..5]", space = "SO3" }]
lagrangian = "sum(i, 1, 5, R_w1[i]^2 + 2*R_w2[i]^2 + 3*R_w3[i]^2)/2 + sum(i, 1, 4, R13[i]*R13[i+1] + R23[i]*R23[i+1] + R33[i]*R33[i+1])"
force = { R_3 = "-0.1*R_w3[i]", "R_3[1]" = 0 }

[start]
R = { angle_axis = ["0.2*i", 0, 0] }
"R[3]" = { quaternion = [1, 0, 0, 0] }
R_w1 = 0
R_w2 = 0
R_w3 = [3, 2, 1, 0, -1]

[run]
method = "gauss(2)"
step = 0.05
steps = 1000
```

## Terms

With `method = "avi"` the potential is a sum of terms, and each of them acts at multiples of its own step, whatever the steps of the others:

```toml
[system]
coordinates = ["q[1..8]"]
parameters = { k = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0] }
lagrangian = "sum(i, 1, 8, q_dot[i]^2)/2 - sum(i, 1, 7, k[i]*(q[i+1] - q[i])^2)/2"

[[system.term]]
i = [1, 7]
potential = "k[i]*(q[i+1] - q[i])^2/2"
step = "0.1/sqrt(k[i])"

[start]
q = "sin(i)"
q_dot = 0

[run]
method = "avi"
step = 0.1
steps = 1000
```

The Lagrangian says what the system is: kinetic energy with constant masses, one for each coordinate, minus a potential V(t, q). The terms say how V is divided: their sum must be V, a constant aside. Varia compares the derivatives of both at the start and at 24 points near it, and refuses terms that do not add up. Forces, constraints and rotations are not for avi. `step` under `[run]` is the time from one synchronised state to the next; the steps of the terms need not divide it.

## The start

Every coordinate has a value, and every one has a velocity or every one a momentum. Nothing is assumed. A Lagrangian that is linear in the velocities takes the positions alone. A rotation is a table with one key, `angle_axis`, `quaternion` or `matrix`; a motion of the plane is `{ x = 0, y = 0, theta = 0 }`, one of space has a `position` beside its rotation, `{ position = [0, 0, 1], quaternion = [1, 0, 0, 0] }`. A point of the unit sphere is a list, `n = [0, 0, 1]`, of length 1 to 1e-9, and so is its velocity, `n_dot = [1, 0, 0]`, or momentum, `n_p`; the components `n1_dot` and so on may be given one by one. A rotation:

```toml
[system]
coordinates = [{ name = "R", space = "SO3" }]
parameters = { I = [1.0, 2.0, 3.0] }
lagrangian = "(I[1]*R_w1^2 + I[2]*R_w2^2 + I[3]*R_w3^2)/2"

[start]
R = { angle_axis = [0, 0, "pi/6"] }
R_w1 = 0.1
R_w2 = 1
R_w3 = 0

[run]
method = "midpoint"
step = 0.1
until = 100
retraction = "cay"
```

## Changes from the command line

`--set key=value` changes a scenario before it is checked: `--set run.step=0.1`. A name without dots is a parameter or a key of `[run]`: `--set mu=2`, `--set "method=gauss(2)"`. The value is TOML, or plain text where it is not TOML. A parameter must be in the file. Of `until` and `steps`, and of `lagrangian` and `hamiltonian`, the one that is set replaces the other. `--set "solid.fix[2].position.x=0"` changes an entry of a list.

## Limits

A file has at most 4 MB, a system at most 100000 coordinates (a rotation or a point of the sphere counts as three, a motion of space as six), a generated mesh about 20 million elements.
)~";

constexpr const char* solids_text = R"~(
## Solids

With `[solid]` there is no `[system]` and no `[start]`:

```toml
title = "Plate under traction"

[solid]
mesh = { generate = "block", size = [1, 1], elements = [10, 10], grading = 10, order = 2 }
material = { model = "neo_hookean", lambda = 93e9, mu = 10e9, density = 7800 }
plane = "strain"
parameters = { p = 1e6 }

[[solid.fix]]
boundary = "left"
position = { x = "X", y = "Y" }

[[solid.load]]
where = "X > 1 - 1e-9 and Y < 0.5"
traction = { y = "-p*sin(100*t)" }

[solid.body_force]
y = -9.81

[run]
method = "avi"
courant = 0.1
until = 1e-4
```

X, Y, Z are the reference coordinates, x, y, z the components of positions and forces. Expressions may use X, Y, Z and the parameters; those of supports and loads t as well.

A condition, as in `where`, compares expressions by `<`, `>`, `<=`, `>=` and `==`, and joins comparisons by `and`, `or`, `not` and brackets; `not` binds tighter than `and`, `and` tighter than `or`. `0 < X < 1` is a chain, `==` equality to the last bit. For a support it selects nodes, for a load the boundary faces all of whose nodes fulfil it, for a region the elements whose centroid does. A condition that selects nothing is a warning, an unknown name an error.

The generators and their boundaries: `block` and `slivers` left, right (X), bottom, top (Y), back, front (Z); `slab` left, right, bottom, top; `l_beam` end_a, end_b; `blade` tip_left, tip_right and the regions blade, joint; `slivers` has the regions sliver, body.
)~";

std::string cell(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '|' ? std::string("\\|") : std::string(1, c);
  return safe;
}

std::string code(const std::string& text) { return text.empty() ? "" : "`" + cell(text) + "`"; }

std::string choice_words(const SchemaEntry& entry) {
  if (entry.choices.empty()) return "";
  std::string text = ": ";
  for (const std::string& word : usable(entry.choices))
    text += (text.size() > 2 ? ", " : "") + code('"' + word + '"');
  for (const Choice& choice : entry.choices)
    if (!choice.refused.empty())
      text += "; " + code('"' + choice.word + '"') + " " + choice.refused;
  return text;
}

std::string range_words(Range range) {
  switch (range) {
    case Range::positive:
      return ", greater than 0";
    case Range::not_negative:
      return ", not negative";
    case Range::not_zero:
      return ", not 0";
    case Range::any:
      break;
  }
  return "";
}

/// The other key of a pair of which exactly one is given.
std::string alternative_of(const std::string& key, Form form) {
  for (const Alternative& pair : schema_alternatives(form)) {
    if (!pair.required) continue;
    if (key == pair.table + "." + pair.one) return pair.other;
    if (key == pair.table + "." + pair.other) return pair.one;
  }
  return "";
}

std::string default_words(const SchemaEntry& entry, Form form) {
  const std::string other = alternative_of(entry.key, form);
  if (!other.empty()) return "this or " + code(other);
  return entry.required ? "required" : code(entry.fallback);
}

std::string row(const std::string& key, const SchemaNode& node) {
  const SchemaEntry& entry = *node.entry;
  const std::string choices =
      choice_words(node.item && node.item->entry ? *node.item->entry : entry) +
      (node.item ? choice_words(entry) : "");
  return "| " + code(key) + " | " + type_words(node) + choices + range_words(entry.range) + " | " +
         default_words(entry, node.form) + " | " + cell(entry.meaning) + " | " +
         code(entry.example) + " |\n";
}

/// The rows below a table; entries of lists have rows only where they have keys of their own, which
/// are not those of the table that may stand for the list.
std::string rows(const SchemaNode& node, const std::string& before) {
  std::string text;
  const auto add = [&](const std::string& name, const SchemaNode& child) {
    const std::string key = before + name;
    text += row(key, child) + rows(child, key + ".");
    if (child.item && child.children.empty()) text += rows(*child.item, key + "[].");
  };
  for (const auto& [name, child] : node.children) add(name, *child);
  if (node.any_name) add("NAME", *node.any_name);
  return text;
}

constexpr const char* table_head =
    "\n| key | value | default | meaning | example |\n|---|---|---|---|---|\n";

/// A section with the keys of one table.
std::string section(const std::string& title, const SchemaNode& node) {
  const std::string below = rows(node, "");
  if (below.empty()) return "";
  return "\n" + title + "\n" + table_head + below;
}

}  // namespace

std::string schema_markdown() {
  std::string top, sections;
  for (const auto& [name, node] : schema_tree(Form::system).children) {
    top += row(name, *node);
    sections += section("## [" + name + "]", *node);
  }
  std::string of_solids = solids_text;
  for (const auto& [name, node] : schema_tree(Form::solid).children)
    if (name == "solid" || name == "run" || name == "output")
      of_solids += section("### [" + name + (name == "solid" ? "]" : "] of a solid"), *node);
  std::string text(introduction);
  for (const auto& part : {std::string("\n## The file\n"), std::string(table_head), top, sections,
                           std::string(names_text), of_solids})
    text += part;
  return text;
}

}  // namespace varia::io
