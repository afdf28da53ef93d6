// SPDX-License-Identifier: BSD-3-Clause
#include "varia/expr/tape_series.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "varia/core/error.hpp"
#include "varia/expr/tape_scalar.hpp"

namespace varia::expr {

namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

/// (a b)_k
double product(int k, const double* a, const double* b) {
  double sum = 0.0;
  for (int j = 0; j <= k; ++j) sum += a[j] * b[k - j];
  return sum;
}

/// Σⱼ aⱼ b_{k-j} over 0 < j < k
double inner_product(int k, const double* a, const double* b) {
  double sum = 0.0;
  for (int j = 1; j < k; ++j) sum += a[j] * b[k - j];
  return sum;
}

/// Coefficient k of ∫ f x′ dt
double integral(int k, const double* f, const double* x) {
  double sum = 0.0;
  for (int j = 1; j <= k; ++j) sum += j * x[j] * f[k - j];
  return sum / k;
}

/// y_k from y′ w = z′, where slope is the coefficient k of z
double quotient_integral(int k, double slope, const double* w, const double* y) {
  double sum = 0.0;
  for (int j = 1; j < k; ++j) sum += j * y[j] * w[k - j];
  return (slope - sum / k) / w[0];
}

/// y_k from y² = s, where square is the coefficient k of s
double root(int k, double square, const double* y) {
  return (square - inner_product(k, y, y)) / (2.0 * y[0]);
}

/// How many series an operation needs besides its result.
std::size_t extra_series(Op op) {
  if (op == Op::pow || op == Op::erf || op == Op::smoothstep) return 2;
  return (Op::sin <= op && op <= Op::tanh) || op == Op::atan2 ? 1 : 0;
}

/// Coefficient 0 of the companion of y = f(a).
double start_companion(Op op, double a, double y) {
  switch (op) {
    case Op::sin:
      return std::cos(a);
    case Op::cos:
      return std::sin(a);
    case Op::tan:
      return 1.0 + y * y;
    case Op::asin:
    case Op::acos:
      return std::sqrt(1.0 - a * a);
    case Op::atan:
      return 1.0 + a * a;
    case Op::sinh:
      return std::cosh(a);
    case Op::cosh:
      return std::sinh(a);
    case Op::tanh:
      return 1.0 - y * y;
    default:
      return undefined;
  }
}

/// A function of one argument and its companion for k > 0. Companions: the other of a pair, 1 ± y² of (hyperbolic) tangents, √(1 - a²)
/// or 1 + a² of the inverse functions.
void extend_unary(Op op, int k, const double* a, double* y, double* w) {
  switch (op) {
    case Op::neg:
      y[k] = -a[k];
      break;
    case Op::abs:
      y[k] = a[0] > 0.0 ? a[k] : a[0] < 0.0 ? -a[k] : undefined;
      break;
    case Op::sign:
    case Op::floor:
      y[k] = 0.0;
      break;
    case Op::sqrt:
      y[k] = root(k, a[k], y);
      break;
    case Op::exp:
      y[k] = integral(k, y, a);
      break;
    case Op::log:
      y[k] = quotient_integral(k, a[k], a, y);
      break;
    case Op::sin:
    case Op::sinh:
    case Op::cosh:
      y[k] = integral(k, w, a);
      w[k] = op == Op::sin ? -integral(k, y, a) : integral(k, y, a);
      break;
    case Op::cos:
      y[k] = -integral(k, w, a);
      w[k] = integral(k, y, a);
      break;
    case Op::tan:
    case Op::tanh:
      y[k] = integral(k, w, a);
      w[k] = op == Op::tan ? product(k, y, y) : -product(k, y, y);
      break;
    case Op::asin:
    case Op::acos:
      w[k] = root(k, -product(k, a, a), w);
      y[k] = quotient_integral(k, op == Op::asin ? a[k] : -a[k], w, y);
      break;
    case Op::atan:
      w[k] = product(k, a, a);
      y[k] = quotient_integral(k, a[k], w, y);
      break;
    default:
      y[k] = undefined;
  }
}

/// erf(a) and smoothstep(a) from y′ = c f(a) a′, with f(a) and what it is made of.
void extend_bell(int k, const double* a, double* y, double* w, double* f) {
  w[k] = -product(k, a, a);
  f[k] = k == 0 ? std::exp(w[0]) : integral(k, f, w);
  y[k] = k == 0 ? std::erf(a[0]) : 2.0 * std::numbers::inv_sqrtpi * integral(k, f, a);
}

void extend_smoothstep(int k, const double* a, double* y, double* w, double* f) {
  if (k == 0) y[0] = smoothstep(a[0]);
  w[k] = a[k] - product(k, a, a);
  f[k] = product(k, w, w);
  if (k == 0) return;
  const bool edge = a[0] == 0.0 || a[0] == 1.0;
  const bool inside = 0.0 < a[0] && a[0] < 1.0;
  const double slope = inside || edge ? 30.0 * integral(k, f, a) : 0.0;
  y[k] = edge && slope != 0.0 ? undefined : slope;
}

double chosen(int k, bool first, const double* a, const double* b) {
  if (k > 0 && a[0] == b[0] && a[k] != b[k]) return undefined;  // a tie with different slopes
  return first ? a[k] : b[k];
}

double extend_binary(Op op, int k, const double* a, const double* b, const double* y, double* w) {
  switch (op) {
    case Op::add:
      return a[k] + b[k];
    case Op::sub:
      return a[k] - b[k];
    case Op::mul:
      return product(k, a, b);
    case Op::div: {
      double sum = a[k];
      for (int j = 0; j < k; ++j) sum -= y[j] * b[k - j];
      return sum / b[0];
    }
    case Op::atan2:
      w[k] = product(k, a, a) + product(k, b, b);
      return k == 0 ? std::atan2(a[0], b[0])
                    : quotient_integral(k, integral(k, b, a) - integral(k, a, b), w, y);
    case Op::hypot:
      return k == 0 ? std::hypot(a[0], b[0]) : root(k, product(k, a, a) + product(k, b, b), y);
    case Op::min:
      return chosen(k, a[0] <= b[0], a, b);
    case Op::max:
      return chosen(k, a[0] >= b[0], a, b);
    case Op::less:
    case Op::less_equal:
    case Op::equal:
      return k == 0 ? detail::apply_binary(op, a[0], b[0]) : 0.0;
    case Op::when:
      return detail::apply_binary(op, a[0], b[k]);
    case Op::mod:  // a - n b with a fixed n
      return k == 0 ? mod(a[0], b[0]) : a[k] - std::floor(a[0] / b[0]) * b[k];
    default:
      return undefined;
  }
}

/// a^p from a y′ = p a′ y; a₀ = 0 has zero coefficients below p and undefined above.
void constant_power(int k, double exponent, const double* a, double* y) {
  if (k == 0) {
    y[0] = std::pow(a[0], exponent);
    return;
  }
  if (a[0] == 0.0) {
    y[k] = k < exponent ? 0.0 : undefined;
    return;
  }
  double sum = 0.0;
  for (int j = 1; j <= k; ++j) sum += (exponent * j - (k - j)) * a[j] * y[k - j];
  y[k] = sum / (k * a[0]);
}

/// A cubic polynomial of the series a, from the derivatives at a₀. At a knot the third derivative is that of
/// the interval behind.
double of_table(int k, double code, const double* a) {
  if (k == 0) return table_value(a[0], code);
  double sum = 0.0;
  for (int order = 3, factorial = 6; order >= 1; factorial /= order--) {
    const double derivative = table_value(a[0], code + order);
    // coefficient k of (a - a₀)^order
    double power = 0.0;
    if (order == 1) power = a[k];
    if (order == 2) power = inner_product(k, a, a);
    if (order == 3)
      for (int j = 1; j < k; ++j) power += a[j] * inner_product(k - j, a, a);
    sum += derivative / factorial * power;
  }
  return sum;
}

/// a^b = exp(b log a) with w = log a and u = b w
void general_power(int k, const double* a, const double* b, double* y, double* w, double* u) {
  w[k] = k == 0 ? std::log(a[0]) : quotient_integral(k, a[k], a, w);
  u[k] = product(k, b, w);
  y[k] = k == 0 ? std::pow(a[0], b[0]) : integral(k, y, u);
}

}  // namespace

TapeSeries::TapeSeries(const Tape& tape, int order) : tape_(&tape), length_(order + 1) {
  if (order < 0)
    throw InvalidArgument("a power series has order 0 at least, got " + std::to_string(order));
  std::size_t count = tape.instructions().size();
  extra_.reserve(count);
  for (const Instruction& i : tape.instructions()) {
    extra_.push_back(count);
    count += extra_series(i.op);
  }
  values_.assign(count * static_cast<std::size_t>(length_), 0.0);
}

void TapeSeries::extend(int k, const double* x) {
  const auto& instructions = tape_->instructions();
  for (std::size_t slot = 0; slot < instructions.size(); ++slot) {
    const Instruction& i = instructions[slot];
    double* const y = row(slot);
    if (i.op == Op::constant) {
      y[k] = k == 0 ? i.value : 0.0;
      continue;
    }
    if (i.op == Op::variable) {
      y[k] = x[i.a];
      continue;
    }
    const double* const a = row(i.a);
    const double* const b = row(i.b);
    // an operation without companions does not touch w
    double* const w = extra_series(i.op) > 0 ? row(extra_[slot]) : y;
    if (i.op == Op::pow) {
      if (instructions[i.b].op == Op::constant)
        constant_power(k, b[0], a, y);
      else
        general_power(k, a, b, y, w, w + length_);
    } else if (i.op == Op::erf) {
      extend_bell(k, a, y, w, w + length_);
    } else if (i.op == Op::smoothstep) {
      extend_smoothstep(k, a, y, w, w + length_);
    } else if (i.op == Op::table) {
      y[k] = of_table(k, b[0], a);
    } else if (operands(i.op) == 2) {
      y[k] = extend_binary(i.op, k, a, b, y, w);
    } else if (k == 0) {
      y[0] = detail::apply_unary(i.op, a[0]);
      if (w != y) w[0] = start_companion(i.op, a[0], y[0]);
    } else {
      extend_unary(i.op, k, a, y, w);
    }
  }
}

}  // namespace varia::expr
