// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The functions of the language and their operations.
#include <array>
#include <string_view>

#include "varia/expr/op.hpp"

namespace varia::expr {

struct Function {
  std::string_view name;
  Op op;
};

inline constexpr std::array<Function, 20> functions{
    {{"sin", Op::sin},     {"cos", Op::cos},   {"tan", Op::tan},
     {"asin", Op::asin},   {"acos", Op::acos}, {"atan", Op::atan},
     {"atan2", Op::atan2}, {"sinh", Op::sinh}, {"cosh", Op::cosh},
     {"tanh", Op::tanh},   {"exp", Op::exp},   {"log", Op::log},
     {"sqrt", Op::sqrt},   {"abs", Op::abs},   {"min", Op::min},
     {"max", Op::max},     {"sign", Op::sign}, {"hypot", Op::hypot},
     {"pow", Op::pow},     {"less", Op::less}}};  // of min and max

constexpr const Function* find_function(std::string_view name) {
  for (const Function& f : functions)
    if (f.name == name) return &f;
  return nullptr;
}

constexpr std::string_view function_name(Op op) {
  for (const Function& f : functions)
    if (f.op == op) return f.name;
  return "?";
}

}  // namespace varia::expr
