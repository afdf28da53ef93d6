// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What terms with steps of their own save.
//
//   lambda = (E / min dt) / (sum over terms of 1/dt)                        (AVI-lambda) [West04]
// is the number of updates with the smallest step for all E terms, divided by the number with own
// steps. It is also max * E / total of the update counts, and (harmonic mean of dt) / (min dt).
#include <vector>

namespace varia::terms {

/// lambda of (AVI-lambda) [West04]; at least 1. InvalidArgument without steps, or if one is not positive.
double speed_up(const std::vector<double>& steps);

}  // namespace varia::terms
