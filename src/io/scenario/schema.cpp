// SPDX-License-Identifier: BSD-3-Clause
// The table of keys. A new key is one row here and one line where the scenario is read.
#include "varia/io/schema.hpp"

#include <set>

#include "schema_tree.hpp"
#include "varia/space/list.hpp"

namespace varia::io::rows {

namespace {

Rows top_rows(Form form) {
  Rows rows{
      text("title",
           "A line for people, the heading of the report; the name of the file unless given.",
           R"~("Kepler ellipse")~"),
  };
  if (form != Form::solid)
    rows.insert(rows.end(), {table("system", "The mechanical system.").needed(),
                             table("start", "The state at the beginning.").needed()});
  else
    rows.push_back(table("solid", "The solid: mesh, materials, supports, loads, start.").needed());
  rows.push_back(table("run", "How it is integrated.").needed());
  if (form == Form::control)
    rows.insert(
        rows.end(),
        {table("control",
               "The problem of optimal control: inputs, cost, bounds, where the search "
               "begins.")
             .needed(),
         entry("end", {Type::table, Type::list},
               "What is fixed at the end; a list is one of conditions.", R"~(["x^2 + y^2 - 4"])~"),
         expression("end[]"), table("draw", "The picture of the mechanism in the report.")});
  if (form == Form::system)
    rows.insert(rows.end(), {table("diagnose", "What is computed along the run to judge it."),
                             table("draw", "The picture of the mechanism in the report."),
                             list("event",
                                  "What the run watches, each a table: `[[event]]`; see "
                                  "[events and sections](../how-to/events-and-sections.md).",
                                  R"~([{ when = "x", action = "stop" }])~")});
  rows.insert(rows.end(),
              {table("output", "What is written."),
               table("reproduce", "The numbers of a published result that the run must give."),
               table("sweep", "Which quantities `varia sweep` varies; a run does without it.")});
  return rows;
}

std::vector<Choice> space_keys() {
  std::vector<Choice> keys;
  for (const FactorPtr& factor : space_list()) keys.emplace_back(factor->notation().key);
  return keys;
}

Rows coordinate_rows() {
  return {
      list("system.coordinates",
           "The coordinates, in order. \"x\" is a real number, \"q[1..64]\" an array of them, "
           "\"u[1..8,1..8]\" one with two indices.",
           R"~(["x", "y"])~")
          .needed_unless("body"),
      entry("system.coordinates[]", {Type::text, Type::table}),
      text("system.coordinates[].name",
           "The name of a coordinate that is written as a table; \"R[1..10]\" is an array of "
           "points, or of vectors.",
           R"~("R")~")
          .needed(),
      integer("system.coordinates[].size",
              "The number of components, where it is a vector: r[1], r[2], r[3], or r.x, r.y, r.z; "
              "\"r[1..30]\" is then an array of vectors.",
              "3")
          .within(Range::positive),
      text("system.coordinates[].space",
           "The space it lives in: the real numbers, angles, rotations, motions of the plane "
           "or of space, the unit sphere.",
           R"~("SO3")~")
          .by_default(R"~("R")~")
          .among(space_keys()),
  };
}

Rows system_rows() {  // NOLINT(readability-function-size): a table
  return {
      table("system.parameters", "Constants, in order; a text may use the parameters above it.",
            R"~({ mu = 1.0, e = 0.6, m = [1, "2*mu"] })~"),
      scalars(
          "system.parameters.NAME",
          "One constant. A list is a vector, NAME, with the entries NAME[1], NAME[2] and so on; "
          "a list of lists is a matrix with the entries NAME[1,2].",
          "1.0"),
      scalars("system.parameters.NAME[]"),
      scalar("system.parameters.NAME[][]"),
      table(
          "system.let",
          "Names for expressions, in order, which every expression of the file may use: a value r, "
          "with an index \"d[i]\" or two \"r[i,j]\", a function \"V(s)\" of one or more arguments. "
          "A "
          "definition may use coordinates, velocities, t, parameters and the definitions above it.",
          R"~({ r = "sqrt(x^2 + y^2)", "d[i]" = "q[i+1] - q[i]", "V(s)" = "s^4/4" })~"),
      scalars("system.let.NAME", "One definition; a list is a vector.", R"~("sqrt(x^2 + y^2)")~"),
      scalars("system.let.NAME[]"),
      scalar("system.let.NAME[][]"),
      list("system.free",
           "Parameters that stay inputs of the formulas: with another value of them native "
           "code is not compiled again.",
           R"~(["mu"])~")
          .by_default("[]"),
      text("system.free[]"),
      expression("system.lagrangian", "L(t, q, v); beside bodies what is added to theirs.",
                 R"~("(x_dot^2 + y_dot^2)/2 + mu/sqrt(x^2 + y^2)")~"),
      expression("system.hamiltonian", "H(t, q, p), for methods that take one.",
                 R"~("(x_p^2 + y_p^2)/2 - mu/sqrt(x^2 + y^2)")~"),
      expression("system.discrete_lagrangian",
                 "Your own Ld(q0, q1, h), for the method discrete_lagrangian(order): x_0 and x_1 "
                 "are a coordinate x at the beginning and at the end of the step, q_0[i] and "
                 "q_1[i] entries of an array. The Lagrangian is given too.",
                 R"~("h*(((x_1 - x_0)/h)^2/2 - ((x_0 + x_1)/2)^4)")~"),
      table("system.force", "Generalised forces F(t, q, v) by coordinate; those not given are 0.",
            R"~({ x = "-0.01*x_dot" })~"),
      scalars("system.force.NAME",
              "One component of the force; of a vector all of them, as a list or an expression.",
              R"~("-0.01*x_dot")~"),
      scalars("system.force.NAME[]"),
      scalar("system.force.NAME[][]"),
      list("system.holonomic",
           "Constraints phi(t, q) = 0, one by one, or one for each i of a range. With t in them "
           "they are driven, and the velocity must follow: dphi/dq v + dphi/dt = 0. A vector is as "
           "many constraints as it has components.",
           R"~(["x^2 + y^2 - 1", { phi = "x[i] - x[i-1]", i = [2, "n"] }])~"),
      entry("system.holonomic[]", {Type::expression, Type::table}),
      expression("system.holonomic[].phi", "phi of a constraint that is written as a table.",
                 R"~("(x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 - 1")~")
          .needed(),
      list("system.holonomic[].i", "The first and the last i: one constraint for each of them.",
           R"~([2, "n"])~"),
      scalar("system.holonomic[].i[]"),
      list("system.nonholonomic",
           "Constraints Phi(t, q, v) = 0 on velocities, one by one, or one for each i of a range; "
           "linear, affine or nonlinear in the velocities. The reaction is lambda dPhi/dv. With a "
           "Hamiltonian that is quadratic in the momenta they may contain momenta.",
           R"~(["y_dot*cos(th) - x_dot*sin(th)", { phi = "x_dot[i] - u_dot[i]", i = [1, 9] }])~"),
      entry("system.nonholonomic[]", {Type::expression, Type::table}),
      expression("system.nonholonomic[].phi", "Phi of a constraint that is written as a table.",
                 R"~("y_dot[i]*cos(th[i]) - x_dot[i]*sin(th[i])")~")
          .needed(),
      list("system.nonholonomic[].i", "The first and the last i: one constraint for each of them.",
           R"~([1, "n"])~"),
      scalar("system.nonholonomic[].i[]"),
      truth("system.nonholonomic[].integrable",
            "Whether Phi may be the rate of a function of the coordinates. Such a constraint is "
            "holonomic, and refused unless this is true; then it is held as a condition on "
            "velocities all the same.",
            "true")
          .by_default("false"),
      table("system.symmetry",
            "One-parameter groups; Varia checks the invariance and watches the momentum.",
            R"~({ rotation = { x = "-y", y = "x" } })~"),
      table("system.symmetry.NAME",
            "The generator of one group by coordinate; components not given are 0.",
            R"~({ x = "-y", y = "x" })~"),
      scalars(
          "system.symmetry.NAME.NAME",
          "One component of the generator; of a vector all of them, as a list or an expression.",
          R"~("cross(e3, r)")~"),
      scalars("system.symmetry.NAME.NAME[]"),
      scalar("system.symmetry.NAME.NAME[][]"),
      table("system.observe", "Functions of t, q, v, p that are recorded with the trajectory.",
            R"~({ radius = "sqrt(x^2 + y^2)" })~"),
      expression("system.observe.NAME",
                 "One function; of a vector NAME[1], NAME[2] and so on are recorded.",
                 R"~("sqrt(x^2 + y^2)")~"),
  };
}

Rows term_rows() {
  return {
      list("system.term",
           "Parts of the potential, each a table `[[system.term]]` with a step of its own, for "
           "the method avi only; see [Terms](#terms)."),
      table("system.term[]"),
      expression("system.term[].potential", "V_K(t, q), a function of at most 10 coordinates.",
                 R"~("k*(q[i+1] - q[i])^2/2")~")
          .needed(),
      scalar("system.term[].step",
             "The step of the term; that of the run unless given. It may use the parameters.",
             R"~("0.01*sqrt(2)")~")
          .within(Range::positive),
      list("system.term[].i",
           "The first and the last i: one term for each of them; potential and step may use i.",
           R"~([1, "n - 1"])~"),
      scalar("system.term[].i[]"),
  };
}

/// A number, or a list of the shape.
void add_shaped(Rows& rows, std::string key, const PointKey& part) {
  for (std::size_t depth = 0; depth < part.shape.size(); ++depth, key += "[]")
    rows.push_back(depth == 0 ? list(key, part.meaning, part.example) : list(key));
  rows.push_back(part.shape.empty() ? scalar(key, part.meaning, part.example) : scalar(key));
}

/// The forms of a point that is stated under this key, as the spaces say them.
Rows point_rows(const std::string& key) {
  Rows rows;
  std::set<std::string> known{""};
  for (const FactorPtr& factor : space_list())
    for (const PointForm& form : factor->notation().forms)
      for (const PointKey& part : form)
        if (known.insert(part.key).second) add_shaped(rows, key + "." + part.key, part);
  return rows;
}

Rows start_rows() {
  Rows rows{
      scalar("start.t", "The time of the start.", "0").by_default("0"),
      truth("start.project", "Whether a start off the constraints may be moved onto them.", "true")
          .by_default("false"),
      point("start.NAME",
            "A coordinate, velocity or momentum; a rotation or motion is a table, a vector a list "
            "or an expression, a unit vector a list of three. A list also has an entry for each of "
            "an array. Velocities and momenta of bodies that are not given are 0.",
            R"~("1 - e")~")
          .open(),
      point("start.NAME[]").open(),
      scalar("start.NAME[][]"),
  };
  for (const char* key : {"start.NAME", "start.NAME[]"}) {
    const Rows forms = point_rows(key);
    rows.insert(rows.end(), forms.begin(), forms.end());
  }
  return rows;
}

Rows run_rows() {  // NOLINT(readability-function-size): a table
  return {
      text("run.method",
           "The method; `varia list methods` shows all. \"auto\": Varia chooses one that fits the "
           "system, see [Method and step by choice](#method-and-step-by-choice).",
           R"~("gauss(3)")~")
          .by_default(R"~("auto")~"),
      scalar("run.step",
             "The step size; it may use the parameters. Of avi: the time between two "
             "synchronised states. \"auto\": Varia measures one.",
             "0.05")
          .by_default(R"~("auto")~")
          .within(Range::not_zero),
      scalar(
          "run.tolerance",
          "Of a step that Varia measures: the largest error of the positions, relative to how far "
          "they move, over the trial before the run; see "
          "[Method and step by choice](#method-and-step-by-choice).",
          "1e-8")
          .within(Range::positive),
      end_time("1000"),
      count("run.steps", "", "The number of steps.", "20000"),
      count("run.every", "1", "Record every Nth step.", "10"),
      one_of("run.retraction", {"exp", "cay"},
             "How a step moves on a curved space, SO3, SE2, SE3 or S2: by the exponential map of "
             "the group or by its Cayley map.",
             "cay"),
      truth("run.reconstruct",
            "Whether the points of groups, SO3, SE2 and SE3, are integrated beside their momenta. "
            "Without them the reduced equations of Euler-Poincare are integrated alone; no formula "
            "may then contain an entry of such a point.",
            "false")
          .by_default("true"),
      one_of("run.evaluation", {"auto", "native", "interpreter"},
             "How expressions are evaluated: in the way that is estimated to be faster, "
             "always compiled, or interpreted.",
             "interpreter"),
      one_of(
          "run.multiplier", {"propagate", "recompute"},
          "Multipliers of nonholonomic constraints: those of the steps, from one to the next, or "
          "those of the equations of motion. With nh_lobatto(s) a step begins with them: the first "
          "keeps the energy level, the second cannot run away where phase space contracts.",
          "propagate"),
      one_of(
          "run.constraints", {"nonholonomic", "vakonomic"},
          "What `nonholonomic` means: constraints of mechanics, whose reactions do no work along "
          "velocities that they admit; or those of the variational principle, where the action "
          "is stationary among motions that satisfy them, which is another motion.",
          "vakonomic"),
      list("run.start_multipliers",
           "Of vakonomic constraints, one for each: their motion depends on them. Zeros unless "
           "given.",
           "[0.1]")
          .by_default("[]"),
      scalar("run.start_multipliers[]"),
      one_of("run.solver", {"auto", "newton", "fixed_point"},
             "How the equations of an implicit step are solved: by iteration where that contracts "
             "well and is cheaper, else by Newton's method; always by Newton's method; or by "
             "iteration alone. The choice is for stage methods and their compositions, steps of "
             "fixed length, and Lagrangians without constraints. With constraints, and with a "
             "Hamiltonian that has no Lagrangian, fixed_point is refused; all other implicit steps "
             "are solved by Newton's method.",
             "newton"),
      one_of("run.dependent_constraints", {"refuse", "leave_out"},
             "What happens to constraints that follow from others: they are named and the "
             "scenario is refused, or they are left out and watched. On every space.",
             "leave_out"),
      expression("run.pace",
                 "g(q) > 0, for steps of variable length: the step is one of tau, where dt = g "
                 "dtau; `until` stays a time. \"auto\": the local period over 2 pi.",
                 R"~("(x^2 + y^2)^(3/4)")~"),
      text("run.keep_energy",
           "Steps whose length keeps the discrete energy; `step` is the first one. Where "
           "there is no such length the run ends with an error, or goes on with the "
           "smallest error of the energy.",
           R"~("refuse")~")
          .among({{"refuse"}, {"minimise"}}),
      text("run.projection",
           "Of a Lagrangian theta(q).v - H(q): how the momenta are kept at theta(q). "
           "Symmetric unless given, which keeps the order.",
           R"~("symmetric")~")
          .among({{"symmetric"}, {"each_step"}, {"none"}}),
  };
}

}  // namespace

SchemaEntry one_of(std::string key, const std::vector<std::string>& words, std::string meaning,
                   const std::string& example) {
  const auto quoted = [](const std::string& word) { return '"' + word + '"'; };
  return text(std::move(key), std::move(meaning), quoted(example))
      .by_default(quoted(words.front()))
      .among({words.begin(), words.end()});
}

SchemaEntry count(std::string key, std::string fallback, std::string meaning, std::string example) {
  return integer(std::move(key), std::move(meaning), std::move(example))
      .by_default(std::move(fallback))
      .within(Range::positive);
}

SchemaEntry end_time(std::string example) {
  return scalar("run.until", "The time of the end; it may use the parameters.", std::move(example));
}

}  // namespace varia::io::rows

namespace varia::io {

const std::vector<SchemaEntry>& schema(Form form) {
  using namespace rows;
  const auto joined = [](const std::vector<Rows>& parts) {
    Rows all;
    for (const Rows& rows : parts) all.insert(all.end(), rows.begin(), rows.end());
    return all;
  };
  static const Rows of_system =
      joined({top_rows(Form::system), coordinate_rows(), system_rows(), body_rows(), joint_rows(),
              term_rows(), start_rows(), run_rows(), diagnose_rows(), event_rows(), format_rows(),
              output_rows(Form::system), reproduce_rows(), draw_rows(), plot_rows(),
              sweep_rows(Form::system)});
  static const Rows of_control =
      joined({top_rows(Form::control), coordinate_rows(), system_rows(), body_rows(), joint_rows(),
              control_start_rows(start_rows()), control_run_rows(run_rows()), control_rows(),
              end_rows(start_rows()), format_rows(), output_rows(Form::control), reproduce_rows(),
              draw_rows(), plot_rows(), sweep_rows(Form::control)});
  static const Rows of_solid = joined(
      {top_rows(Form::solid), solid_mesh_rows(), solid_rows(), solid_start_rows(), solid_run_rows(),
       solid_format_rows(), output_rows(Form::solid), reproduce_rows(), sweep_rows(Form::solid)});
  if (form == Form::control) return of_control;
  return form == Form::system ? of_system : of_solid;
}

const std::vector<Alternative>& schema_alternatives(Form form) {
  static const std::vector<Alternative> pairs = {
      {"system", "lagrangian", "hamiltonian", true, "body"},
      {"run", "until", "steps"},
      {"event[]", "when", "every"},
      {"event[]", "every", "direction", false}};
  static const std::vector<Alternative> of_control = {
      {"system", "lagrangian", "hamiltonian", true, "body"}};
  if (form == Form::control) return of_control;
  return form == Form::system ? pairs : rows::solid_alternatives();
}

}  // namespace varia::io
