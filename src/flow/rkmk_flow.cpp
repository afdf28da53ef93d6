// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/rkmk_flow.hpp"

#include "collocation_derivative.hpp"
#include "step_calls.hpp"
#include "varia/flow/failure.hpp"
#include "varia/solve/damped_newton.hpp"

namespace varia {

namespace {

const Baseline& collocation_of(const Method& method) {
  const Baseline* const baseline = method.baseline();
  if (baseline == nullptr || !baseline->on_groups())
    throw InvalidArgument(method.name() + " is not rkmk(s); use " + method.flow_name());
  return *baseline;
}

}  // namespace

void RkmkFlow::Memory::exchange(SavedNumbers& numbers) { numbers(statistics, stages->predictor); }

RkmkFlow::RkmkFlow(Method method, std::shared_ptr<const KernelSystem> system, FlowOptions options)
    : MethodOnSystem(std::move(method), std::move(system)),
      options_(options),
      rule_(collocation(gauss_quadrature(collocation_of(method_).stages))) {
  detail::require_iterations(options_);
  if (system_->d + system_->e > 0)
    throw InvalidArgument(method_.name() +
                          " cannot keep constraints: it is a baseline for unconstrained systems. "
                          "Use lobatto(s), or nh_lobatto(s) for nonholonomic ones");
}

/// With the exponential the middle of a step is the same from both of its ends.
FlowLaws RkmkFlow::laws() const {
  FlowLaws laws;
  laws.symplectic = false;
  laws.reversible = system_->on_vector_space() ||
                    (rule_.stages == 1 && options_.retraction != Retraction::cayley);
  laws.notes.push_back(method_.name() + " is a baseline: not variational");
  return laws;
}

KernelList RkmkFlow::kernels() const {
  return detail::stage_kernels(*system_, detail::solved_calls(rule_.stages));
}

RkmkFlow::Memory RkmkFlow::memory(const VectorState& s) const {
  detail::require_state(*system_, s);
  Memory memory;
  memory.stages =
      detail::make_hidden<detail::CollocationStages>(*system_, rule_, options_.retraction);
  return memory;
}

void RkmkFlow::move(VectorState& s, double h, long count, Memory& memory) const {
  detail::require_step(h);
  detail::CollocationStages& stages = *memory.stages;
  for (long i = 0; i < count; ++i) {
    stages.begin(s, h);
    const NewtonReport report = memory.statistics.counted(
        solve_from(options_.newton, stages.newton, stages, [&] { stages.guess(); }));
    if (!report.converged) detail::not_solved(method_.name(), s.t, h, report);
    stages.predictor.push(h, stages.newton.x);
    stages(stages.newton, false);
    stages.end_step(s);
    if (!s.p.allFinite()) detail::overflow(s.t - h, h);
    memory.statistics.end_step();
  }
}

const StepDerivative& RkmkFlow::differentiate(VectorState& s, double h, Memory& memory) const {
  const VectorState start = s;
  move(s, h, 1, memory);
  memory.derivative_as<detail::CollocationDerivative>(*system_, rule_, options_.retraction)
      .set(start, h, memory.stages->newton.x);
  return *memory.derivative;
}

}  // namespace varia
