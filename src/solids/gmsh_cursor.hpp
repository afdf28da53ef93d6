// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A place in the bytes of a mesh file. Every read checks that the bytes are there.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "varia/solids/mesh.hpp"

namespace varia::solids {

class GmshCursor {
 public:
  GmshCursor(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  // What the header of the file says.
  bool binary = false;
  bool swapped = false;  ///< byte order of the file is not that of this machine

  /// Throws a MeshError at the last thing read.
  [[noreturn]] void fail(const std::string& message) const { fail_at(start_, message); }
  [[noreturn]] void fail_at(std::size_t place, std::string message) const;

  std::size_t place() const { return start_; }
  std::size_t left() const { return bytes_.size() - at_; }

  // Text, in both kinds of files: blanks and line ends are skipped first.
  bool at_end();
  std::string_view word();
  long integer();
  std::string quoted();
  void end_of_line();  ///< the rest of a line, which must be blank
  void skip_past(const std::string& mark);
  void expect(const std::string& word);

  // Numbers of the data: text or binary.
  long int32() { return binary ? raw_int32() : integer(); }
  long int64() { return binary ? raw_int64() : integer(); }
  double real() { return binary ? raw_double() : text_double(); }
  long raw_int32();

  /// A number of things that must still follow, each of at least so many bytes in text and binary.
  long count(long value, std::size_t text_bytes, std::size_t binary_bytes, const char* what) const;

 private:
  void skip_blanks();
  template <class T> T raw();
  long raw_int64();
  double raw_double();
  double text_double();

  std::string_view bytes_;
  std::string name_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;  // of the last thing read
};

}  // namespace varia::solids
