// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The flow of a OneFormSystem: L = ⟨θ(t, q), v⟩ - H(t, q) given as an expression.
//
// The equations are those of DegenerateFlow, (degenerate-step) and (degenerate-projection) [Kraus17],
// with derivatives that are expressions; θ and H may depend on time. The state is that of FlatFlow,
// with p = θ(t, q), and its start is q alone.
#include <memory>
#include <vector>

#include "varia/flow/flat_start.hpp"
#include "varia/flow/one_form_step.hpp"
#include "varia/mechanics/one_form_system.hpp"

namespace varia {

namespace detail {

/// A Form of flow/degenerate_equations.hpp from kernels. It has work space of its own: one for each
/// thread.
class KernelForm {
 public:
  using V = Vector<double, Dynamic>;
  using Square = Matrix<double, Dynamic>;

  explicit KernelForm(std::shared_ptr<const OneFormSystem> system) : system_(std::move(system)) {}

  const std::shared_ptr<const OneFormSystem>& system() const { return system_; }
  V value(double t, const V& q) const { return system_->momentum(t, q); }
  Square slope(double t, const V& q) const;
  V push(double t, const V& q) const;
  FormAt<V> at(double t, const V& q, const V& u, double with_energy, bool second) const;

 private:
  std::vector<double> motion(double t, const V& q) const;
  Square dense_slope(const double* entries) const;

  std::shared_ptr<const OneFormSystem> system_;
};

}  // namespace detail

class OneFormFlow {
 public:
  using Memory = OneFormMemory;

  /// The method has one tableau for q and p: gauss(s), midpoint. Throws InvalidArgument for others.
  OneFormFlow(Method method, std::shared_ptr<const OneFormSystem> system,
              OneFormProjection projection = OneFormProjection::symmetric,
              FlowOptions options = {});

  const Method& method() const { return step_.method(); }
  OneFormProjection projection() const { return step_.projection(); }
  const FlowOptions& options() const { return step_.options(); }
  const std::shared_ptr<const OneFormSystem>& one_form() const { return step_.form().system(); }
  OneFormFlow with_method(Method method) const {
    return OneFormFlow(std::move(method), one_form(), projection(), options());
  }
  /// Unknowns of one solve.
  int unknowns() const { return step_.unknowns(one_form()->n); }
  FlowLaws laws() const;

  /// The state at q: p = θ(t, q). Throws InvalidArgument where θ is not finite.
  FlatState start(const Vector<double, Dynamic>& q, double t = 0.0) const;

  /// q̇ at (t, q). Throws DomainError where dθ is singular.
  Vector<double, Dynamic> velocity(double t, const Vector<double, Dynamic>& q) const;
  Vector<double, Dynamic> velocity(const FlatState& s) const { return velocity(s.t, s.q); }
  /// H
  double energy(const FlatState& s) const { return one_form()->value(s.t, s.q); }
  /// Largest |p - θ(t, q)|
  double defect(const FlatState& s) const;

  FlatState operator()(const FlatState& s, double h) const;
  /// Throws InvalidArgument for a state that does not fit; with a projection also when p is not
  /// θ(t, q), which the steps would silently change.
  Memory memory(const FlatState& s) const;
  FlatState step(const FlatState& s, double h, Memory& memory) const {
    return steps(s, h, 1, memory);
  }
  /// The given number of steps: to the bit what so many calls of step() give. Throws DomainError where
  /// dθ is singular or H has no value, NoConvergence when a step was not solved.
  FlatState steps(FlatState s, double h, long count, Memory& memory) const;

 private:
  void check_coordinates(double t, const Vector<double, Dynamic>& q) const;

  detail::OneFormStep<detail::KernelForm> step_;
};

}  // namespace varia
