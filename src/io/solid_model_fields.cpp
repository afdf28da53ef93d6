// SPDX-License-Identifier: BSD-3-Clause
// Texts of a solid as numbers and as functions of X and t.
#include <cmath>
#include <limits>

#include "scenario_expressions.hpp"
#include "solid_model_builder.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/expr/tape.hpp"

namespace varia::io {

namespace {

/// An expression in X, Y(, Z), t that many threads evaluate.
struct Function {
  expr::Tape tape;
  std::vector<std::string> names;
  std::string key;

  double operator()(const double* X, double t) const {
    std::array<double, 4> x{};
    const std::size_t dimension = names.size() - 1;
    for (std::size_t i = 0; i < dimension; ++i) x[i] = X[i];
    x[dimension] = t;
    thread_local std::vector<double> work;
    work.resize(tape.instructions().size());
    double value = 0.0;
    tape.evaluate(x.data(), &value, work.data());
    if (!std::isfinite(value)) fail(x);
    return value;
  }

  [[noreturn]] void fail(const std::array<double, 4>& x) const {
    std::string at;
    for (std::size_t i = 0; i < names.size(); ++i)
      at += (at.empty() ? "" : ", ") + names[i] + " = " + varia::to_text(x[i]);
    throw DomainError(key + ": has no finite value at " + at + ": " +
                      tape.non_finite(x.data(), names));
  }
};

}  // namespace

void SolidModelBuilder::read_parameters() {
  model_.parameters = add_parameters(scenario_.text, solid_.parameters, graph_, parameters_);
}

void SolidModelBuilder::name_coordinates() {
  names_ = {"X", "Y"};
  if (model_.dimension() == 3) names_.emplace_back("Z");
  space_ = parameters_;
  for (std::size_t i = 0; i < names_.size(); ++i)
    space_.add(names_[i], graph_.variable(static_cast<int>(i)));
  space_time_ = space_;
  space_time_.add("t", graph_.variable(model_.dimension()));
  names_.emplace_back("t");
}

expr::Id SolidModelBuilder::parse(const expr::Scope& scope, const Text& text) {
  return parse_text(scenario_.text, graph_, scope, text);
}

double SolidModelBuilder::number(const Text& text) {
  return constant_value(graph_, parse(parameters_, text), text);
}

int SolidModelBuilder::whole(const Text& text) {
  const double value = number(text);
  if (std::abs(value) > std::numeric_limits<int>::max() || std::floor(value) != value)
    throw ScenarioError(text, "must be a whole number, found " + varia::to_text(value) + ".");
  return static_cast<int>(value);
}

solids::Component SolidModelBuilder::component(Id value, const Text& text) {
  if (graph_.is_constant(value)) return solids::constant(graph_[value].value);
  const auto function = [&](Id id, const std::string& key) {
    const auto inputs = static_cast<int>(names_.size());
    return std::make_shared<const Function>(
        Function{expr::Tape(graph_, {id}, inputs), names_, key});
  };
  const auto field = [](std::shared_ptr<const Function> f) {
    return [f = std::move(f)](const double* X, double t) { return (*f)(X, t); };
  };
  solids::Component result;
  result.value = field(function(value, text.key));
  const Id rate = expr::derivative(graph_, value, model_.dimension());
  if (!graph_.is_constant(rate, 0.0)) result.rate = field(function(rate, text.key));
  return result;
}

solids::Components SolidModelBuilder::components(const VectorText& texts, const expr::Scope& scope,
                                                 bool displacement) {
  solids::Components result;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!texts[i]) continue;
    if (static_cast<int>(i) >= model_.dimension())
      throw ScenarioError(*texts[i], "the mesh is plane; there are the components x and y.");
    Id value = parse(scope, *texts[i]);
    if (displacement) value = graph_.add(value, graph_.variable(static_cast<int>(i)));
    result[i] = component(value, *texts[i]);
  }
  return result;
}

void SolidModelBuilder::check_finite(const solids::Component& component, const Text& text,
                                     const double* X) const {
  try {
    component.value(X, model_.problem.t0);
    if (component.rate) component.rate(X, model_.problem.t0);
  } catch (const DomainError& error) {
    throw ScenarioError(text, std::string(error.what()).substr(text.key.size() + 2));
  }
}

void SolidModelBuilder::check_finite(const solids::Components& components, const VectorText& texts,
                                     const std::vector<int>& nodes) const {
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (texts[i])
      for (const int a : nodes) check_finite(components[i], *texts[i], model_.problem.mesh.node(a));
}

}  // namespace varia::io
