// SPDX-License-Identifier: BSD-3-Clause
// The names an expression may use.
#include <utility>

#include "characters.hpp"
#include "functions.hpp"
#include "varia/expr/parse.hpp"

namespace varia::expr {
namespace {

template <class Map> auto find(const Map& map, std::string_view name) {
  const auto found = map.find(name);
  return found == map.end() ? nullptr : &found->second;
}

}  // namespace

const std::vector<std::string>& reserved_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list(other_words.begin(), other_words.end());
    for (const Function& f : functions) list.emplace_back(f.name);
    return list;
  }();
  return names;
}

bool is_name(std::string_view text) { return !text.empty() && end_of_name(text, 0) == text.size(); }

void Scope::check(const std::string& name) const {
  if (!is_name(name)) {
    throw InvalidArgument("'" + name +
                          "' is not a name: a name is a letter or _, then letters, digits and _");
  }
  for (const std::string& reserved : reserved_names()) {
    if (name == reserved)
      throw InvalidArgument("'" + name + "' is a word of the language; choose another name");
  }
  if (has(name)) throw InvalidArgument("the name '" + name + "' is given twice");
}

void Scope::add(const std::string& name, Id value) {
  check(name);
  scalars_.emplace(name, value);
}

void Scope::add_array(const std::string& name, int first, std::vector<Id> values) {
  check(name);
  arrays_.emplace(name, Array{first, std::move(values)});
}

void Scope::add_array(const std::string& name, Array array) {
  check(name);
  arrays_.emplace(name, std::move(array));
}

Shape Scope::Array::shape() const {
  Shape shape{{first, last() - first + 1}};
  shape.insert(shape.end(), inner.begin(), inner.end());
  return shape;
}

void Scope::add_index(const std::string& name, long value) {
  check(name);
  indices_.emplace(name, value);
}

void Scope::add(const Definition& definition) {
  check(definition.name);
  for (const std::string& argument : definition.arguments)
    if (argument == definition.name || scalar(argument) != nullptr || array(argument) != nullptr)
      throw InvalidArgument("the argument '" + argument + "' of " + definition.head() +
                            " has a meaning already; choose another name");
  definition_numbers_.emplace(definition.name, definitions_.size());
  definitions_.push_back(definition);
}

void Scope::add_absent(const std::string& name, std::string why) {
  check(name);
  absent_.emplace(name, std::move(why));
}

void Scope::set_index(const std::string& name, long value) { indices_.at(name) = value; }

void Scope::set_tables(TableReader reader) { tables_ = std::move(reader); }

const Id* Scope::scalar(std::string_view name) const { return find(scalars_, name); }
const Scope::Array* Scope::array(std::string_view name) const { return find(arrays_, name); }
const long* Scope::index(std::string_view name) const { return find(indices_, name); }
const std::size_t* Scope::definition(std::string_view name) const {
  return find(definition_numbers_, name);
}
const std::string* Scope::absent(std::string_view name) const { return find(absent_, name); }

std::vector<std::string> Scope::names() const {
  std::map<std::string, int> all;
  for (const auto& entry : scalars_) all.emplace(entry.first, 0);
  for (const auto& entry : arrays_) all.emplace(entry.first, 0);
  for (const auto& entry : indices_) all.emplace(entry.first, 0);
  for (const auto& entry : definition_numbers_) all.emplace(entry.first, 0);
  std::vector<std::string> list;
  list.reserve(all.size());
  for (const auto& entry : all) list.push_back(entry.first);
  return list;
}

}  // namespace varia::expr
