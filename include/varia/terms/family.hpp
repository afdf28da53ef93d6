// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A system is a sum of local terms V_K(x_K, t) [LMOW03]; a family is many terms of one kind.
//
// A term has a few nodes. The first `corners` of them decide which terms are neighbours: two terms
// that share any node must share one of these. Acting at time t with weight w is
//
//   (AVI-drift)  x_a ← x_a + v_a (t - τ_a), τ_a ← t            for the nodes a of the term
//   (AVI-kick)   v_a ← v_a - w ∂V_K/∂x_a(x_K, t) / m_a         w = t_K^j - t_K^(j-1)
//
// A kind of term is a class derived from FamilyOf<Kind, D, N> with two functions on doubles,
// energy_of and gradient_of (and rate_of where the energy depends on time); the loop around the kernel is compiled with it, once.
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "varia/core/error.hpp"
#include "varia/terms/node.hpp"
#include "varia/terms/support.hpp"

namespace varia::terms {

inline constexpr int max_nodes = 10;  ///< of one term

/// Positions of the nodes of any term.
template <int D> inline constexpr std::size_t max_numbers = static_cast<std::size_t>(max_nodes) * D;

namespace detail {

/// f(0), ..., f(N - 1) without a loop.
template <int N, class F> [[gnu::always_inline]] inline void unrolled(const F& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) { (f(I), ...); }
  (std::make_integer_sequence<int, N>{});
}

}  // namespace detail

/// An element was turned inside out (J <= 0) or squeezed flat: its energy has no value there.
struct InvertedElement : DomainError {
  InvertedElement(const std::string& what, long which, double when)
      : DomainError(what), element(which), t(when) {}
  long element;  ///< as its user numbers it
  double t;
};

/// A motion left the finite numbers: its steps are too large for it.
struct Divergence : DomainError {
  Divergence(const std::string& what, long which, double when)
      : DomainError(what), node(which), t(when) {}
  long node;
  double t;
};

/// Dead loads of the terms of a family: V_K gets -Σ_a f_a(t)·x_a.
template <int D> class Load {
 public:
  virtual ~Load() = default;
  /// Adds to f the forces on the nodes of term k.
  virtual void add(int k, double t, double* f) const = 0;
  /// Adds their rates of change in time.
  virtual void add_rate(int k, double t, double* rate) const = 0;
};

template <int D> class Family {
 public:
  virtual ~Family() = default;
  virtual const char* kind() const = 0;
  virtual int size() const = 0;
  virtual int nodes_per_term() const = 0;
  virtual int corners() const = 0;
  /// The nodes of all terms, nodes_per_term() each.
  virtual const int* nodes() const = 0;
  const int* nodes(int k) const {
    return nodes() + static_cast<std::ptrdiff_t>(k) * nodes_per_term();
  }

  /// V_K and its derivatives at positions x of the nodes of term k, D numbers a node; loads included.
  virtual double energy(int k, const double* x, double t) const = 0;
  virtual void gradient(int k, const double* x, double t, double* g) const = 0;
  /// ∂V_K/∂t, of the kind of term (rate_of, if it has one) and of the loads.
  virtual double energy_rate(int k, const double* x, double t) const = 0;

  /// (AVI-drift) and (AVI-kick) on the nodes of the system.
  virtual void act(int k, double t, double weight, Node<D>* nodes, Supports<D>& supports) const = 0;
  /// The two halves, for those who look between them.
  virtual void drift(int k, double t, Node<D>* nodes, const Supports<D>& supports) const = 0;
  virtual void kick(int k, double t, double weight, Node<D>* nodes,
                    Supports<D>& supports) const = 0;

  /// Where the numbers lie that the gradient of term k reads, so that they can be fetched in advance.
  struct Numbers {
    const char* begin = nullptr;
    std::size_t stride = 0;  ///< bytes a term
  };
  virtual Numbers numbers() const { return {}; }

  void set_load(std::shared_ptr<const Load<D>> load) { load_ = std::move(load); }
  const Load<D>* load() const { return load_.get(); }

 protected:
  std::shared_ptr<const Load<D>> load_;
};

template <class Kind, int D, int N, int Corners = N, class Base = Family<D>>
class FamilyOf : public Base {
  static_assert(N >= 1 && N <= max_nodes && Corners >= 1 && Corners <= N);
  static constexpr std::size_t numbers_of_term = static_cast<std::size_t>(N) * D;

 public:
  using Terms = std::vector<std::array<int, N>>;

  int size() const final { return static_cast<int>(terms_.size()); }
  int nodes_per_term() const final { return N; }
  int corners() const final { return Corners; }
  const int* nodes() const final { return terms_.empty() ? nullptr : terms_.front().data(); }
  using Family<D>::nodes;

  double energy(int k, const double* x, double t) const final {
    double value = self().energy_of(k, x, t);
    if (this->load_) {
      std::array<double, numbers_of_term> f{};
      this->load_->add(k, t, f.data());
      for (int i = 0; i < N * D; ++i) value -= f[i] * x[i];
    }
    return value;
  }
  double energy_rate(int k, const double* x, double t) const final {
    double value = 0.0;
    if constexpr (requires { self().rate_of(k, x, t); }) value = self().rate_of(k, x, t);
    if (this->load_) {
      std::array<double, numbers_of_term> rate{};
      this->load_->add_rate(k, t, rate.data());
      for (int i = 0; i < N * D; ++i) value -= rate[i] * x[i];
    }
    return value;
  }
  void gradient(int k, const double* x, double t, double* g) const final { loaded(k, x, t, g); }

  void act(int k, double t, double weight, Node<D>* nodes, Supports<D>& supports) const final {
    const std::array<int, N>& term = terms_[k];
    double x[N * D], g[N * D];
    detail::unrolled<N>([&](int a) {
      Node<D>& node = nodes[term[a]];
      terms::drift(node, t);
      if (node.inverse_mass < 0.0) [[unlikely]]
        place(supports.of(term[a]), node, t);
      detail::unrolled<D>([&](int c) { x[a * D + c] = node.x[c]; });
    });
    loaded(k, x, t, g);
    strike(term, weight, g, nodes, supports);
  }
  void drift(int k, double t, Node<D>* nodes, const Supports<D>& supports) const final {
    for (const int a : terms_[k]) {
      terms::drift(nodes[a], t);
      if (nodes[a].inverse_mass < 0.0) place(supports.of(a), nodes[a], t);
    }
  }
  void kick(int k, double t, double weight, Node<D>* nodes, Supports<D>& supports) const final {
    double x[N * D], g[N * D];
    for (int a = 0; a < N; ++a)
      for (int c = 0; c < D; ++c) x[a * D + c] = nodes[terms_[k][a]].x[c];
    loaded(k, x, t, g);
    strike(terms_[k], weight, g, nodes, supports);
  }

 protected:
  explicit FamilyOf(Terms terms) : terms_(std::move(terms)) {}
  const Terms& terms() const { return terms_; }

 private:
  const Kind& self() const { return static_cast<const Kind&>(*this); }

  void loaded(int k, const double* x, double t, double* g) const {
    self().gradient_of(k, x, t, g);
    if (this->load_) [[unlikely]] {
      std::array<double, numbers_of_term> f{};
      this->load_->add(k, t, f.data());
      for (int i = 0; i < N * D; ++i) g[i] -= f[i];
    }
  }
  [[gnu::always_inline]] void strike(const std::array<int, N>& term, double weight, const double* g,
                                     Node<D>* nodes, Supports<D>& supports) const {
    detail::unrolled<N>([&](int a) {
      Node<D>& node = nodes[term[a]];
      if (node.inverse_mass < 0.0) [[unlikely]] {
        terms::kick(supports.of(term[a]), node, weight, g + static_cast<std::ptrdiff_t>(a) * D);
        return;
      }
      const double scale = weight * node.inverse_mass;
      detail::unrolled<D>([&](int c) { node.v[c] -= scale * g[a * D + c]; });
    });
  }

  Terms terms_;
};

}  // namespace varia::terms
