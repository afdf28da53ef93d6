// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A sweep: the runs of its cases on several threads, and one table of their numbers.
//
// A row has the bits of the single run of its case, whatever the number of threads: the run is made
// from the scenario and the overrides of the case. Where native code pays for all cases together,
// varied parameters stay inputs of the formulas (system.free), and the code is compiled once; this is
// decided from the whole request, so that parts and continued sweeps decide alike.
//
// A run that fails is a row. While the sweep goes, rows are in DIR/sweep.partial; the same request
// goes on from there.
#include <functional>
#include <string>
#include <vector>

#include "varia/io/runner.hpp"
#include "varia/io/sweep_cases.hpp"
#include "varia/io/sweep_table.hpp"

namespace varia::io {

struct SweepProgress {
  long done = 0, cases = 0, failed = 0;
  double seconds_left = 0.0;
};

struct SweepOptions {
  std::string directory;  ///< of the table; empty: no files, no log
  int jobs = 0;           ///< threads; 0: as many as there are processors
  SweepShard shard;
  bool keep = false;  ///< the files of each run, in DIR/case-1, ...
  /// Runs a case; run() or run_solid() unless given.
  std::function<Summary(const Scenario&, const RunOptions&)> run;
  std::function<void(const SweepProgress&)> progress;
  std::function<bool()> interrupted;
  std::function<void()> prepared;  ///< called when all is set up, before the first run
};

struct SweepResult {
  SweepTable table;    ///< cases that were not done have the status interrupted
  std::string status;  ///< done, failed (some case has), interrupted
  long resumed = 0;    ///< rows that an earlier, unfinished sweep had done
  int jobs = 0;
  double wall_seconds = 0;        ///< of this sweep
  double run_seconds = 0;         ///< the sum over its runs
  std::vector<std::string> free;  ///< parameters that stayed inputs of compiled code
  std::vector<std::string> notes;
  std::vector<std::string> files;
};

/// Throws ScenarioError and InvalidArgument for wrong requests, IoError for files of the sweep.
SweepResult sweep(const Scenario& scenario, const SweepOptions& options);

/// "sweep" or, of a part, "sweep.2-of-5": what the names of its files begin with.
std::string sweep_stem(const SweepShard& shard);

/// Processors that this process may use.
int processors();

}  // namespace varia::io
