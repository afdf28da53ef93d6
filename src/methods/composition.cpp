// SPDX-License-Identifier: BSD-3-Clause
#include "varia/methods/composition.hpp"

#include <algorithm>
#include <cmath>

#include "varia/core/error.hpp"

namespace varia {

namespace {

using Substeps = std::vector<std::pair<Method, double>>;
using Kind = CompositionScheme::Kind;

void require_symmetric(const std::string& name, const Method& method) {
  if (method.baseline())
    throw InvalidArgument(name + ": " + method.name() +
                          " is not variational; baselines are for comparison only");
  if (!method.symmetric())
    throw InvalidArgument(name + ": " + method.name() +
                          " is not symmetric, so the order would not rise; compose it with its "
                          "adjoint first, half a step each");
}

/// The table "family(order)"; a refusal names the orders there are.
const CompositionScheme& of_order(const std::string& family, int order) {
  std::string orders;
  for (const CompositionScheme& scheme : composition_schemes()) {
    if (scheme.name.substr(0, family.size() + 1) != family + "(") continue;
    if (scheme.order == order) return scheme;
    orders += (orders.empty() ? "" : ", ") + std::to_string(scheme.order);
  }
  throw InvalidArgument(family + ": there is no set of order " + std::to_string(order) +
                        "; there are the orders " + orders);
}

Method palindrome(const std::string& family, int order, const Method& method) {
  const CompositionScheme& scheme = of_order(family, order);
  const std::string name = family + "(" + std::to_string(order) + ", " + method.name() + ")";
  require_symmetric(family, method);
  if (method.order() >= order)
    throw InvalidArgument(name + ": " + method.name() + " has order " +
                          std::to_string(method.order()) +
                          " already; take a method of order below " + std::to_string(order));
  Substeps substeps;
  for (const DoubleDouble& fraction : scheme.fractions)
    substeps.emplace_back(method, double(fraction));
  return compose(std::move(substeps), order, name, RestsOn::symmetric_parts);
}

Method kicks_and_drifts(const CompositionScheme& scheme) {
  return compose(euler_pairs(scheme), scheme.order, scheme.name,
                 scheme.kind == Kind::nystrom ? RestsOn::kicks_and_drifts : RestsOn::adjoint_pairs);
}

/// x^(1/n) of a number near 1 and above, by Newton's method.
DoubleDouble root(double x, int n) {
  DoubleDouble y = std::pow(x, 1.0 / n);
  for (int i = 0; i < 2; ++i) {
    DoubleDouble power = 1.0;
    for (int k = 1; k < n; ++k) power *= y;
    y -= (power * y - x) / (static_cast<double>(n) * power);
  }
  return y;
}

bool is_palindrome(const std::vector<DoubleDouble>& x) {
  return std::equal(x.begin(), x.end(), x.rbegin());
}

}  // namespace

Substeps euler_pairs(const CompositionScheme& scheme) {
  const std::size_t s = scheme.drifts.size();
  if (s == 0 || scheme.kicks.size() != s + 1)
    throw InvalidArgument(scheme.name + ": (pairs) needs s drifts and s + 1 kicks, got " +
                          std::to_string(s) + " and " + std::to_string(scheme.kicks.size()));
  std::vector<DoubleDouble> fractions;  // α_1, β_1, α_2, …, β_s
  DoubleDouble beta = 0.0;
  for (std::size_t i = 0; i < s; ++i) {
    const DoubleDouble alpha = scheme.kicks[i] - beta;
    beta = scheme.drifts[i] - alpha;
    fractions.push_back(alpha);
    fractions.push_back(beta);
  }
  if (!(std::abs(double(beta - scheme.kicks[s])) < 1e-28))
    throw InvalidArgument(scheme.name + ": the kicks and the drifts have different sums");
  if (is_palindrome(scheme.drifts) && is_palindrome(scheme.kicks))  // to the last bit
    for (std::size_t i = 0; i < s; ++i) fractions[2 * s - 1 - i] = fractions[i];
  Substeps substeps;
  for (std::size_t i = 0; i < fractions.size(); ++i)
    if (std::abs(double(fractions[i])) > 1e-28)
      substeps.emplace_back(i % 2 == 0 ? euler_a() : euler_b(), double(fractions[i]));
  return substeps;
}

Method suzuki(const Method& method) {
  require_symmetric("suzuki", method);
  const DoubleDouble gamma = 1.0 / (4.0 - root(4.0, method.order() + 1));
  const double outer = double(gamma);
  const double middle = double(1.0 - 4.0 * gamma);
  return compose(
      {{method, outer}, {method, outer}, {method, middle}, {method, outer}, {method, outer}},
      method.order() + 2, "suzuki(" + method.name() + ")", RestsOn::symmetric_parts);
}

Method yoshida(int order, const Method& method) { return palindrome("yoshida", order, method); }
Method kahan_li(int order, const Method& method) { return palindrome("kahan_li", order, method); }
Method sofroniou_spaletta(int order, const Method& method) {
  return palindrome("sofroniou_spaletta", order, method);
}

Method ruth(int order) { return kicks_and_drifts(of_order("ruth", order)); }
Method mclachlan(int order) { return kicks_and_drifts(of_order("mclachlan", order)); }
Method mclachlan_atela(int order) { return kicks_and_drifts(of_order("mclachlan_atela", order)); }
Method blanes_moan(int order) { return kicks_and_drifts(of_order("blanes_moan", order)); }

Method blanes_moan_rkn(int order, int gradients) {
  of_order("blanes_moan_rkn", order);  // names the orders there are
  if (gradients == 0) gradients = order == 4 ? 6 : 14;
  const std::string name =
      "blanes_moan_rkn(" + std::to_string(order) + ", " + std::to_string(gradients) + ")";
  for (const CompositionScheme& scheme : composition_schemes())
    if (scheme.name == name) return kicks_and_drifts(scheme);
  throw InvalidArgument("blanes_moan_rkn: there is no set of order " + std::to_string(order) +
                        " with " + std::to_string(gradients) + " gradients; there are " +
                        (order == 4 ? "6" : "11 and 14"));
}

}  // namespace varia
