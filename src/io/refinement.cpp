// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/refinement.hpp"

#include <algorithm>
#include <cmath>

#include "solid_motion.hpp"
#include "varia/solids/field_error.hpp"

namespace varia::io {

namespace {

/// The deformation at the end of a run.
struct Outcome {
  solids::Mesh mesh;
  std::vector<double> x;
  long updates = 0;
};

template <int D> Outcome finish(const SolidModel& model) {
  const auto solid = solids::build<D>(model.problem);
  const double duration = model.run.until - solid.t0;
  // Newmark ends at the end: a whole number of steps, none larger than the smallest of the elements
  const double smallest = *std::min_element(solid.steps.begin(), solid.steps.end());
  const auto motion = make_motion(solid, model.run, duration / std::ceil(duration / smallest));
  motion->advance(model.run.until);
  Outcome outcome{solid.mesh, motion->at(model.run.until).x, 0};
  for (int k = 0; k < solid.mesh.element_count(); ++k) outcome.updates += motion->updates(k);
  return outcome;
}

Outcome finish(const SolidModel& model) {
  return model.dimension() == 2 ? finish<2>(model) : finish<3>(model);
}

struct Line {
  double slope, intercept;
};

/// Of least squares.
Line fit(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) mx += x[i] / n, my += y[i] / n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return {xy / xx, my - xy / xx * mx};
}

}  // namespace

double shape_difference(const SolidModel& one, const SolidModel& other) {
  const Outcome a = finish(one), b = finish(other);
  const auto error = solids::field_error({a.mesh, a.x}, {b.mesh, b.x});
  return error.position / std::sqrt(error.volume);
}

double Refinement::slope(const std::string& method, double RefinementRow::*error) const {
  std::vector<double> x, y;
  for (const auto& row : rows) {
    if (row.method != method) continue;
    x.push_back(-row.level);
    y.push_back(std::log2(row.*error));
  }
  return fit(x, y).slope;
}

double Refinement::cost_ratio() const {
  // avi: log of the updates as a piecewise linear function of the log of the error
  std::vector<std::pair<double, double>> avi;
  for (const auto& row : rows)
    if (row.method == "avi")
      avi.emplace_back(std::log(row.displacement), std::log(static_cast<double>(row.updates)));
  std::sort(avi.begin(), avi.end());
  double worst = 0.0;
  for (const auto& row : rows) {
    if (row.method != "newmark") continue;
    const double e = std::log(row.displacement);
    std::size_t i = 1;
    while (i + 1 < avi.size() && avi[i].first < e) ++i;
    const auto [e0, n0] = avi[i - 1];
    const auto [e1, n1] = avi[i];
    const double needed = n0 + (n1 - n0) * (e - e0) / (e1 - e0);
    worst = std::max(worst, std::exp(needed) / static_cast<double>(row.updates));
  }
  return worst;
}

Refinement study_refinement(const RefinementPlan& plan, const ReadModel& read,
                            const std::function<bool()>& interrupted) {
  if (plan.levels.size() < 2 ||
      *std::max_element(plan.levels.begin(), plan.levels.end()) >= plan.reference)
    throw InvalidArgument(
        "reproduce.refinement: at least two levels are needed, all below the reference");
  const auto run = [&](const std::string& method, int level, double courant) {
    std::vector<std::string> overrides{"run.method=" + method,
                                       plan.key + "=" + std::to_string(level)};
    if (courant > 0.0) overrides.push_back("run.courant=" + varia::to_text(courant));
    return finish(read(overrides));
  };
  const Outcome reference = run("newmark", plan.reference, plan.reference_courant);
  Refinement result;
  for (const int level : plan.levels)
    for (const char* method : {"avi", "newmark"}) {
      if (interrupted && interrupted()) return result;
      const Outcome outcome = run(method, level, 0.0);
      const auto error =
          solids::field_error({outcome.mesh, outcome.x}, {reference.mesh, reference.x});
      result.rows.push_back({method, level, outcome.mesh.element_count(), outcome.updates,
                             error.position, error.gradient});
    }
  return result;
}

}  // namespace varia::io
