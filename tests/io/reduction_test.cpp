// SPDX-License-Identifier: BSD-3-Clause
// reconstruct = false: the reduced equations of groups, alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "../refusal.hpp"
#include "models.hpp"
#include "varia/core/round_off.hpp"
#include "varia/io/check.hpp"
#include "varia/io/diagnostics.hpp"
#include "varia/io/recorder.hpp"
#include "varia/io/stepper.hpp"
#include "varia/io/verdict.hpp"

namespace varia::io::reduction_test {
namespace {

using List = std::vector<std::string>;

const std::string reduced = "run.reconstruct=false";

template <class F> void expect_refused(const F& f, std::initializer_list<const char*> words) {
  expect_words(refusal<ScenarioError>(f), words);
}

/// An unsymmetric body with a rotor, damped; further lines of [system].
std::string body(const std::string& more = "") {
  return models::scenario(R"~(coordinates = [{ name = "R", space = "SO3" }, "x"]
lagrangian = "(R_w1^2 + 1.4*R_w2^2 + 1.9*R_w3^2)/2 + (x_dot + R_w3)^2/4 - x^2/2")~"
                          "\n" +
                              more,
                          "R = { angle_axis = [0.3, -0.2, 0.4] }\nR_w1 = 0.5\nR_w2 = -0.3\n"
                          "R_w3 = 0.8\nx = 0.4\nx_dot = 0.1");
}

const std::string damping = "force = { R_1 = \"-0.1*R_w1\", R_3 = \"0.2*sin(t)\", x = \"-R_w2\" }";

std::string body_in_fluid() {
  return models::scenario(
      R"~(coordinates = [{ name = "g", space = "SE3" }]
lagrangian = "(g_w1^2 + 1.4*g_w2^2 + 1.9*g_w3^2)/2 + g_v1^2 + 1.3*g_v2^2 + 1.55*g_v3^2 + 0.2*g_w1*g_v2"
force = { g_1 = "-0.1*g_w2", g_5 = "-0.2*g_v2" })~",
      "g = { position = [1, 2, 0.5], angle_axis = [0.3, -0.2, 0.4] }\ng_w1 = 0.5\ng_w2 = -0.3\n"
      "g_w3 = 0.8\ng_v1 = 0.7\ng_v2 = 0.2\ng_v3 = -0.4");
}

std::string plane_body() {
  return models::scenario(
      R"~(coordinates = [{ name = "g", space = "SE2" }]
lagrangian = "(1.5*g_v1^2 + 0.8*g_v2^2 + 0.6*g_w^2)/2 + 0.3*g_v2*g_w")~",
      "g = { x = 1, y = -2, theta = 0.7 }\ng_v1 = 0.7\ng_v2 = 0.2\ng_w = 1.1");
}

/// Suslov's body: the angular velocity about an axis of the body is held at zero.
std::string suslov() {
  return models::scenario(
      R"~(coordinates = [{ name = "R", space = "SO3" }]
lagrangian = "(R_w1^2 + 2*R_w2^2 + 3*R_w3^2)/2 + 0.4*R_w1*R_w3"
nonholonomic = ["R_w3"])~",
      "R = { angle_axis = [0.3, -0.2, 0.4] }\nR_w1 = 0.5\nR_w2 = -0.3\nR_w3 = 0", "nh_lobatto(3)");
}

/// Chaplygin's sleigh: no velocity across the blade.
std::string sleigh() {
  return models::scenario(R"~(coordinates = [{ name = "g", space = "SE2" }]
lagrangian = "(g_v1^2 + (g_v2 + 0.3*g_w)^2 + 0.5*g_w^2)/2"
nonholonomic = ["g_v2"])~",
                          "g = { x = 1, y = -2, theta = 0.7 }\ng_v1 = 0.7\ng_v2 = 0\ng_w = 1.1",
                          "nh_lobatto(3)");
}

Snapshot end_of(const Model& model) {
  const auto stepper = make_stepper(model);
  stepper->advance(model.step, model.steps);
  Snapshot s;
  stepper->snapshot(s);
  return s;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double most = 0.0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

/// How far the two may be apart: points of SE(2) are sums that grow, and round the turn of a step; an
/// adjoint is found by iteration.
double rounding(const Model& model, const Snapshot& end) {
  double size = model.method.name().find("adjoint") == std::string::npos ? 0.0 : 1.0;
  for (const auto& at : model.system->space.factors())
    if (at.factor->name() == "SE(2)")
      size = std::max(size, *std::max_element(end.q.begin(), end.q.end()));
  return static_cast<double>(model.steps) * detail::eps * size;
}

/// Multipliers are known to 1/h times round-off, that of half a step where a step is made of two.
void expect_equal(const std::string& text, const std::string& method, const std::string& tau) {
  const List run{"run.method=" + method, "run.retraction=" + tau};
  List alone = run;
  alone.push_back(reduced);
  const Model on_group = models::model_of(text, run);
  const Snapshot whole = end_of(on_group);
  const Snapshot momenta = end_of(models::model_of(text, alone));
  const double tolerance = rounding(on_group, whole);
  EXPECT_LE(difference(whole.p, momenta.p), tolerance) << method << " " << tau;
  EXPECT_LE(difference(whole.v, momenta.v), tolerance) << method << " " << tau;
  EXPECT_LE(difference(whole.lambda, momenta.lambda), 2.0 * tolerance / on_group.step)
      << method << " " << tau;
}

const std::vector<std::string>& systems() {
  static const List list{body(), body(damping), body_in_fluid(), plane_body()};
  return list;
}

/// A step does not look at points that do not occur: without them momenta and velocities are the same,
/// to the bit where the point does not round its displacement.
TEST(ReductionSlow, MomentaAreThoseOfTheGroup) {
  for (const char* tau : {"exp", "cay"})
    for (const char* method :
         {"gauss(1)", "gauss(2)", "gauss(3)", "lobatto(3)", "verlet", "euler_a",
          "adjoint(gauss(2))", "compose(gauss(1): 1/2, lobatto(3): 1/2)", "galerkin(2, gauss:3)"})
      for (const std::string& text : systems()) expect_equal(text, method, tau);
}

TEST(Reduction, CompositionsAreThoseOfTheGroup) {
  for (const std::string& text : systems()) expect_equal(text, "yoshida(4, midpoint)", "exp");
}

TEST(ReductionSlow, RollingIsThatOfTheGroup) {
  for (const char* tau : {"exp", "cay"})
    for (const char* method : {"nh_lobatto(2)", "nh_lobatto(3)", "nh_lobatto_sym(3)"})
      for (const std::string& text : {suslov(), sleigh()}) expect_equal(text, method, tau);
}

/// Entries and momenta in the frame of space are gone; rotors and Casimir functions stay.
TEST(Reduction, RecordsHoldNoPoints) {
  const Model model = models::model_of(body(), {reduced});
  const Recorder recorder(model);
  List names;
  for (const Column& c : recorder.columns()) names.push_back(c.name);
  EXPECT_EQ(names, (List{"t", "x", "R_w1", "R_w2", "R_w3", "x_dot", "R_m1", "R_m2", "R_m3", "x_p",
                         "energy", "R_casimir"}));
  EXPECT_EQ(space_name(model), "so(3)* x R^1");
}

/// The orientation at the start may be left out, and has no effect; but what is stated must be one.
TEST(Reduction, StartsNeedNoPoint) {
  const std::string stated = body();
  std::string silent = stated;
  const std::string line = "R = { angle_axis = [0.3, -0.2, 0.4] }\n";
  silent.erase(silent.find(line), line.size());
  EXPECT_EQ(end_of(models::model_of(stated, {reduced})).p,
            end_of(models::model_of(silent, {reduced})).p);
  expect_refused([&] { models::model_of(silent); }, {"start.R", "missing"});
  expect_refused(
      [&] {
        models::model_of(stated, {reduced, "start.R={ quaternion = [0, 0, 0, 0] }"});
      },
      {"start.R", "quaternion is zero"});
}

/// A state that is saved and loaded goes on to the bit.
TEST(Reduction, RestartsToTheBit) {
  for (const char* method : {"gauss(2)", "lobatto(3)", "yoshida(4)"}) {
    const Model model =
        models::model_of(body(damping), {reduced, std::string("run.method=") + method});
    const auto first = make_stepper(model);
    const auto second = make_stepper(model);
    first->advance(model.step, 17);
    second->load(first->save());
    first->advance(model.step, 20);
    second->advance(model.step, 20);
    EXPECT_EQ(first->save(), second->save()) << method;
  }
}

/// (LP-map): a step that keeps the symplectic form of T*G keeps the bracket of its momenta.
TEST(Reduction, StepsArePoissonMaps) {
  for (const std::string& text :
       {plane_body(), models::scenario(R"~(coordinates = [{ name = "R", space = "SO3" }]
lagrangian = "(R_w1^2 + 1.4*R_w2^2 + 1.9*R_w3^2)/2 + 0.1*R_w1^4")~",
                                       "R_w1 = 0.5\nR_w2 = -0.3\nR_w3 = 0.8")}) {
    const Model model = models::model_of(text, {reduced, "run.method=gauss(2)"});
    const KernelSystem& f = *model.system;
    const AnyFlow flow = make_flow(model.method, {model.system, nullptr, nullptr, nullptr}, {}, {});
    const auto bracket = [&](const Vn& p) {
      FactorChart::Map map;
      f.space.curved().front().factor->ad_star(p.data(), map);
      return Eigen::MatrixXd(
          Eigen::Map<const Eigen::Matrix<double, Dynamic, Dynamic, Eigen::RowMajor>>(map, f.n,
                                                                                     f.n));
    };
    const Eigen::Map<const Vn> v(model.rates0.data(), f.n);
    VectorState s = initial(f, Vn(0), Vn(v), 0.0);
    const Vn before = s.p;
    auto memory = flow.memory(s);
    const StepDerivative& derivative = flow.differentiate(s, 0.3, memory);
    Eigen::MatrixXd step(f.n, f.n);
    for (int k = 0; k < f.n; ++k) {
      PhaseVector z = PhaseVector::zero(f.n);
      z.nu[k] = 1.0;
      derivative.forward(z);
      step.col(k) = z.nu;
    }
    EXPECT_LT((step * bracket(before) * step.transpose() - bracket(s.p)).cwiseAbs().maxCoeff(),
              1e-14);
    EXPECT_GT((step - Eigen::MatrixXd::Identity(f.n, f.n)).norm(), 0.1);
  }
}

// Casimir functions.

double drift(const Model& model, const std::string& name) {
  Recorder recorder(model);
  const auto stepper = make_stepper(model);
  std::size_t column = 0;
  for (std::size_t i = 0; i < recorder.columns().size(); ++i)
    if (recorder.columns()[i].name == name) column = i;
  const double first = recorder.record(*stepper)[column];
  double most = 0.0;
  for (long k = 0; k < model.steps; ++k) {
    stepper->advance(model.step, 1);
    most = std::max(most, std::abs(recorder.record(*stepper)[column] - first));
  }
  return most;
}

/// α M × (M × w) and β w × M times 1 + |w|²: along the levels of |M|²; the first takes energy.
std::string spin(const std::string& force) {
  return models::scenario(R"~(coordinates = [{ name = "R", space = "SO3" }]
lagrangian = "(R_w1^2/2 + 2*R_w2^2 + R_w3^2)/2"
)~" + force,
                          "R_w1 = 0.7\nR_w2 = 0.1\nR_w3 = 0.7", "lobatto(3)", "0.1", "40");
}

const std::string along_levels =
    "force = { R_1 = \"2*R_w2*(R_w1/2*R_w2 - 2*R_w2*R_w1) - R_w3*(R_w3*R_w1 - R_w1/2*R_w3)\", "
    "R_2 = \"R_w3*(2*R_w2*R_w3 - R_w3*R_w2) - R_w1/2*(R_w1/2*R_w2 - 2*R_w2*R_w1)\", "
    "R_3 = \"R_w1/2*(R_w3*R_w1 - R_w1/2*R_w3) - 2*R_w2*(2*R_w2*R_w3 - R_w3*R_w2)\" }";

const Momentum& casimir_of(const Model& model) {
  const auto found = std::find_if(model.momenta.begin(), model.momenta.end(),
                                  [](const Momentum& m) { return m.name == "R_casimir"; });
  EXPECT_NE(found, model.momenta.end());
  return *found;
}

TEST(Reduction, CasimirFunctionsOfFreeMotionAreKept) {
  const Model model = models::model_of(spin(""), {reduced});
  EXPECT_TRUE(casimir_of(model).conserved && casimir_of(model).exact);
  EXPECT_LT(drift(model, "R_casimir"), 1e-14);
  const Model fluid = models::model_of(body_in_fluid(), {reduced, "system.force={}"});
  for (const char* name : {"g_casimir1", "g_casimir2"})
    EXPECT_LT(drift(fluid, name), 3e-14) << name;
}

/// A force along the levels keeps the function, discrete motions with it keep it to their order.
TEST(Reduction, ForcesAlongLevelsKeepCasimirsToTheOrder) {
  for (const auto& [method, order] : {std::pair{"lobatto(2)", 2}, {"lobatto(3)", 4}}) {
    const std::string chosen = std::string("run.method=") + method;
    const auto at = [&](const char* step, const char* steps) {
      const Model model = models::model_of(
          spin(along_levels),
          {reduced, chosen, std::string("run.step=") + step, std::string("run.steps=") + steps});
      EXPECT_TRUE(casimir_of(model).conserved);
      EXPECT_FALSE(casimir_of(model).exact);
      return drift(model, "R_casimir");
    };
    EXPECT_NEAR(std::log2(at("0.1", "40") / at("0.05", "80")), order, 0.15) << method;
  }
}

TEST(Reduction, ForcesAcrossLevelsChangeCasimirs) {
  const Model model = models::model_of(spin("force = { R_1 = \"-0.3*R_w1\" }"), {reduced});
  EXPECT_FALSE(casimir_of(model).conserved);
  expect_words(casimir_of(model).message, {"a force acts on R across the levels"});
  const Model rolling = models::model_of(suslov(), {reduced});
  EXPECT_FALSE(casimir_of(rolling).conserved);
  expect_words(casimir_of(rolling).message, {"reaction", "across the levels"});
}

TEST(Reduction, VerdictsNameTheOrder) {
  const Model model = models::model_of(spin(along_levels), {reduced});
  Summary summary;
  summary.steps = 40;
  summary.order = 4;
  summary.variational = true;
  summary.momenta = {{"R_casimir", {0.6, 1e-7, 0.6, 0.6}}};
  for (const Verdict& v : verdicts(model, summary))
    if (v.name == "R_casimir") expect_words(v.text, {"along the levels", "order 4", "1e-07"});
  summary.momenta = {{"R_casimir", {0.6, 0.0, 0.6, 0.6}}};
  for (const Verdict& v : verdicts(model, summary))
    if (v.name == "R_casimir") expect_words(v.text, {"round-off"});
}

// Checks and diagnostics.

/// The order is that of the momenta; the certificate is that of the same step on the group.
TEST(Reduction, ChecksPass) {
  for (const std::string& text : {body(), body(damping), spin(along_levels)}) {
    Model model = models::model_of(text, {reduced, "run.method=gauss(2)"});
    const CheckReport report = check(model);
    EXPECT_TRUE(report.failures.empty()) << report.failures.front();
    EXPECT_NEAR(report.order.measured, 4.0, 0.1);
    ASSERT_TRUE(report.action);
    EXPECT_LT(report.action->p0_defect, 1e-14);
  }
}

/// The certificate is about points; a model of vakonomic constraints has coordinates of its own.
TEST(Reduction, ChecksOfVakonomicConstraints) {
  Model model = models::model_of(
      suslov(),
      {reduced, "run.method=gauss(2)", "run.constraints=vakonomic", "run.start_multipliers=[0.1]"});
  const CheckReport report = check(model);
  EXPECT_TRUE(report.failures.empty()) << report.failures.front();
}

/// μ̇ = -c μ: the exponent is -c, which displacements of a point, of exponent 0, would hide.
TEST(Reduction, LyapunovExponentsAreThoseOfMomenta) {
  const Model model =
      models::model_of(models::scenario(R"~(coordinates = [{ name = "R", space = "SO3" }]
lagrangian = "(R_w1^2 + R_w2^2 + R_w3^2)/2"
force = { R_1 = "-0.4*R_w1", R_2 = "-0.4*R_w2", R_3 = "-0.4*R_w3" }
)~",
                                        "R_w1 = 0.5\nR_w2 = 0\nR_w3 = 0.1"),
                       {reduced, "diagnose.lyapunov=true"});
  Diagnostics diagnostics(model);
  const auto stepper = make_stepper(model);
  Snapshot before, after;
  for (int k = 0; k < 100; ++k) {
    stepper->snapshot(before);
    stepper->advance(model.step, 1);
    stepper->snapshot(after);
    diagnostics.step(before, after, model.step);
  }
  Summary summary;
  diagnostics.fill(summary);
  EXPECT_NEAR(summary.diagnose.lyapunov->exponent, -0.4, 1e-8);
}

// Refusals.

TEST(Reduction, EntriesAreRefusedWhereTheyOccur) {
  const auto refused = [&](const std::string& lines, std::initializer_list<const char*> words) {
    expect_refused([&] { models::model_of(body(lines), {reduced}); }, words);
  };
  const char* const why = "reconstruct = false in [run] leaves R out";
  refused("force = { R_1 = \"R31\" }", {"system.force.R_1", "'R31' is an entry", why});
  refused("nonholonomic = [\"R11*R_w1 + R_w2\"]", {"system.nonholonomic[1]", "'R11'", why});
  refused("holonomic = [\"R33 - x\"]", {"system.holonomic[1]", "'R33'", why});
  refused("observe = { up = \"R33\" }", {"system.observe.up", "'R33'", why});
  refused("observe = { up = \"R_s3\" }",
          {"system.observe.up", "'R_s3' is an angular momentum in the frame of space", why});
  refused("symmetry.up = { R_3 = \"R33\" }", {"system.symmetry.up.R_3", "'R33'", why});
  expect_refused([&] { models::model_of(models::top("{ A = 1, B = 2, C = 3 }"), {reduced}); },
                 {"system.lagrangian", "'R33'", "reconstruct = true"});
  // of an array
  expect_refused(
      [&] {
        models::model_of(
            models::scenario("coordinates = [{ name = \"R[1..2]\", space = \"SO3\" }]\n"
                             "lagrangian = \"R_w1[1]^2 + R_w2[2]^2 + R11[1]\"",
                             "R_w1 = 0\nR_w2 = 0\nR_w3 = 1"),
            {reduced});
      },
      {"system.lagrangian", "'R11'"});
}

TEST(Reduction, ThereMustBeAGroup) {
  expect_refused([&] { models::model_of(models::kepler(), {reduced}); },
                 {"run.reconstruct", "SO3, SE2, SE3", "nothing to reduce"});
  expect_refused([&] { models::model_of(body(), {"run.reconstruct=\"no\""}); },
                 {"run.reconstruct", "must be true or false"});
  expect_refused(
      [&] {
        models::model_of(
            models::scenario("[[system.body]]\nname = \"A\"\nmass = 1\ninertia = [1, 2, 2]",
                             "A = { position = [0, 0, 0], angle_axis = [0, 0, 0] }"),
            {reduced});
      },
      {"run.reconstruct", "[[system.body]]", "name = \"A\""});
}

}  // namespace
}  // namespace varia::io::reduction_test
