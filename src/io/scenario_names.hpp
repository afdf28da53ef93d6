// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The names of a system: what each means, and that none means two things.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "document.hpp"
#include "varia/io/scenario.hpp"
#include "varia/space/notation.hpp"

namespace varia::io {

/// Positions are numbers; a point is stated in one of the forms of its space.
enum class Role { position, velocity, momentum, force, point };

/// One name for one scalar component, or for all components of an array.
struct Family {
  std::string name;
  Role role = Role::position;
  bool array = false;
  int first = 0, last = 0;             // a scalar has the one index 0
  const Notation* notation = nullptr;  // of its space

  long size() const { return static_cast<long>(last) - first + 1; }
  std::string component(long index) const {
    return array ? name + "[" + std::to_string(index) + "]" : name;
  }
};

/// The families of some roles in the order of the coordinates, found by name.
class Families {
 public:
  Families(const System& system, const std::vector<Role>& roles);

  const std::vector<Family>& list() const { return list_; }
  const Family* find(const std::string& name) const;
  std::vector<std::string> names() const;

 private:
  std::vector<Family> list_;
  std::map<std::string, std::size_t> by_name_;
};

/// Throws ScenarioError when two things have one name; messages name the key of the later one.
class NameTable {
 public:
  NameTable();
  /// `what` completes "x is ...": "a coordinate", "the velocity of x".
  void add(const std::string& name, const std::string& what, const Place& place,
           const std::string& key);

 private:
  std::map<std::string, std::string> taken_;
};

/// Throws ScenarioError unless the name has the form [A-Za-z_][A-Za-z0-9_]*.
void require_identifier(const std::string& name, const Place& place, const std::string& key);

}  // namespace varia::io
