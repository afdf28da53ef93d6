// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The C interface of HDF5 with owners for its identifiers and exceptions for its failures.
#include <hdf5.h>

#include <string>
#include <utility>
#include <vector>

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

/// While it lives, HDF5 does not print its errors; afterwards it does as it did before.
class QuietHdf5 {
 public:
  QuietHdf5();
  ~QuietHdf5();
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

 private:
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

}  // namespace varia::io
