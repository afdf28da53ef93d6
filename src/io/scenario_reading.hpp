// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The parts of a scenario, each read from its table of a document that the schema allows.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "document.hpp"
#include "scenario_names.hpp"
#include "varia/io/scenario.hpp"

namespace varia::io {

Text make_text(const Value& value, std::string key);
long whole(const Value& value);  ///< of a value that the schema takes for a whole number

System read_system(const Value& table);
/// Of [[system.term]]; none where the list is not there.
std::vector<TermText> read_terms(const Value* list);
std::vector<ConstraintText> read_constraints(const Value* list, const std::string& key);
Start read_start(const Value& table, const System& system);
Run read_run(const Value& table);
/// names: of the columns there are without it.
Diagnose read_diagnose(const Value& table, const std::vector<std::string>& names);
Output read_output(const Value& table, const std::vector<std::string>& names);
/// What units may be stated for.
std::vector<std::string> recorded_names(const System& system);
/// A parameter under `table`, such as system.parameters.
Parameter read_parameter(const Member& member, const std::string& table);
SolidText read_solid(const Value& table, const Value& run);
Run read_solid_run(const Value& table);  ///< method, until, steps
Reproduce read_reproduce(const Value& table, const Value& root);

/// Turns { x = "-y", q = "sin(i)", "q[3]" = 0 } into one text per scalar component. An entry of its
/// own, such as q[3], has precedence over what is given for the whole array.
class ComponentReader {
 public:
  /// `key` is that of the table, `what` the things it may name: "coordinate".
  ComponentReader(const Families& families, std::string key, std::string what);

  void read(const Member& member);
  bool has(const Family& family, long index) const;
  std::vector<Component> of(Role role) const;  ///< in the order of the file

 private:
  void read_array(const Family& family, const Value& value);
  void read_list(const Family& family, const Value& value);
  void put(const Family& family, long index, const Value& value, bool own);
  const Family& family_of(const Member& member, long& index, bool& own) const;

  struct Slot {
    Role role;
    bool own;
    Component component;
  };
  const Families& families_;
  std::string key_, what_;
  std::vector<Slot> slots_;
  std::map<std::pair<const Family*, long>, std::size_t> at_;
};

}  // namespace varia::io
