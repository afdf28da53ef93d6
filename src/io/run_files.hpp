// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What every kind of run does with its files: the log of an earlier run that is continued, and the
// trajectories made from the log at the end.
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "varia/io/hdf5_trajectory.hpp"
#include "varia/io/record_log.hpp"
#include "varia/io/recorder.hpp"
#include "varia/io/summary.hpp"

namespace varia::io {

using RunClock = std::chrono::steady_clock;

inline double seconds_since(RunClock::time_point start) {
  return std::chrono::duration<double>(RunClock::now() - start).count();
}

/// The names of the columns, one a line.
std::string column_names(const std::vector<Column>& columns);

/// Kinds, names and figures of a run that goes on from a checkpoint.
struct EarlierRun {
  std::string checkpoint;  ///< its path
  std::string directory;   ///< of the files of this run
  const std::vector<Column>& columns;
  const Figures& figures;  ///< of the records kept so far
  long records = 0;        ///< their number
};

/// The log with the records before a restart: from the log of the first run, or its trajectory.h5;
/// none if they are in neither. Throws InvalidArgument if a trajectory would be lost.
std::optional<RecordLog> continue_log(const EarlierRun& run);

/// trajectory.h5, .csv and .json, as far as they are wanted; they are listed in the summary.
void write_trajectories(RecordReader& reader, const std::string& directory,
                        const std::vector<std::string>& formats, const TrajectoryAttributes& about,
                        Summary& summary);

}  // namespace varia::io
