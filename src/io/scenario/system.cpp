// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <charconv>
#include <set>

#include "reading.hpp"
#include "varia/space/list.hpp"
#include "words.hpp"

namespace varia::io {

namespace {

constexpr long most_coordinates = 1000000;

/// Degrees of freedom: a rotation counts as three.
long coordinates_of(const Coordinate& coordinate) {
  return coordinate.points() * find_space(coordinate.space)->dof();
}

int whole_number(const std::string& text, const Place& place, const std::string& key) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0)
    throw ScenarioError(place, key,
                        "the range of an array is two whole numbers, as in \"q[1..64]\", found \"" +
                            shown(text) + "\".");
  return number;
}

/// The components of a vector are its last index.
void read_size(const Value& size, const std::string& key, Coordinate& coordinate) {
  const long count = whole(size);
  if (coordinate.space != "R")
    throw ScenarioError(size.place(), key,
                        "is for vectors of real numbers; points of " + coordinate.space +
                            " have the size of their space. Leave it out.");
  if (coordinate.last_column >= coordinate.first_column)
    throw ScenarioError(size.place(), key,
                        "vectors have one index, as in \"r[1..30]\", beside that of their "
                        "components; found two.");
  if (count > most_coordinates)
    throw ScenarioError(size.place(), key,
                        "more than " + std::to_string(most_coordinates) + " coordinates.");
  coordinate.vector = true;
  (coordinate.array ? coordinate.first_column : coordinate.first) = 1;
  (coordinate.array ? coordinate.last_column : coordinate.last) = static_cast<int>(count);
  coordinate.array = true;
}

Coordinate read_coordinate(const Value& value, const std::string& key) {
  Coordinate coordinate;
  coordinate.place = value.place();
  coordinate.key = key;
  const bool plain = value.kind == Kind::text;
  read_name(plain ? value.text : value.find("name")->text, plain ? key : key + ".name", coordinate);
  if (plain) return coordinate;
  coordinate.space = value.find("space")->text;
  if (const Value* size = value.find("size")) read_size(*size, key + ".size", coordinate);
  return coordinate;
}

/// There are some, but not too many.
void require_coordinates(const Value& table, const std::vector<Coordinate>& coordinates) {
  const Value* list = table.find("coordinates");
  if (coordinates.empty())
    throw ScenarioError((list == nullptr ? table : *list).place(), "system.coordinates",
                        "the list is empty; a system has at least one coordinate or body.");
  long total = 0;
  for (const Coordinate& coordinate : coordinates) {
    total += coordinates_of(coordinate);
    if (total > most_coordinates)
      throw ScenarioError(coordinate.place, coordinate.key,
                          "more than " + std::to_string(most_coordinates) + " coordinates.");
  }
}

}  // namespace

void leave_out_points(const Value& run, System& system) {
  if (run.find("reconstruct")->truth) return;
  for (Coordinate& coordinate : system.coordinates)
    coordinate.reduced = find_reduced_space(coordinate.space) != nullptr;
}

namespace {

void add_coordinate_names(const System& system, NameTable& names) {
  for (const Coordinate& coordinate : system.coordinates) {
    const auto add = [&](const std::string& name, const std::string& what) {
      names.add(name, what, coordinate.place, coordinate.key);
    };
    add(coordinate.name, coordinate.body ? "a body" : "a coordinate");
    const Notation& notation = find_space(coordinate.space)->notation();
    std::set<std::string> added{""};  // a force may have the name of the entry it acts on
    for (const Names* part : {&notation.entries, &notation.velocities, &notation.momenta,
                              &notation.forces, &notation.spatial}) {
      std::vector<std::string> suffixes = part->suffixes;
      for (const VectorName& vector : part->vectors) suffixes.push_back(vector.suffix);
      for (const std::string& suffix : suffixes)
        if (added.insert(suffix).second)
          add(coordinate.name + suffix, part->what + " " + coordinate.name);
    }
    for (const std::string& suffix : notation.casimirs)
      add(coordinate.name + suffix, "a Casimir function of " + coordinate.name);
  }
}

void read_parameters(const Value& table, System& system, NameTable& names) {
  for (const Member& member : table.members) {
    system.parameters.push_back(read_parameter(member, "system.parameters"));
    names.add(member.key, "a parameter", member.mark.place(), "system.parameters." + member.key);
  }
}

std::vector<Component> read_forces(const Value& table, const Families& families,
                                   const std::string& key) {
  ComponentReader reader(families, key, "coordinate");
  for (const Member& member : table.members) reader.read(member);
  return reader.of(Role::force);
}

/// What is recorded beside the coordinates has a column too, so its names must differ from theirs.
void read_recorded(const Value& table, System& system) {
  NameTable columns;
  columns.add("energy", "a column that is always recorded", {}, "");
  add_coordinate_names(system, columns);
  if (const Value* observe = table.find("observe"))
    for (const Member& member : observe->members) {
      const std::string key = "system.observe." + shown(member.key);
      require_identifier(member.key, member.mark.place(), key);
      columns.add(member.key, "a function to observe", member.mark.place(), key);
      system.observe.emplace_back(member.key, make_text(member.value, key));
    }
  const Value* symmetry = table.find("symmetry");
  if (symmetry == nullptr) return;
  const Families families(system, {Role::force});
  for (const Member& member : symmetry->members) {
    const std::string key = "system.symmetry." + shown(member.key);
    require_identifier(member.key, member.mark.place(), key);
    columns.add(member.key, "a symmetry", member.mark.place(), key);
    system.symmetry.push_back(
        {member.key, read_forces(member.value, families, key), member.mark.place()});
  }
}

void reserve_index(const System& system, NameTable& names) {
  std::size_t indices = 0;
  for (const Coordinate& c : system.coordinates)
    indices = std::max(indices, c.indices().size() - (c.vector ? 1 : 0));
  if (indices > 0) names.add("i", "the index of array entries", {}, "");
  if (indices > 1) names.add("j", "the second index of array entries", {}, "");
}

// What is stated once for each i: [[system.term]], parts of the potential, and constraints.

TermText read_term(const Value& table, const std::string& key) {
  return {make_text(*table.find("potential"), key + ".potential"), text_of(table, "step", key),
          read_range(table, key)};
}

ConstraintText read_constraint(const Value& item, const std::string& key) {
  if (item.kind != Kind::table) return {make_text(item, key), {}};
  const Value* integrable = item.find("integrable");
  return {make_text(*item.find("phi"), key + ".phi"), read_range(item, key),
          integrable != nullptr && integrable->truth};
}

}  // namespace

void read_name(const std::string& text, const std::string& key, Coordinate& coordinate) {
  const auto open = text.find('[');
  coordinate.name = trimmed(text.substr(0, open));
  require_identifier(coordinate.name, coordinate.place, key);
  if (coordinate.name == "project")
    throw ScenarioError(coordinate.place, key, "project is a key of [start]; choose another name.");
  if (open == std::string::npos) return;
  const std::string inside = trimmed(text.substr(open + 1));
  const auto comma = inside.find(',');
  coordinate.array = true;
  if (coordinate.name == "lambda")
    throw ScenarioError(coordinate.place, key,
                        "lambda[1] is a constraint force in the outputs; choose another name.");
  const auto read = [&](const std::string& range, int& first, int& last) {
    const auto dots = range.find("..");
    if (dots == std::string::npos || inside.back() != ']')
      throw ScenarioError(coordinate.place, key,
                          "an array is written \"q[1..64]\", or \"u[1..8,1..8]\" with two "
                          "indices, found \"" +
                              shown(text) + "\".");
    first = whole_number(trimmed(range.substr(0, dots)), coordinate.place, key);
    last = whole_number(trimmed(range.substr(dots + 2)), coordinate.place, key);
    if (first > last)
      throw ScenarioError(
          coordinate.place, key,
          "the first index must not be greater than the last, found \"" + shown(text) + "\".");
    if (static_cast<long>(last) - first >= most_coordinates)
      throw ScenarioError(coordinate.place, key,
                          "more than " + std::to_string(most_coordinates) + " coordinates.");
  };
  const std::string ranges = inside.substr(0, inside.size() - 1);
  read(ranges.substr(0, comma), coordinate.first, coordinate.last);
  if (comma != std::string::npos)
    read(ranges.substr(comma + 1), coordinate.first_column, coordinate.last_column);
}

std::optional<IndexRange> read_range(const Value& table, const std::string& key) {
  const Value* range = table.find("i");
  if (range == nullptr) return {};
  if (range->items.size() != 2)
    throw ScenarioError(range->place(), key + ".i",
                        "takes the first and the last value, as in i = [1, 30]; found a list of " +
                            std::to_string(range->items.size()) + ".");
  return IndexRange(make_text(range->items[0], key + ".i[1]"),
                    make_text(range->items[1], key + ".i[2]"));
}

Parameter read_parameter(const Member& member, const std::string& table) {
  const std::string key = table + "." + shown(member.key);
  const Value& value = member.value;
  Parameter parameter{member.key, {}, value.kind == Kind::list, member.mark.place()};
  require_identifier(member.key, parameter.place, key);
  const auto is_list = [](const Value& item) { return item.kind == Kind::list; };
  if (std::any_of(value.items.begin(), value.items.end(), is_list)) {
    const std::size_t columns = value.items.front().items.size();
    parameter.columns = static_cast<int>(columns);
    for (const Value& row : value.items)
      if (!is_list(row))
        throw ScenarioError(
            row.place(), key,
            "the rows of a matrix are lists of numbers, found " + description(row) + ".");
    read_rows(value, key, {static_cast<int>(value.items.size()), parameter.columns},
              parameter.values);
  } else {
    parameter.values =
        parameter.array ? read_texts(&value, key) : std::vector{make_text(value, key)};
  }
  if (parameter.values.empty())
    throw ScenarioError(value.place(), key, "must have at least one entry.");
  return parameter;
}

std::vector<Text> read_parameter_names(const Value* list, const std::string& key,
                                       const System& system) {
  std::vector<std::string> known;
  for (const Parameter& parameter : system.parameters)
    if (!parameter.array) known.push_back(parameter.name);
  std::vector<Text> names = read_texts(list, key);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto same = [&](const Text& other) { return other.value == names[i].value; };
    if (std::find(known.begin(), known.end(), names[i].value) == known.end())
      throw ScenarioError(names[i], "is not a parameter that is a single number; there are: " +
                                        listed(known) + "." + did_you_mean(names[i].value, known));
    if (std::any_of(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), same))
      throw ScenarioError(names[i], "is given twice");
  }
  return names;
}

System read_system(const Value& table) {
  System system;
  system.place = table.place();
  system.coordinates = read_items(table.find("coordinates"), "system.coordinates", read_coordinate);
  read_bodies(table, system);
  require_coordinates(table, system.coordinates);
  NameTable names;
  reserve_index(system, names);
  add_coordinate_names(system, names);
  add_point_names(system, names);
  if (const Value* parameters = table.find("parameters"))
    read_parameters(*parameters, system, names);
  if (const Value* definitions = table.find("let")) read_definitions(*definitions, system, names);
  system.free = read_parameter_names(table.find("free"), "system.free", system);
  system.lagrangian = text_of(table, "lagrangian", "system");
  system.hamiltonian = text_of(table, "hamiltonian", "system");
  system.discrete_lagrangian = text_of(table, "discrete_lagrangian", "system");
  if (const Value* force = table.find("force"))
    system.force = read_forces(*force, Families(system, {Role::force}), "system.force");
  system.holonomic = read_items(table.find("holonomic"), "system.holonomic", read_constraint);
  read_joints(table, system);
  system.nonholonomic =
      read_items(table.find("nonholonomic"), "system.nonholonomic", read_constraint);
  system.terms = read_items(table.find("term"), "system.term", read_term);
  read_recorded(table, system);
  return system;
}

}  // namespace varia::io
