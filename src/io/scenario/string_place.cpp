// SPDX-License-Identifier: BSD-3-Clause
#include "string_place.hpp"

#include <algorithm>
#include <string_view>

#include "../../expr/characters.hpp"

namespace varia::io {

namespace {

constexpr std::string_view toml_blanks = " \t\r\n";

/// Goes through a TOML string and counts two places: in the file, and in the text it stands for.
class StringWalk {
 public:
  StringWalk(const std::string& file, const Place& start) : file_(file) {
    if (file_.starts_with("\xEF\xBB\xBF"))
      at_ = 3;  // a byte order mark is no character of the line
    while (line_ < start.line && at_ < file_.size()) step();
    while (column_ < start.column && at_ < file_.size()) step();
    const std::string_view rest = std::string_view(file_).substr(at_);
    if (rest.empty() || (rest[0] != '"' && rest[0] != '\'')) return;
    quote_ = rest[0];
    many_ = rest.starts_with(std::string(3, quote_));
    step(many_ ? 3 : 1);
    if (!many_) return;
    if (rest.substr(3).starts_with("\r\n")) step();
    if (file_[at_] == '\n') step();
  }

  bool in_string() const { return quote_ != '\0'; }

  /// Goes to that place of the text, or to the end of the file.
  void go(int line, int column) {
    skip_continuations();
    while (at_ < file_.size() && (text_line_ < line || text_column_ < column)) {
      const bool ends_line = newline();
      step(escape_length());
      text_line_ += ends_line ? 1 : 0;
      text_column_ = ends_line ? 1 : text_column_ + 1;
      skip_continuations();
    }
  }

  Place place(const std::string& name) const { return {name, line_, column_}; }

 private:
  /// The characters of the file that are the next one of the text.
  int escape_length() const {
    if (!escaping()) return 1;
    const char kind = at_ + 1 < file_.size() ? file_[at_ + 1] : '\0';
    return kind == 'u' ? 6 : kind == 'U' ? 10 : 2;
  }
  bool escaping() const { return quote_ == '"' && at_ < file_.size() && file_[at_] == '\\'; }
  bool newline() const {
    return file_[at_] == '\n' || (escaping() && file_.compare(at_, 2, "\\n") == 0);
  }

  /// A backslash at the end of a line: the text goes on behind the blanks that follow.
  void skip_continuations() {
    while (many_ && escaping()) {
      const std::size_t next = file_.find_first_not_of(" \t\r", at_ + 1);
      if (next == std::string::npos || file_[next] != '\n') return;
      step();
      while (at_ < file_.size() && toml_blanks.find(file_[at_]) != std::string_view::npos) step();
    }
  }

  /// So many characters of the file.
  void step(int count = 1) {
    for (; count > 0 && at_ < file_.size(); --count) {
      const bool ends_line = file_[at_] == '\n';
      at_ += std::max<std::size_t>(1, expr::character(file_, at_).bytes);
      line_ += ends_line ? 1 : 0;
      column_ = ends_line ? 1 : column_ + 1;
    }
  }

  const std::string& file_;
  std::size_t at_ = 0;
  int line_ = 1, column_ = 1;
  int text_line_ = 1, text_column_ = 1;
  char quote_ = '\0';
  bool many_ = false;
};

}  // namespace

Place place_inside(const std::string& file, const Place& start, int line, int column) {
  if (start.line == 0) return start;
  StringWalk walk(file, start);
  if (!walk.in_string()) return start;
  walk.go(line, column);
  return walk.place(start.file);
}

}  // namespace varia::io
