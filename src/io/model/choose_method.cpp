// SPDX-License-Identifier: BSD-3-Clause
// The method of a scenario that names none, from the structure of its system.
#include "../scenario/expressions.hpp"
#include "builder.hpp"

namespace varia::io {

namespace {

/// Of which errors of the tolerance are reached with few steps; 4 without one.
int order_for(const std::optional<double>& tolerance) {
  if (!tolerance || *tolerance >= 1e-7) return 4;
  return *tolerance >= 1e-10 ? 6 : 8;
}

std::string with_argument(const std::string& name, int argument) {
  return name + "(" + std::to_string(argument) + ")";
}

std::string explicit_method(int order) {
  if (order == 2) return "verlet";
  return with_argument(order == 8 ? "kahan_li" : "blanes_moan", order);
}

}  // namespace

void ModelBuilder::choose_method() {
  auto [name, why] = method_by_structure();
  model_.choice.method = name;
  model_.choice.method_why = why;
  scenario_.run.method.value = name;
}

/// Name and reason. Where formulas are not smooth the order is 2: more is lost at every kink.
std::pair<std::string, std::string> ModelBuilder::method_by_structure() const {
  const KernelSystem& f = *model_.system;
  const Run& run = scenario_.run;
  if (!scenario_.system.terms.empty()) return {"avi", "the potential is divided into terms"};
  if (scenario_.system.discrete_lagrangian)
    throw ScenarioError(
        run.method,
        "missing; with a discrete Lagrangian of your own it must be given, with its "
        "order: method = \"discrete_lagrangian(2)\"");
  std::optional<double> tolerance;
  if (run.tolerance) {
    expr::Graph& g = *graph_;
    tolerance = constant_value(g, parse_text(scenario_.text, g, parameters_, *run.tolerance),
                               *run.tolerance);
  }
  const bool smooth = model_.kinks.empty();
  const int order = smooth ? order_for(tolerance) : 2;
  const std::string of_order =
      "order " + std::to_string(order) +
      (smooth ? "" : ", since " + model_.kinks.front().text + " and more would be lost there");
  const std::string gauss = with_argument("gauss", order / 2);
  const bool groups = !f.on_vector_space();
  if (model_.hamiltonian && model_.structure.separable)
    return {explicit_method(order), "H = T(p) + V(q): explicit, " + of_order};
  if (model_.hamiltonian)
    return {gauss, "a Hamiltonian that is used as it is: implicit, " + of_order};
  if (f.degenerate) return {gauss, "L is linear in the velocities: implicit, " + of_order};
  if (f.e > 0)
    return {with_argument(groups ? "nh_lobatto_sym" : "nh_lobatto", order / 2 + 1),
            "nonholonomic constraints hold at its points" +
                std::string(groups ? ", and it is symmetric on groups: " : ": ") + of_order};
  if (f.d > 0)
    return {with_argument("lobatto", order / 2 + 1),
            "constraints hold at its points, with full order: " + of_order};
  if (groups) return {gauss, "it acts on groups with full order: implicit, " + of_order};
  if (run.pace || run.keep_energy)
    return {gauss, "steps of variable length take a method of stages: " + of_order};
  if (f.separable && !f.forced)
    return {explicit_method(order),
            "constant masses and a potential, L = v.M v/2 - V(q): explicit, " + of_order};
  return {gauss, std::string(f.forced ? "forces act" : "L is not of the form v.M v/2 - V(q)") +
                     ": implicit, " + of_order};
}

}  // namespace varia::io
