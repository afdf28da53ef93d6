// SPDX-License-Identifier: BSD-3-Clause
#include "run_loop.hpp"

#include <algorithm>
#include <filesystem>

#include "varia/core/error.hpp"
#include "varia/core/version.hpp"
#include "varia/io/atomic_file.hpp"
#include "varia/io/error.hpp"
#include "varia/io/hdf5_trajectory.hpp"
#include "varia/io/text_trajectory.hpp"

namespace varia::io {

namespace {

/// The records before a checkpoint, as it knows them.
struct EarlierRecords {
  std::string checkpoint;  ///< its path
  std::string directory;   ///< of the files of this run
  const std::vector<Column>& columns;
  long count = 0;
  std::uint64_t checksum = 0;
};

std::string log_of(const EarlierRecords& run) { return run.directory + "/trajectory.partial"; }

/// What is wrong with a file of records, empty if it holds those before the checkpoint.
template <class Source> std::string fault(Source& source, const EarlierRecords& run) {
  if (source.columns() != run.columns) return "it has other columns";
  if (source.records() < run.count)
    return "it holds " + std::to_string(source.records()) + " of the " + std::to_string(run.count) +
           " records before the checkpoint";
  if (checksum_of(source, run.count) != run.checksum)
    return "its records are damaged, or those of another run: their checksum is not the one in the "
           "checkpoint";
  return {};
}

/// A new log with the records of the run.
template <class Source> RecordLog copied(Source& source, const EarlierRecords& run) {
  source.rewind();
  RecordLog log = RecordLog::create(log_of(run), run.columns);
  std::vector<double> record(run.columns.size());
  for (long i = 0; i < run.count && source.next(record.data()); ++i) log.append(record.data());
  return log;
}

bool has_content(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && std::filesystem::file_size(path) > 0;
}

/// The log with the records before the checkpoint, from a file that is read by a Source; none if they
/// are not in it, `why` then says so.
template <class Source>
std::optional<RecordLog> continued(const std::string& path, const EarlierRecords& run,
                                   std::string& why) {
  namespace fs = std::filesystem;
  if (!has_content(path)) return std::nullopt;
  std::optional<Source> source;
  std::string found;
  try {
    source.emplace(path);
    if (const std::string wrong = fault(*source, run); !wrong.empty()) found = path + ": " + wrong;
  } catch (const IoError& error) {
    found = error.what();
  }
  if (!found.empty()) {
    why += (why.empty() ? "" : "; ") + found;
    return std::nullopt;
  }
  if (fs::exists(log_of(run)) && fs::equivalent(path, log_of(run)))
    return RecordLog::open_and_truncate(path, run.columns, run.count);
  return copied(*source, run);
}

/// A trajectory without its beginning must not replace the one with it.
void refuse_lost_records(const EarlierRecords& run, const std::string& why) {
  for (const char* name :
       {"trajectory.partial", "trajectory.csv", "trajectory.json", "trajectory.h5"}) {
    const std::string path = run.directory + "/" + name;
    if (!has_content(path)) continue;
    if (!why.empty())
      throw IoError("--restart " + run.checkpoint,
                    "the records before the checkpoint cannot be continued: " + why +
                        ". All files are left as they are; with another --out the run goes on from "
                        "the checkpoint, without these records");
    throw InvalidArgument("--restart " + run.checkpoint +
                          ": the records before the checkpoint are not in its folder as "
                          "trajectory.h5, and " +
                          path +
                          " would be lost; add h5 to output.formats of the first run, or give "
                          "another --out");
  }
}

/// The log with the records before a restart: from the log of the first run, or its trajectory.h5;
/// none if they are in neither, `why` then says what is wrong with them. Throws if a trajectory would
/// be lost.
std::optional<RecordLog> continue_log(const EarlierRecords& run, std::string& why) {
  if (run.count == 0) return RecordLog::create(log_of(run), run.columns);
  const auto folder = std::filesystem::path(run.checkpoint).parent_path();
  const std::string from = folder.empty() ? "." : folder.string();
  // an empty log is that of a run which was killed before it wrote anything
  if (auto log = continued<RecordReader>(from + "/trajectory.partial", run, why)) return log;
  if (auto log = continued<Hdf5Records>(from + "/trajectory.h5", run, why)) return log;
  refuse_lost_records(run, why);
  return std::nullopt;
}

}  // namespace

bool RunLoop::wanted(const std::string& format) const {
  const auto& formats = scenario_.output.formats;
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

std::string RunLoop::column_names() const {
  std::string text;
  for (const Column& c : columns()) text += c.kind + " " + c.name + "\n";
  return text;
}

void RunLoop::check_settings(const Checkpoint& earlier, const Settings& here) const {
  const std::string what = difference(earlier.text("settings"), here.text());
  if (!what.empty())
    throw InvalidArgument("--restart " + options_.restart + ": the checkpoint " + what);
  if (earlier.text("columns") != column_names())
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
        "the start values of the scenario are others than those of the first run; the run goes on "
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
  if (options_.prepared) options_.prepared();
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
  const EarlierRecords records{options_.restart, options_.directory, columns(),
                               earlier->integer("records"),
                               std::stoull(earlier->text("records_checksum"))};
  auto log = continue_log(records, why);
  const bool complete = log && records.count == figures_.count();
  log_.emplace(log ? std::move(*log) : RecordLog::create(path("trajectory.partial"), columns()));
  if (!complete)
    summary_.warnings.push_back("the records before the restart are not there any more" +
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
             {"columns", column_names()}};
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
  if (wanted("h5"))
    write_hdf5(reader, listed("trajectory.h5"),
               {scenario_.title, full_text(scenario_), summary_.method, summary_.step});
  if (wanted("csv")) write_csv(reader, listed("trajectory.csv"));
  if (wanted("json")) write_json(reader, listed("trajectory.json"));
}

void RunLoop::write_files() {
  flush();
  RecordReader reader(path("trajectory.partial"));
  write_trajectories(reader);
  list_more_files();
  summary_.files.emplace_back("checkpoint.h5", path("checkpoint.h5"));
  summary_.files.emplace_back("summary.json", path("summary.json"));
  report(reader);
  write_atomically(path("summary.json"), to_json(summary_));
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
