// SPDX-License-Identifier: BSD-3-Clause
#include "varia/verify/tangent_flow.hpp"

#include <cmath>
#include <utility>

#include "varia/core/index.hpp"
#include "varia/flow/multiplier_change.hpp"

namespace varia {

namespace {

using detail::sz;

constexpr const char* refusal = "the tangent vectors of the first run belong to another system";

}  // namespace

TangentFlow::TangentFlow(AnyFlow flow, const VectorState& start, std::vector<PhaseVector> vectors)
    : flow_(std::move(flow)),
      memory_(flow_.memory(start)),
      state_(start),
      vectors_(std::move(vectors)) {
  for (PhaseVector& z : vectors_)
    if (z.lambda.size() == 0) set_multiplier_change(flow_.system(), start, z);
  forget_points();
}

/// A group without its points (space/reduced.hpp) has no displacements either: they change nothing.
void TangentFlow::forget_points() {
  for (PhaseVector& z : vectors_)
    for (const int i : flow_.system().space.reduced()) z.delta[i] = 0.0;
}

void TangentFlow::step(const VectorState& s, double h) {
  state_ = s;
  const StepDerivative& derivative = flow_.differentiate(state_, h, memory_);
  for (PhaseVector& z : vectors_) derivative.forward(z);
  forget_points();
}

void TangentFlow::load(const std::vector<double>& data) {
  SavedNumbers::read(*this, data, refusal);
}

void TangentFlow::exchange(SavedNumbers& numbers) {
  for (PhaseVector& z : vectors_) numbers(z.delta, z.nu, z.t, z.h, z.memory, z.free, z.lambda);
  numbers.rest(memory_);
}

namespace {

constexpr std::size_t most_stretches = 128;

/// A direction that no symmetry of a system prefers, the same in every run.
PhaseVector direction(const KernelSystem& f) {
  constexpr double golden = 0.6180339887498949;
  PhaseVector z = PhaseVector::zero(f.n, f.free);
  double x = 0.0;
  for (Vn* part : {&z.delta, &z.nu})
    for (int i = 0; i < f.n; ++i) {
      x += golden;
      (*part)[i] = 0.5 + (x - std::floor(x));
    }
  return z;
}

}  // namespace

Lyapunov::Lyapunov(const AnyFlow& flow, const VectorState& start)
    : tangent_(flow, start, {direction(flow.system())}), mass_(Vn::Ones(start.p.size())) {
  const KernelSystem& f = flow.system();
  Vn v = Vn::Zero(f.n);
  flow.velocity(start, v.data(), flow.memory(start));
  if (f.hessian) {
    std::vector<double> second(sz(2 * f.n + f.second.size()));
    f.hessian(f.point(start.t, start.q.data(), v.data()).data(), second.data());
    for (int e = 0; e < f.second.size(); ++e) {
      const int i = f.second.row[sz(e)] - f.n;
      const double value = std::abs(second[sz(2 * f.n + e)]);
      if (i >= 0 && f.second.column[sz(e)] == i + f.n && value > 0.0) mass_[i] = value;
    }
  }
  PhaseVector& z = tangent_.vectors().front();
  z.nu = z.nu.cwiseProduct(mass_);
  project_change(f, start, z);
  const double size = length();
  z.delta /= size;
  z.nu /= size;
  set_multiplier_change(f, start, z);
}

double Lyapunov::length() const {
  const PhaseVector& z = tangent_.vectors().front();
  return std::sqrt(z.delta.squaredNorm() + z.nu.cwiseQuotient(mass_).squaredNorm());
}

void Lyapunov::step(const VectorState& s, double h) {
  tangent_.step(s, h);
  PhaseVector& z = tangent_.vectors().front();
  const double size = length();
  if (!(size > 0.0) || !std::isfinite(size))
    throw DomainError("the tangent vector of the Lyapunov exponent has no finite length at t = " +
                      to_text(s.t));
  z.delta /= size;
  z.nu /= size;
  z.t /= size;
  z.memory /= size;
  z.lambda /= size;
  const double growth = std::log(size);
  const double dt = std::abs(tangent_.time() - s.t);
  if (growth_.empty() || in_stretch_ == stretch_) {
    if (growth_.size() == most_stretches) {
      for (auto* x : {&growth_, &duration_}) {
        for (std::size_t i = 0; i < most_stretches / 2; ++i)
          (*x)[i] = (*x)[2 * i] + (*x)[2 * i + 1];
        x->resize(most_stretches / 2);
      }
      stretch_ *= 2;
    }
    growth_.push_back(0.0);
    duration_.push_back(0.0);
    in_stretch_ = 0;
  }
  ++in_stretch_;
  growth_.back() += growth;
  duration_.back() += dt;
  weighted_ += (time_ + 0.5 * dt) * growth;
  time_ += dt;
  mean_ += 2.0 * weighted_ / time_ * dt;
}

LyapunovEstimate Lyapunov::estimate() const {
  LyapunovEstimate result;
  if (time_ == 0.0) return result;
  const std::size_t first = growth_.size() / 8;
  double growth = 0.0;
  double time = 0.0;
  for (std::size_t i = first; i < growth_.size(); ++i) {
    growth += growth_[i];
    time += duration_[i];
  }
  result.exponent = growth / time;
  result.megno = mean_ / time_;
  // means over a few long parts, which hardly depend on each other
  constexpr std::size_t parts = 8;
  const std::size_t count = growth_.size() - first;
  double squares = 0.0;
  for (std::size_t k = 0; k < parts && count >= parts; ++k) {
    double part = 0.0;
    double span = 0.0;
    for (std::size_t i = first + k * count / parts; i < first + (k + 1) * count / parts; ++i) {
      part += growth_[i];
      span += duration_[i];
    }
    squares += std::pow(span / time * (part / span - result.exponent), 2);
  }
  // a vector that does not grow exponentially grows like a power of time
  const double least = std::log(8.0) / time;
  result.error = std::sqrt(squares * parts / (parts - 1) + least * least);
  return result;
}

void Lyapunov::load(const std::vector<double>& data) { SavedNumbers::read(*this, data, refusal); }

void Lyapunov::exchange(SavedNumbers& numbers) {
  auto stretches = static_cast<double>(growth_.size());
  numbers(stretches, in_stretch_, stretch_, time_, weighted_, mean_);
  if (stretches > static_cast<double>(most_stretches)) numbers.refuse();
  numbers.lists(stretches, growth_, duration_);
  numbers.rest(tangent_);
}

}  // namespace varia
