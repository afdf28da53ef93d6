// SPDX-License-Identifier: BSD-3-Clause
// Native code against the interpreter, and the three loops of explicit steps: C++ over flat arrays,
// C made for the system, and the template.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "expr/native_sandbox.hpp"
#include "models.hpp"
#include "refusal.hpp"
#include "varia/flow/flow.hpp"
#include "varia/io/checkpoint.hpp"
#include "varia/io/compare.hpp"
#include "varia/io/runner.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io::evaluation_test {
namespace {

using V2 = Vector<double, 2>;
using V3 = Vector<double, 3>;

class EvaluationTest : public expr::Sandbox {
 protected:
  static Model prepared(const std::string& text, const std::string& method,
                        const std::string& evaluation, long steps = 100) {
    Model model = models::model_of(text);
    set_method(model, parse_method(method));
    model.scenario.run.evaluation = evaluation;
    model.steps = steps;
    evaluation_ = prepare_evaluation(model);
    return model;
  }
  static inline Evaluation evaluation_;
};

Snapshot end_of(const Model& model, double h, long steps) {
  const auto run = make_stepper(model);
  run->advance(h, steps);
  Snapshot s;
  run->snapshot(s);
  return s;
}

std::vector<double> bits_of(const Model& model, double h, long steps) {
  const auto run = make_stepper(model);
  run->advance(h, steps);
  return run->save();
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = a.size() == b.size() ? 0.0 : 1.0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    worst = std::max(worst, std::abs(a[i] - b[i]) / (1.0 + std::abs(b[i])));
  return worst;
}

TEST_F(EvaluationTest, NativeIsTheInterpreter) {
  ASSERT_TRUE(expr::compiler_available()) << "the build needs one, and so do its tests";
  for (const auto& [text, method] : std::vector<std::pair<std::string, std::string>>{
           {models::kepler(), "gauss(3)"},
           {models::double_pendulum(), "lobatto(3)"},
           {models::van_der_pol(), "midpoint"},
           {models::van_der_pol(), "rk4"},
           {models::caldirola_kanai(), "dopri5"},
           {models::spherical_pendulum(), "lobatto(3)"},
           {models::driven_pendulum(), "lobatto(3)"},
           {models::top("{ A = 1, B = 1.4, C = 0.6 }"), "gauss(2)"},
           {models::chain(30), "gauss(2)"}}) {
    const Model slow = prepared(text, method, "interpreter");
    EXPECT_FALSE(evaluation_.native);
    EXPECT_FALSE(slow.system->hessian.native());
    const Model fast = prepared(text, method, "native");
    EXPECT_TRUE(evaluation_.native) << evaluation_.text;
    EXPECT_TRUE(fast.system->hessian.native());
    EXPECT_TRUE(fast.system->value.native());
    const Snapshot a = end_of(slow, 0.02, 100);
    const Snapshot b = end_of(fast, 0.02, 100);
    EXPECT_EQ(a.t, b.t);
    EXPECT_LT(difference(a.q, b.q) + difference(a.v, b.v) + difference(a.p, b.p), 1e-12)
        << method << ", " << fast.scenario.system.lagrangian->value;
    EXPECT_LT(difference(a.lambda, b.lambda), 1e-11);
  }
}

/// Explicit steps: the loop of C++ and the loop of C give the same bits where the potential uses
/// arithmetic and sqrt only.
TEST_F(EvaluationTest, ExplicitLoopsAgreeToTheBit) {
  ASSERT_TRUE(expr::compiler_available()) << "the build needs one, and so do its tests";
  const std::string uneven =
      models::planar("x_dot^2 + 0.35*y_dot^2 - (x^2*y^2 + x^4 + 3*y^2)/2 + 0.1*t*x", "");
  for (const std::string& text : {models::kepler(), uneven, models::chain(20)})
    for (const char* method :
         {"verlet", "euler_a", "euler_b", "trapezoid(0.3)", "triple_jump(verlet)", "ruth",
          "blanes_moan(4)", "blanes_moan_rkn(6)", "yoshida(8)"})
      for (const double h : {0.02, -0.02}) {
        const Model by_text = prepared(text, method, "interpreter");
        ASSERT_TRUE(by_text.system->separable);
        EXPECT_EQ(by_text.explicit_loop, nullptr);
        const Model native = prepared(text, method, "native");
        ASSERT_NE(native.explicit_loop, nullptr) << method;
        const auto a = bits_of(by_text, h, 500);
        const auto b = bits_of(native, h, 500);
        ASSERT_EQ(a.size(), b.size());
        EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0)
            << method << ", h = " << h << ", " << text;
        // in pieces too
        const auto run = make_stepper(native);
        for (int k = 0; k < 500; k += 20) run->advance(h, 20);
        const auto c = run->save();
        EXPECT_EQ(std::memcmp(a.data(), c.data(), a.size() * sizeof(double)), 0) << method;
      }
}

template <class S, class V>
void expect_template(const Model& model, const S& system, const V& q, const V& v) {
  for (const char* name : {"verlet", "euler_a", "euler_b", "trapezoid(0.3)"}) {
    const Method method = parse_method(name);
    const Flow flow(method, system);
    const StageFlow by_text(method, model.system);
    EXPECT_TRUE(flow.template is_explicit<V>() && by_text.is_explicit());
    auto a = initial(system, q, v);
    VectorState b = initial(*model.system, Vn(q), Vn(v));
    auto memory_a = flow.memory(a);
    auto memory_b = by_text.memory(b);
    a = flow.steps(a, 0.02, 100, memory_a);
    b = by_text.steps(b, 0.02, 100, memory_b);
    EXPECT_LT((Vn(a.q) - b.q).norm() / (1.0 + b.q.norm()), 1e-14) << name;
    EXPECT_LT((Vn(a.p) - b.p).norm() / (1.0 + b.p.norm()), 1e-14) << name;
    EXPECT_EQ(a.t, b.t);
    // and the implicit form of the same method
    FlowOptions implicit;
    implicit.prefer_explicit = false;
    const StageFlow solved(method, model.system, implicit);
    EXPECT_FALSE(solved.is_explicit());
    VectorState c = initial(*model.system, Vn(q), Vn(v));
    auto memory_c = solved.memory(c);
    c = solved.steps(c, 0.02, 100, memory_c);
    EXPECT_LT((c.q - b.q).norm() + (c.p - b.p).norm(), 1e-13) << name;
  }
}

TEST_F(EvaluationTest, ExplicitLoopIsThatOfTheTemplate) {
  // smooth motions: round-off does not grow
  expect_template(
      models::model_of(models::planar("x_dot^2 + 0.35*y_dot^2 - (x^2 + 2*y^2)/2")),
      varia::System{Separable{
          V2(2.0, 0.7), [](const auto& q) { return 0.5 * (q[0] * q[0] + 2.0 * (q[1] * q[1])); }}},
      V2(0.7, -0.4), V2(0.3, 0.9));
  Matrix<double, 3> mass;
  mass << 2.0, 0.4, 0.0, 0.4, 1.0, -0.3, 0.0, -0.3, 3.0;
  const Model full = models::model_of(models::full_mass());
  ASSERT_TRUE(full.system->separable);
  EXPECT_TRUE(full.system->mass_diagonal.empty());
  EXPECT_LT((full.system->mass - mass).norm(), 1e-15);
  expect_template(full,
                  varia::System{Separable{mass,
                                          [](const auto& q) {
                                            const auto z = q[2] * q[2];
                                            return 0.5 * (q[1] * q[1] + z * z) - cos(q[0] - q[1]);
                                          }}},
                  V3(0.4, -0.2, 0.5), V3(0.1, 0.6, -0.3));
}

TEST_F(EvaluationTest, FallsBackWithANote) {
  set("VARIA_CC", "/nonexistent/compiler");
  const Model model = prepared(models::kepler(), "gauss(3)", "auto", 1000000);
  EXPECT_FALSE(evaluation_.native);
  EXPECT_FALSE(model.system->hessian.native());
  expect_words(evaluation_.text, {"interpreter"});
  expect_words(evaluation_.note, {"/nonexistent/compiler"});
  make_stepper(model)->advance(0.01, 3);
  expect_words(refusal<ScenarioError>([&] { prepared(models::kepler(), "gauss(3)", "native"); }),
               {"/nonexistent/compiler"});
}

/// What `auto` takes depends on the scenario alone: short runs are interpreted, long ones compiled.
TEST_F(EvaluationTest, TheChoiceIsDeterministic) {
  ASSERT_TRUE(expr::compiler_available()) << "the build needs one, and so do its tests";
  for (int repeat = 0; repeat < 2; ++repeat) {
    prepared(models::kepler(), "gauss(3)", "auto", 100);
    EXPECT_FALSE(evaluation_.native);
    EXPECT_TRUE(evaluation_.note.empty());
    prepared(models::kepler(), "gauss(3)", "auto", 10000000);
    EXPECT_TRUE(evaluation_.native);
    expect_words(evaluation_.text, {"native code"});
    if (repeat == 1) expect_words(evaluation_.text, {"cache"});
  }
}

/// Kernels that only records need are not compiled by `auto`, and a run that continues another one
/// takes the kernels of that one.
TEST_F(EvaluationTest, CompilesWhatTheStepsCall) {
  ASSERT_TRUE(expr::compiler_available()) << "the build needs one, and so do its tests";
  Model model = models::model_of(models::kepler(), {"run.method=verlet", "run.every=1000000"});
  model.steps = 100000000;
  EXPECT_EQ(prepare_evaluation(model).compiled, (std::vector<std::string>{"potential_gradient"}));
  EXPECT_TRUE(model.system->potential_gradient.native());
  EXPECT_FALSE(model.system->value.native());
  EXPECT_NE(model.explicit_loop, nullptr);

  Model recorded = models::model_of(models::kepler(), {"run.method=verlet", "run.every=1"});
  recorded.steps = 100000000;
  EXPECT_GT(prepare_evaluation(recorded).compiled.size(), 1U);
  EXPECT_TRUE(recorded.system->value.native());

  Model continued = models::model_of(models::kepler(), {"run.evaluation=native"});
  EXPECT_EQ(prepare_evaluation(continued, {"lagrangian"}).compiled,
            (std::vector<std::string>{"lagrangian"}));
  EXPECT_TRUE(continued.system->value.native());
  EXPECT_FALSE(continued.system->gradient.native());
}

/// A restart compiles what the first part had compiled, neither more nor less.
TEST_F(EvaluationTest, RestartKeepsTheKernels) {
  ASSERT_TRUE(expr::compiler_available()) << "the build needs one, and so do its tests";
  const auto kernels_after = [&](long steps, const std::string& from, const std::string& to) {
    Model model = models::model_of(models::kepler(),
                                   {"run.method=verlet", "run.every=1000000", "output.formats=[]"});
    model.steps = steps;
    RunOptions options;
    options.directory = (root() / to).string();
    if (!from.empty()) options.restart = (root() / from / "checkpoint.h5").string();
    expect_words(run(model, options).evaluation, {"native code"});
    return read_checkpoint(options.directory + "/checkpoint.h5").text("compiled");
  };
  EXPECT_EQ(kernels_after(5000000, "", "first"), "potential_gradient");
  EXPECT_EQ(kernels_after(5000010, "first", "second"), "potential_gradient");
}

/// Counts the runs of the compiler.
class CompilationTest : public EvaluationTest {
 protected:
  CompilationTest() {
    set("VARIA_CC", script(root() / "counted", "echo \"$@\" >> " + log() + "\nexec cc \"$@\""));
  }
  long compilations() const {
    const std::string lines = read(log());
    return std::count(lines.begin(), lines.end(), '\n');
  }

 private:
  std::string log() const { return (root() / "log").string(); }
};

/// Explicit and implicit methods, baselines and shooting: one module for all of them and for the
/// reference. The model that is compared is not changed.
TEST_F(CompilationTest, CompareCompilesOnce) {
  ASSERT_TRUE(expr::compiler_available()) << "the build needs one, and so do its tests";
  const Model model = models::model_of(models::kepler(), {"run.evaluation=native"});
  const std::vector<std::string> methods{"verlet", "gauss(2)", "newmark(0.25)", "rk4", "taylor(3)"};
  std::vector<std::string> watched;
  const Comparison comparison =
      compare(model, methods, {0.05, 0.025}, [&watched](const std::string& run) {
        watched.push_back(run);
        return true;
      });
  EXPECT_EQ(compilations(), 1);
  EXPECT_EQ(watched.size(), 11U);
  EXPECT_EQ(comparison.rows.size(), 10U);
  for (const ComparisonRow& row : comparison.rows) EXPECT_LT(row.error, 0.5) << row.method;
  EXPECT_FALSE(model.system->hessian.native());
  EXPECT_EQ(model.method.name(), "gauss(2)");
}

TEST_F(CompilationTest, AFreeParameterIsNotCompiledAgain) {
  ASSERT_TRUE(expr::compiler_available()) << "the build needs one, and so do its tests";
  long before = 0;
  for (const char* method : {"verlet", "gauss(2)", "taylor(3)", "rk4"}) {
    const auto end = [&](const std::string& mu, const std::string& free) {
      Model model = models::model_of(
          models::kepler(), {"mu=" + mu, "system.free=" + free, std::string("run.method=") + method,
                             "run.evaluation=native"});
      prepare_evaluation(model);
      return end_of(model, 0.05, 20).q;
    };
    const auto first = end("1.0", "[\"mu\"]");
    EXPECT_EQ(compilations(), before + 1) << method;
    const auto second = end("1.1", "[\"mu\"]");
    EXPECT_EQ(compilations(), before + 1) << method;
    EXPECT_GT(difference(first, second), 1e-3) << method;
    EXPECT_LT(difference(second, end("1.1", "[]")), 1e-12) << method;
    EXPECT_EQ(compilations(), before + 2) << "a number is part of the code";
    before = compilations();
  }
}

TEST_F(EvaluationTest, SaysHowLongCompilingTook) {
  ASSERT_TRUE(expr::compiler_available()) << "the build needs one, and so do its tests";
  prepared(models::kepler(), "verlet", "native");
  expect_words(evaluation_.text, {"compiled in ", " s)"});
  prepared(models::kepler(), "verlet", "native");
  expect_words(evaluation_.text, {"from the cache"});
}

}  // namespace
}  // namespace varia::io::evaluation_test
