// SPDX-License-Identifier: BSD-3-Clause
// varia optimise
#include <iostream>
#include <optional>

#include "terminal.hpp"
#include "varia/io/control_problem.hpp"
#include "verbs.hpp"

namespace varia::apps {

int optimise(const RunRequest& request) {
  const io::Scenario scenario = io::read_scenario(request.file, request.overrides());
  io::RunOptions options;
  options.directory = request.out.empty() ? "out/" + scenario.name : request.out;
  ProgressLine line(request.quiet);
  std::optional<Interrupt> guard(std::in_place);
  io::Model model = io::optimised_model(scenario, [&](const OptimiserProgress& p) {
    line.show_search(p.iteration, p.cost, p.infeasibility);
    return !Interrupt::requested();
  });
  const io::Summary summary = run_model(model, options);
  line.clear();
  if (request.json)
    std::cout << to_json(summary);
  else if (!request.quiet)
    print_run(summary, options.directory);
  if (summary.status != "done") complain_on_terminal(summary.message);
  return exit_code(summary);
}

}  // namespace varia::apps
