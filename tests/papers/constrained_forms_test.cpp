// SPDX-License-Identifier: BSD-3-Clause
// The forms of one constrained step, each written as [MW01, 3.4 and 3.5] state it, on a particle on
// the unit sphere: multipliers, augmented Lagrangian, null space, projection, SHAKE, RATTLE.
#include "problems.hpp"
#include "varia/verify/typed_view.hpp"

namespace varia::constrained_forms_test {
namespace {

using namespace problems;
using V3 = Vector<double, 3>;

const Texts sphere{{"x", "y", "z"},
                   "(x_dot^2 + y_dot^2 + z_dot^2)/2 - z - 0.3*x^2 - 0.2*x*y",
                   {},
                   {"x^2 + y^2 + z^2 - 1"}};

V3 slope(const V3& q) { return V3(0.6 * q[0] + 0.2 * q[1], 0.2 * q[0], 1.0); }
double phi(const V3& q) { return q.dot(q) - 1.0; }
V3 gradient(const V3& q) { return 2.0 * q; }
/// L_d = |q₁ - q₀|²/2h - h (V(q₀) + V(q₁))/2
V3 d1(const V3& a, const V3& b, double h) { return -(b - a) / h - 0.5 * h * slope(a); }
V3 d2(const V3& a, const V3& b, double h) { return (b - a) / h - 0.5 * h * slope(b); }

VectorState start(const TypedView& view) {
  const auto on = project(view, vector({0.5, 0.3, -0.8}), vector({0.4, 0.9, 0.2}));
  return initial(view, on.first, on.second);
}

constexpr double h = 0.1;
constexpr int steps = 20;

/// The library's RATTLE: positions and momenta of the first steps.
struct Path {
  std::vector<V3> q, p;
};
Path rattle() {
  const auto system = system_of(sphere);
  const StageFlow flow(verlet(), system);
  VectorState s = start(TypedView(system));
  auto memory = flow.memory(s);
  Path path;
  for (int k = 0; k <= steps; ++k) {
    path.q.emplace_back(s.q);
    path.p.emplace_back(s.p);
    s = flow.step(s, h, memory);
  }
  return path;
}

/// q₂ from q₀, q₁ in a form with unknowns (q₂, more).
template <class F> double worst_position(const F& form, int more) {
  const Path path = rattle();
  V3 a = path.q[0];
  V3 b = path.q[1];
  double worst = 0.0;
  for (std::size_t k = 2; k < path.q.size(); ++k) {
    Vn guess = Vn::Zero(3 + more);
    guess.head(3) = 2.0 * b - a;
    const V3 next = root([&](const Vn& x) { return form(a, b, x); }, guess).head(3);
    worst = std::max(worst, (next - path.q[k]).norm());
    a = b;
    b = next;
  }
  return worst;
}

/// (3.4.1): D₂L_d + D₁L_d = Gᵀλ, φ = 0; for this L_d it is SHAKE.
TEST(ConstrainedForms, MultipliersAndShake) {
  const auto multipliers = [](const V3& a, const V3& b, const Vn& x) {
    Vn y(4);
    y << d2(a, b, h) + d1(b, x.head(3), h) - gradient(b) * x[3], phi(x.head(3));
    return y;
  };
  EXPECT_LT(worst_position(multipliers, 1), 1e-12);
  const auto shake = [](const V3& a, const V3& b, const Vn& x) {
    Vn y(4);
    y << (x.head(3) - 2.0 * b + a) / h + h * slope(b) + gradient(b) * x[3], phi(x.head(3));
    return y;
  };
  EXPECT_LT(worst_position(shake, 1), 1e-12);
  // a reaction at the wrong point is another method
  const auto wrong = [](const V3& a, const V3& b, const Vn& x) {
    Vn y(4);
    y << d2(a, b, h) + d1(b, x.head(3), h) - gradient(x.head(3)) * x[3], phi(x.head(3));
    return y;
  };
  EXPECT_GT(worst_position(wrong, 1), 1e-4);
}

/// (3.4.2): T(q)ᵀ(D₂L_d + D₁L_d) = 0 with a basis T of ker G.
TEST(ConstrainedForms, NullSpace) {
  const auto form = [](const V3& a, const V3& b, const Vn& x) {
    const V3 n = b.normalized();
    const V3 t1 = n.cross(V3(0.3, 1.0, -0.2)).normalized();
    const V3 t2 = n.cross(t1);
    const V3 sum = d2(a, b, h) + d1(b, x.head(3), h);
    return vector({t1.dot(sum), t2.dot(sum), phi(x.head(3))});
  };
  EXPECT_LT(worst_position(form, 0), 1e-12);
}

/// L̄⁻ = L_d - ⟨λ, φ(q₀)⟩, a degenerate Lagrangian on ℝ³ × ℝ: p₀ = -D₁, p₁ = D₂ (3.4.3).
TEST(ConstrainedForms, Augmented) {
  const Path path = rattle();
  V3 q = path.q[0];
  V3 p = path.p[0];
  for (std::size_t k = 1; k < path.q.size(); ++k) {
    Vn guess = Vn::Zero(4);
    guess.head(3) = q + h * p;
    const Vn x = root(
        [&](const Vn& u) {
          Vn y(4);
          y << p + d1(q, u.head(3), h) - gradient(q) * u[3], phi(u.head(3));
          return y;
        },
        guess);
    p = d2(q, x.head(3), h);
    q = x.head(3);
    EXPECT_LT((q - path.q[k]).norm(), 1e-12);
  }
  // its momentum is that of SHAKE: the projected one is that of RATTLE (T31: P² = P, P Gᵀ = 0)
  const V3 n = q.normalized();
  const Matrix<double, 3> projection = Matrix<double, 3>::Identity() - n * n.transpose();
  EXPECT_LT((projection * projection - projection).norm(), 1e-15);
  EXPECT_LT((projection * gradient(q)).norm(), 1e-15);
  EXPECT_LT((projection * p - path.p.back()).norm(), 1e-12);
  EXPECT_GT((p - path.p.back()).norm(), 1e-3);
}

/// (3.4.10): p₀ = -P(q₀) D₁L_d, p₁ = P(q₁) D₂L_d, φ(q₁) = 0.
TEST(ConstrainedForms, Projected) {
  const Path path = rattle();
  V3 q = path.q[0];
  V3 p = path.p[0];
  const auto project_at = [](const V3& at, const V3& x) {
    return V3(x - at.normalized() * at.normalized().dot(x));
  };
  for (std::size_t k = 1; k < path.q.size(); ++k) {
    const V3 next =
        root([&](const Vn& u) { return Vn(p + project_at(q, d1(q, u, h)) + q * phi(u)); },
             Vn(q + h * p));
    p = project_at(next, d2(q, next, h));
    q = next;
    EXPECT_LT((q - path.q[k]).norm() + (p - path.p[k]).norm(), 1e-12);
  }
}

/// RATTLE as printed, with λ of our sign; and lobatto(2) is the same method.
TEST(ConstrainedForms, Rattle) {
  const Path path = rattle();
  for (std::size_t k = 0; k + 1 < path.q.size(); ++k) {
    const V3 q = path.q[k];
    const V3 p = path.p[k];
    const auto end = [&](double lambda) {
      return V3(q + h * p - 0.5 * h * h * slope(q) + 0.5 * h * h * gradient(q) * lambda);
    };
    const double lambda0 =
        root([&](const Vn& x) { return vector({phi(end(x[0]))}); }, vector({0.0}))[0];
    const V3 q1 = end(lambda0);
    V3 p1 = p - 0.5 * h * (slope(q) + slope(q1)) + 0.5 * h * gradient(q) * lambda0;
    p1 -= q1 * q1.dot(p1) / q1.dot(q1);
    EXPECT_LT((q1 - path.q[k + 1]).norm() + (p1 - path.p[k + 1]).norm(), 1e-12);
  }
  const auto system = system_of(sphere);
  const VectorState s = start(TypedView(system));
  EXPECT_LT(distance(walk(StageFlow(verlet(), system), s, h, steps),
                     walk(StageFlow(lobatto(2), system), s, h, steps)),
            1e-13);
}

/// T31: φ and G v vanish at every step, for every method that is admitted.
TEST(ConstrainedForms, ConstraintsHold) {
  const auto system = system_of(sphere);
  const TypedView view(system);
  for (const char* name : {"verlet", "euler_a", "euler_b", "midpoint", "trapezoid(0.3)", "gauss(1)",
                           "lobatto(3)", "lobatto(4)", "triple_jump(verlet)"}) {
    const StageFlow flow(parse_method(name), system);
    VectorState s = start(view);
    auto memory = flow.memory(s);
    for (int k = 0; k < 50; ++k) {
      s = flow.step(s, h, memory);
      EXPECT_LT(constraint_defect(view, s).position, 1e-14) << name;
      EXPECT_LT(constraint_defect(view, s).velocity, 1e-14) << name;
    }
  }
}

}  // namespace
}  // namespace varia::constrained_forms_test
