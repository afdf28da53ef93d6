// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// certify_order for a discrete Lagrangian given as an expression, compiled once.
#include "varia/flow/discrete_lagrangian_flow.hpp"
#include "varia/flow/flat_flow.hpp"

namespace varia {

struct CertifiedOrder;

/// (certify) for L_d against the exact one of the system that `exact` steps (its method does not
/// matter), from a start of that system and the largest step h downwards  [MW01]. Throws
/// InvalidArgument for systems with forces or constraints, and when the numbers of coordinates differ.
CertifiedOrder certify_order(const FlatFlow& exact, const DiscreteLagrangianFlow& own,
                             const FlatState& start, double h, int declared);

}  // namespace varia
