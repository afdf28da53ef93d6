// SPDX-License-Identifier: BSD-3-Clause
// Betti's reciprocity [West04, 5.2.3 and 6.3.3] of linear elasticity: two loads f, g and the displacements
// u, w they cause.
//
//   at rest     f·w = g·u
//   in motion   Σ_K Σ_j (t_K^j - t_K^(j-1)) (f_K·w_K - g_K·u_K)(t_K^j) = Σ_a m_a (u̇_a·w_a - ẇ_a·u_a) at the end
//
// The second is the symmetry of the Hessian of the discrete action, for motions from rest: exact for any steps.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "varia/solids/generate.hpp"
#include "varia/solids/solid.hpp"
#include "varia/terms/gradient.hpp"
#include "varia/terms/schedule.hpp"

namespace varia::solids::reciprocity_test {
namespace {

/// A graded block that is held at X = 0.
template <int D> Problem held(int order, const char* model) {
  Problem problem;
  problem.mesh = D == 2 ? block({1, 1}, {2, 2}, 3, order) : block({1, 1, 1}, {1, 1, 1}, 1, order);
  Region all{"all", {}, {model, {{"lambda", 3.0}, {"mu", 2.0}}, 1.5}};
  for (int k = 0; k < problem.mesh.element_count(); ++k) all.elements.push_back(k);
  problem.regions = {all};
  Fix fix;
  for (int a = 0; a < problem.mesh.node_count(); ++a)
    if (problem.mesh.node(a)[0] == 0.0) fix.nodes.push_back(a);
  for (int c = 0; c < D; ++c) fix.position[c].value = [c](const double* X, double) { return X[c]; };
  problem.fixes = {fix};
  return problem;
}

/// Pulls at the faces that are not held, across them and along, more and more.
template <int D> Problem pulled(Problem problem) {
  Traction load;
  for (const Face face : boundary_faces(problem.mesh)) {
    const std::vector<int> nodes = nodes_of(problem.mesh, face);
    if (std::all_of(nodes.begin(), nodes.end(),
                    [&](int a) { return problem.mesh.node(a)[0] == 1.0; }))
      load.faces.push_back(face);
  }
  load.traction[0] = {[](const double* X, double t) { return 0.3 * X[1] + 0.2 * t; },
                      [](const double*, double) { return 0.2; }};
  load.traction[D - 1] = constant(0.1);
  problem.tractions = {load};
  return problem;
}

template <int D> Problem heavy(Problem problem) {
  problem.body_force[D - 1] = constant(-0.25);
  problem.body_force[0].value = [](const double* X, double) { return 0.1 * X[0]; };
  return problem;
}

using Vector = Eigen::VectorXd;

/// -∂V/∂x of all nodes, loads included.
template <int D> Vector force(const Solid<D>& solid, const Vector& x) {
  Vector f = Vector::Zero(x.size());
  terms::for_gradients(solid.system, std::vector<double>(x.data(), x.data() + x.size()), 0.0,
                       [&](int, int a, const double* g) {
                         for (int c = 0; c < D; ++c) f[a * D + c] -= g[c];
                       });
  return f;
}

/// A body at rest under its load.
struct AtRest {
  Vector load, displacement;
};

/// Newton's method with differences of forces, which are exact where these are linear.
template <int D> AtRest at_rest(const Problem& problem) {
  const Solid<D> solid = build<D>(problem);
  const Vector X = Eigen::Map<const Vector>(solid.mesh.X.data(), solid.system.node_count() * D);
  std::vector<int> free;
  for (int i = 0; i < X.size(); ++i)
    if (solid.mesh.node(i / D)[0] > 0.0) free.push_back(i);
  Vector x = X;
  for (int iteration = 0; iteration < 12; ++iteration) {
    const double e = 1e-4;
    Eigen::MatrixXd stiffness(free.size(), free.size());
    for (std::size_t j = 0; j < free.size(); ++j) {
      Vector up = x, down = x;
      up[free[j]] += e;
      down[free[j]] -= e;
      stiffness.col(static_cast<int>(j)) =
          (force(solid, down) - force(solid, up))(free) / (2.0 * e);
    }
    x(free) += stiffness.partialPivLu().solve(Vector(force(solid, x)(free)));
  }
  EXPECT_LT(Vector(force(solid, x)(free)).norm(), 1e-10);
  return {force(solid, X), x - X};
}

/// f·w - g·u over the larger of them.
template <int D> double defect_at_rest(const Problem& problem) {
  const AtRest a = at_rest<D>(pulled<D>(problem)), b = at_rest<D>(heavy<D>(problem));
  // the undeformed body has no stress: its forces are the loads; held nodes do not move
  const double one = a.load.dot(b.displacement), other = b.load.dot(a.displacement);
  EXPECT_GT(std::abs(one), 1e-4);
  return std::abs(one - other) / std::max(std::abs(one), std::abs(other));
}

/// The space-time points at which the elements of a body act, by update, and how it ends.
template <int D> struct Motion final : terms::Observer<D> {
  struct Update {
    int term;
    double t, weight;
    std::vector<double> load, displacement;  ///< of its nodes
  };
  Solid<D> solid;
  terms::State<D> state;
  std::vector<Update> updates;

  explicit Motion(const Problem& problem) : solid(build<D>(problem)), state(start(solid)) {
    terms::queue(solid.system, state, {nullptr, this, 1})->advance(1.0);
  }
  void before(int term, double t, double weight, const terms::State<D>& now) override {
    const auto [family, k] = solid.system.place(term);
    Update u{term,
             t,
             weight,
             std::vector<double>(static_cast<std::size_t>(family->nodes_per_term()) * D),
             {}};
    family->load()->add(k, t, u.load.data());
    for (int a = 0; a < family->nodes_per_term(); ++a)
      for (int c = 0; c < D; ++c) u.displacement.push_back(moved(now, family->nodes(k)[a], c));
    updates.push_back(std::move(u));
  }
  void after(int, double, double, const terms::State<D>&) override {}
  double moved(const terms::State<D>& now, int a, int c) const {
    return now.nodes[static_cast<std::size_t>(a)].x[static_cast<std::size_t>(c)] -
           solid.mesh.node(a)[c];
  }
};

template <int D> double defect_in_motion(const Problem& problem) {
  const Motion<D> one(pulled<D>(problem)), other(heavy<D>(problem));
  EXPECT_EQ(one.updates.size(), other.updates.size());
  double sum = 0.0, size = 0.0;
  const auto add = [&](double x) {
    sum += x;
    size = std::max(size, std::abs(x));
  };
  double work = 0.0, opposite = 0.0;
  for (std::size_t n = 0; n < one.updates.size(); ++n) {
    const auto &a = one.updates[n], &b = other.updates[n];
    EXPECT_EQ(a.term, b.term);
    for (std::size_t i = 0; i < a.load.size(); ++i) {
      work += a.weight * a.load[i] * b.displacement[i];
      opposite += a.weight * b.load[i] * a.displacement[i];
    }
  }
  add(work);
  add(-opposite);
  for (int a = 0; a < one.solid.system.node_count(); ++a)
    for (int c = 0; c < D; ++c) {
      const double m = one.solid.system.masses()[static_cast<std::size_t>(a)];
      const auto velocity = [&](const Motion<D>& motion) {
        return motion.state.nodes[static_cast<std::size_t>(a)].v[static_cast<std::size_t>(c)];
      };
      add(-m * velocity(one) * other.moved(other.state, a, c));
      add(m * velocity(other) * one.moved(one.state, a, c));
    }
  EXPECT_GT(std::abs(work - opposite), 1e-3 * size) << "momenta at the end take part";
  return std::abs(sum) / size;
}

TEST(Reciprocity, HoldsAtRest) {
  for (const int order : {1, 2}) {
    EXPECT_LT(defect_at_rest<2>(held<2>(order, "linear_elastic")), 1e-11) << order;
    EXPECT_LT(defect_at_rest<3>(held<3>(order, "linear_elastic")), 1e-11) << order;
  }
  EXPECT_GT(defect_at_rest<2>(held<2>(1, "neo_hookean")), 1e-3) << "large displacements";
}

TEST(Reciprocity, HoldsInAsynchronousMotion) {
  for (const int order : {1, 2}) {
    EXPECT_LT(defect_in_motion<2>(held<2>(order, "linear_elastic")), 1e-11) << order;
    EXPECT_LT(defect_in_motion<3>(held<3>(order, "linear_elastic")), 1e-11) << order;
  }
  EXPECT_GT(defect_in_motion<2>(held<2>(1, "neo_hookean")), 1e-4) << "large displacements";
}

}  // namespace
}  // namespace varia::solids::reciprocity_test
