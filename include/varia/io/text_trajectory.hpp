// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A trajectory as text, with numbers that read back to the same doubles.
//
// CSV: one line of names, then one line for each record, numbers separated by commas. A name that two kinds share (an observed function called energy) is written as observe.energy or
// momentum.energy, so that every name of the first line is unique.
#include <string>

#include "varia/io/records.hpp"

namespace varia::io {

void write_csv(RecordSource source, const std::string& path);

/// {"columns": [names], "kinds": [...], "units": [...], "records": [[...], ...]}, a record on a line.
void write_json(RecordSource source, const std::string& path);

}  // namespace varia::io
