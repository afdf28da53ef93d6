// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Eigen's vectors and matrices of jets, also mixed with those of double and of the inner scalar.
#include <Eigen/Core>
#include <limits>

#include "varia/ad/jet.hpp"
#include "varia/ad/jet2.hpp"
#include "varia/core/types.hpp"

namespace varia::detail {

/// What Eigen asks of a real scalar; the magnitudes are those of double.
template <class J, int Components> struct JetTraits {
  using Real = J;
  using NonInteger = J;
  using Nested = J;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = Components,
    AddCost = Components,
    MulCost = 3 * Components
  };
  static J epsilon() { return J(std::numeric_limits<double>::epsilon()); }
  static J dummy_precision() { return J(Eigen::NumTraits<double>::dummy_precision()); }
  static J highest() { return J(std::numeric_limits<double>::max()); }
  static J lowest() { return J(std::numeric_limits<double>::lowest()); }
  static J infinity() { return J(std::numeric_limits<double>::infinity()); }
  static J quiet_NaN() { return J(std::numeric_limits<double>::quiet_NaN()); }
  static constexpr int digits10() { return std::numeric_limits<double>::digits10; }
};

}  // namespace varia::detail

namespace Eigen {

template <class S, int N>
struct NumTraits<varia::Jet<S, N>>
    : varia::detail::JetTraits<varia::Jet<S, N>, (N + 1) * int(NumTraits<S>::ReadCost)> {};
template <int N>
struct NumTraits<varia::Jet2<N>>
    : varia::detail::JetTraits<varia::Jet2<N>, 1 + N + varia::Jet2<N>::packed> {};

// jet ⊗ double and double ⊗ jet
template <class S, int N, class Op> struct ScalarBinaryOpTraits<varia::Jet<S, N>, double, Op> {
  using ReturnType = varia::Jet<S, N>;
};
template <class S, int N, class Op> struct ScalarBinaryOpTraits<double, varia::Jet<S, N>, Op> {
  using ReturnType = varia::Jet<S, N>;
};
template <int N, class Op> struct ScalarBinaryOpTraits<varia::Jet2<N>, double, Op> {
  using ReturnType = varia::Jet2<N>;
};
template <int N, class Op> struct ScalarBinaryOpTraits<double, varia::Jet2<N>, Op> {
  using ReturnType = varia::Jet2<N>;
};

// nested jet ⊗ its inner jet and the reverse
template <class S, int M, int N, class Op>
struct ScalarBinaryOpTraits<varia::Jet<varia::Jet<S, M>, N>, varia::Jet<S, M>, Op> {
  using ReturnType = varia::Jet<varia::Jet<S, M>, N>;
};
template <class S, int M, int N, class Op>
struct ScalarBinaryOpTraits<varia::Jet<S, M>, varia::Jet<varia::Jet<S, M>, N>, Op> {
  using ReturnType = varia::Jet<varia::Jet<S, M>, N>;
};

}  // namespace Eigen
