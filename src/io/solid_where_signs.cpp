// SPDX-License-Identifier: BSD-3-Clause
#include "solid_where_signs.hpp"

#include <algorithm>

#include "varia/expr/parse.hpp"

namespace varia::io {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// One column per byte: what cannot be shown is a question mark.
std::string one_line(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (is_blank(c))
      c = ' ';
    else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F)
      c = '?';
  return result;
}

class Signs {
 public:
  explicit Signs(std::string_view text) : text_(text) {
    while (at_ < text_.size()) next();
    if (!open_.empty()) fail_at(text_, list_[open_.back()].at, "this bracket is not closed");
  }
  std::vector<Sign> take() { return std::move(list_); }

 private:
  using Kind = Sign::Kind;

  void next() {
    const char c = text_[at_];
    if (is_letter(c) || is_digit(c)) {
      word();
    } else if (c == '(' || c == '[') {
      if (open_.size() >= static_cast<std::size_t>(expr::max_nesting))
        fail_at(text_, at_,
                "brackets are nested more than " + std::to_string(expr::max_nesting) + " deep");
      add(Kind::open, 1);
      open_.push_back(list_.size() - 1);
    } else if (c == ')' || c == ']') {
      close(c);
    } else if (c == '<' || c == '>' || c == '=') {
      comparison();
    } else if (c == '&' || c == '|' || c == '!') {
      fail_at(text_, at_, std::string("'") + c + "' is not used here; the words are and, or, not");
    } else {
      ++at_;
    }
  }

  void word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view found = text_.substr(begin, at_ - begin);
    const std::size_t after = at_;
    at_ = begin;
    if (found == "or") add(Kind::either, 2);
    if (found == "and") add(Kind::both, 3);
    if (found == "not") add(Kind::negation, 3);
    at_ = after;
  }

  void close(char c) {
    if (open_.empty()) fail_at(text_, at_, "this bracket was not opened");
    Sign& open = list_[open_.back()];
    if ((text_[open.at] == '(') != (c == ')'))
      fail_at(text_, at_,
              std::string("a bracket '") + text_[open.at] + "' is closed by '" + c + "'");
    open.close = list_.size();
    open_.pop_back();
    add(Kind::close, 1);
  }

  void comparison() {
    const bool two = at_ + 1 < text_.size() && text_[at_ + 1] == '=';
    if (text_[at_] == '=' && !two) fail_at(text_, at_, "equality is written ==");
    add(Kind::comparison, two ? 2 : 1);
  }

  void add(Kind kind, std::size_t size) {
    list_.push_back({kind, at_, size, static_cast<int>(open_.size())});
    at_ += size;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Sign> list_;
  std::vector<std::size_t> open_;
};

}  // namespace

void fail_at(std::string_view text, std::size_t at, const std::string& message) {
  constexpr std::size_t around = 50;  // of a long line only the neighbourhood
  at = std::min(at, text.size());
  const auto before = text.substr(0, at);
  const auto newline = before.rfind('\n');
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  const std::size_t end = std::min(text.find('\n', at), text.size());
  const bool cut_left = at - begin > around + 3, cut_right = end - at > around + 3;
  const std::size_t first = cut_left ? at - around : begin, last = cut_right ? at + around : end;
  const std::string left = cut_left ? "..." : "";
  throw expr::ParseError(
      message, static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
      static_cast<int>(at - begin) + 1,
      "  " + left + one_line(text.substr(first, last - first)) + (cut_right ? "..." : "") + "\n  " +
          std::string(left.size() + at - first, ' ') + "^");
}

std::vector<Sign> condition_signs(std::string_view text) { return Signs(text).take(); }

}  // namespace varia::io
