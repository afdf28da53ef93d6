// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The laws of variational integrators as checks that a user can run on a flow, in three lines:
//
//   const Flow flow(gauss(2), system);
//   const auto start = initial(system, q, v);
//   assert(check_order(flow, start, 1.0).passes() && check_symplectic(flow, start, 0.1).passes());
#include "varia/verify/check_action.hpp"
#include "varia/verify/check_invariants.hpp"
#include "varia/verify/check_order.hpp"
#include "varia/verify/check_symplectic.hpp"
