// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The schema of scenario files: what every key means, stated once.
//
// From this table come the checks, the texts of the errors, and the tables of docs/reference/scenario.md.
#include <string>
#include <utility>
#include <vector>

namespace varia::io {

/// A scenario has a [system] and its [start], and perhaps a [control], or it has a [solid]; the keys of the
/// three forms differ.
enum class Form { system, control, solid };

enum class Type { text, expression, number, integer, truth, list, table, any };

enum class Range { any, positive, not_negative, not_zero };

/// A word that a text may be; `refused` says why a word that is known cannot be used.
struct Choice {
  Choice(std::string usable, std::string why_not = {})  // NOLINT(google-explicit-constructor)
      : word(std::move(usable)), refused(std::move(why_not)) {}
  std::string word;
  std::string refused;
};

/// One key. In `key`, NAME stands for any name, and [] for the entries of a list.
struct SchemaEntry {
  std::string key;
  std::vector<Type> types;
  bool required = false;
  std::string unless = {};    ///< a key beside it with which it is not required
  std::string fallback = {};  ///< the default, as written in a file
  std::vector<Choice> choices = {};
  Range range = Range::any;
  std::string meaning = {};
  std::string example = {};    ///< the value, as written in a file
  bool takes_any_key = false;  ///< of a table: who reads it refuses what it does not know

  SchemaEntry& needed(bool is = true) {
    required = is;
    return *this;
  }
  SchemaEntry& needed_unless(std::string other) {
    unless = std::move(other);
    return needed();
  }
  SchemaEntry& by_default(std::string value) {
    fallback = std::move(value);
    return *this;
  }
  SchemaEntry& among(std::vector<Choice> words) {
    choices = std::move(words);
    return *this;
  }
  SchemaEntry& open() {
    takes_any_key = true;
    return *this;
  }
  SchemaEntry& within(Range allowed) {
    range = allowed;
    return *this;
  }
};

const std::vector<SchemaEntry>& schema(Form form = Form::system);

/// Pairs of keys of which exactly one must be given, or at most one.
struct Alternative {
  std::string table, one, other;
  bool required = true;
  std::string unless = {};  ///< a key of the table with which none is required
};
const std::vector<Alternative>& schema_alternatives(Form form = Form::system);

/// A page such as docs/reference/scenario.md with its tables of keys written anew, each below the
/// heading of its table: ## [run], ### [run] of a solid. Throws InvalidArgument for a heading that is
/// not there.
std::string with_schema_tables(const std::string& page);

}  // namespace varia::io
