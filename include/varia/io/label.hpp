// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A text of which there are few, such as the kind of a column: a reference to the one copy of it.
#include <compare>
#include <string>
#include <string_view>

namespace varia::io {

class Label {
 public:
  Label() : Label(std::string_view()) {}
  Label(std::string_view text);  // NOLINT(google-explicit-constructor): it is a text
  Label(const char* text) : Label(std::string_view(text)) {}  // NOLINT(google-explicit-constructor)
  Label(const std::string& text)
      : Label(std::string_view(text)) {}  // NOLINT(google-explicit-constructor)

  const std::string& text() const { return *text_; }
  operator const std::string&() const { return *text_; }  // NOLINT(google-explicit-constructor)
  bool empty() const { return text_->empty(); }

  friend bool operator==(const Label& a, const Label& b) { return a.text_ == b.text_; }
  friend bool operator==(const Label& a, const char* b) { return *a.text_ == b; }
  friend bool operator==(const Label& a, const std::string& b) { return *a.text_ == b; }
  friend auto operator<=>(const Label& a, const Label& b) { return *a.text_ <=> *b.text_; }
  friend std::string operator+(const std::string& a, const Label& b) { return a + *b.text_; }
  friend std::string operator+(const char* a, const Label& b) { return a + *b.text_; }
  friend std::string operator+(const Label& a, const char* b) { return *a.text_ + b; }
  friend std::string operator+(const Label& a, const std::string& b) { return *a.text_ + b; }

 private:
  const std::string* text_;
};

}  // namespace varia::io
