// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What [diagnose] asks for along a run: columns of the record that need more than the state's formula.
//
// The modified energy is a function of the state (verify/modified_energy.hpp), the heat a mean over
// the time so far (verify/heat.hpp), the balance of a momentum a sum over all steps so far
// (verify/momentum_balance.hpp), the Lyapunov exponent the growth of a tangent vector along them
// (verify/tangent_flow.hpp).
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "varia/io/model.hpp"
#include "varia/io/stepper.hpp"
#include "varia/io/summary.hpp"
#include "varia/verify/heat.hpp"
#include "varia/verify/momentum_balance.hpp"
#include "varia/verify/tangent_flow.hpp"

namespace varia::io {

class Diagnostics {
 public:
  /// Throws ScenarioError for what the system or the method does not have.
  explicit Diagnostics(const Model& model);

  /// Names of the columns.
  std::vector<std::string> names() const;
  /// Appends their values; energy is that of the state.
  void append(const Snapshot& s, double energy, std::vector<double>& record);

  /// Whether step() must be called for each single step.
  bool every_step() const { return step_balance_ || lyapunov_ || sensitivity_; }
  void step(const Snapshot& before, const Snapshot& after, double h);

  /// The figures at the end.
  void fill(Summary& summary) const;

  /// What the further values depend on, for a checkpoint, and back.
  std::vector<double> save() const { return SavedNumbers::of(*this); }
  void load(const std::vector<double>& data) {
    SavedNumbers::read(*this, data, "the first run had another [diagnose] than the scenario");
  }
  void exchange(SavedNumbers& numbers);

 private:
  struct Balance {
    std::string name;
    double by_lagrangian = 0.0, by_force = 0.0, defect = 0.0;
  };

  void prepare_modified_energy();
  void prepare_heat();
  void prepare_balance();
  void prepare_lyapunov();
  void prepare_sensitivity();
  PhaseVector start_change(std::size_t parameter, const VectorState& start, const double* v) const;
  void balance_step(const VectorState& before, const VectorState& after, double h);
  std::pair<std::vector<double>, std::vector<double>> seen_change(const PhaseVector& z) const;
  StageFlow stage_flow(const Text& asked) const;
  AnyFlow differentiable_flow(const Text& asked) const;
  double kinetic_energy(const Snapshot& s, double energy) const;

  const Model& model_;
  std::function<double(const VectorState&)> modified_;
  int modified_order_ = 0;  ///< of the formula; 0: shadow
  std::optional<TimeAverage> heat_;
  double heat_now_ = 0.0;
  std::optional<StepBalance> step_balance_;
  std::vector<GeneratorField> generators_;
  std::vector<Balance> balances_;
  std::optional<Lyapunov> lyapunov_;
  std::optional<TangentFlow> sensitivity_;  ///< a vector for each parameter asked for
  VectorState end_;
};

}  // namespace varia::io
