// SPDX-License-Identifier: BSD-3-Clause
// Definitions: read where they are used, once for the same arguments. Their text sees the names of the
// scope, its own arguments and the definitions before it, and neither loops nor indices of the caller.
#include "parser.hpp"
#include "varia/core/error.hpp"

namespace varia::expr {

ParseError::ParseError(const ParseError& error, const Definition& definition)
    : InvalidArgument(
          (error.definitions.empty() ? "in the definition of " : error.where() + ", used by ") +
          definition.name + ": " + error.message + "\n" + error.caret),
      message(error.message),
      line(error.line),
      column(error.column),
      caret(error.caret),
      definitions(error.definitions) {
  definitions.push_back(definition);
}

std::string ParseError::where() const {
  std::string text;
  for (const Definition& definition : definitions)
    text += (text.empty() ? "in the definition of " : ", used by ") + definition.name;
  return text;
}

const Parser::Value* Parser::argument(std::string_view name) const {
  for (const auto& given : frame_.given)
    if (given.first == name) return &given.second;
  return nullptr;
}

/// The number of a definition that may be used here; null if the name is none.
const std::size_t* Parser::definition(const Token& name) const {
  const std::size_t* const number = scope_.definition(name.text);
  if (number == nullptr || *number < frame_.definitions) return number;
  fail(name, "uses " + std::string(name.text) +
                 (*number == frame_.definitions ? " itself" : ", which comes later in the file") +
                 "; a definition may use earlier ones only, a cycle has no value");
}

/// A use of the definition; the name is read, not what stands behind it.
Parser::Value Parser::defined(const Token& name, std::size_t number) {
  const Definition& d = scope_.definitions()[number];
  const char found = word().kind == '(' || word().kind == '[' ? word().kind : '\0';
  if (d.bracket == 0 && found == '[') {
    Value value = expand(name, number, {});
    if (value.any || !value.shape.empty()) return value;  // its index is read as a part of it
  }
  if (found != d.bracket) {
    const std::string use = d.name + " is the definition of " + d.head() + ": ";
    if (d.bracket == 0 && found == '(')
      fail(name, use + "products are written with *, as in " + d.name + "*(...)");
    fail(name, use + (d.bracket == 0     ? "it takes no index"
                      : d.bracket == '[' ? "it takes an index in [ ]"
                                         : "it takes arguments in ( )"));
  }
  if (d.bracket == 0) return expand(name, number, {});
  std::vector<Value> given;
  if (d.bracket == '[') {
    given = indices(d);
  } else {
    for (Argument& one : arguments()) given.push_back(std::move(one.value));
  }
  require_count(name, given.size(), d.arguments.size(), d.bracket == '(' ? "arguments" : "indices");
  return expand(name, number, given);
}

std::vector<Parser::Value> Parser::indices(const Definition& definition) {
  const Token& open = word();
  ++frame_.next;
  std::vector<Value> values;
  do {
    values.push_back({index_of("the index of " + definition.name)});
  } while (accept(','));
  close(']', open);
  return values;
}

Parser::Frame Parser::frame_of(std::size_t definition, const std::vector<Value>& given) {
  const Definition& d = scope_.definitions()[definition];
  const auto found = words_of_.find(definition);
  const auto& words = found != words_of_.end()
                          ? found->second
                          : words_of_.emplace(definition, tokens(d.text)).first->second;
  Frame frame{d.text, &words, definition, {}};
  frame.of_definition = true;
  for (std::size_t k = 0; k < given.size(); ++k) frame.given.emplace_back(d.arguments[k], given[k]);
  return frame;
}

/// What tells one use of a definition from another; where nothing is built, the shapes of its arguments.
std::vector<Id> Parser::key_of(std::size_t definition, const std::vector<Value>& given) const {
  std::vector<Id> key{static_cast<Id>(definition), dry_ ? 1U : 0U};
  for (const Value& value : given) {
    key.push_back(static_cast<Id>(value.shape.size()));
    key.push_back((value.any ? 1U : 0U) + (value.motion ? 2U : 0U));
    key.push_back(value.id);
    for (const Extent& extent : value.shape)
      key.insert(key.end(), {static_cast<Id>(extent.first), static_cast<Id>(extent.count)});
    key.insert(key.end(), value.entries.begin(), value.entries.end());
  }
  return key;
}

Parser::Value Parser::expand(const Token& name, std::size_t number,
                             const std::vector<Value>& given) {
  const std::vector<Id> key = key_of(number, given);
  auto known = expanded_.find(key);
  if (known == expanded_.end()) {
    enter();
    try {
      const Frame caller = std::exchange(frame_, frame_of(number, given));
      Value found = whole();
      frame_ = caller;
      --depth_;
      known = expanded_.emplace(key, std::move(found)).first;
    } catch (const ParseError& error) {
      throw ParseError(error, scope_.definitions()[number]);
    }
  }
  Value value = known->second;
  if (value.truth != nullptr) value.truth = &name;
  value.name = nullptr;  // it stands in the text of the definition
  return value;
}

void Parser::check(std::size_t definition) {
  const Definition& d = scope_.definitions()[definition];
  const bool dry_before = std::exchange(dry_, true);
  const Value given = d.bracket == '[' ? Value{zero_} : any_value();
  expand(words_.front(), definition, std::vector<Value>(d.arguments.size(), given));
  dry_ = dry_before;
}

void check_definitions(Graph& graph, const Scope& scope) {
  Parser parser(graph, scope, "");
  for (std::size_t k = 0; k < scope.definitions().size(); ++k) parser.check(k);
}

}  // namespace varia::expr
