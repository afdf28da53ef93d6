// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A program evaluated over any scalar: doubles, jets, jets of jets.
//
// Where a derivative does not exist the jets throw a DomainError; sign and `less` are steps, their
// derivative is zero.
#include <cstddef>
#include <vector>

#include "varia/ad/binary.hpp"
#include "varia/ad/elementary.hpp"
#include "varia/ad/power.hpp"
#include "varia/ad/scalar.hpp"
#include "varia/expr/tape.hpp"

namespace varia::expr {
namespace detail {

template <class S> S apply_unary(Op op, const S& a) {
  switch (op) {
    case Op::neg:
      return -a;
    case Op::abs:
      return abs(a);
    case Op::sign:
      return S(static_cast<double>((value_of(a) > 0.0) - (value_of(a) < 0.0)));
    case Op::sqrt:
      return sqrt(a);
    case Op::exp:
      return exp(a);
    case Op::log:
      return log(a);
    case Op::sin:
      return sin(a);
    case Op::cos:
      return cos(a);
    case Op::tan:
      return tan(a);
    case Op::asin:
      return asin(a);
    case Op::acos:
      return acos(a);
    case Op::atan:
      return atan(a);
    case Op::sinh:
      return sinh(a);
    case Op::cosh:
      return cosh(a);
    case Op::tanh:
      return tanh(a);
    default:
      return a;
  }
}

template <class S> S apply_binary(Op op, const S& a, const S& b) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return a / b;
    case Op::pow:
      return pow(a, b);
    case Op::atan2:
      return atan2(a, b);
    case Op::hypot:
      return hypot(a, b);
    case Op::min:
      return min(a, b);
    case Op::max:
      return max(a, b);
    case Op::less:
      return S(value_of(a) < value_of(b) ? 1.0 : 0.0);
    default:
      return a;
  }
}

}  // namespace detail

template <class S> void Tape::evaluate_as(const S* x, S* out, std::vector<S>& work) const {
  work.resize(instructions_.size());
  for (std::size_t k = 0; k < instructions_.size(); ++k) {
    const Instruction& i = instructions_[k];
    if (i.op == Op::constant) {
      work[k] = S(i.value);
    } else if (i.op == Op::variable) {
      work[k] = x[i.a];
    } else if (operands(i.op) == 1) {
      work[k] = detail::apply_unary(i.op, work[i.a]);
    } else {
      work[k] = detail::apply_binary(i.op, work[i.a], work[i.b]);
    }
  }
  for (std::size_t k = 0; k < output_slots_.size(); ++k) out[k] = work[output_slots_[k]];
}

}  // namespace varia::expr
