// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the figures of a run say, in plain words.
#include <vector>

#include "varia/io/model.hpp"
#include "varia/io/summary.hpp"

namespace varia::io {

/// Energy, each momentum, constraints, Newton's method. The status of a verdict is "good" when the
/// law holds as the method promises, "bad" when it does not, "note" where no law is promised.
std::vector<Verdict> verdicts(const Model& model, const Summary& summary);

/// On an energy that the motion conserves and the method nearly: its error against the energy that is
/// exchanged, over a time span.
Verdict energy_verdict(const Summary& summary, double span);

/// Whether an energy that was sampled with these figures swings about a level (true) or runs away:
/// over the whole span the trend is small against the swing, or everything is round-off.
bool energy_is_bounded(const Summary::Energy& energy, double span);

/// 1.2e-09 as a person writes it, with three digits or as many as are asked for.
std::string short_number(double x, int digits = 3);

}  // namespace varia::io
