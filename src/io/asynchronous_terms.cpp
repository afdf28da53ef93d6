// SPDX-License-Identifier: BSD-3-Clause
// Terms given as expressions become families of varia/terms, one for each number of coordinates.
#include <algorithm>
#include <array>
#include <utility>

#include "stepper_of.hpp"
#include "trimmed.hpp"
#include "varia/io/asynchronous.hpp"

namespace varia::io {

namespace {

/// Terms of N coordinates.
template <int N> class ExpressionTerms final : public terms::FamilyOf<ExpressionTerms<N>, 1, N> {
  using Base = terms::FamilyOf<ExpressionTerms<N>, 1, N>;

 public:
  ExpressionTerms(typename Base::Terms nodes, std::vector<Term> terms)
      : Base(std::move(nodes)), terms_(std::move(terms)) {}
  const char* kind() const override { return "expression"; }

  double energy_of(int k, const double* x, double t) const { return values(k, x, t)[0]; }
  double rate_of(int k, const double* x, double t) const { return values(k, x, t)[1]; }
  void gradient_of(int k, const double* x, double t, double* g) const {
    term(k).gradient(point(x, t).data(), g);
  }

 private:
  const Term& term(int k) const { return terms_[static_cast<std::size_t>(k)]; }
  static std::array<double, N + 1> point(const double* x, double t) {
    std::array<double, N + 1> at{t};
    std::copy(x, x + N, at.begin() + 1);
    return at;
  }
  /// V_K and ∂V_K/∂t
  std::array<double, 2> values(int k, const double* x, double t) const {
    std::array<double, 2> out{};
    term(k).energy(point(x, t).data(), out.data());
    return out;
  }

  std::vector<Term> terms_;
};

/// The terms of N coordinates, in their order.
template <int N> void add_family(const Model& model, terms::System<1>& system) {
  std::vector<std::array<int, N>> nodes;
  std::vector<Term> terms;
  for (const Term& term : model.terms) {
    if (term.coordinates.size() != std::size_t{N}) continue;
    nodes.emplace_back();
    std::copy(term.coordinates.begin(), term.coordinates.end(), nodes.back().begin());
    terms.push_back(term);
  }
  if (!terms.empty())
    system.add(std::make_unique<ExpressionTerms<N>>(std::move(nodes), std::move(terms)));
}

}  // namespace

const Descriptor& asynchronous_descriptor() {
  static const Descriptor row{
      "avi",
      "",
      "2",
      "no",
      "yes",
      "always",
      "[solid], or [[system.term]] with constant masses; no forces, no constraints",
      "LMOW03",
      "asynchronous: every term of the potential, or element, with a step of its own",
      {}};
  return row;
}

Method parse_system_method(const std::string& text) {
  const std::string& name = asynchronous_descriptor().name;
  const std::string given = trimmed(text);
  if (trimmed(given.substr(0, given.find('('))) != name) return parse_method(text);
  if (given != name)
    throw InvalidArgument("avi has no parameters, found '" + given +
                          "'; its steps are those of [[system.term]]");
  return {name, 2, false, false, *verlet().stages(), verlet().explicit_alpha()};
}

bool is_asynchronous(const Method& method) {
  return method.name() == asynchronous_descriptor().name;
}

terms::System<1> asynchronous_system(const Model& model) {
  terms::System<1> system;
  system.set_masses(model.system->mass_diagonal);
  [&]<int... I>(std::integer_sequence<int, I...>) { (add_family<I + 1>(model, system), ...); }
  (std::make_integer_sequence<int, terms::max_nodes>{});
  return system;
}

terms::State<1> asynchronous_start(const Model& model, const terms::System<1>& system) {
  std::vector<double> steps;
  steps.reserve(model.terms.size());
  for (std::size_t count = 1; count <= terms::max_nodes; ++count)
    for (const Term& term : model.terms)
      if (term.coordinates.size() == count) steps.push_back(term.step);
  std::vector<double> v = model.rates0;
  if (model.scenario.start.momenta)
    for (std::size_t i = 0; i < v.size(); ++i) v[i] /= model.system->mass_diagonal[i];
  check_start_point(model, v.data());
  return terms::start<1>(system, model.q0, v, steps, {}, {model.t0, true});
}

}  // namespace varia::io
