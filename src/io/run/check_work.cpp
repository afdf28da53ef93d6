// SPDX-License-Identifier: BSD-3-Clause
#include "check_work.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "evaluation_cost.hpp"
#include "varia/io/verdict.hpp"

namespace varia::io {

namespace {

// In seconds, on the machine of evaluation_cost.hpp.
constexpr double any_step = 3e-7;           // what a call through AnyFlow costs at least
constexpr double coordinate = 2e-8;         // copied, compensated
constexpr double multiplication = 4e-10;    // in a factorisation
constexpr double assumed_iterations = 2.5;  // in the calls that a flow states, see step_calls.hpp
constexpr double factorised_iterations = 0.5;  // of the others the factors are kept
constexpr double queue = 1e-7;                 // an update of avi beside its gradient
constexpr double certificate_iterations = 3.0;
constexpr double jet_operation = 2.0;  // with a derivative, against one with numbers
constexpr double exact_point = 5e-6;   // beside the formulas, mostly for vectors of any size
constexpr double hessians_for_velocity = 3.0;
constexpr double shown_part = 0.01;

double seconds_of(const expr::Kernel& kernel) {
  return kernel.formula() != nullptr ? interpreter_seconds(kernel) : any_step;
}

/// Multiplications of a factorisation and a solution with it.
double factorisation(const AnyFlow& flow, double& solution) {
  const FlowCost cost = flow.cost();
  const auto size = static_cast<double>(cost.unknowns);
  const KernelSystem& f = flow.system();
  // in a band each unknown meets those of its own coordinate and of the ones it is coupled with
  const double coupled = f.n > 0 ? 0.5 + 0.5 * f.second.size() / static_cast<double>(f.n) : 1.0;
  const double width =
      cost.banded ? std::min(size, coupled * size / std::max(1, f.n)) : size / std::sqrt(6.0);
  solution = 2.0 * size * width;
  return 2.0 * size * width * width;
}

class CountedFlow final : public detail::FlowInterface {
 public:
  CountedFlow(std::shared_ptr<const FlowInterface> flow,
              const std::shared_ptr<const KernelSystem>& system, CheckWork& work, double beside)
      : flow_(std::move(flow)),
        system_(system),
        work_(&work),
        cost_(AnyFlow(flow_, system)),
        beside_(beside) {}

  const Method& method() const override { return flow_->method(); }
  std::unique_ptr<FlowMemory> memory(const VectorState& s) const override {
    return flow_->memory(s);
  }
  void move(VectorState& s, double h, long count, FlowMemory& memory) const override {
    counting(count, memory, [&] { flow_->move(s, h, count, memory); });
  }
  const StepDerivative* differentiate(VectorState& s, double h, FlowMemory& memory) const override {
    const StepDerivative* made = nullptr;
    counting(1, memory, [&] { made = flow_->differentiate(s, h, memory); });
    return made;
  }
  bool differentiable() const override { return flow_->differentiable(); }
  void velocity(const VectorState& s, double* v, FlowMemory& memory) const override {
    flow_->velocity(s, v, memory);
  }
  double energy(const VectorState& s, const double* v) const override {
    return flow_->energy(s, v);
  }
  FlowLaws laws() const override { return flow_->laws(); }
  FlowCost cost() const override { return flow_->cost(); }
  KernelList kernels() const override { return flow_->kernels(); }
  std::shared_ptr<const FlowInterface> with_method(Method method) const override {
    return std::make_shared<const CountedFlow>(flow_->with_method(std::move(method)), system_,
                                               *work_, beside_);
  }
  const StageFlow* stages() const override { return flow_->stages(); }
  DiscreteLagrangian discrete_lagrangian() const override { return flow_->discrete_lagrangian(); }

 private:
  /// A step that fails has cost as much.
  template <class Step> void counting(long count, FlowMemory& memory, const Step& step) const {
    const long before = memory.statistics.iterations;
    const auto count_it = [&] {
      const long iterations = memory.statistics.iterations - before;
      work_->add(cost_.seconds(count, iterations) + beside_ * static_cast<double>(count), count);
    };
    try {
      step();
    } catch (const Error&) {
      count_it();
      throw;
    }
    count_it();
  }

  std::shared_ptr<const FlowInterface> flow_;
  std::shared_ptr<const KernelSystem> system_;
  CheckWork* work_;
  StepCost cost_;
  double beside_;
};

}  // namespace

void CheckWork::begin(std::string law, double seconds) {
  law_ = std::move(law);
  whole_ = limit_ = options_.work * seconds;
  done_ = shown_ = 0.0;
  steps_ = 0;
  if (options_.progress) options_.progress(law_, 0.0);
}

void CheckWork::add(double seconds, long steps) {
  if (!allows(seconds))
    throw WorkLimit("it takes more work than a check may, and was stopped after " +
                    std::to_string(steps_) + " steps; --work " +
                    short_number(10.0 * options_.work) + " allows ten times as much");
  done_ += seconds;
  steps_ += steps;
  if (!options_.progress || done_ < shown_ + shown_part * whole_) return;
  shown_ = done_;
  options_.progress(law_, done_ / whole_);
}

StepCost::StepCost(const AnyFlow& flow) {
  double kernels = 0.0;
  for (const KernelCalls& c : flow.kernels())
    if (c.kernel) kernels += c.in_step * seconds_of(c.kernel);
  step_ = any_step + coordinate * flow.system().n;
  if (flow.cost().unknowns == 0) {
    step_ += kernels;
    return;
  }
  double solution = 0.0;
  const double factors = factorisation(flow, solution);
  iteration_ =
      kernels / assumed_iterations + multiplication * (factorised_iterations * factors + solution);
}

double StepCost::seconds(long steps, long iterations) const {
  return step_ * static_cast<double>(steps) + iteration_ * static_cast<double>(iterations);
}

AnyFlow counted(const AnyFlow& flow, CheckWork& work, double beside) {
  return {
      std::make_shared<const CountedFlow>(flow.shared_flow(), flow.shared_system(), work, beside),
      flow.shared_system()};
}

double certificate_cost(const Method& method, const KernelSystem& f) {
  double sum = 0.0;
  for (const auto& [part, fraction] : method.substeps()) sum += certificate_cost(part, f);
  const StageCoefficients* stages = method.stages();
  if (!stages || sum > 0.0) return sum;
  // L at every point over jets of second order in all unknowns
  const double unknowns = (stages->unknowns + 2.0) * (f.n + f.d);
  return certificate_iterations * stages->points * 0.5 * unknowns * unknowns * jet_operation *
         seconds_of(f.value);
}

double exact_point_cost(const KernelSystem& f) {
  return exact_point + seconds_of(f.value) + hessians_for_velocity * seconds_of(f.hessian);
}

AsynchronousCost asynchronous_cost(const Model& model, double duration) {
  AsynchronousCost cost;
  for (const Term& term : model.terms) {
    const double updates = std::abs(duration) / term.step;
    cost.updates += updates;
    cost.seconds += updates * (queue + seconds_of(term.gradient));
  }
  return cost;
}

}  // namespace varia::io
