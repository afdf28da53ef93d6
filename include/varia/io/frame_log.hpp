// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Frames of a moving picture while a run goes: a file that only grows, with a time (double) and the
// same number of floats for each frame. An incomplete last frame does not count. A checksum runs
// through the frames; a checkpoint keeps it, and a file with others is not continued.
//
//   magic, floats in a frame (UInt64) | t, floats | t, floats | ...
#include <cstdint>
#include <string>
#include <vector>

#include "varia/core/file_descriptor.hpp"

namespace varia::io {

/// The frames before some moment.
struct EarlierFrames {
  long count = 0;
  std::uint64_t checksum = 0;  ///< CRC-64 of their times and floats
};

class FrameLog {
 public:
  /// A new file, empty until the first frame; an old one of that name is lost.
  static FrameLog create(const std::string& path, std::size_t floats);
  /// Goes on after the first frames of a file. IoError, and the file is as it was, unless it holds them.
  static FrameLog open_and_truncate(const std::string& path, std::size_t floats,
                                    const EarlierFrames& frames);
  /// IoError that says what is wrong, unless the file begins with these frames.
  static void check(const std::string& path, std::size_t floats, const EarlierFrames& frames);

  /// The frame is in the file when it returns.
  void append(double t, const std::vector<float>& frame);
  /// All frames so far are on the disk when it returns.
  void flush();
  /// Frame i; returns its time.
  double read(long i, std::vector<float>& frame) const;
  void remove();

  long frames() const { return frames_.count; }
  /// All of them.
  const EarlierFrames& written() const { return frames_; }
  const std::string& path() const { return path_; }

 private:
  FrameLog(std::string path, std::size_t floats, FileDescriptor descriptor)
      : path_(std::move(path)), floats_(floats), descriptor_(std::move(descriptor)) {}
  std::uint64_t offset(long frame) const;
  void write_head() const;
  void check_head() const;
  void check(const EarlierFrames& frames) const;

  std::string path_;
  std::size_t floats_ = 0;
  EarlierFrames frames_;
  FileDescriptor descriptor_;
};

}  // namespace varia::io
