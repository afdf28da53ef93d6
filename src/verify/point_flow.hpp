// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A StageFlow as a flow on points of a product space, for checks that displace and differentiate
// points: their states carry the geometry that flat arrays do not.
#include <utility>

#include "varia/flow/stage_flow.hpp"
#include "varia/flow/start.hpp"
#include "varia/space/mixed.hpp"

namespace varia::detail {

class PointFlow {
 public:
  using Q = MixedPoint<double>;
  using PointState = State<Q, Dynamic>;

  explicit PointFlow(StageFlow flow)
      : flow_(std::move(flow)),
        space_(std::make_shared<const ProductSpace>(flow_.system().space)) {}

  const Method& method() const { return flow_.method(); }
  const FlowOptions& options() const { return flow_.options(); }
  const std::shared_ptr<const KernelSystem>& shared_system() const { return flow_.shared_system(); }
  PointFlow with_method(Method method) const {
    return PointFlow(flow_.with_method(std::move(method)));
  }

  PointState on_points(const VectorState& s) const {
    PointState out;
    out.q = Q(space_, s.q);
    from_vectors(s, out);
    return out;
  }
  PointState operator()(const PointState& s, double h) const {
    return on_points(flow_(vector_state(s), h));
  }

 private:
  StageFlow flow_;
  std::shared_ptr<const ProductSpace> space_;
};

}  // namespace varia::detail
