// SPDX-License-Identifier: BSD-3-Clause
#include "varia/space/euclidean.hpp"

#include <algorithm>
#include <string>

#include "varia/core/error.hpp"
#include "varia/core/norm.hpp"
#include "varia/space/factor.hpp"

namespace varia {

namespace {

class Euclidean : public Factor {
 public:
  explicit Euclidean(int k) : k_(k) {}

  std::string name() const override { return "R^" + std::to_string(k_); }
  int entries() const override { return k_; }
  int dof() const override { return k_; }
  const Notation& notation() const override {
    static const Notation notation{"R",
                                   "x",
                                   "a number",
                                   "real numbers; the default",
                                   {{""}, "a coordinate"},
                                   {{"_dot"}, "the velocity of"},
                                   {{"_p"}, "the momentum of"},
                                   {{""}, "the force on"},
                                   {},
                                   ""};
    return notation;
  }
  void origin(double* q) const override { std::fill(q, q + k_, 0.0); }
  void require_point(const double* q, const std::string& what) const override {
    if (!detail::all_finite(q, k_))
      throw InvalidArgument(what + " has an entry that is not a finite number");
  }
  void read_point(std::size_t, const double* numbers, double* q) const override {
    std::copy(numbers, numbers + k_, q);
  }
  void retract(const double* q, const double* xi, Retraction, double* out) const override {
    for (int i = 0; i < k_; ++i) out[i] = q[i] + xi[i];
  }
  void difference(const double* q0, const double* q1, Retraction, double* xi) const override {
    for (int i = 0; i < k_; ++i) xi[i] = q1[i] - q0[i];
  }
  void entry_rates(const double*, const double* v, double* out) const override {
    std::copy(v, v + k_, out);
  }
  Formulas displaced(expr::Graph& graph, const Formulas& q, const Formulas& delta) const override {
    Formulas moved;
    for (std::size_t i = 0; i < q.size(); ++i) moved.push_back(graph.add(q[i], delta[i]));
    return moved;
  }

 private:
  int k_;
};

class Angle final : public Euclidean {
 public:
  Angle() : Euclidean(1), notation_(Euclidean::notation()) {
    notation_.key = "SO2";
    notation_.example = "a";
    notation_.what = "an angle";
    notation_.summary = "angles, numbers that are not wrapped";
  }
  std::string name() const override { return "SO(2)"; }
  const Notation& notation() const override { return notation_; }

 private:
  Notation notation_;
};

}  // namespace

const FactorPtr& angles() {
  static const FactorPtr factor = std::make_shared<const Angle>();
  return factor;
}

FactorPtr euclidean(int k) {
  if (k < 1)
    throw InvalidArgument("a factor of a space has at least one degree of freedom, got " +
                          std::to_string(k));
  return std::make_shared<const Euclidean>(k);
}

}  // namespace varia
