// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A trajectory as JSON: {"columns": [names], "kinds": [...], "units": [...], "records": [[...], ...]},
// with one record on a line.
#include <string>

#include "varia/io/records.hpp"

namespace varia::io {

void write_json(RecordSource source, const std::string& path);

}  // namespace varia::io
