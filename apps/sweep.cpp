// SPDX-License-Identifier: BSD-3-Clause
// varia sweep
#include "varia/io/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "terminal.hpp"
#include "varia/core/counted.hpp"
#include "varia/core/version.hpp"
#include "varia/io/atomic_file.hpp"
#include "varia/report/sweep_report.hpp"
#include "verbs.hpp"

namespace varia::apps {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_failures = 20;  ///< that are listed

/// A text as a string of TOML.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// "e = 0 : 0.9 : 0.1" as the override of a key of [sweep.vary]; a list in brackets is TOML.
std::string vary_override(const std::string& text) {
  const auto equals = text.find('=');
  const std::string name = trimmed(text.substr(0, equals));
  if (equals == std::string::npos || name.empty())
    throw InvalidArgument("--vary '" + text +
                          "': needs the form name=values, as in --vary \"e = 0 : 0.9 : 0.1\" or "
                          "--vary \"method = verlet, gauss(2)\"");
  const std::string values = trimmed(text.substr(equals + 1));
  return "sweep.vary." + name + "=" + (values.starts_with("[") ? values : quoted(values));
}

std::vector<std::string> overrides_of(const SweepRequest& r) {
  std::vector<std::string> all = r.overrides();
  for (const std::string& text : r.vary) all.push_back(vary_override(text));
  if (!r.mode.empty()) all.push_back("sweep.mode=" + quoted(r.mode));
  if (!r.samples.empty()) all.push_back("sweep.random.count=" + r.samples);
  if (!r.seed.empty()) all.push_back("sweep.random.seed=" + r.seed);
  return all;
}

std::string case_words(const io::SweepTable& table, const io::SweepTable::Row& row) {
  std::string words;
  for (std::size_t k = 0; k < row.values.size(); ++k)
    words += (words.empty() ? "" : ", ") + table.axes[k].name + " = " + row.values[k];
  return words;
}

Json failure_rows(const io::SweepTable& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows()) {
    if (row.status != "failed" || rows.size() == most_failures) continue;
    Json varied;
    for (std::size_t k = 0; k < row.values.size(); ++k) varied[table.axes[k].name] = row.values[k];
    rows.push_back({{"case", row.number + 1}, {"varied", varied}, {"message", row.message}});
  }
  return rows;
}

Json table_json(const io::SweepTable& table, const std::vector<std::string>& files) {
  Json varied = Json::array();
  for (const auto& axis : table.axes) varied.push_back({{"name", axis.name}, {"key", axis.key}});
  return {{"varia", version},
          {"scenario", table.name},
          {"title", table.title},
          {"cases", table.cases},
          {"rows", table.rows().size()},
          {"done", table.count("done")},
          {"failed", table.count("failed")},
          {"interrupted", table.count("interrupted")},
          {"varied", varied},
          {"columns", table.columns()},
          {"failures", failure_rows(table)},
          {"files", files}};
}

std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void print_failures(const io::SweepTable& table) {
  std::size_t count = 0;
  for (const auto& row : table.rows()) {
    if (row.status != "failed" || ++count > 5) continue;
    fmt::print("  {}  {}: {}\n", toned(Tone::bad, "failed"), printable(case_words(table, row)),
               printable(row.message));
  }
  if (count > 5)
    fmt::print("  {}  {} more; their messages are in the table\n", toned(Tone::bad, "failed"),
               count - 5);
}

void print_files(const std::vector<std::string>& files) {
  for (const std::string& file : files) fmt::print("  file  {}\n", printable(file));
}

void print(const io::SweepResult& s) {
  const io::SweepTable& table = s.table;
  fmt::print("{}: {} of {} done in {:.3g} s on {}, {:.3g} s of runs\n", printable(table.title),
             table.count("done"), counted(table.rows().size(), "case"), s.wall_seconds,
             counted(s.jobs, "thread"), s.run_seconds);
  const std::string note = toned(Tone::note, "note");
  if (s.resumed > 0)
    fmt::print("  {}  {} done before\n", note, counted(s.resumed, "case was", "cases were"));
  for (const std::string& text : s.notes) fmt::print("  {}  {}\n", note, printable(text));
  print_failures(table);
  print_files(s.files);
}

/// Writes the report beside the table and lists it.
void write_report(const io::SweepTable& table, const std::string& path,
                  std::vector<std::string>& files) {
  io::write_atomically(path, report::sweep_report(table));
  files.push_back(path);
}

int code_of(const std::string& status) {
  if (status == "interrupted") return interrupted;
  return status == "failed" ? numerics_failed : done;
}

/// One sentence on standard error when not all is done.
void complain_of(const io::SweepTable& table, const std::string& folder) {
  const long failed = table.count("failed"), open = table.count("interrupted");
  if (open > 0)
    complain_on_terminal(
        fmt::format("the sweep was interrupted with {} of {} cases left; the same command goes on, "
                    "from the rows "
                    "in {}",
                    open, table.rows().size(), folder));
  else if (failed > 0)
    complain_on_terminal(
        fmt::format("{} of {} cases failed; their rows say why", failed, table.rows().size()));
}

int merge(const SweepRequest& request) {
  std::vector<std::pair<std::string, io::SweepTable>> parts;
  for (const std::string& file : io::find_sweep_parts(request.files))
    parts.emplace_back(file, io::read_sweep_hdf5(file));
  const io::SweepTable table = io::merged(parts);
  const std::string folder = request.out.empty() ? request.files.front() : request.out;
  io::make_directories(folder);
  std::vector<std::string> files{folder + "/sweep.csv", folder + "/sweep.h5"};
  io::write_sweep_csv(table, files[0]);
  io::write_sweep_hdf5(table, files[1]);
  write_report(table, folder + "/report.html", files);
  if (request.json) {
    std::cout << dumped(table_json(table, files));
  } else if (!request.quiet) {
    fmt::print("{}: {}, {} of {} done\n", printable(table.title), counted(parts.size(), "part"),
               table.count("done"), counted(table.rows().size(), "case"));
    print_failures(table);
    print_files(files);
  }
  complain_of(table, folder);
  return table.count("failed") > 0 ? numerics_failed : done;
}

int jobs_of(const SweepRequest& request) {
  if (request.jobs.empty()) return 0;
  int jobs = 0;
  const char* const end = request.jobs.data() + request.jobs.size();
  const auto [stop, error] = std::from_chars(request.jobs.data(), end, jobs);
  if (error != std::errc() || stop != end || jobs < 1 || jobs > 1024)
    throw InvalidArgument("--jobs: '" + request.jobs + "' is not a whole number from 1 to 1024");
  return jobs;
}

}  // namespace

int sweep(const SweepRequest& request) {
  if (request.merge) return merge(request);
  if (request.files.size() > 1)
    throw InvalidArgument("'varia sweep' takes one scenario, got '" + request.files[1] +
                          "' too; several folders go with --merge");
  const io::Scenario scenario = io::read_scenario(request.files.front(), overrides_of(request));
  io::SweepOptions options;
  options.directory = request.out.empty() ? "out/" + scenario.name + "_sweep" : request.out;
  options.jobs = jobs_of(request);
  options.keep = request.keep;
  if (!request.shard.empty()) options.shard = io::parse_shard(request.shard);
  if (request.keep) options.run = run_with_files;
  ProgressLine line(request.quiet);
  options.progress = [&](const io::SweepProgress& p) {
    line.show_cases(p.done, p.cases, p.failed, p.seconds_left);
  };
  options.interrupted = Interrupt::requested;
  std::optional<Interrupt> guard;
  options.prepared = [&] { guard.emplace(); };
  io::SweepResult result = io::sweep(scenario, options);
  line.clear();
  if (options.shard.whole() && scenario.output.report)
    write_report(result.table, options.directory + "/report.html", result.files);
  if (request.json) {
    Json json = table_json(result.table, result.files);
    json["status"] = result.status;
    json["resumed"] = result.resumed;
    json["jobs"] = result.jobs;
    json["wall_seconds"] = result.wall_seconds;
    json["run_seconds"] = result.run_seconds;
    json["free"] = result.free;
    json["notes"] = result.notes;
    std::cout << dumped(json);
  } else if (!request.quiet) {
    print(result);
  }
  complain_of(result.table, options.directory);
  return code_of(result.status);
}

}  // namespace varia::apps
