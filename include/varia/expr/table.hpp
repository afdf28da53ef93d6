// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Data as a function: a cubic spline through points.
//
// The spline is the one without a knot at the second and at the last but one point: it has two continuous
// derivatives, and is the cubic polynomial itself where the points lie on one. Outside of its points
// it has no value.
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace varia::expr {

class Spline {
 public:
  static constexpr std::size_t fewest = 4;  ///< points

  /// The name is how the text asks for it: table("wind.csv", "speed"). Through (x, y), x increasing, at least four points of finite numbers; throws InvalidArgument.
  Spline(std::string name, std::vector<double> x, const std::vector<double>& y);

  const std::string& name() const { return name_; }  ///< for messages
  double first() const { return x_.front(); }
  double last() const { return x_.back(); }

  /// The derivative of this order >= 0; NaN outside of the points.
  double operator()(double x, int order) const;

  /// On [knots[k], knots[k+1]] the polynomial c0 + s (c1 + s (c2 + s c3)), s = x - knots[k].
  const std::vector<double>& knots() const { return x_; }
  const std::vector<double>& coefficients() const { return c_; }  ///< four for each interval

 private:
  std::string name_;
  std::vector<double> x_, c_;
};

/// Keeps the spline for the rest of the program, equal ones once. The number is the second operand of
/// Op::table that stands for its values; + 1, + 2, + 3 stand for its derivatives, up to + 7.
double table_code(const Spline& spline);
constexpr int smooth_table_orders = 4;  ///< derivatives from this order on are 0
/// The spline and the order; null for a number that stands for none.
const Spline* find_table(double code, int& order);

/// The value of Op::table; NaN where it has none.
double table_value(double x, double code);

}  // namespace varia::expr
