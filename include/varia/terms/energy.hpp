// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Energies of an asynchronous motion.
//
//   (AVI-energy)  T_K^(j-) + V_K^j + (t_K^j - t_K^(j-1)) ∂V_K/∂t = T_K^(j+) + V_K^(j+1), a balance of [LMOW03]
//
// is the balance of one term between two of its updates, T_K^(j∓) the kinetic energy of its nodes with
// their total masses before and after the percussion. With fixed steps it holds only nearly: its
// residual, at once and added up, is the local measure of energy conservation. The global discrete
// energy counts every term at its own time, with the masses the term itself brings to its nodes.
#include <vector>

#include "varia/terms/gradient.hpp"
#include "varia/terms/schedule.hpp"

namespace varia::terms {

/// ½ Σ m_a |v_a|²
template <int D> double kinetic_energy(const System<D>& system, const std::vector<double>& v) {
  double sum = 0.0;
  for (std::size_t a = 0; a < system.masses().size(); ++a) {
    double square = 0.0;
    for (int c = 0; c < D; ++c) square += v[a * D + c] * v[a * D + c];
    sum += 0.5 * system.masses()[a] * square;
  }
  return sum;
}

/// Energy at one time.
template <int D> double energy(const System<D>& system, const Synchronised<D>& at) {
  return kinetic_energy(system, at.v) + potential_energy(system, at.x, at.t);
}

/// Watches (AVI-energy) for chosen terms.
template <int D> class LocalEnergy final : public Observer<D> {
 public:
  struct Balance {
    double residual = 0.0;     ///< of the last balance that is complete
    double accumulated = 0.0;  ///< sum of all residuals
    double largest = 0.0;      ///< of |residual|
    double worst = 0.0;        ///< of |accumulated|
    double energy = 0.0;       ///< largest T_K + V_K seen
    std::int64_t balances = 0;
  };

  /// Of the given terms; of all if the list is empty.
  LocalEnergy(const System<D>& system, const std::vector<int>& terms);

  void before(int term, double t, double weight, const State<D>& state) override;
  void after(int term, double t, double weight, const State<D>& state) override;

  /// By term; zero for those that are not watched.
  Balance balance(int term) const {
    return index_[static_cast<std::size_t>(term)] < 0 ? Balance{} : watched_[at(term)].balance;
  }
  /// The largest |accumulated| relative to the largest energy of its term.
  double worst_relative() const;

  /// All numbers, for a checkpoint, and back.
  std::vector<double> save() const;
  void load(const std::vector<double>& data);

 private:
  struct Watched {
    Balance balance;
    double left = 0.0;   ///< left side of the balance that began at the last update
    double after = 0.0;  ///< T_K^(j+) of it
    bool begun = false;
  };
  std::size_t at(int term) const { return static_cast<std::size_t>(index_[term]); }
  double kinetic(const Family<D>& family, int k, const State<D>& state) const;

  const System<D>& system_;
  std::vector<int> index_;  ///< of terms in watched_, -1: not watched
  std::vector<Watched> watched_;
};

/// Keeps the global discrete energy Σ_K (½ Σ_a m_Ka |v_a|² + V_K), each term at its own last time.
template <int D> class DiscreteEnergy final : public Observer<D> {
 public:
  /// masses: of the nodes of each term, family after family; their sums over terms are the node masses.
  DiscreteEnergy(const System<D>& system, const State<D>& start, std::vector<double> masses);
  void before(int term, double t, double weight, const State<D>& state) override;
  void after(int, double, double, const State<D>&) override {}
  double value() const;  ///< the sum, anew

 private:
  double of_term(int term, double t, const State<D>& state) const;

  const System<D>& system_;
  std::vector<double> masses_;
  std::vector<std::size_t> offset_;  ///< of the masses of a family
  std::vector<double> energies_;     ///< of the terms
};

}  // namespace varia::terms
