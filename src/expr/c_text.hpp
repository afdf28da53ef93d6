// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Pieces of C that all generated code is made of.
#include <cstddef>
#include <string>
#include <string_view>

#include "varia/expr/op.hpp"

namespace varia::expr {

void append(std::string& text, std::size_t n);

/// All bits of the number: a hexadecimal constant, in parentheses if it has a sign.
void append_exact(std::string& text, double x);

/// How an operation looks in C, `a` and `b` standing for the operands.
std::string form_of(Op op);

/// Whether the letter at i stands for an operand: letters inside a word such as tanh do not.
bool is_operand(std::string_view form, std::size_t i);

/// The operation of this form; append_operand(0), append_operand(1) write the operands.
template <class F>
void append_operation(std::string& text, const std::string& form, const F& append_operand) {
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (is_operand(form, i))
      append_operand(form[i] - 'a');
    else
      text += form[i];
  }
}

}  // namespace varia::expr
