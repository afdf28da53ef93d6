// SPDX-License-Identifier: BSD-3-Clause
#include "run_loop.hpp"

#include <algorithm>

#include "earlier_records.hpp"
#include "varia/core/error.hpp"
#include "varia/core/version.hpp"
#include "varia/io/atomic_file.hpp"
#include "varia/io/control_motion.hpp"
#include "varia/io/error.hpp"
#include "varia/io/hdf5_trajectory.hpp"
#include "varia/io/text_trajectory.hpp"

namespace varia::io {

bool RunLoop::wanted(const std::string& format) const {
  const auto& formats = scenario_.output.formats;
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

void RunLoop::check_settings(const Checkpoint& earlier, const Settings& here) const {
  const std::string what = difference(earlier.text("settings"), here.text());
  if (!what.empty())
    throw InvalidArgument("--restart " + options_.restart + ": the checkpoint " + what);
  if (earlier.text("columns") != columns().text())
    throw InvalidArgument("--restart " + options_.restart +
                          ": the first run recorded the same functions in another order; [observe] "
                          "and [symmetry] must list them as it did");
}

void RunLoop::append(const std::vector<double>& record) {
  if (log_) log_->append(record.data());
}

void RunLoop::resume(const Checkpoint& earlier, bool same_start) {
  figures_.load(earlier.array("figures"));
  seconds_before_ = earlier.array("seconds").at(0);
  if (!same_start)
    summary_.warnings.emplace_back(
        "the start values of the scenario differ from those of the first run; the run goes on "
        "from the checkpoint");
}

void RunLoop::fail(const Error& error) {
  summary_.status = "failed";
  summary_.message = error.what();
}

void RunLoop::prepare() {
  std::optional<Checkpoint> earlier;
  if (!options_.restart.empty()) earlier = read_checkpoint(options_.restart);
  const Checkpoint* c = earlier ? &*earlier : nullptr;
  begin(c);
  if (options_.prepared) options_.prepared(summary_);
  if (files()) {
    make_directories(options_.directory);
    open_log(c);
    open_more_files(c);
  }
  begin_ = last_checkpoint_ = last_progress_ = RunClock::now();
  // so that no run is without one, whatever ends it, and none is that of another run
  if (c == nullptr && log_) checkpoint();
}

void RunLoop::open_log(const Checkpoint* earlier) {
  if (earlier == nullptr) {
    log_.emplace(RecordLog::create(path("trajectory.partial"), columns()));
    return;
  }
  std::string why;
  auto log =
      continue_log({options_.restart, options_.directory, "trajectory", "", columns(),
                    earlier->integer("records"), std::stoull(earlier->text("records_checksum"))},
                   why);
  const bool complete = log && earlier->integer("records") == figures_.count();
  log_.emplace(log ? std::move(*log) : RecordLog::create(path("trajectory.partial"), columns()));
  if (!complete)
    summary_.warnings.push_back("the records before the restart are no longer there" +
                                (why.empty() ? "" : " (" + why + ")") +
                                (log_->records() == 0
                                     ? ": the trajectory begins after t = " + varia::to_text(time())
                                     : ": the trajectory begins after an earlier restart"));
}

void RunLoop::go() {
  record_due();
  while (!finished()) {
    const bool look_up = advance();
    record_due();
    if (!look_up) continue;
    show_progress();
    if (interrupted()) return;
    if (checkpoint_due()) checkpoint();
  }
}

void RunLoop::show_progress() {
  if (!options_.progress || seconds_since(last_progress_) < 0.2) return;
  last_progress_ = RunClock::now();
  options_.progress(progress());
}

bool RunLoop::interrupted() {
  if (!options_.interrupted || !options_.interrupted()) return false;
  summary_.status = "interrupted";
  summary_.message = "interrupted " + so_far() +
                     (files() ? "; go on with --restart " + path("checkpoint.h5") : "");
  return true;
}

/// Not more than a tenth of the time is for checkpoints.
bool RunLoop::checkpoint_due() const {
  return log_ && seconds_since(last_checkpoint_) >
                     std::max(options_.checkpoint_seconds, 10.0 * checkpoint_cost_);
}

void RunLoop::checkpoint() {
  const RunClock::time_point start = RunClock::now();
  flush();
  Checkpoint c;
  c.texts = {{"varia", std::string(version)},
             {"scenario", full_text(scenario_)},
             {"settings", settings().text()},
             {"status", summary_.status},
             {"records_checksum", std::to_string(log_->checksum())},
             {"columns", columns().text()}};
  c.arrays = {{"seconds", {seconds_before_ + elapsed()}}, {"figures", figures_.save()}};
  c.integers = {{"records", log_->records()}};
  save(c);
  write_checkpoint(path("checkpoint.h5"), c);
  last_checkpoint_ = RunClock::now();
  checkpoint_cost_ = seconds_since(start);
}

void RunLoop::flush() {
  log_->flush();
  flush_more_files();
}

void RunLoop::fill_updates(const std::vector<long>& counts, long newmark_equivalent,
                           double predicted) {
  Summary::Updates u;
  for (const long count : counts) u.total += count;
  u.max = *std::max_element(counts.begin(), counts.end());
  u.min = *std::min_element(counts.begin(), counts.end());
  u.newmark_equivalent = newmark_equivalent;
  u.predicted = predicted;
  if (u.total > 0)
    u.ratio = static_cast<double>(u.newmark_equivalent) / static_cast<double>(u.total);
  if (summary_.wall_seconds > 0.0)
    u.per_second = static_cast<double>(u.total) / summary_.wall_seconds;
  summary_.updates = u;
}

void RunLoop::fill_summary() {
  summary_.varia = version;
  summary_.scenario = scenario_.name;
  summary_.title = scenario_.title;
  summary_.overrides = scenario_.overrides;
  summary_.wall_seconds = seconds_before_ + elapsed();
  summarise();
  if (summary_.wall_seconds > 0.0)
    summary_.steps_per_second = static_cast<double>(summary_.steps) / summary_.wall_seconds;
  summary_.records = log_ ? log_->records() : figures_.count();
  summary_.verdicts = judge();
}

void RunLoop::write_trajectories(RecordReader& reader) {
  const auto listed = [&](const std::string& name) {
    summary_.files.emplace_back(name, path(name));
    return path(name);
  };
  std::optional<RecordReader> events = event_table();
  std::vector<Hdf5Table> more;
  if (events) more.push_back({"events", *events});
  std::optional<ControlTable> controls;
  if (inputs() != nullptr) controls.emplace(*inputs());
  if (controls) more.push_back({control_group, *controls});
  if (wanted("h5"))
    write_hdf5(reader, listed("trajectory.h5"),
               {scenario_.title, full_text(scenario_), summary_.method, summary_.step}, more);
  if (wanted("csv")) write_csv(reader, listed("trajectory.csv"));
  if (wanted("json")) write_json(reader, listed("trajectory.json"));
  if (events && wanted("csv")) write_csv(*events, listed("events.csv"));
  if (events && wanted("json")) write_json(*events, listed("events.json"));
  if (controls && wanted("csv")) write_csv(*controls, listed("controls.csv"));
}

void RunLoop::write_files() {
  flush();
  RecordReader reader(*log_, columns());
  write_trajectories(reader);
  list_more_files();
  summary_.files.emplace_back("checkpoint.h5", path("checkpoint.h5"));
  summary_.files.emplace_back("summary.json", path("summary.json"));
  report(reader);
  AtomicPath summary(path("summary.json"));
  write_json(summary_, 2, [&](std::string_view piece) { summary.append(piece); });
  summary.commit();
  log_->remove();
  remove_more_files();
}

Summary RunLoop::run() {
  prepare();
  attempt([this] { go(); });
  if (log_ && (summary_.status != "failed" || survives_failure())) checkpoint();
  record_end();
  fill_summary();
  if (log_) write_files();
  return summary_;
}

}  // namespace varia::io
