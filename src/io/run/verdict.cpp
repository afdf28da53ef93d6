// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/verdict.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "step_verdict.hpp"
#include "varia/core/counted.hpp"
#include "varia/io/consistency.hpp"

namespace varia::io {

namespace {

// The limits of docs/reference/outputs.md, section Verdicts.
constexpr double energy_good = 0.05;  // of the exchanged energy
constexpr double energy_bad = 0.3;
constexpr double swing_good = 0.1;  // of what changes during the run
constexpr double drift_bad = 1e-8;  // of the exchanged energy, of a method that is not variational
constexpr double momentum_bad = 1e-9;      // of the parts of the momentum
constexpr double constraint_good = 1e-12;  // of the coordinates, of the speed
constexpr double constraint_bad = 1e-8;
constexpr double multiplier_good = 0.05;  // of the largest multiplier
constexpr double multiplier_bad = 0.5;
constexpr double balance_tolerance = 1e-11;  // of the momentum

/// Round-off of a quantity that is evaluated to ε and wanders with the steps.
double wandering(long steps) {
  return 64.0 * std::numeric_limits<double>::epsilon() *
         (1.0 + std::sqrt(static_cast<double>(steps)));
}

/// good up to the one limit, bad above the other.
std::string grade(double x, double good, double bad) {
  return x <= good ? "good" : x <= bad ? "note" : "bad";
}

/// What rounding does to the energy: to each evaluation, and in the steps, where it wanders.
double energy_round_off(const Summary& s) {
  return 8.0 * s.energy.round_off + wandering(s.steps) * s.energy.exchanged;
}

/// E - E₀ against the work of what drives the constraints.
Verdict driven_verdict(const Summary& s) {
  double work = 0.0;
  double defect = 0.0;
  for (const auto& [name, o] : s.observe) {
    if (name == driver_work) work = o.final;
    if (name == energy_balance) defect = std::max(o.max - o.initial, o.initial - o.min);
  }
  const double change = s.energy.final - s.energy.initial;
  const bool closed =
      defect <= 0.01 * (s.energy.max - s.energy.min) || defect <= energy_round_off(s);
  return {"energy", closed ? "good" : "note", short_number(defect),
          "Constraints move: the energy changes by " + short_number(change) +
              ", what drives them has done the work " + short_number(work) +
              "; the balance is kept within " + short_number(defect) + "."};
}

/// An energy that changes by its round-off; a large constant may hide everything else, a small loss
/// that would be bad of a method that is not variational too.
Verdict rounded_verdict(const Summary& s) {
  const std::string change = short_number(s.energy.max_abs_error);
  const double hidden = s.variational ? energy_good : drift_bad;
  if (s.energy.moves && 8.0 * s.energy.round_off > hidden * s.energy.exchanged)
    return {"energy", "note", change,
            "The energy cannot be judged: its numbers are rounded by " +
                short_number(s.energy.round_off) + ", motion and place exchange " +
                short_number(s.energy.exchanged) + ". Leave constants out of L."};
  return {"energy", "good", change,
          "The energy is conserved to round-off: it changes by at most " + change + "."};
}

/// An energy that swings about a level.
Verdict bounded_verdict(const Summary& s) {
  const double share = s.energy.of_exchanged();
  const std::string text = share_text(share);
  const std::string status = grade(share, energy_good, energy_bad);
  if (status == "good" && s.energy.max_abs_error > swing_good * s.energy.swing)
    return {"energy", "note", text,
            "The energy error stays bounded: at most " + text +
                " of the exchanged energy. But most of that is steady motion: the error is " +
                share_text(s.energy.max_abs_error / s.energy.swing) +
                " of the energy that changes."};
  return {"energy", status, text,
          "The energy error stays bounded: at most " + text + " of the exchanged energy, no trend" +
              (status == "good" ? "." : "; the steps are large.")};
}

}  // namespace

Verdict energy_verdict(const Summary& s, double span) {
  const std::string change = short_number(s.energy.max_abs_error);
  const double share = s.energy.of_exchanged();
  if (!std::isfinite(s.energy.max_abs_error) || !std::isfinite(s.energy.drift_per_time))
    return {"energy", "bad", "unbounded",
            "The energy grows beyond all numbers: the steps are too large."};
  const std::string text = share_text(share);
  if (s.energy.max_abs_error <= energy_round_off(s)) return rounded_verdict(s);
  if (share > energy_bad)
    return {"energy", "bad", text,
            "The energy error is " + change + ", " + text +
                " of the energy that motion and place exchange: the run cannot be trusted. "
                "Take smaller steps."};
  // a decay that levels off has no trend on the whole, but ends at its largest error
  const bool decayed =
      !s.variational && std::abs(s.energy.final - s.energy.initial) >= 0.9 * s.energy.max_abs_error;
  if (!decayed && energy_is_bounded(s.energy, span)) return bounded_verdict(s);
  const bool falls = s.energy.trend == "drifting" ? s.energy.drift_per_time < 0.0
                                                  : s.energy.final < s.energy.initial;
  return {"energy", s.variational || share <= drift_bad ? "note" : "bad", text,
          std::string("The energy ") + (falls ? "decays" : "grows") + ": a trend of " +
              short_number(s.energy.drift_per_time) +
              (s.energy.drift_error > 0.0 ? " +- " + short_number(s.energy.drift_error) : "") +
              " per unit of time, " + text + " of the exchanged energy in all" +
              (s.variational ? ". Over a longer run, or with a smaller step, a variational method "
                               "swings about a level."
                             : ", as with a method that is not variational.")};
}

namespace {

/// Nonholonomic constraints: linear ones without time do no work, but a step keeps no energy of its own.
Verdict rolling_energy(const Model& model, const Summary& s, double span) {
  const std::string change = short_number(s.energy.max_abs_error);
  if (!model.structure.idle)
    return {
        "energy", "note", change,
        "Constraints that are not linear in the velocities may do work: the energy changes by " +
            change + "."};
  Verdict verdict = energy_verdict(s, span);
  if (verdict.status == "note" && !energy_is_bounded(s.energy, span))
    verdict.text = "The energy has a trend of " + short_number(s.energy.drift_per_time) +
                   " per unit of time, " + share_text(s.energy.of_exchanged()) +
                   " of the exchanged energy in all: with nonholonomic constraints no method keeps "
                   "a level for ever. Take smaller steps or more stages.";
  return verdict;
}

/// The multipliers of nonholonomic constraints against those of the equations of motion.
Verdict multiplier_verdict(const Model& model, const Summary::Nonholonomic& found) {
  const double share = found.max_multiplier > 0.0
                           ? found.max_multiplier_defect / found.max_multiplier
                           : found.max_multiplier_defect;
  const std::string text = share_text(share);
  const bool propagated =
      model.options.multipliers == Multipliers::propagate && model.method.begins_with_multipliers();
  if (share <= multiplier_good)
    return {"multipliers", "good", text,
            "The multipliers are those of the equations of motion within " + text + "."};
  return {"multipliers", share <= multiplier_bad ? "note" : "bad", text,
          "The multipliers differ from those of the equations of motion by " + text +
              " of their size" +
              (propagated ? ": an error of theirs grows where phase space contracts. Try "
                            "multiplier = \"recompute\" in [run], or smaller steps."
                          : ": take smaller steps.")};
}

/// A discrete Lagrangian of another system than the one that is stated; nothing otherwise.
std::optional<Verdict> discrete_verdict(const Model& model, const Summary& s) {
  if (!model.discrete || !model.method.own_lagrangian()) return std::nullopt;
  const auto defect = discrete_defect(model, s.final.q.numbers(), s.final.v.numbers());
  if (!defect) return std::nullopt;
  return Verdict{"discrete_lagrangian", "bad", share_text(defect->share),
                 "The discrete Lagrangian is not that of the Lagrangian: for small steps its " +
                     defect->of + " is " + short_number(defect->found) + " where it should be " +
                     short_number(defect->stated) + ", " + share_text(defect->share) +
                     " of its size."};
}

/// Whether the energy has changed by far more or less than the work of the forces. Four records a
/// period tell the work, fewer may all be where the power is 0; but forces that only take give nothing.
bool work_is_missed(const Summary& s) {
  if (!s.work) return false;
  const double far = energy_bad * s.energy.exchanged;
  if (s.work->most_power <= 0.0 && s.energy.max - s.energy.initial > far) return true;
  const double product = std::abs(s.step) * s.fastest_frequency;
  const bool told = !s.step_length && product > 0.0 && product <= 0.5 * std::acos(-1.0);
  return told && s.work->defect > far + 2.0 * s.work->doubt;
}

Verdict forced_energy(const Summary& s, const std::string& change) {
  const std::string text = "Forces act: the energy changes from " + short_number(s.energy.initial) +
                           " to " + short_number(s.energy.final);
  if (!work_is_missed(s)) return {"energy", "note", change, text + "."};
  return {"energy", "bad", short_number(s.work->defect),
          text + ", but their work is " + short_number(s.work->total) +
              "; on the way the two differ by up to " + short_number(s.work->defect) +
              ": the run cannot be trusted. Take smaller steps."};
}

Verdict model_energy(const Model& model, const Summary& s, double span) {
  const std::string change = short_number(s.energy.max_abs_error);
  if (model.system->forced) return forced_energy(s, change);
  if (model.structure.driven) return driven_verdict(s);
  if (model.system->e > 0 && !model.system->uses_time) return rolling_energy(model, s, span);
  if (model.system->uses_time)
    return {"energy", "note", change,
            std::string(model.system->e > 0 ? "The Lagrangian or a constraint depends"
                                            : "The Lagrangian depends") +
                " on time: the energy is not conserved, it changes by " + change + "."};
  return energy_verdict(s, span);
}

std::optional<Verdict> kinetic_verdict(const Summary& s) {
  const double rounding = 1e-9 * s.energy.exchanged + 8.0 * s.energy.round_off;
  if (!(s.energy.lowest_kinetic < -rounding)) return std::nullopt;
  return Verdict{"kinetic energy", "note", short_number(s.energy.lowest_kinetic),
                 "The kinetic energy falls to " + short_number(s.energy.lowest_kinetic) +
                     ": where it is negative, the energy does not bound the motion."};
}

/// Steps that were to keep the discrete energy.
Verdict kept_energy_verdict(const Summary& s) {
  const long failed = s.keep_energy->minimised;
  return {"discrete energy", failed == 0 ? "good" : "note", std::to_string(failed),
          failed == 0
              ? "Every step keeps the discrete energy, " +
                    short_number(s.keep_energy->discrete_energy) + "."
              : std::to_string(failed) + " of " + std::to_string(s.steps) +
                    (failed == 1 ? " steps does" : " steps do") +
                    " not keep the discrete energy, " +
                    short_number(s.keep_energy->discrete_energy) +
                    ": no step length does, and the one with the smallest error was taken."};
}

/// The energy that the method keeps, beside the one that swings.
Verdict modified_verdict(const Summary& s) {
  double range = 0.0;
  for (const auto& [name, o] : s.observe)
    if (name == "modified_energy") range = o.range;
  const double swing = s.energy.max - s.energy.min;
  const bool kept = range < swing || range <= energy_round_off(s);
  return {"modified energy", kept ? "good" : "note", short_number(range),
          kept ? "The energy swings by " + short_number(swing) +
                     "; the modified energy stays within " + short_number(range) + "."
               : "The modified energy swings by " + short_number(range) + ", the energy by " +
                     short_number(swing) + ": the step is too large for its series."};
}

/// The change of a momentum and what has made it.
Verdict balance_verdict(const std::string& name, const Summary::Balance& b,
                        const Summary::Momentum& m) {
  const double scale = std::max({m.parts, std::abs(m.initial), m.max_abs_error});
  const bool closed = b.defect <= balance_tolerance * scale;
  return {name + " balance", closed ? "good" : "bad", short_number(b.defect),
          "The Lagrangian gives " + short_number(b.by_lagrangian) + ", forces " +
              short_number(b.by_force) +
              (closed ? "; each step balances to round-off: " : "; a step is out of balance by ") +
              short_number(b.defect) + "."};
}

Verdict lyapunov_verdict(const Summary::Lyapunov& found) {
  const bool chaotic = found.exponent > 3.0 * found.error;
  const std::string value =
      short_number(found.exponent) + " +- " + short_number(found.error) + " per unit of time";
  return {"Lyapunov exponent", "note", short_number(found.exponent),
          chaotic ? "The motion is chaotic: the largest Lyapunov exponent is " + value +
                        "; an error of the start grows tenfold in a time of " +
                        short_number(std::log(10.0) / found.exponent) + "."
                  : "No chaos is seen: the largest Lyapunov exponent, " + value +
                        ", cannot be told from 0 in a run of this length."};
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

Verdict momentum_verdict(const Momentum& m, const Summary::Momentum& found, const Summary& s) {
  const double parts = found.parts > 0.0 ? found.parts : 1.0;
  const double share = found.max_abs_error / parts;
  const std::string change = short_number(found.max_abs_error);
  const std::string of = m.quadratic ? "The Casimir function" : "The momentum";
  if (!m.conserved) return {m.name, "note", change, m.message + "."};
  if (share <= wandering(s.steps))
    return {m.name, "good", change, of + " is conserved to round-off: " + change + "."};
  const std::string size = change + ", " + short_number(share) + " of its parts";
  if (!m.exact)
    return {m.name, "note", change,
            "A force acts along the levels of the Casimir function: the motion keeps it, a step to "
            "the order " +
                std::to_string(s.order) + " of the method only. It changes by " + size + "."};
  if (m.defect > 1e-13)
    return {m.name, "note", change,
            "The momentum changes by " + size + ". Its generator leaves L invariant to " +
                short_number(m.defect) + " only: check its numbers."};
  return {m.name, grade(share, 0.0, momentum_bad), change,
          of + " changes by " + size +
              (s.variational ? ": more than round-off." : ": the method does not keep it.")};
}

Verdict constraint_verdict(const Summary::Constraints& found) {
  const double worst = std::max(found.relative_position, found.relative_velocity);
  const std::string status = grade(worst, constraint_good, constraint_bad);
  return {"constraints", status, short_number(worst),
          status == "good" ? "Positions and velocities stay on the constraint to round-off."
                           : "The constraint is violated: its distance is " +
                                 short_number(found.relative_position) +
                                 " of the coordinates in it, the speed "
                                 "away from it " +
                                 short_number(found.relative_velocity) + " of the speed."};
}

}  // namespace

std::string short_number(double x, int digits) {
  if (!std::isfinite(x)) return "no finite number";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, x);
  return text.data();
}

bool energy_is_bounded(const Summary::Energy& energy, double span) {
  const double scale = energy.exchanged > 0.0
                           ? energy.exchanged
                           : std::max({std::abs(energy.initial), std::abs(energy.max), 1e-300});
  if (energy.max_abs_error <= 1e-12 * scale) return true;
  // what is round-off of the energy, a constant in it included, may be large for the rest
  if (!energy.trend.empty() && energy.trend != "round_off") return energy.trend != "drifting";
  return std::abs(energy.drift_per_time * span) <= 0.5 * energy.max_abs_error;
}

namespace {

/// The conditions of optimality hold to so much; where they do not the run has failed, which says why.
Verdict optimum_verdict(const Summary::Optimum& o) {
  return {"optimum", "good", short_number(o.cost, 8),
          "The cost is at a local minimum, found in " + counted(o.iterations, "iteration") +
              ": the conditions of optimality hold within " + short_number(o.kkt_error) + "."};
}

}  // namespace

std::vector<Verdict> verdicts(const Model& model, const Summary& s) {
  std::vector<Verdict> result;
  if (s.optimum && s.status == "done") result.push_back(optimum_verdict(*s.optimum));
  if (s.status == "failed")
    result.push_back({s.optimum ? "optimum" : "run", "bad",
                      short_number(s.optimum ? s.optimum->kkt_error : s.t_end),
                      (s.optimum ? s.message : "The run failed: " + s.message) +
                          (s.message.ends_with("?") ? "" : ".")});
  if (s.steps == 0) return result;
  result.push_back(model_energy(model, s, s.t_end - model.t0));
  if (s.status == "failed" && !s.optimum) {
    result.back().status = "note";
    result.back().text = "Before the failure the recorded energy changes by at most " +
                         short_number(s.energy.max_abs_error) +
                         (s.energy.exchanged > 0.0 ? ", " + share_text(s.energy.of_exchanged()) +
                                                         " of the exchanged energy."
                                                   : ".");
  }
  if (const auto discrete = discrete_verdict(model, s)) result.push_back(*discrete);
  if (const auto step = step_verdict(s)) result.push_back(*step);
  // a Hamiltonian of its own has no part that is kinetic
  if (const auto kinetic = kinetic_verdict(s); kinetic && !model.hamiltonian)
    result.push_back(*kinetic);
  for (std::size_t i = 0; i < s.momenta.size(); ++i)
    result.push_back(momentum_verdict(model.momenta[i], s.momenta[i].second, s));
  if (s.keep_energy) result.push_back(kept_energy_verdict(s));
  if (s.diagnose.modified_energy) result.push_back(modified_verdict(s));
  for (const auto& [name, balance] : s.diagnose.balance)
    for (const auto& [momentum, figures] : s.momenta)
      if (momentum == name) result.push_back(balance_verdict(name, balance, figures));
  if (s.diagnose.lyapunov) result.push_back(lyapunov_verdict(*s.diagnose.lyapunov));
  for (const auto& [name, by] : s.diagnose.sensitivity)
    result.push_back(sensitivity_verdict(name, by));
  if (model.system->d + model.system->e > 0) result.push_back(constraint_verdict(s.constraints));
  if (s.nonholonomic) result.push_back(multiplier_verdict(model, *s.nonholonomic));
  return result;
}

}  // namespace varia::io
