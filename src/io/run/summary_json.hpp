// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The numbers of a run as JSON, before they are a text.
#include <nlohmann/json.hpp>

#include "varia/io/summary.hpp"

namespace varia::io {

nlohmann::ordered_json json_of(const Summary& summary);
/// The same without q, v and p of the final state, of which there may be millions.
nlohmann::ordered_json json_without_final_state(const Summary& summary);

}  // namespace varia::io
