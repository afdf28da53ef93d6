// SPDX-License-Identifier: BSD-3-Clause
#include "step_look.hpp"

#include <bit>
#include <cmath>

#include "check_work.hpp"
#include "flow_of_model.hpp"
#include "trial_step.hpp"

namespace varia::io {

namespace {

constexpr long short_steps = 7;
constexpr long every_record = 8;       // of the first; then about four more for twice as many
constexpr double most_seconds = 2e-3;  // of a look, in the sense of CheckWork

/// How many records the one with this number stands for; 0: it is not looked at.
double weight(long number) {
  const auto n = static_cast<unsigned long>(number);
  if (number < every_record) return 1.0;
  const unsigned long stride = 1UL << static_cast<unsigned>(std::bit_width(n) - 3);
  return n % stride == 0 ? static_cast<double>(stride) : 0.0;
}

}  // namespace

bool StepLook::needed(const Model& model) {
  const KernelSystem& f = *model.system;
  const bool told = !f.forced && !f.uses_time && (f.e == 0 || model.structure.idle);
  return !told && !model.hamiltonian && f.on_vector_space() && !model.variable &&
         model.terms.empty();
}

StepLook::StepLook(const Model& model)
    : flow_(flow_of(model)),
      step_(model.step),
      affordable_(StepCost(flow_).seconds(short_steps + 1, 3 * short_steps) <= most_seconds) {}

void StepLook::add(const Snapshot& s) {
  const double w = weight(count_++);
  if (w == 0.0 || !affordable_) return;
  const auto n = static_cast<Eigen::Index>(s.v.size());
  const Vn v = Eigen::Map<const Vn>(s.v.data(), n).cwiseAbs();
  double error = 0.0, way = 0.0;
  const bool made = steps_are_made([&] {
    VectorState end = state_of(s), now = end;
    AnyFlow::Memory once = flow_.memory(end), memory = flow_.memory(now);
    flow_.move(end, step_, 1, once);
    for (long k = 0; k < short_steps; ++k) {
      const Vn before = now.p;
      flow_.move(now, step_ / static_cast<double>(short_steps), 1, memory);
      way += v.dot((now.p - before).cwiseAbs());
    }
    error = v.dot((end.p - now.p).cwiseAbs());
  });
  if (!made || !std::isfinite(error) || !std::isfinite(way)) return;
  error_ += w * error;
  way_ += w * way;
}

std::optional<double> StepLook::share() const {
  if (!(way_ > 0.0)) return std::nullopt;
  return error_ / way_;
}

}  // namespace varia::io
