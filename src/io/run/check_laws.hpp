// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the checks of systems with one step for all and of avi share.
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "check_work.hpp"

namespace varia::io {

constexpr int largest_checked = 24;  // degrees of freedom for the checks that cost O(n³)
constexpr double order_tolerance = 0.3;

/// What one law may take, in seconds of CheckWork.
constexpr double order_seconds = 6.0;
constexpr double certificate_seconds = 8.0;
constexpr double law_seconds = 2.0;  // every other; most are a step

/// Measures a law; where that does not come to an end, the report says that it was not measured.
void try_to_measure(const std::string& law, CheckReport& report,
                    const std::function<void()>& measure);

/// Measures a law over one duration after the other until one will do; none is tried that is longer
/// than one without an exact motion or with too much work. Says why none would do.
std::optional<std::string> try_durations(std::initializer_list<double> durations, CheckWork& work,
                                         const std::function<void(double)>& measure);

/// The order over durations around ten steps, the first that gives enough step sizes between 2 % and
/// round-off.
void measure_order(double step, CheckReport& report, CheckWork& work,
                   const std::function<OrderReport(double)>& measure);

/// Throws InvalidArgument for an order that is neither the declared one nor that which the errors tell:
/// their last two slopes against the sizes of the steps differ too much.
void require_settled(double difference, const std::vector<double>& errors,
                     const std::vector<double>& sizes);

/// The order of the multipliers of nonholonomic constraints; a note where it cannot be seen.
void check_multipliers(const Model& model, const AnyFlow& flow, const VectorState& start,
                       CheckReport& report, CheckWork& work);

/// Momenta that change by forces and nonholonomic reactions: whether by nothing else.
void check_balance(const Model& model, const AnyFlow& flow, VectorState s, CheckReport& report,
                   CheckWork& work);

/// The laws of avi on the terms of a scenario.
void check_asynchronous(const Model& model, CheckReport& report, CheckWork& work);

}  // namespace varia::io
