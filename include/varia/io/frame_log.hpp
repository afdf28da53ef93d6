// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Frames of a moving picture while a run goes: a file that only grows, with a time (double) and the
// same number of floats for each frame. An incomplete last frame does not count.
//
//   magic, floats in a frame (UInt64) | t, floats | t, floats | ...
#include <cstdint>
#include <string>
#include <vector>

#include "varia/core/file_descriptor.hpp"

namespace varia::io {

class FrameLog {
 public:
  /// A new file; an old one of that name is lost.
  static FrameLog create(const std::string& path, std::size_t floats);
  /// Goes on after the first frames of a file; IoError if it holds fewer or others.
  static FrameLog open_and_truncate(const std::string& path, std::size_t floats, long frames);

  /// The frame is in the file when it returns.
  void append(double t, const std::vector<float>& frame);
  /// All frames so far are on the disk when it returns.
  void flush();
  /// Frame i; returns its time.
  double read(long i, std::vector<float>& frame) const;
  void remove();

  long frames() const { return frames_; }
  const std::string& path() const { return path_; }

 private:
  FrameLog(std::string path, std::size_t floats, FileDescriptor descriptor)
      : path_(std::move(path)), floats_(floats), descriptor_(std::move(descriptor)) {}
  std::uint64_t offset(long frame) const;

  std::string path_;
  std::size_t floats_ = 0;
  long frames_ = 0;
  FileDescriptor descriptor_;
};

}  // namespace varia::io
