// SPDX-License-Identifier: BSD-3-Clause
// The text of a summary, written in pieces: the final state may have millions of numbers.
#include <cmath>
#include <nlohmann/json.hpp>

#include "summary_json.hpp"
#include "varia/io/summary.hpp"

namespace varia::io {

namespace {

using Json = nlohmann::ordered_json;

/// Writes the members of nested objects as nlohmann::json does.
class JsonText {
 public:
  JsonText(int indent, const std::function<void(std::string_view)>& write)
      : indent_(indent), write_(write) {}

  void open() {
    write_("{");
    ++depth_;
    empty_ = true;
  }
  void close() {
    --depth_;
    if (!empty_) new_line();
    empty_ = false;
    write_("}");
  }
  void key(const std::string& name) {
    if (!empty_) write_(",");
    empty_ = false;
    new_line();
    write_(dumped(name) + (indent_ < 0 ? ":" : ": "));
  }
  void member(const std::string& name, const Json& value) {
    key(name);
    std::string text = dumped(value);
    if (depth_ > 0 && indent_ >= 0) {
      const std::string blanks(static_cast<std::size_t>(depth_ * indent_), ' ');
      for (auto at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
        text.insert(at + 1, blanks);
    }
    write_(text);
  }

 private:
  /// A path or title that is not UTF-8 must not cost the user the summary.
  std::string dumped(const Json& value) const {
    return value.dump(indent_, ' ', false, Json::error_handler_t::replace);
  }
  void new_line() {
    if (indent_ >= 0) write_("\n" + std::string(static_cast<std::size_t>(depth_ * indent_), ' '));
  }

  int indent_;
  const std::function<void(std::string_view)>& write_;
  int depth_ = 0;
  bool empty_ = true;  ///< the object that is open
};

void write_numbers(JsonText& text, const char* key, const NamedNumbers& numbers) {
  text.key(key);
  text.open();
  for (const auto& [name, x] : numbers)
    text.member(name, std::isfinite(x) ? Json(x) : Json(nullptr));
  text.close();
}

void write_final(JsonText& text, const Summary::Final& f, const Json& rest) {
  text.key("final");
  text.open();
  text.member("t", rest["t"]);
  write_numbers(text, "q", f.q);
  write_numbers(text, "v", f.v);
  write_numbers(text, "p", f.p);
  text.member("lambda", rest["lambda"]);
  text.close();
}

}  // namespace

void write_json(const Summary& s, int indent, const std::function<void(std::string_view)>& write) {
  JsonText text(indent, write);
  const Json json = json_without_final_state(s);
  text.open();
  for (const auto& item : json.items()) {
    if (item.key() == "final")
      write_final(text, s.final, item.value());
    else
      text.member(item.key(), item.value());
  }
  text.close();
  write("\n");
}

std::string to_json(const Summary& s, int indent) {
  std::string all;
  write_json(s, indent, [&](std::string_view piece) { all += piece; });
  return all;
}

}  // namespace varia::io
