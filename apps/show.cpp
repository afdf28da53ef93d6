// SPDX-License-Identifier: BSD-3-Clause
// varia show
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "show_solid.hpp"
#include "terminal.hpp"
#include "varia/core/counted.hpp"
#include "varia/expr/print.hpp"
#include "varia/io/equations.hpp"
#include "varia/io/loop_equations.hpp"
#include "varia/io/stepper.hpp"
#include "varia/report/latex.hpp"
#include "varia/terms/speed_up.hpp"
#include "verbs.hpp"

namespace varia::apps {

namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t longest = 160;   // characters of a formula
constexpr std::size_t most = 12;       // coordinates whose equations are shown
constexpr int most_in_latex = 20'000;  // of a system that is written term by term

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

/// What describes the state beside velocities: entries, and the momenta of groups without their points.
std::vector<std::string> state_names(const io::Model& m) {
  std::vector<std::string> names = m.entry_names.all();
  for (const int degree : m.system->space.reduced())
    names.push_back(m.momentum_names[static_cast<std::size_t>(degree)]);
  return names;
}

std::string term_text(const io::Model& m, const io::EquationTerm& term, bool alone) {
  using Kind = io::EquationTerm::Kind;
  if (term.kind == Kind::words) return term.words;
  std::string text = formula(m, term.formula);
  if (term.kind == Kind::force) return alone ? text : "(" + text + ")";
  if (term.kind != Kind::reaction) return text;
  return io::multiplier_name(term.multiplier) + (text == "1" ? "" : "*(" + text + ")");
}

std::string equation_text(const io::Model& m, const io::Equation& e) {
  const std::string left = !e.name.empty() ? e.name : "(" + formula(m, e.left) + ")";
  std::string right;
  for (const io::EquationTerm& term : e.right)
    right += (right.empty() ? "" : " + ") + term_text(m, term, right.empty());
  return (e.rate ? "d/dt " : "") + left + " = " + (right.empty() ? "0" : right);
}

/// Of the first coordinates, or of the general i where sums are loops.
std::vector<std::string> equation_lines(const io::Model& m) {
  std::vector<std::string> lines;
  if (m.bodies_of_sums.empty()) {
    for (const io::Equation& e : io::equations_of(m, most).motion)
      lines.push_back(equation_text(m, e));
    return lines;
  }
  for (const auto& [left, right] : io::equations_of_sums(m, longest))
    if (lines.size() < most) lines.push_back(fmt::format("{} = {}", left, right));
  return lines;
}

/// φ as it is written, or of a joint as it follows from it.
std::string constraint_text(const io::Model& m, const io::ConstraintEquation& c) {
  return "0 = " + (c.joint ? formula(m, c.formula) + "    (" + c.text + ")" : c.text);
}

/// None of a control problem, whose inputs are not known.
Json cost(const io::Stepper* stepper, const io::Model& m) {
  if (stepper == nullptr) return nullptr;
  const io::Stepper& s = *stepper;
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

void print_statement(const io::Model& m, const io::Model& named) {
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
}

void print_structure(const io::Model& m) {
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
  fmt::print("Hessian      {} of one triangle, {}{}\n",
             counted(s.second_derivatives, "nonzero entry", "nonzero entries"),
             counted(s.operations, "operation"),
             s.coordinates > 2 && s.bandwidth < s.coordinates / 2
                 ? fmt::format(", banded with {}", counted(s.bandwidth, "side diagonal"))
                 : "");
}

std::string solve_text(const io::Stepper* stepper) {
  if (stepper == nullptr) return "its stages are constraints of the optimum";
  const FlowCost cost = stepper->cost();
  if (cost.is_explicit) return "explicit here";
  return fmt::format("implicit, {} per solve, {} matrix", counted(cost.unknowns, "unknown"),
                     cost.banded ? "banded" : "dense");
}

void print_bounds(const std::vector<io::BoundsText>& list) {
  for (const io::BoundsText& b : list)
    fmt::print("             {}{}{}\n", b.lower ? b.lower->value + " <= " : "",
               printable(b.where.value), b.upper ? " <= " + b.upper->value : "");
}

void print_control(const io::ControlText& c) {
  std::string inputs;
  for (const io::Text& input : c.inputs) inputs += (inputs.empty() ? "" : ", ") + input.value;
  fmt::print("Inputs       {}\n", inputs);
  if (c.cost) fmt::print("Cost         integral of {}\n", printable(c.cost->value));
  if (c.final_cost) fmt::print("Final cost   {}\n", printable(c.final_cost->value));
  for (const io::StateText& s : c.states)
    fmt::print("State        d{}/dt = {}\n", s.name, printable(s.rate.value));
  if (!c.bounds.empty() || !c.path.empty()) fmt::print("Bounds\n");
  print_bounds(c.bounds);
  print_bounds(c.path);
}

void print_method(const io::Model& m, const io::Stepper* stepper) {
  fmt::print("Method       {}, order {}: {}\n", m.method.name(), m.method.order(),
             solve_text(stepper));
  for (const std::string& line : m.choice.lines()) fmt::print("Chosen       {}\n", printable(line));
  if (!m.terms.empty()) {
    const Steps steps = steps_of(m);
    fmt::print(
        "Terms        {}, steps {:g} to {:g}; one step for all would take {:.3g} times as many "
        "updates\n",
        m.terms.size(), steps.smallest, steps.largest, steps.gain);
  }
}

void print_equations(const io::Model& m, const io::Model& named) {
  fmt::print("{}\n", reduced_names(m).empty() ? "Equations of motion"
                                              : "Equations of motion, reduced (Euler-Poincare)");
  for (const std::string& line : equation_lines(named)) fmt::print("  {}\n", line);
  if (!named.bodies_of_sums.empty()) return;
  if (m.system->n > static_cast<int>(most)) fmt::print("  ...\n");
  for (const auto& c : io::equations_of(named, most).constraints)
    fmt::print("  {}\n", constraint_text(named, c));
  if (m.constraint_texts.size() > most) fmt::print("  ...\n");
}

/// `named`: the same with parameters by name.
void print(const io::Model& m, const io::Model& named, const io::Stepper* stepper) {
  fmt::print("{}\n\n", printable(m.scenario.title));
  fmt::print("Space        {}: {}\n", io::space_name(m), joined(state_names(m)));
  if (!reduced_names(m).empty())
    fmt::print("Reduced      {}: without points, reconstruct = false\n", joined(reduced_names(m)));
  for (const std::string& line : held_points(m)) fmt::print("Formulas     {}\n", line);
  print_statement(m, named);
  print_structure(m);
  print_method(m, stepper);
  if (m.scenario.control) print_control(*m.scenario.control);
  for (const io::Event& event : m.events) fmt::print("Event        {}\n", event_line(event));
  fmt::print("Run          {} of {:g} from t = {:g}\n\n", counted(m.steps, "step"), m.step, m.t0);
  print_equations(m, named);
  for (const auto& note : m.notes) fmt::print("{}: {}\n", toned(Tone::note, "note"), note);
}

}  // namespace

int show(const ShowRequest& request) {
  const io::Scenario scenario = io::read_scenario(request.file, request.overrides());
  if (scenario.solid) {
    if (request.latex)
      throw InvalidArgument(
          "--latex prints equations of motion, and a solid has those of its mesh");
    show_solid(io::build_solid_model(scenario), request.json);
    return done;
  }
  io::Model m = io::build_model(scenario);
  if (request.latex && m.system->n > most_in_latex)
    throw InvalidArgument("the system has " + counted(m.system->n, "degree") +
                          " of freedom, too many for --latex; at most " +
                          std::to_string(most_in_latex) + " are possible");
  const bool general = !request.latex && !io::equations_of_sums(m, longest).empty();
  const io::Sums sums = general ? io::Sums::as_loops : io::Sums::term_by_term;
  if (!general && !m.bodies_of_sums.empty()) m = io::build_model(m.scenario, sums);
  const io::Model named = io::with_names(m.scenario, sums);
  if (request.latex) {
    std::cout << report::latex_document(m, named);
    return done;
  }
  std::unique_ptr<io::Stepper> stepper;
  if (!m.scenario.control) stepper = io::make_stepper(m);
  if (!request.json) {
    print(m, named, stepper.get());
    return done;
  }
  Json out{{"title", m.scenario.title},
           {"space", io::space_name(m)},
           {"coordinates", m.entry_names.all()},
           {"reduced", reduced_names(m)},
           {"parameters", m.parameters},
           {"definitions", definitions(m)},
           {m.hamiltonian ? "hamiltonian" : "lagrangian",
            m.hamiltonian ? m.scenario.system.hamiltonian->value : lagrangian(named)},
           {"structure", structure(m)},
           {"method", m.method.name()},
           {"order", m.method.order()},
           {"step", m.step},
           {"chosen", m.choice.lines()},
           {"steps", m.steps},
           {"cost", cost(stepper.get(), m)},
           {"events", events(m)},
           {"notes", m.notes}};
  if (!m.terms.empty()) {
    const Steps steps = steps_of(m);
    out["terms"] = {{"count", m.terms.size()},
                    {"smallest_step", steps.smallest},
                    {"largest_step", steps.largest},
                    {"gain", steps.gain}};
  }
  out["equations"] = equation_lines(named);
  std::cout << out.dump(2) << "\n";
  return done;
}

}  // namespace varia::apps
