// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A solid in motion: one interface to the asynchronous integrator and to explicit Newmark.
#include <cstdint>
#include <memory>

#include "varia/io/checkpoint.hpp"
#include "varia/io/solid_model.hpp"
#include "varia/solids/solid.hpp"
#include "varia/terms/momentum.hpp"
#include "varia/terms/stationary.hpp"

namespace varia::io {

template <int D> class SolidMotion {
 public:
  virtual ~SolidMotion() = default;

  /// All updates not later than t, whatever the steps on the way there. What it throws, an element
  /// threw; the motion cannot go on then.
  virtual void advance(double t) = 0;
  /// The time at which a state can be given next to t: t itself, or a whole number of steps.
  virtual double nearest(double t) const = 0;
  /// Positions and velocities of all nodes at nearest(t), after advance(t). Changes nothing.
  virtual terms::Synchronised<D> at(double t) const = 0;
  /// Of the nodes at their own times.
  virtual terms::Momentum<D> momentum() const = 0;
  /// The velocity of a node just after its latest update.
  virtual const double* velocity(int node) const = 0;
  virtual const terms::Supports<D>& supports() const = 0;
  /// The sum of the weights with which an element acted: the time its forces have acted for.
  virtual double acted(int element) const = 0;
  virtual std::int64_t updates(int element) const = 0;
  /// The largest accumulated residual of local energy balances, relative; negative: not measured.
  virtual double energy_residual() const = 0;
  /// Of steps that solve the balances of energy; null for others.
  virtual const terms::StationaryStatistics* stationary() const { return nullptr; }
  /// The discrete energy E_d = Σ_K (½ Σ_a m_Ka |v_a|² + V_K), each element at its own time; of such
  /// steps only, 0 otherwise.
  virtual double discrete_energy() const { return 0.0; }

  virtual void save(Checkpoint& checkpoint) const = 0;
  virtual void load(const Checkpoint& checkpoint) = 0;
};

/// At the start. The step is that of Newmark.
template <int D>
std::unique_ptr<SolidMotion<D>> make_motion(const solids::Solid<D>& solid, const SolidRun& run,
                                            double step);

}  // namespace varia::io
