// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A program evaluated over any scalar: doubles, jets, jets of jets.
//
// Where a derivative does not exist the jets throw a DomainError, but not in the branch of a condition that
// is not taken; the derivative of a step is zero.
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <vector>

#include "varia/ad/binary.hpp"
#include "varia/ad/elementary.hpp"
#include "varia/ad/power.hpp"
#include "varia/ad/scalar.hpp"
#include "varia/ad/steps.hpp"
#include "varia/expr/table.hpp"
#include "varia/expr/tape.hpp"

namespace varia::expr {
namespace detail {

/// 1 or 0; not a number where the operands cannot be compared.
constexpr double truth(bool holds, bool fails) {
  return holds ? 1.0 : fails ? 0.0 : std::numeric_limits<double>::quiet_NaN();
}

inline double table_of(double x, double code) { return table_value(x, code); }
template <AnyJet J> J table_of(const J& x, const J& code) {
  const double f = value_of(code);
  const auto of = [&](int order) { return table_of(x.v, typename J::Inner(f + order)); };
  return varia::detail::chain(x, of(0), of(1), [&] { return of(2); });
}

/// use(f) with the function f of the operation, generic in the scalar.
template <class Use> [[gnu::always_inline]] inline auto with_unary(Op op, const Use& use) {
  switch (op) {
    case Op::neg:
      return use([](const auto& a) { return -a; });
    case Op::abs:
      return use([](const auto& a) { return abs(a); });
    case Op::sign:
      return use([]<class S>(const S& a) {
        return S(static_cast<double>((value_of(a) > 0.0) - (value_of(a) < 0.0)));
      });
    case Op::floor:
      return use([]<class S>(const S& a) { return S(std::floor(value_of(a))); });
    case Op::smoothstep:
      return use([](const auto& a) { return smoothstep(a); });
    case Op::sqrt:
      return use([](const auto& a) { return sqrt(a); });
    case Op::exp:
      return use([](const auto& a) { return exp(a); });
    case Op::log:
      return use([](const auto& a) { return log(a); });
    case Op::erf:
      return use([](const auto& a) { return erf(a); });
    case Op::sin:
      return use([](const auto& a) { return sin(a); });
    case Op::cos:
      return use([](const auto& a) { return cos(a); });
    case Op::tan:
      return use([](const auto& a) { return tan(a); });
    case Op::asin:
      return use([](const auto& a) { return asin(a); });
    case Op::acos:
      return use([](const auto& a) { return acos(a); });
    case Op::atan:
      return use([](const auto& a) { return atan(a); });
    case Op::sinh:
      return use([](const auto& a) { return sinh(a); });
    case Op::cosh:
      return use([](const auto& a) { return cosh(a); });
    case Op::tanh:
      return use([](const auto& a) { return tanh(a); });
    default:
      return use([](const auto& a) { return a; });
  }
}

template <class Use> [[gnu::always_inline]] inline auto with_binary(Op op, const Use& use) {
  switch (op) {
    case Op::add:
      return use([](const auto& a, const auto& b) { return a + b; });
    case Op::sub:
      return use([](const auto& a, const auto& b) { return a - b; });
    case Op::mul:
      return use([](const auto& a, const auto& b) { return a * b; });
    case Op::div:
      return use([](const auto& a, const auto& b) { return a / b; });
    case Op::pow:
      return use([](const auto& a, const auto& b) { return pow(a, b); });
    case Op::atan2:
      return use([](const auto& a, const auto& b) { return atan2(a, b); });
    case Op::mod:
      return use([](const auto& a, const auto& b) { return mod(a, b); });
    case Op::hypot:
      return use([](const auto& a, const auto& b) { return hypot(a, b); });
    case Op::min:
      return use([](const auto& a, const auto& b) { return min(a, b); });
    case Op::max:
      return use([](const auto& a, const auto& b) { return max(a, b); });
    case Op::less:
      return use([]<class S>(const S& a, const S& b) {
        return S(truth(value_of(a) < value_of(b), value_of(b) <= value_of(a)));
      });
    case Op::less_equal:
      return use([]<class S>(const S& a, const S& b) {
        return S(truth(value_of(a) <= value_of(b), value_of(b) < value_of(a)));
      });
    case Op::equal:
      return use([]<class S>(const S& a, const S& b) {
        return S(truth(value_of(a) == value_of(b),
                       value_of(a) < value_of(b) || value_of(b) < value_of(a)));
      });
    case Op::when:
      return use([]<class S>(const S& a, const S& b) {
        const double condition = value_of(a);
        return condition == 1.0 ? b : S(truth(false, condition == 0.0));
      });
    case Op::table:
      return use([](const auto& a, const auto& b) { return table_of(a, b); });
    default:
      return use([](const auto& a, const auto&) { return a; });
  }
}

template <class S> S apply_unary(Op op, const S& a) {
  return with_unary(op, [&](const auto& f) -> S { return f(a); });
}
template <class S> S apply_binary(Op op, const S& a, const S& b) {
  return with_binary(op, [&](const auto& f) -> S { return f(a, b); });
}

}  // namespace detail

template <class S> void Tape::evaluate_as(const S* x, S* out, std::vector<S>& work) const {
  work.resize(instructions_.size());
  std::vector<char> counts;
  if constexpr (!std::same_as<S, double>) {
    std::vector<double> values;
    for (int k = 0; k < inputs_; ++k) values.push_back(value_of(x[k]));
    if (conditional_) counts = that_count(values.data());
  }
  for (std::size_t k = 0; k < instructions_.size(); ++k) {
    const Instruction& i = instructions_[k];
    if (!counts.empty() && counts[k] == 0) continue;
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
