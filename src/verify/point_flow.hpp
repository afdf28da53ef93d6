// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A FlatFlow as a flow on points of a product space, for checks that displace and differentiate
// points: their states carry the geometry that flat arrays do not.
#include <utility>

#include "varia/flow/flat_flow.hpp"
#include "varia/space/mixed.hpp"

namespace varia::detail {

class PointFlow {
 public:
  using Q = MixedPoint<double>;
  using PointState = State<Q, Dynamic>;

  PointFlow(FlatFlow flow, std::shared_ptr<const MixedShape> shape)
      : flow_(std::move(flow)), shape_(std::move(shape)) {}
  explicit PointFlow(FlatFlow flow) : flow_(std::move(flow)) {
    std::vector<FactorPtr> factors;
    for (const auto& at : flow_.flat_system()->space.factors()) factors.push_back(at.factor);
    shape_ = std::make_shared<const MixedShape>(factors);
  }

  const Method& method() const { return flow_.method(); }
  const FlowOptions& options() const { return flow_.options(); }
  const FlatView& system() const { return flow_.system(); }
  PointFlow with_method(Method method) const {
    return {flow_.with_method(std::move(method)), shape_};
  }

  PointState on_points(const FlatState& s) const { return with<PointState>(s, Q(shape_, s.q)); }
  PointState operator()(const PointState& s, double h) const {
    return on_points(flow_(with<FlatState>(s, s.q.values()), h));
  }

 private:
  /// The same state with q in another form.
  template <class To, class From, class Point> static To with(const From& s, Point q) {
    To out;
    out.t = s.t;
    out.q = std::move(q);
    out.p = s.p;
    out.lambda = s.lambda;
    out.t_rest = s.t_rest;
    out.q_rest = s.q_rest;
    out.p_rest = s.p_rest;
    return out;
  }

  FlatFlow flow_;
  std::shared_ptr<const MixedShape> shape_;
};

}  // namespace varia::detail
