// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parts of the schema that are stated in files of their own.
#include <vector>

#include "varia/io/schema.hpp"

namespace varia::io {

using Rows = std::vector<SchemaEntry>;

inline std::vector<Type> scalar() { return {Type::number, Type::expression}; }

Rows solid_mesh_rows();
Rows solid_rows();        ///< material, regions, supports, loads
Rows solid_start_rows();  ///< start and observe
Rows solid_run_rows();
Rows solid_format_rows();
const std::vector<Alternative>& solid_alternatives();

}  // namespace varia::io
