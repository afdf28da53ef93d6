// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A node: a point mass that several terms share, at its own time.
//
// Between two percussions a node moves along a straight line, x(s) = x + v (s - t); x and v are
// those just after its latest percussion, at time t.
#include <array>

namespace varia::terms {

/// In space a node fills one cache line, and everything an update needs of it is there.
template <int D> struct alignas(D == 3 ? 64 : 16) Node {
  std::array<double, D> x{}, v{};
  double t = 0.0;             ///< the node's own time
  double inverse_mass = 1.0;  ///< 1/m; written as -1/m when the node has a support
};

/// (AVI-drift)  x ← x + v (t - τ), τ ← t                                            [LMOW03]
template <int D> inline void drift(Node<D>& node, double t) {
  const double elapsed = t - node.t;
  for (int c = 0; c < D; ++c) node.x[c] += elapsed * node.v[c];
  node.t = t;
}

}  // namespace varia::terms
