// SPDX-License-Identifier: BSD-3-Clause
#include "nystrom_derivative.hpp"

#include <tuple>
#include <utility>

#include "varia/core/error.hpp"
#include "varia/core/index.hpp"

namespace varia::detail {

void NystromDerivative::add(double t, double h, const Vn& q, const Vn& v,
                            std::vector<Vn> accelerations) {
  if (used_ == steps_.size())
    steps_.push_back({h, v, {}, std::vector<MotionDerivative>(accelerations.size(), end_)});
  Step& step = steps_[used_++];
  step.h = h;
  step.v = v;
  step.a = std::move(accelerations);
  const auto stages = std::ssize(step.a);
  const auto moved = [&](double c, const auto& a_bar, const auto& a) {
    std::pair<Vn, Vn> to{q + (c * h) * v, v};
    for (Eigen::Index j = 0; j < stages; ++j) {
      to.first += (h * h * a_bar[j]) * step.a[sz(j)];
      to.second += (h * a[j]) * step.a[sz(j)];
    }
    return to;
  };
  for (Eigen::Index i = 0; i < stages; ++i) {
    const auto [Q, V] = moved(k_.c[i], k_.a_bar.row(i), k_.a.row(i));
    MotionDerivative& stage = step.stages[sz(i)];
    stage.set(t + k_.c[i] * h, Q, V);
    stage.set_acceleration(step.a[sz(i)]);
    if (!stage.factor(h * h * k_.a_bar(i, i), h * k_.a(i, i)))
      throw SingularMass("the step from t = " + to_text(t) + " with h = " + to_text(h) +
                         " has no derivative: the matrix of its accelerations is singular");
  }
  const auto [q1, v1] = moved(1.0, k_.b_bar, k_.b);
  end_.set(t + h, q1, v1);
}

void NystromDerivative::forward(PhaseVector& z) const {
  const Vn none = Vn::Zero(f_.n);
  Vn s = parameters_of(z, z.t, f_.free);
  const MotionDerivative& start = steps_.front().stages.front();
  Vn q = z.delta;
  Vn v = start.solved(z.nu - start.momentum(q, none, s));
  for (std::size_t at = 0; at < used_; ++at) {
    const Step& step = steps_[at];
    const double h = step.h;
    const double dh = at + 1 == used_ ? z.h : 0.0;
    std::vector<Vn> da(step.a.size(), none);
    const auto moved = [&](double c, const auto& a_bar, const auto& a) {
      std::pair<Vn, Vn> to{q + c * (h * v + dh * step.v), v};
      for (std::size_t j = 0; j < da.size(); ++j) {
        const auto k = static_cast<Eigen::Index>(j);
        to.first += (h * a_bar[k]) * (h * da[j] + 2.0 * dh * step.a[j]);
        to.second += a[k] * (h * da[j] + dh * step.a[j]);
      }
      return to;
    };
    for (std::size_t i = 0; i < da.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const auto [Q, V] = moved(k_.c[k], k_.a_bar.row(k), k_.a.row(k));
      s[0] = z.t + k_.c[k] * dh;
      da[i] = -step.stages[i].solved(step.stages[i].residual(Q, V, s));
    }
    std::tie(q, v) = moved(1.0, k_.b_bar, k_.b);
  }
  z.t += z.h;
  s[0] = z.t;
  z.delta = q;
  z.nu = end_.momentum(q, v, s);
}

void NystromDerivative::transposed(PhaseVector& z) const {
  z.h += z.t;
  Vn q = z.delta;
  Vn v = Vn::Zero(f_.n);
  Vn s = Vn::Zero(1 + f_.free);
  end_.add_momentum_transposed(z.nu, q, v, s);
  z.h += s[0];
  add_parameters(s, z);
  for (std::size_t at = used_; at-- > 0;) {
    const Step& step = steps_[at];
    const double h = step.h;
    double dh = 0.0;
    std::vector<Vn> da(step.a.size(), Vn::Zero(f_.n));
    const Vn end_q = q;
    const Vn end_v = v;
    const auto moved = [&](double c, const auto& a_bar, const auto& a, const Vn& to_q,
                           const Vn& to_v) {
      v += (c * h) * to_q;
      dh += c * step.v.dot(to_q);
      for (std::size_t j = 0; j < da.size(); ++j) {
        const auto k = static_cast<Eigen::Index>(j);
        da[j] += h * (h * a_bar[k] * to_q + a[k] * to_v);
        dh += step.a[j].dot(2.0 * h * a_bar[k] * to_q + a[k] * to_v);
      }
    };
    moved(1.0, k_.b_bar, k_.b, end_q, end_v);
    for (std::size_t i = da.size(); i-- > 0;) {
      const auto k = static_cast<Eigen::Index>(i);
      Vn Q = Vn::Zero(f_.n);
      Vn V = Q;
      s.setZero();
      step.stages[i].add_residual_transposed(-step.stages[i].solved_transposed(da[i]), Q, V, s);
      q += Q;
      v += V;
      dh += k_.c[k] * s[0];
      add_parameters(s, z);
      moved(k_.c[k], k_.a_bar.row(k), k_.a.row(k), Q, V);
    }
    if (at + 1 == used_) z.h += dh;
  }
  const MotionDerivative& start = steps_.front().stages.front();
  z.nu = start.solved_transposed(v);
  s.setZero();
  start.add_momentum_transposed(-z.nu, q, v, s);
  add_parameters(s, z);
  z.delta = q;
}

}  // namespace varia::detail
