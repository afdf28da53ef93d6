// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// By what a checkpoint knows the solid it belongs to.
#include <string>

#include "varia/io/checkpoint.hpp"
#include "varia/io/solid_model.hpp"
#include "varia/solids/solid.hpp"

namespace varia::io {

/// A checkpoint with the texts that tell one solid from another.
template <int D>
Checkpoint signed_checkpoint(const SolidModel& model, const solids::Solid<D>& solid);

/// InvalidArgument if the checkpoint, read from `path`, is of another solid, method or step than
/// the one just signed, or has other columns.
void check_fits(const Checkpoint& found, const Checkpoint& here, const std::string& columns,
                const std::string& path, const SolidRun& run);

}  // namespace varia::io
