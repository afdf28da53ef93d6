// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/explicit_source.hpp"

#include <sstream>

namespace varia {

namespace {

// Beyond, loads and stores are not what takes the time: with 64 coordinates the loop gains nothing,
// and takes the compiler 0.4 s.
constexpr int most_coordinates = 24;

/// Writes `text` for each a, with @ replaced by a.
void each(std::ostream& out, const KernelSystem& f, const std::string& text) {
  for (int a = 0; a < f.n; ++a) {
    for (const char c : text) {
      if (c == '@')
        out << a;
      else
        out << c;
    }
    out << '\n';
  }
}

/// The loop over the steps. One leg: what depends on h alone is taken out of it.
void write_loop(std::ostream& out, const KernelSystem& f, const std::string& gradient,
                bool one_leg) {
  const std::string leg = "const double kick = h * kicks[i], part = h * drifts[i];\n";
  const std::string by_mass = "const double d@ = part * inverse_mass[@];";
  out << "const double last = h * kicks[legs];\n";
  if (one_leg) {
    out << "const long i = 0;\n" << leg;
    each(out, f, by_mass);
  }
  out << "for (done = 0; done < count; ++done) {\n";
  each(out, f, "double m@ = 0.0;");
  if (!one_leg)
    out << "const double begin = x[0]; double elapsed = 0.0; long i;\n"
        << "for (i = 0; i < legs; ++i) {\n"
        << leg << "elapsed += part;\n";
  each(out, f,
       "{ " + (one_leg ? std::string() : by_mass) +
           " m@ -= kick * g[@]; r@ += d@ * m@; "
           "const double y = d@ * p@ + r@, sum = x[1 + @] + y; r@ = y - (sum - x[1 + @]); "
           "x[1 + @] = sum; }");
  if (!one_leg)
    out << "if (i + 1 < legs) { x[0] = begin + elapsed; " << gradient << "(x, g, theta); }\n}\n"
        << "x[0] = begin;\n";
  out << "{ const double y = h + t_rest, sum = x[0] + y; t_rest = y - (sum - x[0]); x[0] = sum; }\n"
      << (one_leg ? "" : "if (gradient_last) ") << gradient << "(x, g, theta);\n"
      << "double test = 0.0;\n";
  each(out, f,
       "{ w@ += m@; const double y = -last * g[@] + w@, sum = p@ + y; w@ = y - (sum - p@); "
       "p@ = sum; test += (x[1 + @] - x[1 + @]) + (p@ - p@); }");
  out << "if (!(test == 0.0)) break;\n}\n";
}

}  // namespace

bool has_explicit_source(const KernelSystem& f) {
  return f.separable && !f.mass_diagonal.empty() && !f.forced && f.d == 0 &&
         f.n <= most_coordinates;
}

std::string explicit_source(const KernelSystem& f, const std::string& gradient) {
  if (!has_explicit_source(f)) return "";
  const std::string n = std::to_string(f.n);
  std::ostringstream out;
  out << "long " << explicit_loop_name
      << "(double* s, double h, const double* drifts, const double* kicks, long legs, long count, "
         "const double* inverse_mass, const double* theta) {\n"
      << "double x[1 + " << n << "], g[" << n << "], t_rest = s[0];\n"
      << "const int gradient_last = kicks[0] != 0.0 || kicks[legs] != 0.0;\n"
      << "long done;\nx[0] = s[1];\n";
  each(out, f,
       "double r@ = s[2 + " + n + " + @], p@ = s[2 + 2 * " + n + " + @], w@ = s[2 + 3 * " + n +
           " + @]; x[1 + @] = s[2 + @]; g[@] = s[2 + 4 * " + n + " + @];");
  out << "if (legs == 1) {\n";
  write_loop(out, f, gradient, true);
  out << "} else {\n";
  write_loop(out, f, gradient, false);
  out << "}\ns[0] = t_rest;\ns[1] = x[0];\n";
  each(out, f,
       "s[2 + @] = x[1 + @]; s[2 + " + n + " + @] = r@; s[2 + 2 * " + n + " + @] = p@; s[2 + 3 * " +
           n + " + @] = w@; s[2 + 4 * " + n + " + @] = g[@];");
  out << "return done;\n}\n";
  return out.str();
}

}  // namespace varia
