// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The names of a system, and the parts of a scenario, each read from its table of a document that the
// schema allows.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document.hpp"
#include "varia/io/scenario.hpp"
#include "varia/space/notation.hpp"

namespace varia::io {

/// Positions are numbers; a point is stated in one of the forms of its space; a list has an entry for
/// each of some velocities, momenta or forces: n_dot = [..].
enum class Role { position, velocity, momentum, force, point, list };

/// One name for one scalar component, or for all components of an array.
struct Family {
  std::string name;
  Role role = Role::position;
  expr::Shape indices;                    // of an array
  bool vector = false;                    // whether the last index counts components of vectors
  const Notation* notation = nullptr;     // of its space
  std::size_t first_part = 0, parts = 0;  // of a list: families
  bool optional = false;                  // 0 where a start does not give it

  long size() const { return static_cast<long>(expr::entries_of(indices)); }
  std::string component(long k) const {
    return name + expr::index_text(indices, static_cast<std::size_t>(k));
  }
  std::string components_text() const { return component(0) + " to " + component(size() - 1); }
};

/// The families of some roles in the order of the coordinates, found by name.
class Families {
 public:
  Families(const System& system, const std::vector<Role>& roles);

  const std::vector<Family>& list() const { return list_; }
  const Family* find(const std::string& name) const;
  const Family& operator[](std::size_t number) const { return list_[number]; }
  std::vector<std::string> names() const;

 private:
  std::vector<Family> list_;
  std::map<std::string, std::size_t> by_name_;
};

/// Throws ScenarioError when two things have one name; messages name the key of the later one.
class NameTable {
 public:
  /// `what` completes "x is ...": "a coordinate", "the velocity of x".
  void add(const std::string& name, const std::string& what, const Place& place,
           const std::string& key);
  /// The same for a name that is used in one place only.
  void refuse(const std::string& name, const std::string& what, const Place& place,
              const std::string& key) const;

 private:
  std::map<std::string, std::string> taken_;
};

/// Throws ScenarioError unless the name is one of the language of expressions: letters, digits and _.
void require_identifier(const std::string& name, const Place& place, const std::string& key);

Text make_text(const Value& value, std::string key);
/// The member of a table as a text, where it is there.
std::optional<Text> text_of(const Value& table, const char* name, const std::string& key);

/// What read(item, key of the item) gives for the items of a list; nothing where there is no list.
template <class Read> auto read_items(const Value* list, const std::string& key, const Read& read) {
  std::vector<decltype(read(*list, key))> results;
  if (list == nullptr) return results;
  for (const Value& item : list->items)
    results.push_back(read(item, key + "[" + std::to_string(results.size() + 1) + "]"));
  return results;
}
std::vector<Text> read_texts(const Value* list, const std::string& key);

long whole(const Value& value);  ///< of a value that the schema takes for a whole number

/// The indices of a component, as i and j of its text.
void set_indices(const Family& family, long k, long& i, bool& indexed, std::optional<long>& j);

/// Appends the numbers of a list of this length, or of rows of such lists.
void read_numbers(const Value& list, const std::string& key, std::size_t length,
                  std::vector<Text>& numbers);
void read_rows(const Value& list, const std::string& key, const std::vector<int>& shape,
               std::vector<Text>& numbers);
/// i = [1, "n"] of what is stated once for each i.
std::optional<IndexRange> read_range(const Value& table, const std::string& key);
/// Reads "x" or "q[1..64]" into the coordinate.
void read_name(const std::string& text, const std::string& key, Coordinate& coordinate);

System read_system(const Value& table);
void read_definitions(const Value& table, System& system, NameTable& names);
/// Of all groups, where the table [run] says so.
void leave_out_points(const Value& run, System& system);
/// Bodies, with their poses as coordinates, and gravity.
void read_bodies(const Value& table, System& system);
void read_joints(const Value& table, System& system);
/// The names of where points of bodies are, which formulas may use.
void add_point_names(const System& system, NameTable& names);
Start read_start(const Value& table, const System& system);
/// Of what a control problem fixes at the start or at the end, `key`; not all need be given. Other members of the
/// table have been taken out.
Start read_conditions(const Value& table, const System& system, const std::string& key);
/// { x = "4*t", R = { angle_axis = [..] } }: positions and points as functions of t.
Start read_motion(const Value& table, const System& system, const std::string& key);
/// [control] and [end]; takes what is not of the system's motion out of the start.
ControlText read_control(const Value& root, const System& system, Start& start);
Run read_run(const Value& table);
/// names: of the columns there are without it.
Diagnose read_diagnose(const Value& table, const std::vector<std::string>& names,
                       const System& system);
/// A list of names of parameters that are single numbers.
std::vector<Text> read_parameter_names(const Value* list, const std::string& key,
                                       const System& system);
/// The picture; names of coordinates are checked where there is a model.
SceneText read_scene(const Value& table);
std::vector<PlotText> read_plots(const Value* list);
/// [[event]]
std::vector<EventText> read_events(const Value* list);
Output read_output(const Value& table, const std::vector<std::string>& names);
/// What units may be stated for.
std::vector<std::string> recorded_names(const System& system);
/// A parameter under `table`, such as system.parameters.
Parameter read_parameter(const Member& member, const std::string& table);
SolidText read_solid(const Value& table, const Value& run);
Run read_end(const Value& table);  ///< of every [run]: method, until, steps
Reproduce read_reproduce(const Value& table, const Value& root);
SweepText read_sweep(const Value& table, const Value& root);

/// Turns { x = "-y", q = "sin(i)", "q[3]" = 0 } into one value per scalar component, or per point. An
/// entry of its own, such as q[3], has precedence over what is given for the whole array, and a component
/// over a list of components. A text may be of all components of a vector, r = "cross(e3, r)".
class ComponentReader {
 public:
  /// The value for one of a family; the document owns both.
  struct Given {
    std::string name() const { return family->component(index); }

    const Family* family;
    long index;  ///< from 0
    const Value* value;
    int precedence;
    expr::Shape whole = {};  ///< of what a text may be, and
    std::size_t part = 0;    ///< the place of this one in it
    bool alone = true;
    std::string vector = {};  ///< the name of what a text states that is not of this one alone
  };

  /// `key` is that of the table, `what` the things it may name: "coordinate".
  ComponentReader(const Families& families, std::string key, std::string what);

  void read(const Member& member);
  /// k counts from 0.
  bool has(const Family& family, long k) const;
  std::vector<Given> given(Role role) const;   ///< in the order of the file
  std::vector<Component> of(Role role) const;  ///< the same as texts, of what is a number

 private:
  /// What is left of an array when its first indices are given.
  struct Part {
    expr::Shape rest() const;
    long size() const { return static_cast<long>(expr::entries_of(rest())); }
    std::string name() const;  ///< r, r[4]
    Part row(long k) const;

    const Family* family;
    std::size_t depth;  ///< so many indices are given
    long begin;
    int precedence;
  };
  Part part_of(const Member& member) const;
  void read_part(const Part& part, const Value& value);
  void read_list(const Part& part, const Value& value);
  void read_text(const Part& part, const Value& value);
  void put(const Part& part, const Value& value);
  void put_parts(const Family& list, long k, const Value& value, int precedence);
  void put_one(const Given& given);

  const Families& families_;
  std::string key_, what_;
  std::vector<Given> given_;
  std::map<std::pair<const Family*, long>, std::size_t> at_;
};

}  // namespace varia::io
