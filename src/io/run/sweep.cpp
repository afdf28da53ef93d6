// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/sweep.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "run_loop.hpp"
#include "sweep_evaluation.hpp"
#include "varia/io/atomic_file.hpp"
#include "varia/io/error.hpp"
#include "varia/io/model.hpp"
#include "varia/io/solid_runner.hpp"
#include "varia/io/sweep_log.hpp"

namespace varia::io {

namespace {

Summary run_of_case(const Scenario& scenario, const RunOptions& options) {
  if (scenario.solid) return run_solid(build_solid_model(scenario), options);
  Model model = build_model(scenario);
  return run(model, options);
}

std::string folder_of_case(const std::string& directory, long index, long cases) {
  const std::size_t width = std::to_string(cases).size();
  const std::string number = std::to_string(index + 1);
  return directory + "/case-" + std::string(width - number.size(), '0') + number;
}

/// What is wrong for every case is said before the first: a key, a value of the wrong type, a method.
void check_values(const Scenario& scenario, const SweepCases& cases) {
  for (const SweepAxis& axis : cases.axes()) {
    if (axis.draw) continue;
    const long every = axis.numbers ? std::max(1L, axis.count - 1) : 1;  // the ends of a range
    for (long i = 0; i < axis.count; i += every) {
      const SweepValue value = axis.value(i);
      std::vector<std::string> overrides = scenario.overrides;
      overrides.push_back(axis.name + "=" + value.toml);
      try {
        const Scenario changed = parse_scenario(scenario.text, scenario.file, overrides);
        if (axis.key == "run.method" && !changed.solid && !changed.run.open_method())
          parse_method(value.text);
      } catch (const InvalidArgument& error) {
        throw ScenarioError(axis.values,
                            "the value " + value.text + " is refused: " + error.what());
      }
    }
  }
}

class SweepRun {
 public:
  SweepRun(const Scenario& scenario, const SweepOptions& options)
      : scenario_(scenario), options_(options), cases_(scenario), stem_(sweep_stem(options.shard)) {
    check_values(scenario, cases_);
    check_first();
  }

  SweepResult go();

 private:
  bool files() const { return !options_.directory.empty(); }
  std::string path(const std::string& name) const { return options_.directory + "/" + name; }
  bool interrupted() const { return options_.interrupted && options_.interrupted(); }
  void check_first();
  void prepare();
  void work();
  void run_all();
  SweepRow row_of(long index);
  void take(const SweepRow& row);
  void show(const std::chrono::steady_clock::time_point& begin);
  void finish();

  const Scenario& scenario_;
  const SweepOptions& options_;
  SweepCases cases_;
  std::string stem_;
  std::optional<SweepEvaluation> evaluation_;
  std::optional<SweepLog> log_;
  SweepResult result_;
  std::vector<long> open_;  ///< cases that are to be run
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stop_{false};

  std::mutex mutex_;  ///< of what follows, and of the table and the log
  std::condition_variable changed_;
  long finished_ = 0, failed_ = 0;
  int working_ = 0;
  std::exception_ptr error_;
};

/// If neither the scenario as it stands nor the first case has a meaning, it is the scenario that is
/// wrong, not the values.
void SweepRun::check_first() {
  std::vector<std::string> overrides = scenario_.overrides;
  const std::vector<std::string> first = cases_.overrides(0);
  overrides.insert(overrides.end(), first.begin(), first.end());
  const auto build = [](const Scenario& scenario) {
    if (scenario.solid)
      build_solid_model(scenario);
    else
      build_model(scenario);
  };
  try {
    build(parse_scenario(scenario_.text, scenario_.file, overrides));
  } catch (const Error&) {
    build(scenario_);
  }
}

void SweepRun::prepare() {
  evaluation_.emplace(scenario_, cases_);
  SweepTable& table = result_.table;
  table.title = scenario_.title;
  table.name = scenario_.name;
  table.scenario = full_text(scenario_);
  table.request = cases_.request();
  table.cases = cases_.size();
  table.part = options_.shard.part;
  table.of = options_.shard.of;
  for (const SweepAxis& axis : cases_.axes())
    table.axes.push_back({axis.name, axis.key, axis.numbers || bool(axis.draw)});
  if (options_.prepared) options_.prepared();
  std::vector<bool> done(static_cast<std::size_t>(cases_.size()), false);
  if (files()) {
    make_directories(options_.directory);
    log_.emplace(path(stem_ + ".partial"), cases_.request());
    for (const SweepRow& row : log_->rows()) {
      done.at(static_cast<std::size_t>(row.number)) = true;
      take(row);
    }
    result_.resumed = static_cast<long>(log_->rows().size());
  }
  for (long i = options_.shard.part - 1; i < cases_.size(); i += options_.shard.of)
    if (!done[static_cast<std::size_t>(i)]) open_.push_back(i);
}

SweepRow SweepRun::row_of(long index) {
  SweepRow row;
  row.number = index;
  RunOptions options;
  options.interrupted = [this] { return stop_ || interrupted(); };
  if (options_.keep) options.directory = folder_of_case(options_.directory, index, cases_.size());
  try {
    const Scenario scenario = evaluation_->scenario_of(index);
    const Summary summary =
        options_.run ? options_.run(scenario, options) : run_of_case(scenario, options);
    row.status = summary.status;
    row.message = summary.message;
    if (!scenario.solid)
      row.evaluation = summary.evaluation.starts_with("native") ? "native" : "interpreter";
    if (row.status == "done") row.numbers = numbers_of(summary, scenario_.sweep.columns);
  } catch (const IoError& error) {
    if (options_.keep) throw;  // the disk is full for all that follow, too
    row.status = "failed";
    row.message = error.what();
  } catch (const std::exception& error) {
    row.status = "failed";
    row.message = error.what();
  }
  return row;
}

void SweepRun::take(const SweepRow& row) {
  std::vector<std::string> values;
  for (SweepValue& value : cases_.values(row.number)) values.push_back(std::move(value.text));
  result_.table.add(row, std::move(values));
  for (const auto& [path, number] : row.numbers)
    if (path == "wall_seconds") result_.run_seconds += number;
  ++finished_;
  failed_ += row.status == "failed" ? 1 : 0;
}

void SweepRun::work() {
  try {
    while (!stop_ && !interrupted()) {
      const std::size_t i = next_++;
      if (i >= open_.size()) break;
      const SweepRow row = row_of(open_[i]);
      if (row.status == "interrupted") break;
      const std::lock_guard<std::mutex> lock(mutex_);
      if (log_) log_->append(row);
      take(row);
    }
  } catch (...) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!error_) error_ = std::current_exception();
    stop_ = true;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  --working_;
  changed_.notify_all();
}

void SweepRun::show(const std::chrono::steady_clock::time_point& begin) {
  if (!options_.progress) return;
  const long now = finished_ - result_.resumed;
  const long left = static_cast<long>(open_.size()) - now;
  const double seconds = seconds_since(begin);
  options_.progress(
      {finished_, static_cast<long>(open_.size()) + result_.resumed, failed_,
       now > 0 ? seconds / static_cast<double>(now) * static_cast<double>(left) : 0.0});
}

void SweepRun::run_all() {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(result_.jobs));
  working_ = result_.jobs;
  for (int k = 0; k < result_.jobs; ++k) threads.emplace_back([this] { work(); });
  {
    std::unique_lock<std::mutex> lock(mutex_);
    while (working_ > 0) {
      changed_.wait_for(lock, std::chrono::milliseconds(200));
      show(begin);
    }
  }
  for (std::thread& thread : threads) thread.join();
  result_.wall_seconds = seconds_since(begin);
  if (error_) {
    if (log_) log_->flush();
    std::rethrow_exception(error_);
  }
}

void SweepRun::finish() {
  SweepTable& table = result_.table;
  std::vector<bool> there(static_cast<std::size_t>(cases_.size()), false);
  for (const SweepTable::Row& row : table.rows())
    there[static_cast<std::size_t>(row.number)] = true;
  bool open = false;
  for (const long index : open_) {
    if (there[static_cast<std::size_t>(index)]) continue;
    open = true;
    SweepRow row;
    row.number = index;
    row.status = "interrupted";
    take(row);
  }
  table.sort();
  result_.status = open ? "interrupted" : failed_ > 0 ? "failed" : "done";
  result_.free = evaluation_->free();
  result_.notes = evaluation_->notes();
  if (!files()) return;
  log_->flush();
  for (const char* ending : {".csv", ".h5"}) result_.files.push_back(path(stem_ + ending));
  write_sweep_csv(table, result_.files[0]);
  write_sweep_hdf5(table, result_.files[1]);
  if (!open) log_->remove();
}

SweepResult SweepRun::go() {
  prepare();
  const int jobs = options_.jobs > 0 ? options_.jobs : processors();
  result_.jobs = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(jobs),
                                                        std::max<std::size_t>(1, open_.size())));
  run_all();
  finish();
  return std::move(result_);
}

}  // namespace

std::string sweep_stem(const SweepShard& shard) {
  if (shard.whole()) return "sweep";
  return "sweep." + std::to_string(shard.part) + "-of-" + std::to_string(shard.of);
}

int processors() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

SweepResult sweep(const Scenario& scenario, const SweepOptions& options) {
  if (options.jobs < 0) throw InvalidArgument("a sweep needs at least one job");
  if (options.keep && options.directory.empty())
    throw InvalidArgument("the files of the runs are kept in the folder of the sweep: name one");
  return SweepRun(scenario, options).go();
}

}  // namespace varia::io
