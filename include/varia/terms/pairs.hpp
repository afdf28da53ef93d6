// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Pairs of particles: V_K = U(|x_b - x_a|). With own steps for near and far pairs this is the
// asynchronous form of the impulse method (Verlet-I, r-RESPA) [LMOW03].
//
// A potential is a class with value(r) and slope(r) = dU/dr, one object for each pair.
#include <cmath>

#include "varia/terms/family.hpp"

namespace varia::terms {

/// U = ½ k (r - rest)²
struct Spring {
  double stiffness = 1.0, rest = 0.0;
  double value(double r) const { return 0.5 * stiffness * (r - rest) * (r - rest); }
  double slope(double r) const { return stiffness * (r - rest); }
};

/// U = ½ k s² + (α/3) s³ + (β/4) s⁴, s = r - rest: the chain of Fermi, Pasta, Ulam and Tsingou.
struct NonlinearSpring {
  double stiffness = 1.0, rest = 0.0, alpha = 0.0, beta = 0.0;
  double value(double r) const {
    const double s = r - rest;
    return s * s * (0.5 * stiffness + s * (alpha / 3.0 + s * beta / 4.0));
  }
  double slope(double r) const {
    const double s = r - rest;
    return s * (stiffness + s * (alpha + s * beta));
  }
};

/// U = 4ε [(σ/r)¹² - (σ/r)⁶]
struct LennardJones {
  double epsilon = 1.0, sigma = 1.0;
  double value(double r) const {
    const double s = sigma / r, s2 = s * s, s6 = s2 * s2 * s2;
    return 4.0 * epsilon * s6 * (s6 - 1.0);
  }
  double slope(double r) const {
    const double s = sigma / r, s2 = s * s, s6 = s2 * s2 * s2;
    return -24.0 * epsilon * s6 * (2.0 * s6 - 1.0) / r;
  }
};

/// U = -k / r
struct Gravity {
  double strength = 1.0;
  double value(double r) const { return -strength / r; }
  double slope(double r) const { return strength / (r * r); }
};

template <int D, class Potential> class Pairs final : public FamilyOf<Pairs<D, Potential>, D, 2> {
  using Base = FamilyOf<Pairs<D, Potential>, D, 2>;

 public:
  /// One potential for each pair of nodes.
  Pairs(typename Base::Terms pairs, std::vector<Potential> potentials)
      : Base(std::move(pairs)), potentials_(std::move(potentials)) {
    if (potentials_.size() != this->terms().size())
      throw InvalidArgument("Pairs: " + std::to_string(potentials_.size()) + " potentials for " +
                            std::to_string(this->terms().size()) + " pairs");
    for (const auto& pair : this->terms())
      if (pair[0] == pair[1])
        throw InvalidArgument("Pairs: node " + std::to_string(pair[0]) + " is paired with itself");
  }
  const char* kind() const override { return "pair"; }

  double energy_of(int k, const double* x, double t) const {
    double d[D];
    return potentials_[k].value(distance(k, x, t, d));
  }
  void gradient_of(int k, const double* x, double t, double* g) const {
    double d[D];
    const double r = distance(k, x, t, d);
    const double slope = potentials_[k].slope(r) / r;
    for (int c = 0; c < D; ++c) {
      g[D + c] = slope * d[c];
      g[c] = -g[D + c];
    }
  }

 private:
  double distance(int k, const double* x, double t, double* d) const {
    double square = 0.0;
    for (int c = 0; c < D; ++c) {
      d[c] = x[D + c] - x[c];
      square += d[c] * d[c];
    }
    if (!(square > 0.0)) collide(k, t);
    return std::sqrt(square);
  }
  [[noreturn, gnu::cold, gnu::noinline]] void collide(int k, double t) const {
    throw InvertedElement("pair " + std::to_string(k) + ": its two nodes met at t = " + to_text(t) +
                              "; use smaller steps",
                          k, t);
  }

  std::vector<Potential> potentials_;
};

/// A chain on the line: V_K = U(x_b - x_a) with the signed distance, so that particles may pass.
template <class Potential> class Links final : public FamilyOf<Links<Potential>, 1, 2> {
  using Base = FamilyOf<Links<Potential>, 1, 2>;

 public:
  Links(typename Base::Terms pairs, std::vector<Potential> potentials)
      : Base(std::move(pairs)), potentials_(std::move(potentials)) {
    if (potentials_.size() != this->terms().size())
      throw InvalidArgument("Links: " + std::to_string(potentials_.size()) + " potentials for " +
                            std::to_string(this->terms().size()) + " links");
  }
  const char* kind() const override { return "link"; }
  double energy_of(int k, const double* x, double) const {
    return potentials_[k].value(x[1] - x[0]);
  }
  void gradient_of(int k, const double* x, double, double* g) const {
    g[1] = potentials_[k].slope(x[1] - x[0]);
    g[0] = -g[1];
  }

 private:
  std::vector<Potential> potentials_;
};

}  // namespace varia::terms
