// SPDX-License-Identifier: BSD-3-Clause
#include "varia/space/so2.hpp"

#include <numbers>

#include "varia/space/factor_of.hpp"
#include "vector_factor.hpp"

namespace varia {

namespace {

Notation angle_notation() {
  Notation n = number_notation();
  n.key = "SO2";
  n.example = "a";
  n.what = "an angle";
  n.summary = "angles, numbers that are not wrapped";
  n.period = 2.0 * std::numbers::pi;
  return n;
}

SO2<double> read_angle(std::size_t, const double* x) { return {x[0]}; }

class Angle final : public VectorFactor {
 public:
  Angle() : VectorFactor(1), notation_(angle_notation()) {}

  std::string name() const override { return Space<SO2<double>>::name; }
  const Notation& notation() const override { return notation_; }
  FactorPtr with(Retraction tau) const override {
    return tau == Retraction::exponential ? nullptr : curved_angles();
  }

 private:
  Notation notation_;
};

}  // namespace

const FactorPtr& angles() {
  static const FactorPtr factor = std::make_shared<const Angle>();
  return factor;
}

const FactorPtr& curved_angles() {
  static const FactorPtr factor =
      std::make_shared<const FactorOf<SO2<double>>>(angle_notation(), read_angle);
  return factor;
}

}  // namespace varia
