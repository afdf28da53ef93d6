// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "paths.hpp"
#include "series.hpp"
#include "varia/core/version.hpp"
#include "varia/io/verdict.hpp"
#include "varia/report/page.hpp"
#include "varia/report/report.hpp"

namespace varia::report {

namespace {

using Json = nlohmann::ordered_json;
using Table = std::vector<std::vector<double>>;

constexpr long most_points = 3000;
constexpr int most_columns = 12;  // of one kind

/// Enough digits for a screen, few bytes in the file.
double rounded(double x, int digits) {
  if (x == 0.0 || !std::isfinite(x)) return 0.0;
  const double unit = std::pow(10.0, digits - 1 - std::floor(std::log10(std::abs(x))));
  const double y = std::round(x * unit) / unit;
  return std::isfinite(y) ? y : x;
}

Json column(const std::string& name, const std::string& kind, const std::string& unit,
            const Table& table, const std::function<double(const std::vector<double>&)>& value,
            int digits) {
  Json values = Json::array();
  for (const auto& record : table) values.push_back(rounded(value(record), digits));
  return {{"name", name}, {"kind", kind}, {"unit", unit}, {"values", std::move(values)}};
}

std::size_t place_of(const std::vector<io::Column>& columns, const std::string& kind) {
  std::size_t i = 0;
  while (i < columns.size() && columns[i].kind != kind) ++i;
  return i;
}

/// Recorded columns: the first dozen of each kind, and what the paths need.
void add_recorded(const std::vector<io::Column>& columns, const std::vector<Path>& drawn,
                  const Table& table, Json& out) {
  std::map<std::string, int> count;
  std::set<std::string> needed;
  for (const Path& path : drawn) needed.insert({path.x, path.y, path.z});
  for (std::size_t i = 1; i < columns.size(); ++i) {
    const auto& c = columns[i];
    if (c.kind == "energy" || c.kind == "momentum") continue;
    if (++count[c.kind] > most_columns && !(c.kind == "q" && needed.count(c.name))) continue;
    out.push_back(column(
        c.name, c.kind, c.unit, table, [i](const auto& record) { return record[i]; }, 7));
  }
}

void add_errors(const io::Model& model, const std::vector<io::Column>& columns, const Table& table,
                Json& out) {
  if (table.empty()) return;
  const std::vector<double>& first = table.front();
  const std::size_t e = place_of(columns, "energy");
  const double scale = first[e] != 0.0 ? std::abs(first[e]) : 1.0;
  if (!model.system->uses_time && !model.system->forced)
    out.push_back(column(
        "energy error", "energy_error", "", table,
        [&](const auto& r) { return (r[e] - first[e]) / scale; }, 5));
  else
    out.push_back(column(
        "energy", "observe", "", table, [e](const auto& r) { return r[e]; }, 7));
  int count = 0;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].kind == "momentum" && ++count <= most_columns)
      out.push_back(column(
          columns[i].name, "momentum_error", "", table,
          [&](const auto& r) { return r[i] - first[i]; }, 5));
}

void add_constraints(const io::Model& model, const Table& table, Json& out) {
  const FlatSystem& f = *model.system;
  if (f.d == 0) return;
  std::vector<double> phi(static_cast<std::size_t>(f.d + f.constraint_pattern.size()));
  out.push_back(column(
      "|phi|", "constraint", "", table,
      [&](const auto& r) {
        f.constraint(r.data() + 1, phi.data());
        double worst = 0.0;
        for (int a = 0; a < f.d; ++a)
          worst = std::max(worst, std::abs(phi[static_cast<std::size_t>(a)]));
        return worst;
      },
      5));
}

Json facts(const io::Model& model, const io::Summary& s, std::size_t shown) {
  Json rows = Json::array();
  const auto add = [&](const char* name, const std::string& value) {
    rows.push_back(Json::array({name, value}));
  };
  add("Method",
      s.method + ", order " + std::to_string(s.order) +
          (s.variational ? (model.method.symmetric() ? ", variational, symmetric" : ", variational")
                         : ", not variational"));
  add("Space", io::space_name(model));
  add("Lagrangian",
      std::string(s.structure.separable ? "separable, constant mass" : "not separable") +
          (s.structure.time_independent ? ", time independent" : ", depends on time"));
  std::string cyclic;
  for (const auto& name : s.structure.cyclic) cyclic += (cyclic.empty() ? "" : ", ") + name;
  if (!cyclic.empty()) add("Cyclic coordinates", cyclic);
  add("Steps", s.structure.is_explicit ? "explicit"
                                       : "implicit, " + io::short_number(s.newton.mean_iterations) +
                                             " Newton iterations on average");
  add("Evaluation", s.evaluation);
  add("Speed", io::short_number(s.steps_per_second) + " steps per second");
  if (shown < model.entry_names.size())
    add("Shown",
        std::to_string(shown) + " of " + std::to_string(model.entry_names.size()) + " coordinates");
  for (const auto& warning : s.warnings) add("Note", warning);
  return rows;
}

Json verdict_rows(const io::Summary& s) {
  Json rows = Json::array();
  for (const auto& v : s.verdicts)
    rows.push_back({{"name", v.name}, {"status", v.status}, {"value", v.value}, {"text", v.text}});
  return rows;
}

Json path_rows(const std::vector<Path>& drawn) {
  Json result = Json::array();
  for (const Path& p : drawn)
    result.push_back({{"label", p.label},
                      {"x", p.x},
                      {"y", p.y},
                      {"z", p.z.empty() ? Json(nullptr) : Json(p.z)}});
  return result;
}

Json phases(const io::Model& model) {
  Json result = Json::array();
  if (!model.system->flat) return result;
  for (std::size_t i = 0; i < model.entry_names.size() && i < most_columns; ++i)
    result.push_back({{"label", model.entry_names[i]},
                      {"q", model.entry_names[i]},
                      {"p", model.momentum_names[i]}});
  return result;
}

Json head(const io::Model& model, const char* kind) {
  return {{"varia", version},
          {"kind", kind},
          {"title", model.scenario.title},
          {"name", model.scenario.name},
          {"scenario", full_text(model.scenario)}};
}

}  // namespace

std::string run_report(const io::Model& model, io::RecordReader& reader,
                       const io::Summary& summary) {
  const auto& columns = reader.columns();
  const Table table = thinned(reader, place_of(columns, "energy"), most_points);
  Json data = head(model, "run");
  data["summary"] = Json::parse(to_json(summary));
  data["verdicts"] = verdict_rows(summary);
  data["t"] = Json::array();
  for (const auto& record : table) data["t"].push_back(rounded(record[0], 10));
  data["columns"] = Json::array();
  const std::vector<Path> drawn = find_paths(model.entry_names);
  add_recorded(columns, drawn, table, data["columns"]);
  add_errors(model, columns, table, data["columns"]);
  add_constraints(model, table, data["columns"]);
  std::size_t shown = 0;
  for (const auto& c : data["columns"]) shown += c["kind"] == "q" ? 1 : 0;
  data["facts"] = facts(model, summary, shown);
  data["paths"] = path_rows(drawn);
  data["phase"] = phases(model);
  return report_page(data.dump());
}

std::string compare_report(const io::Model& model, const io::Comparison& comparison) {
  Json data = head(model, "compare");
  data["facts"] = Json::array({Json::array({"Reference", comparison.reference}),
                               Json::array({"Space", io::space_name(model)})});
  Json table = Json::array();
  Json energies = Json::array();
  for (const io::ComparisonRow& r : comparison.rows) {
    const auto finite = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
    table.push_back({{"method", r.method},
                     {"variational", r.variational},
                     {"step", r.step},
                     {"steps", r.steps},
                     {"seconds", r.seconds},
                     {"error", finite(r.error)},
                     {"energy_error", finite(r.energy_error)},
                     {"energy_drift", finite(r.energy_drift)},
                     {"message", r.message}});
    Json values = Json::array();
    for (const double e : r.energy) values.push_back(rounded(e, 5));
    energies.push_back(
        {{"method", r.method}, {"step", r.step}, {"t", r.t}, {"values", std::move(values)}});
  }
  data["compare"] = {{"rows", std::move(table)}, {"energy", std::move(energies)}};
  return report_page(data.dump());
}

}  // namespace varia::report
