// SPDX-License-Identifier: BSD-3-Clause
// Symmetries, checked for invariance of L, and observed functions.
//
//   (invariance)   ∂L/∂q·η + ∂L/∂v·(η̇ + [v, η]) = 0 for the generator η(q), η̇ = ∂η/∂q v; the bracket
//                  is v × η on SO(3) and 0 on ℝⁿ
#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_set>

#include "builder.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/tape.hpp"
#include "varia/io/verdict.hpp"

namespace varia::io {

namespace {

using detail::sz;

/// Numbers in [-1, 1] that look random and are always the same.
double scatter(int i, int j) {
  const double x = std::sin(12.9898 * (i + 1) + 78.233 * (j + 1)) * 43758.5453;
  return 2.0 * (x - std::floor(x)) - 1.0;
}

constexpr int sample_points = 24;
constexpr double longest_span = 10.0;
constexpr double kept_tolerance = 1e-8;

}  // namespace

/// A point near the start, with horizontal velocities of the size of the start's or 1.
std::vector<double> ModelBuilder::sample_point(int number) const {
  // a symmetry must hold at all times of the run; growing exponentials are not followed to the end
  const double span = std::clamp(model_.span, -longest_span, longest_span);
  std::vector<double> x{model_.t0 + 0.5 * span * (1.0 + scatter(number, 2000))};
  for (const auto& b : layout_.blocks) {
    if (!b.curved()) {
      for (int i = 0; i < b.entries(); ++i) {
        const double q = model_.q0[sz(b.entry + i)];
        x.push_back(q + (0.1 + 0.3 * std::abs(q)) * scatter(number, b.entry + i));
      }
      continue;
    }
    for (int at = 0; at < b.count; ++at) {
      std::vector<double> q(sz(b.factor->entries()));
      std::vector<double> step(sz(b.factor->dof()));
      const int entry = b.entry + at * b.factor->entries();
      for (std::size_t i = 0; i < step.size(); ++i)
        step[i] = 2.0 * scatter(number, entry + static_cast<int>(i));
      b.factor->origin(q.data());
      b.factor->retract(q.data(), step.data(), Retraction::exponential, q.data());
      x.insert(x.end(), q.begin(), q.end());
    }
  }
  for (int i = 0; i < layout_.n; ++i)
    x.push_back(model_.rates0[sz(i)] + 0.5 * scatter(number, 1000 + i));
  for (const int i : model_.system->space.vertical()) x[sz(layout_.velocity_variable(i))] = 0.0;
  return x;
}

/// The largest |Σ terms| over the largest Σ|terms|; infinity where nothing is finite.
double ModelBuilder::invariance_defect(const std::vector<Id>& terms) const {
  const int gradients = loops_ == nullptr ? 0 : 2 * layout_.n;  // behind all other variables
  const expr::Tape tape(*graph_, terms, layout_.helper_variable(gradients));
  std::vector<double> work(tape.instructions().size());
  std::vector<double> out(terms.size());
  double worst = 0.0;
  double size = 0.0;
  int finite = 0;
  for (int k = 0; k < sample_points; ++k) {
    auto x = sample_point(k);
    x.resize(sz(layout_.helper_variable(gradients)), 0.0);
    if (gradients > 0) model_.system->gradient(x.data(), &x[sz(layout_.helper_variable(0))]);
    tape.evaluate(x.data(), out.data(), work.data());
    double sum = 0.0;
    double magnitude = 0.0;
    for (const double term : out) {
      sum += term;
      magnitude += std::abs(term);
    }
    if (!std::isfinite(magnitude)) continue;
    ++finite;
    worst = std::max(worst, std::abs(sum));
    size = std::max(size, magnitude);
  }
  if (finite == 0) return std::numeric_limits<double>::infinity();
  return size > 0.0 ? worst / size : 0.0;
}

/// The largest |G η| over |G||η| on the constraint: at the start and, on ℝⁿ, at points near it that
/// are moved onto φ = 0.
double ModelBuilder::constraint_defect(const std::vector<Id>& xi) const {
  const KernelSystem& f = *model_.system;
  if (f.d == 0) return 0.0;
  const expr::Tape tape(*graph_, xi, 1 + layout_.entries + layout_.n);
  std::vector<double> work(tape.instructions().size());
  std::vector<double> phi(sz(f.d + f.constraint_pattern.size()));
  Vn eta(f.n);
  double worst = 0.0;
  for (int k = -1; k < (f.on_vector_space() ? sample_points : 0); ++k) {
    std::vector<double> x = sample_point(std::max(k, 0));
    if (k < 0) {
      x[0] = model_.t0;
      std::copy(model_.q0.begin(), model_.q0.end(), x.begin() + 1);
    }
    Eigen::MatrixXd g;
    bool on = false;
    for (int i = 0; i < 30 && !on; ++i) {
      f.constraint(x.data(), phi.data());
      g.setZero(f.d, f.n);
      for (int e = 0; e < f.constraint_pattern.size(); ++e)
        g(f.constraint_pattern.row[sz(e)], f.constraint_pattern.column[sz(e)]) = phi[sz(f.d + e)];
      const Eigen::Map<const Vn> value(phi.data(), f.d);
      on = value.cwiseAbs().maxCoeff() < 1e-12;
      if (on || !f.on_vector_space()) break;
      const Vn step = g.transpose() * (g * g.transpose()).fullPivLu().solve(value);
      for (int a = 0; a < f.n; ++a) x[sz(1 + a)] -= step[a];
    }
    if (!on) continue;
    tape.evaluate(x.data(), eta.data(), work.data());
    const double size = g.norm() * eta.norm();
    if (size > 0.0) worst = std::max(worst, (g * eta).norm() / size);
  }
  return worst;
}

/// [v, η] of a curved factor; the bracket from ⟨ad*_v eₗ, η⟩ = ⟨eₗ, [v, η]⟩.
void ModelBuilder::add_bracket(const ProductSpace::Curved& c, const std::function<Id(int)>& v,
                               const std::vector<Id>& eta, std::vector<Id>& bracket) {
  expr::Graph& g = *graph_;
  for (int l = 0; l < c.dof; ++l) {
    FactorChart::Map ad;
    double unit[FactorChart::most] = {};
    unit[l] = 1.0;
    c.factor->ad_star(unit, ad);
    Id& sum = bracket[sz(c.degree + l)];
    for (int j = 0; j < c.dof; ++j)
      for (int i = 0; i < c.dof; ++i) {
        const double constant = ad[j * c.dof + i];
        if (constant == 0.0) continue;
        sum =
            g.add(sum, g.mul(g.constant(constant), g.mul(v(c.degree + i), eta[sz(c.degree + j)])));
      }
  }
}

void ModelBuilder::check_invariance(const SymmetryText& symmetry, const std::vector<Id>& xi,
                                    Momentum& m) {
  expr::Graph& g = *graph_;
  const int n = layout_.n;
  const Displacement delta = displacement();
  const auto rate = delta.at_rest(expr::jacobian(g, delta.displaced(xi), delta.variables()));
  std::vector<Id> velocity(sz(n), g.constant(0.0));
  const auto v = [&](int i) {
    return velocity_.empty() ? g.variable(layout_.velocity_variable(i)) : velocity_[sz(i)];
  };
  for (const auto& entry : rate)
    velocity[sz(entry.row)] = g.add(velocity[sz(entry.row)], g.mul(entry.value, v(entry.column)));
  std::vector<Id> bracket(sz(n), g.constant(0.0));
  for (const auto& c : model_.system->space.curved()) add_bracket(c, v, xi, bracket);
  std::vector<Id> terms;
  std::vector<Id> work;
  for (int i = 0; i < n; ++i) {
    terms.push_back(g.mul(gradient_[sz(i)], xi[sz(i)]));
    // apart: what cancels must be seen by its size
    terms.push_back(g.mul(gradient_[sz(n + i)], velocity[sz(i)]));
    terms.push_back(g.mul(gradient_[sz(n + i)], bracket[sz(i)]));
    work.push_back(g.mul(force_[sz(i)], xi[sz(i)]));
  }
  if (model_.hamiltonian) terms = without_momenta(terms);
  m.defect = invariance_defect(terms);
  m.symmetry = m.defect <= invariance_tolerance;
  m.conserved = m.symmetry;
  const double leaving = constraint_defect(xi);
  if (leaving > kept_tolerance) {
    m.symmetry = m.conserved = false;
    m.message = "'" + symmetry.name + "' is not a symmetry: it leads away from the constraint (" +
                short_number(leaving) + "); its momentum is not conserved";
  } else if (!m.symmetry) {
    m.message = "'" + symmetry.name + "' is not a symmetry: the " +
                (model_.hamiltonian ? "Hamiltonian" : "Lagrangian") + " changes along it (" +
                short_number(m.defect) + " of its terms); its momentum is not conserved";
  } else if (invariance_defect(work) > invariance_tolerance) {
    m.conserved = false;
    m.message = "a force acts along '" + symmetry.name + "': its momentum changes with the force";
  } else if (reaction_along(xi) > invariance_tolerance) {
    m.conserved = false;
    m.message = "the reaction of a nonholonomic constraint acts along '" + symmetry.name +
                "': its momentum changes";
  }
}

/// The largest work of a nonholonomic reaction along a generator: ∂Φ/∂v ξ, over its terms.
double ModelBuilder::reaction_along(const std::vector<Id>& xi) {
  std::vector<std::vector<Id>> terms(nonholonomic_.size());
  const auto velocities = detail::range(layout_.velocity_variable(0), layout_.n);
  for (const auto& entry : expr::jacobian(*graph_, nonholonomic_, velocities))
    terms[sz(entry.row)].push_back(graph_->mul(entry.value, xi[sz(entry.column)]));
  double worst = 0.0;
  for (const auto& list : terms) worst = std::max(worst, invariance_defect(list));
  return worst;
}

/// What moving constraints add to the records has names of its own.
void ModelBuilder::refuse_names_of_driver() const {
  if (!model_.system->rheonomic()) return;
  const auto refuse = [](const std::string& name, const Text& text) {
    if (name == driver_work || name == energy_balance)
      throw ScenarioError(text, "'" + name +
                                    "' is a column that is recorded with constraints that depend "
                                    "on t; choose another name");
  };
  for (const auto& [name, text] : scenario_.system.observe) refuse(name, text);
  for (const std::string& name : model_.entry_names) refuse(name, *scenario_.system.constraint());
  for (const SymmetryText& symmetry : scenario_.system.symmetry)
    refuse(symmetry.name, *scenario_.system.constraint());
}

/// Newmark's method keeps momenta of η(q), not of q, unless it is Verlet.
void ModelBuilder::refuse_momenta_of_newmark() {
  const Newmark* newmark = model_.method.newmark();
  if (newmark == nullptr || (newmark->beta == 0.0 && newmark->gamma == 0.5)) return;
  for (Momentum& m : model_.momenta) {
    if (!m.conserved) continue;
    m.conserved = false;
    m.message = newmark->gamma == 0.5
                    ? "newmark keeps the momentum of q - beta h^2 a exactly, that of q swings"
                    : "newmark with gamma other than 1/2 keeps no momentum";
  }
}

/// What is wrong with the conservation of the momentum of ξ, where L does not change along it.
std::string ModelBuilder::changes_along(const std::vector<Id>& xi, const std::string& of) {
  std::vector<Id> work;
  for (std::size_t i = 0; i < xi.size(); ++i)
    if (const Id term = graph_->mul(force_[i], xi[i]); !graph_->is_constant(term, 0.0))
      work.push_back(term);
  if (!work.empty() && invariance_defect(work) > invariance_tolerance)
    return "a force acts on " + of + ": its momentum changes";
  if (!nonholonomic_.empty() && reaction_along(xi) > invariance_tolerance)
    return "the reaction of a nonholonomic constraint acts on " + of + ": its momentum changes";
  return "";
}

expr::Id ModelBuilder::momentum_along(const std::vector<Id>& xi) {
  Id sum = graph_->constant(0.0);
  for (int i = 0; i < layout_.n; ++i)
    sum = graph_->add(sum, graph_->mul(graph_->variable(layout_.momentum_variable(i)), xi[sz(i)]));
  return sum;
}

/// Whether neither L nor a constraint contains entries of the point whose degrees of freedom these are.
bool ModelBuilder::is_free(int degree, int dof) const {
  for (int i = degree; i < degree + dof; ++i)
    if (!graph_->is_constant(gradient_[sz(i)], 0.0)) return false;
  const KernelSystem& f = *model_.system;
  const auto within = [&](int column) { return column >= degree && column < degree + dof; };
  return std::none_of(f.constraint_pattern.column.begin(), f.constraint_pattern.column.end(),
                      within) &&
         std::none_of(f.nonholonomic_pattern.column.begin(), f.nonholonomic_pattern.column.end(),
                      within);
}

/// Momenta in the frame of space, and Casimir functions, of points whose entries do not occur.
void ModelBuilder::add_spatial_momenta(std::vector<Id>& generators, std::vector<Id>& outputs) {
  constexpr int most = 20;  // each is a column of the records
  int found = 0;
  for (const auto& b : layout_.blocks)
    for (int k = 0; b.curved() && k < b.count && found <= most; ++k) {
      const bool named = !b.notation().spatial.suffixes.empty() || !b.notation().casimirs.empty();
      const int dof = b.factor->dof();
      if (!named || !is_free(b.degree + k * dof, dof) || ++found > most) continue;
      add_spatial_momenta(b, k, generators, outputs);
      add_casimirs(b, k, outputs);
    }
  if (found > most)
    model_.notes.push_back("momenta in the frame of space are watched for " + std::to_string(most) +
                           " bodies; there are more whose entries do not occur");
}

void ModelBuilder::add_spatial_momenta(const Layout::Block& b, int k, std::vector<Id>& generators,
                                       std::vector<Id>& outputs) {
  const auto rows = b.factor->to_space(*graph_, layout_.point(*graph_, b, k));
  for (std::size_t j = 0; j < rows.size(); ++j) {
    std::vector<Id> xi(sz(layout_.n), graph_->constant(0.0));
    std::copy(rows[j].begin(), rows[j].end(), xi.begin() + b.degree + k * b.factor->dof());
    Momentum m;
    m.name = b.name + b.notation().spatial.suffixes[j] + b.index(k);
    m.message = changes_along(xi, b.point(k));
    m.conserved = m.message.empty();
    const Id momentum = momentum_along(xi);
    if (std::find(outputs.begin(), outputs.end(), momentum) != outputs.end()) continue;
    m.has_generator = true;
    generators.insert(generators.end(), xi.begin(), xi.end());
    outputs.push_back(momentum);
    model_.momenta.push_back(m);
  }
}

void ModelBuilder::read_observables() {
  refuse_names_of_driver();
  std::vector<Id> outputs;
  for (const auto& [name, text] : scenario_.system.observe) {
    const expr::Array f = parse_observable(text);
    for (std::size_t k = 0; k < f.entries.size(); ++k)
      model_.observe_names.push_back(name + expr::index_text(f.shape, k));
    model_.observe_shapes.emplace_back(name, f.shape);
    outputs.insert(outputs.end(), f.entries.begin(), f.entries.end());
  }
  std::vector<Id> generators;
  if (loops_ != nullptr && !scenario_.system.symmetry.empty())
    gradient_ = expr::variables(*graph_, layout_.helper_variable(0), 2 * layout_.n);
  const auto p = [&](int i) { return graph_->variable(layout_.momentum_variable(i)); };
  for (const SymmetryText& symmetry : scenario_.system.symmetry) {
    const auto xi = by_degree(configuration_, symmetry.components);
    generators.insert(generators.end(), xi.begin(), xi.end());
    Momentum m;
    m.name = symmetry.name;
    m.has_generator = true;
    check_invariance(symmetry, xi, m);
    outputs.push_back(momentum_along(xi));
    model_.momenta.push_back(m);
  }
  if (!model_.hamiltonian) add_spatial_momenta(generators, outputs);
  const std::unordered_set<std::string> cyclic(model_.structure.cyclic.begin(),
                                               model_.structure.cyclic.end());
  for (const auto& b : layout_.blocks)
    for (int i = 0; !b.curved() && i < b.dof(); ++i) {
      const std::string& name = model_.entry_names[sz(b.entry + i)];
      if (cyclic.count(name) == 0) continue;
      Momentum m;
      m.name = model_.momentum_names[sz(b.degree + i)];
      std::vector<Id> unit(sz(layout_.n), graph_->constant(0.0));
      unit[sz(b.degree + i)] = graph_->constant(1.0);
      m.message = changes_along(unit, "the cyclic coordinate " + name);
      m.conserved = m.message.empty();
      outputs.push_back(p(b.degree + i));
      model_.momenta.push_back(m);
    }
  refuse_momenta_of_newmark();
  if (!generators.empty())
    model_.generators = kernel(generators, 1 + layout_.entries + 2 * layout_.n);
  if (!outputs.empty()) model_.observe = observed(outputs);
}

}  // namespace varia::io
