// SPDX-License-Identifier: BSD-3-Clause
// The keys of a control problem: [control], [end], and how [run] differs.
#include "schema_tree.hpp"

namespace varia::io::rows {

namespace {

/// Bounds from below and from above, written as a list of two or as a table.
void add_bounds(Rows& rows, const std::string& key, std::string meaning, std::string example) {
  rows.push_back(entry(key, {Type::list, Type::table}, std::move(meaning), std::move(example)));
  rows.push_back(scalar(key + "[]"));
  rows.push_back(scalar(key + ".at_least", "The lower bound alone, or beside the upper one.", "0"));
  rows.push_back(scalar(key + ".at_most", "The upper bound alone, or beside the lower one.", "1"));
}

Rows cost_rows() {
  return {
      list("control.inputs",
           "Names of the inputs. They may occur in forces, rates of states, the cost and path "
           "conditions.",
           R"~(["u"])~")
          .needed(),
      text("control.inputs[]"),
      expression("control.cost",
                 "The running cost C(t, q, v, states, inputs); its integral by the quadrature of "
                 "the method counts.",
                 R"~("u^2")~"),
      expression("control.final_cost", "What is added at the end, of t, q, v, p and states.",
                 R"~("(x - 1)^2")~"),
      table("control.state",
            "Auxiliary states of first order by their rates, with start and end like coordinates: "
            "mass, fuel, the length of a way.",
            R"~({ m = "-u/c" })~"),
      expression("control.state.NAME", "The rate of one state.", R"~("-u/c")~"),
  };
}

Rows condition_rows() {
  Rows rows{table("control.bounds",
                  "Bounds of inputs, coordinates, velocities and states, at every point of the "
                  "quadrature.",
                  "{ u = [-20, 20], x = { at_least = 0 } }")};
  add_bounds(rows, "control.bounds.NAME", "The bounds of one of them.", "[-20, 20]");
  rows.insert(
      rows.end(),
      {list("control.path",
            "Conditions along the motion, each a table with at_most, at_least or both.",
            R"~([{ g = "x^2 + y^2", at_least = 1 }])~"),
       table("control.path[]"),
       expression("control.path[].g", "A function of t, q, v, states and inputs.",
                  R"~("1 - (x - 2)^2 - (y - 1)^2")~")
           .needed(),
       scalar("control.path[].at_most", "What g does not exceed.", "0"),
       scalar("control.path[].at_least", "What g does not fall below.", "0"),
       table("control.until", "Instead of `until` in [run]: the end time is free.",
             "{ free = [0.5, 10] }"),
       list("control.until.free", "The bounds of the end time.", "[0.5, 10]").needed(),
       scalar("control.until.free[]"),
       scalar("control.until.guess", "Where the search begins; between the bounds unless given.",
              "2"),
       table("control.optimise",
             "Parameters of [system.parameters] that are to be found, with their bounds; their "
             "values are the guess.",
             "{ }")});
  add_bounds(rows, "control.optimise.NAME", "The bounds of one of them.", "[0.1, 10]");
  return rows;
}

Rows search_rows() {
  return {
      table("control.guess",
            "Where the search begins: coordinates, states and inputs as functions of t. What is "
            "not given is interpolated between start and end on its space; inputs are 0.",
            R"~({ x = "4*t" })~"),
      text("control.guess.file", "A trajectory.h5 of an earlier run or optimum of the same system.",
           R"~("trajectory.h5")~"),
      truth("control.guess.rollout",
            "Whether the guess of the motion is the one that start and inputs give.", "true")
          .by_default("false"),
      any("control.guess.NAME", "One coordinate, state or input as a function of t.", R"~("4*t")~"),
      table("control.continue",
            "Problems that are solved before this one, each from the optimum of the last: values "
            "of a parameter, or of any key in full.",
            R"~({ "run.steps" = [5] })~"),
      list("control.continue.NAME", "The values of one quantity, one for each problem.", "[5, 3]"),
      any("control.continue.NAME[]"),
      text("control.solver", "What solves the problem.", R"~("varia")~")
          .by_default(R"~("varia")~")
          .among({{"varia"}, {"ipopt"}}),
      number("control.tolerance", "Of the scaled conditions of optimality.", "1e-10")
          .by_default("1e-10")
          .within(Range::positive),
      count("control.iterations", "500", "At most so many iterations.", "500"),
  };
}

}  // namespace

Rows control_rows() {
  Rows rows = cost_rows();
  for (const Rows& more : {condition_rows(), search_rows()})
    rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

/// The same forms as at the start.
Rows end_rows(const Rows& start) {
  Rows rows{
      list("end.conditions", "Functions of t, q, v, p and states that vanish at the end.",
           R"~(["x^2 + y^2 - 4"])~"),
      expression("end.conditions[]"),
  };
  for (SchemaEntry row : start) {
    if (!row.key.starts_with("start.NAME")) continue;
    row.key.replace(0, 5, "end");
    if (row.key == "end.NAME")
      row.meaning =
          "A coordinate, velocity, momentum or state that is fixed at the end, written as in "
          "[start].";
    rows.push_back(row);
  }
  return rows;
}

/// What is fixed at the start need not be all; nothing is moved onto constraints.
Rows control_start_rows(Rows start) {
  std::erase_if(start, [](const SchemaEntry& row) { return row.key == "start.project"; });
  for (SchemaEntry& row : start)
    if (row.key == "start.NAME")
      row.meaning = "A coordinate, velocity, momentum or state that is fixed at the start.";
  start.push_back(list("start.conditions",
                       "Functions of t, q, v, p and states that vanish at the start.",
                       R"~(["x - y"])~"));
  start.push_back(expression("start.conditions[]"));
  return start;
}

/// The number of steps is part of a control problem.
Rows control_run_rows(Rows run) {
  for (SchemaEntry& row : run)
    if (row.key == "run.steps") row.needed();
  return run;
}

}  // namespace varia::io::rows
