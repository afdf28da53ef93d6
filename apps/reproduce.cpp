// SPDX-License-Identifier: BSD-3-Clause
// varia reproduce
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "terminal.hpp"
#include "varia/core/nearest.hpp"
#include "varia/io/control_problem.hpp"
#include "varia/io/refinement.hpp"
#include "varia/io/solid_runner.hpp"
#include "verbs.hpp"

namespace varia::apps {

namespace {

using Json = nlohmann::ordered_json;

/// The entry of a table by its name, such as q[1], or that of a list by its number: lambda[1].
const Json* member(const Json& of, const std::string& key) {
  if (!of.is_object()) return nullptr;
  if (of.contains(key)) return &of[key];
  const auto open = key.find('[');
  if (open == std::string::npos || key.back() != ']' || !of.contains(key.substr(0, open)))
    return nullptr;
  const Json& list = of[key.substr(0, open)];
  const std::string digits = key.substr(open + 1, key.size() - open - 2);
  const bool number = !digits.empty() && digits.size() < 9 &&
                      digits.find_first_not_of("0123456789") == std::string::npos;
  const std::size_t i = number ? std::stoul(digits) : 0;
  return list.is_array() && i >= 1 && i <= list.size() ? &list[i - 1] : nullptr;
}

/// The number at a dotted path of the summary: final.q.q[1], final.lambda[1].
double entry(const Json& summary, const std::string& what) {
  const Json* at = &summary;
  std::string rest = what;
  while (!rest.empty()) {
    const auto dot = rest.find('.');
    const std::string key = rest.substr(0, dot);
    rest = dot == std::string::npos ? "" : rest.substr(dot + 1);
    at = member(*at, key);
    if (at == nullptr) throw InvalidArgument("reproduce: the summary has no entry '" + what + "'");
  }
  if (!at->is_number())
    throw InvalidArgument("reproduce: the entry '" + what + "' is not a number");
  return at->get<double>();
}

bool holds(const io::Expectation& e, double found) {
  if (e.kind == "relative") return std::abs(found - e.value) <= e.tolerance * std::abs(e.value);
  if (e.kind == "absolute" || e.kind == "order" || e.kind == "extrapolated" || e.kind == "fails")
    return std::abs(found - e.value) <= e.tolerance;
  return e.kind == "at_most" ? found <= e.value : found >= e.value;
}

std::string listed(const std::vector<std::string>& overrides) {
  return fmt::format("{}", fmt::join(overrides, ", "));
}

std::string condition(const io::Expectation& e) {
  if (e.kind == "at_most") return fmt::format("<= {:g}", e.value);
  if (e.kind == "at_least") return fmt::format(">= {:g}", e.value);
  if (e.kind == "fails" && e.tolerance == 0.0) return fmt::format("a failure at {:.8g}", e.value);
  return fmt::format("{}{:.8g} +- {:.2g}{}",
                     e.kind == "order"   ? "order "
                     : e.kind == "fails" ? "a failure at "
                                         : "",
                     e.value, e.tolerance, e.kind == "relative" ? " of it" : "");
}

io::Summary run(const io::Scenario& scenario) {
  io::RunOptions options;
  options.interrupted = Interrupt::requested;
  if (scenario.solid) return io::run_solid(io::build_solid_model(scenario), options);
  io::Model model =
      scenario.control
          ? io::optimised_model(scenario, [](const auto&) { return !Interrupt::requested(); })
          : io::build_model(scenario);
  return io::run(model, options);
}

/// The numbers of a study on finer and finer meshes.
Json refinement(const std::string& name, const io::RefinementText& text) {
  io::RefinementPlan plan{text.key, {}, static_cast<int>(text.reference), text.courant};
  for (const long level : text.levels) plan.levels.push_back(static_cast<int>(level));
  const auto read = [&](const std::vector<std::string>& overrides) {
    return io::build_solid_model(io::read_scenario("gallery:" + name, overrides));
  };
  const io::Refinement study = io::study_refinement(plan, read, Interrupt::requested);
  Json out;
  for (const auto& row : study.rows)
    out["rows"].push_back({{"method", row.method},
                           {"level", row.level},
                           {"elements", row.elements},
                           {"updates", row.updates},
                           {"displacement", row.displacement},
                           {"gradient", row.gradient}});
  if (Interrupt::requested()) return out;
  for (const char* method : {"avi", "newmark"})
    out[method] = {{"displacement", study.slope(method, &io::RefinementRow::displacement)},
                   {"gradient", study.slope(method, &io::RefinementRow::gradient)}};
  out["cost"] = study.cost_ratio();
  return out;
}

/// Runs each set of overrides once, and the study of refinement at most once.
class Runs {
 public:
  Runs(std::string name, io::RefinementText study)
      : name_(std::move(name)), study_(std::move(study)) {}
  /// The number of an expectation.
  double number(const io::Expectation& e) {
    if (e.kind == "order") return order(e);
    if (e.kind == "extrapolated") return limit(e);
    const Json& found = source(e);
    return Interrupt::requested() ? 0.0 : entry(found, e.what);
  }
  const Json& studied() const { return studied_; }

 private:
  /// A run that fails is an error unless it should.
  const Json& summary(const std::vector<std::string>& overrides, bool fails) {
    auto [at, fresh] = summaries_.try_emplace(overrides);
    if (fresh)
      at->second = Json::parse(to_json(run(io::read_scenario("gallery:" + name_, overrides))));
    const Json& s = at->second;
    const bool failed = s["status"] == "failed";
    if (failed && !fails)
      throw NoConvergence("gallery:" + name_ + ": " + s["message"].get<std::string>(),
                          s["t_end"].get<double>(), s["step"].get<double>(), 0, 0.0);
    if (!failed && fails)
      throw InvalidArgument(
          "gallery:" + name_ + " [" + listed(overrides) +
          "] should fail, but ends at t = " + varia::to_text(s["t_end"].get<double>()));
    return s;
  }
  const Json& source(const io::Expectation& e) {
    if (e.what == io::shape_difference_entry) return shapes(e);
    if (!e.what.starts_with("refinement.")) return summary(e.set, e.kind == "fails");
    if (studied_.is_null()) studied_ = {{"refinement", refinement(name_, study_)}};
    return studied_;
  }
  /// The exponent of the step in a number, by two runs.
  double order(const io::Expectation& e) {
    const Json one = summary(e.set, false);
    if (Interrupt::requested()) return 0.0;
    const Json other = summary(e.against, false);
    if (Interrupt::requested()) return 0.0;
    const double steps = one["step"].get<double>() / other["step"].get<double>();
    const double numbers = entry(one, e.what) / entry(other, e.what);
    if (!(steps > 0.0) || steps == 1.0 || !(numbers > 0.0))
      throw InvalidArgument("reproduce: the order of '" + e.what +
                            "' needs two runs with different steps and numbers of one sign");
    return std::log(numbers) / std::log(steps);
  }

  /// The limit of a number a + b h^p for short steps, by two runs and the order p of the method.
  double limit(const io::Expectation& e) {
    const Json one = summary(e.set, false);
    if (Interrupt::requested()) return 0.0;
    const Json other = summary(e.against, false);
    if (Interrupt::requested()) return 0.0;
    const double steps = other["step"].get<double>() / one["step"].get<double>();
    if (!(steps > 1.0))
      throw InvalidArgument("reproduce: the limit of '" + e.what +
                            "' needs a second run with longer steps");
    const double gained = std::pow(steps, one["order"].get<double>()) - 1.0;
    return entry(one, e.what) + (entry(one, e.what) - entry(other, e.what)) / gained;
  }

  io::SolidModel model(const std::vector<std::string>& overrides) const {
    return io::build_solid_model(io::read_scenario("gallery:" + name_, overrides));
  }
  const Json& shapes(const io::Expectation& e) {
    shapes_ = {{"shape", {{"difference", io::shape_difference(model(e.set), model(e.against))}}}};
    return shapes_;
  }

  std::string name_;
  Json shapes_;
  io::RefinementText study_;
  Json studied_;
  std::map<std::vector<std::string>, Json> summaries_;
};

struct Outcome {
  Json rows = Json::array();
  int failed = 0;
};

void reproduce_one(const std::string& name, bool json, Outcome& outcome) {
  const io::Scenario scenario = io::read_scenario("gallery:" + name);
  Runs runs(name, scenario.reproduce.refinement);
  if (!json)
    fmt::print("{}: {}{}\n", name, printable(scenario.reproduce.source),
               scenario.reproduce.figure.empty() ? "" : ", " + scenario.reproduce.figure);
  for (const auto& e : scenario.reproduce.expect) {
    if (Interrupt::requested()) return;
    const double found = runs.number(e);
    if (Interrupt::requested()) return;
    const bool good = holds(e, found);
    outcome.failed += good ? 0 : 1;
    const std::string set = listed(e.set), against = listed(e.against);
    outcome.rows.push_back({{"name", name},
                            {"source", scenario.reproduce.source},
                            {"what", e.what},
                            {"set", e.set},
                            {"against", e.against},
                            {"note", e.note},
                            {"expected", e.value},
                            {"tolerance", e.tolerance},
                            {"kind", e.kind},
                            {"found", found},
                            {"verdict", good ? "pass" : "fail"}});
    if (!json)
      fmt::print("  {}  {}{}{}: expected {}, found {:.8g}{}\n",
                 good ? toned(Tone::good, "pass") : toned(Tone::bad, "FAIL"), e.what,
                 set.empty() ? "" : " [" + set + "]",
                 against.empty() ? "" : " against [" + against + "]", condition(e), found,
                 e.note.empty() ? "" : "  (" + e.note + ")");
  }
  if (!json && !runs.studied().is_null())
    for (const auto& row : runs.studied()["refinement"]["rows"])
      fmt::print("        {:8} {:7} elements {:12} updates: displacement {:.4g}, gradient {:.4g}\n",
                 row["method"].get<std::string>(), row["elements"].get<long>(),
                 row["updates"].get<long>(), row["displacement"].get<double>(),
                 row["gradient"].get<double>());
}

std::vector<std::string> wanted(const ReproduceRequest& request) {
  std::vector<std::string> available;
  for (const std::string& name : io::gallery_names())
    if (!io::read_scenario("gallery:" + name).reproduce.expect.empty()) available.push_back(name);
  if (request.names.empty()) return available;
  for (const std::string& name : request.names)
    if (std::find(available.begin(), available.end(), name) == available.end()) {
      std::string list;
      for (const auto& other : available) list += (list.empty() ? "" : ", ") + other;
      const std::string near = nearest(name, available);
      throw InvalidArgument(
          fmt::format("reproduce: there is no '{}' with reference numbers; there are {}{}", name,
                      list, near.empty() ? "" : ". Did you mean " + near + "?"));
    }
  return request.names;
}

}  // namespace

int reproduce(const ReproduceRequest& request) {
  if (request.all && !request.names.empty())
    throw InvalidArgument("reproduce: give names or --all, not both");
  Outcome outcome;
  const Interrupt guard;
  for (const std::string& name : wanted(request)) reproduce_one(name, request.json, outcome);
  if (request.json)
    std::cout << Json{{"results", outcome.rows}, {"failed", outcome.failed}}.dump(2) << "\n";
  else
    fmt::print("{} of {} agree with the sources\n",
               static_cast<int>(outcome.rows.size()) - outcome.failed, outcome.rows.size());
  if (Interrupt::requested()) return interrupted;
  return outcome.failed == 0 ? done : numerics_failed;
}

}  // namespace varia::apps
