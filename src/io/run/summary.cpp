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

Json of(const Summary::Structure& s) {
  return {{"separable", s.separable},
          {"explicit", s.is_explicit},
          {"time_independent", s.time_independent},
          {"cyclic", s.cyclic}};
}

Json of(const Summary::Final& f) {
  return {
      {"t", f.t}, {"q", named(f.q)}, {"v", named(f.v)}, {"p", named(f.p)}, {"lambda", f.lambda}};
}

Json of(const Summary::Energy& e) {
  return {{"initial", e.initial},
          {"final", e.final},
          {"max_abs_error", e.max_abs_error},
          {"max_rel_error", e.max_rel_error},
          {"drift_per_time", e.drift_per_time},
          {"drift_error", e.drift_error},
          {"trend", e.trend},
          {"min", e.min},
          {"max", e.max},
          {"exchanged", e.exchanged},
          {"swing", e.swing},
          {"error_of_exchanged", e.exchanged > 0.0 ? Json(e.of_exchanged()) : Json(nullptr)},
          {"round_off", e.round_off}};
}

Json of(const ByName<Summary::Momentum>& momenta) {
  return named(momenta, [](const Summary::Momentum& m) {
    return Json{{"initial", m.initial},
                {"max_abs_error", m.max_abs_error},
                {"final", m.final},
                {"parts", m.parts}};
  });
}

Json of(const ByName<Summary::Observed>& observed) {
  return named(observed, [](const Summary::Observed& o) {
    return Json{{"initial", o.initial}, {"final", o.final}, {"min", o.min},
                {"max", o.max},         {"range", o.range}, {"mean", o.mean}};
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
  if (c.stretch > 0.0) chosen.update({{"stretch", c.stretch}, {"error_estimate", c.error}});
  json["chosen"] = chosen;
}

void add_moved(Json& json, const Summary& s) {
  if (!s.moved) return;
  const auto both = [](const ByName<std::pair<double, double>>& list) {
    return named(list, [](const std::pair<double, double>& change) {
      return Json{{"from", change.first}, {"to", change.second}};
    });
  };
  json["moved"] = {{"q", both(s.moved->q)}, {"v", both(s.moved->v)}};
}

void add_diagnose(Json& json, const Summary& s) {
  const Summary::Diagnose& d = s.diagnose;
  for (const Summary::Part& part : s.parts)
    json["parts"].push_back({{"from_t", part.from_t}, {"step", part.step}, {"steps", part.steps}});
  if (s.step_length)
    json["step_length"] = {
        {"min", s.step_length->min}, {"max", s.step_length->max}, {"final", s.step_length->final}};
  if (s.keep_energy)
    json["keep_energy"] = {{"discrete_energy", s.keep_energy->discrete_energy},
                           {"minimised", s.keep_energy->minimised}};
  if (s.nonholonomic)
    json["nonholonomic"] = {{"max_multiplier_defect", s.nonholonomic->max_multiplier_defect},
                            {"max_multiplier", s.nonholonomic->max_multiplier}};
  if (d.modified_energy)
    json["diagnose"]["modified_energy"] = {
        {"by", d.modified_energy->order > 0 ? "formula" : "shadow"},
        {"order", d.modified_energy->order}};
  if (d.heat)
    json["diagnose"]["heat"] = {{"mean", d.heat->mean},
                                {"temperature", d.heat->temperature},
                                {"degrees_of_freedom", d.heat->degrees_of_freedom}};
  for (const auto& [name, b] : d.balance)
    json["diagnose"]["balance"][name] = {
        {"by_lagrangian", b.by_lagrangian}, {"by_force", b.by_force}, {"defect", b.defect}};
  if (d.lyapunov)
    json["diagnose"]["lyapunov"] = {{"exponent", d.lyapunov->exponent},
                                    {"error", d.lyapunov->error},
                                    {"megno", d.lyapunov->megno}};
  for (const auto& [name, by] : d.sensitivity)
    json["diagnose"]["sensitivity"][name] = {{"t", by.t}, {"q", named(by.q)}, {"p", named(by.p)}};
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
    json["mesh"] = {
        {"nodes", s.mesh->nodes}, {"elements", s.mesh->elements}, {"kind", s.mesh->kind}};
  if (s.updates)
    json["updates"] = {{"total", s.updates->total},
                       {"max", s.updates->max},
                       {"min", s.updates->min},
                       {"newmark_equivalent", s.updates->newmark_equivalent},
                       {"ratio", s.updates->ratio},
                       {"predicted", s.updates->predicted},
                       {"deviation", s.updates->deviation()},
                       {"per_second", s.updates->per_second}};
  if (s.momentum)
    json["momentum"] = {{"linear", s.momentum->linear},
                        {"angular", s.momentum->angular},
                        {"max_change", s.momentum->max_change}};
  if (s.energy_residual)
    json["energy_residual"] = {{"max_relative", s.energy_residual->max_relative}};
  if (const auto& e = s.energy_stationary)
    json["energy_stationary"] = {{"first", e->first},
                                 {"solved", e->solved},
                                 {"failed", e->failed},
                                 {"smallest_step", e->smallest_step},
                                 {"largest_step", e->largest_step}};
}

/// Keys beyond the contract.
Json of(const Body& body) {
  Json rows = Json::array();
  for (auto row = body.inertia.begin(); row != body.inertia.end(); row += 3)
    rows.push_back(std::vector<double>(row, row + 3));
  Json json{{"mass", body.mass}, {"centre", body.centre}, {"inertia", rows}};
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
  json["files"] = Json::object();
  for (const auto& [name, path] : s.files) json["files"][name] = path;
  json["overrides"] = s.overrides;
  json["warnings"] = s.warnings;
  json["verdicts"] = Json::array();
  for (const Verdict& v : s.verdicts)
    json["verdicts"].push_back(
        {{"name", v.name}, {"status", v.status}, {"value", v.value}, {"text", v.text}});
}

/// Replaces numbers that JSON does not have by null and lists their keys.
void remove_infinite(Json& json, const std::string& key, std::string& list) {
  if (json.is_number_float() && !std::isfinite(json.get<double>())) {
    list += (list.empty() ? "" : ", ") + key;
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

nlohmann::ordered_json json_of(const Summary& s) {
  Json json = {{"varia", s.varia.empty() ? std::string(version) : s.varia},
               {"scenario", s.scenario},
               {"method", s.method},
               {"order", s.order},
               {"step", s.step},
               {"steps", s.steps},
               {"t_end", s.t_end},
               {"wall_seconds", s.wall_seconds},
               {"steps_per_second", s.steps_per_second},
               {"structure", of(s.structure)},
               {"final", of(s.final)},
               {"energy", of(s.energy)},
               {"momenta", of(s.momenta)},
               {"observe", of(s.observe)},
               {"constraints",
                {{"max_position", s.constraints.max_position},
                 {"max_velocity", s.constraints.max_velocity},
                 {"relative_position", s.constraints.relative_position},
                 {"relative_velocity", s.constraints.relative_velocity}}},
               {"newton",
                {{"mean_iterations", s.newton.mean_iterations},
                 {"max_iterations", s.newton.max_iterations},
                 {"failures", s.newton.failures},
                 {"retried", s.newton.retried},
                 {"iterated", s.newton.iterated},
                 {"damped", s.newton.damped}}},
               {"status", s.status},
               {"message", s.message}};
  add_choice(json, s);
  add_moved(json, s);
  add_events(json, s);
  add_diagnose(json, s);
  add_optimum(json, s);
  add_solid(json, s);
  add_bodies(json, s);
  add_extras(json, s);
  std::string infinite;
  remove_infinite(json, "", infinite);
  if (!infinite.empty())
    json["message"] = s.message + (s.message.empty() ? "" : " ") + "Not finite: " + infinite + ".";
  return json;
}

std::string to_json(const Summary& s, int indent) {
  // A path or title that is not UTF-8 must not cost the user the summary.
  return json_of(s).dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace varia::io
