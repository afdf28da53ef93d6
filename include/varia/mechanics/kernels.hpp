// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A system stated as callables as a system of kernels: what the engine sees of it.
//
//   const auto kernels = kernels_of(system, q);   // on points like q
//
// L, force and constraints are differentiated by jets; what is instantiated for a callable are its
// derivatives, not the integrators.
#include <memory>
#include <type_traits>
#include <utility>

#include "varia/core/index.hpp"
#include "varia/core/unrolled.hpp"
#include "varia/mechanics/constraint.hpp"
#include "varia/mechanics/kernel_system.hpp"
#include "varia/mechanics/lagrangian.hpp"
#include "varia/mechanics/legendre.hpp"
#include "varia/space/entries.hpp"

namespace varia {

namespace detail {

/// The functions of a system on points like one.
template <class S, Point Q> class Callables {
  using V = Tangent<Q>;
  using Map = TangentMap<Q>;
  static constexpr int N = dof<Q>;
  static constexpr int D = S::template constraints<Q>();

 public:
  Callables(std::shared_ptr<const S> system, const Q& like)
      : system_(std::move(system)),
        like_(like),
        n_(Space<Q>::dim(like)),
        entries_(Entries<Q>::count(like)),
        d_(constraint_count(*system_, like)) {
    if constexpr (S::rolls) {
      e_ = system_->nonholonomic().count_at(like);
      space_ = space_of(like);
    }
  }

  static std::shared_ptr<KernelSystem> kernels(const std::shared_ptr<const Callables>& self) {
    auto f = system_on(space_of(self->like_));
    const auto kernel = [&](expr::Kernel::Function function) {
      return expr::Kernel(self, function);
    };
    f->value = kernel(value);
    f->gradient = kernel(gradient);
    f->hessian = kernel(hessian);
    self->each_second([&](int i, int j) { add(f->second, i, j); });
    if constexpr (S::separable) self->set_mass(*f);
    if constexpr (S::separable && Space<Q>::is_vector_space)
      f->potential_gradient = kernel(potential_gradient);
    f->uses_time = S::LagrangianType::template uses_time<Q>;
    if constexpr (!S::separable)
      if (f->uses_time) f->mass_rate = kernel(mass_rate);
    if constexpr (S::forced) {
      f->forced = true;
      f->force = kernel(force);
      f->force_derivative = kernel(force_derivative);
      for (int i = 0; i < self->n(); ++i)
        for (int j = 0; j < 2 * self->n(); ++j) add(f->force_pattern, i, j);
    }
    if (f->uses_time || S::forced) f->rates = kernel(rates);
    f->d = self->d_;
    if constexpr (may_constrain<D>) {
      f->constraint = kernel(constraint);
      if constexpr (may_use_time<std::decay_t<decltype(self->system_->constraint())>, Q>) {
        f->constraint_rate = kernel(constraint_rate);
        f->constraint_rates = kernel(constraint_rates);
        f->uses_time = true;
      }
      f->constraint_curvature = kernel(constraint_curvature);
      f->constraint_acceleration = kernel(constraint_acceleration);
      for (int a = 0; a < self->d(); ++a)
        for (int j = 0; j < self->n(); ++j) add(f->constraint_pattern, a, j);
      for (int i = 0; i < self->n(); ++i)
        for (int j = 0; j <= i; ++j) add(f->curvature_pattern, i, j);
    }
    if constexpr (S::rolls) self->set_nonholonomic(*f, kernel);
    return f;
  }

 private:
  template <class Make> void set_nonholonomic(KernelSystem& f, const Make& kernel) const {
    f.e = e_;
    f.nonholonomic = kernel(nonholonomic);
    f.chetaev = kernel(chetaev);
    f.chetaev_derivative = kernel(chetaev_derivative);
    const auto full = [&](Pattern& pattern, int rows) {
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < 2 * n(); ++j) add(pattern, i, j);
    };
    full(f.nonholonomic_pattern, e_);
    full(f.chetaev_pattern, n());
    if constexpr (std::decay_t<decltype(system_->nonholonomic())>::template uses_time<Q>) {
      f.nonholonomic_rate = kernel(nonholonomic_rate);
      f.nonholonomic_rates = kernel(nonholonomic_rates);
      f.uses_time = true;
    }
    if constexpr (may_constrain<D>) {
      f.hidden = kernel(hidden);
      full(f.hidden_pattern, d());
    }
  }

  static const Callables& of(const void* self) { return *static_cast<const Callables*>(self); }
  static void add(Pattern& pattern, int i, int j) {
    pattern.row.push_back(i);
    pattern.column.push_back(j);
  }
  /// Constants to the compiler where they are.
  int n() const { return N == Dynamic ? n_ : N; }
  int d() const { return D == Dynamic ? d_ : D; }

  Q point(const double* x) const {
    Q q = like_;
    Entries<Q>::read(x, q);
    return q;
  }
  V vector(const double* x) const { return Eigen::Map<const V>(x, n()); }
  V velocity(const double* x) const { return vector(x + 1 + entries_); }
  static double* put(const V& v, double* out) {
    for (Eigen::Index i = 0; i < v.size(); ++i) *out++ = v[i];
    return out;
  }

  /// Whether masses have no entries off the diagonal.
  static constexpr bool diagonal_mass() {
    if constexpr (S::separable)
      return std::decay_t<decltype(std::declval<const S&>().lagrangian().mass())>::diagonal;
    else
      return false;
  }
  /// Whether entry (i, j) of the lower triangle of ∂²L/∂(q, v)² may be nonzero.
  static constexpr bool has_second(int n, int i, int j) {
    if (i < n) return j <= i;
    return j <= i && (!S::separable || j >= n) && (!diagonal_mass() || i == j);
  }
  /// Those entries in their order; without a loop where they are few.
  template <class F> void each_second(const F& f) const {
    if constexpr (N == 1 || N == 2 || N == 3) {
      unrolled<2 * N>([&](int i) {
        unrolled<2 * N>([&](int j) {
          if (has_second(N, i, j)) f(i, j);
        });
      });
    } else {
      for (int i = 0; i < 2 * n(); ++i)
        for (int j = 0; j <= i; ++j)
          if (has_second(n(), i, j)) f(i, j);
    }
  }

  static void value(const void* self, const double* x, double* out) {
    const Callables& s = of(self);
    *out = s.system_->lagrangian()(x[0], s.point(x + 1), s.velocity(x));
  }
  [[gnu::flatten]] static void gradient(const void* self, const double* x, double* out) {
    const Callables& s = of(self);
    GradientOf<Q> g;
    s.system_->lagrangian().gradient(x[0], s.point(x + 1), s.velocity(x), g);
    put(g.v, put(g.q, out));
  }
  [[gnu::flatten]] static void hessian(const void* self, const double* x, double* out) {
    const Callables& s = of(self);
    const int n = s.n();
    GradientOf<Q> g;
    HessianOf<Q> h;
    s.system_->lagrangian().hessian(x[0], s.point(x + 1), s.velocity(x), g, h);
    out = put(g.v, put(g.q, out));
    s.each_second([&](int i, int j) {
      *out++ = i < n ? h.qq(i, j) : j < n ? h.qv(j, i - n) : h.vv(i - n, j - n);
    });
  }
  static void mass_rate(const void* self, const double* x, double* out) {
    const Callables& s = of(self);
    const Q q = s.point(x + 1);
    const V v = s.velocity(x);
    const auto p = [&](double t) { return Vn(momentum(*s.system_, q, v, t)); };
    Eigen::Map<Vn>(out, s.n()) = in_time(x[0], p);
  }
  /// ∂f/∂t of a vector by central differences, extrapolated: a callable takes t as a double.
  template <class F> static Vn in_time(double t, const F& f) {
    const auto slope = [&](double dt) { return Vn((f(t + dt) - f(t - dt)) / (2.0 * dt)); };
    const auto better = [&](double dt) { return Vn((4.0 * slope(0.5 * dt) - slope(dt)) / 3.0); };
    const double dt = 1e-3 * (1.0 + std::abs(t));
    return (16.0 * better(0.5 * dt) - better(dt)) / 15.0;
  }

  static void rates(const void* self, const double* x, double* out) {
    const Callables& s = of(self);
    const Q q = s.point(x + 1);
    const V v = s.velocity(x);
    const auto both = [&](double t) {
      GradientOf<Q> g;
      s.system_->lagrangian().gradient(t, q, v, g);
      if constexpr (S::forced) {
        V f = V::Zero(s.n());
        s.system_->force().value(t, q, v, f);
        g.q += f;
      }
      Vn result(2 * s.n());
      result << g.q, g.v;
      return result;
    };
    Eigen::Map<Vn>(out, 2 * s.n()) = in_time(x[0], both);
  }
  static void potential_gradient(const void* self, const double* x, double* out) {
    const Callables& s = of(self);
    V g = V::Zero(s.n());
    s.system_->lagrangian().potential().gradient(x[0], s.point(x + 1), g);
    put(g, out);
  }
  void set_mass(KernelSystem& f) const {
    system_->lagrangian().mass().check(n());
    f.separable = Space<Q>::is_vector_space;
    Map m = Map::Zero(n(), n());
    system_->lagrangian().mass().fill(m);
    if (diagonal_mass())
      for (int i = 0; i < n(); ++i) f.mass_diagonal.push_back(m(i, i));
    else
      f.mass = m;
  }

  static void force(const void* self, const double* x, double* out) {
    const Callables& s = of(self);
    V f = V::Zero(s.n());
    s.system_->force().value(x[0], s.point(x + 1), s.velocity(x), f);
    put(f, out);
  }
  [[gnu::flatten]] static void force_derivative(const void* self, const double* x, double* out) {
    const Callables& s = of(self);
    V f;
    Map fq;
    Map fv;
    s.system_->force().derivative(x[0], s.point(x + 1), s.velocity(x), f, fq, fv);
    out = put(f, out);
    for (int i = 0; i < s.n(); ++i) {
      for (int j = 0; j < s.n(); ++j) *out++ = fq(i, j);
      for (int j = 0; j < s.n(); ++j) *out++ = fv(i, j);
    }
  }

  static void constraint(const void* self, const double* x, double* out) {
    const Callables& s = of(self);
    Vector<double, D> phi;
    Matrix<double, D, N> g;
    constraint_jacobian(s.system_->constraint(), x[0], s.point(x + 1), s.d(), phi, g);
    for (int a = 0; a < s.d(); ++a) *out++ = phi[a];
    for (int a = 0; a < s.d(); ++a)
      for (int j = 0; j < s.n(); ++j) *out++ = g(a, j);
  }
  static void constraint_rate(const void* self, const double* x, double* out) {
    const Callables& s = of(self);
    const Vector<double, D> rate = s.system_->constraint().rate(x[0], s.point(x + 1));
    for (int a = 0; a < s.d(); ++a) out[a] = rate[a];
  }
  static void constraint_rates(const void* self, const double* x, double* out) {
    const Callables& s = of(self);
    const Q q = s.point(x + 1);
    const V v = s.velocity(x);
    const Vn lambda = Eigen::Map<const Vn>(x + 1 + s.entries_ + s.n(), s.d());
    const auto terms = [&](double t) {
      Vector<double, D> phi;
      Matrix<double, D, N> g;
      constraint_jacobian(s.system_->constraint(), t, q, s.d(), phi, g);
      const Vn hidden = g * v + s.system_->constraint().rate(t, q);
      const Vn reaction = g.transpose() * lambda;
      Vn all(2 * s.d() + s.n());
      all << phi, hidden, reaction;
      return all;
    };
    Eigen::Map<Vn>(out, 2 * s.d() + s.n()) = in_time(x[0], terms);
  }
  static void constraint_curvature(const void* self, const double* x, double* out) {
    const Callables& s = of(self);
    Vector<double, D> phi;
    Matrix<double, D, N> g;
    Map second;
    const Vector<double, D> lambda = Eigen::Map<const Vector<double, D>>(x + 1 + s.entries_, s.d());
    s.system_->constraint().hessian(x[0], s.point(x + 1), lambda, phi, g, second);
    for (int i = 0; i < s.n(); ++i)
      for (int j = 0; j <= i; ++j) *out++ = second(i, j);
  }
  static void constraint_acceleration(const void* self, const double* x, double* out) {
    const Callables& s = of(self);
    const Vector<double, D> rate =
        acceleration_along(s.system_->constraint(), x[0], s.point(x + 1), s.velocity(x));
    for (int a = 0; a < s.d(); ++a) out[a] = rate[a];
  }

  /// (Φ, ∂Φ/∂(q, v))
  static void nonholonomic(const void* self, const double* x, double* out) {
    const Callables& s = of(self);
    const auto& phi = s.system_->nonholonomic();
    const Q q = s.point(x + 1);
    const V v = s.velocity(x);
    double* slopes = out + s.e_;
    for (int a = 0; a < s.e_; ++a) {
      const Vn unit = Vn::Unit(s.e_, a);
      out[a] = phi.at(x[0], q, v, a);
      GradientOf<Q> g;
      phi.paired(unit).gradient(x[0], q, v, g);
      slopes = put(g.v, put(g.q, slopes));
    }
  }
  static void nonholonomic_rate(const void* self, const double* x, double* out) {
    const Callables& s = of(self);
    const Q q = s.point(x + 1);
    const V v = s.velocity(x);
    const auto phi = [&](double t) {
      Vn values(s.e_);
      for (int a = 0; a < s.e_; ++a) values[a] = s.system_->nonholonomic().at(t, q, v, a);
      return values;
    };
    Eigen::Map<Vn>(out, s.e_) = in_time(x[0], phi);
  }
  static void nonholonomic_rates(const void* self, const double* x, double* out) {
    const Callables& s = of(self);
    const Q q = s.point(x + 1);
    const V v = s.velocity(x);
    const Vn lambda = s.multipliers(x);
    const auto& phi = s.system_->nonholonomic();
    const auto terms = [&](double t) {
      Vn all(s.e_ + s.n());
      for (int a = 0; a < s.e_; ++a) all[a] = phi.at(t, q, v, a);
      GradientOf<Q> g;
      phi.paired(lambda).gradient(t, q, v, g);
      all.tail(s.n()) = g.v;
      return all;
    };
    Eigen::Map<Vn>(out, s.e_ + s.n()) = in_time(x[0], terms);
  }
  Vn multipliers(const double* x) const { return Eigen::Map<const Vn>(x + 1 + entries_ + n(), e_); }
  /// f + (∂Φ/∂v)ᵀΛ
  static void chetaev(const void* self, const double* x, double* out) {
    const Callables& s = of(self);
    const Vn lambda = s.multipliers(x);
    GradientOf<Q> g;
    s.system_->nonholonomic().paired(lambda).gradient(x[0], s.point(x + 1), s.velocity(x), g);
    if constexpr (S::forced) {
      force(self, x, out);
      g.v += s.vector(out);
    }
    put(g.v, out);
  }
  static void chetaev_derivative(const void* self, const double* x, double* out) {
    const Callables& s = of(self);
    const int n = s.n();
    const Vn lambda = s.multipliers(x);
    GradientOf<Q> g;
    HessianOf<Q> h;
    s.system_->nonholonomic().paired(lambda).hessian(x[0], s.point(x + 1), s.velocity(x), g, h);
    if constexpr (S::forced)
      force_derivative(self, x, out);
    else
      std::fill_n(out, n + 2 * n * n, 0.0);
    for (int i = 0; i < n; ++i) *out++ += g.v[i];
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) *out++ += h.qv(j, i);
      for (int j = 0; j < n; ++j) *out++ += h.vv(j, i);
    }
  }
  /// G v + ∂φ/∂t, and its derivatives φ″(v, δ) + ∂²φ/∂t∂q δ + ½G ad_δ v and G.
  static void hidden(const void* self, const double* x, double* out) {
    const Callables& s = of(self);
    const int n = s.n();
    const Q q = s.point(x + 1);
    const V v = s.velocity(x);
    const auto jacobian = [&](double t) {
      Vector<double, D> phi;
      Matrix<double, D, N> g;
      constraint_jacobian(s.system_->constraint(), t, q, s.d(), phi, g);
      return g;
    };
    const Matrix<double, D, N> g = jacobian(x[0]);
    Vector<double, D> rates = g * v;
    Eigen::MatrixXd mixed = Eigen::MatrixXd::Zero(s.d(), n);
    if constexpr (may_use_time<std::decay_t<decltype(s.system_->constraint())>, Q>) {
      rates += s.system_->constraint().rate(x[0], q);
      for (int a = 0; a < s.d(); ++a)
        mixed.row(a) = in_time(x[0], [&](double t) { return Vn(jacobian(t).row(a)); });
    }
    for (int a = 0; a < s.d(); ++a) *out++ = rates[a];
    for (int a = 0; a < s.d(); ++a) {
      const Vector<double, D> unit = Vn::Unit(s.d(), a);
      Vector<double, D> phi;
      Matrix<double, D, N> again;
      Map second;
      s.system_->constraint().hessian(x[0], q, unit, phi, again, second);
      V row = second * v + V(mixed.row(a));
      const V covector = g.row(a);
      for (const auto& c : s.space_.curved()) {
        FactorChart::Map ad;
        c.factor->ad_star(covector.data() + c.degree, ad);
        for (int i = 0; i < c.dof; ++i)
          for (int j = 0; j < c.dof; ++j)
            row[c.degree + j] += 0.5 * ad[i * c.dof + j] * v[c.degree + i];
      }
      out = put(covector, put(row, out));
    }
  }

  std::shared_ptr<const S> system_;
  Q like_;
  int n_, entries_, d_;
  int e_ = 0;
  ProductSpace space_;  ///< of a system with nonholonomic constraints
};

}  // namespace detail

/// The kernels share the system.
template <class S, Point Q>
std::shared_ptr<const KernelSystem> kernels_of(std::shared_ptr<const S> system, const Q& like) {
  if constexpr (requires { system->shared_system(); })
    return system->shared_system();
  else {
    using Callables = detail::Callables<S, Q>;
    return Callables::kernels(std::make_shared<const Callables>(std::move(system), like));
  }
}

/// For as long as the system lives.
template <class S, Point Q>
std::shared_ptr<const KernelSystem> kernels_of(const S& system, const Q& like) {
  return kernels_of(std::shared_ptr<const S>(std::shared_ptr<const S>(), &system), like);
}

}  // namespace varia
