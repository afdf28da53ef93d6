// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/summary.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "summary_json.hpp"
#include "varia/core/version.hpp"

namespace varia::io {

namespace {

using Json = nlohmann::ordered_json;

/// A member of an object.
std::pair<const char*, Json> member(const char* name, Json value) {
  return {name, std::move(value)};
}

/// An object of different names. Lists in braces would make an array of each name and value first.
template <class... Members> Json object(Members&&... members) {
  Json json = Json::object();
  auto& all = json.get_ref<Json::object_t&>();
  all.reserve(sizeof...(members));
  (all.emplace_back(members.first, std::move(members.second)), ...);
  return json;
}

/// An object of values by name. The names differ, so they are appended: `object[name]` would compare
/// each with all before it.
template <class Value, class F> Json named(const ByName<Value>& values, const F& json_of) {
  Json object = Json::object();
  auto& members = object.get_ref<Json::object_t&>();
  members.reserve(values.size());
  for (const auto& [name, value] : values) members.emplace_back(name, json_of(value));
  return object;
}

Json named(const ByName<double>& values) {
  return named(values, [](double x) { return Json(x); });
}

Json named(const NamedNumbers& values) {
  return named(ByName<double>(values.begin(), values.end()));
}

Json of(const Summary::Structure& s) {
  return object(member("separable", s.separable), member("explicit", s.is_explicit),
                member("time_independent", s.time_independent), member("cyclic", s.cyclic));
}

/// Without q, v and p.
Json of(const Summary::Final& f) { return object(member("t", f.t), member("lambda", f.lambda)); }

Json all_of(const Summary::Final& f) {
  return object(member("t", f.t), member("q", named(f.q)), member("v", named(f.v)),
                member("p", named(f.p)), member("lambda", f.lambda));
}

Json of(const Summary::Energy& e) {
  return object(
      member("initial", e.initial), member("final", e.final),
      member("max_abs_error", e.max_abs_error), member("max_rel_error", e.max_rel_error),
      member("drift_per_time", e.drift_per_time), member("drift_error", e.drift_error),
      member("trend", e.trend), member("min", e.min), member("max", e.max),
      member("exchanged", e.exchanged), member("swing", e.swing),
      member("error_of_exchanged", e.exchanged > 0.0 ? Json(e.of_exchanged()) : Json(nullptr)),
      member("round_off", e.round_off));
}

Json of(const ByName<Summary::Momentum>& momenta) {
  return named(momenta, [](const Summary::Momentum& m) {
    return object(member("initial", m.initial), member("max_abs_error", m.max_abs_error),
                  member("final", m.final), member("parts", m.parts));
  });
}

Json of(const ByName<Summary::Observed>& observed) {
  return named(observed, [](const Summary::Observed& o) {
    return object(member("initial", o.initial), member("final", o.final), member("min", o.min),
                  member("max", o.max), member("range", o.range), member("mean", o.mean));
  });
}

/// Of what the scenario leaves open only.
void add_choice(Json& json, const Summary& s) {
  const RunChoice& c = s.choice;
  if (!c.made()) return;
  Json chosen = Json::object();
  if (!c.method.empty()) chosen["method"] = c.method;
  if (c.step != 0.0) chosen["step"] = c.step;
  chosen["why"] = c.lines();
  if (c.frequency > 0.0) chosen["frequency"] = c.frequency;
  if (c.tolerance > 0.0) chosen["tolerance"] = c.tolerance;
  if (c.stretch > 0.0)
    chosen.update(object(member("stretch", c.stretch), member("error_estimate", c.error)));
  json["chosen"] = chosen;
}

void add_moved(Json& json, const Summary& s) {
  if (!s.moved) return;
  const auto both = [](const ByName<std::pair<double, double>>& list) {
    return named(list, [](const std::pair<double, double>& change) {
      return object(member("from", change.first), member("to", change.second));
    });
  };
  json["moved"] = object(member("q", both(s.moved->q)), member("v", both(s.moved->v)));
}

void add_diagnose(Json& json, const Summary& s) {
  const Summary::Diagnose& d = s.diagnose;
  for (const Summary::Part& part : s.parts)
    json["parts"].push_back(object(member("from_t", part.from_t), member("step", part.step),
                                   member("steps", part.steps)));
  if (s.step_length)
    json["step_length"] =
        object(member("min", s.step_length->min), member("max", s.step_length->max),
               member("final", s.step_length->final));
  if (s.keep_energy)
    json["keep_energy"] = object(member("discrete_energy", s.keep_energy->discrete_energy),
                                 member("minimised", s.keep_energy->minimised));
  if (s.nonholonomic)
    json["nonholonomic"] =
        object(member("max_multiplier_defect", s.nonholonomic->max_multiplier_defect),
               member("max_multiplier", s.nonholonomic->max_multiplier));
  if (d.modified_energy)
    json["diagnose"]["modified_energy"] =
        object(member("by", d.modified_energy->order > 0 ? "formula" : "shadow"),
               member("order", d.modified_energy->order));
  if (d.heat)
    json["diagnose"]["heat"] =
        object(member("mean", d.heat->mean), member("temperature", d.heat->temperature),
               member("degrees_of_freedom", d.heat->degrees_of_freedom));
  for (const auto& [name, b] : d.balance)
    json["diagnose"]["balance"][name] =
        object(member("by_lagrangian", b.by_lagrangian), member("by_force", b.by_force),
               member("defect", b.defect));
  if (d.lyapunov)
    json["diagnose"]["lyapunov"] =
        object(member("exponent", d.lyapunov->exponent), member("error", d.lyapunov->error),
               member("megno", d.lyapunov->megno));
  for (const auto& [name, by] : d.sensitivity)
    json["diagnose"]["sensitivity"][name] =
        object(member("t", by.t), member("q", named(by.q)), member("p", named(by.p)));
}

Json of(const Summary::Event& e) {
  Json json;
  if (e.when.empty())
    json["every"] = e.every;
  else
    json["when"] = e.when;
  json["name"] = e.name;
  if (!e.direction.empty()) json["direction"] = e.direction;
  json["action"] = e.action;
  json["after"] = e.after;
  json["count"] = e.count;
  json["times"] = e.times;
  return json;
}

void add_events(Json& json, const Summary& s) {
  for (const Summary::Event& event : s.events) json["events"].push_back(of(event));
}

void add_optimum(Json& json, const Summary& s) {
  if (!s.optimum) return;
  const Summary::Optimum& o = *s.optimum;
  json["optimum"] = {{"cost", o.cost},
                     {"iterations", o.iterations},
                     {"kkt_error", o.kkt_error},
                     {"end_time", o.end_time},
                     {"solver", o.solver},
                     {"status", o.status},
                     {"infeasibility", o.infeasibility},
                     {"seconds", o.seconds}};
  if (!o.parameters.empty()) json["optimum"]["parameters"] = named(o.parameters);
}

void add_solid(Json& json, const Summary& s) {
  if (s.mesh)
    json["mesh"] = object(member("nodes", s.mesh->nodes), member("elements", s.mesh->elements),
                          member("kind", s.mesh->kind));
  if (s.updates)
    json["updates"] = object(
        member("total", s.updates->total), member("max", s.updates->max),
        member("min", s.updates->min), member("newmark_equivalent", s.updates->newmark_equivalent),
        member("ratio", s.updates->ratio), member("predicted", s.updates->predicted),
        member("deviation", s.updates->deviation()), member("per_second", s.updates->per_second));
  if (s.momentum)
    json["momentum"] =
        object(member("linear", s.momentum->linear), member("angular", s.momentum->angular),
               member("max_change", s.momentum->max_change));
  if (s.energy_residual)
    json["energy_residual"] = object(member("max_relative", s.energy_residual->max_relative));
  if (const auto& e = s.energy_stationary)
    json["energy_stationary"] =
        object(member("first", e->first), member("solved", e->solved), member("failed", e->failed),
               member("smallest_step", e->smallest_step), member("largest_step", e->largest_step));
}

/// Keys beyond the contract.
Json of(const Body& body) {
  Json rows = Json::array();
  for (auto row = body.inertia.begin(); row != body.inertia.end(); row += 3)
    rows.push_back(std::vector<double>(row, row + 3));
  Json json =
      object(member("mass", body.mass), member("centre", body.centre), member("inertia", rows));
  json["points"] = named(body.points, [](const std::vector<double>& x) { return Json(x); });
  if (!body.shape.empty()) json["shape"] = Json{{body.shape, body.size}};
  return json;
}

void add_bodies(Json& json, const Summary& s) {
  if (s.bodies.empty()) return;
  ByName<Body> bodies;
  for (const Body& body : s.bodies) bodies.emplace_back(body.name, body);
  json["bodies"] = named(bodies, [](const Body& body) { return of(body); });
}

void add_extras(Json& json, const Summary& s) {
  json["title"] = s.title;
  json["evaluation"] = s.evaluation;
  json["variational"] = s.variational;
  json["records"] = s.records;
  json["fastest_frequency"] = s.fastest_frequency;
  if (s.fastest_rate != 0.0) json["fastest_rate"] = {s.fastest_rate.real(), s.fastest_rate.imag()};
  if (s.step_error) json["step_error"] = *s.step_error;
  json["files"] = Json::object();
  for (const auto& [name, path] : s.files) json["files"][name] = path;
  json["overrides"] = s.overrides;
  json["warnings"] = s.warnings;
  json["verdicts"] = Json::array();
  for (const Verdict& v : s.verdicts)
    json["verdicts"].push_back(object(member("name", v.name), member("status", v.status),
                                      member("value", v.value), member("text", v.text)));
}

void list_infinite(const std::string& key, std::string& list) {
  list += (list.empty() ? "" : ", ") + key;
}

/// The final state, which is not in the JSON.
void list_infinite(const Summary::Final& f, std::string& list) {
  for (const auto& [key, all] :
       {std::pair{"final.q.", &f.q}, {"final.v.", &f.v}, {"final.p.", &f.p}})
    for (std::size_t i = 0; i < all->size(); ++i)
      if (!std::isfinite(all->numbers()[i])) list_infinite(key + (*all)[i].first, list);
}

/// Replaces numbers that JSON does not have by null and lists their keys.
void remove_infinite(Json& json, const std::string& key, std::string& list) {
  if (json.is_number_float() && !std::isfinite(json.get<double>())) {
    list_infinite(key, list);
    json = nullptr;
  } else if (json.is_structured()) {
    for (const auto& item : json.items())
      remove_infinite(item.value(), key.empty() ? item.key() : key + "." + item.key(), list);
  }
}

}  // namespace

double Summary::Energy::of_exchanged() const {
  if (exchanged > 0.0) return max_abs_error / exchanged;
  return max_abs_error > 0.0 ? std::numeric_limits<double>::infinity() : 0.0;
}

nlohmann::ordered_json json_without_final_state(const Summary& s) {
  Json json = object(
      member("varia", s.varia.empty() ? std::string(version) : s.varia),
      member("scenario", s.scenario), member("method", s.method), member("order", s.order),
      member("step", s.step), member("steps", s.steps), member("t_end", s.t_end),
      member("wall_seconds", s.wall_seconds), member("steps_per_second", s.steps_per_second),
      member("structure", of(s.structure)), member("final", of(s.final)),
      member("energy", of(s.energy)), member("momenta", of(s.momenta)),
      member("observe", of(s.observe)),
      member("constraints", object(member("max_position", s.constraints.max_position),
                                   member("max_velocity", s.constraints.max_velocity),
                                   member("relative_position", s.constraints.relative_position),
                                   member("relative_velocity", s.constraints.relative_velocity))),
      member("newton",
             object(member("mean_iterations", s.newton.mean_iterations),
                    member("max_iterations", s.newton.max_iterations),
                    member("failures", s.newton.failures), member("retried", s.newton.retried),
                    member("iterated", s.newton.iterated), member("damped", s.newton.damped))),
      member("status", s.status), member("message", s.message));
  add_choice(json, s);
  add_moved(json, s);
  add_events(json, s);
  add_diagnose(json, s);
  add_optimum(json, s);
  add_solid(json, s);
  add_bodies(json, s);
  add_extras(json, s);
  std::string infinite;
  for (const auto& item : json.items()) {
    remove_infinite(item.value(), item.key(), infinite);
    if (item.key() == "final") list_infinite(s.final, infinite);
  }
  if (!infinite.empty())
    json["message"] = s.message + (s.message.empty() ? "" : " ") + "Not finite: " + infinite + ".";
  return json;
}

nlohmann::ordered_json json_of(const Summary& s) {
  Json json = json_without_final_state(s);
  std::string listed;  // there already
  json["final"] = all_of(s.final);
  remove_infinite(json["final"], "final", listed);
  return json;
}

}  // namespace varia::io
