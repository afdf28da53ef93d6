// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The equations of a model as a LaTeX document that compiles.
#include <string>

#include "varia/io/model.hpp"

namespace varia::report {

/// `named`: the model with parameters by name, io::with_names; `model` has their values.
std::string latex_document(const io::Model& model, const io::Model& named);

}  // namespace varia::report
