// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Loads that swing with time, and an observer that adds up what they give.
#include "terms/samples.hpp"

namespace varia::terms {

/// Force c + (1 + k/10) sin(ωt) in every component c of the first node of every term.
template <int D> class Swinging final : public Load<D> {
 public:
  void add(int k, double t, double* f) const override {
    for (int c = 0; c < D; ++c) f[c] += 0.2 * c - 0.1 + (1.0 + 0.1 * k) * std::sin(omega_ * t);
  }
  void add_rate(int k, double t, double* rate) const override {
    for (int c = 0; c < D; ++c) rate[c] += (1.0 + 0.1 * k) * omega_ * std::cos(omega_ * t);
  }

 private:
  double omega_ = 1.7;
};

/// A net with a Swinging load on its springs.
inline Sample<2> loaded_net(int nx, int ny, double size) {
  Sample<2> bare = spring_net(nx, ny, size), s;
  const auto edges = grid_edges(nx, ny);
  std::vector<Spring> springs;
  for (const auto& edge : edges)
    springs.push_back({4.0, edge[1] - edge[0] == nx + 1 ? std::sqrt(2.0) : 1.0});
  auto family = std::make_unique<Pairs<2, Spring>>(edges, springs);
  family->set_load(std::make_shared<Swinging<2>>());
  s.system.add(std::move(family));
  s.system.set_masses(bare.system.masses());
  s.x = bare.x, s.v = bare.v, s.steps = bare.steps;
  return s;
}

}  // namespace varia::terms
