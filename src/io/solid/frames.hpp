// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Snapshots of a run: .vtu files in the order of the user's mesh, and frames for the report.
//
// A frame has x (3 numbers a drawn node), von Mises stress (one a triangle), speed (one a node).
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "motion.hpp"
#include "varia/io/drawing.hpp"
#include "varia/io/frame_log.hpp"

namespace varia::io {

struct FrameOptions {
  std::string directory;
  bool vtu = false;
  bool report = false;
};

template <int D> class SolidFrames {
 public:
  SolidFrames(const SolidModel& model, const solids::Solid<D>& solid, FrameOptions options);

  bool wanted() const { return options_.vtu || options_.report; }
  /// Begins anew; snapshots of an earlier run in this folder are removed.
  void begin();
  /// Whether the frames before a checkpoint, in the folder they were written in, are there. IoError
  /// if they are there and damaged.
  bool find(const EarlierFrames& frames, const std::string& from) const;
  /// Goes on after the snapshots at these times; `from` is the folder they were written in. Returns
  /// what is not there any more, in words.
  std::string resume(const std::vector<double>& times, const EarlierFrames& frames,
                     const std::string& from);
  /// One more snapshot. Throws DomainError where an element has no stress.
  void write(const SolidMotion<D>& motion, const terms::Synchronised<D>& at);
  /// solid.pvd lists what was written so far.
  void list();

  const std::vector<double>& times() const { return times_; }
  const Drawing& drawing() const { return drawing_; }
  FrameLog* log() { return log_ ? &*log_ : nullptr; }
  /// The frames so far.
  EarlierFrames written() const { return log_ ? log_->written() : EarlierFrames{}; }
  std::string pvd() const { return options_.directory + "/solid.pvd"; }

 private:
  std::string path(const std::string& name) const { return options_.directory + "/" + name; }
  std::size_t floats() const { return 4 * drawing_.nodes.size() + drawing_.triangle_count(); }
  std::string resume_snapshots(const std::string& from);
  void resume_frames(const EarlierFrames& frames, const std::string& from);
  void find_stress(const std::vector<double>& x);
  void write_snapshot(const SolidMotion<D>& motion, const terms::Synchronised<D>& at);
  void write_frame(const terms::Synchronised<D>& at);

  const SolidModel& model_;
  const solids::Solid<D>& solid_;
  FrameOptions options_;
  Drawing drawing_;
  std::optional<FrameLog> log_;
  std::vector<double> times_;
  std::vector<std::pair<double, std::string>> snapshots_;
  std::vector<int> region_;       ///< of the elements of the problem
  std::vector<float> stress_;     ///< of the elements of the solid, six each
  std::vector<float> von_mises_;  ///< of the elements of the solid
};

}  // namespace varia::io
