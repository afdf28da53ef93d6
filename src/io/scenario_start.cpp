// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "nearest.hpp"
#include "scenario_reading.hpp"
#include "varia/space/list.hpp"

namespace varia::io {

namespace {

[[noreturn]] void fail_length(const Value& list, const std::string& key, std::size_t length) {
  throw ScenarioError(list.place(), key,
                      "must have " + std::to_string(length) + " entries, found " +
                          std::to_string(list.items.size()) + ".");
}

void read_numbers(const Value& list, const std::string& key, std::size_t length,
                  std::vector<Text>& numbers) {
  if (list.items.size() != length) fail_length(list, key, length);
  for (std::size_t k = 0; k < length; ++k)
    numbers.push_back(make_text(list.items[k], key + "[" + std::to_string(k + 1) + "]"));
}

/// { angle_axis = [x, y, z] }, { quaternion = [w, x, y, z] } or { matrix = [[..], [..], [..]] }
std::string forms_of(const Notation& notation) {
  std::string text;
  for (std::size_t i = 0; i < notation.forms.size(); ++i) {
    if (i > 0) text += i + 1 == notation.forms.size() ? " or " : ", ";
    std::string keys;
    for (const PointKey& key : notation.forms[i])
      keys += (keys.empty() ? "" : ", ") + key.key + " = " + key.text;
    text += "{ " + keys + " }";
  }
  return text;
}

void read_rows(const Value& list, const std::string& key, const std::vector<int>& shape,
               std::vector<Text>& numbers) {
  if (shape.empty()) {
    numbers.push_back(make_text(list, key));
    return;
  }
  const auto length = static_cast<std::size_t>(shape.front());
  if (shape.size() == 1) return read_numbers(list, key, length, numbers);
  if (list.items.size() != length) fail_length(list, key, length);
  for (std::size_t row = 0; row < length; ++row)
    read_numbers(list.items[row], key + "[" + std::to_string(row + 1) + "]",
                 static_cast<std::size_t>(shape[1]), numbers);
}

/// Whether the keys of the table are those of the form.
bool has_form(const Value& table, const PointForm& form) {
  return table.members.size() == form.size() &&
         std::all_of(form.begin(), form.end(),
                     [&](const PointKey& k) { return table.find(k.key) != nullptr; });
}

PointStart read_point(const Member& member, const Notation& notation) {
  const std::string key = "start." + member.key;
  const Value& table = member.value;
  for (std::size_t i = 0; table.kind == Kind::table && i < notation.forms.size(); ++i) {
    if (!has_form(table, notation.forms[i])) continue;
    PointStart point{member.key, i, {}, member.mark.place()};
    for (const PointKey& k : notation.forms[i])
      read_rows(*table.find(k.key), key + "." + k.key, k.shape, point.numbers);
    return point;
  }
  std::vector<std::string> keys;
  for (const Member& m : table.members) keys.push_back(m.key);
  throw ScenarioError(table.place(), key,
                      member.key + " is " + notation.what + ": " + forms_of(notation) + ", found " +
                          (keys.empty() ? description(table) : listed(keys)) + ".");
}

std::vector<std::string> missing(const Families& families, const ComponentReader& reader,
                                 Role role) {
  std::vector<std::string> names;
  for (const Family& family : families.list())
    for (long index = family.first; family.role == role && index <= family.last; ++index)
      if (!reader.has(family, index)) names.push_back(family.component(index));
  return names;
}

/// Velocities or momenta, but not some of each: the state would be given twice or in part.
Role rate_of(const ComponentReader& reader, const System& system) {
  const std::vector<Component> velocities = reader.of(Role::velocity);
  const std::vector<Component> momenta = reader.of(Role::momentum);
  if (!velocities.empty() && !momenta.empty())
    throw ScenarioError(
        momenta.front().text,
        momenta.front().component + " is a momentum and " + velocities.front().component +
            " a velocity; give velocities for all coordinates, or momenta for all.");
  if (velocities.empty() && momenta.empty())  // what a message about missing values should name
    return system.hamiltonian ? Role::momentum : Role::velocity;
  return momenta.empty() ? Role::velocity : Role::momentum;
}

/// Of what is missing: the first is the key, the others are listed.
Text missing_text(std::vector<std::string> names, const Place& place) {
  const std::string first = names.front();
  names.erase(names.begin());
  return {"missing" + (names.empty() ? "" : ", and so are " + listed(names)) +
              "; every coordinate needs a value, and a velocity or a momentum.",
          place, "start." + first};
}

void require_complete(Start& start, const System& system, const Families& families,
                      const ComponentReader& reader, Role rate) {
  std::vector<std::string> names = missing(families, reader, Role::position);
  for (const Coordinate& coordinate : system.coordinates)
    if (!find_space(coordinate.space)->notation().forms.empty() &&
        std::none_of(start.points.begin(), start.points.end(),
                     [&](const PointStart& r) { return r.name == coordinate.name; }))
      names.push_back(coordinate.name);
  const bool positions = names.empty();
  const std::vector<std::string> rates = missing(families, reader, rate);
  names.insert(names.end(), rates.begin(), rates.end());
  if (names.empty()) return;
  const Text text = missing_text(names, start.place);
  if (!positions || !reader.of(rate).empty() || system.hamiltonian)
    throw ScenarioError(text.place, text.key, text.value);
  start.missing_rates = text;
}

}  // namespace

Start read_start(const Value& table, const System& system) {
  Start start;
  start.place = table.place();
  start.t = make_text(*table.find("t"), "start.t");
  start.project = table.find("project")->truth;
  const Families families(system, {Role::position, Role::point, Role::velocity, Role::momentum});
  ComponentReader reader(families, "start", "coordinate, velocity or momentum");
  for (const Member& member : table.members) {
    if (member.key == "t" || member.key == "project") continue;
    const Family* family = families.find(member.key);
    if (family != nullptr && family->role == Role::point)
      start.points.push_back(read_point(member, *family->notation));
    else
      reader.read(member);
  }
  const Role rate = rate_of(reader, system);
  require_complete(start, system, families, reader, rate);
  start.positions = reader.of(Role::position);
  start.rates = reader.of(rate);
  start.momenta = rate == Role::momentum;
  return start;
}

}  // namespace varia::io
