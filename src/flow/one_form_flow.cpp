// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/one_form_flow.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "saved_statistics.hpp"
#include "varia/core/index.hpp"

namespace varia {

namespace {

using detail::sz;

}  // namespace

std::vector<double> OneFormMemory::save() const {
  std::vector<double> out = detail::saved(statistics);
  predictor.save(out);
  return out;
}

void OneFormMemory::load(const std::vector<double>& data) {
  const double* const end = data.data() + data.size();
  if (data.size() < detail::saved_statistics_size ||
      predictor.load(data.data() + detail::saved_statistics_size, end) != end)
    detail::refuse_memory();
  statistics = detail::loaded_statistics(data);
}

namespace detail {

void require_one_tableau(const Method& method) {
  const StageCoefficients* s = method.stages();
  bool one = s != nullptr && s->nodal;
  const auto at = [&](int i, int j) { return sz(i * s->unknowns + j); };
  for (int i = 0; one && i < s->points; ++i)
    for (int j = 0; j < s->unknowns; ++j)
      one = one && std::abs(s->row_D.hi[at(i, j)] + s->A.hi[at(j, i)]) < 1e-14;
  if (!one)
    throw InvalidArgument(method.name() +
                          " cannot be used for a Lagrangian that is linear in the velocities; "
                          "use gauss(s) or midpoint, which treat q and p alike");
}

/// (∇H + ∂θ/∂t, entries of Dθ)
std::vector<double> KernelForm::motion(double t, const V& q) const {
  const OneFormSystem& f = *system_;
  std::vector<double> x{t};
  x.insert(x.end(), q.data(), q.data() + f.n);
  std::vector<double> out(sz(f.n + f.slope.size()));
  f.motion(x.data(), out.data());
  return out;
}

KernelForm::Square KernelForm::dense_slope(const double* entries) const {
  const Pattern& pattern = system_->slope;
  Square dense = Square::Zero(system_->n, system_->n);
  for (int e = 0; e < pattern.size(); ++e)
    dense(pattern.row[sz(e)], pattern.column[sz(e)]) = entries[e];
  return dense;
}

KernelForm::Square KernelForm::slope(double t, const V& q) const {
  return dense_slope(motion(t, q).data() + system_->n);
}

KernelForm::V KernelForm::push(double t, const V& q) const {
  return Eigen::Map<const V>(motion(t, q).data(), system_->n);
}

FormAt<KernelForm::V> KernelForm::at(double t, const V& q, const V& u, double with_energy,
                                     bool second) const {
  const OneFormSystem& f = *system_;
  std::vector<double> x{t};
  x.insert(x.end(), q.data(), q.data() + f.n);
  x.insert(x.end(), u.data(), u.data() + f.n);
  x.push_back(with_energy);
  std::vector<double> out(sz(2 * f.n + f.slope.size() + f.curvature.size()));
  (second ? f.second : f.first)(x.data(), out.data());
  FormAt<V> result;
  result.theta = Eigen::Map<const V>(out.data(), f.n);
  result.force = Eigen::Map<const V>(out.data() + f.n, f.n);
  if (!second) return result;
  result.slope = dense_slope(out.data() + 2 * f.n);
  result.curvature = Square::Zero(f.n, f.n);
  const double* const entries = out.data() + 2 * f.n + f.slope.size();
  for (int e = 0; e < f.curvature.size(); ++e) {
    result.curvature(f.curvature.row[sz(e)], f.curvature.column[sz(e)]) = entries[e];
    result.curvature(f.curvature.column[sz(e)], f.curvature.row[sz(e)]) = entries[e];
  }
  return result;
}

}  // namespace detail

OneFormFlow::OneFormFlow(Method method, std::shared_ptr<const OneFormSystem> system,
                         OneFormProjection projection, FlowOptions options)
    : step_(std::move(method), detail::KernelForm(std::move(system)), projection, options) {
  if (options.newton.max_iterations < 1)
    throw InvalidArgument("newton.max_iterations must be at least 1, got " +
                          std::to_string(options.newton.max_iterations));
}

void OneFormFlow::check_coordinates(double t, const Vector<double, Dynamic>& q) const {
  if (q.size() != one_form()->n)
    throw InvalidArgument("there are " + std::to_string(q.size()) +
                          " coordinates given; the system has " + std::to_string(one_form()->n));
  if (!q.allFinite() || !std::isfinite(t))
    throw InvalidArgument("the time or a coordinate is not a finite number");
}

FlatState OneFormFlow::start(const Vector<double, Dynamic>& q, double t) const {
  check_coordinates(t, q);
  const Vector<double, Dynamic> p = one_form()->momentum(t, q);
  if (!p.allFinite() || !std::isfinite(one_form()->value(t, q)))
    throw InvalidArgument("theta or H is not finite at the start; check the Lagrangian there");
  return detail::make_state<Vector<double, Dynamic>, Dynamic>(t, q, p, 0);
}

Vector<double, Dynamic> OneFormFlow::velocity(double t, const Vector<double, Dynamic>& q) const {
  check_coordinates(t, q);
  const Matrix<double, Dynamic> slope = step_.form().slope(t, q).transpose();
  return detail::form_velocity<Dynamic>(slope, step_.form().push(t, q), t);
}

double OneFormFlow::defect(const FlatState& s) const {
  return (s.p - one_form()->momentum(s.t, s.q)).cwiseAbs().maxCoeff();
}

FlowLaws OneFormFlow::laws() const {
  const bool projected = projection() == OneFormProjection::symmetric;
  FlowLaws laws{projected, projected, false, false, {}};
  if (!projected)
    laws.notes.emplace_back(
        "without the symmetric projection the order falls; it is not promised, nor measured");
  laws.notes.emplace_back(
      "the Lagrangian is linear in the velocities: its two-form is d theta, not that of (q, p)");
  return laws;
}

FlatState OneFormFlow::operator()(const FlatState& s, double h) const {
  Memory m = memory(s);
  return step(s, h, m);
}

OneFormFlow::Memory OneFormFlow::memory(const FlatState& s) const {
  check_coordinates(s.t, s.q);
  Memory memory = step_.memory(s);
  if (!s.p.allFinite()) throw InvalidArgument("a momentum is not a finite number");
  const double off = defect(s);
  if (projection() != OneFormProjection::none &&
      !(off <= start_tolerance * (1.0 + s.p.cwiseAbs().maxCoeff())))
    throw InvalidArgument("the momenta are not theta(q): |p - theta| = " + to_text(off) +
                          "; take start(q, t), where the momenta follow from q");
  return memory;
}

FlatState OneFormFlow::steps(FlatState s, double h, long count, Memory& memory) const {
  detail::require_step(h);
  for (long k = 0; k < count; ++k) {
    s = step_.step(s, h, memory);
    if (!std::isfinite(energy(s)))  // its derivatives may be finite where it is not: log
      throw DomainError("H has no value at t = " + to_text(s.t) +
                        ": the motion has left where it is defined");
  }
  return s;
}

}  // namespace varia
