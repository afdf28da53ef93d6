// SPDX-License-Identifier: BSD-3-Clause
// The tables of the reference page of scenario files, written from the schema.
#include <map>
#include <sstream>

#include "schema_tree.hpp"
#include "varia/core/error.hpp"

namespace varia::io {

namespace {

std::string cell(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += c == '|' ? std::string("\\|") : std::string(1, c);
  return safe;
}

std::string code(const std::string& text) { return text.empty() ? "" : "`" + cell(text) + "`"; }

std::string choice_words(const SchemaEntry& entry) {
  if (entry.choices.empty()) return "";
  std::string text = ": ";
  for (const std::string& word : usable(entry.choices))
    text += (text.size() > 2 ? ", " : "") + code('"' + word + '"');
  for (const Choice& choice : entry.choices)
    if (!choice.refused.empty())
      text += "; " + code('"' + choice.word + '"') + " " + choice.refused;
  return text;
}

std::string range_words(Range range) {
  switch (range) {
    case Range::positive:
      return ", greater than 0";
    case Range::not_negative:
      return ", not negative";
    case Range::not_zero:
      return ", not 0";
    case Range::any:
      break;
  }
  return "";
}

std::string without(const std::string& key) {
  return key.empty() ? "" : ", unless there is a " + code(key);
}

/// "this or `steps`": of a pair of which exactly one is given; empty if the key belongs to none.
std::string alternative_words(const std::string& key, Form form) {
  for (const Alternative& pair : schema_alternatives(form)) {
    if (!pair.required) continue;
    const bool one = key == pair.table + "." + pair.one;
    if (one || key == pair.table + "." + pair.other)
      return "this or " + code(one ? pair.other : pair.one) + without(pair.unless);
  }
  return "";
}

std::string default_words(const SchemaEntry& entry, Form form) {
  std::string alternative = alternative_words(entry.key, form);
  if (!alternative.empty()) return alternative;
  return entry.required ? "required" + without(entry.unless) : code(entry.fallback);
}

std::string row(const std::string& key, const SchemaNode& node) {
  const SchemaEntry& entry = *node.entry;
  const std::string choices =
      choice_words(node.item && node.item->entry ? *node.item->entry : entry) +
      (node.item ? choice_words(entry) : "");
  return "| " + code(key) + " | " + type_words(node) + choices + range_words(entry.range) + " | " +
         default_words(entry, node.form) + " | " + cell(entry.meaning) + " | " +
         code(entry.example) + " |\n";
}

/// The rows below a table; entries of lists have rows only where they have keys of their own, which
/// are not those of the table that may stand for the list.
std::string rows(const SchemaNode& node, const std::string& before) {
  std::string text;
  const auto add = [&](const std::string& name, const SchemaNode& child) {
    const std::string key = before + name;
    text += row(key, child) + rows(child, key + ".");
    if (child.item && child.children.empty()) text += rows(*child.item, key + "[].");
  };
  for (const auto& [name, child] : node.children) add(name, *child);
  if (node.any_name) add("NAME", *node.any_name);
  return text;
}

constexpr const char* table_head =
    "| key | value | default | meaning | example |\n|---|---|---|---|---|\n";

/// The tables of the page by the headings they stand under.
std::map<std::string, std::string> tables() {
  std::map<std::string, std::string> found;
  for (const auto& [name, node] : schema_tree(Form::system).children) {
    found["## The file"] += row(name, *node);
    if (node->item && node->children.empty())
      found["## [[" + name + "]]"] = rows(*node->item, "");
    else
      found["## [" + name + "]"] = rows(*node, "");
  }
  for (const auto& [name, node] : schema_tree(Form::control).children)
    if (name == "control" || name == "end") {
      found["## The file"] += row(name, *node);
      found["## [" + name + "]"] = rows(*node, "");
    }
  for (const auto& [name, node] : schema_tree(Form::solid).children)
    if (name == "solid" || name == "run" || name == "output")
      found["### [" + name + (name == "solid" ? "]" : "] of a solid")] = rows(*node, "");
  std::erase_if(found, [](const auto& table) { return table.second.empty(); });
  return found;
}

}  // namespace

std::string with_schema_tables(const std::string& page) {
  std::map<std::string, std::string> missing = tables();
  std::istringstream lines(page);
  std::string result, line;
  bool replaced = false;  // in a table that has been written anew
  while (std::getline(lines, line)) {
    if (replaced && (line.empty() || line.front() == '|')) continue;
    if (replaced) result += '\n';
    result += line + '\n';
    const auto table = missing.find(line);
    replaced = table != missing.end();
    if (!replaced) continue;
    result += '\n' + (table_head + table->second);
    missing.erase(table);
  }
  if (!missing.empty())
    throw InvalidArgument("the page has no section '" + missing.begin()->first + "'");
  return result;
}

}  // namespace varia::io
