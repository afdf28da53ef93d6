// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "schema_check.hpp"

namespace varia::io {

namespace {

/// The node of one part of a key, made when it is not there: "matrix[][]" is a child and two items.
SchemaNode& descend(SchemaNode& node, std::string part) {
  int lists = 0;
  for (; part.ends_with("[]"); part.resize(part.size() - 2)) ++lists;
  SchemaNode* next = nullptr;
  if (part == "NAME") {
    if (!node.any_name) node.any_name = std::make_unique<SchemaNode>();
    next = node.any_name.get();
  } else {
    for (auto& [name, child] : node.children)
      if (name == part) next = child.get();
    if (next == nullptr)
      next = node.children.emplace_back(part, std::make_unique<SchemaNode>()).second.get();
  }
  for (; lists > 0; --lists) {
    if (!next->item) next->item = std::make_unique<SchemaNode>();
    next = next->item.get();
  }
  return *next;
}

SchemaNode& descend_all(SchemaNode& root, const std::string& key) {
  SchemaNode* node = &root;
  for (std::size_t begin = 0; begin <= key.size();) {
    const std::size_t end = std::min(key.find('.', begin), key.size());
    node = &descend(*node, key.substr(begin, end - begin));
    begin = end + 1;
  }
  return *node;
}

SchemaNode make_tree(Form form) {
  SchemaNode root;
  root.form = form;
  for (const SchemaEntry& entry : schema(form)) {
    SchemaNode& node = descend_all(root, entry.key);
    node.entry = &entry;
    node.form = form;
    if (!entry.fallback.empty())
      node.fallback = parse_document("value = " + entry.fallback, "default").members[0].value;
  }
  for (const Alternative& pair : schema_alternatives(form))
    descend_all(root, pair.table).alternatives.push_back(pair);
  return root;
}

std::string word(Type type, bool plural) {
  switch (type) {
    case Type::text:
      return plural ? "texts" : "a text";
    case Type::expression:
      return plural ? "expressions" : "an expression";
    case Type::number:
      return plural ? "numbers" : "a number";
    case Type::integer:
      return plural ? "whole numbers" : "a whole number";
    case Type::truth:
      return "true or false";
    case Type::list:
      return plural ? "lists" : "a list";
    case Type::table:
      return plural ? "tables" : "a table";
    case Type::any:
      break;
  }
  return plural ? "values" : "any value";
}

std::string words(const SchemaNode& node, bool plural) {
  const std::vector<Type>& types = node.entry->types;
  std::string text;
  for (std::size_t k = 0; k < types.size(); ++k) {
    if (k > 0) text += k + 1 == types.size() ? " or " : ", ";
    text += word(types[k], plural);
    // "a list of numbers or expressions" where it is the one thing allowed; else it is understood.
    if (types[k] == Type::list && node.item && types.size() == 1)
      text += " of " + words(*node.item, true);
  }
  return text;
}

}  // namespace

const SchemaNode* SchemaNode::child(std::string_view key) const {
  for (const auto& [name, node] : children)
    if (name == key) return node.get();
  return any_name.get();
}

std::vector<std::string> SchemaNode::keys() const {
  std::vector<std::string> names;
  for (const auto& [name, node] : children)
    if (node->entry->refused.empty()) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

const SchemaNode& schema_tree(Form form) {
  static const SchemaNode of_system = make_tree(Form::system);
  static const SchemaNode of_solid = make_tree(Form::solid);
  return form == Form::system ? of_system : of_solid;
}

Form form_of(const Value& root) {
  return root.member("solid") == nullptr ? Form::system : Form::solid;
}

std::string type_words(const SchemaNode& node) { return words(node, false); }

std::vector<std::string> usable(const std::vector<Choice>& choices) {
  std::vector<std::string> words;
  for (const Choice& choice : choices)
    if (choice.refused.empty()) words.push_back(choice.word);
  return words;
}

std::vector<std::string> keys_named(std::string_view name, Form form) {
  std::vector<std::string> keys;
  for (const SchemaEntry& entry : schema(form)) {
    const auto dot = entry.key.rfind('.');
    if (dot != std::string::npos && entry.key.find("[]") == std::string::npos &&
        std::string_view(entry.key).substr(dot + 1) == name && name != "NAME")
      keys.push_back(entry.key);
  }
  return keys;
}

}  // namespace varia::io
