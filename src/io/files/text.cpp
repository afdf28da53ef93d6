// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "varia/io/atomic_file.hpp"
#include "varia/io/base64.hpp"
#include "varia/io/number_text.hpp"
#include "varia/io/text_trajectory.hpp"

namespace varia::io {

namespace {

/// The names of the first line, each of them once.
std::vector<std::string> unique_names(const ColumnList& columns) {
  std::unordered_map<std::string, int> uses;
  for (const Column& column : columns) ++uses[column.name];
  std::vector<std::string> names;
  for (const Column& column : columns) {
    const bool chosen_by_the_user = column.kind == "observe" || column.kind == "momentum";
    const bool shared = uses[column.name] > 1;
    names.push_back(shared && chosen_by_the_user ? column.kind + "." + column.name : column.name);
  }
  return names;
}

std::string field(const std::string& name) {
  if (name.find_first_of(",\"\n\r") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

void write_csv(RecordSource source, const std::string& path) {
  const ColumnList& columns = source.columns();
  AtomicPath file(path);
  std::string line;
  for (const std::string& name : unique_names(columns))
    line += (line.empty() ? "" : ",") + field(name);
  file.append(line + '\n');

  std::vector<double> record(columns.size());
  for (long index = 0; source.next(record.data()); ++index) {
    check_finite(columns, record.data(), index);
    line.clear();
    for (const double x : record) {
      if (!std::isnan(x)) append_number(line, x);  // a missing value is an empty field
      line += ',';
    }
    line.back() = '\n';
    file.append(line);
  }
  file.commit();
}

namespace {

template <class Part> std::string list(const ColumnList& columns, Part Column::*part) {
  std::string text = "[";
  for (const Column& column : columns) {
    if (text.size() > 1) text += ", ";
    append_json_string(text, std::string_view(static_cast<const std::string&>(column.*part)));
  }
  return text + "]";
}

}  // namespace

void write_json(RecordSource source, const std::string& path) {
  const ColumnList& columns = source.columns();
  AtomicPath file(path);
  file.append("{\"columns\": " + list(columns, &Column::name) +
              ",\n\"kinds\": " + list(columns, &Column::kind) +
              ",\n\"units\": " + list(columns, &Column::unit) + ",\n\"records\": [");
  std::vector<double> record(columns.size());
  std::string line;
  for (long index = 0; source.next(record.data()); ++index) {
    check_finite(columns, record.data(), index);
    line = index == 0 ? "\n[" : ",\n[";
    for (const double x : record) {
      append_json_number(line, x);
      line += ',';
    }
    line.back() = ']';
    file.append(line);
  }
  file.append("\n]}\n");
  file.commit();
}

void append_number(std::string& text, double x) {
  std::array<char, 32> digits;  // the longest double, -1.2345678901234567e-308, has 24 characters
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr;
  text.append(digits.data(), end);
}

void append_json_number(std::string& text, double x) {
  if (std::isfinite(x))
    append_number(text, x);
  else
    text += "null";
}

void append_json_string(std::string& text, std::string_view content) {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  text += '"';
  for (const char c : content) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (c == '\n') {
      text += "\\n";
    } else if (code < 0x20) {
      text += "\\u00";
      text += hexadecimal[code / 16U];
      text += hexadecimal[code % 16U];
    } else {
      text += c;
    }
  }
  text += '"';
}

namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The four letters of three bytes.
void put(const unsigned char* b, std::string& text) {
  const unsigned bits = static_cast<unsigned>(b[0]) << 16U | static_cast<unsigned>(b[1]) << 8U |
                        static_cast<unsigned>(b[2]);
  for (const unsigned shift : {18U, 12U, 6U, 0U}) text += alphabet[bits >> shift & 63U];
}

}  // namespace

void Base64::add(const void* data, std::size_t size, std::string& text) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::size_t i = 0;
  while (count_ != 0 && i < size) {
    pending_[count_++] = bytes[i++];
    if (count_ < 3) continue;
    put(pending_.data(), text);
    count_ = 0;
  }
  for (; i + 3 <= size; i += 3) put(bytes + i, text);
  while (i < size) pending_[count_++] = bytes[i++];
}

void Base64::finish(std::string& text) {
  if (count_ == 0) return;
  for (std::size_t i = count_; i < 3; ++i) pending_[i] = 0;
  put(pending_.data(), text);
  text.replace(text.size() - (3 - count_), 3 - count_, 3 - count_, '=');
  count_ = 0;
}

}  // namespace varia::io
