// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Strain energies written a second time, from 3 x 3 tensors and loops, and what random tests need.
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "varia/ad/jet.hpp"
#include "varia/solids/material.hpp"

namespace varia::solids {

/// Numbers between -1 and 1, the same in every run.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()() { return 2.0 * (static_cast<double>(engine_()) / 4294967296.0) - 1.0; }

 private:
  std::mt19937 engine_;
};

template <class S> S det3(const S* F) {
  S sum(0.0);
  for (int i = 0; i < 3; ++i)
    sum = sum + F[i] * (F[3 + (i + 1) % 3] * F[6 + (i + 2) % 3] -
                        F[3 + (i + 2) % 3] * F[6 + (i + 1) % 3]);
  return sum;
}

template <class S> struct Invariants {
  S i1, i2, log_j, e1, e2;  ///< of C and of E = ½ (C - I): tr E, tr E²
  explicit Invariants(const S* F) {
    using std::log;
    S C[9];
    for (int i = 0; i < 9; ++i) {
      C[i] = S(0.0);
      for (int k = 0; k < 3; ++k) C[i] = C[i] + F[3 * k + i / 3] * F[3 * k + i % 3];
    }
    i1 = C[0] + C[4] + C[8];
    i2 = (C[0] * C[4] - C[1] * C[3]) + (C[0] * C[8] - C[2] * C[6]) + (C[4] * C[8] - C[5] * C[7]);
    log_j = 0.5 * log(det3(C));
    e1 = 0.5 * (i1 - 3.0);
    e2 = S(0.0);
    for (int i = 0; i < 9; ++i) {
      const S e = 0.5 * (C[i] - (i % 4 == 0 ? 1.0 : 0.0));
      e2 = e2 + e * e;
    }
  }
};

template <class S> S plain_energy(const NeoHookean& m, const S* F) {
  const Invariants<S> v(F);
  return 0.5 * m.lambda * v.log_j * v.log_j - m.mu * v.log_j + 0.5 * m.mu * (v.i1 - 3.0);
}
template <class S> S plain_energy(const StVenantKirchhoff& m, const S* F) {
  const Invariants<S> v(F);
  return 0.5 * m.lambda * v.e1 * v.e1 + m.mu * v.e2;
}
template <class S> S plain_energy(const MooneyRivlin& m, const S* F) {
  const Invariants<S> v(F);
  return m.c1 * (v.i1 - 3.0) + m.c2 * (v.i2 - 3.0) - 2.0 * (m.c1 + 2.0 * m.c2) * v.log_j +
         0.5 * m.lambda * v.log_j * v.log_j;
}
template <class S> S plain_energy(const LinearElastic& m, const S* F) {
  S trace(-3.0), sum(0.0);
  for (int i = 0; i < 3; ++i) trace = trace + F[4 * i];
  for (int i = 0; i < 9; ++i) {
    const S e = 0.5 * (F[i] + F[3 * (i % 3) + i / 3]) - (i % 4 == 0 ? 1.0 : 0.0);
    sum = sum + e * e;
  }
  return 0.5 * m.lambda * trace * trace + m.mu * sum;
}

/// A deformation gradient with J well above 0.
template <int D> std::array<double, D * D> random_gradient(Random& random, double size = 0.4) {
  for (;;) {
    std::array<double, D * D> F{};
    for (int i = 0; i < D * D; ++i) F[i] = (i % (D + 1) == 0 ? 1.0 : 0.0) + size * random();
    if (determinant<D>(F.data()) > 0.25) return F;
  }
}

/// A rotation by a product of plane rotations.
template <int D> std::array<double, D * D> random_rotation(Random& random) {
  std::array<double, D * D> R{};
  for (int i = 0; i < D; ++i) R[i * D + i] = 1.0;
  for (int i = 0; i < D; ++i) {
    for (int j = i + 1; j < D; ++j) {
      const double angle = 3.0 * random(), c = std::cos(angle), s = std::sin(angle);
      for (int k = 0; k < D; ++k) {
        const double a = R[i * D + k], b = R[j * D + k];
        R[i * D + k] = c * a - s * b;
        R[j * D + k] = s * a + c * b;
      }
    }
  }
  return R;
}

template <int D>
std::array<double, D * D> product(const std::array<double, D * D>& A,
                                  const std::array<double, D * D>& B) {
  std::array<double, D * D> C{};
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j)
      for (int k = 0; k < D; ++k) C[i * D + j] += A[i * D + k] * B[k * D + j];
  return C;
}

inline std::vector<Material> test_materials() {
  return {{"neo_hookean", {{"lambda", 1.7}, {"mu", 0.6}}, 2.0},
          {"st_venant_kirchhoff", {{"lambda", 1.7}, {"mu", 0.6}}, 2.0},
          {"mooney_rivlin", {{"c1", 0.3}, {"c2", 0.2}, {"lambda", 1.1}}, 2.0},
          {"linear_elastic", {{"lambda", 1.7}, {"mu", 0.6}}, 2.0}};
}

}  // namespace varia::solids
