// SPDX-License-Identifier: BSD-3-Clause
// varia run
#include <fmt/format.h>

#include <iostream>
#include <optional>

#include "terminal.hpp"
#include "varia/core/counted.hpp"
#include "varia/io/atomic_file.hpp"
#include "varia/io/control_problem.hpp"
#include "varia/io/solid_runner.hpp"
#include "varia/report/report.hpp"
#include "varia/report/solid_report.hpp"
#include "verbs.hpp"

namespace varia::apps {

std::vector<std::string> ScenarioRequest::overrides() const {
  std::vector<std::string> result = set;
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) result.push_back(std::string("run.") + key + "=" + value);
  };
  add("method", method);
  add("step", step);
  add("until", until);
  add("every", every);
  return result;
}

namespace {

std::string mark(const std::string& status) {
  if (status == "good") return toned(Tone::good, "ok") + "  ";
  return status == "bad" ? toned(Tone::bad, "BAD") + " " : toned(Tone::note, "note");
}

void print_head(const io::Summary& s) {
  if (s.updates && s.mesh)
    fmt::print("{}: {} to t = {:g}, {} {} elements, {} updates in {:.3g} s ({:.3g} per second)\n",
               printable(s.title), s.method, s.t_end, s.mesh->elements, s.mesh->kind,
               s.updates->total, s.wall_seconds, s.updates->per_second);
  else if (s.updates)
    fmt::print("{}: {} to t = {:g}, {} of {:g}, {} updates of terms in {:.3g} s, {}\n",
               printable(s.title), s.method, s.t_end, counted(s.steps, "step"), s.step,
               s.updates->total, s.wall_seconds, s.evaluation);
  else if (s.optimum)
    fmt::print("{}: {} to t = {:g}, {} of {:g}\n", printable(s.title), s.method, s.t_end,
               counted(s.steps, "step"), s.step);
  else
    fmt::print("{}: {} to t = {:g}, {} of {:g} in {:.3g} s, {}\n", printable(s.title), s.method,
               s.t_end, counted(s.steps, "step"), s.step, s.wall_seconds, s.evaluation);
}

std::vector<std::string> choice_lines(const io::Summary& s) {
  std::vector<std::string> lines;
  for (const std::string& line : s.choice.lines()) lines.push_back("  chosen " + printable(line));
  return lines;
}

/// What is known of a run before it goes.
std::vector<std::string> opening(const io::Summary& s) {
  std::vector<std::string> lines = choice_lines(s);
  for (const std::string& warning : s.warnings) lines.push_back("  note  " + printable(warning));
  return lines;
}

void print_optimum(const io::Summary::Optimum& o) {
  fmt::print("  cost {:.12g}, {} after {} by {} in {:.3g} s\n", o.cost, o.status,
             counted(o.iterations, "iteration"), o.solver, o.seconds);
  for (const auto& [name, value] : o.parameters)
    fmt::print("  found {} = {:.12g}\n", printable(name), value);
}

}  // namespace

void print_run(const io::Summary& s, const std::string& folder) {
  print_head(s);
  if (s.optimum) print_optimum(*s.optimum);
  for (const std::string& line : choice_lines(s)) fmt::print("{}\n", line);
  if (!s.variational)
    fmt::print("  {}  {} is a baseline for comparison: not variational\n", mark("note"), s.method);
  for (const auto& v : s.verdicts)
    fmt::print("  {}  {}: {}\n", mark(v.status), v.name, printable(v.text));
  for (const io::Summary::Event& event : s.events)
    fmt::print("  event {}: {} {}{}\n", printable(event.name), event.count,
               event.count == 1 ? "time" : "times",
               event.times.empty() ? "" : fmt::format(", first at t = {:g}", event.times.front()));
  if (s.status == "done" && !s.message.empty()) fmt::print("  {}\n", printable(s.message));
  for (const std::string& warning : s.warnings)
    fmt::print("  {}  {}\n", mark("note"), printable(warning));
  if (!folder.empty()) fmt::print("  files in {}\n", printable(folder));
}

int exit_code(const io::Summary& s) {
  if (s.status == "interrupted") return interrupted;
  return s.status == "failed" ? numerics_failed : done;
}

namespace {

/// Where the report goes; it is listed in the summary.
std::string report_path(const io::RunOptions& options, io::Summary& summary) {
  std::string path = options.directory + "/report.html";
  summary.files.emplace_back("report.html", path);
  return path;
}

io::Summary run_solid(const io::Scenario& scenario, const io::RunOptions& options) {
  const io::SolidModel model = io::build_solid_model(scenario);
  io::SolidFinish finish;
  if (scenario.output.report)
    finish = [&](io::RecordReader& reader, const io::SolidPicture& picture, io::Summary& summary) {
      const std::string path = report_path(options, summary);
      io::write_atomically(path, report::solid_report(model, reader, picture, summary));
    };
  return io::run_solid(model, options, finish);
}

}  // namespace

io::Summary run_model(io::Model& model, io::RunOptions options) {
  io::RecordReader* events = nullptr;
  options.events = [&](io::RecordReader& table) { events = &table; };
  if (model.scenario.output.report)
    options.finish = [&](io::RecordReader& reader, io::Summary& summary) {
      const std::string path = report_path(options, summary);
      io::write_atomically(path, report::run_report(model, reader, summary, events));
    };
  return io::run(model, options);
}

io::Summary run_with_files(const io::Scenario& scenario, const io::RunOptions& options) {
  if (scenario.solid) return run_solid(scenario, options);
  io::Model model = options.restart.empty() ? io::build_model(scenario)
                                            : io::continued_model(scenario, options.restart);
  return run_model(model, options);
}

namespace {

io::Summary run_asked(const RunRequest& request, const io::Scenario& scenario,
                      const io::RunOptions& options) {
  if (request.controls.empty()) return run_with_files(scenario, options);
  if (!request.restart.empty())
    throw InvalidArgument("--restart and --controls are not for one run: replay from the start");
  io::Model model = io::replaying_model(scenario, request.controls);
  return run_model(model, options);
}

}  // namespace

int run(const RunRequest& request) {
  const io::Scenario scenario = io::read_scenario(request.file, request.overrides());
  io::RunOptions options;
  options.directory = request.out.empty() ? "out/" + scenario.name : request.out;
  options.restart = request.restart;
  ProgressLine line(request.quiet);
  options.progress = [&](const io::Progress& p) { line.show(p); };
  options.interrupted = Interrupt::requested;
  std::optional<Interrupt> guard;  // before, nobody asks for it: a signal ends the program
  options.prepared = [&](const io::Summary& s) {
    guard.emplace();
    line.announce(opening(s));
  };
  const io::Summary summary = run_asked(request, scenario, options);
  line.clear();
  if (request.json)
    std::cout << to_json(summary);
  else if (!request.quiet)
    print_run(summary, options.directory);
  if (summary.status != "done") complain_on_terminal(summary.message);
  return exit_code(summary);
}

}  // namespace varia::apps
