// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A tape as C with loops: code of a chain is as long as that of one link, for the compiler and for the
// instruction cache. See rolled_program.hpp.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "rolled_program.hpp"
#include "varia/expr/native_size.hpp"

namespace varia::expr {

/// The loops of a long program, where they are much shorter than the program.
std::optional<RolledProgram> worth_rolling(const Tape& tape);

struct RolledFunction {
  std::string name;
  std::size_t number;                              ///< in its module
  std::function<std::string(std::uint32_t)> form;  ///< how the operation of a slot looks in C
};

/// Appends the function.
void write_rolled(std::string& text, const RolledFunction& function, const Tape& tape,
                  const RolledProgram& program);

}  // namespace varia::expr
