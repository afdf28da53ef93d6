// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The loop of every run: go on, record, show progress, keep checkpoints, stop when asked, write the
// files. What differs between systems and solids is overridden in system_run.cpp and solid/run.cpp.
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "varia/io/checkpoint.hpp"
#include "varia/io/recorder.hpp"
#include "varia/io/runner.hpp"

namespace varia::io {

struct ControlInputs;

using RunClock = std::chrono::steady_clock;

inline double seconds_since(RunClock::time_point start) {
  return std::chrono::duration<double>(RunClock::now() - start).count();
}

class RunLoop {
 public:
  RunLoop(const RunLoop&) = delete;
  RunLoop& operator=(const RunLoop&) = delete;
  virtual ~RunLoop() = default;

  Summary run();

 protected:
  RunLoop(const Scenario& scenario, const RunOptions& options)
      : options_(options), scenario_(scenario) {}

  std::string path(const std::string& name) const { return options_.directory + "/" + name; }
  bool files() const { return !options_.directory.empty(); }
  /// Whether the scenario asks for the format.
  bool wanted(const std::string& format) const;
  /// Since the start or the restart.
  double elapsed() const { return seconds_since(begin_); }
  /// The columns, one a line.
  /// InvalidArgument that names what differs, if the checkpoint is of another scenario than the one
  /// with these settings.
  void check_settings(const Checkpoint& earlier, const Settings& here) const;

  /// Appends to the log; the figures are the caller's.
  void append(const std::vector<double>& record);
  /// What a checkpoint keeps of every kind of run.
  void resume(const Checkpoint& earlier, bool same_start);
  void fail(const Error& error);
  /// How often each part acted, and what one step for all would have taken or is predicted to.
  void fill_updates(const std::vector<long>& counts, long newmark_equivalent, double predicted);

  const RunOptions& options_;
  const Scenario& scenario_;
  Figures figures_{0};  ///< of the records kept so far; made by the derived class for its columns
  Summary summary_;

 private:
  virtual const ColumnList& columns() const = 0;
  /// What must be the same for a checkpoint to be continued.
  virtual Settings settings() const = 0;

  /// Makes the motion: at its start, or as the checkpoint has it.
  virtual void begin(const Checkpoint* earlier) = 0;
  virtual bool finished() const = 0;
  /// Goes on to the next record, or less far: for a moment. Returns whether it is time to look up:
  /// to show progress, to ask whether to stop, to think of a checkpoint.
  virtual bool advance() = 0;
  virtual void record_due() = 0;
  /// The last state, unless it is a record already.
  virtual void record_end() = 0;
  /// Does the work; a failure of the numerics becomes the status of the run.
  virtual void attempt(const std::function<void()>& work) = 0;
  /// Whether a failure leaves the last good state, which can be saved.
  virtual bool survives_failure() const = 0;

  /// The time as far as it is known without work.
  virtual double time() const = 0;
  virtual Progress progress() const = 0;
  /// "after 10 of 100 steps"
  virtual std::string so_far() const = 0;
  virtual void save(Checkpoint& checkpoint) const = 0;
  virtual void summarise() = 0;
  virtual std::vector<Verdict> judge() const = 0;

  /// A second table beside the trajectory, complete on the disk.
  virtual std::optional<RecordReader> event_table() { return std::nullopt; }

  /// The inputs of a motion, which are a table of its own.
  virtual const ControlInputs* inputs() const { return nullptr; }

  // Files beside the log.
  virtual void open_more_files(const Checkpoint* /*earlier*/) {}
  virtual void flush_more_files() {}
  virtual void list_more_files() {}
  virtual void remove_more_files() {}
  virtual void report(RecordReader& reader) = 0;

  void prepare();
  void open_log(const Checkpoint* earlier);
  void go();
  void show_progress();
  bool interrupted();
  bool checkpoint_due() const;
  void checkpoint();
  void flush();
  void fill_summary();
  void write_files();
  void write_trajectories(RecordReader& reader);

  std::optional<RecordLog> log_;
  double seconds_before_ = 0.0;   ///< the restart
  double checkpoint_cost_ = 0.0;  ///< seconds
  RunClock::time_point begin_ = RunClock::now(), last_checkpoint_ = begin_, last_progress_ = begin_;
};

}  // namespace varia::io
