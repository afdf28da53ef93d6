// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The texts of a step that could not be done: what happened, where, and what to try.
#include <string>

#include "varia/core/error.hpp"
#include "varia/flow/flow_options.hpp"
#include "varia/methods/method.hpp"
#include "varia/solve/newton.hpp"

namespace varia::detail {

void require_step(double h);

/// Throws InvalidArgument where Newton\'s method may not iterate at all.
void require_iterations(const FlowOptions& options);

/// Throws InvalidArgument for methods that are no discrete flow of (q, p), and for bad options.
void require_discrete_flow(const Method& method, const FlowOptions& options);

/// Numbers stopped being finite in the step from t.
[[noreturn]] void overflow(double t, double h);

/// An adaptive method has tried so many inner steps in the step from t; `left` is still to do.
[[noreturn]] void too_many_inner_steps(const std::string& method, double t, double h, int tries,
                                       double left);

/// Newton's method failed in the step from t.
[[noreturn]] void not_solved(const std::string& method, double t, double h,
                             const NewtonReport& report);

/// p₁ could not be made tangent.
[[noreturn]] void not_tangent(double t, double h, int iterations, double last);

/// The method has its order on separable systems only; `found` says what the system is.
[[noreturn]] void refuse_not_separable(const std::string& method, const std::string& found);

/// The method cannot be used with constraints.
[[noreturn]] void refuse_constraints(const std::string& method, int order);

/// The method cannot hold nonholonomic constraints.
[[noreturn]] void refuse_nonholonomic(const std::string& method);

}  // namespace varia::detail
