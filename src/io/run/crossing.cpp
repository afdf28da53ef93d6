// SPDX-License-Identifier: BSD-3-Clause
#include "crossing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace varia::io {

namespace {

/// The part of a step over which a slope is measured.
constexpr double sliver = 0x1p-17;
/// How well a turning point is located, as a part of the step: the value there is flat.
constexpr double turning_tolerance = 1e-10;

/// To neighbouring numbers of the length of the step.
double resolution(double h) { return std::numeric_limits<double>::epsilon() * std::abs(h); }

bool positive(double x) { return x > 0.0; }

/// Whether the graph may reach zero between two values of one sign: where a function that the step
/// resolves turns, it changes by more than it dips on one of the two sides.
bool comes_near(const StepValues& v) {
  if (!v.has_before || v.start == 0.0) return true;
  return std::min(std::abs(v.start), std::abs(v.end)) <=
         std::abs(v.end - v.start) + std::abs(v.start - v.before);
}

/// Where g, of one sign at `left` and h, has the other one between them; none if it has not.
std::optional<double> other_side(const StepFunction& g, double left, double at_left, double h,
                                 double at_end) {
  const double sign = positive(at_left) ? 1.0 : -1.0;
  const double width = sliver * h;
  const double falls = sign * (g(left + 2.0 * width) - at_left);
  if (!(falls < 0.0)) return std::nullopt;
  const double rises = sign * (at_end - g(h - 2.0 * width));
  if (!(rises > 0.0)) return std::nullopt;
  const auto slope = [&](double x) { return sign * (g(x + width) - g(x - width)); };
  const double turn =
      bracketed_root(slope, left + width, falls, h - width, rises, turning_tolerance * std::abs(h));
  if (sign * g(turn) < 0.0) return turn;
  return std::nullopt;
}

}  // namespace

/// Chandrupatla's method: inverse quadratic interpolation where it is safe, else bisection; it begins
/// with the secant, which is exact for a function that is linear in the step, such as the time.
double bracketed_root(const StepFunction& f, double a, double fa, double b, double fb,
                      double tolerance) {
  double x1 = b, f1 = fb, x2 = a, f2 = fa;
  double t = f1 / (f1 - f2);
  for (int i = 0; i < 200; ++i) {
    const double x = x1 + t * (x2 - x1);
    if (x == x1 || x == x2) break;
    const double fx = f(x);
    double x3 = x2, f3 = f2;
    if (positive(fx) == positive(f1)) {
      x3 = x1;
      f3 = f1;
    } else {
      x2 = x1;
      f2 = f1;
    }
    x1 = x;
    f1 = fx;
    const double least = 0.5 * tolerance / std::abs(x2 - x1);
    if (f1 == 0.0 || least > 0.5) break;
    const double xi = (x1 - x2) / (x3 - x2);
    const double phi = (f1 - f2) / (f3 - f2);
    t = 0.5;
    if (phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi)
      t = f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2);
    t = std::clamp(t, least, 1.0 - least);
  }
  return std::abs(f1) <= std::abs(f2) ? x1 : x2;
}

std::vector<Crossing> crossings(const StepFunction& g, double h, const StepValues& v) {
  double left = 0.0;
  double at_left = v.start;
  if (at_left == 0.0) {  // the side on which it leaves zero
    left = sliver * h;
    at_left = g(left);
    if (at_left == 0.0) return {};
  }
  const int up = positive(at_left) ? -1 : 1;
  const auto root = [&](double a, double fa, double b, double fb) {
    return bracketed_root(g, a, fa, b, fb, resolution(h));
  };
  if (v.end == 0.0) return {{h, up}};
  if (positive(v.end) != positive(at_left)) return {{root(left, at_left, h, v.end), up}};
  if (!comes_near(v)) return {};
  const auto turn = other_side(g, left, at_left, h, v.end);
  if (!turn) return {};
  const double value = g(*turn);
  return {{root(left, at_left, *turn, value), up}, {root(*turn, value, h, v.end), -up}};
}

}  // namespace varia::io
