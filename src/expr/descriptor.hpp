// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Whole reads and writes of an open file.
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>

#include "varia/core/file_descriptor.hpp"

namespace varia::expr {

using Descriptor = FileDescriptor;

/// What errno says, in words.
inline std::string system_reason() { return std::strerror(errno); }

/// False with errno set if not all bytes could be written.
inline bool write_all(int descriptor, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

/// Reads `size` bytes; false if there are fewer, or more.
inline bool read_all(int descriptor, std::size_t size, std::string& bytes) {
  bytes.resize(size + 1);
  std::size_t done = 0;
  while (done <= size) {
    const ssize_t n = ::read(descriptor, bytes.data() + done, size + 1 - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  bytes.resize(size);
  return done == size;
}

}  // namespace varia::expr
