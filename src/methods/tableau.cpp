// SPDX-License-Identifier: BSD-3-Clause
#include "varia/methods/tableau.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "varia/core/error.hpp"
#include "varia/methods/lagrange_basis.hpp"

namespace varia {
namespace {

using std::size_t;

/// Legendre polynomials P₀ … P_{2s} of [0,1] and their integrals from 0, at every node.
/// ∫₀ᶜ P_k(2τ − 1) dτ = (P_{k+1} − P_{k−1})(2c − 1)/(2(2k+1)), and c for k = 0.
struct LegendreAtNodes {
  explicit LegendreAtNodes(const Tableau& t) {
    const int most = 2 * t.stages;
    for (const DoubleDouble& node : t.c) {
      const std::vector<DoubleDouble> p = shifted_legendre(most, node);
      std::vector<DoubleDouble> integrals{node};
      for (size_t k = 1; k + 1 < p.size(); ++k) {
        integrals.push_back((p[k + 1] - p[k - 1]) / (4.0 * static_cast<double>(k) + 2.0));
      }
      value.push_back(p);
      integral.push_back(std::move(integrals));
    }
  }
  std::vector<std::vector<DoubleDouble>> value, integral;  // [node][degree]
};

/// The largest n ≤ 2s such that holds(k) for k = 0, …, n − 1.
template <class F> int largest(const Tableau& t, const F& holds) {
  int n = 0;
  while (n < 2 * t.stages && holds(static_cast<size_t>(n))) ++n;
  return n;
}

bool close(const DoubleDouble& sum, const DoubleDouble& exact, const DoubleDouble& size,
           double tolerance) {
  return abs(sum - exact) <= tolerance * (1.0 + size);
}

const DoubleDouble& entry(const Tableau& t, size_t i, size_t j) { return t.A[i * t.b.size() + j]; }

/// Butcher's theorem: B(p), C(q), D(r) give order min(p, q + r + 1, 2q + 2).
int guaranteed_order(const Tableau& t) {
  const int p = simplifying_b(t);
  const int q = simplifying_c(t);
  const int r = simplifying_d(t);
  return std::min({p, q + r + 1, 2 * q + 2});
}

Tableau named(Tableau t, const std::string& family) {
  t.name = family + ":" + std::to_string(t.stages);
  return t;
}

}  // namespace

Tableau collocation(const Quadrature& rule) {
  const int order = quadrature_order(rule.c, rule.b);
  if (order < rule.size()) {
    throw InvalidArgument("collocation: the rule '" + rule.name + "' with " +
                          std::to_string(rule.size()) + " nodes has order " +
                          std::to_string(order) +
                          " only; make its weights with interpolatory_quadrature(nodes)");
  }
  const LagrangeBasis basis(rule.c);
  Tableau t{"collocation(" + rule.name + ")", rule.c, rule.b, {}, rule.size(), order};
  for (const DoubleDouble& node : rule.c) {
    const std::vector<DoubleDouble> row = node == 1.0 ? rule.b : basis.integrals(node);
    t.A.insert(t.A.end(), row.begin(), row.end());
  }
  return t;
}

Tableau symplectic_conjugate(const Tableau& t) {
  const size_t s = t.b.size();
  for (size_t i = 0; i < s; ++i) {
    if (!(abs(t.b[i]) > 1e-28)) {
      throw InvalidArgument("symplectic conjugate of '" + t.name + "': weight number " +
                            std::to_string(i + 1) +
                            " is zero; choose nodes whose weights are all nonzero");
    }
  }
  Tableau conjugate{"conjugate(" + t.name + ")", t.c, t.b, t.A, t.stages, 0};
  for (size_t i = 0; i < s; ++i) {
    for (size_t j = 0; j < s; ++j) {
      conjugate.A[i * s + j] = t.b[j] * (1.0 - entry(t, j, i) / t.b[i]);
    }
  }
  conjugate.order = guaranteed_order(conjugate);
  return conjugate;
}

Tableau gauss_tableau(int s) { return named(collocation(gauss_quadrature(s)), "gauss"); }

Tableau lobatto_iiia(int s) { return named(collocation(lobatto_quadrature(s)), "lobatto_iiia"); }

Tableau lobatto_iiib(int s) {
  return named(symplectic_conjugate(collocation(lobatto_quadrature(s))), "lobatto_iiib");
}

Tableau radau_ia(int s) {
  return named(symplectic_conjugate(collocation(radau_left_quadrature(s))), "radau_ia");
}

Tableau radau_iia(int s) { return named(collocation(radau_right_quadrature(s)), "radau_iia"); }

double symplectic_defect(const Tableau& t, const Tableau& t_hat) {
  if (t.stages != t_hat.stages) {
    throw InvalidArgument("symplectic pair: '" + t.name + "' has " + std::to_string(t.stages) +
                          " stages but '" + t_hat.name + "' has " + std::to_string(t_hat.stages) +
                          "; the numbers must be equal");
  }
  DoubleDouble defect = 0.0;
  for (size_t i = 0; i < t.b.size(); ++i) {
    defect = std::max(defect, abs(t.b[i] - t_hat.b[i]));
    for (size_t j = 0; j < t.b.size(); ++j) {
      const DoubleDouble sum = t.b[i] * entry(t_hat, i, j) + t_hat.b[j] * entry(t, j, i);
      defect = std::max(defect, abs(sum - t.b[i] * t_hat.b[j]));
    }
  }
  return static_cast<double>(defect);
}

bool is_symplectic_pair(const Tableau& t, const Tableau& t_hat, double tolerance) {
  return t.stages == t_hat.stages && symplectic_defect(t, t_hat) <= tolerance;
}

bool stiffly_accurate(const Tableau& t, double tolerance) {
  for (size_t j = 0; j < t.b.size(); ++j) {
    if (!(abs(entry(t, t.b.size() - 1, j) - t.b[j]) <= tolerance)) return false;
  }
  return true;
}

int simplifying_b(const Tableau& t, double tolerance) {
  return quadrature_order(t.c, t.b, tolerance);
}

int simplifying_c(const Tableau& t, double tolerance) {
  const LegendreAtNodes at(t);
  return largest(t, [&](size_t k) {
    for (size_t i = 0; i < t.b.size(); ++i) {
      DoubleDouble sum = 0.0;
      DoubleDouble size = 0.0;
      for (size_t j = 0; j < t.b.size(); ++j) {
        sum += entry(t, i, j) * at.value[j][k];
        size += abs(entry(t, i, j) * at.value[j][k]);
      }
      if (!close(sum, at.integral[i][k], size, tolerance)) return false;
    }
    return true;
  });
}

int simplifying_d(const Tableau& t, double tolerance) {
  const LegendreAtNodes at(t);
  return largest(t, [&](size_t k) {
    const DoubleDouble whole = k == 0 ? 1.0 : 0.0;  // ∫₀¹ P_k
    for (size_t j = 0; j < t.b.size(); ++j) {
      DoubleDouble sum = 0.0;
      DoubleDouble size = 0.0;
      for (size_t i = 0; i < t.b.size(); ++i) {
        sum += t.b[i] * at.value[i][k] * entry(t, i, j);
        size += abs(t.b[i] * at.value[i][k] * entry(t, i, j));
      }
      if (!close(sum, t.b[j] * (whole - at.integral[j][k]), size, tolerance)) return false;
    }
    return true;
  });
}

}  // namespace varia
