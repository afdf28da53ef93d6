// SPDX-License-Identifier: BSD-3-Clause
#include "gmsh_cursor.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace varia::solids {
namespace {

bool blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// Words of a damaged file may be long.
std::string shown(std::string_view word) {
  constexpr std::size_t longest = 30;
  const std::string text(word.substr(0, longest));
  return "'" + text + (word.size() > longest ? "..." : "") + "'";
}

// Length of the UTF-8 character that begins here; 0 if there is none or it is a control character.
std::size_t character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  const bool wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                     (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
  return wrong ? 0 : length;
}

bool printable(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace

void GmshCursor::fail_at(std::size_t place, std::string message) const {
  for (char& c : message)  // it may quote a damaged file
    if (c < ' ' || c > '~') c = '?';
  if (binary) throw MeshError(name_ + ": byte " + std::to_string(place) + ": " + message);
  const auto line = std::count(bytes_.begin(), bytes_.begin() + static_cast<long>(place), '\n') + 1;
  throw MeshError(name_ + ":" + std::to_string(line) + ": " + message);
}

void GmshCursor::skip_blanks() {
  while (at_ < bytes_.size() && blank(bytes_[at_])) ++at_;
  start_ = at_;
}

bool GmshCursor::at_end() {
  skip_blanks();
  return at_ == bytes_.size();
}

std::string_view GmshCursor::word() {
  skip_blanks();
  while (at_ < bytes_.size() && !blank(bytes_[at_])) ++at_;
  if (at_ == start_) fail("the file ends too early");
  return bytes_.substr(start_, at_ - start_);
}

long GmshCursor::integer() {
  const std::string_view text = word();
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    fail("expected a whole number, found " + shown(text));
  return value;
}

double GmshCursor::text_double() {
  std::string_view text = word();
  const std::string_view digits = text.substr(text[0] == '+' ? 1 : 0);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size())
    fail("expected a number, found " + shown(text));
  if (!std::isfinite(value)) fail("expected a finite number, found " + shown(text));
  return value;
}

std::string GmshCursor::quoted() {
  skip_blanks();
  if (at_ == bytes_.size() || bytes_[at_] != '"') fail("expected a name in quotes");
  const std::size_t end = bytes_.find_first_of("\"\n", at_ + 1);
  if (end == std::string_view::npos || bytes_[end] == '\n') fail("a name has no closing quote");
  std::string name(bytes_.substr(at_ + 1, end - at_ - 1));
  at_ = end + 1;
  if (name.empty()) fail("the name of a physical group is empty");
  constexpr std::size_t longest = 127;  // as in Gmsh
  if (name.size() > longest || !printable(name))
    fail("the name of a physical group is longer than 127 bytes or not printable UTF-8");
  return name;
}

void GmshCursor::end_of_line() {
  start_ = at_;
  while (at_ < bytes_.size() && bytes_[at_] != '\n') {
    if (!blank(bytes_[at_])) fail("expected the end of the line, found " + shown(word()));
    ++at_;
  }
  if (at_ == bytes_.size()) fail("the file ends too early");
  ++at_;
}

void GmshCursor::skip_past(const std::string& mark) {
  const std::size_t found = bytes_.find(mark, at_);
  if (found == std::string_view::npos) fail("the section has no " + mark);
  at_ = found + mark.size();
}

void GmshCursor::expect(const std::string& wanted) {
  const std::string_view found = word();
  if (found != wanted) fail("expected " + wanted + ", found " + shown(found));
}

long GmshCursor::count(long value, std::size_t text_bytes, std::size_t binary_bytes,
                       const char* what) const {
  const std::size_t each = binary ? binary_bytes : text_bytes;
  if (value < 0 || static_cast<std::size_t>(value) > left() / each)
    fail("the file says that " + std::to_string(value) + " " + what + " follow, but only " +
         std::to_string(left()) + " bytes are left");
  return value;
}

template <class T> T GmshCursor::raw() {
  start_ = at_;
  if (left() < sizeof(T)) fail("the file ends too early");
  char buffer[sizeof(T)];
  std::memcpy(buffer, bytes_.data() + at_, sizeof(T));
  if (swapped) std::reverse(buffer, buffer + sizeof(T));
  at_ += sizeof(T);
  T value;
  std::memcpy(&value, buffer, sizeof(T));
  return value;
}

long GmshCursor::raw_int32() { return raw<std::int32_t>(); }

long GmshCursor::raw_int64() { return raw<std::int64_t>(); }

double GmshCursor::raw_double() {
  const double value = raw<double>();
  if (!std::isfinite(value)) fail("expected a finite number, found " + to_text(value));
  return value;
}

}  // namespace varia::solids
