// SPDX-License-Identifier: BSD-3-Clause
// The reading of method names: "gauss(3)", "compose(verlet: 0.5, midpoint: 0.5)".
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "method_rows.hpp"
#include "varia/core/error.hpp"
#include "varia/core/nearest.hpp"

namespace varia {

namespace {

using detail::name_end;
using detail::trimmed;

/// Names that are reserved for methods to come.
const std::vector<std::string> planned{"spark"};

/// With constraints Verlet is RATTLE; the positions of SHAKE are the same.
const std::vector<std::string> names_of_verlet{"rattle", "shake"};

std::string without_quotes(std::string text) {
  std::erase(text, '"');
  return text;
}

/// How deep parentheses stand inside each other.
long depth(std::string_view text) {
  long open = 0;
  long most = 0;
  for (const char c : text) {
    if (c == '(') most = std::max(most, ++open);
    if (c == ')') --open;
  }
  return most;
}

/// The first comma that is not inside parentheses.
std::size_t outer_comma(std::string_view list) {
  int depth = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '(') ++depth;
    if (list[i] == ')') --depth;
    if (list[i] == ',' && depth == 0) return i;
  }
  return std::string_view::npos;
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> items;
  if (trimmed(list).empty()) return items;
  while (true) {
    const auto comma = outer_comma(list);
    const std::string item = without_quotes(trimmed(list.substr(0, comma)));
    if (item.empty()) throw InvalidArgument("method: an argument between the commas is empty");
    const auto equals = name_end(item);
    items.push_back(equals == std::string::npos
                        ? item
                        : trimmed(item.substr(0, equals)) + "=" + trimmed(item.substr(equals + 1)));
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  return items;
}

/// "order, method=verlet" as order and method; "..." belongs to what stands before it.
std::vector<std::string> parameter_names(const Descriptor& method) {
  std::vector<std::string> names;
  for (const std::string& item : split(method.parameters)) {
    if (item == "...")
      names.back() += ", ...";
    else
      names.push_back(item.substr(0, name_end(item)));
  }
  return names;
}

}  // namespace

namespace {

Method read_method(std::string_view text) {
  constexpr long deepest = 4;  // order 10 from a method of order 2: beyond, steps are many and tiny
  if (depth(text) > deepest)
    throw InvalidArgument("method: at most " + std::to_string(deepest) +
                          " methods can stand inside each other");
  const auto open = text.find('(');
  const std::string name = trimmed(text.substr(0, open));
  std::string_view inside;
  if (open != std::string_view::npos) {
    const auto close = text.rfind(')');
    if (close == std::string_view::npos || close < open || !trimmed(text.substr(close + 1)).empty())
      throw InvalidArgument("method '" + std::string(text) + "': the parentheses do not match");
    inside = text.substr(open + 1, close - open - 1);
  }
  std::string known;
  std::vector<std::string> names;
  for (const detail::MethodRow& row : detail::method_rows()) {
    if (row.descriptor.name == name)
      return row.make(detail::Arguments(name, parameter_names(row.descriptor), split(inside)));
    known += (known.empty() ? "" : ", ") + row.descriptor.name;
    names.push_back(row.descriptor.name);
  }
  if (std::find(names_of_verlet.begin(), names_of_verlet.end(), name) != names_of_verlet.end()) {
    const detail::Arguments none(name, {}, split(inside));  // refuses any
    return verlet();
  }
  if (name == "sem")
    throw InvalidArgument(
        "sem: steps that keep the energy are the method midpoint(alpha) with keep_energy in [run], "
        "in C++ EnergyMomentumFlow");
  if (std::find(planned.begin(), planned.end(), name) != planned.end())
    throw InvalidArgument("the method '" + name + "' is not available yet; there are " + known);
  const std::string near = nearest(name, names);
  throw InvalidArgument("there is no method '" + name + "'; there are " + known +
                        (near.empty() ? "" : ". Did you mean " + near + "?"));
}

}  // namespace

/// The runs of a sweep ask for the same method again and again, and coefficients take a while.
Method parse_method(std::string_view text) {
  thread_local std::optional<std::pair<std::string, Method>> last;
  if (!last || last->first != text) {
    Method method = read_method(text);
    last.emplace(std::string(text), std::move(method));
  }
  return last->second;
}

}  // namespace varia
