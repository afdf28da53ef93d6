// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A run of a solid from start to end: updates, records, snapshots, checkpoints, files, summary.
//
// Records and snapshots are taken at fixed times t0 + i (until - t0)/n, of states synchronised
// without changing the motion: it is the same however often one looks, and after a restart.
#include <cstdint>
#include <functional>
#include <vector>

#include "varia/io/drawing.hpp"
#include "varia/io/frame_log.hpp"
#include "varia/io/runner.hpp"
#include "varia/io/solid_model.hpp"

namespace varia::io {

/// What a report shows of the motion.
struct SolidPicture {
  int dimension = 2;
  const Drawing& drawing;
  const FrameLog& frames;  ///< x (3 a node), von Mises stress (1 a triangle), speed (1 a node)
  std::vector<std::int64_t> updates;      ///< of the element of each triangle
  std::vector<std::int64_t> all_updates;  ///< of each element, those inside included
  std::vector<long> numbers;              ///< of it as the user counts
};

/// Makes further files from the records and frames, such as the report.
using SolidFinish = std::function<void(RecordReader&, const SolidPicture&, Summary&)>;

/// As run() for a model; options.finish is not used. When an element turns inside out or numbers
/// leave all bounds, the status is failed, the records end before, and the last checkpoint stays.
Summary run_solid(const SolidModel& model, const RunOptions& options,
                  const SolidFinish& finish = {});

}  // namespace varia::io
