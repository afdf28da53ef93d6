// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A program of loops as C: the loops of the text, blocks of turns as the interpreter takes them.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "varia/expr/loop_program.hpp"

namespace varia::expr {

/// How the operation of a slot of a tape looks in C.
using FormOf = std::function<std::string(const Tape& tape, std::uint32_t slot)>;

/// Appends the function, `number` being its number in its module.
void write_loops(std::string& text, const std::string& name, std::size_t number, const FormOf& form,
                 const LoopProgram& program);

}  // namespace varia::expr
