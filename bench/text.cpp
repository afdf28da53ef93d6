// SPDX-License-Identifier: BSD-3-Clause
// The same systems as text and as C++ lambdas: Kepler, double pendulum, six bodies, with Verlet and
// gauss(3), heavy top with gauss(1); native code and interpreter against the lambda. And a chain of
// springs, whose step must cost O(n).
#include <cmath>
#include <string>

#include "timing.hpp"
#include "varia/io/stepper.hpp"
#include "varia/varia.hpp"

using varia::Flow, varia::Separable, varia::System, varia::Vector;

namespace {

/// A model from the text of a scenario, native or interpreted.
varia::io::Model model_of(const std::string& text, const std::string& method,
                          const std::string& evaluation) {
  auto model = varia::io::build_model(varia::io::parse_scenario(
      text, "bench", {"run.method=" + method, "run.evaluation=" + evaluation}));
  varia::io::prepare_evaluation(model);
  return model;
}

double run_text(const varia::io::Model& model, double h, long steps) {
  const auto stepper = varia::io::make_stepper(model);
  stepper->advance(h, steps);
  varia::io::Snapshot s;
  stepper->snapshot(s);
  bench::keep(s);
  return s.q[0];
}

template <class F, class S>
void rows(bench::Table& table, const std::string& name, const std::string& method, const F& flow,
          const S& start, const std::string& text, double h, long steps, double native_bar = 1.5) {
  const auto lambda = [&] { bench::keep(varia::advance(flow, start, h, steps)); };
  for (const auto& [evaluation, bar] :
       {std::pair{"native", native_bar}, std::pair{"interpreter", 12.0}}) {
    const auto model = model_of(text, method, evaluation);
    const double ours = run_text(model, h, steps);
    const double theirs = varia::advance(flow, start, h, steps).q(0, 0);
    if (std::abs(ours - theirs) > 1e-6 * (1.0 + std::abs(theirs)))
      std::printf("DIFFERENT RESULTS: %.17g %.17g\n", ours, theirs);
    const auto time = bench::fastest([&] { run_text(model, h, steps); }, lambda, 15);
    table.row((name + ", " + method + ", " + evaluation).c_str(), time, steps, bar);
  }
}

const std::string kepler_text = R"toml(
[system]
coordinates = ["x", "y"]
lagrangian = "(x_dot^2 + y_dot^2)/2 + 1/sqrt(x^2 + y^2)"
[start]
x = 0.4
y = 0
x_dot = 0
y_dot = 2
[run]
method = "verlet"
step = 0.01
steps = 1
)toml";

void kepler(bench::Table& table) {
  const System separable{Separable{1.0, [](const auto& q) { return -1.0 / q.norm(); }}};
  const System plain{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) + 1.0 / q.norm(); }};
  const Vector<double, 2> q(0.4, 0.0);
  const Vector<double, 2> v(0.0, 2.0);
  rows(table, "Kepler", "verlet", Flow(varia::verlet(), separable), initial(separable, q, v),
       kepler_text, 0.01, 200'000);
  rows(table, "Kepler", "gauss(3)", Flow(varia::gauss(3), plain), initial(plain, q, v), kepler_text,
       0.01, 20'000, 1.1);
}

const std::string pendulum_text = R"toml(
[system]
coordinates = ["a", "b"]
lagrangian = "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b) + 2*9.81*cos(a) + 9.81*cos(b)"
[start]
a = 1.6
b = 2.2
a_dot = 0
b_dot = 0
[run]
method = "verlet"
step = 0.001
steps = 1
)toml";

void double_pendulum(bench::Table& table) {
  const System plain{[](const auto& q, const auto& v) {
    using std::cos;
    return v[0] * v[0] + 0.5 * v[1] * v[1] + v[0] * v[1] * cos(q[0] - q[1]) +
           2.0 * 9.81 * cos(q[0]) + 9.81 * cos(q[1]);
  }};
  const Vector<double, 2> q(1.6, 2.2);
  const auto start = initial(plain, q, Vector<double, 2>(0.0, 0.0));
  rows(table, "double pendulum", "verlet", Flow(varia::verlet(), plain), start, pendulum_text,
       0.001, 1000);
  rows(table, "double pendulum", "gauss(3)", Flow(varia::gauss(3), plain), start, pendulum_text,
       0.001, 1000);
}

const std::string top_text = R"toml(
[system]
coordinates = [{ name = "R", space = "SO3" }]
lagrangian = "(R_w1^2 + 1.2*R_w2^2 + 0.6*R_w3^2)/2 - 1.3*R33"
[start]
R = { angle_axis = [0.3, 0.2, -0.1] }
R_w1 = 0.4
R_w2 = 0.2
R_w3 = 3
[run]
method = "gauss(1)"
step = 0.01
steps = 1
)toml";

void heavy_top(bench::Table& table) {
  const varia::SO3<double> attitude(
      varia::rotation(Vector<double, 3>(0.3, 0.2, -0.1), varia::Retraction::exponential));
  const System plain{[](const auto& R, const auto& w) {
    return 0.5 * (w[0] * w[0] + 1.2 * w[1] * w[1] + 0.6 * w[2] * w[2]) - 1.3 * R(2, 2);
  }};
  const auto start = initial(plain, attitude, Vector<double, 3>(0.4, 0.2, 3.0));
  rows(table, "heavy top", "gauss(1)", Flow(varia::gauss(1), plain), start, top_text, 0.01, 10'000,
       1.3);
}

const std::string bodies_text = R"toml(
[system]
coordinates = ["x[1..6]", "y[1..6]", "z[1..6]"]
parameters = { m = [1.0, 0.3, 0.2, 0.15, 0.1, 0.05] }
lagrangian = """sum(i, 1, 6, m[i]*(x_dot[i]^2 + y_dot[i]^2 + z_dot[i]^2))/2
  + sum(i, 1, 5, sum(j, i + 1, 6, m[i]*m[j]/sqrt((x[i] - x[j])^2 + (y[i] - y[j])^2 + (z[i] - z[j])^2)))"""
[start]
x = "3*i*cos(2.4*i)"
y = "3*i*sin(2.4*i)"
z = "0.1*i"
x_dot = "-0.3*sin(2.4*i)"
y_dot = "0.3*cos(2.4*i)"
z_dot = "0.01*i"
[run]
method = "verlet"
step = 0.01
steps = 1
)toml";

constexpr int bodies = 6;

void six_bodies(bench::Table& table) {
  using Point = Vector<double, 3 * bodies>;
  constexpr double masses[bodies] = {1.0, 0.3, 0.2, 0.15, 0.1, 0.05};
  Point q;
  Point v;
  Point m;
  for (int i = 0; i < bodies; ++i) {  // x, then y, then z, as in the text
    const double a = 2.4 * (i + 1);
    q[i] = 3.0 * (i + 1) * std::cos(a);
    q[bodies + i] = 3.0 * (i + 1) * std::sin(a);
    q[2 * bodies + i] = 0.1 * (i + 1);
    v[i] = -0.3 * std::sin(a);
    v[bodies + i] = 0.3 * std::cos(a);
    v[2 * bodies + i] = 0.01 * (i + 1);
    m[i] = m[bodies + i] = m[2 * bodies + i] = masses[i];
  }
  const System system{Separable{m, [=](const auto& x) {
                                  using std::sqrt;
                                  using S = typename std::decay_t<decltype(x)>::Scalar;
                                  S sum(0.0);
                                  for (int i = 0; i < bodies; ++i)
                                    for (int j = i + 1; j < bodies; ++j) {
                                      S r2(0.0);
                                      for (int k = 0; k < 3; ++k) {
                                        const S d = x[k * bodies + i] - x[k * bodies + j];
                                        r2 += d * d;
                                      }
                                      sum -= masses[i] * masses[j] / sqrt(r2);
                                    }
                                  return sum;
                                }}};
  const auto start = initial(system, q, v);
  rows(table, "six bodies", "verlet", Flow(varia::verlet(), system), start, bodies_text, 0.01,
       2000);
  rows(table, "six bodies", "gauss(3)", Flow(varia::gauss(3), system), start, bodies_text, 0.01,
       20);
}

std::string chain_text(int n) {
  const std::string last = std::to_string(n);
  return "[system]\ncoordinates = [\"q[1.." + last + "]\"]\nlagrangian = \"\"\"sum(i, 1, " + last +
         ", q_dot[i]^2)/2 - sum(i, 1, " + std::to_string(n - 1) +
         ", (q[i+1] - q[i])^2/2 + (q[i+1] - q[i])^4/4)\"\"\"\n[start]\nq = \"sin(i)\"\nq_dot = 0\n"
         "[run]\nmethod = \"gauss(2)\"\nstep = 0.05\nsteps = 1\n";
}

void chain(bench::Table& table) {
  const auto small = model_of(chain_text(64), "gauss(2)", "native");
  const auto large = model_of(chain_text(512), "gauss(2)", "native");
  const auto time =
      bench::fastest([&] { run_text(large, 0.05, 20); }, [&] { run_text(small, 0.05, 20); }, 9);
  table.row("chain, gauss(2): n = 512 against n = 64", time, 20, 10.0);
}

}  // namespace

int main() {
  bench::Table table("Text against C++ lambda");
  kepler(table);
  double_pendulum(table);
  heavy_top(table);
  six_bodies(table);
  chain(table);
  return table.missed();
}
