// SPDX-License-Identifier: BSD-3-Clause
#include "varia/methods/quadrature.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <system_error>
#include <utility>

#include "varia/core/error.hpp"
#include "varia/methods/lagrange_basis.hpp"

namespace varia {
namespace {

using std::size_t;

/// Legendre polynomials at x = 1 − y and derivatives with respect to y. The three-term recurrence,
/// written for the quotients Eₙ = (Pₙ − Pₙ₋₁)/y,
///   (n+1) Eₙ₊₁ = n Eₙ − (2n+1) Pₙ,   Pₙ₊₁ = Pₙ + y Eₙ₊₁,
/// keeps full relative accuracy in y at the end point y = 0, where the zeros crowd.
struct Legendre {
  DoubleDouble p, dp;            // Pₙ, dPₙ/dy
  DoubleDouble e, de;            // Eₙ, dEₙ/dy
  DoubleDouble p_last, dp_last;  // Pₙ₋₁, dPₙ₋₁/dy
};

Legendre legendre(int n, const DoubleDouble& y) {
  Legendre l{1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  for (int k = 0; k < n; ++k) {
    l.p_last = l.p;
    l.dp_last = l.dp;
    l.e = (k * l.e - (2 * k + 1) * l.p) / (k + 1);
    l.de = (k * l.de - (2 * k + 1) * l.dp) / (k + 1);
    l.p += y * l.e;
    l.dp += l.e + y * l.de;
  }
  return l;
}

/// A function of y and its derivative.
struct Value {
  DoubleDouble f, df;
};

/// Newton's method. Convergence is quadratic, so a step of 1e-20 y is followed by no other.
template <class F> DoubleDouble zero(const F& f, DoubleDouble y) {
  for (int iteration = 0; iteration < 100; ++iteration) {
    const Value v = f(y);
    const DoubleDouble step = v.f / v.df;
    y -= step;
    if (abs(step) <= 1e-20 * y) return y;
  }
  throw Error("quadrature: a node was not found; please report the number of points");
}

/// 1 − cos θ without cancellation: the starting guess for y, where θ is the asymptotic angle of a
/// zero of a Jacobi polynomial, (2k + α − ½)π/(2n + α + β + 1) for the k-th zero of Pₙ^(α,β).
double guess(double theta) {
  const double sine = std::sin(0.5 * theta);
  return 2.0 * sine * sine;
}

void check_points(const std::string& rule, int s, int least) {
  const std::string what = rule + ": number of points must be at ";
  if (s < least) {
    throw InvalidArgument(what + "least " + std::to_string(least) + ", got " + std::to_string(s));
  }
  if (s > max_quadrature_points) {
    throw InvalidArgument(what + "most " + std::to_string(max_quadrature_points) + ", got " +
                          std::to_string(s));
  }
}

Quadrature empty_rule(const std::string& rule, int s, int order) {
  const auto count = static_cast<size_t>(s);
  return {rule + ":" + std::to_string(s), std::vector<DoubleDouble>(count),
          std::vector<DoubleDouble>(count), order};
}

/// Node i in the left half and its mirror image, which is rounded first: 1 − (1 − c) is exact then.
void set_symmetric(Quadrature& rule, int i, const DoubleDouble& node, const DoubleDouble& weight) {
  const auto left = static_cast<size_t>(i);
  const size_t right = rule.c.size() - 1 - left;
  rule.c[right] = 1.0 - node;
  rule.c[left] = 1.0 - rule.c[right];
  rule.b[left] = rule.b[right] = weight;
}

}  // namespace

Quadrature gauss_quadrature(int s) {
  check_points("gauss", s, 1);
  Quadrature rule = empty_rule("gauss", s, 2 * s);
  const auto polynomial = [s](const DoubleDouble& y) {
    const Legendre l = legendre(s, y);
    return Value{l.p, l.dp};
  };
  for (int i = 0; 2 * i < s; ++i) {
    const double theta = (2.0 * i + 1.5) * std::numbers::pi / (2.0 * s + 1.0);
    const bool middle = 2 * i + 1 == s;
    const DoubleDouble y = middle ? DoubleDouble(1.0) : zero(polynomial, guess(theta));
    const DoubleDouble dp = legendre(s, y).dp;
    set_symmetric(rule, i, 0.5 * y, 1.0 / (y * (2.0 - y) * dp * dp));
  }
  return rule;
}

Quadrature lobatto_quadrature(int s) {
  check_points("lobatto", s, 2);
  Quadrature rule = empty_rule("lobatto", s, 2 * s - 2);
  const DoubleDouble end_weight = DoubleDouble(1.0) / (static_cast<double>(s) * (s - 1));
  // (1 − x²) P'ₙ = n (Pₙ₋₁ − x Pₙ) = n y (Pₙ − Eₙ): the inner zeros are those of Pₙ − Eₙ.
  const auto polynomial = [s](const DoubleDouble& y) {
    const Legendre l = legendre(s - 1, y);
    return Value{l.p - l.e, l.dp - l.de};
  };
  set_symmetric(rule, 0, 0.0, end_weight);
  for (int i = 1; 2 * i < s; ++i) {
    const double theta = (2.0 * i + 0.5) * std::numbers::pi / (2.0 * s - 1.0);
    const bool middle = 2 * i + 1 == s;
    const DoubleDouble y = middle ? DoubleDouble(1.0) : zero(polynomial, guess(theta));
    const DoubleDouble p = legendre(s - 1, y).p;
    set_symmetric(rule, i, 0.5 * y, end_weight / (p * p));
  }
  return rule;
}

Quadrature radau_left_quadrature(int s) {
  check_points("radau_left", s, 1);
  Quadrature rule = empty_rule("radau_left", s, 2 * s - 1);
  const DoubleDouble end_weight = DoubleDouble(1.0) / (static_cast<double>(s) * s);
  rule.b[0] = end_weight;
  // Seen from the fixed end (y = 2c) the free nodes are the zeros of E_s; seen from the other end
  // (y = 2 − 2c) those of P_s + P_{s−1}. Each half of the interval is measured from its own end.
  const auto from_fixed_end = [s](const DoubleDouble& y) {
    const Legendre l = legendre(s, y);
    return Value{l.e, l.de};
  };
  const auto from_free_end = [s](const DoubleDouble& y) {
    const Legendre l = legendre(s, y);
    return Value{l.p + l.p_last, l.dp + l.dp_last};
  };
  for (int i = 1; i < s; ++i) {
    const double theta = (2.0 * i + 0.5) * std::numbers::pi / (2.0 * s);
    const bool near_fixed_end = theta <= 0.5 * std::numbers::pi;
    const DoubleDouble y = near_fixed_end ? zero(from_fixed_end, guess(theta))
                                          : zero(from_free_end, guess(std::numbers::pi - theta));
    const DoubleDouble p = legendre(s - 1, y).p;
    const auto at = static_cast<size_t>(i);
    rule.c[at] = near_fixed_end ? 0.5 * y : 1.0 - 0.5 * y;
    rule.b[at] = (near_fixed_end ? 1.0 - 0.5 * y : 0.5 * y) * end_weight / (p * p);
  }
  return rule;
}

Quadrature radau_right_quadrature(int s) {
  check_points("radau", s, 1);
  Quadrature rule = radau_left_quadrature(s);
  rule.name = "radau:" + std::to_string(s);
  for (DoubleDouble& node : rule.c) node = 1.0 - node;
  std::reverse(rule.c.begin(), rule.c.end());
  std::reverse(rule.b.begin(), rule.b.end());
  return rule;
}

Quadrature interpolatory_quadrature(const std::vector<DoubleDouble>& nodes) {
  const LagrangeBasis basis(nodes);
  Quadrature rule{"interpolatory", nodes, basis.integrals(1.0), 0};
  rule.order = quadrature_order(rule.c, rule.b);
  return rule;
}

Quadrature parse_quadrature(std::string_view text) {
  const auto named = [&text](Quadrature rule) {
    rule.name = std::string(text);
    return rule;
  };
  if (text == "midpoint") return named(gauss_quadrature(1));
  if (text == "trapezoid") return named(lobatto_quadrature(2));
  if (text == "simpson") return named(lobatto_quadrature(3));

  const std::string quoted = "quadrature '" + std::string(text) + "'";
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string_view family = text.substr(0, colon);
  Quadrature (*make)(int) = nullptr;
  if (family == "gauss") make = gauss_quadrature;
  if (family == "lobatto") make = lobatto_quadrature;
  if (family == "radau") make = radau_right_quadrature;
  if (family == "radau_left") make = radau_left_quadrature;
  if (make == nullptr) {
    throw InvalidArgument(quoted +
                          " is unknown; use gauss:<s>, lobatto:<s>, radau:<s>, radau_left:<s>, "
                          "midpoint, trapezoid or simpson");
  }
  const std::string_view digits = text.substr(std::min(colon + 1, text.size()));
  int s = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), s);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    throw InvalidArgument(quoted + " needs a number of points; write for example " +
                          std::string(family) + ":3");
  }
  return make(s);
}

std::vector<DoubleDouble> shifted_legendre(int degree, const DoubleDouble& c) {
  const DoubleDouble x = 2.0 * c - 1.0;
  std::vector<DoubleDouble> p{1.0, x};
  for (int k = 1; k < degree; ++k) {
    const auto at = static_cast<size_t>(k);
    p.push_back(((2 * k + 1) * x * p[at] - k * p[at - 1]) / (k + 1));
  }
  p.resize(static_cast<size_t>(degree) + 1);
  return p;
}

int quadrature_order(std::span<const DoubleDouble> c, std::span<const DoubleDouble> b,
                     double tolerance) {
  if (c.size() != b.size()) {
    throw InvalidArgument("quadrature: " + std::to_string(c.size()) + " nodes but " +
                          std::to_string(b.size()) + " weights; the numbers must be equal");
  }
  const size_t most = 2 * c.size();
  std::vector<DoubleDouble> moment(most, 0.0);
  std::vector<DoubleDouble> size(most, 1.0);
  for (size_t i = 0; i < c.size(); ++i) {
    const std::vector<DoubleDouble> p = shifted_legendre(static_cast<int>(most), c[i]);
    for (size_t k = 0; k < most; ++k) {
      moment[k] += b[i] * p[k];
      size[k] += abs(b[i] * p[k]);
    }
  }
  size_t order = 0;
  while (order < most) {
    const DoubleDouble exact = order == 0 ? 1.0 : 0.0;
    if (!(abs(moment[order] - exact) <= tolerance * size[order])) break;
    ++order;
  }
  return static_cast<int>(order);
}

bool is_symmetric(const Quadrature& quadrature) {
  const std::size_t m = quadrature.c.size();
  for (std::size_t i = 0; i < m; ++i) {
    const DoubleDouble shift = quadrature.c[i] + quadrature.c[m - 1 - i] - 1.0;
    const DoubleDouble weight = quadrature.b[i] - quadrature.b[m - 1 - i];
    if (std::abs(double(shift)) > 1e-28 || std::abs(double(weight)) > 1e-28) return false;
  }
  return true;
}

}  // namespace varia
