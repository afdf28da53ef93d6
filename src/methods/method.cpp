// SPDX-License-Identifier: BSD-3-Clause
#include "varia/methods/method.hpp"

#include <algorithm>
#include <cmath>

#include "varia/core/error.hpp"

namespace varia {

namespace {

using Coefficients = std::vector<DoubleDouble>;

Coefficients join(const SplitArray& x) {
  Coefficients sum(x.hi.size());
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = DoubleDouble(x.hi[i], x.lo[i]);
  return sum;
}

bool is_identity(const Coefficients& B, std::size_t m, std::size_t r) {
  if (m != r) return false;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < r; ++j)
      if (B[i * r + j] != DoubleDouble(i == j ? 1.0 : 0.0)) return false;
  return true;
}

/// Whether the first quadrature point is q₀ and the last one q₁.
bool has_ends(const Coefficients& A, const Coefficients& beta, std::size_t m, std::size_t r) {
  if (m < 2) return false;
  for (std::size_t j = 0; j < r; ++j) {
    if (std::abs(A[j].hi) > 1e-30) return false;
    if (std::abs(double(A[(m - 1) * r + j] - beta[j])) > 1e-28) return false;
  }
  return true;
}

/// The reversed method's coefficients: points seen from q₁, A*ᵢⱼ = βⱼ - Aᵢⱼ.
StageCoefficients reversed(const StageCoefficients& s) {
  const Coefficients c = join(s.c);
  const Coefficients b = join(s.b);
  const Coefficients A = join(s.A);
  const Coefficients B = join(s.B);
  const Coefficients beta = join(s.beta);
  const std::size_t m = c.size();
  const std::size_t r = beta.size();
  Coefficients c_r(m);
  Coefficients b_r(m);
  Coefficients A_r(m * r);
  Coefficients B_r(m * r);
  Coefficients beta_r(r);
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t from = m - 1 - i;
    c_r[i] = 1.0 - c[from];
    b_r[i] = b[from];
    for (std::size_t j = 0; j < r; ++j) {
      A_r[i * r + j] = beta[r - 1 - j] - A[from * r + (r - 1 - j)];
      B_r[i * r + j] = B[from * r + (r - 1 - j)];
    }
  }
  for (std::size_t j = 0; j < r; ++j) beta_r[j] = beta[r - 1 - j];
  return {c_r, b_r, A_r, B_r, beta_r};
}

/// Whether two methods are the same map on vector spaces.
bool same_on_vectors(const Method& a, const Method& b) {
  if (a.stages() == nullptr || b.stages() == nullptr)
    return a.stages() == b.stages() &&
           std::equal(a.substeps().begin(), a.substeps().end(), b.substeps().begin(),
                      b.substeps().end(), [](const auto& x, const auto& y) {
                        return x.second == y.second && same_on_vectors(x.first, y.first);
                      });
  const StageCoefficients& x = *a.stages();
  const StageCoefficients& y = *b.stages();
  return x.c.hi == y.c.hi && x.b.hi == y.b.hi && x.A.hi == y.A.hi && x.B.hi == y.B.hi &&
         x.beta.hi == y.beta.hi;
}

}  // namespace

SplitArray::SplitArray(const std::vector<DoubleDouble>& x) {
  for (const DoubleDouble& number : x) {
    hi.push_back(number.hi);
    lo.push_back(number.lo);
  }
}

StageCoefficients::StageCoefficients(const Coefficients& c_in, const Coefficients& b_in,
                                     const Coefficients& A_in, const Coefficients& B_in,
                                     const Coefficients& beta_in)
    : points(static_cast<int>(c_in.size())),
      unknowns(static_cast<int>(beta_in.size())),
      c(c_in),
      b(b_in),
      A(A_in),
      B(B_in),
      beta(beta_in) {
  const std::size_t m = c_in.size();
  const std::size_t r = beta_in.size();
  if (m == 0 || r == 0 || b_in.size() != m || A_in.size() != m * r || B_in.size() != m * r)
    throw InvalidArgument(
        "stage coefficients: A and B must be m by r, with m nodes and r unknowns");
  nodal = is_identity(B_in, m, r);
  ends = nodal && has_ends(A_in, beta_in, m, r);
  centred = m == 1 && nodal && double(c_in[0]) == 0.5 && double(A_in[0]) == 0.5;
  Coefficients P(m * r);
  Coefficients W(m * r);
  Coefficients D(m * r);
  Coefficients row(r);
  for (std::size_t j = 0; j < r; ++j) {
    const DoubleDouble scale = nodal ? beta_in[j] : DoubleDouble(1.0);
    if (double(scale) == 0.0)
      throw InvalidArgument("stage coefficients: weight number " + std::to_string(j + 1) +
                            " is 0; the variational stage equations need all weights nonzero");
    row[j] = beta_in[j] / scale;
    for (std::size_t i = 0; i < m; ++i) {
      const std::size_t at = i * r + j;
      P[at] = b_in[i] * B_in[at] / scale;
      W[at] = b_in[i] * A_in[at] / scale;
      D[at] = b_in[i] * (A_in[at] - beta_in[j]) / scale;
    }
  }
  row_P = SplitArray(P);
  row_W = SplitArray(W);
  row_D = SplitArray(D);
  row_beta = SplitArray(row);
}

Method::Method(std::string name, int order, bool symmetric, bool symmetric_on_groups,
               StageCoefficients coefficients, std::optional<double> explicit_alpha)
    : Method(Data{.name = std::move(name),
                  .order = order,
                  .symmetric = symmetric,
                  .symmetric_on_groups = symmetric_on_groups,
                  .stages = std::move(coefficients),
                  .explicit_alpha = explicit_alpha}) {}

Method::Method(std::string name, int order, bool symmetric, Special special)
    : Method(Data{.name = std::move(name),
                  .order = order,
                  .symmetric = symmetric,
                  .special = std::move(special)}) {}

Method::Method(Data data) : data_(std::make_shared<const Data>(std::move(data))) {}

std::string Method::flow_name() const {
  if (newmark()) return "NewmarkFlow on a separable system";
  if (shooting()) return "ShootingFlow";
  if (own_lagrangian()) return "DiscreteFlow or DiscreteLagrangianFlow";
  if (asynchronous()) return "terms::System, or a scenario with [[system.term]]";
  if (baseline()) return baseline()->on_groups() ? "RkmkFlow" : "BaselineFlow";
  return "Flow";
}

bool Method::variational() const { return !baseline() && (!newmark() || newmark()->gamma == 0.5); }

bool Method::needs_separable() const {
  return newmark() || rests_on() == RestsOn::kicks_and_drifts ||
         std::any_of(substeps().begin(), substeps().end(),
                     [](const auto& part) { return part.first.needs_separable(); });
}

int Method::constrained_order() const {
  if (baseline() || has_own_flow() || needs_separable()) return 0;
  if (const StageCoefficients* s = stages()) return s->ends || order() <= 2 ? order() : 0;
  if (const Method* original = adjoint_of()) return original->constrained_order();
  for (const auto& [part, fraction] : substeps())
    if (part.constrained_order() == 0) return 0;
  return order();
}

bool Method::holds_nonholonomic() const {
  if (const StageCoefficients* s = stages()) return s->ends || s->centred;
  return !substeps().empty() &&
         std::all_of(substeps().begin(), substeps().end(),
                     [](const auto& part) { return part.first.holds_nonholonomic(); });
}

bool Method::begins_with_multipliers() const {
  if (const StageCoefficients* s = stages()) return s->ends;
  return std::any_of(substeps().begin(), substeps().end(),
                     [](const auto& part) { return part.first.begins_with_multipliers(); });
}

int Method::propagated_order() const {
  const StageCoefficients* const s = stages();
  if (s == nullptr || !s->ends) return order();
  return s->points % 2 == 0 ? s->points : s->points - 1;  // [Sato19]
}

namespace {
void require_variational(const Method& method, const char* what) {
  if (method.baseline())
    throw InvalidArgument(std::string(what) + ": " + method.name() +
                          " is not variational; baselines are for comparison only");
  if (method.has_own_flow())
    throw InvalidArgument(std::string(what) + ": " + method.name() +
                          " is a map of its own. Allowed are methods of stages and compositions" +
                          (method.newmark() ? "; newmark(0, 0.5) is verlet" : ""));
}
}  // namespace

Method adjoint(const Method& method) {
  require_variational(method, "adjoint");
  if (const Method* original = method.adjoint_of()) return *original;
  Method::Data data;
  data.name = "adjoint(" + method.name() + ")";
  data.order = method.order();
  data.symmetric = method.symmetric();
  data.symmetric_on_groups = method.symmetric_on_groups();
  data.mirrored = method.symmetric_with_any_retraction();
  data.rests_on = method.rests_on();
  data.original = std::make_shared<const Method>(method);
  if (const StageCoefficients* s = method.stages()) {
    data.stages = reversed(*s);
    if (method.explicit_alpha()) data.explicit_alpha = 1.0 - *method.explicit_alpha();
  } else {
    for (const auto& [part, fraction] : method.substeps())
      data.substeps.emplace_back(adjoint(part), fraction);
    std::reverse(data.substeps.begin(), data.substeps.end());
  }
  return Method(std::move(data));
}

Method compose(std::vector<std::pair<Method, double>> substeps, int order, std::string name,
               RestsOn rests_on) {
  if (substeps.empty()) throw InvalidArgument("compose: the list of substeps is empty");
  if (order < 0)
    throw InvalidArgument("compose: the order must be at least 1, got " + std::to_string(order));
  double sum = 0.0;
  int lowest = substeps.front().first.order();
  std::string text;
  for (const auto& [part, fraction] : substeps) {
    require_variational(part, "compose");
    if (!std::isfinite(fraction))
      throw InvalidArgument("compose: the fraction of " + part.name() + " is not a finite number");
    sum += fraction;
    lowest = std::min(lowest, part.order());
    text += (text.empty() ? "" : ", ") + part.name() + ": " + to_text(fraction);
  }
  if (!(std::abs(sum - 1.0) <= 1e-14 * static_cast<double>(substeps.size())))
    throw InvalidArgument("compose: the fractions of the step sum to " + to_text(sum) +
                          ", but must sum to 1");
  if (order > 0 && order != lowest) text += ", order=" + std::to_string(order);
  Method::Data data;
  data.name = name.empty() ? "compose(" + text + ")" : std::move(name);
  data.order = order > 0 ? order : lowest;
  data.rests_on = rests_on;
  data.symmetric = true;
  data.symmetric_on_groups = true;
  data.mirrored = true;
  for (std::size_t i = 0, k = substeps.size() - 1; i < substeps.size(); ++i, --k) {
    const Method& first = substeps[i].first;
    const Method& last = substeps[k].first;
    const bool same_length = substeps[i].second == substeps[k].second;
    const Method reverse = adjoint(first);
    const bool same_name = first.name() == last.name();
    data.symmetric &= same_length && same_on_vectors(reverse, last);
    data.mirrored &= same_length && (reverse.name() == last.name() ||
                                     (same_name && first.symmetric_with_any_retraction()));
    data.symmetric_on_groups &= same_length && (reverse.name() == last.name() ||
                                                (same_name && first.symmetric_on_groups()));
  }
  // with the exponential euler_a and euler_b are adjoint on groups too
  if (rests_on == RestsOn::adjoint_pairs) data.symmetric_on_groups = data.symmetric;
  data.substeps = std::move(substeps);
  return Method(std::move(data));
}

Method triple_jump(const Method& method) {
  require_variational(method, "triple_jump");
  if (!method.symmetric())
    throw InvalidArgument("triple_jump: " + method.name() +
                          " is not symmetric, so the order would not rise; compose it with its "
                          "adjoint first");
  const double gamma = 1.0 / (2.0 - std::pow(2.0, 1.0 / (method.order() + 1)));
  return compose({{method, gamma}, {method, 1.0 - 2.0 * gamma}, {method, gamma}},
                 method.order() + 2, "triple_jump(" + method.name() + ")",
                 RestsOn::symmetric_parts);
}

}  // namespace varia
