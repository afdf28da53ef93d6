// SPDX-License-Identifier: BSD-3-Clause
#include "varia/expr/definition.hpp"

#include <algorithm>

#include "varia/expr/parse.hpp"

namespace varia::expr {
namespace {

constexpr std::size_t most_indices = 2;

std::string without_blanks(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

}  // namespace

std::string Definition::head() const {
  if (bracket == 0) return name;
  std::string written = name + bracket;
  for (std::size_t k = 0; k < arguments.size(); ++k) written += (k > 0 ? ", " : "") + arguments[k];
  return written + (bracket == '[' ? ']' : ')');
}

Definition definition_of(std::string_view head) {
  Definition definition;
  const auto refuse = [&](const std::string& reason) {
    throw InvalidArgument(reason + R"~(; a definition is written r, "d[i]", "r[i,j]" or "V(s)")~");
  };
  const std::string text = without_blanks(head);
  const auto open = text.find_first_of("[(");
  definition.name = without_blanks(text.substr(0, open));
  if (!is_name(definition.name)) refuse("'" + definition.name + "' is not a name");
  if (open == std::string::npos) return definition;
  definition.bracket = text[open];
  const char close = definition.bracket == '[' ? ']' : ')';
  if (text.back() != close) refuse(std::string("the '") + close + "' at the end is missing");
  for (std::size_t begin = open + 1; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size() - 1);
    definition.arguments.push_back(without_blanks(text.substr(begin, end - begin)));
    const std::string& name = definition.arguments.back();
    if (!is_name(name)) refuse("'" + name + "' is not a name of an argument");
    if (std::count(definition.arguments.begin(), definition.arguments.end(), name) > 1)
      refuse("the argument '" + name + "' is given twice");
    begin = end + 1;
  }
  if (definition.bracket == '[' && definition.arguments.size() > most_indices)
    refuse("found " + std::to_string(definition.arguments.size()) + " indices, at most " +
           std::to_string(most_indices) + " are possible");
  return definition;
}

}  // namespace varia::expr
