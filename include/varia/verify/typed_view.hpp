// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A KernelSystem as a System of callables over any scalar, on typed points, as the certificate tier
// and the checks take it. No integrator reads it.
//
// Evaluated over jets, L and φ come from the interpreter, so that a certificate shares no derivative
// formula with the equations it certifies.
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "varia/expr/tape_scalar.hpp"
#include "varia/mechanics/constraint.hpp"
#include "varia/mechanics/kernel_system.hpp"
#include "varia/mechanics/lagrangian.hpp"

namespace varia {

namespace detail {

/// Appends the numbers that describe q: its coordinates on ℝⁿ, the nine entries of a rotation.
template <class Q, class S> void append_entries(const Q& q, std::vector<S>& x) {
  if constexpr (requires { q.values(); })
    append_entries(q.values(), x);
  else
    for (Eigen::Index i = 0; i < q.size(); ++i) x.push_back(S(q[i]));
}

/// x = (t, entries of q, v) over the scalar of v.
template <class Q, class V> auto kernel_point(double t, const Q& q, const V& v) {
  using S = typename V::Scalar;
  std::vector<S> x{S(t)};
  append_entries(q, x);
  for (Eigen::Index i = 0; i < v.size(); ++i) x.push_back(v[i]);
  return x;
}

/// f(x) over any scalar.
template <class S> std::vector<S> evaluate(const expr::Kernel& f, const std::vector<S>& x) {
  std::vector<S> out(static_cast<std::size_t>(f.tape().outputs()));
  if constexpr (std::is_same_v<S, double>) {
    f(x.data(), out.data());
  } else {
    std::vector<S> work;
    f.tape().evaluate_as(x.data(), out.data(), work);
  }
  return out;
}

}  // namespace detail

class TypedLagrangian {
 public:
  static constexpr bool separable = false;
  explicit TypedLagrangian(std::shared_ptr<const KernelSystem> f) : f_(std::move(f)) {}

  template <class Q, class V> auto operator()(double t, const Q& q, const V& v) const {
    return detail::evaluate(f_->value, detail::kernel_point(t, q, v))[0];
  }
  template <Point Q>
  void gradient(double t, const Q& q, const Tangent<Q>& v, GradientOf<Q>& g) const {
    split(detail::evaluate(f_->gradient, detail::kernel_point(t, q, v)), g);
  }
  template <Point Q>
  void hessian(double t, const Q& q, const Tangent<Q>& v, GradientOf<Q>& g, HessianOf<Q>& h) const {
    const int n = f_->n;
    const auto out = detail::evaluate(f_->hessian, detail::kernel_point(t, q, v));
    split(out, g);
    h.qq.setZero(n, n);
    h.qv.setZero(n, n);
    h.vv.setZero(n, n);
    for (int e = 0; e < f_->second.size(); ++e) {
      const auto at = static_cast<std::size_t>(e);
      const int i = f_->second.row[at];
      const int j = f_->second.column[at];
      const double x = out[static_cast<std::size_t>(2 * n) + at];
      if (i < n)
        h.qq(i, j) = h.qq(j, i) = x;
      else if (j < n)
        h.qv(j, i - n) = x;
      else
        h.vv(i - n, j - n) = h.vv(j - n, i - n) = x;
    }
  }

 private:
  template <class G> void split(const std::vector<double>& out, G& g) const {
    g.q = Eigen::Map<const Vn>(out.data(), f_->n);
    g.v = Eigen::Map<const Vn>(out.data() + f_->n, f_->n);
  }

  std::shared_ptr<const KernelSystem> f_;
};

/// The force; zero where the system has none.
class TypedForce {
 public:
  explicit TypedForce(std::shared_ptr<const KernelSystem> f) : f_(std::move(f)) {}

  template <Point Q> void value(double t, const Q& q, const Tangent<Q>& v, Tangent<Q>& f) const {
    f.setZero(f_->n);
    if (f_->forced) {
      const auto out = detail::evaluate(f_->force, detail::kernel_point(t, q, v));
      f = Eigen::Map<const Vn>(out.data(), f_->n);
    }
  }

 private:
  std::shared_ptr<const KernelSystem> f_;
};

class TypedConstraint {
 public:
  explicit TypedConstraint(std::shared_ptr<const KernelSystem> f) : f_(std::move(f)), d_(f_->d) {}

  const std::optional<int>& declared_count() const { return d_; }
  template <class Q> int count_at(const Q&) const { return f_->d; }

  /// φ at a point; the scalar may be a jet, and so may t.
  template <class T, class Q> auto operator()(const T& t, const Q& q) const {
    using S = Scalar<Q>;
    Vector<S, Dynamic> phi(f_->d);
    if (f_->d == 0) return phi;
    const auto out = detail::evaluate(f_->constraint, point<S>(S(t), q));
    for (int a = 0; a < f_->d; ++a) phi[a] = out[static_cast<std::size_t>(a)];
    return phi;
  }
  /// ∂φ/∂t
  template <Point Q> Vn rate(double t, const Q& q) const {
    if (!f_->rheonomic()) return Vn::Zero(f_->d);
    return detail::rate_in_time(*this, t, q);
  }
  template <Point Q, int D>
  void jacobian(double t, const Q& q, Vector<double, D>& phi, Matrix<double, D, dof<Q>>& g) const {
    phi.setZero(f_->d);
    g.setZero(f_->d, f_->n);
    if (f_->d == 0) return;
    const auto out = detail::evaluate(f_->constraint, point<double>(t, q));
    for (int a = 0; a < f_->d; ++a) phi[a] = out[static_cast<std::size_t>(a)];
    for (int e = 0; e < f_->constraint_pattern.size(); ++e) {
      const auto at = static_cast<std::size_t>(e);
      g(f_->constraint_pattern.row[at], f_->constraint_pattern.column[at]) =
          out[static_cast<std::size_t>(f_->d) + at];
    }
  }

 private:
  template <class S, class Q> static std::vector<S> point(const S& t, const Q& q) {
    std::vector<S> x{t};
    detail::append_entries(q, x);
    return x;
  }

  std::shared_ptr<const KernelSystem> f_;
  std::optional<int> d_;
};

class TypedView {
 public:
  static constexpr bool separable = false;
  static constexpr bool forced = true;
  static constexpr bool constrained = true;
  static constexpr bool rolls = false;
  template <class Q> static constexpr int constraints() { return Dynamic; }
  template <class Q> static constexpr int multipliers() { return Dynamic; }

  explicit TypedView(const std::shared_ptr<const KernelSystem>& f)
      : system_(f), lagrangian_(f), force_(f), constraint_(f) {}

  /// Where kernels are enough.
  operator const KernelSystem&() const { return *system_; }  // NOLINT(google-explicit-constructor)
  const std::shared_ptr<const KernelSystem>& shared_system() const { return system_; }
  const TypedLagrangian& lagrangian() const { return lagrangian_; }
  const TypedForce& force() const { return force_; }
  const TypedConstraint& constraint() const { return constraint_; }
  template <class F> void for_each_symmetry(const F&) const {}

 private:
  std::shared_ptr<const KernelSystem> system_;
  TypedLagrangian lagrangian_;
  TypedForce force_;
  TypedConstraint constraint_;
};

namespace detail {

/// The system of a flow over any scalar.
template <class F> decltype(auto) typed_system(const F& flow) {
  if constexpr (requires { flow.shared_system(); })
    return TypedView(flow.shared_system());
  else
    return flow.system();
}

}  // namespace detail

}  // namespace varia
