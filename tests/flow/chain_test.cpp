// SPDX-License-Identifier: BSD-3-Clause
// Chains and rings of rods in redundant coordinates: bands whose width does not grow with n, and
// constraints that hold to round-off however long the chain.
#include <gtest/gtest.h>

#include "../../bench/pendulum_chain.hpp"
#include "varia/flow/flow.hpp"
#include "varia/methods/methods.hpp"
#include "varia/verify/typed_view.hpp"

namespace varia::chain_test {
namespace {

constexpr ChainEnd ends[] = {ChainEnd::free, ChainEnd::wall, ChainEnd::first};

TEST(Chain, BandsDoNotGrow) {
  for (const ChainEnd end : ends)
    for (const Method& method : {verlet(), lobatto(3)}) {
      const StageFlow small(method, pendulum_chain(50, end).system);
      const StageFlow large(method, pendulum_chain(400, end).system);
      EXPECT_TRUE(small.banded());
      EXPECT_EQ(small.bandwidth(), large.bandwidth());
      EXPECT_LE(large.bandwidth(), end == ChainEnd::first ? 22 : 12);
      EXPECT_GT(large.unknowns(), 7 * small.unknowns());
    }
}

/// The same chain for the dense engine, which knows nothing of bands.
TEST(Chain, IsThatOfTheDenseTemplate) {
  for (const ChainEnd end : ends) {
    const auto chain = pendulum_chain(12, end);
    const TypedView view(chain.system);
    for (const Method& method : {verlet(), lobatto(3), midpoint()}) {
      const StageFlow by_text(method, chain.system);
      const Flow dense(method, view);
      VectorState a = chain.start;
      VectorState b = chain.start;
      auto memory = by_text.memory(a);
      a = by_text.steps(a, 0.1, 30, memory);
      for (int k = 0; k < 30; ++k) b = dense(b, 0.1);
      EXPECT_LT((a.q - b.q).norm() + (a.p - b.p).norm(), 1e-11) << method.name();
      EXPECT_LT((a.lambda - b.lambda).norm(), 1e-9) << method.name();
      EXPECT_GT((a.q - chain.start.q).norm(), 1e-2);
    }
  }
}

/// (EL) with dense matrices: the multipliers at (q, v).
Vn dense_multipliers(const TypedView& view, const Vn& q, const Vn& v) {
  GradientOf<Vn> g;
  HessianOf<Vn> h;
  view.lagrangian().hessian(0.0, q, v, g, h);
  Vn phi;
  Matrix<double, Dynamic> G;
  view.constraint().jacobian(0.0, q, phi, G);
  const Eigen::Index n = q.size();
  const Eigen::Index d = phi.size();
  Eigen::MatrixXd kkt = Eigen::MatrixXd::Zero(n + d, n + d);
  kkt.topLeftCorner(n, n) = h.vv;
  kkt.topRightCorner(n, d) = -G.transpose();
  kkt.bottomLeftCorner(d, n) = G;
  Eigen::VectorXd rhs(n + d);
  rhs << g.q - h.qv.transpose() * v, -detail::acceleration_along(view.constraint(), 0.0, q, v);
  return kkt.fullPivLu().solve(rhs).tail(d);
}

/// initial() and project(), with the zeros left out.
TEST(Chain, StartsSatisfyTheDenseEquations) {
  const auto chain = pendulum_chain(9, ChainEnd::wall);
  const TypedView view(chain.system);
  Vn q = chain.start.q;
  Vn v = Vn::Zero(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    q[i] += 0.02 * std::sin(3.0 * static_cast<double>(i));
    v[i] = std::cos(2.0 * static_cast<double>(i));
  }
  const auto [on, along] = project(*chain.system, q, v);
  const VectorState s = initial(*chain.system, on, along);
  EXPECT_LT(constraint_defect(*chain.system, s).position, 1e-14);
  EXPECT_LT(constraint_defect(*chain.system, s).velocity, 1e-13);
  const Vn lambda = dense_multipliers(view, on, along);
  EXPECT_LT((s.lambda - lambda).norm(), 1e-11 * (1.0 + lambda.norm()));
  EXPECT_GT(lambda.norm(), 1e-2);
  EXPECT_THROW(initial(*chain.system, q, v), InvalidArgument);
  EXPECT_THROW(initial(*chain.system, on, v), InvalidArgument);
}

}  // namespace
}  // namespace varia::chain_test
