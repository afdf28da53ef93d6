// SPDX-License-Identifier: BSD-3-Clause
// The table of keys. A new key is one row here and one line where the scenario is read.
#include "varia/io/schema.hpp"

#include "schema_rows.hpp"

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
       .meaning = "The name of a coordinate that is written as a table.",
       .example = R"~("R")~"},
      {.key = "system.coordinates[].space",
       .types = {Type::text},
       .fallback = R"~("R")~",
       .choices = {{"R"}, {"SO2"}, {"SO3"}, {"SE2"}, {"SE3"}, {"S2", "not available yet"}},
       .meaning =
           "The space it lives in: the real numbers, angles, rotations, motions of the plane "
           "or of space.",
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
      {.key = "system.force.NAME[]", .types = scalar()},
      {.key = "system.holonomic",
       .types = {Type::list},
       .meaning = "Constraints phi(q) = 0, one by one, or one for each i of a range.",
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
      {.key = "system.symmetry.NAME.NAME[]", .types = scalar()},
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

Rows start_rows() {
  return {
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
       .meaning = "A coordinate, velocity or momentum; a rotation or motion is a table.",
       .example = R"~("1 - e")~"},
      {.key = "start.NAME[]", .types = scalar()},
      {.key = "start.NAME.x",
       .types = scalar(),
       .meaning = "The position of a motion of the plane.",
       .example = "0"},
      {.key = "start.NAME.y", .types = scalar(), .meaning = "Likewise.", .example = "0"},
      {.key = "start.NAME.theta",
       .types = scalar(),
       .meaning = "The angle of a motion of the plane.",
       .example = R"~("pi/6")~"},
      {.key = "start.NAME.position",
       .types = {Type::list},
       .meaning = "The position of a motion, beside its rotation; 3 entries.",
       .example = "[0, 0, 1]"},
      {.key = "start.NAME.position[]", .types = scalar()},
      {.key = "start.NAME.angle_axis",
       .types = {Type::list},
       .meaning = "The rotation vector: the axis times the angle; 3 entries.",
       .example = R"~([0, 0, "pi/6"])~"},
      {.key = "start.NAME.angle_axis[]", .types = scalar()},
      {.key = "start.NAME.quaternion",
       .types = {Type::list},
       .meaning = "The rotation as w, x, y, z; 4 entries.",
       .example = "[1, 0, 0, 0]"},
      {.key = "start.NAME.quaternion[]", .types = scalar()},
      {.key = "start.NAME.matrix",
       .types = {Type::list},
       .meaning = "The rotation as 3 rows of 3 entries.",
       .example = "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"},
      {.key = "start.NAME.matrix[]", .types = {Type::list}},
      {.key = "start.NAME.matrix[][]", .types = scalar()},
  };
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
      {.key = "run.until",
       .types = scalar(),
       .meaning = "The time of the end; it may use the parameters.",
       .example = "1000"},
      {.key = "run.steps",
       .types = {Type::integer},
       .range = Range::positive,
       .meaning = "The number of steps.",
       .example = "20000"},
      {.key = "run.every",
       .types = {Type::integer},
       .fallback = "1",
       .range = Range::positive,
       .meaning = "Record every so many steps.",
       .example = "10"},
      {.key = "run.retraction",
       .types = {Type::text},
       .fallback = R"~("exp")~",
       .choices = {{"exp"}, {"cay"}},
       .meaning = "How a step moves on a rotation: the exponential map or the Cayley map.",
       .example = R"~("cay")~"},
      {.key = "run.evaluation",
       .types = {Type::text},
       .fallback = R"~("auto")~",
       .choices = {{"auto"}, {"native"}, {"interpreter"}},
       .meaning = "How expressions are evaluated: in the way that is estimated to be faster, "
                  "always compiled, or interpreted.",
       .example = R"~("interpreter")~"},
      {.key = "run.dependent_constraints",
       .types = {Type::text},
       .fallback = R"~("refuse")~",
       .choices = {{"refuse"}, {"leave_out"}},
       .meaning = "What happens to constraints that follow from others: they are named and the "
                  "scenario is refused, or they are left out and watched. In R^n.",
       .example = R"~("leave_out")~"},
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

Rows diagnose_rows() {
  return {
      {.key = "diagnose.modified_energy",
       .types = {Type::text},
       .choices = {{"formula"}, {"shadow"}},
       .meaning =
           "Records modified_energy, the energy that the method keeps: by the formula of a method "
           "of order 1 or 2 on a separable system, or by differences along the discrete motion "
           "(shadow) for any variational method in R^n.",
       .example = R"~("shadow")~"},
      {.key = "diagnose.heat",
       .types = {Type::text},
       .choices = {{"trapezoid"}, {"end_of_step"}},
       .meaning = "Records kinetic_energy and heat, its mean over time so far, and gives the "
                  "temperature: the mean by degree of freedom. How records make an integral: the "
                  "trapezoidal rule, or the value at the end of each step (for euler_a).",
       .example = R"~("trapezoid")~"},
      {.key = "diagnose.balance",
       .types = {Type::truth},
       .fallback = "false",
       .meaning = "For each symmetry NAME, whether it holds or not, records NAME_by_lagrangian and "
                  "NAME_by_force: what has changed its momentum so far.",
       .example = "true"},
  };
}

Rows format_rows() {
  return {
      {.key = "output.formats",
       .types = {Type::list},
       .fallback = R"~(["h5"])~",
       .meaning = "The files of the trajectory.",
       .example = R"~(["h5", "csv"])~"},
      {.key = "output.formats[]",
       .types = {Type::text},
       .choices = {{"h5"}, {"csv"}, {"json"}, {"vtu", "solids only"}}},
  };
}

Rows output_rows(Form form) {
  return {
      {.key = "output.report",
       .types = {Type::truth},
       .fallback = "true",
       .meaning = "Whether report.html is written.",
       .example = "false"},
      {.key = "output.units",
       .types = {Type::table},
       .meaning = "Units of what is recorded, for the files and the axes of plots.",
       .example =
           form == Form::system ? R"~({ x = "m", t = "s" })~" : R"~({ length = "m", t = "s" })~"},
      {.key = "output.units.NAME",
       .types = {Type::text},
       .meaning =
           form == Form::system
               ? "The unit of one coordinate, velocity, momentum, function, or of t or energy."
               : "The unit of t, length, energy, momentum, angular_momentum, speed, stress, or "
                 "of an observed number.",
       .example = R"~("m")~"},
  };
}

Rows reproduce_rows() {  // NOLINT(readability-function-size): a table
  return {
      {.key = "reproduce.source",
       .types = {Type::text},
       .meaning = "The text the numbers are from.",
       .example = R"~("MW01")~"},
      {.key = "reproduce.figure",
       .types = {Type::text},
       .meaning = "The figure or table there.",
       .example = R"~("Figure 2.4")~"},
      {.key = "reproduce.refinement",
       .types = {Type::table},
       .meaning = "Of a solid: avi and newmark on finer and finer meshes; gives the numbers "
                  "refinement.avi.displacement (the exponent of the step in that error), "
                  "refinement.avi.gradient, the same of newmark, and refinement.cost.",
       .example = R"~({ levels = [0, 1, 2], reference = 4 })~"},
      {.key = "reproduce.refinement.key",
       .types = {Type::text},
       .fallback = R"~("solid.mesh.level")~",
       .meaning = "The key whose values are the levels.",
       .example = R"~("solid.mesh.refine")~"},
      {.key = "reproduce.refinement.levels",
       .types = {Type::list},
       .meaning = "The meshes, each with elements half as large as the one before; 0, 1, 2 unless "
                  "given.",
       .example = "[0, 1, 2]"},
      {.key = "reproduce.refinement.levels[]", .types = {Type::integer}},
      {.key = "reproduce.refinement.reference",
       .types = {Type::integer},
       .meaning =
           "The mesh of the reference solution; two levels finer than the last unless given.",
       .example = "4"},
      {.key = "reproduce.refinement.courant",
       .types = {Type::number},
       .fallback = "0.3",
       .range = Range::positive,
       .meaning = "The Courant fraction of the reference.",
       .example = "0.3"},
      {.key = "reproduce.expect",
       .types = {Type::list},
       .meaning = "The numbers, each a table: `[[reproduce.expect]]`."},
      {.key = "reproduce.expect[]", .types = {Type::table}},
      {.key = "reproduce.expect[].what",
       .types = {Type::text},
       .required = true,
       .meaning = "Which number: a path into the summary.",
       .example = R"~("energy.max_rel_error")~"},
      {.key = "reproduce.expect[].value",
       .types = {Type::number},
       .required = true,
       .meaning = "What it must be.",
       .example = "1e-9"},
      {.key = "reproduce.expect[].against",
       .types = {Type::table},
       .meaning =
           "Changes of the scenario for another run. For kind = \"order\"; and of a solid for "
           "what = \"shape.difference\", the root mean square distance of the two final "
           "shapes.",
       .example = R"~({ "run.step" = 0.05 })~"},
      {.key = "reproduce.expect[].against.NAME",
       .types = {Type::any},
       .meaning = "One change.",
       .example = R"~("newmark")~"},
      {.key = "reproduce.expect[].tolerance",
       .types = {Type::number},
       .range = Range::not_negative,
       .meaning = "How far it may be off; needed unless kind is at_most or at_least.",
       .example = "0.01"},
      {.key = "reproduce.expect[].kind",
       .types = {Type::text},
       .fallback = R"~("relative")~",
       .choices = {{"relative"}, {"absolute"}, {"at_most"}, {"at_least"}, {"order"}, {"fails"}},
       .meaning = "How it is compared. order: value is the exponent of the step in the number, "
                  "from this run and the one of `against`, which has another step. fails: the run "
                  "must end with an error, after so many steps or at such a time.",
       .example = R"~("at_most")~"},
      {.key = "reproduce.expect[].set",
       .types = {Type::table},
       .meaning = "Changes of the scenario for this number, as with `--set`.",
       .example = R"~({ "run.method" = "rk4" })~"},
      {.key = "reproduce.expect[].set.NAME",
       .types = {Type::any},
       .meaning = "One change.",
       .example = R"~("rk4")~"},
      {.key = "reproduce.expect[].note",
       .types = {Type::text},
       .meaning = "A remark for people.",
       .example = R"~("read off the figure")~"},
  };
}

}  // namespace

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
