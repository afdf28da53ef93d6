// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// States of solids in a checkpoint, to the bit, and back; and by what a checkpoint knows its solid.
//
// What does not change during a run (masses, the motions of supports) is not kept: a state is read
// into one that was made from the same problem.
#include <string>

#include "varia/io/checkpoint.hpp"
#include "varia/io/solid_model.hpp"
#include "varia/solids/solid.hpp"
#include "varia/terms/newmark.hpp"
#include "varia/terms/system.hpp"

namespace varia::io {

template <int D> void save(const terms::State<D>& state, Checkpoint& checkpoint);
template <int D> void save(const terms::NewmarkState<D>& state, Checkpoint& checkpoint);

/// Throw InvalidArgument when the checkpoint is of a state with other sizes.
template <int D> void load(const Checkpoint& checkpoint, terms::State<D>& state);
template <int D> void load(const Checkpoint& checkpoint, terms::NewmarkState<D>& state);

/// A checkpoint with the texts that tell one solid from another.
template <int D>
Checkpoint signed_checkpoint(const SolidModel& model, const solids::Solid<D>& solid);

/// InvalidArgument if the checkpoint, read from `path`, is of another solid, method or step than
/// the one just signed, or has other columns.
void check_fits(const Checkpoint& found, const Checkpoint& here, const std::string& columns,
                const std::string& path, const SolidRun& run);

}  // namespace varia::io
