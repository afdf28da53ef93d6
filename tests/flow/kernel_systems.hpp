// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Small KernelSystems from text, for tests of flows whose sizes are known at run time.
#include <memory>
#include <string>
#include <vector>

#include "varia/expr/derivative.hpp"
#include "varia/expr/parse.hpp"
#include "varia/flow/stage_flow.hpp"

namespace varia::kernel_systems {

/// L = ½vᵀMv - V(t, q) with coordinates q[1..n], velocities v[1..n], and forces as text.
class Builder {
 public:
  Builder(Eigen::MatrixXd mass, const std::string& potential)
      : n_(static_cast<int>(mass.rows())), mass_(std::move(mass)) {
    std::vector<expr::Id> q;
    std::vector<expr::Id> v;
    for (int i = 0; i < n_; ++i) q.push_back(g_.variable(1 + i));
    for (int i = 0; i < n_; ++i) v.push_back(g_.variable(1 + n_ + i));
    scope_.add("t", g_.variable(0));
    scope_.add_array("q", 1, q);
    scope_.add_array("v", 1, v);
    potential_ = expr::parse(g_, scope_, potential);
    kinetic_ = g_.constant(0.0);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j)
        kinetic_ = g_.add(kinetic_, g_.mul(g_.constant(0.5 * mass_(i, j)),
                                           g_.mul(v[std::size_t(i)], v[std::size_t(j)])));
  }

  Builder& force(const std::vector<std::string>& components) {
    for (const auto& text : components) force_.push_back(expr::parse(g_, scope_, text));
    return *this;
  }

  /// A Lagrangian of another form: with a term that is not separable.
  Builder& add(const std::string& term) {
    kinetic_ = g_.add(kinetic_, expr::parse(g_, scope_, term));
    separable_ = false;
    return *this;
  }

  std::shared_ptr<KernelSystem> build() {
    auto f = std::make_shared<KernelSystem>(ProductSpace({euclidean(n_)}));
    f->separable = separable_;
    std::vector<int> variables;
    for (int i = 1; i <= 2 * n_; ++i) variables.push_back(i);
    const expr::Id lagrangian = g_.sub(kinetic_, potential_);
    const auto gradient = expr::gradient(g_, lagrangian, variables);
    auto outputs = gradient;
    f->second = pattern(expr::hessian(g_, gradient, variables), outputs);
    f->value = kernel({lagrangian}, 1 + 2 * n_);
    f->gradient = kernel(gradient, 1 + 2 * n_);
    f->hessian = kernel(outputs, 1 + 2 * n_);
    if (separable_) {
      std::vector<int> q(variables.begin(), variables.begin() + n_);
      f->potential_gradient = kernel(expr::gradient(g_, potential_, q), 1 + n_);
      const Eigen::MatrixXd diagonal = mass_.diagonal().asDiagonal();
      if (mass_ == diagonal)
        for (int i = 0; i < n_; ++i) f->mass_diagonal.push_back(mass_(i, i));
      else
        f->mass = mass_;
    }
    const auto used = expr::variables_of(g_, potential_);
    f->uses_time = !used.empty() && used.front() == 0;
    if (force_.empty()) return f;
    f->forced = true;
    f->force = kernel(force_, 1 + 2 * n_);
    auto with = force_;
    f->force_pattern = pattern(expr::jacobian(g_, force_, variables), with);
    f->force_derivative = kernel(with, 1 + 2 * n_);
    return f;
  }

 private:
  expr::Kernel kernel(const std::vector<expr::Id>& outputs, int inputs) const {
    return expr::Kernel(std::make_shared<const expr::Tape>(g_, outputs, inputs));
  }
  static Pattern pattern(const std::vector<expr::Entry>& entries, std::vector<expr::Id>& outputs) {
    Pattern p;
    for (const auto& e : entries) {
      p.row.push_back(e.row);
      p.column.push_back(e.column);
      outputs.push_back(e.value);
    }
    return p;
  }

  int n_;
  Eigen::MatrixXd mass_;
  expr::Graph g_;
  expr::Scope scope_;
  expr::Id potential_ = 0, kinetic_ = 0;
  std::vector<expr::Id> force_;
  bool separable_ = true;
};

inline Eigen::MatrixXd unit_mass(int n) { return Eigen::MatrixXd::Identity(n, n); }

/// Positions q and velocities v with mass M, at time 0.
inline VectorState state(const KernelSystem& f, const Vn& q, const Vn& v) {
  const Vn p = f.mass_diagonal.empty()
                   ? Vn(f.mass * v)
                   : Vn(Eigen::Map<const Vn>(f.mass_diagonal.data(), f.n).cwiseProduct(v));
  return detail::make_state<Vn, Dynamic>(0.0, q, p, 0);
}

/// The particle of [West04]: V = |q|²(|q|² - 1)² in the plane, unit mass.
inline std::shared_ptr<KernelSystem> ring(const std::vector<std::string>& force = {}) {
  return Builder(unit_mass(2), "(q[1]^2 + q[2]^2)*(q[1]^2 + q[2]^2 - 1)^2").force(force).build();
}
inline VectorState ring_start(const KernelSystem& f) {
  return state(f, Vector<double, 2>(1.0, 0.0), Vector<double, 2>(0.3, 0.7));
}

/// Two coupled pendulums with a mass matrix that is not diagonal.
inline std::shared_ptr<KernelSystem> coupled(const std::vector<std::string>& force = {}) {
  Eigen::MatrixXd mass(2, 2);
  mass << 1.5, 0.4, 0.4, 0.8;
  return Builder(mass, "1.2*(1 - cos(q[1])) + (1 - cos(q[2])) + 0.3*(q[1] - q[2])^2 + 0.2*q[1]^4")
      .force(force)
      .build();
}
inline VectorState coupled_start(const KernelSystem& f) {
  return state(f, Vector<double, 2>(0.8, -0.5), Vector<double, 2>(0.3, 0.4));
}

}  // namespace varia::kernel_systems
