// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the system calls of a file leave to their caller: interrupted and short reads and writes,
// locks that belong to a name and not only to an open file, and reasons in words.
#include <cstddef>
#include <cstdint>
#include <string>

#include "varia/core/file_descriptor.hpp"

namespace varia::io {

constexpr std::size_t buffer_bytes = 65536;

/// errno in words.
std::string reason(int error);

/// Writes all bytes at the offset; 0, or the errno of the failure. `done` counts what was written.
int write_all(int descriptor, const void* data, std::size_t size, std::uint64_t offset,
              std::size_t& done);

/// Reads at the offset until the end of the file; 0 or errno, and `done` bytes were read.
int read_all(int descriptor, void* data, std::size_t size, std::uint64_t offset, std::size_t& done);

/// Opens the file for reading and writing, made if it is missing, with a lock that lasts until it is
/// closed. Throws an IoError about `name`, which says so when another run holds the lock.
FileDescriptor open_locked(const std::string& path, const std::string& name, bool create);

}  // namespace varia::io
