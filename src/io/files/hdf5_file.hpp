// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The C interface of HDF5 with owners for its identifiers and exceptions for its failures, and a
// file whose bytes pass through our own hands.
#include <hdf5.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "varia/core/file_descriptor.hpp"

namespace varia::io {

/// Owns an HDF5 identifier.
template <herr_t (*Close)(hid_t)> class Handle {
 public:
  Handle() = default;
  explicit Handle(hid_t id) : id_(id) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) Close(id_);
  }
  hid_t id() const { return id_; }
  hid_t release() { return std::exchange(id_, -1); }

 private:
  hid_t id_ = -1;
};

using Hdf5Attribute = Handle<H5Aclose>;
using Hdf5Dataset = Handle<H5Dclose>;
using Hdf5Group = Handle<H5Gclose>;
using Hdf5Properties = Handle<H5Pclose>;
using Hdf5Space = Handle<H5Sclose>;
using Hdf5Type = Handle<H5Tclose>;

/// While it lives, HDF5 does not print its errors; afterwards it does as it did before. And other
/// threads wait: the library is not made for several.
class QuietHdf5 {
 public:
  QuietHdf5();
  ~QuietHdf5();
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// The last failure in the words of HDF5.
std::string hdf5_message();

/// An IoError about the file, with those words.
[[noreturn]] void throw_hdf5(const std::string& path, const std::string& what);

/// Passes on an identifier or a result that is not negative.
template <class Result> Result checked(Result result, const std::string& path, const char* what) {
  if (result < 0) throw_hdf5(path, what);
  return result;
}

/// Attributes and types that the files of Varia use.
Hdf5Type utf8_strings();  ///< of variable length
void write_texts(hid_t object, const char* name, const std::vector<std::string>& texts,
                 const std::string& path);  ///< a list
void write_text(hid_t object, const char* name, const std::string& text,
                const std::string& path);  ///< one
std::vector<std::string> read_texts(hid_t object, const char* name, const std::string& path);
void write_integers(hid_t object, const char* name, const std::vector<long>& values,
                    const std::string& path);
std::vector<long> read_integers(hid_t object, const char* name, const std::string& path);
void write_real(hid_t object, const char* name, double value, const std::string& path);

/// The names in a group, sorted by name or in the order in which they were made.
std::vector<std::string> names_in(hid_t group, H5_index_t order, const std::string& path);

// An HDF5 file whose bytes pass through our own hands.
//
// HDF5 does not recover from a failed write: what it could not write stays dirty in its caches,
// closing fails, and the identifiers that stay open are closed again, or crash, at exit. So HDF5
// never sees a failure here: after the first one, this driver keeps all that is written in memory
// (a file that is written no further needs little), remembers the reason, and check() or close()
// throws it. The file itself is thrown away by then.

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
  FileDescriptor descriptor_;
  Hdf5Storage storage_;
  hid_t file_ = -1;
};

}  // namespace varia::io
