// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The plots that a scenario asks for, at the records of a run.
#include "parts.hpp"
#include "varia/io/model.hpp"

namespace varia::report {

Json plot_data(const io::Model& model, const io::ColumnList& columns, const Table& table);

}  // namespace varia::report
