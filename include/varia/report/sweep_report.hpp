// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The report of a sweep: one HTML file with its numbers as curves over one varied quantity and as a
// map over two. Of a table too large for a page the first columns are shown.
#include <string>

#include "varia/io/sweep_table.hpp"

namespace varia::report {

std::string sweep_report(const io::SweepTable& table);

}  // namespace varia::report
