// SPDX-License-Identifier: BSD-3-Clause
// Constraints that depend on t, against the same motions in minimal coordinates with t in L: orders,
// (hidden), multipliers, the work of the driver, symplecticity, and the two tiers.
#include "problems.hpp"
#include "refusal.hpp"
#include "varia/varia.hpp"

namespace varia::rheonomic_laws_test {
namespace {

using namespace problems;

constexpr double a = 0.4, w = 1.7;

/// A pendulum whose pivot moves as X = a sin(wt): x = X + sin θ, y = -cos θ.
const Texts pendulum{
    {"x", "y"}, "(x_dot^2 + y_dot^2)/2 - y", {}, {"(x - 0.4*sin(1.7*t))^2 + y^2 - 1"}};
const Texts pendulum_angle{{"u"}, "u_dot^2/2 + 0.4*1.7*cos(1.7*t)*cos(u)*u_dot + cos(u)", {}, {}};

/// A bead on a hoop that turns with the angle wt: (sin θ cos wt, sin θ sin wt, -cos θ).
const Texts hoop{{"x", "y", "z"},
                 "(x_dot^2 + y_dot^2 + z_dot^2)/2 - z",
                 {},
                 {"x*sin(1.7*t) - y*cos(1.7*t)", "x^2 + y^2 + z^2 - 1"}};
const Texts hoop_angle{{"u"}, "u_dot^2/2 + 1.7^2*sin(u)^2/2 + cos(u)", {}, {}};

/// A bead on a straight wire that turns: r = r₀ cosh wt + (u₀/w) sinh wt.
const Texts wire{{"x", "y"}, "(x_dot^2 + y_dot^2)/2", {}, {"x*sin(1.7*t) - y*cos(1.7*t)"}};

struct Case {
  const char* name;
  Texts constrained, angle;
  Vn (*q)(double t, double u);
  Vn (*v)(double t, double u, double rate);
};

const Case cases[] = {
    {"pendulum", pendulum, pendulum_angle,
     [](double t, double u) {
       return vector({a * std::sin(w * t) + std::sin(u), -std::cos(u)});
     },
     [](double t, double u, double rate) {
       return vector({a * w * std::cos(w * t) + rate * std::cos(u), rate * std::sin(u)});
     }},
    {"hoop", hoop, hoop_angle,
     [](double t, double u) {
       return vector({std::sin(u) * std::cos(w * t), std::sin(u) * std::sin(w * t), -std::cos(u)});
     },
     [](double t, double u, double rate) {
       return vector({rate * std::cos(u) * std::cos(w * t) - w * std::sin(u) * std::sin(w * t),
                      rate * std::cos(u) * std::sin(w * t) + w * std::sin(u) * std::cos(w * t),
                      rate * std::sin(u)});
     }}};

constexpr double t0 = 0.3, u0 = 0.9, rate0 = 0.7;

VectorState start_of(const Case& c, const KernelSystem& view) {
  return initial(view, c.q(t0, u0), c.v(t0, u0, rate0), t0);
}

/// (q, v) after the time 1, from the angle alone.
std::pair<Vn, Vn> exact(const Case& c) {
  const auto system = system_of(c.angle);
  const TypedView view(system);
  const VectorState s = walk(StageFlow(gauss(6), system),
                             initial(view, vector({u0}), vector({rate0}), t0), 1.0 / 64, 64);
  const double rate = velocity(view, s)[0];
  return {c.q(s.t, s.q[0]), c.v(s.t, s.q[0], rate)};
}

TEST(RheonomicLaws, OrdersAgainstMinimalCoordinates) {
  for (const Case& c : cases) {
    const auto system = system_of(c.constrained);
    const VectorState start = start_of(c, *system);
    const auto [q, p] = exact(c);  // masses are 1
    const auto order = [&, q = q, p = p](const char* name, int n, bool of_p) {
      const StageFlow flow(parse_method(name), system);
      return measured_order(
          [&](int k) {
            const VectorState s = walk(flow, start, 1.0 / k, k);
            return (of_p ? Vn(s.p - p) : Vn(s.q - q)).cwiseAbs().maxCoeff();
          },
          n);
    };
    for (const bool of_p : {false, true}) {
      EXPECT_NEAR(order("euler_a", 256, of_p), 1.0, 0.1) << c.name << of_p;
      EXPECT_NEAR(order("rattle", 64, of_p), 2.0, 0.1) << c.name << of_p;
      EXPECT_NEAR(order("midpoint", 64, of_p), 2.0, 0.1) << c.name << of_p;
      EXPECT_NEAR(order("lobatto(2)", 64, of_p), 2.0, 0.1) << c.name << of_p;
      EXPECT_NEAR(order("lobatto(3)", 24, of_p), 4.0, 0.1) << c.name << of_p;
      EXPECT_NEAR(order("lobatto(4)", 10, of_p), 6.0, 0.1) << c.name << of_p;
      EXPECT_NEAR(order("triple_jump(verlet)", 96, of_p), 4.0, 0.1) << c.name << of_p;
    }
    const VectorState fine = walk(StageFlow(lobatto(6), system), start, 1.0 / 32, 32);
    EXPECT_LT((fine.q - q).cwiseAbs().maxCoeff(), 1e-13) << c.name;
    EXPECT_LT((fine.p - p).cwiseAbs().maxCoeff(), 1e-13) << c.name;
  }
}

TEST(RheonomicLaws, PositionAndVelocityFollowTheConstraint) {
  for (const Case& c : cases)
    for (const char* name : {"euler_b", "rattle", "lobatto(3)", "lobatto(4)"}) {
      const auto system = system_of(c.constrained);
      const TypedView view(system);
      const StageFlow flow(parse_method(name), system);
      VectorState s = start_of(c, view);
      auto memory = flow.memory(s);
      for (int k = 0; k < 200; ++k) {
        s = flow.step(s, 0.05, memory);
        const ConstraintDefect defect = constraint_defect(view, s);
        ASSERT_LT(defect.position, 1e-14) << c.name << name << k;
        ASSERT_LT(defect.velocity, 2e-14) << c.name << name << k;
      }
    }
}

/// After 10⁵ units of time t is rounded by 10⁻¹¹; t, q and their remainders together are not.
TEST(RheonomicLaws, RoundingOfTimeDoesNotMoveTheConstraint) {
  Texts slow = wire;
  slow.constraints = {"x*sin(t) - y*cos(t)"};
  const auto system = system_of(slow);
  const double late = 1e5;
  const Vn along = vector({std::cos(late), std::sin(late)});
  const Vn across = vector({-std::sin(late), std::cos(late)});
  const auto [q, v] = project(*system, along, across, late);
  VectorState s = initial(*system, q, v, late);
  const StageFlow flow(lobatto(3), system);
  auto memory = flow.memory(s);
  for (int k = 0; k < 20; ++k) {
    s = flow.step(s, 0.1, memory);
    const long double t = s.t;
    const long double sine = std::sin(t) + s.t_rest * std::cos(t);  // of t + t_rest
    const long double cosine = std::cos(t) - s.t_rest * std::sin(t);
    const long double x = static_cast<long double>(s.q[0]) + s.q_rest[0];
    const long double y = static_cast<long double>(s.q[1]) + s.q_rest[1];
    EXPECT_LT(std::abs(static_cast<double>(x * sine - y * cosine)), 2e-15) << k;
  }
}

/// The wire pushes with 2wr' across itself, along (-sin wt, cos wt) = -Gᵀ.
TEST(RheonomicLaws, MultiplierIsTheReactionOfTheWire) {
  const auto system = system_of(wire);
  const double speed = 0.5;
  const auto r = [&](double t) { return std::cosh(w * t) + speed / w * std::sinh(w * t); };
  const auto rate = [&](double t) { return w * std::sinh(w * t) + speed * std::cosh(w * t); };
  const VectorState start = initial(*system, vector({1.0, 0.0}), vector({speed, w}), 0.0);
  EXPECT_NEAR(start.lambda[0], -2.0 * w * speed, 1e-14);
  const auto error = [&](int k) {
    const VectorState s = walk(StageFlow(lobatto(4), system), start, 1.0 / k, k);
    EXPECT_NEAR(std::hypot(s.q[0], s.q[1]), r(1.0), 1e-6);
    return std::abs(s.lambda[0] + 2.0 * w * rate(1.0));
  };
  EXPECT_LT(error(64), 1e-5);
  EXPECT_GT(measured_order(error, 32), 2.5);
  // E - E₀ = w²(r² - r₀²), all of it from the motor that turns the wire
  const StageFlow flow(lobatto(6), system);
  auto memory = flow.memory(start);
  const VectorState end = flow.steps(start, 1.0 / 32, 32, memory);
  EXPECT_NEAR(memory.statistics.driver_work, w * w * (r(end.t) * r(end.t) - 1.0), 1e-12);
}

/// Two driven systems that do not know of each other, stated as one: the works of their drivers add up.
TEST(RheonomicLaws, WorksOfDriversAddUp) {
  const Texts both{{"x", "y", "z", "r", "s"},
                   hoop.lagrangian + " + (r_dot^2 + s_dot^2)/2 - s",
                   {},
                   {hoop.constraints[0], hoop.constraints[1], "(r - 0.4*sin(1.7*t))^2 + s^2 - 1"}};
  const auto work = [](const Texts& texts, const Vn& q, const Vn& v, const char* name) {
    const auto system = system_of(texts);
    const StageFlow flow(parse_method(name), system);
    const VectorState start = initial(TypedView(system), q, v, t0);
    auto memory = flow.memory(start);
    flow.steps(start, 0.05, 40, memory);
    return memory.statistics.driver_work;
  };
  const Vn q[] = {cases[1].q(t0, u0), cases[0].q(t0, u0)};
  const Vn v[] = {cases[1].v(t0, u0, rate0), cases[0].v(t0, u0, rate0)};
  Vn all_q(5);
  Vn all_v(5);
  all_q << q[0], q[1];
  all_v << v[0], v[1];
  for (const char* name : {"rattle", "lobatto(3)", "midpoint"}) {
    const double parts[] = {work(hoop, q[0], v[0], name), work(pendulum, q[1], v[1], name)};
    EXPECT_NEAR(work(both, all_q, all_v, name), parts[0] + parts[1], 1e-12) << name;
    EXPECT_GT(std::min(std::abs(parts[0]), std::abs(parts[1])), 0.1) << name;
  }
}

/// (driver): E - E₀ is the work of the driver up to the order of the method; without it E is not kept.
TEST(RheonomicLaws, EnergyBalancesWithTheDriver) {
  for (const Case& c : cases) {
    const auto system = system_of(c.constrained);
    const TypedView view(system);
    const VectorState start = start_of(c, view);
    const auto defect = [&](const char* name) {
      return [&, name](int n) {
        const StageFlow flow(parse_method(name), system);
        auto memory = flow.memory(start);
        const VectorState end = flow.steps(start, 1.0 / n, n, memory);
        const double change = energy(view, end) - energy(view, start);
        EXPECT_GT(std::abs(change), 0.1);
        return std::abs(change - memory.statistics.driver_work);
      };
    };
    EXPECT_NEAR(measured_order(defect("rattle"), 64), 2.0, 0.1) << c.name;
    EXPECT_NEAR(measured_order(defect("lobatto(3)"), 24), 4.0, 0.1) << c.name;
    EXPECT_NEAR(measured_order(defect("lobatto(4)"), 10), 6.0, 0.15) << c.name;
    EXPECT_NEAR(measured_order(defect("triple_jump(verlet)"), 96), 4.0, 0.1) << c.name;
    EXPECT_LT(defect("lobatto(6)")(32), 1e-13) << c.name;
  }
}

TEST(RheonomicLaws, StepsAreSymplecticReversibleAndOfTheirAction) {
  for (const Case& c : cases)
    for (const char* name : {"rattle", "midpoint", "lobatto(3)", "triple_jump(verlet)"}) {
      const auto system = system_of(c.constrained);
      const StageFlow flow(parse_method(name), system);
      const VectorState start = start_of(c, flow.system());
      EXPECT_LT(check_symplectic(flow, start, 0.1).defect, 1e-13) << c.name << name;
      EXPECT_LT(distance(flow(flow(start, 0.1), -0.1), start), 1e-13) << c.name << name;
      EXPECT_TRUE(check_action(flow, start, 0.1).passes(1e-12)) << c.name << name;
    }
}

/// One step of both tiers.
template <class F, class C, class StateT>
void expect_tiers_agree(const F& flow, const C& certificate, const StateT& start) {
  const auto by_stages = flow(start, 0.1);
  const auto by_action = certificate(start, 0.1);
  const std::string name = flow.method().name();
  EXPECT_LT(Space<std::decay_t<decltype(start.q)>>::difference(by_stages.q, by_action.q).norm(),
            1e-12)
      << name;
  EXPECT_LT((by_stages.p - by_action.p).norm(), 1e-12) << name;
  EXPECT_LT((by_stages.lambda - by_action.lambda).norm(), 1e-10) << name;
}

const auto free_fall = [](const auto& q, const auto& v) { return 0.5 * v.dot(v) - q[1]; };
const auto moving_pivot = [](const auto& t, const auto& q) {
  const auto x = q[0] - a * sin(w * t);
  return x * x + q[1] * q[1] - 1.0;
};

TEST(RheonomicLaws, CertificateAgreesForTextAndCallables) {
  const System typed{free_fall, Holonomic{moving_pivot}};
  const auto text = system_of(pendulum);
  const Vector<double, 2> q = cases[0].q(t0, u0);
  const Vector<double, 2> v = cases[0].v(t0, u0, rate0);
  const auto start = initial(typed, q, v, t0);
  const VectorState by_vectors = start_of(cases[0], *text);
  EXPECT_NEAR(start.lambda[0], by_vectors.lambda[0], 1e-14);
  for (const Method& method : {euler_a(), euler_b(), verlet(), midpoint(), lobatto(2), lobatto(3),
                               lobatto(4), lobatto(5)}) {
    expect_tiers_agree(Flow(method, typed), Certificate(method, typed), start);
    expect_tiers_agree(StageFlow(method, text), Certificate(method, TypedView(text)), by_vectors);
    const auto by_type = Flow(method, typed)(start, 0.1);
    const VectorState by_text = StageFlow(method, text)(by_vectors, 0.1);
    EXPECT_LT((by_type.q - by_text.q).norm(), 1e-14) << method.name();
    EXPECT_LT((by_type.p - by_text.p).norm(), 1e-14) << method.name();
  }
}

/// L_d of the trapezoidal rule with SHAKE takes φ at the ends of its steps, as RATTLE does.
TEST(RheonomicLaws, OwnDiscreteLagrangian) {
  const auto ld = [](const auto& q0, const auto& q1, double h) {
    const auto v = ((q1 - q0) / h).eval();
    return h * (0.5 * v.dot(v) - 0.5 * (q0[1] + q1[1]));
  };
  const System typed{free_fall, Holonomic{moving_pivot}};
  auto s = initial(typed, Vector<double, 2>(cases[0].q(t0, u0)),
                   Vector<double, 2>(cases[0].v(t0, u0, rate0)), t0);
  const DiscreteFlow shake(ld, Holonomic{moving_pivot});
  auto z = s;
  for (int k = 0; k < 20; ++k) {
    s = Flow(verlet(), typed)(s, 0.05);
    z = shake(z, 0.05);
    EXPECT_LT((z.q - s.q).norm(), 1e-13) << k;
  }
}

// ---- a rigid body whose third axis has a prescribed inclination, R33 = cos b(t)

double inclination(double t) { return 0.8 + 0.3 * std::sin(w * t); }
double inclination_rate(double t) { return 0.3 * w * std::cos(w * t); }

const auto body = [](const auto& R, const auto& u) {
  const Vector<double, 3> inertia(1.0, 1.4, 0.6);
  return 0.5 * u.dot(inertia.cwiseProduct(u)) - 0.4 * R(2, 0);
};
const auto guided = [](const auto& t, const auto& R) {
  return R(2, 2) - cos(0.8 + 0.3 * sin(w * t));
};

/// The same in the Euler angles α, γ of R = R_z(α) R_x(b(t)) R_z(γ).
Texts angles_of_body() {
  const std::string b = "(0.8 + 0.3*sin(1.7*t))";
  const std::string bd = "(0.3*1.7*cos(1.7*t))";
  const std::string u1 = "(al_dot*sin" + b + "*sin(ga) + " + bd + "*cos(ga))";
  const std::string u2 = "(al_dot*sin" + b + "*cos(ga) - " + bd + "*sin(ga))";
  const std::string u3 = "(al_dot*cos" + b + " + ga_dot)";
  return {{"al", "ga"},
          u1 + "^2/2 + 1.4*" + u2 + "^2/2 + 0.6*" + u3 + "^2/2 - 0.4*sin" + b + "*sin(ga)",
          {},
          {}};
}

/// R and the body velocity of Euler angles at a time.
std::pair<SO3<double>, Vector<double, 3>> attitude(double t, const Vn& y, const Vn& rate) {
  const double b = inclination(t);
  const double bd = inclination_rate(t);
  Eigen::Matrix3d R;
  R = Eigen::AngleAxisd(y[0], Eigen::Vector3d::UnitZ()) *
      Eigen::AngleAxisd(b, Eigen::Vector3d::UnitX()) *
      Eigen::AngleAxisd(y[1], Eigen::Vector3d::UnitZ());
  const double s = std::sin(y[1]);
  const double c = std::cos(y[1]);
  return {SO3<double>(R),
          {rate[0] * std::sin(b) * s + bd * c, rate[0] * std::sin(b) * c - bd * s,
           rate[0] * std::cos(b) + rate[1]}};
}

TEST(RheonomicLaws, GuidedRigidBody) {
  const System typed{body, Holonomic{guided}};
  const auto minimal = system_of(angles_of_body());
  const TypedView view(minimal);
  const Vn y0 = vector({0.2, 0.5});
  const Vn rate = vector({0.6, 1.1});
  const VectorState y =
      walk(StageFlow(gauss(6), minimal), initial(view, y0, rate, t0), 1.0 / 128, 128);
  const auto [R1, u1] = attitude(y.t, y.q, velocity(view, y));
  const Vector<double, 3> p1 = Vector<double, 3>(1.0, 1.4, 0.6).cwiseProduct(u1);
  const auto [R0, u0_body] = attitude(t0, y0, rate);
  const auto start = initial(typed, R0, u0_body, t0);
  const auto order = [&, R1 = R1](int s, int n, bool of_p) {
    const Flow flow(lobatto(s), typed);
    return measured_order(
        [&](int k) {
          const auto z = advance(flow, start, 1.0 / k, k);
          return of_p ? (z.p - p1).norm() : Space<SO3<double>>::difference(R1, z.q).norm();
        },
        n);
  };
  for (const bool of_p : {false, true}) {
    EXPECT_NEAR(order(2, 64, of_p), 2.0, 0.1) << of_p;
    EXPECT_NEAR(order(3, 24, of_p), 4.0, 0.1) << of_p;
    EXPECT_NEAR(order(4, 10, of_p), 6.0, 0.1) << of_p;
  }
  for (const Method& method : {verlet(), midpoint(), lobatto(3), lobatto(4)}) {
    expect_tiers_agree(Flow(method, typed), Certificate(method, typed), start);
    EXPECT_LT(check_symplectic(Flow(method, typed), start, 0.1).defect, 1e-13) << method.name();
  }
  auto z = start;
  const Flow flow(lobatto(3), typed);
  auto memory = flow.memory(z);
  z = flow.steps(z, 0.02, 50, memory);
  EXPECT_LT(constraint_defect(typed, z).position, 1e-14);
  EXPECT_LT(constraint_defect(typed, z).velocity, 2e-14);
  EXPECT_NEAR(energy(typed, z) - energy(typed, start), memory.statistics.driver_work, 1e-6);
  EXPECT_GT(std::abs(memory.statistics.driver_work), 0.01);
}

// ---- starts, dependent constraints, restarts

TEST(RheonomicLaws, StartMustFollowTheConstraint) {
  const auto text = system_of(pendulum);
  const System typed{free_fall, Holonomic{moving_pivot}};
  const Vector<double, 2> q = cases[0].q(t0, u0);
  const Vector<double, 2> v(std::cos(u0), std::sin(u0));  // tangent, but the pivot moves
  const auto expect = [](const std::string& text_of_error) {
    expect_words(text_of_error, {"does not follow the constraint, which moves", "G v + dphi/dt",
                                 "phi[1] must be", "project(system, q, v, t)"});
  };
  expect(refusal([&] { initial(*text, Vn(q), Vn(v), t0); }));
  expect(refusal([&] { initial(typed, q, v, t0); }));
  expect_words(refusal([&] { initial(*text, Vn(q), Vn(v), t0 + 1.0); }), {"off the constraint"});
  const auto [on, u] = project(*text, Vn(q), Vn(v), t0);
  EXPECT_LT((on - q).norm(), 1e-14);
  EXPECT_LT(constraint_defect(*text, initial(*text, on, u, t0)).velocity, 1e-14);
  const auto [typed_on, typed_u] = project(typed, q, v, t0);
  EXPECT_LT((typed_u - u).norm() + (typed_on - on).norm(), 1e-14);
}

TEST(RheonomicLaws, DependentConstraintsMoveTogetherOrContradict) {
  Texts twice = hoop;
  twice.constraints.emplace_back("2*x*sin(1.7*t) - 2*y*cos(1.7*t)");
  const auto system = system_of(twice);
  const auto once = system_of(hoop);
  const VectorState start = start_of(cases[1], *system);
  expect_words(refusal([&] { StageFlow(lobatto(3), system).memory(start); }), {"phi[3]", "phi[1]"});
  const StageFlow flow(lobatto(3), system, {.leave_out_dependent = true});
  EXPECT_LT(distance(walk(flow, start, 0.05, 40),
                     walk(StageFlow(lobatto(3), once), start_of(cases[1], *once), 0.05, 40)),
            1e-13);
  Texts apart = wire;
  apart.constraints = {"x - t", "2*x - t"};
  const auto impossible = system_of(apart);
  EXPECT_THROW(initial(*impossible, vector({0.0, 0.0}), vector({1.0, 0.0}), 0.0),
               InconsistentConstraints);
}

TEST(RheonomicLaws, RestartContinuesToTheBit) {
  const auto system = system_of(pendulum);
  const StageFlow flow(parse_method("lobatto(3)"), system);
  VectorState s = start_of(cases[0], flow.system());
  auto memory = flow.memory(s);
  s = flow.steps(s, 0.03, 17, memory);
  auto again = flow.memory(s);
  again.load(memory.save());
  const VectorState on = flow.steps(s, 0.03, 20, memory);
  const VectorState restarted = flow.steps(s, 0.03, 20, again);
  EXPECT_EQ(on.q, restarted.q);
  EXPECT_EQ(on.p, restarted.p);
  EXPECT_EQ(on.lambda, restarted.lambda);
  EXPECT_EQ(memory.statistics.driver_work, again.statistics.driver_work);
}

/// The mass with number k of a chain, and the rod from the one before it, the first from a driven pivot.
std::string mass_text(const std::string& k) {
  return " + (x" + k + "_dot^2 + y" + k + "_dot^2)/2 - y" + k;
}
std::string rod_text(int i) {
  const std::string k = std::to_string(i);
  const std::string before = std::to_string(i - 1);
  if (i == 1) return "(x1 - 0.1*sin(t))^2 + y1^2 - 1";
  return "(x" + k + " - x" + before + ")^2 + (y" + k + " - y" + before + ")^2 - 1";
}

/// A driven chain of rods: the matrix of a step stays banded.
TEST(RheonomicLaws, DrivenChainIsBanded) {
  constexpr int n = 60;
  Texts chain;
  chain.lagrangian = "0";
  Vn q(2 * n);
  Vn v(2 * n);
  for (int i = 1; i <= n; ++i) {
    const std::string k = std::to_string(i);
    chain.coordinates.insert(chain.coordinates.end(), {"x" + k, "y" + k});
    chain.lagrangian += mass_text(k);
    chain.constraints.push_back(rod_text(i));
    q[2 * i - 2] = i;
    q[2 * i - 1] = 0.0;
    v[2 * i - 2] = 0.1;
    v[2 * i - 1] = 0.0;
  }
  const auto system = system_of(chain);
  const StageFlow flow(verlet(), system);
  EXPECT_TRUE(flow.banded());
  VectorState s = initial(flow.system(), q, v);
  auto memory = flow.memory(s);
  s = flow.steps(s, 0.002, 50, memory);
  EXPECT_LT(constraint_defect(flow.system(), s).position, 1e-13);
  EXPECT_LT(constraint_defect(flow.system(), s).velocity, 1e-12);
}

}  // namespace
}  // namespace varia::rheonomic_laws_test
