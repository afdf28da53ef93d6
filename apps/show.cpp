// SPDX-License-Identifier: BSD-3-Clause
// varia show
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "show_solid.hpp"
#include "terminal.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/expr/print.hpp"
#include "varia/io/loop_equations.hpp"
#include "varia/io/stepper.hpp"
#include "varia/terms/speed_up.hpp"
#include "verbs.hpp"

namespace varia::apps {

namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t longest = 160;  // characters of a formula
constexpr std::size_t most = 12;      // coordinates whose equations are shown

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i)
    text += (text.empty() ? "" : ", ") + names[i];
  if (names.size() > most) text += ", ... (" + std::to_string(names.size()) + ")";
  return text.empty() ? "none" : text;
}

/// L; as it is written, in one line, where its sums are loops.
std::string lagrangian(const io::Model& m) {
  if (m.bodies_of_sums.empty())
    return expr::to_text(*m.graph, m.lagrangian, m.variable_names, longest);
  std::istringstream words(m.scenario.system.lagrangian->value);
  std::string text;
  for (std::string word; words >> word;) text += (text.empty() ? "" : " ") + word;
  return printable(text);
}

std::string formula(const io::Model& m, expr::Id id) {
  return expr::to_text(*m.graph, id, m.variable_names, longest);
}

Json structure(const io::Model& m) {
  const auto& s = m.structure;
  return {{"separable", s.separable},
          {"time_independent", s.time_independent},
          {"quadratic_in_velocities", s.quadratic && !m.system->degenerate},
          {"linear_in_velocities", m.system->degenerate},
          {"forced", m.system->forced},
          {"constraints", m.system->d},
          {"cyclic", s.cyclic},
          {"second_derivatives", s.second_derivatives},
          {"bandwidth", s.bandwidth},
          {"operations_per_hessian", s.operations}};
}

/// What an event watches: x = 0, up; every 6.28.
std::string watched(const io::Event& event) {
  if (event.timed()) return fmt::format("every {:g}", event.every);
  const std::string way = io::direction_text(event);
  return printable(event.text.value) + " = 0" + (way == "both" ? "" : ", " + way);
}

std::string event_line(const io::Event& event) {
  const std::string what = watched(event);
  const std::string after = event.after > 1 ? fmt::format(", after {}", event.after) : "";
  return printable(event.name) + ": " + what + "; " + io::action_text(event.action) + after;
}

Json events(const io::Model& m) {
  Json list = Json::array();
  for (const io::Event& event : m.events) {
    Json row{{"name", event.name}};
    if (event.timed())
      row["every"] = event.every;
    else
      row.update({{"when", event.text.value}, {"direction", io::direction_text(event)}});
    row.update({{"action", io::action_text(event.action)}, {"after", event.after}});
    list.push_back(row);
  }
  return list;
}

Json definitions(const io::Model& m) {
  Json list = Json::object();
  for (const expr::Definition& d : m.scenario.system.definitions) list[d.head()] = d.text;
  return list;
}

/// How points are held that formulas name otherwise than the scenario.
std::vector<std::string> held_points(const io::Model& m) {
  std::vector<std::string> lines;
  for (const io::Coordinate& c : m.scenario.system.coordinates) {
    std::string text = io::factor_of(c)->notation().held;
    if (text.empty()) continue;
    for (std::size_t at; (at = text.find("{}")) != std::string::npos;) text.replace(at, 2, c.name);
    lines.push_back(c.name + " is " + text);
  }
  return lines;
}

/// Coordinates without their points.
std::vector<std::string> reduced_names(const io::Model& m) {
  std::vector<std::string> names;
  for (const io::Coordinate& c : m.scenario.system.coordinates)
    if (c.reduced) names.push_back(c.name);
  return names;
}

bool is_reduced(const io::Model& m, int degree) {
  const std::vector<int>& reduced = m.system->space.reduced();
  return std::binary_search(reduced.begin(), reduced.end(), degree);
}

/// What describes the state beside velocities: entries, and the momenta of groups without their points.
std::vector<std::string> state_names(const io::Model& m) {
  std::vector<std::string> names = m.entry_names;
  for (const int degree : m.system->space.reduced())
    names.push_back(m.momentum_names[static_cast<std::size_t>(degree)]);
  return names;
}

/// ad*_v μ of a factor by components: R_m2*R_w3 - R_m3*R_w2.
std::string coadjoint_term(const io::Model& m, const ProductSpace::Curved& c, int degree) {
  std::string text;
  const auto name = [&](const std::vector<std::string>& names, int k) {
    return names[static_cast<std::size_t>(c.degree) + static_cast<std::size_t>(k)];
  };
  for (int l = 0; l < c.dof; ++l) {
    FactorChart::Map ad;
    double unit[FactorChart::most] = {};
    unit[l] = 1.0;
    c.factor->ad_star(unit, ad);
    for (int j = 0; j < c.dof; ++j) {
      const double constant = ad[(degree - c.degree) * c.dof + j];
      if (constant == 0.0) continue;
      text += text.empty() ? (constant < 0.0 ? "-" : "") : (constant < 0.0 ? " - " : " + ");
      if (std::abs(constant) != 1.0) text += fmt::format("{:g}*", std::abs(constant));
      text += name(m.momentum_names, l) + "*" + name(m.velocity_names, j);
    }
  }
  return text;
}

/// ad*_v ∂L/∂v, where the degree of freedom belongs to a curved factor: in words, or by components where
/// it is all there is.
std::string frame_term(const io::Model& m, int degree) {
  for (const auto& c : m.system->space.curved())
    if (degree >= c.degree && degree < c.degree + c.dof)
      return is_reduced(m, degree) ? coadjoint_term(m, c, degree) : c.factor->notation().frame_term;
  return "";
}

/// The terms of Gᵀλ and (∂Φ/∂v)ᵀλ that act on a degree of freedom; multipliers of nonholonomic
/// constraints are counted behind those of holonomic ones.
std::vector<std::string> reactions(const io::Model& m, int degree) {
  std::vector<std::string> terms;
  const auto add = [&](int constraint, expr::Id gradient) {
    const std::string slope = formula(m, gradient);
    terms.push_back("lambda[" + std::to_string(constraint + 1) + "]" +
                    (slope == "1" ? "" : "*(" + slope + ")"));
  };
  const Pattern& g = m.system->constraint_pattern;
  for (std::size_t e = 0; e < m.constraint_gradient.size(); ++e)
    if (g.column[e] == degree) add(g.row[e], m.constraint_gradient[e]);
  for (const expr::Entry& slope : m.nonholonomic_slopes)
    if (slope.column == degree) add(m.system->d + slope.row, slope.value);
  return terms;
}

/// d/dt (∂L/∂v) = ∂L/∂q + f + Gᵀλ + (∂Φ/∂v)ᵀλ, coordinate by coordinate; on a rotation with the torque of the frame.
/// Vertical degrees of freedom do not move. Without points, (EP) d/dt μ = ad*_v μ + f, and what μ is.
std::vector<std::pair<std::string, std::string>> equations(const io::Model& m) {
  if (!m.bodies_of_sums.empty()) {
    auto general = io::equations_of_sums(m, longest);
    general.resize(std::min(general.size(), most));
    return general;
  }
  std::vector<std::pair<std::string, std::string>> result, definitions;
  for (std::size_t i = 0; i < m.velocity.size() && i < most; ++i)
    result.emplace_back("d/dt (" + m.entry_names[i] + ")", formula(m, m.velocity[i]));
  const auto n = static_cast<std::size_t>(m.system->n);
  const std::vector<int>& vertical = m.system->space.vertical();
  for (std::size_t i = 0; i < n && i < most; ++i) {
    if (std::binary_search(vertical.begin(), vertical.end(), static_cast<int>(i))) continue;
    std::string right;
    const auto add = [&](const std::string& term) {
      if (!term.empty() && term != "0") right += (right.empty() ? "" : " + ") + term;
    };
    const bool alone = is_reduced(m, static_cast<int>(i));
    const std::string frame = frame_term(m, static_cast<int>(i));
    if (alone) add(frame);
    add(formula(m, m.gradient[i]));
    const std::string force = formula(m, m.force[i]);
    add(right.empty() || force == "0" ? force : "(" + force + ")");
    for (const std::string& term : reactions(m, static_cast<int>(i))) add(term);
    if (!alone) add(frame);
    if (right.empty()) right = "0";
    const std::string momentum = formula(m, m.gradient[n + i]);
    if (alone) definitions.emplace_back(m.momentum_names[i], momentum);
    result.emplace_back("d/dt " + (alone ? m.momentum_names[i] : "(" + momentum + ")"), right);
  }
  result.insert(result.end(), definitions.begin(), definitions.end());
  return result;
}

/// The model with its parameters by name; one in which a number is needed (of a sum, of an array) is
/// shown with numbers.
io::Model with_names(const io::Scenario& scenario, io::Sums sums) {
  io::Scenario named = scenario;
  named.system.free.clear();
  for (const io::Parameter& p : named.system.parameters)
    named.system.free.push_back({p.name, p.values.front().place, p.values.front().key});
  try {
    return io::build_model(named, sums);
  } catch (const Error&) {
    return io::build_model(scenario, sums);
  }
}

Json cost(const io::Stepper& s, const io::Model& m) {
  return {{"explicit", s.cost().is_explicit},
          {"unknowns_per_solve", s.cost().unknowns},
          {"banded", s.cost().banded},
          {"quadrature_points", m.method.stages() ? m.method.stages()->points : 0}};
}

/// The steps of the terms, and what they save against the smallest for all.
struct Steps {
  double smallest, largest, gain;
};

Steps steps_of(const io::Model& m) {
  std::vector<double> steps;
  for (const io::Term& term : m.terms) steps.push_back(term.step);
  const auto [smallest, largest] = std::minmax_element(steps.begin(), steps.end());
  return {*smallest, *largest, terms::speed_up(steps)};
}

/// φ as it is written, or of a joint as it follows from it.
std::vector<std::string> constraint_lines(const io::Model& m) {
  const std::size_t joints = m.joint_constraints.size();
  const std::size_t first = static_cast<std::size_t>(m.system->d) - joints;
  std::vector<std::string> lines;
  for (std::size_t a = 0; a < std::min(m.constraint_texts.size(), most); ++a)
    lines.push_back(a < first || a >= first + joints ? m.constraint_texts[a]
                                                     : formula(m, m.joint_constraints[a - first]) +
                                                           "    (" + m.constraint_texts[a] + ")");
  return lines;
}

void print_momenta(const io::Model& m) {
  for (const auto& momentum : m.momenta)
    if (momentum.has_generator)
      fmt::print(
          "Symmetry     {}: {}\n", momentum.name,
          momentum.conserved ? "L is invariant, the momentum is conserved" : momentum.message);
    else if (momentum.quadratic)
      fmt::print("Casimir      {}: {}\n", momentum.name,
                 !momentum.conserved ? momentum.message
                 : momentum.exact    ? "conserved"
                                     : "conserved by the motion, by steps to their order");
}

/// `named`: the same with parameters by name.
void print(const io::Model& m, const io::Model& named, const io::Stepper& stepper) {
  fmt::print("{}\n\n", printable(m.scenario.title));
  fmt::print("Space        {}: {}\n", io::space_name(m), joined(state_names(m)));
  if (!reduced_names(m).empty())
    fmt::print("Reduced      {}: without points, reconstruct = false\n", joined(reduced_names(m)));
  for (const std::string& line : held_points(m)) fmt::print("Formulas     {}\n", line);
  std::string parameters;
  for (const auto& [name, value] : m.parameters)
    parameters += (parameters.empty() ? "" : ", ") + name + " = " + fmt::format("{:g}", value);
  fmt::print("Parameters   {}\n", parameters.empty() ? "none" : parameters);
  std::string heading = "Definitions  ";
  for (const expr::Definition& d : m.scenario.system.definitions) {
    fmt::print("{}{} = {}\n", heading, d.head(), printable(d.text));
    heading.assign(heading.size(), ' ');
  }
  if (m.hamiltonian)
    fmt::print("Hamiltonian  H = {}\n", m.scenario.system.hamiltonian->value);
  else
    fmt::print("Lagrangian   L = {}\n", lagrangian(named));
  if (m.discrete)
    fmt::print("Discrete L   Ld = {}\n", m.scenario.system.discrete_lagrangian->value);
  const auto& s = m.structure;
  fmt::print("Structure    {}; {}; {}\n",
             m.system->degenerate ? "linear in the velocities"
             : s.separable        ? "separable with constant mass"
                                  : (s.quadratic ? (m.system->on_vector_space()
                                                        ? "quadratic in the velocities, not separable"
                                                        : "quadratic in the velocities")
                                                 : "not quadratic in the velocities"),
             s.time_independent ? "time independent" : "depends on time",
             m.system->forced ? "forced" : "no forces");
  fmt::print("Cyclic       {}\n", joined(s.cyclic));
  print_momenta(m);
  if (m.system->d > 0) fmt::print("Constraints  {}\n", m.system->d);
  if (m.system->e > 0) fmt::print("Nonholonomic {}\n", m.system->e);
  fmt::print("Hessian      {} nonzero entries of one triangle, {} operations{}\n",
             s.second_derivatives, s.operations,
             s.coordinates > 2 && s.bandwidth < s.coordinates / 2
                 ? fmt::format(", banded with {} side diagonals", s.bandwidth)
                 : "");
  fmt::print("Method       {}, order {}: {}\n", m.method.name(), m.method.order(),
             stepper.cost().is_explicit ? "explicit here"
                                        : fmt::format("implicit, {} unknowns per solve, {} matrix",
                                                      stepper.cost().unknowns,
                                                      stepper.cost().banded ? "banded" : "dense"));
  if (!m.terms.empty()) {
    const Steps steps = steps_of(m);
    fmt::print(
        "Terms        {}, steps {:g} to {:g}; one step for all would take {:.3g} times as many "
        "updates\n",
        m.terms.size(), steps.smallest, steps.largest, steps.gain);
  }
  for (const io::Event& event : m.events) fmt::print("Event        {}\n", event_line(event));
  fmt::print("Run          {} steps of {:g} from t = {:g}\n\n{}\n", m.steps, m.step, m.t0,
             reduced_names(m).empty() ? "Equations of motion"
                                      : "Equations of motion, reduced (Euler-Poincare)");
  for (const auto& [left, right] : equations(named)) fmt::print("  {} = {}\n", left, right);
  if (m.system->n > static_cast<int>(most) && m.bodies_of_sums.empty()) fmt::print("  ...\n");
  for (const std::string& line : constraint_lines(named)) fmt::print("  0 = {}\n", line);
  if (m.constraint_texts.size() > most) fmt::print("  ...\n");
  for (const auto& note : m.notes) fmt::print("note: {}\n", note);
}

}  // namespace

int show(const ScenarioRequest& request) {
  const io::Scenario scenario = io::read_scenario(request.file, request.overrides());
  if (scenario.solid) {
    show_solid(io::build_solid_model(scenario), request.json);
    return done;
  }
  const io::Model looped = io::build_model(scenario);
  const bool general = !io::equations_of_sums(looped, longest).empty();
  const io::Sums sums = general ? io::Sums::as_loops : io::Sums::term_by_term;
  const io::Model m =
      general || looped.bodies_of_sums.empty() ? looped : io::build_model(scenario, sums);
  const io::Model named = with_names(scenario, sums);
  const auto stepper = io::make_stepper(m);
  if (!request.json) {
    print(m, named, *stepper);
    return done;
  }
  Json out{{"title", m.scenario.title},
           {"space", io::space_name(m)},
           {"coordinates", m.entry_names},
           {"reduced", reduced_names(m)},
           {"parameters", m.parameters},
           {"definitions", definitions(m)},
           {m.hamiltonian ? "hamiltonian" : "lagrangian",
            m.hamiltonian ? m.scenario.system.hamiltonian->value : lagrangian(named)},
           {"structure", structure(m)},
           {"method", m.method.name()},
           {"order", m.method.order()},
           {"step", m.step},
           {"steps", m.steps},
           {"cost", cost(*stepper, m)},
           {"events", events(m)},
           {"notes", m.notes}};
  if (!m.terms.empty()) {
    const Steps steps = steps_of(m);
    out["terms"] = {{"count", m.terms.size()},
                    {"smallest_step", steps.smallest},
                    {"largest_step", steps.largest},
                    {"gain", steps.gain}};
  }
  out["equations"] = Json::array();
  for (const auto& [left, right] : equations(named))
    out["equations"].push_back(fmt::format("{} = {}", left, right));
  std::cout << out.dump(2) << "\n";
  return done;
}

}  // namespace varia::apps
