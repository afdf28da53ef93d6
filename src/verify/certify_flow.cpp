// SPDX-License-Identifier: BSD-3-Clause
#include "varia/verify/certify_flow.hpp"

#include "varia/flow/stage_flow.hpp"
#include "varia/verify/certify_order.hpp"

namespace varia {

namespace {

/// An AnyFlow of stages with what certificates ask: all steps are its own.
class CertifiedFlow {
 public:
  explicit CertifiedFlow(AnyFlow flow) : flow_(std::move(flow)) {}

  const Method& method() const { return flow_.method(); }
  const FlowOptions& options() const { return flow_.stages()->options(); }
  const std::shared_ptr<const KernelSystem>& shared_system() const { return flow_.shared_system(); }
  CertifiedFlow with_method(Method method) const {
    return CertifiedFlow(flow_.with_method(std::move(method)));
  }
  AnyFlow::Memory memory(const VectorState& s) const { return flow_.memory(s); }
  VectorState step(const VectorState& s, double h, AnyFlow::Memory& memory) const {
    return flow_.step(s, h, memory);
  }
  VectorState operator()(const VectorState& s, double h) const { return flow_(s, h); }

 private:
  AnyFlow flow_;
};

}  // namespace

CertifiedOrder certify_order(const StageFlow& flow, const VectorState& start, double h) {
  return certify_order(AnyFlow(flow), start, h);
}

CertifiedOrder certify_order(const AnyFlow& flow, const VectorState& start, double h,
                             const std::function<void()>& before_value) {
  if (flow.stages()) return detail::certify_method(CertifiedFlow(flow), start, h, before_value);
  const auto own = flow.discrete_lagrangian();
  if (!own)
    throw InvalidArgument("certify_order: " + flow.method().name() +
                          " has no discrete Lagrangian on (q, p)");
  if (flow.system().forced || flow.system().d > 0)
    throw InvalidArgument(
        "certify_order: with forces or constraints L_d alone does not determine the order");
  const ExactLagrangian exact(CertifiedFlow(flow.with_method(gauss(2))));
  const auto value = [&](const Vn& q0, const Vn& q1, double t, double step) {
    before_value();
    return own(t, q0, q1, step);
  };
  return detail::certify_value(exact, value, start, h, flow.method().order());
}

}  // namespace varia
