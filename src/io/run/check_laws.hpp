// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the checks of systems with one step for all and of avi share.
#include <functional>

#include "check_work.hpp"

namespace varia::io {

constexpr int largest_checked = 24;  // degrees of freedom for the checks that cost O(n³)

/// What one law may take, in seconds of CheckWork.
constexpr double law_seconds = 3.0;

/// Measures a law; where that does not come to an end, the report says that it was not measured.
void try_to_measure(const std::string& law, CheckReport& report,
                    const std::function<void()>& measure);

/// The order over durations around ten steps, the first that gives enough step sizes between 2 % and
/// round-off. No longer one is tried than a duration for which there is no reference solution.
void measure_order(double step, CheckReport& report, CheckWork& work,
                   const std::function<OrderReport(double)>& measure);

/// The laws of avi on the terms of a scenario.
void check_asynchronous(const Model& model, CheckReport& report, CheckWork& work);

}  // namespace varia::io
