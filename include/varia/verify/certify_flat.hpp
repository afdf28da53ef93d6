// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// certify_order for systems known at run time, compiled once: what the program calls.
#include "varia/flow/flat_flow.hpp"

namespace varia {

struct CertifiedOrder;

/// (certify) for the method of the flow, from the start and the largest step h downwards  [MW01].
CertifiedOrder certify_order(const FlatFlow& flow, const FlatState& start, double h);

}  // namespace varia
