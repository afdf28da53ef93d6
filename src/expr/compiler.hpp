// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The system's C compiler as a function from source text to the bytes of a shared object.
//
// It is started directly, without a shell, with an environment of four variables, in a private
// temporary directory that is removed whatever happens, and ended when it takes too long.
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace varia::expr {

struct Compiler {
  std::string path;      ///< what is executed
  std::string identity;  ///< changes when the compiler is replaced: path, file, size, time
};

/// VARIA_CC or the first of cc, gcc, clang in PATH. Throws NativeError with what was looked for.
Compiler find_compiler();

/// Code of more operations is compiled with fewer optimisations.
inline constexpr std::size_t largest_optimized = 400;

/// Loops are compiled with vectors; statements without loops, many of them, with few optimisations.
std::vector<std::string> compiler_flags(std::size_t operations, bool loops = false);

/// Throws NativeError with the first lines of what the compiler said, or after `limit`.
std::string compile_source(const Compiler& compiler, const std::vector<std::string>& flags,
                           const std::string& source,
                           std::chrono::milliseconds limit = std::chrono::seconds(60));

}  // namespace varia::expr
