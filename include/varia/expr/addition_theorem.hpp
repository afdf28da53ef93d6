// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sines and cosines of many sums and differences from those of their terms.
//
// A pendulum of n links in angles has cos(x_i - x_j) for n(n - 1)/2 pairs, but only n angles. With
//
//     sin(x ± y) = sin x cos y ± cos x sin y,   cos(x ± y) = cos x cos y ∓ sin x sin y
//
// n calls and a few products for each pair do. The error is one of a last digit of x and y: the
// computed value is exact for terms changed by a few ulp, as that of x ± y is, and sin(x - x) is 0.
#include <vector>

#include "varia/expr/graph.hpp"

namespace varia::expr {

/// The expressions f with the theorem applied where there are at least twice as many sums and
/// differences under a sine or cosine as terms they are made of; otherwise f itself. To be called
/// after all derivatives are taken: the result is for computing, not for reading.
std::vector<Id> share_sines(Graph& graph, const std::vector<Id>& f);

}  // namespace varia::expr
