// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// varia show, of a solid.
#include "varia/io/solid_model.hpp"

namespace varia::apps {

/// Mesh, materials, steps and what was selected, as text or as JSON on standard output.
void show_solid(const io::SolidModel& model, bool json);

}  // namespace varia::apps
