// SPDX-License-Identifier: BSD-3-Clause
// Two copies of a forced system on a group, reduced by left translations [Sato19, sections 4.5 and 4.6]:
// the coordinates are U = g⁻¹g̃ and the body velocities η, ψ, or the momenta λ, μ of both copies. The bracket of
// the Poisson groupoid g* × G × g*, the equations (4.11), (4.14) and (4.17), and what becomes of them at U = e.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <string>
#include <vector>

#include "problems/states.hpp"
#include "varia/space/se3.hpp"
#include "varia/space/so3.hpp"
#include "varia/verify/differences.hpp"

namespace varia::poisson_groupoid_test {
namespace {

using namespace problems;
constexpr Retraction maps[] = {Retraction::exponential, Retraction::cayley};

SO3<double> product(const SO3<double>& a, const SO3<double>& b) { return a * b; }
SO3<double> inverse(const SO3<double>& a) {
  return SO3<double>(Matrix<double, 3>(a.matrix.transpose()));
}
SE3<double> product(const SE3<double>& a, const SE3<double>& b) {
  return {a.rotation * b.rotation, a * b.position};
}
SE3<double> inverse(const SE3<double>& a) {
  const SO3<double> r = inverse(a.rotation);
  return {r, Vector<double, 3>(-(r.matrix * a.position))};
}

/// A system on G that left translations do not change: l(η) and the force f(η), from text.
template <class G> struct Reduced {
  static constexpr int n = Space<G>::dof;
  using V = Vector<double, n>;

  std::shared_ptr<KernelSystem> system;
  std::vector<double> point(const V& eta) const {
    Vn q(Space<G>::entries);
    Space<G>::write(G(), q.data());
    return system->point(0.0, q.data(), eta.data());
  }
  double l(const V& eta) const {
    double value = 0.0;
    system->value(point(eta).data(), &value);
    return value;
  }
  V momentum(const V& eta) const {
    Vn both = Vn::Zero(2 * n);
    system->gradient(point(eta).data(), both.data());
    return both.tail(n);
  }
  V force(const V& eta) const {
    Vn f = Vn::Zero(n);
    system->force(point(eta).data(), f.data());
    return f;
  }
  V acceleration_of(const V& eta) const {
    Vn q(Space<G>::entries);
    Space<G>::write(G(), q.data());
    return acceleration(*system, 0.0, q, Vn(eta)).a;
  }
  /// k = ½⟨f(ψ), τ⁻¹(U⁻¹)⟩ - ½⟨f(η), τ⁻¹(U)⟩
  double generator(const V& eta, const G& u, const V& psi, Retraction tau) const {
    return 0.5 * force(psi).dot(Space<G>::difference(G(), inverse(u), tau)) -
           0.5 * force(eta).dot(Space<G>::difference(G(), u, tau));
  }
  double doubled(const V& eta, const G& u, const V& psi, Retraction tau) const {
    return l(psi) - l(eta) - generator(eta, u, psi, tau);
  }
};

Reduced<SO3<double>> rotations_of_a_body() {
  return {system_of({{{"R", "SO3"}},
                     "(0.5*R_w1^2 + 2*R_w2^2 + R_w3^2)/2 + 0.2*R_w1*R_w3",
                     {"-0.3*R_w1 - 0.1*R_w2^3", "0.4*R_w1*R_w3", "-0.2*R_w3 + 0.3*R_w1^2"}})};
}
Reduced<SE3<double>> motions_of_a_body() {
  return {system_of(
      {{{"g", "SE3"}},
       "(g_w1^2 + 1.4*g_w2^2 + 1.9*g_w3^2 + 2*g_v1^2 + 2.6*g_v2^2 + 3.1*g_v3^2)/2 + 0.2*g_w1*g_v2",
       {"-0.3*g_w1", "0.2*g_v1*g_w3", "-0.1*g_w3^3", "-0.4*g_v1", "0.3*g_v3*g_w1",
        "-0.2*g_v3 + 0.1"}})};
}

/// λ, U, μ; or η, U, ψ.
template <class G> struct Place {
  static constexpr int n = Space<G>::dof;
  using V = Vector<double, n>;
  V first;
  G u;
  V second;

  /// Displaced by (δλ, U exp(δ), δμ).
  Place moved(const Vn& by) const {
    return {first + by.head(n), Space<G>::retract(u, V(by.segment(n, n)), maps[0]),
            second + by.tail(n)};
  }
};

template <class G> Vector<double, Space<G>::dof> numbers(double seed) {
  Vector<double, Space<G>::dof> x;
  for (int i = 0; i < x.size(); ++i) x[i] = 0.8 * std::sin(seed + 1.7 * i);
  return x;
}
template <class G> G element(double seed) {
  return Space<G>::retract(G(), numbers<G>(seed), maps[0]);
}
template <class G> Place<G> place(double seed) {
  return {numbers<G>(seed), element<G>(seed + 0.5), numbers<G>(seed + 1.1)};
}

/// The derivatives of a function in λ, in U along U exp(δ), in μ.
template <class G, class F> Vn slopes(const F& f, const Place<G>& x) {
  constexpr int n = 3 * Space<G>::dof;
  Vn g(n);
  for (int i = 0; i < n; ++i)
    g[i] = derivative_at_zero([&](double e) { return vector({f(x.moved(e * Vn::Unit(n, i)))}); },
                              0.2)[0];
  return g;
}

/// The matrix of the bracket:
/// {A, B} = ⟨λ, [A_λ, B_λ]⟩ - ⟨μ, [A_μ, B_μ]⟩ + ⟨A_U, B_μ + Ad_{U⁻¹}B_λ⟩ - ⟨B_U, A_μ + Ad_{U⁻¹}A_λ⟩
template <class G> Eigen::MatrixXd bracket_matrix(const Place<G>& x) {
  constexpr int n = Space<G>::dof;
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  const Eigen::MatrixXd back = Space<G>::to_space(x.u).transpose();  // Ad of U⁻¹
  const auto one = Eigen::MatrixXd::Identity(n, n);
  m.block(0, 0, n, n) = Space<G>::ad_star(x.first).transpose();
  m.block(2 * n, 2 * n, n, n) = -Space<G>::ad_star(x.second).transpose();
  m.block(n, 0, n, n) = back;
  m.block(n, 2 * n, n, n) = one;
  m.block(0, n, n, n) = -back.transpose();
  m.block(2 * n, n, n, n) = -one;
  return m;
}
template <class G, class A, class B> double bracket(const A& a, const B& b, const Place<G>& x) {
  return slopes<G>(a, x).dot(bracket_matrix(x) * slopes<G>(b, x));
}

/// A function of everything.
template <class G> auto function(double seed) {
  return [seed](const Place<G>& x) {
    double sum = 0.0;
    double entries[Space<G>::entries];
    Space<G>::write(x.u, entries);
    for (int i = 0; i < Space<G>::dof; ++i)
      sum += std::sin(seed + i) * x.first[i] + std::cos(2.0 * seed + i) * x.second[i] * x.first[0] +
             0.3 * std::sin(3.0 * seed + 2 * i) * x.second[i] * x.second[i];
    for (int i = 0; i < Space<G>::entries; ++i)
      sum += std::cos(seed + 3 * i) * entries[i] * (1.0 + 0.4 * x.second[i % 3]);
    return sum;
  };
}
template <class G> Place<G> exchanged(const Place<G>& x) {
  return {x.second, inverse(x.u), x.first};
}

template <class G> class PoissonGroupoid : public ::testing::Test {};
using Groups = ::testing::Types<SO3<double>, SE3<double>>;
TYPED_TEST_SUITE(PoissonGroupoid, Groups);

/// Jacobi's identity for three functions of everything.
TYPED_TEST(PoissonGroupoid, JacobisIdentity) {
  using G = TypeParam;
  const Place<G> x = place<G>(0.4);
  const auto a = function<G>(0.3);
  const auto b = function<G>(1.4);
  const auto c = function<G>(2.2);
  const auto nested = [&](const auto& f, const auto& g, const auto& h) {
    return bracket<G>(
        f, [&](const Place<G>& y) { return bracket<G>(g, h, y); }, x);
  };
  const double first = nested(a, b, c);
  EXPECT_NEAR(first + nested(b, c, a) + nested(c, a, b), 0.0, 1e-8);
  EXPECT_GT(std::abs(first), 0.1);
  EXPECT_NEAR(bracket<G>(a, b, x) + bracket<G>(b, a, x), 0.0, 1e-13);
}

/// Source and target: {A(λ), B(λ)} = ⟨λ, [A', B']⟩, {A(μ), B(μ)} = -⟨μ, [A', B']⟩, and they commute. Exchanging the
/// copies, (λ, U, μ) to (μ, U⁻¹, λ), changes the sign of the bracket; (4.12) prints U (X11).
TYPED_TEST(PoissonGroupoid, SourceTargetAndExchange) {
  using G = TypeParam;
  constexpr int n = Space<G>::dof;
  const Place<G> x = place<G>(0.4);
  const Eigen::MatrixXd m = bracket_matrix(x);
  EXPECT_EQ(m.block(0, 2 * n, n, n).norm(), 0.0);
  EXPECT_LT((m + m.transpose()).norm(), 1e-15);
  const auto a = function<G>(0.3);
  const auto b = function<G>(1.4);
  const auto after = [](const auto& f) {
    return [f](const Place<G>& y) { return f(exchanged(y)); };
  };
  const auto printed = [](const auto& f) {
    return [f](const Place<G>& y) { return f(Place<G>{y.second, y.u, y.first}); };
  };
  const double there = bracket<G>(a, b, exchanged(x));
  EXPECT_NEAR(bracket<G>(after(a), after(b), x), -there, 1e-9);
  EXPECT_GT(std::abs(bracket<G>(printed(a), printed(b), x) +
                     bracket<G>(a, b, Place<G>{x.second, x.u, x.first})),
            1e-2);
}

/// Products of (λ₁, U, λ₂) and (λ₂, V, λ₃) are (λ₁, UV, λ₃); their graph is coisotropic: the bracket of functions
/// that vanish on it vanishes there, with the sign of the third factor changed.
TYPED_TEST(PoissonGroupoid, TheGraphOfTheProductIsCoisotropic) {
  using G = TypeParam;
  constexpr int n = Space<G>::dof;
  const auto l1 = numbers<G>(0.2);
  const auto l2 = numbers<G>(1.3);
  const auto l3 = numbers<G>(2.6);
  const G u = element<G>(0.7);
  const G v = element<G>(1.9);
  // rows: δλ₁, δU, δλ₂ | δλ₂, δV, δλ₃ | δλ₁, δ(UV), δλ₃; columns: λ₁, U, λ₂, V, λ₃
  Eigen::MatrixXd tangent = Eigen::MatrixXd::Zero(9 * n, 5 * n);
  const auto put = [&](int row, int column, const Eigen::MatrixXd& block) {
    tangent.block(row * n, column * n, n, n) = block;
  };
  const auto one = Eigen::MatrixXd::Identity(n, n);
  put(0, 0, one), put(1, 1, one), put(2, 2, one);
  put(3, 2, one), put(4, 3, one), put(5, 4, one);
  put(6, 0, one), put(7, 3, one), put(8, 4, one);
  put(7, 1, Space<G>::to_space(v).transpose());  // UV moves by Ad_{V⁻¹}δU + δV
  const Eigen::MatrixXd normal = tangent.transpose().fullPivLu().kernel();
  ASSERT_EQ(normal.cols(), 4 * n);
  const auto defect = [&](double sign) {
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(9 * n, 9 * n);
    m.block(0, 0, 3 * n, 3 * n) = bracket_matrix(Place<G>{l1, u, l2});
    m.block(3 * n, 3 * n, 3 * n, 3 * n) = bracket_matrix(Place<G>{l2, v, l3});
    m.block(6 * n, 6 * n, 3 * n, 3 * n) = sign * bracket_matrix(Place<G>{l1, product(u, v), l3});
    return (normal.transpose() * m * normal).cwiseAbs().maxCoeff();
  };
  EXPECT_LT(defect(-1.0), 1e-13);
  EXPECT_GT(defect(1.0), 0.1);
}

template <class G> Reduced<G> body() {
  if constexpr (Space<G>::dof == 3)
    return rotations_of_a_body();
  else
    return motions_of_a_body();
}

/// k changes its sign with the copies, and its slope in U at e is -f, with either retraction.
TYPED_TEST(PoissonGroupoid, GeneratorOfTheForce) {
  using G = TypeParam;
  constexpr int n = Space<G>::dof;
  const Reduced<G> s = body<G>();
  const auto eta = numbers<G>(0.9);
  const auto psi = numbers<G>(1.6);
  const G u = element<G>(0.3);
  for (const Retraction tau : maps) {
    EXPECT_NEAR(s.generator(psi, inverse(u), eta, tau), -s.generator(eta, u, psi, tau), 1e-14);
    const auto k = [&](const Place<G>& x) { return s.generator(x.first, x.u, x.second, tau); };
    const Vn slope = slopes<G>(k, Place<G>{eta, G(), eta});
    EXPECT_LT((slope.segment(n, n) + s.force(eta)).norm(), 1e-10);
    EXPECT_LT(slope.head(n).norm() + slope.tail(n).norm(), 1e-12);
    EXPECT_GT(s.force(eta).norm(), 0.1);
  }
}

/// (4.11): d/dt l_η = ad*_η l_η - R*l_U, d/dt l_ψ = ad*_ψ l_ψ + L*l_U, U' = Uψ - ηU. At (η, e, η) both copies have
/// the accelerations of the forced system, and U stays.
TYPED_TEST(PoissonGroupoid, ForcedEquationsOnTheDiagonal) {
  using G = TypeParam;
  constexpr int n = Space<G>::dof;
  const Reduced<G> s = body<G>();
  const auto eta = numbers<G>(0.9);
  const auto a = s.acceleration_of(eta);
  for (const Retraction tau : maps) {
    const auto l = [&](const Place<G>& x) { return s.doubled(x.first, x.u, x.second, tau); };
    const Place<G> x{eta, G(), eta};
    const Vn slope = slopes<G>(l, x);
    const Vn right_first = Space<G>::ad_star(slope.head(n)) * eta - slope.segment(n, n);
    const Vn right_second = Space<G>::ad_star(slope.tail(n)) * eta + slope.segment(n, n);
    // along (a, 0, a) the momenta change by the right sides
    const auto momenta = [&](double e) {
      Vn by = Vn::Zero(3 * n);
      by.head(n) = e * a;
      by.tail(n) = e * a;
      const Vn g = slopes<G>(l, x.moved(by));
      Vn both(2 * n);
      both << g.head(n), g.tail(n);
      return both;
    };
    const Vn rate = (momenta(1e-3) - momenta(-1e-3)) / 2e-3;  // l' is linear
    EXPECT_LT((rate.head(n) - right_first).norm(), 1e-8);
    EXPECT_LT((rate.tail(n) - right_second).norm(), 1e-8);
  }
}

/// H_f = h(μ) - h(λ) + k, with f as a function of momenta.
template <class G> struct DoubledHamiltonian {
  Reduced<G> s;
  Retraction tau;
  Eigen::MatrixXd inverse_mass;

  DoubledHamiltonian(Reduced<G> body, Retraction map) : s(std::move(body)), tau(map) {
    constexpr int n = Space<G>::dof;
    Eigen::MatrixXd mass(n, n);
    for (int i = 0; i < n; ++i) mass.col(i) = s.momentum(Vector<double, n>::Unit(i));
    inverse_mass = mass.inverse();
  }
  auto velocity(const Vector<double, Space<G>::dof>& m) const {
    return Vector<double, Space<G>::dof>(inverse_mass * m);
  }
  double operator()(const Place<G>& x) const {
    const auto eta = velocity(x.first);
    const auto psi = velocity(x.second);
    return s.l(psi) - s.l(eta) + s.generator(eta, x.u, psi, tau);
  }
};

/// (4.14): λ' = -ad*_{H_λ}λ - R*H_U, U' = U(H_μ + Ad_{U⁻¹}H_λ), μ' = ad*_{H_μ}μ - L*H_U, from the bracket; of H_f at
/// (μ, e, μ) it is μ' = ad*_{h'}μ + f in both copies, U' = 0 (theorem 4.5.3). So it is for any H that changes its sign
/// with the copies (proposition 4.5.2), and for no other.
TYPED_TEST(PoissonGroupoid, HamiltonsEquations) {
  using G = TypeParam;
  constexpr int n = Space<G>::dof;
  const Place<G> off = place<G>(0.6);
  const auto eta = numbers<G>(0.9);
  for (const Retraction tau : maps) {
    const DoubledHamiltonian<G> h(body<G>(), tau);
    const auto field = [](const auto& f, const Place<G>& x) {
      return Vn(bracket_matrix(x) * slopes<G>(f, x));
    };
    // as printed, off the diagonal
    const Vn slope = slopes<G>(h, off);
    const Eigen::MatrixXd to_space = Space<G>::to_space(off.u);
    const Vn x = field(h, off);
    EXPECT_LT((x.head(n) -
               (-Space<G>::ad_star(off.first) * slope.head(n) - to_space * slope.segment(n, n)))
                  .norm(),
              1e-12);
    EXPECT_LT((x.segment(n, n) - (slope.tail(n) + to_space.transpose() * slope.head(n))).norm(),
              1e-12);
    EXPECT_LT(
        (x.tail(n) - (Space<G>::ad_star(off.second) * slope.tail(n) - slope.segment(n, n))).norm(),
        1e-12);
    // on it
    const auto mu = h.s.momentum(eta);
    const Vn expected = Space<G>::ad_star(mu) * eta + h.s.force(eta);
    const Place<G> unit{mu, G(), mu};
    const Vn y = field(h, unit);
    EXPECT_LT((y.head(n) - expected).norm() + (y.tail(n) - expected).norm(), 1e-9);
    EXPECT_LT(y.segment(n, n).norm(), 1e-10);
    EXPECT_NEAR(h(unit), 0.0, 1e-15);
    EXPECT_NEAR(h(exchanged(off)), -h(off), 1e-14);
    const auto f = function<G>(1.2);
    const auto odd = [&](const Place<G>& p) { return f(p) - f(exchanged(p)); };
    const Vn z = field(odd, unit);
    EXPECT_LT((z.head(n) - z.tail(n)).norm() + z.segment(n, n).norm(), 1e-8);
    EXPECT_GT(z.head(n).norm(), 0.1);
    EXPECT_GT(field(f, unit).segment(n, n).norm(), 0.1);
  }
}

/// Off the diagonal too (4.11) and (4.14) are one: with λ = -l_η, μ = l_ψ and H = ⟨μ, ψ⟩ - ⟨λ, η⟩ - l the slopes of H are
/// -η, -l_U, ψ.
TYPED_TEST(PoissonGroupoid, LegendreTransform) {
  using G = TypeParam;
  constexpr int n = Space<G>::dof;
  const Reduced<G> s = body<G>();
  const Place<G> x = place<G>(0.6);
  const auto l = [&](const Place<G>& y) { return s.doubled(y.first, y.u, y.second, maps[0]); };
  const auto momenta = [&](const Place<G>& y) {
    const Vn g = slopes<G>(l, y);
    return Place<G>{-g.head(n), y.u, g.tail(n)};
  };
  const auto h = [&](const Place<G>& y, const Place<G>& m) {
    return m.second.dot(y.second) - m.first.dot(y.first) - l(y);
  };
  const Vn slope = slopes<G>(l, x);
  const Place<G> m = momenta(x);
  // along any curve of places: dH = ⟨-η, dλ⟩ - ⟨l_U, dU⟩ + ⟨ψ, dμ⟩
  for (int k = 0; k < 3; ++k) {
    Vn by(3 * n);
    for (int i = 0; i < 3 * n; ++i) by[i] = std::sin(1.0 + k + 2.0 * i);
    const auto along = [&](double e) {
      const Place<G> y = x.moved(e * by);
      const Place<G> p = momenta(y);
      Vn out(1 + 2 * n);
      out << h(y, p), p.first, p.second;
      return out;
    };
    const Vn rate = (8.0 * (along(1e-3) - along(-1e-3)) - (along(2e-3) - along(-2e-3))) / 12e-3;
    EXPECT_NEAR(rate[0],
                -x.first.dot(rate.segment(1, n)) - slope.segment(n, n).dot(by.segment(n, n)) +
                    x.second.dot(rate.tail(n)),
                1e-8);
  }
  EXPECT_GT((m.first - m.second).norm(), 0.1);
}

/// The discrete Lagrangian of the midpoint rule for the pair, reduced: V = g₀⁻¹g₁, U = g₀⁻¹g̃₀, W = g̃₀⁻¹g̃₁.
template <class G> struct DoubledMidpoint {
  Reduced<G> s;
  Retraction tau;
  double h;
  using V = Vector<double, Space<G>::dof>;

  double operator()(const G& v, const G& u, const G& w) const {
    const V xi = Space<G>::difference(G(), v, tau);
    const V chi = Space<G>::difference(G(), w, tau);
    const auto middle = [&](const V& x) {
      return Space<G>::template velocity<double>(V(0.5 * x), V(x / h), tau);
    };
    const auto half = [&](const V& x) { return Space<G>::retract(G(), V(0.5 * x), tau); };
    const G between = product(inverse(half(xi)), product(u, half(chi)));
    return h * s.doubled(middle(xi), between, middle(chi), tau);
  }
};

/// Slopes of l_d in slot k along V exp(δ), or along exp(δ)V.
template <class G>
Vn slot_slope(const DoubledMidpoint<G>& l, const G (&at)[3], int slot, bool from_the_left) {
  constexpr int n = Space<G>::dof;
  Vn out(n);
  for (int i = 0; i < n; ++i)
    out[i] = derivative_at_zero(
        [&](double e) {
          const G step = Space<G>::retract(G(), Vector<double, n>(e * Vn::Unit(n, i)), maps[0]);
          G x[] = {at[0], at[1], at[2]};
          x[slot] = from_the_left ? product(step, x[slot]) : product(x[slot], step);
          return vector({l(x[0], x[1], x[2])});
        },
        0.2)[0];
  return out;
}

/// (4.17) on G × G × G: at (V, e, V) both equations are one, and the steps of the forced method satisfy it (theorem
/// 4.6.1):  L*D₁(k-1) = R*D₁(k) + R*D₂(k),  L*D₃(k-1) = R*D₃(k) - L*D₂(k).
TYPED_TEST(PoissonGroupoid, DiscreteEquations) {
  using G = TypeParam;
  const Reduced<G> s = body<G>();
  const double h = 0.2;
  for (const Retraction tau : maps) {
    const DoubledMidpoint<G> l{s, tau, h};
    FlowOptions options;
    options.retraction = tau;
    const StageFlow flow(midpoint(), s.system, options);
    const VectorState a = start_of(s.system, Vn(numbers<G>(0.7)), Vn(numbers<G>(0.9)));
    const VectorState b = flow(a, h);
    const VectorState c = flow(b, h);
    const auto between = [](const VectorState& x, const VectorState& y) {
      return product(inverse(Space<G>::read(x.q.data())), Space<G>::read(y.q.data()));
    };
    const auto defects = [&](const G& v0, const G& v1) {
      const G before[] = {v0, G(), v0};
      const G after[] = {v1, G(), v1};
      const Vn first = slot_slope<G>(l, before, 0, false) - slot_slope<G>(l, after, 0, true) -
                       slot_slope<G>(l, after, 1, true);
      const Vn second = slot_slope<G>(l, before, 2, false) - slot_slope<G>(l, after, 2, true) +
                        slot_slope<G>(l, after, 1, false);
      EXPECT_LT((first + second).norm(), 1e-9);  // one equation on the diagonal
      return second.norm();
    };
    EXPECT_LT(defects(between(a, b), between(b, c)), 1e-9);
    EXPECT_GT(defects(between(a, b), between(a, b)), 1e-2);
    // the exchange of the copies
    const G u = element<G>(0.3);
    const G v = between(a, b);
    const G w = between(b, c);
    EXPECT_NEAR(l(w, inverse(u), v), -l(v, u, w), 1e-14);
    EXPECT_GT(std::abs(l(v, u, w)), 1e-2);
  }
}

}  // namespace
}  // namespace varia::poisson_groupoid_test
