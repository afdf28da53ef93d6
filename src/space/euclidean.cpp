// SPDX-License-Identifier: BSD-3-Clause
#include "varia/space/euclidean.hpp"

#include <algorithm>
#include <string>

#include "varia/core/error.hpp"
#include "varia/core/norm.hpp"
#include "vector_factor.hpp"

namespace varia {

void VectorFactor::origin(double* q) const { std::fill(q, q + k_, 0.0); }

void VectorFactor::require_point(const double* q, const std::string& what) const {
  if (!detail::all_finite(q, k_))
    throw InvalidArgument(what + " has an entry that is not a finite number");
}

void VectorFactor::read_point(std::size_t, const double* numbers, double* q) const {
  std::copy(numbers, numbers + k_, q);
}

void VectorFactor::retract(const double* q, const double* xi, Retraction, double* out) const {
  for (int i = 0; i < k_; ++i) out[i] = q[i] + xi[i];
}

void VectorFactor::difference(const double* q0, const double* q1, Retraction, double* xi) const {
  for (int i = 0; i < k_; ++i) xi[i] = q1[i] - q0[i];
}

void VectorFactor::entry_rates(const double*, const double* v, double* out) const {
  std::copy(v, v + k_, out);
}

Formulas VectorFactor::displaced(expr::Graph& graph, const Formulas& q,
                                 const Formulas& delta) const {
  Formulas moved;
  for (std::size_t i = 0; i < q.size(); ++i) moved.push_back(graph.add(q[i], delta[i]));
  return moved;
}

Formulas VectorFactor::coadjoint(expr::Graph& graph, const Formulas& pi, const Formulas&) const {
  return Formulas(pi.size(), graph.constant(0.0));
}

Formulas VectorFactor::gap(expr::Graph& graph, const Formulas& a, const Formulas& b) const {
  Formulas difference;
  for (std::size_t i = 0; i < a.size(); ++i) difference.push_back(graph.sub(b[i], a[i]));
  return difference;
}

Notation number_notation() {
  Notation n;
  n.key = "R";
  n.example = "x";
  n.what = "a number";
  n.summary = "real numbers; the default";
  n.entries = {{""}, "a coordinate"};
  n.velocities = {{"_dot"}, "the velocity of"};
  n.momenta = {{"_p"}, "the momentum of"};
  n.forces = {{""}, "the force on"};
  return n;
}

namespace {

class Euclidean final : public VectorFactor {
 public:
  using VectorFactor::VectorFactor;

  std::string name() const override { return "R^" + std::to_string(dof()); }
  const Notation& notation() const override {
    static const Notation notation = number_notation();
    return notation;
  }
  FactorPtr power(int count) const override { return euclidean(count * dof()); }
};

}  // namespace

FactorPtr euclidean(int k) {
  if (k < 1)
    throw InvalidArgument("a factor of a space has at least one degree of freedom, got " +
                          std::to_string(k));
  return std::make_shared<const Euclidean>(k);
}

}  // namespace varia
