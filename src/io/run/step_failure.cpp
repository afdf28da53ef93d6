// SPDX-License-Identifier: BSD-3-Clause
#include "step_failure.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "flow_of_model.hpp"
#include "varia/expr/parse.hpp"
#include "varia/expr/tape.hpp"
#include "varia/flow/kernel_start.hpp"

namespace varia::io {

namespace {

/// That of the motion; zeros where it has no value.
Vn acceleration_at(const Model& model, const Snapshot& s) {
  const auto n = static_cast<Eigen::Index>(s.v.size());
  Vn none = Vn::Zero(n);
  if (model.hamiltonian || model.system->degenerate) return none;
  try {
    const VectorState at = state_of(s);
    Vn a = acceleration(*model.system, at.t, at.q, Eigen::Map<const Vn>(s.v.data(), n)).a;
    if (a.allFinite()) return a;
    return none;
  } catch (const Error&) {
    return none;
  }
}

/// (t, entries, v, p) a time h later, as far as velocity and acceleration tell.
class Prediction {
 public:
  Prediction(const Model& model, const Snapshot& s, bool accelerates)
      : space_(model.system->space),
        s_(s),
        a_(accelerates ? acceleration_at(model, s)
                       : Vn(Vn::Zero(static_cast<Eigen::Index>(s.v.size())))) {}

  std::vector<double> operator()(double h) const {
    std::vector<double> along = s_.v, v = s_.v, q(s_.q.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double a = a_[static_cast<Eigen::Index>(i)];
      along[i] = h * (v[i] + 0.5 * h * a);
      v[i] += h * a;
    }
    space_.retract(s_.q.data(), along.data(), Retraction::exponential, q.data());
    std::vector<double> x{s_.t + h};
    for (const std::vector<double>& part : {q, v, s_.p})
      x.insert(x.end(), part.begin(), part.end());
    return x;
  }

 private:
  const ProductSpace& space_;
  const Snapshot& s_;
  Vn a_;
};

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

/// The first definition of which the expression without a value is a part.
std::string definition_with(const Model& model, const std::string& found, const double* x) {
  constexpr std::size_t most_entries = 1000;
  const int variables = static_cast<int>(model.variable_names.size());
  for (const expr::Definition& d : model.scenario.system.definitions) {
    if (d.bracket != 0) continue;
    try {
      const expr::Array value = expr::parse_array(*model.graph, *model.scope, d.name);
      if (value.entries.size() <= most_entries &&
          expr::Tape(*model.graph, value.entries, variables).non_finite(x, model.variable_names) ==
              found)
        return ", in the definition of " + d.name;
    } catch (const Error&) {
      continue;  // a condition, or one that needs an index
    }
  }
  return {};
}

/// The first expression without a value on the way; numbers that grow beyond all bounds are no place.
std::string without_value(const Model& model, const Snapshot& s, double h) {
  const expr::Kernel kernel =
      model.bodies_of_sums.empty() ? formulas(model) : model.system->gradient;
  const Prediction predicted(model, s, false);
  for (const double part : {0.0, 0.5, 1.0}) {
    const std::vector<double> x = predicted(part * h);
    const std::string found = kernel.non_finite(x.data(), model.variable_names);
    if (!found.empty() && !found.starts_with("overflow"))
      return "near t = " + varia::to_text(s.t + part * h) + ": " + found +
             definition_with(model, found, x.data());
  }
  return {};
}

/// Whether the number changes its sign, or passes a whole number, in a step that is twice as long: what acts may change
/// in it.
bool may_cross(const KinkNote& kink, double first, double last) {
  const double far = last + (last - first);
  if (!std::isfinite(far)) return false;
  if (kink.periodic) return std::floor(first) != std::floor(far);
  return (first <= 0.0) != (far <= 0.0) || first == 0.0 || last == 0.0;
}

/// The expression that is not smooth and changes in the step, with the acceleration or without: it may change itself.
std::string not_smooth(const Model& model, const Snapshot& s, double h) {
  if (!model.gaps) return {};
  const auto gaps_at = [&](const std::vector<double>& x) {
    std::vector<double> gaps(2 * model.kinks.size());
    model.gaps(x.data(), gaps.data());
    return gaps;
  };
  const Prediction uniform(model, s, false), accelerated(model, s, true);
  const std::vector<double> begin = gaps_at(uniform(0.0)),
                            ends[] = {gaps_at(uniform(h)), gaps_at(accelerated(h))};
  for (std::size_t k = 0; k < model.kinks.size(); ++k) {
    const KinkNote& kink = model.kinks[k];
    const double first = begin[2 * k] - begin[2 * k + 1];
    const bool crosses = std::any_of(std::begin(ends), std::end(ends), [&](const auto& end) {
      return may_cross(kink, first, end[2 * k] - end[2 * k + 1]);
    });
    if (crosses)
      return "in this step " + kink.key + " may change: " + kink.text + ", and " +
             (kink.periodic ? "the number is " : "the difference of both sides is ") +
             varia::to_text(first) + " at its beginning";
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

/// What has no value is told first; what the solver met, behind it.
std::string told_first(const std::string& message, const std::string& found) {
  const std::string lead = " was not solved: ";
  const auto at = message.find(lead);
  if (at == std::string::npos) return message + "; " + found;
  const auto cause = at + lead.size();
  return message.substr(0, cause) + found + "; " + message.substr(cause);
}

}  // namespace

std::string explained(const Model& model, const Snapshot& s, double h, const std::string& message) {
  if (s.q.empty() || s.q.size() + 2 * s.v.size() + 1 != model.variable_names.size() ||
      s.v.size() != s.p.size())
    return message;
  if (const std::string found = without_value(model, s, h); !found.empty())
    return told_first(without_advice(message), found);
  const std::string found = not_smooth(model, s, h);
  return found.empty() ? message : without_advice(message) + "; " + found;
}

}  // namespace varia::io
