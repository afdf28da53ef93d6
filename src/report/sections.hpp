// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The sections of a report: the records of each event with the action record, as points.
#include "parts.hpp"
#include "varia/io/model.hpp"
#include "varia/io/record_log.hpp"

namespace varia::report {

/// A list of { name, title, t, columns, x, y, total }; x and y name the axes that are shown first.
Json sections(const io::Model& model, io::RecordReader& table);

}  // namespace varia::report
