// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The records of a run, thinned to what a plot can show.
#include <vector>

#include "varia/io/record_log.hpp"

namespace varia::report {

/// At most about `points` records: of each stretch those with the smallest and the largest value of
/// column `guide`, so that extremes survive; always the first and the last. Of each record the numbers at
/// these places, all if there are none. Wide records are fewer, so that they fit into memory.
std::vector<std::vector<double>> thinned(io::RecordReader& reader, std::size_t guide, long points,
                                         const std::vector<std::size_t>& places = {});

}  // namespace varia::report
