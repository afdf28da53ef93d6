// SPDX-License-Identifier: BSD-3-Clause
// Kepler, e = 0.9: what constant steps in τ cost against constant steps in t, for the same method
// and the same energy error. Both in native code where there is a compiler, as in scenarios; g is the
// default, local_period.
//
//   steps per period, evaluations of the force (of ∂²L for implicit methods: Newton iterations times
//   stages) and time per period, and the energy error over 10,000 periods against that over ten.
#include "varia/flow/time_transformed.hpp"

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "timing.hpp"
#include "varia/expr/native.hpp"
#include "varia/mechanics/symbolic.hpp"
#include "varia/mechanics/time_transform.hpp"
#include "varia/methods/methods.hpp"

using namespace varia;

namespace {

const double period = 2.0 * std::acos(-1.0);

/// E + 1/2 for the orbit of half axis 1, and p_x, p_y = v_x, v_y.
double energy_error(const VectorState& s) {
  return std::abs(0.5 * s.p.squaredNorm() - 1.0 / s.q.norm() + 0.5);
}

VectorState pericentre() {
  const Eigen::VectorXd q = Eigen::Vector2d(0.1, 0.0);
  const Eigen::VectorXd p = Eigen::Vector2d(0.0, std::sqrt(19.0));
  return detail::make_state<Eigen::VectorXd, Dynamic>(0.0, q, p, 0);
}

struct Run {
  double error = 0.0;  ///< largest over the run
  double steps = 0.0;  ///< per period
  double iterations = 0.0;
};

/// Steps until the given number of periods is over; every `stride`-th state is looked at.
template <class F> Run run(const F& flow, double h, double periods, long stride = 1) {
  VectorState s = pericentre();
  auto memory = flow.memory(s);
  Run result;
  while (s.t < periods * period) {
    s = flow.steps(s, h, stride, memory);
    result.error = std::max(result.error, energy_error(s));
  }
  result.steps = static_cast<double>(memory.statistics.steps) / periods;
  result.iterations = static_cast<double>(memory.statistics.iterations) / periods;
  return result;
}

/// A trajectory that goes on from call to call, so that only steps are timed.
template <class F> class Going {
 public:
  Going(const F& flow, double h, double steps)
      : flow_(flow), h_(h), steps_(std::lround(steps)), memory_(flow.memory(s_)) {}
  void operator()() const { bench::keep(s_ = flow_.steps(s_, h_, steps_, memory_)); }

 private:
  const F& flow_;
  double h_;
  long steps_;
  mutable VectorState s_ = pericentre();
  mutable typename F::Memory memory_;
};

/// The largest fixed step, by bisection, whose energy error over ten periods is the given one.
double fixed_step(const StageFlow& flow, double error) {
  double fine = 1e-5;
  double coarse = 0.05;
  while (coarse / fine > 1.01) {
    const double h = std::sqrt(fine * coarse);
    double found = 1.0;
    try {
      found = run(flow, h, 10).error;
    } catch (const NoConvergence&) {
    }
    (found <= error ? fine : coarse) = h;
  }
  return fine;
}

/// Machine code for the kernels; interpreted ones remain where there is no compiler.
void compile(const std::vector<expr::Kernel*>& kernels) {
  std::vector<expr::NativeFunction> functions;
  for (const expr::Kernel* k : kernels)
    functions.push_back({"f" + std::to_string(functions.size()), &k->tape()});
  try {
    const auto code = expr::NativeModule::compile(functions);
    for (std::size_t i = 0; i < kernels.size(); ++i) kernels[i]->attach(code, functions[i].name);
  } catch (const expr::NativeError& error) {
    std::printf("interpreted: %s\n", error.what());
  }
}

bool compare(const Method& method, double h) {
  const auto system = symbolic_system({"x", "y"}, "(x_dot^2 + y_dot^2)/2 + 1/sqrt(x^2 + y^2)");
  expr::Kernel g = local_period(*system);
  compile({&system->value, &system->gradient, &system->hessian, &system->potential_gradient, &g});
  const TimeTransformedFlow ours(method, system, g, {}, [](KernelSystem& f) {
    compile({&f.value, &f.gradient, &f.hessian});
  });
  const StageFlow fixed(method, system);
  const Run a = run(ours, h, 10);
  const double step = fixed_step(fixed, a.error);
  const Run b = run(fixed, step, 10);
  const double periods = 40;
  const bench::Pair time =
      bench::fastest(Going(ours, h, a.steps * periods), Going(fixed, step, b.steps * periods), 7);
  const auto work = [&](const Run& r) { return ours.is_explicit() ? r.steps : r.iterations; };
  const double by_work = work(b) / work(a);
  const double by_time = time.reference / time.ours;
  const Run late = run(ours, h, 1e4, ours.is_explicit() ? 7 : 3);
  const bool bounded = late.error <= 1.5 * a.error;
  const bool good = by_work >= 5.0 && by_time >= 5.0 && bounded;
  std::printf("%-10s %8.1e %9.1f %9.1f %8.1f %10.1f %10.1f %8.1f %10.2f %s\n",
              method.name().c_str(), a.error, a.steps, b.steps, by_work, time.ours / periods * 1e6,
              time.reference / periods * 1e6, by_time, late.error / a.error,
              good ? "ok" : "MISSED");
  return good;
}

}  // namespace

int main() {
  std::printf(
      "Kepler e = 0.9, constant steps in tau against constant steps in t, per period\n"
      "%-10s %8s %9s %9s %8s %10s %10s %8s %10s\n",
      "", "error", "steps", "fixed", "ratio", "time [us]", "fixed", "ratio", "1e4 per.");
  bool good = true;
  for (const double h : {0.1, 0.03, 0.01}) good = compare(verlet(), h) && good;
  for (const double h : {0.3, 0.1}) good = compare(gauss(2), h) && good;
  for (const double h : {0.6, 0.3}) good = compare(gauss(4), h) && good;
  std::printf(
      "bar: both ratios at least 5, the error over 10,000 periods at most 1.5 times that "
      "over ten\n");
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
