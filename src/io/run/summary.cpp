// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/summary.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "varia/core/version.hpp"
#include "varia/io/verdict.hpp"

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
          {"max", e.max}};
}

Json of(const ByName<Summary::Momentum>& momenta) {
  return named(momenta, [](const Summary::Momentum& m) {
    return Json{{"initial", m.initial}, {"max_abs_error", m.max_abs_error}, {"final", m.final}};
  });
}

Json of(const ByName<Summary::Observed>& observed) {
  return named(observed, [](const Summary::Observed& o) {
    return Json{{"initial", o.initial}, {"final", o.final}, {"min", o.min},
                {"max", o.max},         {"range", o.range}, {"mean", o.mean}};
  });
}

void add_diagnose(Json& json, const Summary& s) {
  const Summary::Diagnose& d = s.diagnose;
  for (const Summary::Part& part : s.parts)
    json["parts"].push_back({{"from_t", part.from_t}, {"step", part.step}, {"steps", part.steps}});
  if (s.step_length)
    json["step_length"] = {
        {"min", s.step_length->min}, {"max", s.step_length->max}, {"final", s.step_length->final}};
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
}

/// Keys beyond the contract.
void add_extras(Json& json, const Summary& s) {
  json["title"] = s.title;
  json["evaluation"] = s.evaluation;
  json["variational"] = s.variational;
  json["records"] = s.records;
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

std::string to_json(const Summary& s, int indent) {
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
                 {"max_velocity", s.constraints.max_velocity}}},
               {"newton",
                {{"mean_iterations", s.newton.mean_iterations},
                 {"max_iterations", s.newton.max_iterations},
                 {"failures", s.newton.failures},
                 {"retried", s.newton.retried},
                 {"iterated", s.newton.iterated}}},
               {"status", s.status},
               {"message", s.message}};
  add_diagnose(json, s);
  add_solid(json, s);
  add_extras(json, s);
  std::string infinite;
  remove_infinite(json, "", infinite);
  if (!infinite.empty())
    json["message"] = s.message + (s.message.empty() ? "" : " ") + "Not finite: " + infinite + ".";
  // A path or title that is not UTF-8 must not cost the user the summary.
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

// The same in words.

namespace {

constexpr double momentum_tolerance = 1e-11;    // relative to the momentum, or absolute below 1
constexpr double constraint_tolerance = 1e-11;  // of phi and of G v

/// E - E₀ against the work of what drives the constraints.
Verdict driven_verdict(const Summary& s) {
  double work = 0.0;
  double defect = 0.0;
  for (const auto& [name, o] : s.observe) {
    if (name == driver_work) work = o.final;
    if (name == energy_balance) defect = std::max(o.max - o.initial, o.initial - o.min);
  }
  const double change = s.energy.final - s.energy.initial;
  const bool closed = defect <= 0.01 * (s.energy.max - s.energy.min) || defect <= 1e-12;
  return {"energy", closed ? "good" : "note", short_number(defect),
          "Constraints move: the energy changes by " + short_number(change) +
              ", what drives them has done the work " + short_number(work) +
              "; the balance is kept within " + short_number(defect) + "."};
}

Verdict energy_verdict(const Model& model, const Summary& s, double span) {
  const std::string change = short_number(s.energy.max_abs_error);
  const std::string relative = short_number(s.energy.max_rel_error);
  if (model.system->forced)
    return {"energy", "note", change,
            "Forces act: the energy changes from " + short_number(s.energy.initial) + " to " +
                short_number(s.energy.final) + "."};
  if (model.structure.driven) return driven_verdict(s);
  if (model.system->uses_time)
    return {"energy", "note", change,
            "The Lagrangian depends on time: the energy is not conserved, it changes by " + change +
                "."};
  if (!std::isfinite(s.energy.max_rel_error) || !std::isfinite(s.energy.drift_per_time))
    return {"energy", "bad", "unbounded",
            "The energy grows beyond all numbers: the step is too large."};
  // a decay that levels off has no trend on the whole, but ends at its largest error
  const bool decayed = !s.variational && s.energy.max_rel_error > 1e-10 &&
                       std::abs(s.energy.final - s.energy.initial) >= 0.9 * s.energy.max_abs_error;
  if (!decayed && energy_is_bounded(s.energy, span))
    return {"energy", "good", relative,
            "The energy error stays bounded: at most " + relative + " of the energy, no trend."};
  const bool falls = s.energy.trend == "drifting" ? s.energy.drift_per_time < 0.0
                                                  : s.energy.final < s.energy.initial;
  const std::string trend = falls ? "decays" : "grows";
  return {"energy", s.variational ? "note" : "bad", relative,
          "The energy " + trend + ": a trend of " + short_number(s.energy.drift_per_time) +
              (s.energy.drift_error > 0.0 ? " +- " + short_number(s.energy.drift_error) : "") +
              " per unit of time" +
              (s.variational ? ". Over a longer run, or with a smaller step, a variational method "
                               "swings about a level."
                             : ", as with a method that is not variational.")};
}

/// The energy that the method keeps, beside the one that swings.
Verdict modified_verdict(const Summary& s) {
  double range = 0.0;
  for (const auto& [name, o] : s.observe)
    if (name == "modified_energy") range = o.range;
  const double swing = s.energy.max - s.energy.min;
  const bool kept = range < swing || range <= 1e-12 * std::abs(s.energy.initial);
  return {"modified energy", kept ? "good" : "note", short_number(range),
          kept ? "The energy swings by " + short_number(swing) +
                     "; the modified energy stays within " + short_number(range) + "."
               : "The modified energy swings by " + short_number(range) + ", the energy by " +
                     short_number(swing) + ": the step is too large for its series."};
}

/// The change of a momentum and what has made it.
Verdict balance_verdict(const std::string& name, const Summary::Balance& b,
                        const Summary::Momentum& m) {
  const double scale = std::max({1.0, std::abs(m.initial), m.max_abs_error});
  const bool closed = b.defect <= momentum_tolerance * scale;
  return {name + " balance", closed ? "good" : "bad", short_number(b.defect),
          "The Lagrangian gives " + short_number(b.by_lagrangian) + ", forces " +
              short_number(b.by_force) +
              (closed ? "; each step balances to round-off: " : "; a step is out of balance by ") +
              short_number(b.defect) + "."};
}

Verdict lyapunov_verdict(const Summary::Lyapunov& found) {
  const bool chaotic = found.exponent > 3.0 * found.error;
  const std::string value =
      short_number(found.exponent) + " +- " + short_number(found.error) + " by unit of time";
  return {"Lyapunov exponent", "note", short_number(found.exponent),
          chaotic ? "The motion is chaotic: the largest Lyapunov exponent is " + value +
                        "; what is not known at the start grows tenfold in a time of " +
                        short_number(std::log(10.0) / found.exponent) + "."
                  : "No chaos is seen: the largest Lyapunov exponent, " + value +
                        ", is not distinct from 0 in so long a run."};
}

Verdict sensitivity_verdict(const std::string& name, const Summary::Sensitivity& by) {
  std::string most;
  double largest = 0.0;
  for (const auto* list : {&by.q, &by.p})
    for (const auto& [what, value] : *list)
      if (most.empty() || std::abs(value) > std::abs(largest)) {
        most = what;
        largest = value;
      }
  return {"sensitivity to " + name, "note", short_number(largest),
          "Of the end state " + most + " changes most with " + name + ": by " +
              short_number(largest) + " times its change."};
}

Verdict momentum_verdict(const Momentum& m, const Summary::Momentum& found, bool variational) {
  const double scale = std::max(1.0, std::abs(found.initial));
  const std::string change = short_number(found.max_abs_error);
  if (!m.conserved) return {m.name, "note", change, m.message + "."};
  if (found.max_abs_error <= momentum_tolerance * scale)
    return {m.name, "good", change, "The momentum is conserved to round-off: " + change + "."};
  return {m.name, "bad", change,
          "The momentum changes by " + change +
              (variational ? ": more than round-off." : ": the method does not keep it.")};
}

}  // namespace

std::string short_number(double x) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", x);
  return text.data();
}

bool energy_is_bounded(const Summary::Energy& energy, double span) {
  const double scale = std::max(std::abs(energy.initial), 1e-300);
  if (energy.max_abs_error <= 1e-12 * scale || energy.max_abs_error <= 1e-14) return true;
  if (!energy.trend.empty()) return energy.trend != "drifting";
  return std::abs(energy.drift_per_time * span) <= 0.5 * energy.max_abs_error;
}

std::vector<Verdict> verdicts(const Model& model, const Summary& s) {
  std::vector<Verdict> result;
  if (s.status == "failed")
    result.push_back({"run", "bad", short_number(s.t_end), "The run failed: " + s.message + "."});
  if (s.steps == 0) return result;
  result.push_back(energy_verdict(model, s, s.t_end - model.t0));
  if (s.status == "failed") {
    result.back().status = "note";
    result.back().text = "Before the failure the recorded energy error is at most " +
                         short_number(s.energy.max_rel_error) + " of the energy.";
  }
  for (std::size_t i = 0; i < s.momenta.size(); ++i)
    result.push_back(momentum_verdict(model.momenta[i], s.momenta[i].second, s.variational));
  if (s.diagnose.modified_energy) result.push_back(modified_verdict(s));
  for (const auto& [name, balance] : s.diagnose.balance)
    for (const auto& [momentum, figures] : s.momenta)
      if (momentum == name) result.push_back(balance_verdict(name, balance, figures));
  if (s.diagnose.lyapunov) result.push_back(lyapunov_verdict(*s.diagnose.lyapunov));
  for (const auto& [name, by] : s.diagnose.sensitivity)
    result.push_back(sensitivity_verdict(name, by));
  if (model.system->d > 0) {
    const double worst = std::max(s.constraints.max_position, s.constraints.max_velocity);
    const bool good = worst <= constraint_tolerance;
    result.push_back({"constraints", good ? "good" : "bad", short_number(worst),
                      good ? "Positions and velocities stay on the constraint to round-off."
                           : "The constraint is violated by " + short_number(worst) + "."});
  }
  return result;
}

}  // namespace varia::io
