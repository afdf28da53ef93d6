// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A group without its points: for systems that no translation of the group changes.
//
// Where neither L nor a force or constraint contains g, the equations for the momentum stand alone,
//
//   (EP)        d/dt μ = ad*_v μ + f, μ = ∂L/∂v
//
// and a step, written from the end momentum in the frame of its start, does not look at g either: a step
// from g = e with g forgotten, of any method, is a step of (EP). A factor that holds no entries says just
// that. Its points are all one, its velocities, momenta and charts are those of the group
// (docs/theory/reduction.md).
#include "varia/space/factor.hpp"

namespace varia {

/// The group without its points. Throws InvalidArgument for a factor that is flat, or seen otherwise than it
/// is held.
FactorPtr reduced(const FactorPtr& group);

/// Whether the factor is a group whose points a scenario can leave out: it names Casimir functions.
bool reducible(const Factor& factor);

}  // namespace varia
