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

const Id* Parser::argument(std::string_view name) const {
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
  if (found != d.bracket) {
    const std::string use = d.name + " is the definition of " + d.head() + ": ";
    if (d.bracket == 0 && found == '(')
      fail(name, use + "products are written with *, as in " + d.name + "*(...)");
    fail(name, use + (d.bracket == 0     ? "it takes no index"
                      : d.bracket == '[' ? "it takes an index in [ ]"
                                         : "it takes arguments in ( )"));
  }
  if (d.bracket == 0) return expand(name, number, {});
  std::vector<Id> given = d.bracket == '(' ? arguments(')') : indices(d);
  require_count(name, given.size(), d.arguments.size(), d.bracket == '(' ? "arguments" : "indices");
  return expand(name, number, std::move(given));
}

std::vector<Id> Parser::indices(const Definition& definition) {
  const Token& open = word();
  ++frame_.next;
  std::vector<Id> values;
  do {
    values.push_back(index_of("the index of " + definition.name));
  } while (accept(','));
  close(']', open);
  return values;
}

Parser::Frame Parser::frame_of(std::size_t definition, const std::vector<Id>& given) {
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

Parser::Value Parser::expand(const Token& name, std::size_t number, std::vector<Id> given) {
  if (dry_) return {zero_, is_condition(number) ? &name : nullptr};
  const auto key = std::make_pair(number, std::move(given));
  const auto known = expanded_.find(key);
  const auto value_of = [&](const std::pair<Id, bool>& result) {
    return Value{result.first, result.second ? &name : nullptr};
  };
  if (known != expanded_.end()) return value_of(known->second);
  enter();
  try {
    const Frame caller = std::exchange(frame_, frame_of(number, key.second));
    const Value found = whole();
    frame_ = caller;
    --depth_;
    const std::pair<Id, bool> result(found.id, found.truth != nullptr);
    expanded_.emplace(key, result);
    return value_of(result);
  } catch (const ParseError& error) {
    throw ParseError(error, scope_.definitions()[number]);
  }
}

bool Parser::is_condition(std::size_t definition) {
  const auto known = conditions_.find(definition);
  if (known != conditions_.end()) return known->second;
  check(definition);
  return conditions_.at(definition);
}

void Parser::check(std::size_t definition) {
  const Definition& d = scope_.definitions()[definition];
  const bool dry_before = std::exchange(dry_, true);
  enter();
  try {
    const Frame caller =
        std::exchange(frame_, frame_of(definition, std::vector<Id>(d.arguments.size(), zero_)));
    conditions_[definition] = whole().truth != nullptr;
    frame_ = caller;
    dry_ = dry_before;
    --depth_;
  } catch (const ParseError& error) {
    throw ParseError(error, d);
  }
}

void check_definitions(Graph& graph, const Scope& scope) {
  Parser parser(graph, scope, "");
  for (std::size_t k = 0; k < scope.definitions().size(); ++k) parser.check(k);
}

}  // namespace varia::expr
