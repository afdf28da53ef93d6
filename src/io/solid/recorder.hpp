// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What is recorded of a solid: centre of mass, energies at one time, momenta at the nodes' own times,
// probes; and the figures by which its momenta are judged.
#include <array>
#include <string>
#include <vector>

#include "laws.hpp"
#include "motion.hpp"
#include "varia/io/recorder.hpp"
#include "varia/solids/solid.hpp"

namespace varia::io {

/// How far a body has turned about the axis of its angular momentum at the start.
///
///   θ = atan2(Σ m n·(r0 × r), Σ m r0·r), r and r0 from the centre of mass and across the axis n
template <int D> class Rotation {
 public:
  explicit Rotation(const solids::Solid<D>& solid);
  /// Does the body spin at the start?
  bool spins() const { return spins_; }
  /// The angle at positions x, the nearest to `before` of those that differ by whole turns.
  double angle(const std::vector<double>& x, double before) const;

 private:
  using Plane = std::array<double, 2>;
  Plane projected(const double* x, const std::array<double, 3>& centre) const;

  const solids::Solid<D>& solid_;
  std::array<double, 3> centre0_{};
  std::array<std::array<double, 3>, 2> across_{};  ///< two unit vectors across the axis
  bool spins_ = false;
};

/// Σ m x / Σ m; the third is 0 in the plane.
template <int D>
std::array<double, 3> centre_of_mass(const solids::Solid<D>& solid, const std::vector<double>& x);

/// Largest values so far; a checkpoint keeps them.
struct MomentumFigures {
  double linear = 0.0;         ///< Σ |p_a|
  double angular = 0.0;        ///< Σ |x_a| |p_a|
  double defect = 0.0;         ///< of the balance of linear momentum
  double balance_scale = 0.0;  ///< of what is balanced
};

template <int D> class SolidRecorder {
 public:
  SolidRecorder(const SolidModel& model, const solids::Solid<D>& solid);

  const ColumnList& columns() const { return columns_; }
  const SolidLaws& laws() const { return laws_; }
  /// The record at the time of `at`. Throws DomainError when the motion has diverged. Figures are
  /// changed by add() only.
  const std::vector<double>& record(const SolidMotion<D>& motion, const terms::Synchronised<D>& at);
  /// Adds the last record to the figures.
  void add(const SolidMotion<D>& motion, Figures& figures);
  const std::vector<double>& last() const { return record_; }
  double energy() const { return record_.at(energy_at_); }

  /// What add() remembers beside the figures, for a checkpoint, and back.
  std::vector<double> save() const;
  void load(const std::vector<double>& data, const Figures& figures);
  const MomentumFigures& momenta() const { return momenta_; }

  /// Final values and figures of a run.
  void fill(Summary& summary, const Figures& figures) const;

 private:
  void add_column(const std::string& name, const char* kind, const std::string& quantity);
  void add_probes();
  double farthest(const std::vector<double>& x) const;
  void observe(const terms::Synchronised<D>& at, std::vector<double>& record) const;
  void fill_sizes(Summary& summary, const Figures& figures) const;
  void measure_balance(const SolidMotion<D>& motion);
  std::string unit_of(const std::string& quantity) const;

  const SolidModel& model_;
  const solids::Solid<D>& solid_;
  ElementForces forces_;
  SolidLaws laws_;
  Rotation<D> rotation_;
  ColumnList columns_;
  std::vector<int> probe_nodes_;  ///< in the order of the solid
  std::vector<double> record_;
  terms::Momentum<D> momentum_;
  MomentumFigures momenta_;
  std::size_t energy_at_ = 0, rotation_at_ = 0, momentum_at_ = 0;  ///< columns
  double angle_ = 0.0;          ///< of the last record that was added
  std::array<double, 3> p0_{};  ///< of free components
};

}  // namespace varia::io
