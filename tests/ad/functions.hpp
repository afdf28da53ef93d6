// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The elementary functions as a table: a new function is one row here, tested for every jet.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "varia/ad/jet.hpp"
#include "varia/ad/jet2.hpp"

namespace varia::test {

using J1 = Jet<double, 1>;
using JJ = Jet<Jet<double, 1>, 1>;
using J2 = Jet2<1>;

/// The variable x in every kind of jet.
inline J1 first(double x) { return J1::variable(x, 0); }
inline JJ nested(double x) { return JJ::variable(J1::variable(x, 0), 0); }
inline J2 second(double x) { return J2::variable(x, 0); }

/// One function of one variable in all scalars, with its derivatives in closed form.
struct Row {
  const char* name;
  double (*f)(const double&);
  J1 (*jet)(const J1&);
  JJ (*jet_of_jet)(const JJ&);
  J2 (*jet2)(const J2&);
  double (*f1)(double);
  double (*f2)(double);
  std::vector<double> points;
};

template <class F>
Row row(const char* name, const F& f, double (*f1)(double), double (*f2)(double),
        std::vector<double> points) {
  return {name, f, f, f, f, f1, f2, std::move(points)};
}

// name, f in every scalar, f′, f″, points
inline std::vector<Row> table() {
  return {
      row(
          "sqrt", [](const auto& x) { return sqrt(x); }, [](double x) { return 0.5 / sqrt(x); },
          [](double x) { return -0.25 / (x * sqrt(x)); }, {0.3, 1.0, 2.7}),
      row(
          "cbrt", [](const auto& x) { return cbrt(x); },
          [](double x) { return 1 / (3 * pow(cbrt(x), 2)); },
          [](double x) { return -2 / (9 * pow(cbrt(x), 5)); }, {0.3, 1.7, -2.0}),
      row(
          "exp", [](const auto& x) { return exp(x); }, [](double x) { return exp(x); },
          [](double x) { return exp(x); }, {-1.3, 0.0, 2.1}),
      row(
          "expm1", [](const auto& x) { return expm1(x); }, [](double x) { return exp(x); },
          [](double x) { return exp(x); }, {-1.3, 0.0, 1e-9, 2.1}),
      row(
          "log", [](const auto& x) { return log(x); }, [](double x) { return 1 / x; },
          [](double x) { return -1 / (x * x); }, {0.2, 1.0, 3.3}),
      row(
          "log1p", [](const auto& x) { return log1p(x); }, [](double x) { return 1 / (1 + x); },
          [](double x) { return -1 / pow(1 + x, 2); }, {-0.6, 0.0, 1e-9, 3.3}),
      row(
          "log2", [](const auto& x) { return log2(x); },
          [](double x) { return 1 / (x * log(2.0)); },
          [](double x) { return -1 / (x * x * log(2.0)); }, {0.2, 1.0, 3.3}),
      row(
          "log10", [](const auto& x) { return log10(x); },
          [](double x) { return 1 / (x * log(10.0)); },
          [](double x) { return -1 / (x * x * log(10.0)); }, {0.2, 1.0, 3.3}),
      row(
          "sin", [](const auto& x) { return sin(x); }, [](double x) { return cos(x); },
          [](double x) { return -sin(x); }, {-2.0, 0.0, 0.7, 5.0}),
      row(
          "cos", [](const auto& x) { return cos(x); }, [](double x) { return -sin(x); },
          [](double x) { return -cos(x); }, {-2.0, 0.0, 0.7, 5.0}),
      row(
          "tan", [](const auto& x) { return tan(x); }, [](double x) { return 1 / pow(cos(x), 2); },
          [](double x) { return 2 * sin(x) / pow(cos(x), 3); }, {-1.0, 0.0, 0.7}),
      row(
          "asin", [](const auto& x) { return asin(x); },
          [](double x) { return 1 / sqrt(1 - x * x); },
          [](double x) { return x / pow(1 - x * x, 1.5); }, {-0.6, 0.0, 0.5}),
      row(
          "acos", [](const auto& x) { return acos(x); },
          [](double x) { return -1 / sqrt(1 - x * x); },
          [](double x) { return -x / pow(1 - x * x, 1.5); }, {-0.6, 0.0, 0.5}),
      row(
          "atan", [](const auto& x) { return atan(x); }, [](double x) { return 1 / (1 + x * x); },
          [](double x) { return -2 * x / pow(1 + x * x, 2); }, {-2.0, 0.0, 0.7}),
      row(
          "sinh", [](const auto& x) { return sinh(x); }, [](double x) { return cosh(x); },
          [](double x) { return sinh(x); }, {-2.0, 0.0, 0.7}),
      row(
          "cosh", [](const auto& x) { return cosh(x); }, [](double x) { return sinh(x); },
          [](double x) { return cosh(x); }, {-2.0, 0.0, 0.7}),
      row(
          "tanh", [](const auto& x) { return tanh(x); },
          [](double x) { return 1 / pow(cosh(x), 2); },
          [](double x) { return -2 * sinh(x) / pow(cosh(x), 3); }, {-2.0, 0.0, 0.7}),
      row(
          "asinh", [](const auto& x) { return asinh(x); },
          [](double x) { return 1 / sqrt(1 + x * x); },
          [](double x) { return -x / pow(1 + x * x, 1.5); }, {-2.0, 0.0, 0.7}),
      row(
          "acosh", [](const auto& x) { return acosh(x); },
          [](double x) { return 1 / sqrt(x * x - 1); },
          [](double x) { return -x / pow(x * x - 1, 1.5); }, {1.4, 2.0, 5.0}),
      row(
          "atanh", [](const auto& x) { return atanh(x); }, [](double x) { return 1 / (1 - x * x); },
          [](double x) { return 2 * x / pow(1 - x * x, 2); }, {-0.6, 0.0, 0.5}),
      row(
          "abs", [](const auto& x) { return abs(x); }, [](double x) { return x < 0 ? -1.0 : 1.0; },
          [](double x) { return 0.0 * x; }, {-2.0, 0.5}),
      row(
          "fabs", [](const auto& x) { return fabs(x); },
          [](double x) { return x < 0 ? -1.0 : 1.0; }, [](double x) { return 0.0 * x; },
          {-2.0, 0.5}),
      row(
          "x^2.5", [](const auto& x) { return pow(x, 2.5); },
          [](double x) { return 2.5 * pow(x, 1.5); }, [](double x) { return 3.75 * sqrt(x); },
          {0.5, 2.0}),
      row(
          "x^-1.5", [](const auto& x) { return pow(x, -1.5); },
          [](double x) { return -1.5 * pow(x, -2.5); },
          [](double x) { return 3.75 * pow(x, -3.5); }, {0.5, 2.0}),
      row(
          "x^3.0", [](const auto& x) { return pow(x, 3.0); }, [](double x) { return 3 * x * x; },
          [](double x) { return 6 * x; }, {-1.5, 0.0, 2.0}),
      row(
          "x^0", [](const auto& x) { return pow(x, 0); }, [](double x) { return 0 * x; },
          [](double x) { return 0 * x; }, {-1.5, 0.0, 2.0}),
      row(
          "x^1", [](const auto& x) { return pow(x, 1); }, [](double x) { return 1 + 0 * x; },
          [](double x) { return 0 * x; }, {-1.5, 0.0, 2.0}),
      row(
          "x^2", [](const auto& x) { return pow(x, 2); }, [](double x) { return 2 * x; },
          [](double x) { return 2 + 0 * x; }, {-1.5, 0.0, 2.0}),
      row(
          "x^7", [](const auto& x) { return pow(x, 7); }, [](double x) { return 7 * pow(x, 6); },
          [](double x) { return 42 * pow(x, 5); }, {-1.5, 0.0, 1.2}),
      row(
          "x^-3", [](const auto& x) { return pow(x, -3); }, [](double x) { return -3 / pow(x, 4); },
          [](double x) { return 12 / pow(x, 5); }, {-1.5, 0.8}),
      row(
          "2^x", [](const auto& x) { return pow(2.0, x); },
          [](double x) { return log(2.0) * pow(2.0, x); },
          [](double x) { return pow(log(2.0), 2) * pow(2.0, x); }, {-1.5, 0.0, 2.0}),
      row(
          "2^x, base int", [](const auto& x) { return pow(2, x); },
          [](double x) { return log(2.0) * pow(2.0, x); },
          [](double x) { return pow(log(2.0), 2) * pow(2.0, x); }, {0.3}),
      row(
          "x^x", [](const auto& x) { return pow(x, x); },
          [](double x) { return pow(x, x) * (1 + log(x)); },
          [](double x) { return pow(x, x) * (pow(1 + log(x), 2) + 1 / x); }, {0.4, 1.0, 2.2}),
      row(
          "atan2(x, 2)", [](const auto& x) { return atan2(x, 2); },
          [](double x) { return 2 / (4 + x * x); },
          [](double x) { return -4 * x / pow(4 + x * x, 2); }, {-1.0, 0.0, 3.0}),
      row(
          "atan2(2.0, x)", [](const auto& x) { return atan2(2.0, x); },
          [](double x) { return -2 / (4 + x * x); },
          [](double x) { return 4 * x / pow(4 + x * x, 2); }, {-1.0, 0.0, 3.0}),
      row(
          "atan2(x*x, x)", [](const auto& x) { return atan2(x * x, x); },
          [](double x) { return 1 / (1 + x * x); },
          [](double x) { return -2 * x / pow(1 + x * x, 2); }, {-0.7, 0.4, 3.0}),
      row(
          "hypot(x, 2)", [](const auto& x) { return hypot(x, 2); },
          [](double x) { return x / hypot(x, 2); },
          [](double x) { return 4 / pow(hypot(x, 2), 3); }, {-1.0, 0.0, 3.0}),
      row(
          "hypot(2.0, x)", [](const auto& x) { return hypot(2.0, x); },
          [](double x) { return x / hypot(x, 2); },
          [](double x) { return 4 / pow(hypot(x, 2), 3); }, {-1.0, 0.0, 3.0}),
      row(
          "hypot(3x, 4x)", [](const auto& x) { return hypot(3 * x, 4 * x); },
          [](double x) { return x < 0 ? -5.0 : 5.0; }, [](double x) { return 0 * x; }, {-0.7, 0.4}),
      row(
          "min(x, 1)", [](const auto& x) { return min(x, 1.0); },
          [](double x) { return x < 1 ? 1.0 : 0.0; }, [](double x) { return 0 * x; }, {0.5, 1.5}),
      row(
          "max(1, x)", [](const auto& x) { return max(1.0, x); },
          [](double x) { return x > 1 ? 1.0 : 0.0; }, [](double x) { return 0 * x; }, {0.5, 1.5}),
      row(
          "max(x, x*x)", [](const auto& x) { return max(x, x * x); },
          [](double x) { return x > 0 && x < 1 ? 1.0 : 2 * x; },
          [](double x) { return x > 0 && x < 1 ? 0.0 : 2.0; }, {-1.0, 0.5, 2.0}),
      row(
          "+x, -x", [](const auto& x) { return -(+x); }, [](double x) { return -1 + 0 * x; },
          [](double x) { return 0 * x; }, {0.5, -1.5}),
      row(
          "x + 2 - 3.0", [](const auto& x) { return x + 2 - 3.0 + 1.0f; },
          [](double x) { return 1 + 0 * x; }, [](double x) { return 0 * x; }, {0.5}),
      row(
          "2 - x", [](const auto& x) { return 2 - x; }, [](double x) { return -1 + 0 * x; },
          [](double x) { return 0 * x; }, {0.5}),
      row(
          "3 * x * 0.5", [](const auto& x) { return 3 * x * 0.5; },
          [](double x) { return 1.5 + 0 * x; }, [](double x) { return 0 * x; }, {0.5}),
      row(
          "x / 4", [](const auto& x) { return x / 4; }, [](double x) { return 0.25 + 0 * x; },
          [](double x) { return 0 * x; }, {0.5}),
      row(
          "3 / x", [](const auto& x) { return 3 / x; }, [](double x) { return -3 / (x * x); },
          [](double x) { return 6 / pow(x, 3); }, {-2.0, 0.5}),
      row(
          "x * sin x", [](const auto& x) { return x * sin(x); },
          [](double x) { return sin(x) + x * cos(x); },
          [](double x) { return 2 * cos(x) - x * sin(x); }, {-2.0, 0.0, 0.5}),
      row(
          "x / (1 + x*x)", [](const auto& x) { return x / (1 + x * x); },
          [](double x) { return (1 - x * x) / pow(1 + x * x, 2); },
          [](double x) { return 2 * x * (x * x - 3) / pow(1 + x * x, 3); }, {-2.0, 0.0, 0.5}),
  };
}

/// Derivative by central differences of order eight.
template <class F> double difference(const F& f, double x, double h) {
  return (4.0 / 5.0 * (f(x + h) - f(x - h)) - 1.0 / 5.0 * (f(x + 2 * h) - f(x - 2 * h)) +
          4.0 / 105.0 * (f(x + 3 * h) - f(x - 3 * h)) -
          1.0 / 280.0 * (f(x + 4 * h) - f(x - 4 * h))) /
         h;
}

/// |a - b| within tolerance, relative to their size where this is above 1.
inline void expect_close(double a, double b, double tolerance) {
  EXPECT_NEAR(a, b, tolerance * std::max({1.0, std::fabs(a), std::fabs(b)}));
}

/// f throws a DomainError that names the function.
template <class F> void expect_domain_error(const std::string& name, const F& f) {
  try {
    f();
    ADD_FAILURE() << name << ": no DomainError";
  } catch (const DomainError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find(name), std::string::npos) << text;
    EXPECT_NE(text.find(';'), std::string::npos) << "no remedy: " << text;
  }
}

}  // namespace varia::test
