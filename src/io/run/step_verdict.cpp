// SPDX-License-Identifier: BSD-3-Clause
// Whether the step resolves the motion. Limits: docs/reference/outputs.md, section Verdicts.
#include "step_verdict.hpp"

#include <algorithm>
#include <cmath>

#include "varia/io/verdict.hpp"

namespace varia::io {

namespace {

constexpr double error_bad = 0.3;  // of the exchanged energy

/// Made again with shorter ones, the steps come out differently.
std::optional<Verdict> error_verdict(const Summary& s) {
  if (!s.step_error || !(*s.step_error > error_bad)) return std::nullopt;
  const std::string text = share_text(*s.step_error);
  return Verdict{"step", "bad", text,
                 "The step does not resolve what acts: single steps differ from shorter ones by " +
                     text + " of the energy that these exchange: the run cannot be trusted. " +
                     "Take smaller steps."};
}

/// A step that is too long for the fastest turn, growth or decay of small motions.
std::optional<Verdict> resolution_verdict(const Summary& s) {
  const double pi = std::acos(-1.0);
  const double rate = std::max(s.fastest_frequency, std::abs(s.fastest_rate));
  const double product = std::abs(s.step) * rate;
  if (!(product > std::min(pi, 0.5 * s.order))) return std::nullopt;
  const double growth = s.fastest_rate.real();
  const bool turns = std::abs(s.fastest_rate) <= s.fastest_frequency ||
                     std::abs(growth) < std::abs(s.fastest_rate.imag());
  if (turns)
    return Verdict{"step", "note", short_number(product),
                   "The step does not resolve the fastest motion: it turns once in " +
                       short_number(2.0 * pi / product) + " steps, in a time of " +
                       short_number(2.0 * pi / rate) + "."};
  return Verdict{"step", "note", short_number(product),
                 std::string("The step does not resolve the fastest ") +
                     (growth < 0.0 ? "decay" : "growth") + ": a step is " + short_number(product) +
                     " times its time, " + short_number(1.0 / rate) +
                     ". Slower motion may still be right; smaller steps tell."};
}

}  // namespace

std::string share_text(double share) {
  return share >= 0.01 ? short_number(100.0 * share) + " %" : short_number(share);
}

std::optional<Verdict> step_verdict(const Summary& s) {
  if (s.step_length || s.updates) return std::nullopt;
  if (auto error = error_verdict(s)) return error;
  return resolution_verdict(s);
}

}  // namespace varia::io
