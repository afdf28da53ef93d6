// SPDX-License-Identifier: BSD-3-Clause
// [solid] and its [run], read from tables that the schema allows.
#include <algorithm>

#include "../scenario/reading.hpp"
#include "../scenario/words.hpp"
#include "varia/io/solid_scenario.hpp"

namespace varia::io {

namespace {

/// The place of a whole table or list.
Text whole_text(const Value& value, const std::string& key) { return {"", value.place(), key}; }

std::vector<Text> texts_of(const Value& value, const std::string& key) {
  return value.kind == Kind::list ? read_texts(&value, key) : std::vector{make_text(value, key)};
}

VectorText read_vector(const Value* table, const std::string& key) {
  static const std::vector<std::string> names{"x", "y", "z"};
  VectorText vector;
  if (table == nullptr) return vector;
  for (const Member& member : table->members) {
    const std::string which = key + "." + shown(member.key);
    const auto at = std::find(names.begin(), names.end(), member.key);
    if (at == names.end())
      throw ScenarioError(
          member.mark.place(), which,
          "there is no such component; there are: x, y, z." + did_you_mean(member.key, names));
    vector[static_cast<std::size_t>(at - names.begin())] = make_text(member.value, which);
  }
  return vector;
}

/// The same for a table that says nothing when it is empty.
VectorText read_some(const Value& table, const std::string& key) {
  if (table.members.empty())
    throw ScenarioError(table.place(), key,
                        "the table is empty; give one of x, y, z, as in { x = 0 }.");
  return read_vector(&table, key);
}

MeshText read_mesh(const Value& table) {
  const std::string key = "solid.mesh";
  MeshText mesh{text_of(table, "file", key), text_of(table, "generate", key), {}, {}};
  mesh.whole = whole_text(table, key);
  for (const Member& member : table.members)
    if (member.key != "file" && member.key != "generate")
      mesh.values.emplace_back(member.key, texts_of(member.value, key + "." + member.key));
  return mesh;
}

MaterialText read_material(const Value& table, const std::string& key) {
  MaterialText material{make_text(*table.find("model"), key + ".model"),
                        make_text(*table.find("density"), key + ".density"),
                        {},
                        whole_text(table, key)};
  for (const Member& member : table.members)
    if (member.key != "model" && member.key != "density")
      material.constants.emplace_back(member.key,
                                      make_text(member.value, key + "." + shown(member.key)));
  return material;
}

WhereText read_where(const Value& table, const char* name, const std::string& key) {
  return {text_of(table, "where", key), text_of(table, name, key)};
}

void read_parts(const Value& table, SolidText& solid) {
  const auto each = [&](const char* name, const auto& read) {
    return read_items(table.find(name), std::string("solid.") + name, read);
  };
  solid.regions = each("region", [](const Value& entry, const std::string& key) {
    return RegionText{read_where(entry, "name", key),
                      read_material(*entry.find("material"), key + ".material")};
  });
  solid.fixes = each("fix", [](const Value& entry, const std::string& key) {
    const bool displacement = entry.find("displacement") != nullptr;
    const char* what = displacement ? "displacement" : "position";
    return FixText{read_where(entry, "boundary", key),
                   read_some(*entry.find(what), key + "." + what), displacement};
  });
  solid.loads = each("load", [](const Value& entry, const std::string& key) {
    return LoadText{read_where(entry, "boundary", key),
                    read_some(*entry.find("traction"), key + ".traction")};
  });
}

void read_parameters(const Value& table, SolidText& solid) {
  const Value* parameters = table.find("parameters");
  if (parameters == nullptr) return;
  NameTable names;
  for (const char* coordinate : {"X", "Y", "Z"})
    names.add(coordinate, "a reference coordinate", {}, "");
  for (const Member& member : parameters->members) {
    solid.parameters.push_back(read_parameter(member, "solid.parameters"));
    names.add(member.key, "a parameter", member.mark.place(), "solid.parameters." + member.key);
  }
}

SolidStartText read_solid_start(const Value& table) {
  const std::string key = "solid.start";
  SolidStartText start;
  start.t = make_text(*table.find("t"), key + ".t");
  start.position = read_vector(table.find("position"), key + ".position");
  start.velocity = read_vector(table.find("velocity"), key + ".velocity");
  if (const Value* spin = table.find("spin")) {
    start.spin = texts_of(*spin, key + ".spin");
    start.whole_spin = whole_text(*spin, key + ".spin");
    if (start.spin.empty())
      throw ScenarioError(start.whole_spin, "must be a number in the plane, three in space.");
  }
  if (const Value* centre = table.find("centre")) {
    start.centre = texts_of(*centre, key + ".centre");
    start.whole_centre = whole_text(*centre, key + ".centre");
    if (start.spin.empty())
      throw ScenarioError(start.whole_centre,
                          "the centre of a spin, but there is no spin; add solid.start.spin.");
    if (start.centre.empty())
      throw ScenarioError(start.whole_centre,
                          "must have two entries in the plane, three in space.");
  }
  return start;
}

std::vector<std::string> always_recorded() {
  std::vector<std::string> names{"energy",  "kinetic",          "potential", "max_displacement",
                                 "updates", "rotation_period",  "length",    "momentum",
                                 "speed",   "angular_momentum", "stress"};
  for (const char* vector : {"P_", "L_", "centre_"})
    for (const char* axis : {"x", "y", "z"}) names.push_back(std::string(vector) + axis);
  return names;
}

/// What is recorded of every solid has a column too, so that probes have other names.
void read_probes(const Value& table, SolidText& solid) {
  const Value* observe = table.find("observe");
  if (observe == nullptr) return;
  NameTable columns;
  for (const std::string& name : always_recorded())
    columns.add(name, "something that is always recorded", {}, "");
  for (const Member& member : observe->members) {
    const std::string key = "solid.observe." + shown(member.key);
    require_identifier(member.key, member.mark.place(), key);
    columns.add(member.key, "a number to observe", member.mark.place(), key);
    solid.probes.push_back({member.key, texts_of(*member.value.find("at"), key + ".at"),
                            make_text(*member.value.find("what"), key + ".what")});
  }
}

SolidRunText read_solid_options(const Value& table) {
  SolidRunText run;
  run.newmark = table.find("method")->text == "newmark";
  run.courant = text_of(table, "courant", "run");
  run.step = text_of(table, "step", "run");
  run.frames = whole(*table.find("frames"));
  run.records = whole(*table.find("records"));
  run.threads = whole(*table.find("threads"));
  run.schedule = table.find("schedule")->text;
  run.start = table.find("start")->text;
  run.local_energy = table.find("local_energy")->text;
  run.energy_stationary = table.find("energy_stationary")->truth;
  return run;
}

/// Keys of [run] that mean nothing for the method are errors: they would be ignored.
void check_method(const SolidRunText& run, const Value& table) {
  const auto refuse = [&](const char* name, const std::string& message) {
    if (const Member* member = table.member(name))
      throw ScenarioError(member->mark.place(), std::string("run.") + name, message);
  };
  if (!run.newmark) {
    refuse("step",
           "avi has no common step: every element has its own, which run.courant scales; "
           "newmark has one.");
    refuse("steps", "avi has no common step to count; give run.until.");
    const std::string alone =
        "not with run.energy_stationary: its elements act one after the other, from a queue of its "
        "own. Leave it out.";
    if (run.energy_stationary && run.threads != 1) refuse("threads", alone);
    if (run.energy_stationary && run.schedule != "node_clocks") refuse("schedule", alone);
  } else if (run.energy_stationary) {
    refuse("energy_stationary", "for avi only: newmark has one step for all elements.");
  }
}

}  // namespace

SolidText read_solid(const Value& table, const Value& run) {
  SolidText solid;
  solid.place = table.place();
  solid.mesh = read_mesh(*table.find("mesh"));
  if (const Value* material = table.find("material"))
    solid.material = read_material(*material, "solid.material");
  read_parameters(table, solid);
  read_parts(table, solid);
  solid.plane = text_of(table, "plane", "solid");
  solid.body_force = read_vector(table.find("body_force"), "solid.body_force");
  solid.start = read_solid_start(*table.find("start"));
  read_probes(table, solid);
  solid.run = read_solid_options(run);
  check_method(solid.run, run);
  return solid;
}

std::vector<std::string> solid_quantities(const SolidText& solid) {
  std::vector<std::string> names{"t",     "length", "energy", "momentum", "angular_momentum",
                                 "speed", "stress"};
  for (const ProbeText& probe : solid.probes) names.push_back(probe.name);
  return names;
}

}  // namespace varia::io
