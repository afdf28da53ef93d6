// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Numbers of io as vectors of the library.
#include <vector>

#include "varia/core/types.hpp"

namespace varia::io {

inline Vn vector_of(const std::vector<double>& x) {
  return Eigen::Map<const Vn>(x.data(), std::ssize(x));
}

}  // namespace varia::io
