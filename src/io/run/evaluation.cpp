// SPDX-License-Identifier: BSD-3-Clause
// Which kernels become native code. The choice depends on the scenario alone, so that the same
// scenario computes the same bits every time: on estimates of what both ways cost, never on a clock.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "../../expr/compiler.hpp"
#include "evaluation_cost.hpp"
#include "flow_of_model.hpp"
#include "varia/expr/native_size.hpp"
#include "varia/flow/explicit_source.hpp"
#include "varia/io/asynchronous.hpp"
#include "varia/io/verdict.hpp"

namespace varia::io {

namespace {

/// A function of a model with its name in native code.
struct NamedPlace {
  std::string name;
  expr::Kernel* kernel;
};

template <class S> using KernelNames = std::vector<std::pair<const char*, expr::Kernel S::*>>;

const KernelNames<KernelSystem>& names_of(const KernelSystem*) {
  using S = KernelSystem;
  static const KernelNames<S> names{{"lagrangian", &S::value},
                                    {"lagrangian_gradient", &S::gradient},
                                    {"lagrangian_hessian", &S::hessian},
                                    {"potential_gradient", &S::potential_gradient},
                                    {"force", &S::force},
                                    {"force_derivative", &S::force_derivative},
                                    {"constraint", &S::constraint},
                                    {"constraint_curvature", &S::constraint_curvature},
                                    {"constraint_rate", &S::constraint_rate},
                                    {"mass_rate", &S::mass_rate}};
  return names;
}

const KernelNames<HamiltonianSystem>& names_of(const HamiltonianSystem*) {
  using S = HamiltonianSystem;
  static const KernelNames<S> names{{"hamiltonian", &S::value},
                                    {"hamiltonian_gradient", &S::gradient},
                                    {"hamiltonian_hessian", &S::hessian},
                                    {"velocity", &S::velocity},
                                    {"potential_slope", &S::potential_gradient}};
  return names;
}

const KernelNames<AccelerationSystem>& names_of(const AccelerationSystem*) {
  using S = AccelerationSystem;
  static const KernelNames<S> names{{"acceleration", &S::equation},
                                    {"acceleration_slope", &S::slope}};
  return names;
}

const KernelNames<DiscreteLagrangianSystem>& names_of(const DiscreteLagrangianSystem*) {
  using S = DiscreteLagrangianSystem;
  static const KernelNames<S> names{{"discrete_lagrangian_first", &S::first},
                                    {"discrete_lagrangian_second", &S::second}};
  return names;
}

/// Whatever a run of the model might call.
std::vector<NamedPlace> places_of(Model& model) {
  std::vector<NamedPlace> places;
  const auto add = [&](const std::string& name, expr::Kernel& kernel) {
    if (kernel) places.push_back({name, &kernel});
  };
  const auto add_system = [&](auto* system) {
    if (system == nullptr) return;
    for (const auto& [name, member] : names_of(system)) add(name, system->*member);
  };
  add_system(model.system.get());
  add_system(model.hamiltonian.get());
  add_system(model.acceleration.get());
  add_system(model.discrete.get());
  for (std::size_t K = 0; K < model.terms.size(); ++K)
    add("term_gradient_" + std::to_string(K + 1), model.terms[K].gradient);
  if (model.variable) add("pace", model.variable->pace);
  add("observe", model.observe);
  return places;
}

/// What a run of the model does call: the motion, and what is recorded of it.
KernelList calls_of(const Model& model) {
  KernelList list =
      model.method.asynchronous() ? asynchronous_kernels(model) : flow_of(model).kernels();
  const KernelSystem& f = *model.system;
  for (const expr::Kernel* recorded : {&model.observe, &f.constraint, &f.constraint_rate})
    if (*recorded) list.push_back({*recorded, 0.0, 1.0});
  return list;
}

/// A kernel that runs call.
struct CalledKernel {
  std::string name;
  const expr::Kernel* kernel;
  double calls = 0.0;    ///< in all runs, about
  double in_loop = 0.0;  ///< of them, in the loop of explicit steps
};

/// Whether there is code for it: loops that write through lists have none.
bool can_be_native(const expr::Kernel& kernel) {
  return kernel.has_tape() || (kernel.loops() != nullptr && kernel.loops()->affine());
}

/// The kernels that one run calls.
std::vector<CalledKernel> called_by(Model& model) {
  const auto steps = static_cast<double>(model.steps);
  const double records = 1.0 + steps / static_cast<double>(model.scenario.run.every);
  std::unordered_map<const void*, CalledKernel> by_formula;
  for (const KernelCalls& c : calls_of(model)) {
    if (!can_be_native(c.kernel)) continue;
    CalledKernel& sum = by_formula[c.kernel.formula()];
    sum.calls += steps * c.in_step + records * c.at_record;
    if (c.in_loop) sum.in_loop += steps * c.in_step;
  }
  std::vector<CalledKernel> called;
  for (const NamedPlace& place : places_of(model))
    if (const auto found = by_formula.find(place.kernel->formula()); found != by_formula.end())
      called.push_back({place.name, place.kernel, found->second.calls, found->second.in_loop});
  return called;
}

/// The kernels that some of the runs call.
std::vector<CalledKernel> called_by(std::span<Model> runs) {
  std::vector<CalledKernel> all;
  std::unordered_map<std::string, std::size_t> place;
  for (Model& run : runs)
    for (const CalledKernel& k : called_by(run)) {
      const auto [at, is_new] = place.emplace(k.name, all.size());
      if (is_new) {
        all.push_back(k);
      } else {
        all[at->second].calls += k.calls;
        all[at->second].in_loop += k.in_loop;
      }
    }
  return all;
}

Work work_of(const KernelSystem& system, const CalledKernel& k) {
  const Work work = kernel_work(*k.kernel, k.calls);
  if (k.in_loop == 0.0) return work;
  const Work loop = loop_work(system.n, k.in_loop);
  return {work.interpreter + loop.interpreter, work.native + loop.native, work.code + loop.code};
}

/// The kernels that `auto` compiles.
std::vector<CalledKernel> worthwhile(const KernelSystem& system,
                                     const std::vector<CalledKernel>& kernels) {
  std::vector<Work> parts;
  parts.reserve(kernels.size());
  for (const CalledKernel& k : kernels) parts.push_back(work_of(system, k));
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

/// One module for all runs; each takes from it what it calls.
void compile(std::span<Model> runs, const std::vector<CalledKernel>& kernels) {
  std::vector<expr::NativeFunction> functions;
  std::unordered_set<std::string> names;
  std::string loop;
  for (const CalledKernel& k : kernels) {
    names.insert(k.name);
    functions.push_back(k.kernel->named(k.name));
    if (k.in_loop > 0.0) loop = explicit_source(*runs.front().system, k.name);
  }
  const auto native = expr::NativeModule::compile(functions, loop);
  for (Model& model : runs) {
    model.native = native;
    for (const NamedPlace& place : places_of(model))
      if (names.count(place.name) > 0) place.kernel->attach(native, place.name);
    if (!loop.empty())
      model.explicit_loop = reinterpret_cast<ExplicitLoop>(native->symbol(explicit_loop_name));
  }
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

bool native_pays(Model& model, double runs) {
  std::vector<CalledKernel> kernels = called_by(model);
  for (CalledKernel& k : kernels) {
    k.calls *= runs;
    k.in_loop *= runs;
  }
  return !worthwhile(*model.system, kernels).empty();
}

Evaluation prepare_evaluation(Model& model, const std::vector<std::string>& as_before) {
  return prepare_evaluation(std::span<Model>(&model, 1), as_before);
}

Evaluation prepare_evaluation(std::span<Model> runs, const std::vector<std::string>& as_before) {
  const Model& model = runs.front();
  const std::string& asked = model.scenario.run.evaluation;
  if (asked == "interpreter") return {false, "interpreter (requested)", "", {}};
  std::vector<CalledKernel> kernels = called_by(runs);
  if (!as_before.empty()) kernels = listed_ones(kernels, as_before);
  if (asked == "auto") kernels = worthwhile(*model.system, kernels);
  if (kernels.empty()) return {false, "interpreter (a short run)", "", {}};
  try {
    compile(runs, kernels);
  } catch (const expr::NativeError& error) {
    if (asked == "native")
      throw ScenarioError(model.scenario.run.place, "run.evaluation",
                          std::string("native code was requested: ") + error.what() +
                              " Allowed without it: auto, interpreter");
    return {false, "interpreter (no native code)", error.what(), {}};
  }
  return native_evaluation(model, kernels);
}

namespace {

// Measured on an x86-64 server with gcc 12, on chains, n bodies, Lennard-Jones atoms and pendulums of
// 1 to 4096 coordinates (bench/README.md). In seconds.

constexpr double call = 1.3e-8;          ///< of the interpreter
constexpr double interpreted = 4.5e-10;  ///< one operation, input or constant
constexpr double output = 5e-10;         ///< copied to its place
constexpr double function = 6e-9;        ///< sin, exp, pow: the same either way

constexpr double in_loop = 2.8e-10;  ///< one operation or result of a turn of a loop program
constexpr double native_in_loop = 8e-11;

constexpr double native_call = 2e-9;
constexpr double native_operation = 1.6e-10;
constexpr double far_operation = 1.6e-10;  ///< more, in code beyond the first cache
constexpr double near_code = 2000;         ///< operations that it holds

constexpr double compiler_start = 0.025;
constexpr double optimized_operation = 6.8e-5;  ///< of short code
constexpr double compiled_operation = 5e-5;     ///< of long code
constexpr double loop_statement = 4.0;          ///< in operations of long code: it is optimised
/// Likewise, of a loop program: a turn becomes arithmetic on vectors, an addition a loop.
constexpr double turn_statement = 22.0;

constexpr double loop_leg = 8e-9;  ///< of explicit steps in C++
constexpr double loop_coordinate = 3e-9;
constexpr double native_coordinate = 1.5e-9;
constexpr double loop_code = 50;  ///< operations that take the compiler as long as a coordinate

bool is_function(expr::Op op) {
  using expr::Op;
  return (op >= Op::exp && op <= Op::tanh) || (op >= Op::pow && op <= Op::hypot) || op == Op::table;
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

namespace {

double native_seconds(const expr::Tape& tape, bool loops) {
  const auto size = static_cast<double>(tape.operations() + tape.outputs());
  const double far = loops ? 0.0 : std::max(0.0, size - near_code);
  return native_call + native_operation * size + far_operation * far + function * functions(tape);
}

}  // namespace

double native_seconds(const expr::Tape& tape) {
  return native_seconds(tape, expr::native_size(tape).loops);
}

namespace {

/// Calls of sin, exp, pow in all turns.
double functions(const expr::LoopProgram& program) {
  double sum = 0.0;
  for (const expr::ProgramLoop& loop : program.loops())
    sum += functions(*loop.body) * static_cast<double>(loop.set.turns());
  return sum;
}

double interpreter_seconds(const expr::LoopProgram& program) {
  return call + in_loop * program.operations() + function * functions(program);
}

Work loop_program_work(const expr::LoopProgram& program, double calls) {
  const double native =
      native_call + native_in_loop * program.operations() + function * functions(program);
  return {calls * interpreter_seconds(program), calls * native,
          turn_statement * static_cast<double>(program.statements())};
}

}  // namespace

double interpreter_seconds(const expr::Kernel& kernel) {
  return kernel.loops() != nullptr ? interpreter_seconds(*kernel.loops())
                                   : interpreter_seconds(kernel.tape());
}

Work kernel_work(const expr::Kernel& kernel, double calls) {
  return kernel.loops() != nullptr ? loop_program_work(*kernel.loops(), calls)
                                   : kernel_work(kernel.tape(), calls);
}

double compile_seconds(double code) {
  const bool optimized = code <= static_cast<double>(expr::largest_optimized);
  return compiler_start + code * (optimized ? optimized_operation : compiled_operation);
}

Work loop_work(int n, double legs) {
  return {legs * (loop_leg + loop_coordinate * n), legs * native_coordinate * n, loop_code * n};
}

Work kernel_work(const expr::Tape& tape, double calls) {
  const double interpreter = calls * interpreter_seconds(tape);
  // what is done sooner than the compiler has started need not be looked through for loops
  if (interpreter < compiler_start)
    return {interpreter, calls * native_seconds(tape, false),
            static_cast<double>(tape.operations())};
  const expr::NativeSize size = expr::native_size(tape);
  return {interpreter, calls * native_seconds(tape, size.loops),
          static_cast<double>(size.statements) * (size.loops ? loop_statement : 1.0)};
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
