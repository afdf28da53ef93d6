// SPDX-License-Identifier: BSD-3-Clause
// Momenta along which forces or nonholonomic reactions act: (rolling-balance), step by step.
#include <algorithm>
#include <cmath>
#include <vector>

#include "check_laws.hpp"
#include "generator_field.hpp"
#include "varia/flow/rolling_impulses.hpp"

namespace varia::io {

namespace {

constexpr int balanced_steps = 20;

/// A symmetry of L whose momentum changes.
bool changes(const Momentum& m) { return m.symmetry && !m.conserved && !m.quadratic; }

}  // namespace

void check_balance(const Model& model, const AnyFlow& flow, VectorState s, CheckReport& report,
                   CheckWork& work) {
  if (model.system->e == 0) return;
  std::vector<GeneratorField> fields;
  for (std::size_t i = 0; i < model.momenta.size(); ++i) {
    if (!changes(model.momenta[i])) continue;
    fields.push_back(generator_field(model, i));
    report.balances.emplace_back(model.momenta[i].name, 0.0);
  }
  if (fields.empty()) return;
  if (model.method.stages() == nullptr || !model.method.begins_with_multipliers()) {
    report.balances.clear();
    report.notes.emplace_back(
        "the balance of momenta with the reactions is measured for nh_lobatto(s)");
    return;
  }
  try_to_measure("balance of momenta", report, [&] {
    work.begin("balance of momenta", law_seconds);
    for (int step = 0; step < balanced_steps; ++step) {
      VectorState end = s;
      const std::vector<double> given = rolling_impulses(*flow.stages(), end, model.step, fields);
      for (std::size_t k = 0; k < fields.size(); ++k) {
        const Vn before = s.p.cwiseProduct(fields[k](s.q));
        const Vn after = end.p.cwiseProduct(fields[k](end.q));
        const double size =
            std::max(before.cwiseAbs().sum(), after.cwiseAbs().sum()) + std::abs(given[k]);
        const double defect = std::abs((after.sum() - before.sum()) - given[k]);
        double& worst = report.balances[k].second;
        if (size > 0.0) worst = std::max(worst, defect / size);
      }
      s = end;
    }
  });
}

}  // namespace varia::io
