// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a run watches: where a function of the motion crosses zero, or times at equal distances.
#include <string>
#include <vector>

#include "varia/expr/kernel.hpp"
#include "varia/io/scenario_text.hpp"

namespace varia::io {

enum class EventAction { stop, record, count };

struct Event {
  bool timed() const { return every > 0.0; }

  std::string name;    ///< as given, else what is watched
  Text text;           ///< of `when` or `every`
  expr::Kernel value;  ///< (t, entries, v, p) ↦ the function; none where timed
  double every = 0.0;  ///< the period; 0: by the function
  int direction = 0;   ///< 1: upwards only, -1: downwards only
  EventAction action = EventAction::record;
  long after = 1;                 ///< the first crossing that acts
  std::vector<std::string> axes;  ///< of the picture; empty: chosen
};

const char* action_text(EventAction action);
/// up, down, both
const char* direction_text(const Event& event);

}  // namespace varia::io
