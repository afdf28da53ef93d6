// SPDX-License-Identifier: BSD-3-Clause
// The terms of a potential, for avi: L = Σ ½ m_a v_a² - Σ_K V_K(t, q_K).
//
// The Lagrangian is the statement of the system, the terms are a division of its potential. Only
// derivatives of V move anything, so these are compared: a constant may be missing.
#include <algorithm>
#include <cmath>

#include "../scenario/expressions.hpp"
#include "../scenario/words.hpp"
#include "builder.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/tape.hpp"
#include "varia/terms/family.hpp"

namespace varia::io {

namespace {

using detail::sz;

constexpr int term_samples = 24;
constexpr double sum_tolerance = 1e-9;  // relative to the derivatives that are added
constexpr std::size_t most_terms = 100000;
constexpr double most_term_updates = 1e9;  // of a term between two synchronised states

/// ∂V/∂q and its terms, at the point where they differ most.
struct Difference {
  double stated = 0.0, of_terms = 0.0;
  double size = 0.0;  ///< largest Σ|∂V_K/∂q| + |∂V/∂q| of all points
  double off() const { return std::abs(stated - of_terms); }
};

}  // namespace

/// What avi is not for.
void ModelBuilder::refuse_asynchronous() const {
  const KernelSystem& f = *model_.system;
  const System& s = scenario_.system;
  const Text& lagrangian = s.stated();
  const std::string other = ". Use another method (varia list methods)";
  if (!f.on_vector_space())
    throw ScenarioError(scenario_.run.method,
                        "avi is for coordinates that are numbers; found a rotation" + other);
  if (f.d + f.e > 0) throw ScenarioError(*s.constraint(), "avi does not take constraints" + other);
  if (f.forced)
    throw ScenarioError(
        s.force.front().text,
        "avi does not take forces: what acts must be the potential of a term" + other);
  const std::string form =
      "avi needs constant masses, one for each coordinate: L = sum of m*v^2/2 minus a potential "
      "V(t, q); ";
  if (!f.separable)
    throw ScenarioError(lagrangian, form + "found a Lagrangian that is not of this form" + other);
  const auto product = [&](int i, int j) {
    return model_.velocity_names[sz(j)] + "*" + model_.velocity_names[sz(i)];
  };
  for (int i = 0; i < f.n && f.mass_diagonal.empty(); ++i)
    for (int j = 0; j < i; ++j)
      if (f.mass(i, j) != 0.0)
        throw ScenarioError(lagrangian, std::string(form)
                                            .append("found the coefficient ")
                                            .append(varia::to_text(f.mass(i, j)))
                                            .append(" of ")
                                            .append(product(i, j))
                                            .append(other));
  for (int i = 0; i < f.n; ++i)
    if (!(f.mass_diagonal[sz(i)] > 0.0))
      throw ScenarioError(lagrangian, "avi needs positive masses; that of " +
                                          model_.entry_names[sz(i)] + " is " +
                                          varia::to_text(f.mass_diagonal[sz(i)]) + other);
  if (!(model_.step > 0.0))
    throw ScenarioError(scenario_.run.step,
                        "avi goes forward in time: the step must be greater than 0, found " +
                            varia::to_text(model_.step));
}

double ModelBuilder::term_step(const TermText& text, const expr::Scope& numbers) {
  if (!text.step) return model_.step;
  const double step = constant_value(*graph_, parse(numbers, *text.step), *text.step);
  if (!(step > 0.0))
    throw ScenarioError(*text.step, "must be greater than 0, found " + varia::to_text(step));
  if (model_.step / step > most_term_updates || model_.t0 + step == model_.t0)
    throw ScenarioError(*text.step,
                        "is too small: the term would act " + varia::to_text(model_.step / step) +
                            " times in one step of the run, found " + varia::to_text(step) +
                            " beside run.step = " + varia::to_text(model_.step));
  return step;
}

Term ModelBuilder::make_term(Id potential, double step, const Text& text) {
  expr::Graph& g = *graph_;
  Term term;
  term.step = step;
  std::vector<std::string> names{"t"};
  std::vector<std::pair<int, Id>> local;  // variables of the term: t, its coordinates
  std::vector<double> start{model_.t0};
  for (const int v : expr::variables_of(g, potential)) {
    if (v >= layout_.velocity_variable(0))
      throw ScenarioError(text, "contains the velocity " + model_.variable_names[sz(v)] +
                                    "; a term is a function of the coordinates, t and parameters");
    if (v == 0) continue;
    const int i = v - layout_.entry_variable(0);
    term.coordinates.push_back(i);
    names.push_back(model_.entry_names[sz(i)]);
    start.push_back(model_.q0[sz(i)]);
    local.emplace_back(v, g.variable(static_cast<int>(term.coordinates.size())));
  }
  const auto count = static_cast<int>(term.coordinates.size());
  if (count == 0) throw ScenarioError(text, "does not depend on any coordinate");
  if (count > terms::max_nodes)
    throw ScenarioError(text, "depends on " + std::to_string(count) +
                                  " coordinates: " + listed({names.begin() + 1, names.end()}) +
                                  "; a term has at most " + std::to_string(terms::max_nodes) +
                                  ". Divide it into several terms, or give it once for each i: "
                                  "i = [1, n]");
  const Id v = expr::substitute(g, potential, local);
  std::vector<int> variables;
  for (int a = 1; a <= count; ++a) variables.push_back(a);
  term.energy = kernel({v, expr::derivative(g, v, 0)}, count + 1);
  term.gradient = kernel(expr::gradient(g, v, variables), count + 1);
  for (const expr::Kernel* k : {&term.energy, &term.gradient})
    require_finite(*k, start.data(), names, text);
  return term;
}

void ModelBuilder::add_terms(const TermText& text) {
  const auto [first, last] =
      indices(text.range, text.potential, most_terms - model_.terms.size(), "terms");
  expr::Scope numbers = parameters_, scope = motion_;
  if (text.range)
    for (expr::Scope* s : {&numbers, &scope}) s->add_index("i", first);
  for (long i = first; i <= last; ++i) {
    if (text.range)
      for (expr::Scope* s : {&numbers, &scope}) s->set_index("i", i);
    model_.terms.push_back(
        make_term(parse(scope, text.potential), term_step(text, numbers), text.potential));
  }
}

/// ∂V/∂q = Σ ∂V_K/∂q at the start and at points near it.
void ModelBuilder::check_term_sum() const {
  const KernelSystem& f = *model_.system;
  std::vector<Difference> worst(sz(f.n));
  std::vector<double> stated(sz(f.n));
  for (int k = -1; k < term_samples; ++k) {
    std::vector<double> x = sample_point(std::max(k, 0));
    if (k < 0) {
      x[0] = model_.t0;
      std::copy(model_.q0.begin(), model_.q0.end(), x.begin() + 1);
    }
    f.potential_gradient(x.data(), stated.data());
    std::vector<Difference> here(sz(f.n));
    for (std::size_t i = 0; i < here.size(); ++i) here[i] = {stated[i], 0.0, std::abs(stated[i])};
    for (const Term& term : model_.terms) {
      std::vector<double> at{x[0]};
      for (const int i : term.coordinates) at.push_back(x[sz(1 + i)]);
      std::vector<double> g(term.coordinates.size());
      term.gradient(at.data(), g.data());
      for (std::size_t a = 0; a < g.size(); ++a) {
        Difference& d = here[sz(term.coordinates[a])];
        d.of_terms += g[a];
        d.size += std::abs(g[a]);
      }
    }
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (!std::isfinite(here[i].size)) continue;  // beyond the domain of V
      const double size = std::max(worst[i].size, here[i].size);
      if (here[i].off() > worst[i].off()) worst[i] = here[i];
      worst[i].size = size;
    }
  }
  for (std::size_t i = 0; i < worst.size(); ++i)
    if (worst[i].off() > sum_tolerance * worst[i].size)
      throw ScenarioError(scenario_.system.terms.front().potential.place, "system.term",
                          "the terms do not add up to the potential V of the Lagrangian: near the "
                          "start dV/d" +
                              model_.entry_names[i] + " is " + varia::to_text(worst[i].stated) +
                              ", that of the terms " + varia::to_text(worst[i].of_terms) +
                              ", a difference of " +
                              varia::to_text(worst[i].stated - worst[i].of_terms));
}

void ModelBuilder::read_terms() {
  const auto& texts = scenario_.system.terms;
  const Text& method = scenario_.run.method;
  if (!model_.method.asynchronous()) {
    if (texts.empty()) return;
    throw ScenarioError(texts.front().potential.place, "system.term",
                        "terms with steps of their own are for method = \"avi\", found \"" +
                            method.value +
                            "\". Remove them, or keep avi and let varia compare run both methods");
  }
  refuse_asynchronous();
  if (texts.empty())
    throw ScenarioError(method,
                        "avi needs [[system.term]] tables, which divide the potential into terms "
                        "with steps of their own; found none");
  for (const TermText& text : texts) add_terms(text);
  check_term_sum();
}

}  // namespace varia::io
