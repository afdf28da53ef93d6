// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The Lagrange basis of s distinct nodes: lⱼ(c_k) = δ_jk, lⱼ a polynomial of degree s − 1.
//
//   lⱼ(x)   = Π_{k≠j} (x − c_k)/(cⱼ − c_k)
//   ∫₀ˣ lⱼ  = x Σ_g β_g lⱼ(x γ_g)      with a Gauss rule (γ, β) of order ≥ s, hence exact
//
// Indices count from 0. Products of differences lose no accuracy, however many nodes there are.
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "varia/core/double_double.hpp"
#include "varia/core/error.hpp"
#include "varia/methods/quadrature.hpp"

namespace varia {

/// Throws InvalidArgument unless there is a node, and all nodes are finite and distinct.
inline void check_nodes(std::span<const DoubleDouble> nodes) {
  if (nodes.empty()) throw InvalidArgument("nodes: the list is empty; at least 1 is needed");
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    const std::string node = "nodes: number " + std::to_string(j + 1);
    if (!isfinite(nodes[j])) throw InvalidArgument(node + " is not finite; give numbers in [0,1]");
    for (std::size_t k = 0; k < j; ++k) {
      if (nodes[j] == nodes[k]) {
        throw InvalidArgument(node + " equals number " + std::to_string(k + 1) +
                              "; all nodes must be distinct");
      }
    }
  }
}

/// All basis polynomials at once: O(s) operations per point after O(s²) of preparation.
class LagrangeBasis {
 public:
  explicit LagrangeBasis(std::vector<DoubleDouble> nodes) : nodes_(std::move(nodes)) {
    check_nodes(nodes_);
    gauss_ = gauss_quadrature((size() + 1) / 2);
    weights_.assign(nodes_.size(), 1.0);
    for (std::size_t j = 0; j < nodes_.size(); ++j) {
      for (std::size_t k = 0; k < nodes_.size(); ++k) {
        if (k != j) weights_[j] *= 4.0 * (nodes_[j] - nodes_[k]);
      }
      weights_[j] = 1.0 / weights_[j];
    }
  }

  int size() const { return static_cast<int>(nodes_.size()); }

  /// l₀(x), …, l_{s−1}(x): products of the factors left of j, right of j, and the weight of j.
  std::vector<DoubleDouble> values(const DoubleDouble& x) const {
    std::vector<DoubleDouble> l = weights_;
    DoubleDouble left = 1.0;
    DoubleDouble right = 1.0;
    for (std::size_t j = 0, k = l.size() - 1; j < l.size(); ++j, --k) {
      l[j] *= left;
      l[k] *= right;
      left *= 4.0 * (x - nodes_[j]);
      right *= 4.0 * (x - nodes_[k]);
    }
    return l;
  }

  /// ∫₀ˣ l₀, …, ∫₀ˣ l_{s−1}.
  std::vector<DoubleDouble> integrals(const DoubleDouble& x) const {
    std::vector<DoubleDouble> sum(nodes_.size(), 0.0);
    for (std::size_t g = 0; g < gauss_.c.size(); ++g) {
      const std::vector<DoubleDouble> l = values(x * gauss_.c[g]);
      for (std::size_t j = 0; j < l.size(); ++j) sum[j] += gauss_.b[g] * l[j];
    }
    for (DoubleDouble& integral : sum) integral *= x;
    return sum;
  }

 private:
  std::vector<DoubleDouble> nodes_;
  std::vector<DoubleDouble> weights_;  // 1/Π_{k≠j} 4(cⱼ − c_k): the 4 keeps products near 1
  Quadrature gauss_;
};

}  // namespace varia
