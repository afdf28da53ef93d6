// SPDX-License-Identifier: BSD-3-Clause
// Systems whose sums over an index stay loops: explicit systems of many coordinates, or of many terms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "../scenario/expressions.hpp"
#include "builder.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/loop_program.hpp"

namespace varia::io {

namespace {

using detail::sz;

/// Fewer terms are one formula, whose derivatives share what they have in common.
constexpr double fewest_turns = 1000;
/// More terms take seconds an evaluation.
constexpr double most_turns = 1e8;
/// So many terms of two indices are one formula where the addition theorem makes n² sines n.
constexpr double most_shared_sines = 100'000;
/// A mistake is told with the number of its term where there are not too many of them.
constexpr int most_to_repeat = 20'000;

bool has_sines(const expr::Graph& graph, const LoopedBody& body) {
  const expr::Tape tape(graph, {body.family.body}, std::numeric_limits<int>::max());
  return std::any_of(
      tape.instructions().begin(), tape.instructions().end(),
      [](const expr::Instruction& i) { return i.op == expr::Op::sin || i.op == expr::Op::cos; });
}

/// A text without the word has no sum that could stay a loop, unless a definition has one.
bool may_have_sums(const System& s) {
  return !s.definitions.empty() || s.lagrangian->value.find("sum") != std::string::npos;
}

/// Whether sums over pairs have sines of differences that can be shared.
bool shares_sines(const expr::Graph& graph, const LoopedSystem& looped) {
  return std::any_of(looped.bodies.begin(), looped.bodies.end(), [&](const LoopedBody& body) {
    return body.family.set.inner &&
           static_cast<double>(body.family.set.turns()) <= most_shared_sines &&
           has_sines(graph, body);
  });
}

/// A function of inputs and of sums over them.
struct FunctionOfSums {
  expr::LoopProgram sums;
  expr::Tape function;  ///< of the inputs and, behind them, the sums

  static void call(const void* self, const double* x, double* out) {
    const auto& f = *static_cast<const FunctionOfSums*>(self);
    const auto inputs = static_cast<std::size_t>(f.sums.inputs());
    thread_local std::vector<double> all, work;
    all.assign(x, x + inputs);
    all.resize(inputs + sz(f.sums.outputs()));
    f.sums.evaluate(x, all.data() + inputs);
    work.resize(f.function.instructions().size());
    f.function.evaluate(all.data(), out, work.data());
  }
};

[[noreturn]] void refuse_turns(const Text& text, double turns) {
  throw ScenarioError(
      text, fmt::format("its sums have {:g} terms, at most {:g} are possible; shorten the ranges",
                        turns, most_turns));
}

}  // namespace

/// Methods of stages and compositions of them, on ℝⁿ, without anything that asks for the formula of L.
bool ModelBuilder::may_keep_loops() const {
  const System& s = scenario_.system;
  const Run& run = scenario_.run;
  const Diagnose& asked = scenario_.diagnose;
  const auto by_stages = [&] {  // an open method will be one of them
    if (run.open_method()) return true;
    const Method method = told_at(run.method, [&] { return parse_method(run.method.value); });
    return !method.has_own_flow() && !method.baseline();
  };
  const bool plain = s.lagrangian && !s.hamiltonian && s.bodies.empty() && s.force.empty() &&
                     s.constraint() == nullptr && !s.discrete_lagrangian && s.terms.empty();
  const bool diagnosed = asked.modified_energy || asked.heat || asked.balance || asked.lyapunov ||
                         !asked.sensitivity.empty();
  return sums_ == Sums::as_loops && plain && !diagnosed && !run.pace && !run.keep_energy &&
         !run.projection && by_stages() && model_.system->on_vector_space() && !model_.seen &&
         layout_.helper_variable(2 * layout_.n) < expr::Loops::first_variable && may_have_sums(s);
}

expr::Array ModelBuilder::parse_with_loops(const expr::Scope& scope, const Text& text) {
  try {
    return expr::parse_array(*graph_, scope, text.value, *loops_);
  } catch (const expr::ParseError& error) {
    if (layout_.n <= most_to_repeat) return parse_array(scope, text);
    throw located(scenario_.text, text, error);
  }
}

/// Whether L is a sum of loops; then the system is complete.
bool ModelBuilder::read_looped_system() {
  if (!may_keep_loops()) return false;
  loops_ = std::make_unique<expr::Loops>(*graph_);
  try {
    const expr::Array read = parse_with_loops(motion_, *scenario_.system.lagrangian);
    if (!read.shape.empty()) throw expr::UnrolledOnly("no loop: L is an array");
    const Id lagrangian = read.entries[0];
    const expr::FamilySum sum = loops_->families(lagrangian);
    const double turns = turns_of(sum);
    if (turns > most_turns) refuse_turns(*scenario_.system.lagrangian, turns);
    if (turns >= fewest_turns) {
      LoopedSystem looped = make_looped_system(*graph_, model_.system->space, sum);
      if (!shares_sines(*graph_, looped)) {
        model_.system = looped.system;
        model_.lagrangian = lagrangian;
        model_.bodies_of_sums = std::move(looped.bodies);
        force_.assign(sz(layout_.n), graph_->constant(0.0));
        measure_loops();
        return true;
      }
    }
  } catch (const expr::UnrolledOnly&) {
    // one formula it is
  }
  loops_.reset();
  return false;
}

void ModelBuilder::measure_loops() {
  const KernelSystem& f = *model_.system;
  Structure& s = model_.structure;
  s.separable = s.quadratic = s.idle = true;
  s.time_independent = !f.uses_time;
  s.coordinates = f.n;
  s.operations = static_cast<int>(std::min(f.hessian.operations(), 2e9));
  s.second_derivatives = f.second.size();
  std::vector<char> used(sz(f.n), 0);
  for (int e = 0; e < f.second.size(); ++e)
    if (f.second.row[sz(e)] < f.n)
      s.bandwidth = std::max(s.bandwidth, f.second.row[sz(e)] - f.second.column[sz(e)]);
  for (const expr::ProgramLoop& loop : f.potential_gradient.loops()->loops())
    for (const expr::LoopOutput& output : loop.outputs)
      for (long i = loop.set.first; i <= loop.set.last; ++i)
        for (long j = loop.set.inner_first(i); j <= loop.set.inner_last(i); ++j)
          used[sz(output.place.at(i, j))] = 1;
  for (int i = 0; i < f.n; ++i)
    if (used[sz(i)] == 0) s.cyclic.push_back(model_.entry_names[sz(i)]);
}

/// Observed functions may have sums that are loops, too.
expr::Array ModelBuilder::parse_observable(const Text& text) {
  if (loops_ == nullptr) return parse_array(everything_, text);
  try {
    expr::Array f = parse_with_loops(everything_, text);
    double turns = 0.0;
    for (const auto& [variable, families] : loops_->sums(f.entries))
      for (const expr::Family& family : families) turns += static_cast<double>(family.set.turns());
    if (turns > most_turns) refuse_turns(text, turns);
    return f;
  } catch (const expr::UnrolledOnly&) {
    return parse_array(everything_, text);
  }
}

expr::Kernel ModelBuilder::observed(const std::vector<Id>& outputs) {
  const int count = 1 + layout_.entries + 2 * layout_.n;
  if (loops_ == nullptr) return kernel(outputs, count);
  const auto sums = loops_->sums(outputs);
  if (sums.empty()) return kernel(outputs, count);
  std::vector<expr::ProgramLoop> loops;
  std::vector<std::pair<int, Id>> replaced;
  for (const auto& [variable, families] : sums) {
    const auto place = static_cast<long>(replaced.size());
    for (const expr::Family& family : families)
      loops.emplace_back(*graph_, family, std::vector<Id>{family.body},
                         std::vector<expr::LoopOutput>{{{place}, nullptr}});
    replaced.emplace_back(variable, graph_->variable(count + static_cast<int>(place)));
  }
  const int results = static_cast<int>(sums.size());
  return {std::make_shared<const FunctionOfSums>(FunctionOfSums{
              expr::LoopProgram(*graph_, count, results, std::move(loops)),
              expr::Tape(*graph_, expr::substitute(*graph_, outputs, replaced), count + results)}),
          FunctionOfSums::call};
}

}  // namespace varia::io
