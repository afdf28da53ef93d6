// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A TOML document as a tree whose tables keep the order of the file and whose values know their place.
//
// Only document.cpp knows the TOML library.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "varia/io/scenario.hpp"

namespace varia::io {

/// Where a value stands; many values share the name of their file.
struct Mark {
  std::shared_ptr<const std::string> file;
  int line = 0, column = 0;

  Place place() const { return {file ? *file : std::string(), line, column}; }
};

enum class Kind { table, list, text, integer, real, truth, date };

struct Member;

struct Value {
  Kind kind = Kind::table;
  Mark mark;
  std::string text;          // Kind::text
  std::int64_t integer = 0;  // Kind::integer
  double real = 0;           // Kind::real and Kind::integer
  bool truth = false;        // Kind::truth
  std::vector<Value> items;
  std::vector<Member> members;  // in the order of the file

  const Value* find(std::string_view key) const;  ///< nullptr when it is not there
  Value* find(std::string_view key);
  const Member* member(std::string_view key) const;
  Place place() const { return mark.place(); }
};

struct Member {
  std::string key;
  Value value;
  Mark mark;  ///< of the key
};

constexpr std::size_t max_scenario_bytes = std::size_t{4} << 20U;

/// Throws ScenarioError when the text is not TOML, is too long or nested too deeply.
Value parse_document(std::string_view text, const std::string& file);

/// What was found, for a message: "the number 3", "the text \"exp\"", "a list".
std::string description(const Value& value);

/// The number or text of a value as an expression.
std::string expression_text(const Value& value);

/// A value as TOML on one line, such that reading it gives the same value.
std::string toml_text(const Value& value);

/// Every key with its value.
Settings settings_of(const Value& root);
/// Sets the key, and those below it.
void set_values(const Value& value, const std::string& key, Settings& settings);

/// A text of the user made fit for one line of a message: control characters escaped, long texts cut.
std::string shown(std::string_view text);

/// Applies "key=value" texts from the command line (--set run.step=0.1, --set mu=2) to a document that is not checked yet; errors name --set as their place.
/// The value is TOML, or plain text where it is not: method=gauss(3). Of two keys that exclude each
/// other, such as run.until and run.steps, the one that is set replaces the one of the file.
void apply_overrides(Value& root, const std::vector<std::string>& overrides);

/// Throws ScenarioError at this place and key unless the override names something of the document.
void require_override(const Value& root, const std::string& text, const Place& place,
                      const std::string& key);

/// The full key of what an override of this name changes: system.parameters.mu for mu.
std::string override_key(const Value& root, const std::string& name, const Place& place,
                         const std::string& key);

}  // namespace varia::io
