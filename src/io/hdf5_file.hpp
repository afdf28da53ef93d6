// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An HDF5 file whose bytes pass through our own hands.
//
// HDF5 does not recover from a failed write: what it could not write stays dirty in its caches,
// closing fails, and the identifiers that stay open are closed again, or crash, at exit. So HDF5
// never sees a failure here: after the first one, this driver keeps all that is written in memory
// (a file that is written no further needs little), remembers the reason, and check() or close()
// throws it. The file itself is thrown away by then.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hdf5_raii.hpp"

namespace varia::io {

/// The bytes of a file: on the disk, and after a failure changed pages in memory.
class Hdf5Storage {
 public:
  Hdf5Storage(int descriptor, bool writable) : descriptor_(descriptor), writable_(writable) {}

  int error() const { return error_; }
  std::uint64_t size() const { return size_; }
  void measure(std::uint64_t size) { size_ = size; }
  bool read(std::uint64_t at, std::size_t size, void* data);
  void write(std::uint64_t at, std::size_t size, const void* data);
  void resize(std::uint64_t size);

 private:
  using Page = std::vector<unsigned char>;
  Page& page(std::uint64_t index);

  int descriptor_;
  bool writable_;
  int error_ = 0;
  std::uint64_t size_ = 0;
  std::map<std::uint64_t, Page> pages_;
};

class Hdf5File {
 public:
  enum class Mode { create, read };

  /// `name` stands in messages for the path (of a temporary).
  Hdf5File(const std::string& path, std::string name, Mode mode);
  ~Hdf5File();
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  hid_t id() const { return file_; }
  const std::string& name() const { return name_; }
  /// Throws if a write has failed since the file was opened.
  void check() const;
  /// All that was written is in the file, or it throws. Other identifiers of the file are invalid.
  void close();

 private:
  void open(const std::string& path, Mode mode);

  std::string name_;
  int descriptor_ = -1;
  Hdf5Storage storage_;
  hid_t file_ = -1;
};

}  // namespace varia::io
