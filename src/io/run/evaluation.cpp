// SPDX-License-Identifier: BSD-3-Clause
// Which kernels become native code. The choice depends on the scenario alone, so that the same
// scenario computes the same bits every time: on estimates of what both ways cost, never on a clock.
#include <algorithm>

#include "../../expr/compiler.hpp"
#include "evaluation_cost.hpp"
#include "varia/flow/explicit_source.hpp"
#include "varia/io/stepper.hpp"
#include "varia/io/verdict.hpp"
#include "varia/methods/legs.hpp"

namespace varia::io {

namespace {

/// A kernel that a run calls.
struct CalledKernel {
  std::string name;
  expr::Kernel* kernel;
  double calls;  ///< in the whole run, about
};

bool explicit_method(const Model& model, const Method& method) {
  if (!model.system->separable || model.system->forced || model.system->d > 0) return false;
  return explicit_legs(method).has_value();
}

/// Points of a step at which its functions are evaluated.
double points(const Method& method) {
  if (const Baseline* baseline = method.baseline()) {
    constexpr double inner_steps = 2.0;  // of an adaptive one
    if (baseline->kind == Baseline::Kind::dopri5) return 7.0 * inner_steps;
    return baseline->kind == Baseline::Kind::rk4 ? 4.0 : 1.0;
  }
  if (const ShootingScheme* shooting = method.shooting())
    return static_cast<double>(shooting->step_order) * shooting->rule.size();
  if (const StageCoefficients* stages = method.stages()) return stages->points;
  double sum = 0.0;
  for (const auto& part : method.substeps()) sum += points(part.first);
  return std::max(1.0, sum);
}

/// How often a run evaluates what. Newton's method takes one or two matrices for a step and keeps the
/// last one for the remaining iterations.
struct Calls {
  double records, values, slopes;

  explicit Calls(const Model& model) {
    constexpr double matrices = 1.2;
    constexpr double iterations = 2.5;
    const auto steps = static_cast<double>(model.steps);
    records = 1.0 + steps / static_cast<double>(model.scenario.run.every);
    const bool solved = !model.method.baseline();
    slopes = steps * points(model.method) * (solved ? matrices : 1.0);
    values = solved ? slopes * (iterations / matrices - 1.0) : slopes;
  }
  double all() const { return values + slopes; }
};

std::vector<CalledKernel> of_hamiltonian(Model& model) {
  HamiltonianSystem& h = *model.hamiltonian;
  const Calls calls(model);
  const auto legs = h.separable ? explicit_legs(model.method) : std::nullopt;
  const double kicks =
      legs ? static_cast<double>(model.steps) * static_cast<double>(legs->count()) : 0.0;
  std::vector<CalledKernel> result{
      {"hamiltonian", &h.value, calls.records},
      {"hamiltonian_gradient", &h.gradient, calls.records + (legs ? 0.0 : calls.values)},
      {"hamiltonian_hessian", &h.hessian, legs ? 0.0 : calls.slopes}};
  if (h.separable) {
    result.push_back({"velocity", &h.velocity, kicks});
    result.push_back({"potential_slope", &h.potential_gradient, kicks});
  }
  if (model.observe) result.push_back({"observe", &model.observe, calls.records});
  return result;
}

/// Of implicit methods of stages, Newmark's and baselines.
void add_implicit(Model& model, const Calls& calls, std::vector<CalledKernel>& result) {
  FlatSystem& f = *model.system;
  if (model.method.newmark() && f.separable)
    result.push_back({"potential_gradient", &f.potential_gradient, calls.all()});
  result.push_back({"lagrangian_hessian", &f.hessian, calls.slopes});
  if (f.forced) {
    result.push_back({"force", &f.force, calls.values});
    result.push_back(
        {"force_derivative", &f.force_derivative, model.method.baseline() ? 0.0 : calls.slopes});
  }
  if (f.d > 0) {
    result.push_back({"constraint", &f.constraint, calls.records + calls.all()});
    result.push_back({"constraint_curvature", &f.constraint_curvature, calls.all()});
  }
  if (f.rheonomic())
    result.push_back({"constraint_rate", &f.constraint_rate, calls.records + calls.all()});
  if (f.mass_rate)
    result.push_back({"mass_rate", &f.mass_rate, model.method.baseline() ? calls.slopes : 0.0});
}

void add_terms(Model& model, std::vector<CalledKernel>& result) {
  for (std::size_t K = 0; K < model.terms.size(); ++K) {
    Term& term = model.terms[K];
    result.push_back({"term_gradient_" + std::to_string(K + 1), &term.gradient,
                      static_cast<double>(model.steps) * std::max(1.0, model.step / term.step)});
  }
}

std::vector<CalledKernel> needed(Model& model) {
  FlatSystem& f = *model.system;
  if (model.hamiltonian) return of_hamiltonian(model);
  const Calls calls(model);
  const bool by_legs = explicit_method(model, model.method) && !model.variable;
  const bool stages = !by_legs && !model.method.asynchronous() && !model.method.has_own_flow();
  const bool energy_kept = model.variable && model.variable->keep_energy;
  std::vector<CalledKernel> result{
      {"lagrangian", &f.value, calls.records + (energy_kept ? calls.all() : 0.0)},
      {"lagrangian_gradient", &f.gradient,
       (stages && !model.method.baseline()) || energy_kept ? calls.values : 0.0}};
  if (model.method.asynchronous()) {
    add_terms(model, result);
  } else if (model.method.shooting() && f.flat()) {
    AccelerationSystem& a = *accelerations(model);
    result.push_back({"acceleration", &a.equation, calls.values});
    result.push_back({"acceleration_slope", &a.slope, calls.slopes});
  } else if (model.method.own_lagrangian() && model.discrete) {
    result.push_back({"discrete_lagrangian_first", &model.discrete->first, calls.values});
    result.push_back({"discrete_lagrangian_second", &model.discrete->second, calls.slopes});
  } else if (by_legs) {
    const auto legs = static_cast<double>(explicit_legs(model.method)->count());
    result.push_back(
        {"potential_gradient", &f.potential_gradient, static_cast<double>(model.steps) * legs});
  } else {
    add_implicit(model, calls, result);
  }
  if (model.variable && model.variable->pace)
    result.push_back({"pace", &model.variable->pace, calls.all()});
  if (model.observe) result.push_back({"observe", &model.observe, calls.records});
  return result;
}

/// Whether the explicit loop is made with the kernel.
bool has_loop(const Model& model, const CalledKernel& k) {
  return k.kernel == &model.system->potential_gradient && !model.variable &&
         explicit_method(model, model.method) && has_explicit_source(*model.system);
}

Work work_of(const Model& model, const CalledKernel& k) {
  const Work work = kernel_work(k.kernel->tape(), k.calls);
  if (!has_loop(model, k)) return work;
  const Work loop = loop_work(model.system->n, k.calls);
  return {work.interpreter + loop.interpreter, work.native + loop.native, work.code + loop.code};
}

/// The kernels that `auto` compiles.
std::vector<CalledKernel> worthwhile(const Model& model, const std::vector<CalledKernel>& kernels) {
  std::vector<Work> parts;
  parts.reserve(kernels.size());
  for (const CalledKernel& k : kernels) parts.push_back(work_of(model, k));
  const std::vector<bool> chosen = worth_compiling(parts);
  std::vector<CalledKernel> result;
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (chosen[i]) result.push_back(kernels[i]);
  return result;
}

/// Those whose names are in the list.
std::vector<CalledKernel> listed_ones(const std::vector<CalledKernel>& kernels,
                                      const std::vector<std::string>& names) {
  std::vector<CalledKernel> result;
  for (const CalledKernel& k : kernels)
    if (std::find(names.begin(), names.end(), k.name) != names.end()) result.push_back(k);
  return result;
}

void compile(Model& model, const std::vector<CalledKernel>& kernels) {
  std::vector<expr::NativeFunction> functions;
  std::string loop;
  for (const CalledKernel& k : kernels) {
    functions.push_back({k.name, &k.kernel->tape()});
    if (has_loop(model, k)) loop = explicit_source(*model.system, k.name);
  }
  model.native = expr::NativeModule::compile(functions, loop);
  for (const CalledKernel& k : kernels) k.kernel->attach(model.native, k.name);
  if (!loop.empty())
    model.explicit_loop = reinterpret_cast<ExplicitLoop>(model.native->symbol(explicit_loop_name));
}

Evaluation native_evaluation(const Model& model, const std::vector<CalledKernel>& kernels) {
  const expr::NativeModule& native = *model.native;
  const std::string made = native.from_cache()
                               ? "from the cache"
                               : "compiled in " + short_number(native.seconds()) + " s";
  Evaluation result{
      true, "native code (" + native.compiler() + ", " + made + ")", native.note(), {}};
  for (const CalledKernel& k : kernels) result.compiled.push_back(k.name);
  return result;
}

}  // namespace

Evaluation prepare_evaluation(Model& model, const std::vector<std::string>& as_before) {
  const std::string& asked = model.scenario.run.evaluation;
  if (asked == "interpreter") return {false, "interpreter (asked for)", "", {}};
  std::vector<CalledKernel> kernels = needed(model);
  if (!as_before.empty()) kernels = listed_ones(kernels, as_before);
  if (asked == "auto") kernels = worthwhile(model, kernels);
  if (kernels.empty()) return {false, "interpreter (a short run)", "", {}};
  try {
    compile(model, kernels);
  } catch (const expr::NativeError& error) {
    if (asked == "native")
      throw ScenarioError(model.scenario.run.place, "run.evaluation",
                          std::string("native code was asked for: ") + error.what() +
                              " Allowed without it: auto, interpreter");
    return {false, "interpreter (no native code)", error.what(), {}};
  }
  return native_evaluation(model, kernels);
}

namespace {

// Measured on an x86-64 server with gcc 12, on chains, n bodies, Lennard-Jones atoms and pendulums of
// 1 to 4096 coordinates (bench/evaluation.cpp). In seconds.

constexpr double call = 2e-8;          ///< of the interpreter
constexpr double interpreted = 6e-10;  ///< one operation, input or constant
constexpr double output = 8e-10;       ///< copied to its place
constexpr double function = 8e-9;      ///< sin, exp, pow: the same either way

constexpr double native_call = 2e-9;
constexpr double native_operation = 2e-10;
constexpr double far_operation = 2e-10;  ///< more, in code beyond the first cache
constexpr double near_code = 2000;       ///< operations that it holds

constexpr double compiler_start = 0.04;
constexpr double optimized_operation = 2.5e-4;  ///< of short code
constexpr double compiled_operation = 8e-5;     ///< of long code

constexpr double flat_leg = 8e-9;  ///< of explicit steps in C++
constexpr double flat_coordinate = 3e-9;
constexpr double native_coordinate = 1.5e-9;
constexpr double loop_code = 50;  ///< operations that take the compiler as long as a coordinate

bool is_function(expr::Op op) {
  using expr::Op;
  return (op >= Op::exp && op <= Op::tanh) || (op >= Op::pow && op <= Op::hypot);
}

double functions(const expr::Tape& tape) {
  return static_cast<double>(std::count_if(
      tape.instructions().begin(), tape.instructions().end(),
      [](const expr::Instruction& instruction) { return is_function(instruction.op); }));
}

bool pays(const Work& work) {
  return work.interpreter - work.native > compiled_operation * work.code;
}

}  // namespace

double interpreter_seconds(const expr::Tape& tape) {
  return call + interpreted * static_cast<double>(tape.instructions().size()) +
         output * tape.outputs() + function * functions(tape);
}

double native_seconds(const expr::Tape& tape) {
  const auto size = static_cast<double>(tape.operations() + tape.outputs());
  return native_call + native_operation * size + far_operation * std::max(0.0, size - near_code) +
         function * functions(tape);
}

double compile_seconds(double code) {
  const bool optimized = code <= static_cast<double>(expr::largest_optimized);
  return compiler_start + code * (optimized ? optimized_operation : compiled_operation);
}

Work loop_work(int n, double legs) {
  return {legs * (flat_leg + flat_coordinate * n), legs * native_coordinate * n, loop_code * n};
}

Work kernel_work(const expr::Tape& tape, double calls) {
  return {calls * interpreter_seconds(tape), calls * native_seconds(tape),
          static_cast<double>(tape.operations())};
}

std::vector<bool> worth_compiling(const std::vector<Work>& parts) {
  std::vector<bool> chosen;
  double gain = 0.0;
  double code = 0.0;
  for (const Work& part : parts) {
    chosen.push_back(pays(part));
    if (!chosen.back()) continue;
    gain += part.interpreter - part.native;
    code += part.code;
  }
  if (gain <= compile_seconds(code)) chosen.assign(parts.size(), false);
  return chosen;
}

}  // namespace varia::io
