// SPDX-License-Identifier: BSD-3-Clause
// The run-time engine on systems given as text against the template engine on the same systems in
// C++: the same discrete flow, whatever the method.
#include "varia/flow/stage_flow.hpp"

#include <gtest/gtest.h>

#include "models.hpp"
#include "refusal.hpp"
#include "varia/flow/flow.hpp"
#include "varia/verify/typed_view.hpp"

namespace varia::stage_flow_test {
namespace {

using V1 = Vector<double, 1>;
using V2 = Vector<double, 2>;
using V3 = Vector<double, 3>;

/// Every variational instance of the list that is for all Lagrangians, a composition and an adjoint.
std::vector<Method> methods(bool constrained) {
  std::vector<Method> result;
  for (const Descriptor& row : method_list())
    for (const std::string& text : row.examples) result.push_back(parse_method(text));
  result.push_back(compose({{euler_b(), 0.5}, {euler_a(), 0.5}}, 2, "euler_b, euler_a"));
  result.push_back(adjoint(midpoint(0.3)));
  std::erase_if(result, [&](const Method& method) {
    return method.baseline() != nullptr || (constrained && method.constrained_order() == 0) ||
           method.needs_separable() || method.has_own_flow();
  });
  return result;
}

template <class A, class B> double distance(const A& a, const B& b) {
  const double dq = (Vn(a.q) - Vn(b.q)).cwiseAbs().maxCoeff();
  const double dp = (Vn(a.p) - Vn(b.p)).cwiseAbs().maxCoeff();
  double dl = 0.0;  // a multiplier is a round-off of p over the last, perhaps short, substep
  for (int i = 0; i < a.lambda.size(); ++i)
    dl = std::max(dl, 0.1 * std::abs(a.lambda[i] - b.lambda[i]) / (1.0 + std::abs(b.lambda[i])));
  return std::max(
      {dq / (1.0 + Vn(b.q).norm()), dp / (1.0 + Vn(b.p).norm()), dl, std::abs(a.t - b.t)});
}

template <class F, class S> S walk(const F& flow, S s, double h, int steps) {
  auto memory = flow.memory(s);
  for (int k = 0; k < steps; ++k) s = flow.step(s, h, memory);
  return s;
}

template <class S, class V>
void expect_same_flow(const std::string& text, const S& system, const V& q, const V& v, double h,
                      double t = 0.0, int backwards = 50) {
  const io::Model model = io::models::model_of(text);
  const VectorState start = initial(*model.system, Vn(q), Vn(v), t);
  const auto typed = initial(system, q, v, t);
  EXPECT_LT(distance(start, typed), 1e-14);
  for (const Method& method : methods(S::constrained)) {
    const StageFlow by_text(method, model.system);
    const Flow flow(method, system);
    EXPECT_LT(distance(walk(by_text, start, h, 50), walk(flow, typed, h, 50)), 1e-12)
        << method.name();
    EXPECT_LT(distance(walk(by_text, start, -h, backwards), walk(flow, typed, -h, backwards)),
              1e-12)
        << method.name() << ", backwards";
  }
}

TEST(StageFlow, KeplerIsThatOfTheTemplate) {
  expect_same_flow(io::models::kepler(), System{[](const auto& q, const auto& v) {
                     return 0.5 * v.dot(v) + 1.0 / sqrt(q[0] * q[0] + q[1] * q[1]);
                   }},
                   V2(0.4, 0.0), V2(0.0, 2.0), 0.02);
}

TEST(StageFlow, DoublePendulumIsThatOfTheTemplate) {
  expect_same_flow(io::models::double_pendulum(), System{[](const auto& q, const auto& v) {
                     return v[0] * v[0] + 0.5 * v[1] * v[1] + v[0] * v[1] * cos(q[0] - q[1]) +
                            2.0 * cos(q[0]) + cos(q[1]);
                   }},
                   V2(0.7, -0.3), V2(0.2, 0.3), 0.05);
}

TEST(StageFlow, ForcedOscillatorsAreThoseOfTheTemplate) {
  expect_same_flow(
      io::models::van_der_pol(),
      System{[](const auto& q, const auto& v) {
               const auto d = q[0] - q[1];
               return 0.5 * v.dot(v) - 0.5 * (q[0] * q[0] + 1.02 * q[1] * q[1]) - 0.8 * d * d;
             },
             Force{[](double t, const auto& q, const auto& v) {
               using S = std::decay_t<decltype(q[0])>;
               return Vector<S, 2>((0.5 - q[0] * q[0]) * v[0],
                                   (0.5 - q[1] * q[1]) * v[1] + 0.1 * std::sin(t));
             }}},
      V2(-0.5, -0.25), V2(0.0, 2.0), 0.0625, 0.0, 15);  // grows without bound backwards
}

TEST(StageFlow, SphericalPendulumIsThatOfTheTemplate) {
  expect_same_flow(io::models::spherical_pendulum(),
                   System{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) - q[2]; },
                          Holonomic{[](const auto& q) { return q.dot(q) - 1.0; }}},
                   V3(std::sin(1.2), 0.0, -std::cos(1.2)),
                   V3(0.3 * std::cos(1.2), 0.7, 0.3 * std::sin(1.2)), 0.1);
}

TEST(StageFlow, TimeDependentOscillatorIsThatOfTheTemplate) {
  expect_same_flow(io::models::caldirola_kanai(),
                   System{[](double t, const auto& q, const auto& v) {
                     return std::exp(0.2 * t) * 0.5 * (v[0] * v[0] - 1.44 * q[0] * q[0]);
                   }},
                   V1(1.0), V1(0.3), 0.1, 0.5);
}

TEST(StageFlow, ChargedParticleIsThatOfTheTemplate) {
  expect_same_flow(io::models::magnetic(), System{[](const auto& q, const auto& v) {
                     return 0.5 * v.dot(v) + q[0] * v[1] - q[1] * v[0] - 0.1 * q[0] * q[2];
                   }},
                   V3(1.0, 0.0, 0.0), V3(0.0, 1.0, 0.1), 0.05);
}

/// The comparison sees differences: a method and its adjoint are not the same flow.
TEST(StageFlow, OtherMethodsAndStepsDiffer) {
  const io::Model model = io::models::model_of(io::models::double_pendulum());
  const VectorState start = initial(*model.system, Vn(V2(0.7, -0.3)), Vn(V2(0.2, 0.3)));
  const auto end = walk(StageFlow(midpoint(0.3), model.system), start, 0.05, 50);
  EXPECT_GT(distance(walk(StageFlow(adjoint(midpoint(0.3)), model.system), start, 0.05, 50), end),
            1e-3);
  EXPECT_GT(distance(walk(StageFlow(gauss(1), model.system), start, 0.05, 50),
                     walk(StageFlow(gauss(2), model.system), start, 0.05, 50)),
            1e-6);
}

// ---------------------------------------------------------------- structured solves

constexpr auto chain_lagrangian = [](const auto& q, const auto& v, bool ring) {
  const auto n = static_cast<int>(q.size());
  auto l = 0.0 * q[0];
  const auto spring = [&](const auto& s) {
    const auto square = s * s;
    l -= 0.5 * square + 0.25 * square * square;
  };
  for (int i = 0; i < n; ++i) l += 0.5 * (1.0 + 0.1 * (i + 1)) * v[i] * v[i];
  for (int i = 0; i + 1 < n; ++i) spring(q[i + 1] - q[i]);
  if (ring) {
    spring(q[0] - q[n - 1]);
  } else {
    spring(q[0] - 0.0);
    spring(q[n - 1] - 0.0);
  }
  return l;
};

VectorState chain_start(const io::Model& model) {
  const int n = model.system->n;
  Vn q(n), v(n);
  for (int i = 1; i <= n; ++i) {
    q[i - 1] = 0.3 * std::sin(1 + 2.3 * i);
    v[i - 1] = 0.4 * std::cos(0.7 + 1.9 * i);
  }
  EXPECT_LT((q - Eigen::Map<const Vn>(model.q0.data(), n)).norm(), 1e-14);
  return initial(*model.system, q, v);
}

TEST(StageFlow, ChainsAndRingsAreThoseOfTheDenseTemplate) {
  for (const bool ring : {false, true})
    for (const int n : {8, 12, 20}) {
      const io::Model model = io::models::model_of(io::models::chain(n, ring));
      const System system{
          [ring](const auto& q, const auto& v) { return chain_lagrangian(q, v, ring); }};
      const VectorState start = chain_start(model);
      const auto typed = initial(system, start.q, Vn(Eigen::Map<const Vn>(model.rates0.data(), n)));
      for (const Method& method : {gauss(2), lobatto(3), midpoint()}) {
        const StageFlow by_text(method, model.system);
        EXPECT_EQ(by_text.unknowns(), n * method.stages()->unknowns);
        if (by_text.unknowns() == 8) {
          EXPECT_FALSE(by_text.banded());
        }
        if (n == 20 && !ring && method.stages()->unknowns > 1) {
          EXPECT_TRUE(by_text.banded());
        }
        EXPECT_LT(
            distance(walk(by_text, start, 0.1, 20), walk(Flow(method, system), typed, 0.1, 20)),
            1e-12)
            << method.name() << ", n = " << n << (ring ? ", ring" : ", chain");
      }
    }
}

/// Long chains have a band; one term that joins everything makes the matrix dense, and with the
/// weight 0 in front of it at run time the motion is the same.
TEST(StageFlow, BandedSolvesAreDenseSolves) {
  for (const bool ring : {false, true}) {
    std::string text = io::models::chain(64, ring);
    const io::Model banded = io::models::model_of(text);
    // sin(1e-9 t)^40 underflows to 0 at the times of this run, which the graph cannot know
    text.replace(text.find("lagrangian = \"") + 14, 0, "sin(1e-9*t)^40*sum(i, 1, n, q[i])^2 + ");
    const io::Model dense = io::models::model_of(text);
    for (const Method& method : {gauss(2), verlet()}) {
      FlowOptions options;
      options.prefer_explicit = false;
      const StageFlow a(method, banded.system, options);
      const StageFlow b(method, dense.system, options);
      EXPECT_TRUE(a.banded()) << method.name();
      EXPECT_FALSE(b.banded()) << method.name();
      EXPECT_LT(
          distance(walk(a, chain_start(banded), 0.1, 20), walk(b, chain_start(dense), 0.1, 20)),
          1e-12)
          << method.name() << (ring ? ", ring" : ", chain");
    }
  }
}

/// A chain with a force between neighbours and rods between some of them: KKT systems in a band.
TEST(StageFlow, ConstrainedChainKeepsItsRods) {
  const std::string text =
      io::models::scenario(R"~(coordinates = ["x[1..40]", "y[1..40]"]
lagrangian = "sum(i, 1, 40, x_dot[i]^2 + y_dot[i]^2)/2 - sum(i, 1, 40, y[i]) - sum(i, 1, 39, (x[i+1] - x[i])^2 + (y[i+1] - y[i])^2)"
force = { x = "-0.1*x_dot[i]" }
holonomic = ["(x[2] - x[1])^2 + (y[2] - y[1])^2 - 1", "(x[30] - x[29])^2 + (y[30] - y[29])^2 - 1"])~",
                           "x = \"i\"\ny = 0\nx_dot = 0\ny_dot = \"0.3*sin(i)\"", "lobatto(3)");
  const io::Model model = io::models::model_of(text);
  const TypedView view(model.system);
  const Vn q = Eigen::Map<const Vn>(model.q0.data(), 80);
  const Vn v = Eigen::Map<const Vn>(model.rates0.data(), 80);
  for (const Method& method : {lobatto(3), verlet()}) {
    const StageFlow by_text(method, model.system);
    EXPECT_TRUE(by_text.banded());
    const Flow<TypedView> flow(method, view);
    const auto a = walk(by_text, initial(view, q, v), 0.05, 10);
    const auto b = walk(flow, initial(view, q, v), 0.05, 10);
    EXPECT_LT(distance(a, b), 1e-12) << method.name();
    const auto defect = constraint_defect(view, a);
    EXPECT_LT(defect.position + defect.velocity, 1e-13) << method.name();
  }
}

// ---------------------------------------------------------------- refusals

TEST(StageFlow, RefusesWhatItCannotDo) {
  const io::Model kepler = io::models::model_of(io::models::kepler());
  const io::Model sphere = io::models::model_of(io::models::spherical_pendulum());
  expect_words(refusal([&] { StageFlow(rk4(), kepler.system); }), {"rk4", "not variational"});
  expect_words(refusal([&] { StageFlow(gauss(2), sphere.system); }), {"gauss(2)", "constraint"});
  const StageFlow flow(verlet(), kepler.system);
  VectorState s = initial(*kepler.system, Vn(V2(0.4, 0.0)), Vn(V2(0.0, 2.0)));
  auto memory = flow.memory(s);
  for (const double h : {0.0, std::nan(""), std::numeric_limits<double>::infinity()})
    refusal([&] { flow.step(s, h, memory); });
  VectorState short_state = s;
  short_state.p = Vn::Zero(1);
  expect_words(refusal([&] { flow.memory(short_state); }), {"2 coordinates", "1 momentum"});
  s.q[0] = std::nan("");
  expect_words(refusal([&] { flow.memory(s); }), {"not finite"});
  FlowOptions no_iterations;
  no_iterations.newton.max_iterations = 0;
  refusal([&] { StageFlow(verlet(), kepler.system, no_iterations); });
}

/// A step that cannot be solved is an error with its time, never a number.
TEST(StageFlow, FailsLoudly) {
  const io::Model model = io::models::model_of(io::models::double_pendulum());
  const VectorState start = initial(*model.system, Vn(V2(0.7, -0.3)), Vn(V2(0.2, 0.3)));
  FlowOptions hasty;
  hasty.newton.max_iterations = 1;
  expect_words(refusal<NoConvergence>(
                   [&] { walk(StageFlow(gauss(3), model.system, hasty), start, 0.5, 50); }),
               {"gauss(3)", "t = 0", "smaller step"});
  const io::Model runaway = io::models::model_of(io::models::single("x_dot^2/2 + x^8"));
  const VectorState one = initial(*runaway.system, Vn(V1(0.8)), Vn(V1(0.3)));
  refusal<NoConvergence>([&] { walk(StageFlow(verlet(), runaway.system), one, 1.0, 200); });
}

}  // namespace
}  // namespace varia::stage_flow_test
