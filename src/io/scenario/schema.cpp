// SPDX-License-Identifier: BSD-3-Clause
// The table of keys. A new key is one row here and one line where the scenario is read.
#include "varia/io/schema.hpp"

#include "schema_tree.hpp"

namespace varia::io {

namespace {

std::vector<Type> scalars() { return {Type::number, Type::expression, Type::list}; }

Rows top_rows(Form form) {
  Rows rows{
      {.key = "title",
       .types = {Type::text},
       .meaning =
           "A line for people, the heading of the report; the name of the file unless given.",
       .example = R"~("Kepler ellipse")~"},
  };
  if (form == Form::system)
    rows.insert(rows.end(), {{.key = "system",
                              .types = {Type::table},
                              .required = true,
                              .meaning = "The mechanical system."},
                             {.key = "start",
                              .types = {Type::table},
                              .required = true,
                              .meaning = "The state at the beginning."}});
  else
    rows.push_back({.key = "solid",
                    .types = {Type::table},
                    .required = true,
                    .meaning = "The solid: mesh, materials, supports, loads, start."});
  rows.push_back(
      {.key = "run", .types = {Type::table}, .required = true, .meaning = "How it is integrated."});
  if (form == Form::system)
    rows.push_back({.key = "diagnose",
                    .types = {Type::table},
                    .meaning = "What is computed along the run to judge it."});
  rows.insert(rows.end(),
              {{.key = "output", .types = {Type::table}, .meaning = "What is written."},
               {.key = "reproduce",
                .types = {Type::table},
                .meaning = "The numbers of a published result that the run must give."}});
  return rows;
}

Rows coordinate_rows() {
  return {
      {.key = "system.coordinates",
       .types = {Type::list},
       .required = true,
       .meaning =
           "The coordinates, in order. \"x\" is a real number, \"q[1..64]\" an array of them.",
       .example = R"~(["x", "y"])~"},
      {.key = "system.coordinates[]", .types = {Type::text, Type::table}},
      {.key = "system.coordinates[].name",
       .types = {Type::text},
       .required = true,
       .meaning =
           "The name of a coordinate that is written as a table; \"R[1..10]\" is an array of "
           "points.",
       .example = R"~("R")~"},
      {.key = "system.coordinates[].space",
       .types = {Type::text},
       .fallback = R"~("R")~",
       .choices = {{"R"}, {"SO2"}, {"SO3"}, {"SE2"}, {"SE3"}, {"S2"}},
       .meaning =
           "The space it lives in: the real numbers, angles, rotations, motions of the plane "
           "or of space, the unit sphere.",
       .example = R"~("SO3")~"},
  };
}

Rows system_rows() {  // NOLINT(readability-function-size): a table
  return {
      {.key = "system.parameters",
       .types = {Type::table},
       .meaning = "Constants, in order; a text may use the parameters above it.",
       .example = R"~({ mu = 1.0, e = 0.6, m = [1, "2*mu"] })~"},
      {.key = "system.parameters.NAME",
       .types = scalars(),
       .meaning = "One constant; a list is used by its entries, NAME[1], NAME[2] and so on.",
       .example = "1.0"},
      {.key = "system.parameters.NAME[]", .types = scalar()},
      {.key = "system.free",
       .types = {Type::list},
       .fallback = "[]",
       .meaning = "Parameters that stay inputs of the formulas: with another value of them native "
                  "code is not compiled again.",
       .example = R"~(["mu"])~"},
      {.key = "system.free[]", .types = {Type::text}},
      {.key = "system.lagrangian",
       .types = {Type::expression},
       .meaning = "L(t, q, v).",
       .example = R"~("(x_dot^2 + y_dot^2)/2 + mu/sqrt(x^2 + y^2)")~"},
      {.key = "system.hamiltonian",
       .types = {Type::expression},
       .meaning = "H(t, q, p), for methods that take one.",
       .example = R"~("(x_p^2 + y_p^2)/2 - mu/sqrt(x^2 + y^2)")~"},
      {.key = "system.discrete_lagrangian",
       .types = {Type::expression},
       .meaning = "Your own Ld(q0, q1, h), for the method discrete_lagrangian(order): x_0 and x_1 "
                  "are a coordinate x at the beginning and at the end of the step, q_0[i] and "
                  "q_1[i] entries of an array. The Lagrangian is given too.",
       .example = R"~("h*(((x_1 - x_0)/h)^2/2 - ((x_0 + x_1)/2)^4)")~"},
      {.key = "system.force",
       .types = {Type::table},
       .meaning = "Generalised forces F(t, q, v) by coordinate; those not given are 0.",
       .example = R"~({ x = "-0.01*x_dot" })~"},
      {.key = "system.force.NAME",
       .types = scalars(),
       .meaning = "One component of the force.",
       .example = R"~("-0.01*x_dot")~"},
      {.key = "system.force.NAME[]", .types = scalars()},
      {.key = "system.force.NAME[][]", .types = scalar()},
      {.key = "system.holonomic",
       .types = {Type::list},
       .meaning =
           "Constraints phi(t, q) = 0, one by one, or one for each i of a range. With t in them "
           "they are driven, and the velocity must follow: dphi/dq v + dphi/dt = 0.",
       .example = R"~(["x^2 + y^2 - 1", { phi = "x[i] - x[i-1]", i = [2, "n"] }])~"},
      {.key = "system.holonomic[]", .types = {Type::expression, Type::table}},
      {.key = "system.holonomic[].phi",
       .types = {Type::expression},
       .required = true,
       .meaning = "phi of a constraint that is written as a table.",
       .example = R"~("(x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 - 1")~"},
      {.key = "system.holonomic[].i",
       .types = {Type::list},
       .meaning = "The first and the last i: one constraint for each of them.",
       .example = R"~([2, "n"])~"},
      {.key = "system.holonomic[].i[]", .types = scalar()},
      {.key = "system.nonholonomic",
       .types = {Type::list},
       .meaning = "Constraints Phi(q, v) = 0, one by one.",
       .example = R"~(["y_dot - tan(x)*x_dot"])~"},
      {.key = "system.nonholonomic[]", .types = {Type::expression}},
      {.key = "system.symmetry",
       .types = {Type::table},
       .meaning = "One-parameter groups; Varia checks the invariance and watches the momentum.",
       .example = R"~({ rotation = { x = "-y", y = "x" } })~"},
      {.key = "system.symmetry.NAME",
       .types = {Type::table},
       .meaning = "The generator of one group by coordinate; components not given are 0.",
       .example = R"~({ x = "-y", y = "x" })~"},
      {.key = "system.symmetry.NAME.NAME",
       .types = scalars(),
       .meaning = "One component of the generator.",
       .example = R"~("-y")~"},
      {.key = "system.symmetry.NAME.NAME[]", .types = scalars()},
      {.key = "system.symmetry.NAME.NAME[][]", .types = scalar()},
      {.key = "system.observe",
       .types = {Type::table},
       .meaning = "Functions of t, q, v, p that are recorded with the trajectory.",
       .example = R"~({ radius = "sqrt(x^2 + y^2)" })~"},
      {.key = "system.observe.NAME",
       .types = {Type::expression},
       .meaning = "One function.",
       .example = R"~("sqrt(x^2 + y^2)")~"},
  };
}

Rows term_rows() {
  return {
      {.key = "system.term",
       .types = {Type::list},
       .meaning =
           "Parts of the potential, each a table `[[system.term]]` with a step of its own, for "
           "the method avi only; see [Terms](#terms)."},
      {.key = "system.term[]", .types = {Type::table}},
      {.key = "system.term[].potential",
       .types = {Type::expression},
       .required = true,
       .meaning = "V_K(t, q), a function of at most 10 coordinates.",
       .example = R"~("k*(q[i+1] - q[i])^2/2")~"},
      {.key = "system.term[].step",
       .types = scalar(),
       .range = Range::positive,
       .meaning = "The step of the term; that of the run unless given. It may use the parameters.",
       .example = R"~("0.01*sqrt(2)")~"},
      {.key = "system.term[].i",
       .types = {Type::list},
       .meaning =
           "The first and the last i: one term for each of them; potential and step may use i.",
       .example = R"~([1, "n - 1"])~"},
      {.key = "system.term[].i[]", .types = scalar()},
  };
}

/// The forms of a point that is stated under this key.
Rows point_rows(const std::string& key) {
  return {
      {.key = key + ".x",
       .types = scalar(),
       .meaning = "The position of a motion of the plane.",
       .example = "0"},
      {.key = key + ".y", .types = scalar(), .meaning = "Likewise.", .example = "0"},
      {.key = key + ".theta",
       .types = scalar(),
       .meaning = "The angle of a motion of the plane.",
       .example = R"~("pi/6")~"},
      {.key = key + ".position",
       .types = {Type::list},
       .meaning = "The position of a motion, beside its rotation; 3 entries.",
       .example = "[0, 0, 1]"},
      {.key = key + ".position[]", .types = scalar()},
      {.key = key + ".angle_axis",
       .types = {Type::list},
       .meaning = "The rotation vector: the axis times the angle; 3 entries.",
       .example = R"~([0, 0, "pi/6"])~"},
      {.key = key + ".angle_axis[]", .types = scalar()},
      {.key = key + ".quaternion",
       .types = {Type::list},
       .meaning = "The rotation as w, x, y, z; 4 entries.",
       .example = "[1, 0, 0, 0]"},
      {.key = key + ".quaternion[]", .types = scalar()},
      {.key = key + ".matrix",
       .types = {Type::list},
       .meaning = "The rotation as 3 rows of 3 entries.",
       .example = "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"},
      {.key = key + ".matrix[]", .types = {Type::list}},
      {.key = key + ".matrix[][]", .types = scalar()},
  };
}

Rows start_rows() {
  Rows rows{
      {.key = "start.t",
       .types = scalar(),
       .fallback = "0",
       .meaning = "The time of the start.",
       .example = "0"},
      {.key = "start.project",
       .types = {Type::truth},
       .fallback = "false",
       .meaning = "Whether a start off the constraints may be moved onto them.",
       .example = "true"},
      {.key = "start.NAME",
       .types = {Type::number, Type::expression, Type::list, Type::table},
       .meaning = "A coordinate, velocity or momentum; a rotation or motion is a table, a unit "
                  "vector a list of three. A list also has an entry for each of an array.",
       .example = R"~("1 - e")~"},
      {.key = "start.NAME[]", .types = {Type::number, Type::expression, Type::list, Type::table}},
      {.key = "start.NAME[][]", .types = scalar()},
  };
  for (const char* key : {"start.NAME", "start.NAME[]"}) {
    const Rows forms = point_rows(key);
    rows.insert(rows.end(), forms.begin(), forms.end());
  }
  return rows;
}

Rows run_rows() {  // NOLINT(readability-function-size): a table
  return {
      {.key = "run.method",
       .types = {Type::text},
       .required = true,
       .meaning = "The method; `varia list methods` shows all.",
       .example = R"~("gauss(3)")~"},
      {.key = "run.step",
       .types = scalar(),
       .required = true,
       .range = Range::not_zero,
       .meaning = "The step size; it may use the parameters. Of avi: the time between two "
                  "synchronised states.",
       .example = "0.05"},
      end_time("1000"),
      count("run.steps", "", "The number of steps.", "20000"),
      count("run.every", "1", "Record every so many steps.", "10"),
      one_of("run.retraction", {"exp", "cay"},
             "How a step moves on a rotation: the exponential map or the Cayley map.", "cay"),
      one_of("run.evaluation", {"auto", "native", "interpreter"},
             "How expressions are evaluated: in the way that is estimated to be faster, "
             "always compiled, or interpreted.",
             "interpreter"),
      one_of("run.solver", {"auto", "newton", "fixed_point"},
             "How the equations of an implicit step are solved: by iteration where that contracts "
             "well and is cheaper, else by Newton's method; always by Newton's method; or by "
             "iteration alone, for systems without constraints.",
             "newton"),
      one_of("run.dependent_constraints", {"refuse", "leave_out"},
             "What happens to constraints that follow from others: they are named and the "
             "scenario is refused, or they are left out and watched. In R^n.",
             "leave_out"),
      {.key = "run.pace",
       .types = {Type::expression},
       .meaning = "g(q) > 0, for steps of variable length: the step is one of tau, where dt = g "
                  "dtau; `until` stays a time. \"auto\": the local period over 2 pi.",
       .example = R"~("(x^2 + y^2)^(3/4)")~"},
      {.key = "run.keep_energy",
       .types = {Type::text},
       .choices = {{"refuse"}, {"minimise"}},
       .meaning = "Steps whose length keeps the discrete energy; `step` is the first one. Where "
                  "there is no such length the run ends with an error, or goes on with the "
                  "smallest error of the energy.",
       .example = R"~("refuse")~"},
      {.key = "run.projection",
       .types = {Type::text},
       .choices = {{"symmetric"}, {"each_step"}, {"none"}},
       .meaning = "Of a Lagrangian theta(q).v - H(q): how the momenta are kept at theta(q). "
                  "Symmetric unless given, which keeps the order.",
       .example = R"~("symmetric")~"},
  };
}

}  // namespace

SchemaEntry one_of(std::string key, const std::vector<std::string>& words, std::string meaning,
                   const std::string& example) {
  const auto quoted = [](const std::string& word) { return '"' + word + '"'; };
  SchemaEntry entry{.key = std::move(key), .types = {Type::text}};
  entry.fallback = quoted(words.front());
  for (const std::string& word : words) entry.choices.push_back({word});
  entry.meaning = std::move(meaning);
  entry.example = quoted(example);
  return entry;
}

SchemaEntry count(std::string key, std::string fallback, std::string meaning, std::string example) {
  return {.key = std::move(key),
          .types = {Type::integer},
          .fallback = std::move(fallback),
          .range = Range::positive,
          .meaning = std::move(meaning),
          .example = std::move(example)};
}

SchemaEntry end_time(std::string example) {
  return {.key = "run.until",
          .types = scalar(),
          .meaning = "The time of the end; it may use the parameters.",
          .example = std::move(example)};
}

const std::vector<SchemaEntry>& schema(Form form) {
  const auto joined = [](const std::vector<Rows>& parts) {
    Rows all;
    for (const Rows& rows : parts) all.insert(all.end(), rows.begin(), rows.end());
    return all;
  };
  static const Rows of_system = joined(
      {top_rows(Form::system), coordinate_rows(), system_rows(), term_rows(), start_rows(),
       run_rows(), diagnose_rows(), format_rows(), output_rows(Form::system), reproduce_rows()});
  static const Rows of_solid =
      joined({top_rows(Form::solid), solid_mesh_rows(), solid_rows(), solid_start_rows(),
              solid_run_rows(), solid_format_rows(), output_rows(Form::solid), reproduce_rows()});
  return form == Form::system ? of_system : of_solid;
}

const std::vector<Alternative>& schema_alternatives(Form form) {
  static const std::vector<Alternative> pairs = {{"system", "lagrangian", "hamiltonian"},
                                                 {"run", "until", "steps"}};
  return form == Form::system ? pairs : solid_alternatives();
}

}  // namespace varia::io
