// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The method avi on a [system]: the terms of its potential, each with a step of its own [LMOW03].
//
// Every coordinate is a node on the line, with its own mass and time. This is r-RESPA without the
// demand that steps divide each other.
#include <memory>

#include "varia/io/model.hpp"
#include "varia/io/stepper.hpp"
#include "varia/terms/system.hpp"

namespace varia::io {

/// The system as terms on the line, those with few coordinates first; numbers of terms in the order
/// of the model otherwise. Native code that the model has is used.
terms::System<1> asynchronous_system(const Model& model);

/// Its start, with half a kick in advance (AVI-start).
terms::State<1> asynchronous_start(const Model& model, const terms::System<1>& system);

/// What its motion calls.
KernelList asynchronous_kernels(const Model& model);

std::unique_ptr<Stepper> make_asynchronous_stepper(const Model& model);

}  // namespace varia::io
