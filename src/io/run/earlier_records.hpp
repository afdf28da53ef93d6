// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The records before a checkpoint, found again by a run that goes on from it: in the log of a run that
// was killed, or in the trajectory.h5 of one that ended.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "varia/io/record_log.hpp"

namespace varia::io {

/// As the checkpoint knows them.
struct EarlierRecords {
  std::string checkpoint;  ///< its path
  std::string directory;   ///< of the files of this run
  std::string name;        ///< of the table: trajectory, events
  std::string group;       ///< of the table in trajectory.h5; empty: the file itself
  const ColumnList& columns;
  long count = 0;
  std::uint64_t checksum = 0;
};

/// The log with the records before a restart: from the log of the first run, or its trajectory.h5;
/// none if they are in neither, `why` then says what is wrong with them. Throws if a trajectory would
/// be lost.
std::optional<RecordLog> continue_log(const EarlierRecords& run, std::string& why);

}  // namespace varia::io
