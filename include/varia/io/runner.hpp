// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A run from start to end: steps, records, checkpoints, files, summary.
//
// While it goes there is one growing file, trajectory.partial. Every other file is made from it when
// the run is over, or interrupted, or has failed, and takes its name only when complete.
#include <functional>
#include <string>

#include "varia/io/model.hpp"
#include "varia/io/record_log.hpp"
#include "varia/io/summary.hpp"

namespace varia::io {

struct Progress {
  long done = 0, steps = 0;
  double t = 0.0, steps_per_second = 0.0, seconds_left = 0.0;
  const char* unit = "steps";  ///< what is counted
};

struct RunOptions {
  std::string directory;           ///< for the files; empty: no files
  std::string restart;             ///< a checkpoint to go on from
  double checkpoint_seconds = 10;  ///< between checkpoints
  std::function<void(const Progress&)> progress;
  std::function<bool()> interrupted;  ///< asked several times a second
  /// Called when all is set up, before the first file is made, with the choices and warnings so far.
  std::function<void(const Summary&)> prepared;
  /// Takes the table of events, if there is one; called before `finish`, whose end it outlives.
  std::function<void(RecordReader&)> events;
  /// Makes further files from the records, such as the report; called before they are given up.
  std::function<void(RecordReader&, Summary&)> finish;
};

/// The summary of the run. Its status says whether it is done, interrupted or failed; a failure of
/// the numerics is told there, wrong requests and files throw.
Summary run(Model& model, const RunOptions& options);

}  // namespace varia::io
