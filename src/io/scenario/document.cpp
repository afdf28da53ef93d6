// SPDX-License-Identifier: BSD-3-Clause
#include "document.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "../../expr/characters.hpp"

namespace varia::io {

namespace {

using File = std::shared_ptr<const std::string>;

/// Finds keys of very many parts (a.a.a.a...), which the TOML library would nest without limit.
class KeyDepth {
 public:
  explicit KeyDepth(std::string_view text) : text_(text) {}

  /// The position of the first key of more than `most` parts, or npos.
  std::size_t exceeds(int most) {
    int dots = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      }
      if (c == '"' || c == '\'') {
        skip_string(c);
        continue;
      }
      if (c == '.' && ++dots >= most) return at_;
      if (c == '=' || c == ',' || c == '\n' || c == '[' || c == ']' || c == '{' || c == '}')
        dots = 0;
      ++at_;
    }
    return std::string_view::npos;
  }

 private:
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool multiline = text_.substr(at_, 3) == three;
    at_ += multiline ? 3 : 1;
    while (at_ < text_.size()) {
      if (quote == '"' && text_[at_] == '\\') {
        at_ += 2;
      } else if (multiline && text_.substr(at_, 3) == three) {
        at_ += 3;  // up to two more quotes belong to the text, before the closing three
        for (int extra = 0; extra < 2 && at_ < text_.size() && text_[at_] == quote; ++extra) ++at_;
        return;
      } else if (!multiline && (text_[at_] == quote || text_[at_] == '\n')) {
        ++at_;
        return;
      } else {
        ++at_;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Mark mark_of(const toml::source_region& source, const File& file) {
  return {file, static_cast<int>(source.begin.line), static_cast<int>(source.begin.column)};
}

Value convert(const toml::node& node, const File& file);

std::vector<Member> convert_members(const toml::table& table, const File& file) {
  std::vector<Member> members;
  members.reserve(table.size());
  for (const auto& [key, node] : table)
    members.push_back({std::string(key.str()), convert(node, file), mark_of(key.source(), file)});
  std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
    return std::tie(a.mark.line, a.mark.column) < std::tie(b.mark.line, b.mark.column);
  });
  return members;
}

Value convert(const toml::node& node, const File& file) {
  Value value;
  value.mark = mark_of(node.source(), file);
  if (const auto* table = node.as_table()) {
    value.members = convert_members(*table, file);
  } else if (const auto* list = node.as_array()) {
    value.kind = Kind::list;
    value.items.reserve(list->size());
    for (const toml::node& item : *list) value.items.push_back(convert(item, file));
  } else if (const auto* text = node.as_string()) {
    value.kind = Kind::text;
    value.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.kind = Kind::integer;
    value.integer = integer->get();
    value.real = static_cast<double>(integer->get());
  } else if (const auto* real = node.as_floating_point()) {
    value.kind = Kind::real;
    value.real = real->get();
  } else if (const auto* truth = node.as_boolean()) {
    value.kind = Kind::truth;
    value.truth = truth->get();
  } else {
    value.kind = Kind::date;
  }
  return value;
}

Place place_at(std::string_view text, std::size_t position, const std::string& file) {
  const std::string_view before = text.substr(0, position);
  const auto line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {file, static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
          static_cast<int>(expr::length(before.substr(line_start))) + 1};
}

std::string toml_message(const toml::parse_error& error) {
  std::string message = "not valid TOML: " + shown(error.description());
  if (message.find("could not determine value type") != std::string::npos)
    message += "; a text must stand in quotes, as in method = \"gauss(3)\"";
  // "saw 'θ'": keys without quotes have the letters a to z only
  const std::string_view description = error.description();
  const auto saw = description.find("saw '");
  if (saw != std::string_view::npos) {
    const expr::Character c =
        expr::character(description, std::min(saw + 5, description.size() - 1));
    if (c.bytes > 1 && expr::is_letter_of_alphabet(c.value))
      message += "; a key with letters other than a to z stands in quotes, as in \"θ\" = 1";
  }
  return message + ".";
}

void append_escaped(std::string& text, char c) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  text += "\\u00";
  text += digits[byte >> 4U];
  text += digits[byte & 15U];
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (is_control(c)) {
      append_escaped(result, c);
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

}  // namespace

Value parse_document(std::string_view text, const std::string& file) {
  constexpr int most_parts = 16;
  if (text.size() > max_scenario_bytes)
    throw ScenarioError({file}, "", "larger than 4 MB; a scenario is a short text.");
  if (const auto at = KeyDepth(text).exceeds(most_parts); at != std::string_view::npos)
    throw ScenarioError(place_at(text, at, file), "",
                        "a key of more than " + std::to_string(most_parts) + " parts.");
  try {
    const toml::table table = toml::parse(text, std::string_view(file));
    Value root = convert(table, std::make_shared<const std::string>(file));
    root.mark.line = root.mark.column = 1;
    return root;
  } catch (const toml::parse_error& error) {
    const auto begin = error.source().begin;
    throw ScenarioError({file, static_cast<int>(begin.line), static_cast<int>(begin.column)}, "",
                        toml_message(error));
  }
}

const Member* Value::member(std::string_view key) const {
  for (const Member& member : members)
    if (member.key == key) return &member;
  return nullptr;
}

const Value* Value::find(std::string_view key) const {
  const Member* found = member(key);
  return found == nullptr ? nullptr : &found->value;
}

Value* Value::find(std::string_view key) {
  for (Member& member : members)
    if (member.key == key) return &member.value;
  return nullptr;
}

std::string description(const Value& value) {
  switch (value.kind) {
    case Kind::table:
      return "a table";
    case Kind::list:
      return value.items.empty() ? "an empty list"
                                 : "a list of length " + std::to_string(value.items.size());
    case Kind::text:
      return "the text \"" + shown(value.text) + "\"";
    case Kind::integer:
    case Kind::real:
      return "the number " + expression_text(value);
    case Kind::truth:
      return value.truth ? "true" : "false";
    case Kind::date:
      break;
  }
  return "a date or time";
}

std::string expression_text(const Value& value) {
  if (value.kind == Kind::integer) return std::to_string(value.integer);
  if (value.kind == Kind::real) return varia::to_text(value.real);
  return value.text;
}

std::string toml_text(const Value& value) {
  std::string text;
  switch (value.kind) {
    case Kind::text:
      return in_quotes(value.text);
    case Kind::truth:
      return value.truth ? "true" : "false";
    case Kind::real:
      text = varia::to_text(value.real);
      // A whole real number keeps its kind: 2.0, not 2.
      return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
    case Kind::list:
      for (const Value& item : value.items) text += (text.empty() ? "" : ", ") + toml_text(item);
      return "[" + text + "]";
    case Kind::table:
      for (const Member& member : value.members)
        text +=
            (text.empty() ? "" : ", ") + in_quotes(member.key) + " = " + toml_text(member.value);
      return "{" + text + "}";
    default:
      return expression_text(value);
  }
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 200;
  std::string result;
  for (const char c : text) {
    if (result.size() >= longest && (static_cast<unsigned char>(c) & 0xC0U) != 0x80)
      return result + "...";  // cut between characters, not inside one
    if (is_control(c))
      append_escaped(result, c);
    else
      result += c;
  }
  return result;
}

}  // namespace varia::io
