// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Why a step failed, as far as the formulas of the model tell.
#include <string>

#include "varia/io/model.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io {

/// The message of a failed step of length h from s, with what it met on the way: an expression without a
/// value, or one that is not smooth, with its name and value instead of the advice to take a smaller
/// step. The message itself where there is none.
std::string explained(const Model& model, const Snapshot& s, double h, const std::string& message);

}  // namespace varia::io
