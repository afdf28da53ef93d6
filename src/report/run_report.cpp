// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <set>

#include "equations.hpp"
#include "parts.hpp"
#include "paths.hpp"
#include "plots.hpp"
#include "scene.hpp"
#include "sections.hpp"
#include "series.hpp"
#include "varia/io/verdict.hpp"
#include "varia/report/page.hpp"
#include "varia/report/report.hpp"

namespace varia::report {

namespace {

void add_constraints(const io::Model& model, const Table& table, Json& out) {
  const KernelSystem& f = *model.system;
  if (f.d == 0) return;
  std::vector<double> phi(static_cast<std::size_t>(f.d + f.constraint_pattern.size()));
  std::vector<double> x(static_cast<std::size_t>(1 + f.entries));  // (t, q)
  out.push_back(column(
      "|phi|", "constraint", "", table,
      [&](const auto& r) {
        x[0] = r[0];
        f.space.hold_point(r.data() + 1, x.data() + 1);
        f.constraint(x.data(), phi.data());
        double worst = 0.0;
        for (int a = 0; a < f.d; ++a)
          worst = std::max(worst, std::abs(phi[static_cast<std::size_t>(a)]));
        return worst;
      },
      5));
}

constexpr std::size_t most_cyclic = 64;  // that are listed

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
  add(model.hamiltonian ? "Hamiltonian" : "Lagrangian",
      std::string(s.structure.separable ? "separable, constant mass" : "not separable") +
          (s.structure.time_independent ? ", time independent"
           : model.structure.driven     ? ", constraints depend on time"
                                        : ", depends on time"));
  std::string cyclic;
  const std::vector<std::string>& names = s.structure.cyclic;
  for (std::size_t k = 0; k < std::min(names.size(), most_cyclic); ++k)
    cyclic += (cyclic.empty() ? "" : ", ") + names[k];
  if (names.size() > most_cyclic) cyclic += " and so on, " + std::to_string(names.size());
  if (!cyclic.empty()) add("Cyclic coordinates", cyclic);
  if (!s.optimum)
    add("Steps", s.structure.is_explicit
                     ? "explicit"
                     : "implicit, " + io::short_number(s.newton.mean_iterations) +
                           " Newton iterations on average");
  if (s.step_length)
    add("Step length",
        io::short_number(s.step_length->min) + " to " + io::short_number(s.step_length->max) +
            (model.variable->keep_energy ? ", such that the energy is kept" : ", by the pace"));
  if (!s.energy.trend.empty() && s.structure.time_independent && !model.system->forced)
    add("Trend of the energy", io::short_number(s.energy.drift_per_time) + " \u00b1 " +
                                   io::short_number(s.energy.drift_error) + " per unit of time");
  if (s.diagnose.heat)
    add("Heat", "mean kinetic energy " + io::short_number(s.diagnose.heat->mean) +
                    ", temperature " + io::short_number(s.diagnose.heat->temperature) + " for " +
                    std::to_string(s.diagnose.heat->degrees_of_freedom) + " degrees of freedom");
  if (s.optimum) {
    add("Optimum", "cost " + io::short_number(s.optimum->cost) + ", " + s.optimum->status +
                       " after " + std::to_string(s.optimum->iterations) + " iterations by " +
                       s.optimum->solver);
    for (const auto& [name, value] : s.optimum->parameters)
      add("Found", name + " = " + io::short_number(value));
  }
  add("Evaluation", s.evaluation);
  add("Speed", io::short_number(s.steps_per_second) + " steps per second");
  if (shown < model.entry_names.size())
    add("Shown",
        std::to_string(shown) + " of " + std::to_string(model.entry_names.size()) + " coordinates");
  if (const std::string part = note_of_part(s); !part.empty()) add("Summary", part);
  if (s.status == "done" && !s.message.empty()) add("End", s.message);
  for (const auto& warning : s.warnings) add("Note", warning);
  return rows;
}

/// The bounds of the inputs, null where there is none, and the iterations of the solver.
Json optimum_data(const io::Summary::Optimum& optimum) {
  const auto number = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
  Json bounds = Json::object();
  for (const auto& [name, pair] : optimum.bounds)
    bounds[name] = Json::array({number(pair.first), number(pair.second)});
  Json history = Json::array();
  for (const auto& it : optimum.history)
    history.push_back({{"cost", number(it.cost)},
                       {"infeasibility", number(it.infeasibility)},
                       {"stationarity", number(it.stationarity)},
                       {"complementarity", number(it.complementarity)}});
  return {{"bounds", std::move(bounds)}, {"history", std::move(history)}};
}

Json path_rows(const std::vector<Path>& drawn) {
  Json result = Json::array();
  for (const Path& p : drawn)
    result.push_back({{"label", p.label},
                      {"x", p.x},
                      {"y", p.y},
                      {"z", p.z.empty() ? Json(nullptr) : Json(p.z)},
                      {"body", p.body}});
  return result;
}

Json phases(const io::Model& model) {
  Json result = Json::array();
  std::size_t i = 0;
  for (const auto& place : model.system->space.factors()) {
    const Factor& factor = *place.factor;
    if (factor.entries() != factor.dof() || !factor.notation().forms.empty()) return Json::array();
    for (int k = 0; k < factor.dof() && i < most_columns; ++k, ++i)
      result.push_back({{"label", model.entry_names[i]},
                        {"q", model.entry_names[i]},
                        {"p", model.momentum_names[i]},
                        {"period", factor.notation().period}});
  }
  return result;
}

}  // namespace

std::string run_report(const io::Model& model, io::RecordReader& reader, const io::Summary& summary,
                       io::RecordReader* events) {
  const std::vector<Path> drawn = find_paths(model.scenario.system);
  std::set<std::string> needed;
  for (const Path& path : drawn) needed.insert({path.x, path.y, path.z});
  const std::vector<std::size_t> places = shown_columns(reader.columns(), needed);
  const io::ColumnList columns = chosen(reader.columns(), places);
  const std::size_t guide = place_of(reader.columns(), "energy");
  // whole records are asked for by constraints and plots only
  const bool whole = model.system->d > 0 || model.plots.outputs;
  const Table records = whole ? thinned(reader, guide, most_points) : Table();
  const Table table = whole ? chosen(records, places) : thinned(reader, guide, most_points, places);
  Json data = head(model.scenario, "run");
  data["verdicts"] = verdict_rows(summary);
  data["t"] = times(table);
  data["columns"] = Json::array();
  add_recorded(columns, table, data["columns"]);
  add_errors(summary, !model.system->uses_time && !model.system->forced, columns, table,
             data["columns"]);
  add_constraints(model, records, data["columns"]);
  std::size_t shown = 0;
  for (const auto& c : data["columns"]) shown += c["kind"] == "q" ? 1 : 0;
  data["facts"] = facts(model, summary, shown);
  data["paths"] = path_rows(drawn);
  data["phase"] = phases(model);
  data["equations"] = equations_data(model);
  if (model.plots.outputs) data["plots"] = plot_data(model, reader.columns(), records);
  if (model.scene.outputs) data["draw"] = scene_data(model, reader);
  if (summary.optimum) data["optimum"] = optimum_data(*summary.optimum);
  if (events != nullptr) data["sections"] = sections(model, *events);
  return page_of(data, summary);
}

std::string compare_report(const io::Model& model, const io::Comparison& comparison) {
  Json data = head(model.scenario, "compare");
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
