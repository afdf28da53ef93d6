// SPDX-License-Identifier: BSD-3-Clause
#include "solid_verdict.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "varia/io/verdict.hpp"

namespace varia::io {

namespace {

constexpr double sum_round_off = 1e-11;  // relative to the sum of the sizes of what is added

double observed_max(const Summary& s, const std::string& name) {
  for (const auto& [which, o] : s.observe)
    if (which == name) return o.max;
  return 0.0;
}

Verdict energy_verdict(const SolidFigures& f, const Summary& s) {
  const double scale = std::max(std::abs(s.energy.initial), observed_max(s, "kinetic"));
  const double share = scale > 0.0 ? s.energy.max_abs_error / scale : s.energy.max_abs_error;
  const std::string text = short_number(share);
  if (s.status == "failed")
    return {"energy", "note", text,
            "Before the failure the recorded energy error is at most " + text + " of the energy."};
  if (!f.laws.time_independent)
    return {"energy", "note", short_number(s.energy.max_abs_error),
            "Supports or loads depend on time: the energy changes from " +
                short_number(s.energy.initial) + " to " + short_number(s.energy.final) + "."};
  if (energy_is_bounded(s.energy, f.span) && share < 0.5)
    return {"energy", "good", text,
            "The energy error stays bounded: at most " + text + " of the energy, no trend."};
  if (share >= 0.5)
    return {"energy", "bad", text,
            "The energy changes by " + text +
                " of itself: the steps are too large. Use a smaller " + "courant."};
  return {"energy", "note", text,
          "The energy changes by at most " + text + " of itself, with a trend of " +
              short_number(s.energy.drift_per_time) +
              " per unit of time; over a longer run it swings about a level."};
}

/// The largest change of those components of a momentum that are conserved; none if none is.
std::optional<double> largest_change(const Summary& s, char letter,
                                     const std::array<bool, 3>& conserved) {
  std::optional<double> largest;
  for (const auto& [name, m] : s.momenta)
    if (name[0] == letter && conserved[static_cast<std::size_t>(name[2] - 'x')])
      largest = std::max(largest.value_or(0.0), m.max_abs_error);
  return largest;
}

void add_momentum(const std::string& name, std::optional<double> change, double scale,
                  std::vector<Verdict>& out) {
  if (!change) return;
  const double share = scale > 0.0 ? *change / scale : *change;
  const std::string text = short_number(share);
  if (share <= sum_round_off)
    out.push_back({name, "good", text, "Conserved to round-off: it changes by " + text + "."});
  else
    out.push_back({name, "bad", text, "It changes by " + text + ": more than round-off."});
}

void add_momenta(const SolidFigures& f, const Summary& s, std::vector<Verdict>& out) {
  add_momentum("linear momentum", largest_change(s, 'P', f.laws.linear), f.linear_scale, out);
  add_momentum("angular momentum", largest_change(s, 'L', f.laws.angular), f.angular_scale, out);
  if (!f.laws.objective && !f.laws.supported && !f.laws.loaded)
    out.push_back({"angular momentum", "note", "",
                   "Linear elasticity does not know rotations: angular momentum is conserved for "
                   "small ones only."});
  if (!f.laws.balance[0] && !f.laws.balance[1] && !f.laws.balance[2]) return;
  const std::string text = short_number(f.balance);
  const bool good = f.balance <= sum_round_off;
  out.push_back({"momentum balance", good ? "good" : "bad", text,
                 (good ? "Momentum changes by what supports and loads gave, to round-off: "
                       : "Momentum differs from what supports and loads gave by ") +
                     text + "."});
}

}  // namespace

std::vector<Verdict> solid_verdicts(const SolidFigures& f, const Summary& s) {
  std::vector<Verdict> out;
  if (s.status == "failed")
    out.push_back({"run", "bad", short_number(s.t_end), "The run failed: " + s.message + "."});
  if (s.steps == 0) return out;
  out.push_back(energy_verdict(f, s));
  add_momenta(f, s, out);
  if (s.energy_residual) {
    const std::string text = short_number(s.energy_residual->max_relative);
    out.push_back({"local energy", "note", text,
                   "The local energy balance of an element is off by at most " + text +
                       " of its energy, added up over the run."});
  }
  if (s.updates && s.method == "avi")
    out.push_back({"updates", "note", short_number(s.updates->ratio),
                   "One common step for all elements would take " + short_number(s.updates->ratio) +
                       " times as many updates."});
  return out;
}

}  // namespace varia::io
