// SPDX-License-Identifier: BSD-3-Clause
#include "varia/space/reduced.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "varia/core/error.hpp"

namespace varia {

namespace {

constexpr int most_entries = FactorChart::most * FactorChart::most;  // of a matrix group

/// What remains to be written of a group: its momenta, which are drawn instead of its points.
Notation without_points(Notation n) {
  n.entries = n.spatial = {};
  constexpr std::size_t dimension = 3;  // of a picture
  n.drawing = {"momentum of", n.momenta.suffixes};
  n.drawing.suffixes.resize(std::min(dimension, n.drawing.suffixes.size()));
  return n;
}

/// SO(3) to so(3)*, the space of its momenta.
std::string dual_algebra(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name + "*";
}

class Reduced final : public CurvedFactor {
 public:
  explicit Reduced(FactorPtr group)
      : held_(std::move(group)),
        group_(held_->curved()),
        notation_(without_points(held_->notation())),
        identity_(static_cast<std::size_t>(held_->entries())) {
    held_->origin(identity_.data());
  }

  std::string name() const override { return dual_algebra(group_->name()); }
  int entries() const override { return 0; }
  int dof() const override { return group_->dof(); }
  const Notation& notation() const override { return notation_; }

  // of the one point there is

  void origin(double* /*q*/) const override {}
  void require_point(const double* /*q*/, const std::string& /*what*/) const override {}
  /// A point that is stated must be one, though nothing depends on it.
  void read_point(std::size_t form, const double* numbers, double* /*q*/) const override {
    double point[most_entries];
    group_->read_point(form, numbers, point);
  }
  void retract(const double* /*q*/, const double* /*xi*/, Retraction /*tau*/,
               double* /*out*/) const override {}
  void difference(const double* /*q0*/, const double* /*q1*/, Retraction /*tau*/,
                  double* xi) const override {
    std::fill_n(xi, dof(), 0.0);
  }
  void entry_rates(const double* /*q*/, const double* /*v*/, double* /*out*/) const override {}
  Formulas displaced(expr::Graph& /*graph*/, const Formulas& /*q*/,
                     const Formulas& /*delta*/) const override {
    return {};
  }

  Formulas retracted(expr::Graph& /*graph*/, const Formulas& /*q*/, const Formulas& /*xi*/,
                     Retraction /*tau*/) const override {
    return {};
  }
  /// There is nothing to compare: every displacement leads to the one point.
  Formulas gap(expr::Graph& graph, const Formulas& /*a*/, const Formulas& /*b*/) const override {
    return Formulas(static_cast<std::size_t>(dof()), graph.constant(0.0));
  }

  // of the group

  Formulas chart_velocity(expr::Graph& graph, const Formulas& xi, const Formulas& eta,
                          Retraction tau) const override {
    return group_->chart_velocity(graph, xi, eta, tau);
  }
  Formulas carried(expr::Graph& graph, const Formulas& xi, const Formulas& delta,
                   Retraction tau) const override {
    return group_->carried(graph, xi, delta, tau);
  }
  Formulas coadjoint(expr::Graph& graph, const Formulas& pi, const Formulas& v) const override {
    return group_->coadjoint(graph, pi, v);
  }
  Formulas casimirs(expr::Graph& graph, const Formulas& p) const override {
    return group_->casimirs(graph, p);
  }
  void place(const double* /*q*/, const double* xi, const double* eta, Retraction tau,
             FactorChart& chart, double* /*out*/, double* velocity) const override {
    double point[most_entries];
    group_->place(identity_.data(), xi, eta, tau, chart, point, velocity);
  }
  void locate(const double* /*q*/, const double* xi, const double* eta, Retraction tau,
              FactorChart& chart, double* /*out*/, double* velocity) const override {
    double point[most_entries];
    group_->locate(identity_.data(), xi, eta, tau, chart, point, velocity);
  }
  void pull_back(const FactorChart& chart, const double* eta, const double* N, const double* pi,
                 double* P, double* W, double* moved) const override {
    group_->pull_back(chart, eta, N, pi, P, W, moved);
  }
  void pull_momentum(const double* xi, Retraction tau, const double* m,
                     double* out) const override {
    group_->pull_momentum(xi, tau, m, out);
  }
  void tangent(const double* xi, Retraction tau, FactorChart& chart) const override {
    group_->tangent(xi, tau, chart);
  }
  void transpose_derivative(const FactorChart& chart, const double* pi,
                            double* map) const override {
    group_->transpose_derivative(chart, pi, map);
  }
  void hessian(const FactorChart& chart, const double* pi, const double* eta,
               double* map) const override {
    group_->hessian(chart, pi, eta, map);
  }
  void ad_star(const double* pi, double* map) const override { group_->ad_star(pi, map); }
  double turn(const double* xi) const override { return group_->turn(xi); }
  /// (LP): μ ← Ad*_{τ(ξ)}(μ + Δ). What a point keeps of rounding is forgotten with it.
  void update(double* /*q*/, double* q_rest, double* p, double* p_rest, const double* xi,
              const double* delta, Retraction tau) const override {
    double point[most_entries];
    std::copy(identity_.begin(), identity_.end(), point);
    group_->update(point, q_rest, p, p_rest, xi, delta, tau);
    std::fill_n(q_rest, dof(), 0.0);
  }

 private:
  FactorPtr held_;
  const CurvedFactor* group_;
  Notation notation_;
  std::vector<double> identity_;
};

}  // namespace

FactorPtr reduced(const FactorPtr& group) {
  if (group->curved() == nullptr || group->vertical() > 0 || group->entries() > most_entries)
    throw InvalidArgument("the points of " + group->name() +
                          " cannot be left out: it is not a curved group of matrices");
  return std::make_shared<const Reduced>(group);
}

bool reducible(const Factor& factor) { return !factor.notation().casimirs.empty(); }

}  // namespace varia
