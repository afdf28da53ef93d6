// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the errors of a run are measured against: sizes of the system itself, which do not change when a
// constant is added to L, a constraint is written in other units, or the origin is moved.
//
//   K = E - V, V = -L(t, q, 0)         kinetic and potential energy, for any L (of H: V = H(t, q, 0))
//   exchanged = max(max |K|, max V - min V)
//   swing = max(Σ (max pᵢvᵢ - min pᵢvᵢ)/2, max V - min V)   what a steady motion carries is not in it
//   parts of a momentum = Σ |pᵢ ξᵢ|
//   distance from a constraint = |φ| / |G|, against the size of the coordinates in it
//   fastest frequency: the largest |ω| of M δq̈ + (L_vq - L_qv) δq̇ - L_qq δq = 0 at the records, M = 0 of
//                      L = θ v - H, and the largest |eigenvalue| of ad*_v: how fast points of curved
//                      spaces turn
//   fastest rate: the λ of largest |λ| of the same equation with the forces, -f_v δq̇ - f_q δq on its left
//   work of the forces = ∫ f v dt by the trapezoidal rule where every step is recorded; its doubt is
//                      how far the rule over every second record is from it
#include <vector>

#include "varia/core/saved_numbers.hpp"
#include "varia/io/model.hpp"
#include "varia/io/stepper.hpp"
#include "varia/io/summary.hpp"

namespace varia::io {

/// Largest values over the records so far; a checkpoint keeps them.
class Scales {
 public:
  explicit Scales(const Model& model);

  /// One more record, with its energy.
  void add(const Snapshot& s, double energy);

  /// The energy that is exchanged between motion and place.
  double exchanged() const;
  /// The part of it that changes during the run.
  double swing() const;
  double lowest_kinetic() const { return kinetic_min_; }
  /// The largest sum of sizes of the terms that make up the energy: its round-off is ε times this.
  double energy_terms() const { return energy_terms_; }
  /// The parts of each momentum of the model.
  const std::vector<double>& momenta() const { return momenta_; }
  /// Distance from the constraints, and the speed away from them; relative.
  double position_defect() const { return position_; }
  double velocity_defect() const;
  /// Largest frequency of small motions about the records; 0 where it is not known.
  double frequency() const { return frequency_; }

  void fill(Summary& summary) const;
  void exchange(SavedNumbers& numbers);

 private:
  double exchanged_by_slopes() const;
  double add_moving(const Snapshot& s);
  void add_energy(const Snapshot& s, double energy);
  void add_degenerate(const Snapshot& s);
  void add_momenta(const Snapshot& s);
  void add_constraints(const Snapshot& s);
  void add_rolling(const Snapshot& s);
  bool works() const;
  double power(const Snapshot& s);
  void add_work(const Snapshot& s, double energy);
  void add_frequency(const Snapshot& s);
  void add_force_slopes(Eigen::MatrixXd& stiffness, Eigen::MatrixXd& gyroscopic);
  bool frequency_is_due();

  const Model* model_;
  long count_ = 0;
  double kinetic_ = 0.0, kinetic_min_ = 0.0, potential_min_ = 0.0, potential_max_ = 0.0;
  double energy_terms_ = 0.0, position_ = 0.0, away_ = 0.0, speed_ = 0.0, frequency_ = 0.0;
  double growth_ = 0.0, turn_ = 0.0;                   ///< λ, with forces
  double pairing_ = 0.0;                               ///< largest |pᵢ vᵢ|
  double multiplier_defect_ = 0.0, multiplier_ = 0.0;  ///< of nonholonomic constraints
  /// Work of the forces by all records and by every second; the record before and the one before it.
  struct Work {
    double by_all = 0.0, by_second = 0.0, t = 0.0, t_second = 0.0, power = 0.0, power_second = 0.0;
    double energy = 0.0;  ///< at the start
    double most_power = 0.0;
    double defect = 0.0, doubt = 0.0;  ///< largest |E - E₀ - work|, and how far the two differ
  } work_;
  std::vector<double> momenta_;
  std::vector<double> moving_min_, moving_max_;   ///< pᵢ vᵢ
  std::vector<double> slope_, lowest_, highest_;  ///< |∂H/∂q| and q, of (degenerate) alone
  std::vector<double> x_, out_;
};

}  // namespace varia::io
