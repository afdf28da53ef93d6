// SPDX-License-Identifier: BSD-3-Clause
// varia check
#include "varia/io/check.hpp"

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "terminal.hpp"
#include "verbs.hpp"

namespace varia::apps {

namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& x) { return x ? Json(*x) : Json(nullptr); }

Json to_json(const io::CheckReport& r) {
  Json out{{"method", r.method},
           {"order", nullptr},
           {"certified_order", nullptr},
           {"multiplier_order", nullptr},
           {"symplecticity", number(r.symplecticity)},
           {"reversibility", number(r.reversibility)},
           {"action", nullptr},
           {"momenta", Json::object()},
           {"balance", Json::object()},
           {"constraints", nullptr}};
  if (!r.order.steps.empty())
    out["order"] = {{"declared", r.order.declared},
                    {"measured", r.order.measured},
                    {"errors", r.order.errors},
                    {"steps", r.order.steps}};
  if (r.certified)
    out["certified_order"] = {{"declared", r.certified->declared},
                              {"measured", r.certified->measured},
                              {"by_steps", r.certified->by_steps}};
  if (r.multipliers)
    out["multiplier_order"] = {{"declared", r.multipliers->declared},
                               {"measured", r.multipliers->measured}};
  if (r.action)
    out["action"] = {{"p0_defect", r.action->p0_defect}, {"p1_defect", r.action->p1_defect}};
  for (const auto& [name, drift] : r.momenta) out["momenta"][name] = drift;
  for (const auto& [name, defect] : r.balances) out["balance"][name] = defect;
  if (r.constraints)
    out["constraints"] = {{"max_position", r.largest_defects.first},
                          {"max_velocity", r.largest_defects.second},
                          {"relative_position", r.constraints->first},
                          {"relative_velocity", r.constraints->second}};
  out["verdict"] = r.verdict();
  out["failures"] = r.failures;
  out["unmeasured"] = Json::array();
  for (const auto& [law, why] : r.unmeasured)
    out["unmeasured"].push_back({{"law", law}, {"why", why}});
  out["notes"] = r.notes;
  return out;
}

void line(const std::string& name, const std::optional<double>& x) {
  if (x) fmt::print("  {:<28} {:.2e}\n", name, *x);
}

void print(const io::CheckReport& r) {
  fmt::print("{}\n", r.method);
  if (!r.order.steps.empty())
    fmt::print("  {:<28} {:.3f} (declared {}), from {} to {} steps\n", "order", r.order.measured,
               r.order.declared, r.order.steps.front(), r.order.steps.back());
  if (r.certified)
    fmt::print("  {:<28} {:.3f} (declared {}), against {}\n", "certified order",
               r.certified->measured, r.certified->declared,
               r.certified->by_steps ? "exact steps" : "the exact discrete Lagrangian");
  if (r.multipliers)
    fmt::print("  {:<28} {:.3f} (declared {})\n", "order of multipliers", r.multipliers->measured,
               r.multipliers->declared);
  line("symplectic defect", r.symplecticity);
  line("reversibility defect", r.reversibility);
  if (r.action) {
    line("p0 + D1 Ld", r.action->p0_defect);
    line("p1 - D2 Ld", r.action->p1_defect);
  }
  for (const auto& [name, drift] : r.momenta) line("drift of " + name, drift);
  for (const auto& [name, defect] : r.balances) line("balance of " + name, defect);
  if (r.constraints) {
    line("distance from constraints", r.constraints->first);
    line("speed away from them", r.constraints->second);
  }
  for (const auto& note : r.notes)
    fmt::print("  {}: {}\n", toned(Tone::note, "note"), printable(note));
  for (const auto& [law, why] : r.unmeasured)
    fmt::print("  {}: {}: {}\n", toned(Tone::bad, "NOT MEASURED"), law, printable(why));
  for (const auto& failure : r.failures)
    fmt::print("  {}: {}\n", toned(Tone::bad, "FAIL"), printable(failure));
  fmt::print("{}\n", toned(r.passed() ? Tone::good : Tone::bad, r.verdict()));
}

io::CheckReport measured(const io::Scenario& scenario, double work) {
  ProgressLine line(false);
  const io::CheckOptions options{[&](const std::string& law, double part) { line.show(law, part); },
                                 work};
  if (scenario.solid) return io::check_solid(io::build_solid_model(scenario), options);
  io::Model model = io::build_model(scenario, io::Sums::term_by_term);
  return io::check(model, options);
}

}  // namespace

int check(const CheckRequest& request) {
  const io::CheckReport report =
      measured(io::read_scenario(request.file, request.overrides()), request.work);
  if (request.json)
    std::cout << to_json(report).dump(2) << "\n";
  else
    print(report);
  return report.passed() ? done : numerics_failed;
}

}  // namespace varia::apps
