// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The report of a run or a comparison: one HTML file that needs nothing else.
#include <string>

#include "varia/io/compare.hpp"
#include "varia/io/model.hpp"
#include "varia/io/record_log.hpp"
#include "varia/io/summary.hpp"

namespace varia::report {

/// events: the table of events, if there is one.
std::string run_report(const io::Model& model, io::RecordReader& reader, const io::Summary& summary,
                       io::RecordReader* events = nullptr);

std::string compare_report(const io::Model& model, const io::Comparison& comparison);

}  // namespace varia::report
