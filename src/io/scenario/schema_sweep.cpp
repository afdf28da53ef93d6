// SPDX-License-Identifier: BSD-3-Clause
// The keys of a sweep.
#include "schema_tree.hpp"

namespace varia::io::rows {

Rows sweep_rows(Form form) {
  return {
      table(
          "sweep.vary",
          "The varied quantities with their values: a parameter, a key of [run], or any key in "
          "full, "
          "as with `--set`. \"first : last : step\" with the last value included, "
          "linear(first, last, count), geometric(first, last, count), a list; or drawn at random: "
          "uniform(from, to), log_uniform(from, to), normal(mean, deviation).",
          form != Form::solid
              ? R"~({ e = "0 : 0.9 : 0.1", method = ["verlet", "gauss(2)"], "start.x" = "uniform(0, 1)" })~"
              : R"~({ until = "1 : 3 : 0.5" })~"),
      any("sweep.vary.NAME", "The values of one quantity.", R"~("0 : 0.9 : 0.1")~"),
      one_of("sweep.mode", {"grid", "list"},
             "Every value with every other, the last quantity changing first; or the first values "
             "together, then the second ones, and so on.",
             "list"),
      table("sweep.random", "How often random values are drawn, all of them anew each time.",
            "{ count = 100, seed = 1 }"),
      integer("sweep.random.count", "How many samples.", "100").within(Range::positive),
      integer("sweep.random.seed", "Where the random numbers begin.", "1")
          .within(Range::not_negative),
      list("sweep.columns",
           "Which numbers of the summaries the table has: these, and all below them; all unless "
           "given.",
           R"~(["energy.max_rel_error", "final.q"])~"),
      text("sweep.columns[]"),
  };
}

}  // namespace varia::io::rows
