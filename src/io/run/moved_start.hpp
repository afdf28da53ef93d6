// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What project = true changed of a start.
#include <optional>
#include <string>

#include "varia/io/model.hpp"
#include "varia/io/stepper.hpp"
#include "varia/io/summary.hpp"

namespace varia::io {

/// By the start as it is seen; nothing where it was on the constraints to round-off.
std::optional<Summary::Moved> moved_start(const Model& model, const Snapshot& seen);

/// "the start was moved onto the constraints (project = true): x from 1.01 to 1, ..."
std::string to_text(const Summary::Moved& moved);

}  // namespace varia::io
