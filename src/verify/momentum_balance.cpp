// SPDX-License-Identifier: BSD-3-Clause
#include "varia/verify/momentum_balance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "step_action.hpp"
#include "varia/core/norm.hpp"
#include "varia/flow/integrate.hpp"

namespace varia {

namespace {

Vn field(const GeneratorField& xi, const Vn& q) {
  Vn x = xi(q);
  if (x.size() != q.size())
    throw InvalidArgument("momentum balance: the generator has " + std::to_string(x.size()) +
                          " components, the configuration " + std::to_string(q.size()));
  if (!x.allFinite())
    throw InvalidArgument("momentum balance: the generator has a component that is not finite");
  return x;
}

/// The same system without its force.
std::shared_ptr<const KernelSystem> unforced(const KernelSystem& system) {
  auto free = std::make_shared<KernelSystem>(system);
  free->forced = false;
  return free;
}

double sum(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0); }

using detail::largest;

}  // namespace

double MomentumBalance::gained_by_lagrangian() const { return sum(by_lagrangian); }
double MomentumBalance::gained_by_force() const { return sum(by_force); }

bool MomentumBalance::passes(double tolerance) const {
  const double scale = std::max({1.0, largest(momentum), largest(by_lagrangian)});
  return defect <= tolerance * scale;
}

StepBalance::StepBalance(const StageFlow& flow) {
  const auto& system = flow.shared_system();
  if (system->d + system->e > 0)
    throw InvalidArgument(
        "momentum balance: this system has constraints, whose reactions are not in the balance; "
        "use check_noether");
  whole_ = std::make_shared<detail::StepAction>(flow);
  alone_ = system->forced ? std::make_shared<const detail::StepAction>(
                                StageFlow(flow.method(), unforced(*system), flow.options()))
                          : whole_;
}

std::vector<MomentumChange> StepBalance::operator()(VectorState& s, double h,
                                                    const std::vector<GeneratorField>& xi) const {
  std::vector<MomentumChange> changes(xi.size());
  for (std::size_t i = 0; i < whole_->parts().size(); ++i) {
    const auto& [part, fraction] = whole_->parts()[i];
    const VectorState next = part(s, fraction * h);
    for (std::size_t k = 0; k < xi.size(); ++k) {
      const Vn x0 = field(xi[k], s.q);
      const Vn x1 = field(xi[k], next.q);
      const double all = whole_->change(i, s, next, fraction * h, x0, x1);
      const double alone =
          whole_ == alone_ ? all : alone_->change(i, s, next, fraction * h, x0, x1);
      changes[k].by_lagrangian += alone;
      changes[k].by_force += all - alone;
    }
    s = next;
  }
  return changes;
}

MomentumBalance momentum_balance(const StageFlow& flow, const VectorState& start, double h,
                                 long steps, const GeneratorField& xi) {
  const StepBalance step(flow);
  MomentumBalance balance;
  const auto record = [&](const VectorState& s) {
    balance.t.push_back(s.t);
    balance.momentum.push_back(s.p.dot(field(xi, s.q)));
  };
  VectorState z = start;
  record(z);
  for (long k = 0; k < steps; ++k) {
    const MomentumChange change = step(z, h, {xi}).front();
    record(z);
    balance.by_lagrangian.push_back(change.by_lagrangian);
    balance.by_force.push_back(change.by_force);
    const std::size_t last = balance.momentum.size() - 1;
    balance.defect =
        std::max(balance.defect, std::abs(balance.momentum[last] - balance.momentum[last - 1] -
                                          change.by_lagrangian - change.by_force));
  }
  return balance;
}

}  // namespace varia
