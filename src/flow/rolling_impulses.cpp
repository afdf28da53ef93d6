// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/rolling_impulses.hpp"

#include "stages.hpp"
#include "varia/flow/failure.hpp"

namespace varia {

std::vector<double> rolling_impulses(const StageFlow& flow, VectorState& s, double h,
                                     const std::vector<std::function<Vn(const Vn&)>>& xi) {
  const KernelSystem& f = flow.system();
  const Method& method = flow.method();
  if (f.e == 0 || method.stages() == nullptr || !method.begins_with_multipliers())
    throw InvalidArgument("the impulses of nonholonomic reactions are those of nh_lobatto(s)");
  detail::Stages stages(f, *method.stages(), flow.options().retraction);
  stages.begin(s, h);
  Vn v = Vn::Zero(f.n);
  LegendreTransform(f).velocity(s, v.data());
  stages.guess(v.data());
  const NewtonReport report = stages.solve(flow.options().newton);
  if (!report.converged) detail::not_solved(method.name(), s.t, h, report);
  std::vector<double> impulses(xi.size(), 0.0);
  Vn acting(f.n);
  for (int i = 0; i < stages.m; ++i) {
    const double* const x = stages.at_point(i).x;
    f.acting()(x, acting.data());
    const Vn q = Eigen::Map<const Vn>(x + 1, f.entries);
    const double weight = h * method.stages()->b.hi[static_cast<std::size_t>(i)];
    for (std::size_t k = 0; k < xi.size(); ++k) impulses[k] += weight * acting.dot(xi[k](q));
  }
  stages.finish(report.last_update);
  stages.end_step(s);
  return impulses;
}

}  // namespace varia
