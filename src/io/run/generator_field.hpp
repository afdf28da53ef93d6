// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The generator of a watched momentum as a field on the configurations.
#include <cstddef>

#include "varia/io/model.hpp"
#include "varia/verify/momentum_balance.hpp"

namespace varia::io {

/// Of one of the momenta of the model: of its kernel of generators, or the unit vector of a cyclic coordinate.
GeneratorField generator_field(const Model& model, std::size_t momentum);

}  // namespace varia::io
