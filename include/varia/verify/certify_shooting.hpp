// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// certify_order for shooting and Taylor methods of systems known at run time, compiled once.
#include "varia/flow/shooting_flow.hpp"

namespace varia {

struct CertifiedOrder;

/// (certify) for L_d of the flow, from the start and the largest step h downwards  [MW01].
CertifiedOrder certify_order(const ShootingFlow& flow, const FlatState& start, double h);

}  // namespace varia
