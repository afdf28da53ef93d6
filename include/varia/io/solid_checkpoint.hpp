// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// States of solids in a checkpoint, to the bit, and back.
//
// What does not change during a run (masses, the motions of supports) is not kept: a state is read
// into one that was made from the same problem.
#include "varia/io/checkpoint.hpp"
#include "varia/terms/newmark.hpp"
#include "varia/terms/system.hpp"

namespace varia::io {

template <int D> void save(const terms::State<D>& state, Checkpoint& checkpoint);
template <int D> void save(const terms::NewmarkState<D>& state, Checkpoint& checkpoint);

/// Throw InvalidArgument when the checkpoint is of a state with other sizes.
template <int D> void load(const Checkpoint& checkpoint, terms::State<D>& state);
template <int D> void load(const Checkpoint& checkpoint, terms::NewmarkState<D>& state);

}  // namespace varia::io
