// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Supports: nodes some of whose components follow a prescribed motion, and the impulses that takes.
//
// A prescribed component is set to its value at every time of its node; an impulse on it is taken
// by the support and added up, so that the balance of momentum can be checked.
#include <array>
#include <functional>
#include <vector>

#include "varia/core/error.hpp"
#include "varia/terms/node.hpp"

namespace varia::terms {

/// Prescribed position and velocity of one component at a time.
struct Motion {
  double position = 0.0, velocity = 0.0;
};

template <int D> struct Support {
  int node = 0;
  std::array<bool, D> fixed{};
  std::array<double, D> position{};  ///< where the motion does not depend on time
  std::function<Motion(int component, double t)> motion;  ///< empty: at rest at `position`
  std::array<double, D> impulse{};                        ///< of the reaction on the body so far
};

template <int D> class Supports {
 public:
  /// Adds a support; a node has at most one. The node count is that of the system.
  void add(int node_count, Support<D> support) {
    if (support.node < 0 || support.node >= node_count)
      throw InvalidArgument("Supports: node " + std::to_string(support.node) +
                            " does not exist; nodes are 0 to " + std::to_string(node_count - 1));
    if (index_.size() < static_cast<std::size_t>(node_count))
      index_.resize(static_cast<std::size_t>(node_count), -1);
    int& at = index_[static_cast<std::size_t>(support.node)];
    if (at >= 0)
      throw InvalidArgument("Supports: node " + std::to_string(support.node) +
                            " has a support already");
    at = static_cast<int>(list_.size());
    list_.push_back(std::move(support));
  }

  bool empty() const { return list_.empty(); }
  const std::vector<Support<D>>& list() const { return list_; }
  std::vector<Support<D>>& list() { return list_; }
  Support<D>& of(int node) { return list_[static_cast<std::size_t>(index_[node])]; }
  const Support<D>& of(int node) const { return list_[static_cast<std::size_t>(index_[node])]; }

 private:
  std::vector<Support<D>> list_;
  std::vector<int> index_;
};

template <int D> Motion motion(const Support<D>& support, int component, double t) {
  return support.motion ? support.motion(component, t) : Motion{support.position[component], 0.0};
}

/// Prescribed components of a node that was moved to time t.
template <int D> void place(const Support<D>& support, Node<D>& node, double t) {
  for (int c = 0; c < D; ++c) {
    if (!support.fixed[c]) continue;
    const Motion m = motion(support, c, t);
    node.x[c] = m.position;
    node.v[c] = m.velocity;
  }
}

/// The impulse -weight·g on a supported node: free components are kicked, the support takes the rest.
template <int D> void kick(Support<D>& support, Node<D>& node, double weight, const double* g) {
  for (int c = 0; c < D; ++c) {
    if (support.fixed[c])
      support.impulse[c] += weight * g[c];
    else
      node.v[c] += weight * g[c] * node.inverse_mass;  // inverse_mass is -1/m here
  }
}

}  // namespace varia::terms
