// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <optional>

#include "../../expr/characters.hpp"
#include "reading.hpp"
#include "varia/core/counted.hpp"
#include "varia/expr/parse.hpp"
#include "varia/space/list.hpp"
#include "words.hpp"

namespace varia::io {

namespace {

/// All spaces live as long as the program.
const Notation& notation_of(const Coordinate& coordinate) {
  return factor_of(coordinate)->notation();
}

/// What is appended to the name of a coordinate in a role: _dot; _w1, _w2, _w3.
Names names_of(const Notation& notation, Role role) {
  switch (role) {
    case Role::position:
      return notation.forms.empty() ? notation.entries : Names{};
    case Role::velocity:
      return notation.velocities;
    case Role::momentum:
      return notation.momenta;
    case Role::force:
      return notation.forces;
    case Role::point:
    case Role::list:
      break;
  }
  return notation.forms.empty() ? Names{} : Names{{""}, ""};
}

bool has_lists(const Value& value) {
  return std::any_of(value.items.begin(), value.items.end(),
                     [](const Value& item) { return item.kind == Kind::list; });
}

/// Whether a point or a vector is written as a list of numbers, and this is one: for all of an array.
bool is_one_list(const Family& family, const Value& value) {
  const auto& forms = family.notation->forms;
  const bool written_so = family.role == Role::list ||
                          (family.role == Role::point &&
                           std::any_of(forms.begin(), forms.end(), [](const PointForm& form) {
                             return form.front().key.empty();
                           }));
  return written_so && !value.items.empty() &&
         std::none_of(value.items.begin(), value.items.end(), [](const Value& item) {
           return item.kind == Kind::list || item.kind == Kind::table;
         });
}

/// Point by point of an array: all components of its first one, then those of the second.
expr::NameList components(const System& system,
                          const std::function<const Names&(const Notation&)>& role) {
  expr::NameList names;
  for (const Coordinate& c : system.coordinates) {
    std::vector<std::string> of_each;
    for (const std::string& suffix : role(notation_of(c)).suffixes)
      of_each.push_back(c.name + suffix);
    names.append(of_each, c.indices());
  }
  return names;
}

}  // namespace

expr::Shape Coordinate::indices() const {
  if (!array) return {};
  expr::Shape indices{{first, last - first + 1}};
  if (last_column >= first_column)
    indices.push_back({first_column, last_column - first_column + 1});
  return indices;
}

Families::Families(const System& system, const std::vector<Role>& roles) {
  for (const Role role : roles)
    for (const Coordinate& coordinate : system.coordinates) {
      const Names names = names_of(notation_of(coordinate), role);
      const std::size_t begin = list_.size();
      const auto add = [&](const std::string& suffix, Role what, std::size_t first,
                           std::size_t parts) {
        by_name_.emplace(coordinate.name + suffix, list_.size());
        list_.push_back({coordinate.name + suffix, what, coordinate.indices(), coordinate.vector,
                         &notation_of(coordinate), begin + first, parts,
                         (coordinate.body && role != Role::point) ||
                             (coordinate.reduced && role == Role::point)});
      };
      for (const std::string& suffix : names.suffixes) add(suffix, role, 0, 0);
      for (const VectorName& vector : names.vectors)
        add(vector.suffix, Role::list, vector.first, vector.count);
    }
}

const Family* Families::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &list_[found->second];
}

std::vector<std::string> Families::names() const {
  std::vector<std::string> names;
  names.reserve(list_.size());
  for (const Family& family : list_) names.push_back(family.name);
  return names;
}

namespace {

/// What no scenario can give another meaning.
const std::map<std::string, std::string>& words_of_the_language() {
  static const std::map<std::string, std::string> words = [] {
    std::map<std::string, std::string> taken{{"t", "the time"}};
    for (const std::string& word : expr::reserved_names()) taken[word] = "a function";
    for (const char* word : {"and", "or", "not"}) taken[word] = "a word of conditions";
    for (const char* word : {"pi", "π"}) taken[word] = "a constant";
    return taken;
  }();
  return words;
}

}  // namespace

void NameTable::refuse(const std::string& name, const std::string& what, const Place& place,
                       const std::string& key) const {
  auto found = words_of_the_language().find(name);
  const bool reserved = found != words_of_the_language().end();
  if (!reserved) found = taken_.find(name);
  if (reserved || found != taken_.end())
    throw ScenarioError(place, key,
                        name + " is " + what + ", but " + name + " is already " + found->second +
                            "; choose another name.");
}

void NameTable::add(const std::string& name, const std::string& what, const Place& place,
                    const std::string& key) {
  refuse(name, what, place, key);
  taken_.emplace(name, what);
}

void require_identifier(const std::string& name, const Place& place, const std::string& key) {
  if (expr::is_name(name)) return;
  std::string hint;
  for (std::size_t at = 0; at < name.size() && hint.empty();) {
    const expr::Character c = expr::character(name, at);
    hint = expr::instead_of(c.value);
    if (!hint.empty()) hint = " " + expr::name_of(name, at) + " is not a letter.";
    at += std::max<std::size_t>(1, c.bytes);
  }
  throw ScenarioError(place, key,
                      "\"" + shown(name) +
                          "\" is not a name; a name has letters, digits and _, "
                          "and does not begin with a digit." +
                          hint);
}

FactorPtr factor_of(const Coordinate& coordinate) {
  return coordinate.reduced ? find_reduced_space(coordinate.space) : find_space(coordinate.space);
}

expr::NameList entry_names(const System& system) {
  return components(system, [](const Notation& n) -> const Names& { return n.entries; });
}
expr::NameList velocity_names(const System& system) {
  return components(system, [](const Notation& n) -> const Names& { return n.velocities; });
}
expr::NameList momentum_names(const System& system) {
  return components(system, [](const Notation& n) -> const Names& { return n.momenta; });
}
expr::NameList force_names(const System& system) {
  return components(system, [](const Notation& n) -> const Names& { return n.forces; });
}

namespace {

/// A name of a key and its indices: q[3], u[2][3], u[2,3].
struct EntryName {
  std::string name;
  std::vector<long> indices;
};

/// Nothing for any other form (q[03], q[3]x).
std::optional<EntryName> split_entry(const std::string& key) {
  const auto open = key.find('[');
  if (open == std::string::npos || key.back() != ']') return std::nullopt;
  EntryName entry{key.substr(0, open), {}};
  for (std::size_t at = open + 1; at < key.size();) {
    const std::size_t end = key.find_first_of(",]", at);
    const std::string digits = trimmed(key.substr(at, end - at));
    long index = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (error != std::errc() || std::to_string(index) != digits) return std::nullopt;
    entry.indices.push_back(index);
    at = end + 1;
    if (key[end] == ']' && at < key.size() && key[at++] != '[') return std::nullopt;
  }
  return entry;
}

/// Of all texts in the value.
std::size_t characters(const Value& value) {
  std::size_t sum = value.text.size();
  for (const Value& item : value.items) sum += characters(item);
  for (const Member& member : value.members) sum += characters(member.value);
  return sum;
}

}  // namespace

ComponentReader::ComponentReader(const Families& families, std::string key, std::string what)
    : families_(families), key_(std::move(key)), what_(std::move(what)) {}

expr::Shape ComponentReader::Part::rest() const {
  return {family->indices.begin() + static_cast<std::ptrdiff_t>(depth), family->indices.end()};
}

std::string ComponentReader::Part::name() const {
  const expr::Shape given(family->indices.begin(),
                          family->indices.begin() + static_cast<std::ptrdiff_t>(depth));
  return family->name + expr::index_text(given, static_cast<std::size_t>(begin / size()));
}

ComponentReader::Part ComponentReader::Part::row(long k) const {
  return {family, depth + 1, begin + k * (size() / rest().front().count), precedence};
}

ComponentReader::Part ComponentReader::part_of(const Member& member) const {
  const std::string key = key_ + "." + shown(member.key);
  const auto entry = split_entry(member.key);
  const std::string& name = entry ? entry->name : member.key;
  const Family* family = families_.find(name);
  if (family == nullptr) {
    const std::vector<std::string> names = families_.names();
    throw ScenarioError(member.mark.place(), key,
                        "there is no such " + what_ + "; there are: " + listed(names) + "." +
                            did_you_mean(name, names));
  }
  const std::size_t given = entry ? entry->indices.size() : 0;
  if (given > family->indices.size())
    throw ScenarioError(member.mark.place(), key,
                        family->indices.empty() ? family->name + " is not an array."
                                                : "has too many indices; the entries are " +
                                                      family->components_text() + ".");
  Part part{family, 0, 0, 0};
  for (std::size_t d = 0; d < given; ++d) {
    const expr::Extent extent = family->indices[d];
    const long index = entry->indices[d];
    if (index < extent.first || index > extent.last())
      throw ScenarioError(member.mark.place(), key,
                          "out of range; the entries are " + family->components_text() + ".");
    part = part.row(index - extent.first);
  }
  part.precedence = 2 * static_cast<int>(given);
  return part;
}

void ComponentReader::read(const Member& member) {
  constexpr std::size_t most_characters = 100'000'000;  // one copy of the text for each entry
  const Part part = part_of(member);
  if (member.value.kind != Kind::list &&
      characters(member.value) > most_characters / static_cast<std::size_t>(part.size()))
    throw ScenarioError(
        member.value.place(), key_ + "." + part.family->name,
        "the expression is too long for an array of " + std::to_string(part.size()) + " entries.");
  read_part(part, member.value);
}

/// A list has an entry for each value of the first index that is left; of vectors it may also have the
/// components, for all of them.
void ComponentReader::read_part(const Part& part, const Value& value) {
  const expr::Shape rest = part.rest();
  const Family& family = *part.family;
  if (rest.empty()) return put(part, value);
  const bool list = value.kind == Kind::list && !is_one_list(family, value);
  const bool many_vectors = family.vector && rest.size() > 1;
  if (list && !(many_vectors && !has_lists(value))) return read_list(part, value);
  if (list || many_vectors || family.role == Role::list || family.role == Role::point) {
    for (long k = 0; k < rest.front().count; ++k) read_part(part.row(k), value);
    return;
  }
  read_text(part, value);
}

void ComponentReader::read_list(const Part& part, const Value& value) {
  const auto count = static_cast<std::size_t>(part.rest().front().count);
  if (value.items.size() != count)
    throw ScenarioError(value.place(), key_ + "." + part.family->name,
                        "must have " + counted(count, "entry", "entries") + ", one for each of " +
                            part.family->component(part.begin) + " to " +
                            part.family->component(part.begin + part.size() - 1) + ", found " +
                            std::to_string(value.items.size()) + ".");
  for (std::size_t k = 0; k < count; ++k) read_part(part.row(static_cast<long>(k)), value.items[k]);
}

/// One text for all entries: a number for each of them, or an array.
void ComponentReader::read_text(const Part& part, const Value& value) {
  const Family& family = *part.family;
  const bool number = value.kind == Kind::integer || value.kind == Kind::real;
  if (family.vector && ((number && value.real != 0.0) || value.kind == Kind::table))
    throw ScenarioError(value.place(), key_ + "." + part.name(),
                        "must be " + expr::shape_text(part.rest()) +
                            ": a list of numbers, an expression, or 0; found " +
                            description(value) + ".");
  for (long k = 0; k < part.size(); ++k)
    put_one({&family, part.begin + k, &value, part.precedence + 1, part.rest(),
             static_cast<std::size_t>(k), !family.vector, family.vector ? part.name() : ""});
}

void ComponentReader::put(const Part& part, const Value& value) {
  if (part.family->role == Role::list)
    put_parts(*part.family, part.begin, value, part.precedence);
  else
    put_one({part.family, part.begin, &value, part.precedence + 1});
}

void ComponentReader::put_parts(const Family& list, long k, const Value& value, int precedence) {
  const bool text = value.kind == Kind::text || (value.kind == Kind::integer && value.integer == 0);
  if (!text && (value.kind != Kind::list || value.items.size() != list.parts))
    throw ScenarioError(
        value.place(), key_ + "." + list.component(k),
        "must be a list of " + std::to_string(list.parts) + " numbers, found " +
            (value.kind == Kind::list ? std::to_string(value.items.size()) + " entries."
                                      : description(value) + "."));
  const expr::Shape whole{{1, static_cast<int>(list.parts)}};
  for (std::size_t p = 0; p < list.parts; ++p) {
    const Family& family = families_[list.first_part + p];
    if (text)
      put_one({&family, k, &value, precedence, whole, p, false, list.component(k)});
    else
      put_one({&family, k, &value.items[p], precedence});
  }
}

void ComponentReader::put_one(const Given& given) {
  const Value& value = *given.value;
  if (given.family->role != Role::point && (value.kind == Kind::list || value.kind == Kind::table))
    throw ScenarioError(value.place(), key_ + "." + given.name(),
                        "must be a number or an expression, found " + description(value) + ".");
  const auto [at, added] = at_.emplace(std::make_pair(given.family, given.index), given_.size());
  if (added)
    given_.push_back(given);
  else if (given.precedence > given_[at->second].precedence)
    given_[at->second] = given;
}

bool ComponentReader::has(const Family& family, long k) const {
  return at_.count(std::make_pair(&family, k)) > 0;
}

std::vector<ComponentReader::Given> ComponentReader::given(Role role) const {
  std::vector<Given> result;
  std::copy_if(given_.begin(), given_.end(), std::back_inserter(result),
               [&](const Given& g) { return g.family->role == role; });
  return result;
}

Component Component::entry(long k) const {
  Component one = *this;
  const std::string before = "[" + std::to_string(index) + "]";
  const std::string after = "[" + std::to_string(index + k) + "]";
  for (std::string* name : {&one.component, &one.text.key})
    name->replace(name->rfind(before), before.size(), after);
  one.index = index + k;
  one.part = part + static_cast<std::size_t>(k);
  one.count = 1;
  return one;
}

std::vector<Component> ComponentReader::of(Role role) const {
  std::vector<Component> components;
  const Given* last = nullptr;
  for (const Given& g : given_) {
    if (g.family->role != role) continue;
    const bool follows = last != nullptr && g.family == last->family && g.value == last->value &&
                         g.index == last->index + 1 && g.alone && g.family->indices.size() == 1;
    last = &g;
    if (follows) {
      ++components.back().count;
      continue;
    }
    Component component{g.name(),
                        make_text(*g.value, key_ + "." + (g.vector.empty() ? g.name() : g.vector))};
    set_indices(*g.family, g.index, component.index, component.indexed, component.second);
    component.whole = g.whole;
    component.part = g.part;
    component.alone = g.alone;
    components.push_back(std::move(component));
  }
  return components;
}

void set_indices(const Family& family, long k, long& i, bool& indexed, std::optional<long>& j) {
  const expr::Shape& all = family.indices;
  std::vector<long> values(all.size());
  for (std::size_t d = all.size(); d-- > 0; k /= all[d].count)
    values[d] = all[d].first + k % all[d].count;
  if (family.vector) values.pop_back();
  indexed = !values.empty();
  if (indexed) i = values[0];
  if (values.size() > 1) j = values[1];
}

}  // namespace varia::io
