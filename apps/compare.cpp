// SPDX-License-Identifier: BSD-3-Clause
// varia compare
#include "varia/io/compare.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "terminal.hpp"
#include "varia/io/atomic_file.hpp"
#include "varia/report/report.hpp"
#include "verbs.hpp"

namespace varia::apps {

namespace {

using Json = nlohmann::ordered_json;

std::vector<double> read_steps(const CompareRequest& request, double step) {
  if (request.steps.empty()) return {std::abs(step), std::abs(step) / 2, std::abs(step) / 4};
  std::vector<double> result;
  for (const std::string& text : io::split_list(request.steps)) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value > 0.0) ||
        !std::isfinite(value))
      throw InvalidArgument("--steps: '" + text +
                            "' is not a positive number; allowed: a list such as \"0.1, 0.05\"");
    result.push_back(value);
  }
  return result;
}

Json to_json(const io::Comparison& c, const std::string& report) {
  Json rows = Json::array();
  const auto finite = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
  for (const auto& r : c.rows)
    rows.push_back({{"method", r.method},
                    {"variational", r.variational},
                    {"step", r.step},
                    {"steps", r.steps},
                    {"seconds", r.seconds},
                    {"error", finite(r.error)},
                    {"energy_error", finite(r.energy_error)},
                    {"energy_drift", finite(r.energy_drift)},
                    {"message", r.message}});
  return {{"reference", c.reference}, {"rows", rows}, {"report", report}};
}

void print(const io::Comparison& c, const std::string& report) {
  fmt::print("{:<24} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "method", "step", "steps",
             "seconds", "error", "energy", "drift");
  for (const auto& r : c.rows) {
    const std::string name = r.method + (r.variational ? "" : " *");
    if (!r.message.empty())
      fmt::print("{:<24} {:>10.4g} {:>10} {}: {}\n", name, r.step, r.steps,
                 toned(Tone::bad, "failed"), printable(r.message));
    else
      fmt::print("{:<24} {:>10.4g} {:>10} {:>10.3g} {:>10.2e} {:>10.2e} {:>10.2e}\n", name, r.step,
                 r.steps, r.seconds, r.error, r.energy_error, r.energy_drift);
  }
  fmt::print(
      "error: of the end state, against {}; energy: largest relative error; drift: its trend "
      "per unit of time\n* baseline, not variational\nreport: {}\n",
      c.reference, report);
}

}  // namespace

int compare(const CompareRequest& request) {
  const io::Scenario scenario = io::read_scenario(request.file, request.overrides());
  if (scenario.solid)
    throw InvalidArgument(
        "compare: " + scenario.file +
        " is a solid, for which there are two methods; run it with --method avi and --method "
        "newmark and compare updates and energy in their summaries");
  const io::Model model = io::build_model(scenario, io::Sums::term_by_term);
  const auto methods = io::split_list(request.methods);
  const auto steps = read_steps(request, model.step);
  const std::string folder =
      request.out.empty() ? "out/" + model.scenario.name + "-compare" : request.out;
  const bool talk = !request.quiet && isatty(STDERR_FILENO) == 1;
  const Interrupt guard;
  const io::Comparison comparison = io::compare(model, methods, steps, [&](const auto& what) {
    if (talk) fmt::print(stderr, "\r\033[K{}", what);
    return !Interrupt::requested();
  });
  if (talk) fmt::print(stderr, "\r\033[K");
  io::make_directories(folder);
  const std::string report = folder + "/report.html";
  io::write_atomically(report, report::compare_report(model, comparison));
  const std::string json = to_json(comparison, report).dump(2) + "\n";
  io::write_atomically(folder + "/compare.json", json);
  if (request.json)
    std::cout << json;
  else if (!request.quiet)
    print(comparison, report);
  if (Interrupt::requested()) return interrupted;
  const bool all_failed =
      !comparison.rows.empty() && std::all_of(comparison.rows.begin(), comparison.rows.end(),
                                              [](const auto& row) { return !row.message.empty(); });
  return all_failed ? numerics_failed : done;
}

}  // namespace varia::apps
