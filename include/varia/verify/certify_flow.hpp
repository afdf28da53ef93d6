// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// certify_order for flows known at run time, compiled once: what the program calls.
#include <functional>

#include "varia/flow/any_flow.hpp"

namespace varia {

struct CertifiedOrder;

/// (certify) for the discrete Lagrangian of the flow, from the start and the largest step h downwards
/// [MW01]. Throws InvalidArgument for a flow that has none on (q, p), and where forces or constraints
/// act on one that is not of stages: L_d alone does not determine its order then. before_value() is
/// called before each evaluation of L_d; it may throw to end the measurement.
CertifiedOrder certify_order(
    const AnyFlow& flow, const VectorState& start, double h,
    const std::function<void()>& before_value = [] {});
CertifiedOrder certify_order(const StageFlow& flow, const VectorState& start, double h);

}  // namespace varia
