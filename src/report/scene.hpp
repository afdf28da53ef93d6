// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The picture of a mechanism at the records of a run.
#include "parts.hpp"
#include "varia/io/model.hpp"
#include "varia/io/record_log.hpp"

namespace varia::report {

/// (t, entries, v, p) as they are held, of a record.
std::vector<double> held_state(const io::Model& model, const std::vector<double>& record);

/// What is drawn, and its outputs at the records; at every so many of them where there are too many.
Json scene_data(const io::Model& model, io::RecordReader& reader);

}  // namespace varia::report
