// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Files that are either old or new, never half written: the content goes to a temporary beside the
// target, is forced to the disk, and takes the name of the target in one step.
//
// The temporary is TARGET.tmp. It is locked while it is written, so that two writers of the same
// target do not mix, and what a killed writer left behind is taken over by the next one.
#include <string>
#include <string_view>

#include "varia/core/file_descriptor.hpp"

namespace varia::io {

class AtomicPath {
 public:
  explicit AtomicPath(const std::string& target);
  ~AtomicPath();  ///< removes the temporary, unless it was committed
  AtomicPath(const AtomicPath&) = delete;
  AtomicPath& operator=(const AtomicPath&) = delete;

  const std::string& target() const { return target_; }
  const std::string& temporary() const { return temporary_; }

  /// Appends to the temporary (through a buffer). Whoever opens temporary() does not need it.
  void append(std::string_view bytes);

  /// The temporary becomes the target, and stays it through a power failure.
  void commit();

 private:
  void write_buffer();
  void write(std::string_view bytes);

  std::string target_;  ///< as the caller named it, for messages
  std::string place_;   ///< where it is, with symbolic links resolved
  std::string temporary_;
  std::string buffer_;
  FileDescriptor descriptor_;
};

void write_atomically(const std::string& path, std::string_view content);

/// The folder and those above it, as far as they do not exist; they must be writable.
void make_directories(const std::string& path);

}  // namespace varia::io
