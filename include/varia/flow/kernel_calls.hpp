// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The functions that a flow calls, and about how often: what native code for it can save.
#include <vector>

#include "varia/expr/kernel.hpp"

namespace varia {

/// The numbers are estimates from the method alone, never measured: see decision 12 of
/// docs/architecture.md.
struct KernelCalls {
  expr::Kernel kernel;
  double in_step = 0.0;
  double at_record = 0.0;  ///< for the velocity and the energy of one state
  bool in_loop = false;    ///< of explicit steps for which explicit_source() makes native code
};

using KernelList = std::vector<KernelCalls>;

}  // namespace varia
