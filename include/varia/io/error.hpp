// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A file that cannot be read or written: which file, what was tried, why it failed.
#include <string>
#include <utility>

#include "varia/core/error.hpp"

namespace varia::io {

struct IoError : Error {
  IoError(std::string file, const std::string& message)
      : Error(file + ": " + message), path(std::move(file)) {}

  std::string path;
};

}  // namespace varia::io
