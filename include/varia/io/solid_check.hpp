// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The laws of asynchronous integration on the solid of a scenario, measured: `varia check`.
#include "varia/io/check.hpp"
#include "varia/io/solid_model.hpp"

namespace varia::io {

/// Order on the mesh as it is (steps halved, against much smaller ones), momenta and their balance,
/// energy. Over a short time: a few million updates.
CheckReport check_solid(const SolidModel& model);

}  // namespace varia::io
