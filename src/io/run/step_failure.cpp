// SPDX-License-Identifier: BSD-3-Clause
#include "step_failure.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "varia/expr/tape.hpp"
#include "varia/flow/kernel_start.hpp"

namespace varia::io {

namespace {

/// (t, entries, v, p) after the part of a step in which nothing accelerates.
std::vector<double> predicted(const Model& model, const Snapshot& s, double h) {
  std::vector<double> along = s.v;
  for (double& xi : along) xi *= h;
  std::vector<double> q(s.q.size());
  model.system->space.retract(s.q.data(), along.data(), Retraction::exponential, q.data());
  std::vector<double> x{s.t + h};
  x.insert(x.end(), q.begin(), q.end());
  x.insert(x.end(), s.v.begin(), s.v.end());
  x.insert(x.end(), s.p.begin(), s.p.end());
  return x;
}

/// All formulas that move the system.
expr::Kernel formulas(const Model& model) {
  std::vector<expr::Id> all;
  const auto add = [&](const std::vector<expr::Id>& part) {
    all.insert(all.end(), part.begin(), part.end());
  };
  if (!model.hamiltonian) all.push_back(model.lagrangian);
  add(model.gradient);
  add(model.velocity);
  add(model.force);
  add(model.constraint_gradient);
  return expr::Kernel(std::make_shared<const expr::Tape>(
      *model.graph, all, static_cast<int>(model.variable_names.size())));
}

/// The first expression without a value on the way; numbers that grow beyond all bounds are no place.
std::string without_value(const Model& model, const Snapshot& s, double h) {
  const expr::Kernel kernel =
      model.bodies_of_sums.empty() ? formulas(model) : model.system->gradient;
  for (const double part : {0.0, 0.5, 1.0}) {
    const std::vector<double> x = predicted(model, s, part * h);
    const std::string found = kernel.non_finite(x.data(), model.variable_names);
    if (!found.empty() && !found.starts_with("overflow"))
      return "near t = " + varia::to_text(s.t + part * h) + ": " + found;
  }
  return {};
}

/// The accelerations of the motion; none where they are not determined, or not those of a Lagrangian.
std::optional<Vn> accelerations(const Model& model, const Snapshot& s) {
  const KernelSystem& f = *model.system;
  if (model.hamiltonian || f.degenerate) return std::nullopt;
  const auto vector = [](const std::vector<double>& x) {
    return Vn(Eigen::Map<const Vn>(x.data(), std::ssize(x)));
  };
  try {
    const Vn a = acceleration(f, s.t, vector(s.q), vector(s.v)).a;
    if (a.allFinite()) return a;
  } catch (const Error&) {
    // a singular mass has been told
  }
  return std::nullopt;
}

/// The same with the velocities that the accelerations lead to: friction changes its sign with them.
std::vector<double> accelerated(const Model& model, const Snapshot& s, double h) {
  std::vector<double> x = predicted(model, s, h);
  if (const std::optional<Vn> a = accelerations(model, s))
    for (std::size_t i = 0; i < s.v.size(); ++i)
      x[1 + s.q.size() + i] += h * (*a)[static_cast<Eigen::Index>(i)];
  return x;
}

std::string told(const KinkNote& kink, double gap) {
  return "in this step " + kink.key + " may change: " + kink.text + ", and " +
         (kink.periodic ? "the number is " : "the difference of both sides is ") +
         varia::to_text(gap) + " at its beginning";
}

/// The expression that is not smooth and changes in the step.
std::string not_smooth(const Model& model, const Snapshot& s, double h) {
  if (!model.gaps) return {};
  std::vector<double> begin(2 * model.kinks.size());
  std::vector<double> end(begin.size());
  model.gaps(predicted(model, s, 0.0).data(), begin.data());
  model.gaps(accelerated(model, s, h).data(), end.data());
  for (std::size_t k = 0; k < model.kinks.size(); ++k) {
    const KinkNote& kink = model.kinks[k];
    const double first = begin[2 * k] - begin[2 * k + 1];
    const double last = end[2 * k] - end[2 * k + 1];
    // a step that is twice as long, since it accelerates
    const double far = last + (last - first);
    const bool crosses = kink.periodic
                             ? std::floor(first) != std::floor(far)
                             : (first <= 0.0) != (far <= 0.0) || first == 0.0 || last == 0.0;
    if (crosses && std::isfinite(far)) return told(kink, first);
  }
  return {};
}

/// Without the advice at its end.
std::string without_advice(const std::string& message) {
  for (const std::string_view advice :
       {". Try a smaller step", "; the step is too large for the forces, try a smaller one"})
    if (message.ends_with(advice)) return message.substr(0, message.size() - advice.size());
  return message;
}

}  // namespace

std::string explained(const Model& model, const Snapshot& s, double h, const std::string& message) {
  if (s.q.empty() || s.q.size() + 2 * s.v.size() + 1 != model.variable_names.size() ||
      s.v.size() != s.p.size())
    return message;
  std::string found = without_value(model, s, h);
  if (found.empty()) found = not_smooth(model, s, h);
  return found.empty() ? message : without_advice(message) + "; " + found;
}

}  // namespace varia::io
