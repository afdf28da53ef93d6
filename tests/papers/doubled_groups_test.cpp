// SPDX-License-Identifier: BSD-3-Clause
// A forced system on a group as a free one of two copies, from text [Sato19, theorems 4.4.1, 4.4.2, 4.6.2]:
//   L_K = L(G) - L(g) + ½⟨f(g) + f(G), δ⟩,   δ = δ(g⁻¹G),  δ(U⁻¹) = -δ(U),  dδ(e) = id.
// Only the tangent of δ at e acts on the diagonal, so δ may be any such function of the entries; here it is no
// inverse of a retraction. Restricted to g = G the free method is the forced one, and has the order of the free one.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "problems/states.hpp"
#include "varia/methods/composition.hpp"
#include "varia/verify/check_order.hpp"

namespace varia::doubled_groups_test {
namespace {

using namespace problems;

struct Copies {
  std::string name;
  std::shared_ptr<KernelSystem> one, two;
  Vn xi, v, other_xi, other_v;  ///< where the copies start; the second somewhere else
};

/// The text with every coordinate g of the first copy renamed to the second, G.
std::string renamed(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == 'g' ? 'G' : c;
  return out;
}
std::string entry(const char* matrix, int row, int column) {
  return matrix + std::to_string(row + 1) + std::to_string(column + 1);
}
/// (gᵀG)ᵢⱼ of rotations.
std::string turned(int i, int j) {
  std::string sum;
  for (int k = 0; k < 3; ++k) sum += " + " + entry("g", k, i) + "*" + entry("G", k, j);
  return "(0" + sum + ")";
}
/// The axis of (U - Uᵀ)/2.
std::string axis(int i) {
  const int j = (i + 1) % 3;
  const int k = (i + 2) % 3;
  return "(" + turned(k, j) + " - " + turned(j, k) + ")/2";
}
/// The mean of gᵀ(X - x) and Gᵀ(X - x).
std::string shift(int i) {
  const char* const letters[] = {"_x", "_y", "_z"};
  std::string sum;
  for (int k = 0; k < 3; ++k)
    sum += " + (" + entry("g", k, i) + " + " + entry("G", k, i) + ")*(G" + letters[k] + " - g" +
           letters[k] + ")";
  return "(0" + sum + ")/2";
}

Copies copies(const std::string& name, const std::string& space, const std::string& lagrangian,
              const std::vector<std::string>& force, const std::vector<std::string>& difference) {
  std::string work;
  for (std::size_t i = 0; i < force.size(); ++i)
    work += " + ((" + force[i] + ") + (" + renamed(force[i]) + "))*(" + difference[i] + ")/2";
  const auto n = static_cast<Eigen::Index>(force.size());
  Copies c{name,
           system_of({{{"g", space}}, lagrangian, force}),
           system_of({{{"g", space}, {"G", space}},
                      "(" + renamed(lagrangian) + ") - (" + lagrangian + ")" + work}),
           Vn(n),
           Vn(n),
           Vn(n),
           Vn(n)};
  for (int i = 0; i < n; ++i) {
    c.xi[i] = 0.6 * std::sin(1.0 + i);
    c.v[i] = 0.8 * std::cos(0.4 + 2.0 * i);
    c.other_xi[i] = c.xi[i] + 0.2 * std::cos(3.0 * i);
    c.other_v[i] = c.v[i] - 0.1 * std::sin(1.0 + i);
  }
  return c;
}

Copies line() {
  return copies("R", "R", "(1 + g^2/4)*g_dot^2/2 - g^4/4", {"-0.3*g_dot - 0.2*g_dot^3 + 0.4*g^2"},
                {"G - g"});
}
Copies top() {
  return copies("SO(3)", "SO3", "(0.5*g_w1^2 + 2*g_w2^2 + g_w3^2)/2 - 0.7*g33 + 0.2*g31",
                {"-0.3*g_w1 - 0.1*g_w1^3", "0.4*g31 - 0.2*g_w2*g_w3", "0.5*g12*g_w1"},
                {axis(0), axis(1), axis(2)});
}
Copies body() {
  return copies("SE(3)", "SE3",
                "(g_w1^2 + 1.4*g_w2^2 + 0.6*g_w3^2 + g_v1^2 + 1.2*g_v2^2 + 0.9*g_v3^2)/2 "
                "+ 0.2*g_v1*g_w2 - (g_x^2 + g_y^2)/2 - g_z - 0.4*g33",
                {"-0.3*g_w1", "0.2*g_x*g_w3", "-0.1*g_w3^3", "-0.4*g_v1 + 0.2*g12", "-0.1*g_y*g_v2",
                 "-0.2*g_v3"},
                {axis(0), axis(1), axis(2), shift(0), shift(1), shift(2)});
}

VectorState pair_start(const Copies& c, bool on_diagonal) {
  const auto n = c.xi.size();
  Vn xi(2 * n);
  Vn v(2 * n);
  xi << c.xi, on_diagonal ? c.xi : c.other_xi;
  v << c.v, on_diagonal ? c.v : c.other_v;
  return start_of(c.two, xi, v);
}

std::vector<std::string> methods_for(Retraction tau) {
  std::vector<std::string> names = {"euler_a",
                                    "midpoint",
                                    "trapezoid(0.3)",
                                    "gauss(2)",
                                    "gauss(3)",
                                    "lobatto(3)",
                                    "galerkin(2, lobatto:3)",
                                    "adjoint(midpoint(0.3))",
                                    "compose(euler_b: 0.5, euler_a: 0.5, order=2)"};
  if (tau == Retraction::exponential) names.emplace_back("triple_jump(midpoint)");
  return names;
}

/// Theorem 4.4.1 on ℝ, SO(3) and SE(3): on the diagonal the free step is the forced one, in both copies.
TEST(DoubledGroups, RestrictionIsTheForcedIntegrator) {
  for (const Copies& c : {line(), top(), body()})
    for (const Retraction tau : {Retraction::exponential, Retraction::cayley})
      for (const std::string& name : methods_for(tau)) {
        FlowOptions options;
        options.retraction = tau;
        const Method method = parse_method(name);
        const VectorState a =
            walk(StageFlow(method, c.one, options), start_of(c.one, c.xi, c.v), 0.1, 6);
        const VectorState b = walk(StageFlow(method, c.two, options), pair_start(c, true), 0.1, 6);
        const auto n = c.xi.size();
        const auto entries = a.q.size();
        EXPECT_LT((b.q.head(entries) - a.q).norm() + (b.q.tail(entries) - a.q).norm(), 1e-12)
            << c.name << " " << name;
        EXPECT_LT((b.p.head(n) + a.p).norm() + (b.p.tail(n) - a.p).norm(), 1e-12)
            << c.name << " " << name;
        EXPECT_GT((a.p - start_of(c.one, c.xi, c.v).p).norm(), 1e-2);
      }
}

/// The force in K is seen: without it the copies would move freely.
TEST(DoubledGroups, TheForceActs) {
  for (const Copies& c : {line(), top(), body()}) {
    const VectorState start = start_of(c.one, c.xi, c.v);
    Vn f = Vn::Zero(c.xi.size());
    c.one->force(c.one->point(0.0, start.q.data(), c.v.data()).data(), f.data());
    EXPECT_GT(f.norm(), 0.1) << c.name;
  }
}

/// Theorems 4.4.2 and 4.6.2: the doubled method has its order off the diagonal, as any free one, and so has the
/// forced one.
TEST(DoubledGroups, OrderIsThatOfTheFreeMethod) {
  for (const Copies& c : {line(), top(), body()})
    for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
      FlowOptions options;
      options.retraction = tau;
      const StageFlow free(gauss(2), c.two, options);
      const VectorState off = pair_start(c, false);
      const VectorState exact = reference_state(free, off, 1.0);
      const StageFlow forced(gauss(2), c.one, options);
      const VectorState start = start_of(c.one, c.xi, c.v);
      const VectorState end = reference_state(forced, start, 1.0);
      for (const char* name :
           {"midpoint", "adjoint(galerkin(2, radau:2))", "lobatto(3)", "gauss(2)"}) {
        const Method method = parse_method(name);
        const auto order = [&](const StageFlow& flow, const VectorState& from,
                               const VectorState& to) {
          const StageFlow f = flow.with_method(method);
          return measured_order([&](int n) { return distance(walk(f, from, 1.0 / n, n), to); }, 64);
        };
        EXPECT_NEAR(order(free, off, exact), method.order(), 0.1) << c.name << " " << name;
        EXPECT_NEAR(order(forced, start, end), method.order(), 0.1) << c.name << " " << name;
      }
    }
}

}  // namespace
}  // namespace varia::doubled_groups_test
