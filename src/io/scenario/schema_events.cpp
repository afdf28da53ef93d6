// SPDX-License-Identifier: BSD-3-Clause
// The keys of [[event]].
#include "schema_tree.hpp"

namespace varia::io::rows {

Rows event_rows() {
  return {
      table("event[]"),
      expression("event[].when",
                 "A function of t, coordinates, velocities and momenta; the event is where it "
                 "crosses zero, located by a step of fitting length.",
                 R"~("y - 1")~"),
      scalar("event[].every",
             "Instead of `when`: the event is at the times start.t + every, start.t + 2*every, "
             "and so on; it may use the parameters.",
             R"~("2*pi/omega")~"),
      text("event[].direction",
           "Which crossings count, in the order of the run: from negative to positive, from "
           "positive to negative; both unless given.",
           R"~("up")~")
          .among({{"up"}, {"down"}, {"both"}}),
      one_of("event[].action", {"record", "stop", "count"},
             "What happens: the state goes into the table of events and the report draws a "
             "section; the run ends there, as well; or crossings are counted only.",
             "stop"),
      count("event[].after", "1",
            "The first crossing that acts: with 3, two are counted and nothing else happens.", "3"),
      text("event[].name", "What outputs call it; what it watches unless given.", R"~("apex")~"),
      list("event[].axes",
           "The two axes of the section in the report, names of what is recorded; chosen unless "
           "given.",
           R"~(["y", "y_p"])~"),
      text("event[].axes[]"),
  };
}

}  // namespace varia::io::rows
