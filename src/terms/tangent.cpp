// SPDX-License-Identifier: BSD-3-Clause
#include "varia/terms/tangent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "advance_clock.hpp"
#include "term_values.hpp"

namespace varia::terms {

namespace {

/// Extension of a term in space: the unit of its differences.
template <int D> double extension(int nodes, const double* x) {
  double size = 0.0, far = 0.0;
  for (int i = 0; i < nodes * D; ++i) {
    size = std::max(size, std::abs(x[i] - x[i % D]));
    far = std::max(far, std::abs(x[i]));
  }
  if (size > 0.0) return size;
  return far > 0.0 ? far : 1.0;
}

/// Column j of the Hessian by central differences with the given step.
template <int D>
void column(const Family<D>& family, int k, double* x, double t, int j, double step, double* out) {
  TermValues<D> right{}, left{};
  const double middle = x[j], high = middle + step, low = middle - step;
  x[j] = high;
  family.gradient(k, x, t, right.data());
  x[j] = low;
  family.gradient(k, x, t, left.data());
  x[j] = middle;
  for (int i = 0; i < family.nodes_per_term() * D; ++i)
    out[i] = (right[i] - left[i]) / (high - low);
}

/// Neville's table over halved steps; the entry that moved least is the result.
template <int D>
void extrapolated_column(const Family<D>& family, int k, double* x, double t, int j, double step,
                         double* best) {
  constexpr int levels = 7;
  using Row = TermValues<D>;
  std::array<Row, levels> previous{}, present{};
  const int n = family.nodes_per_term() * D;
  double least = std::numeric_limits<double>::infinity();
  for (int level = 0; level < levels; ++level, step *= 0.5) {
    column(family, k, x, t, j, step, present[0].data());
    if (level == 0) std::copy_n(present[0].data(), n, best);
    double factor = 1.0;
    for (int m = 1; m <= level; ++m) {
      factor *= 4.0;
      double moved = 0.0;
      for (int i = 0; i < n; ++i) {
        present[m][i] =
            present[m - 1][i] + (present[m - 1][i] - previous[m - 1][i]) / (factor - 1.0);
        moved = std::max({moved, std::abs(present[m][i] - present[m - 1][i]),
                          std::abs(present[m][i] - previous[m - 1][i])});
      }
      if (!(moved < least)) continue;
      least = moved;
      std::copy_n(present[m].data(), n, best);
    }
    std::swap(previous, present);
  }
}

}  // namespace

template <int D>
void difference_hessian(const Family<D>& family, int k, const double* x, double t, double* h) {
  const int n = family.nodes_per_term() * D;
  TermValues<D> at{}, best{};
  std::copy_n(x, n, at.data());
  for (int j = 0; j < n; ++j) {
    double step = extension<D>(family.nodes_per_term(), x) / 16.0;
    for (int attempt = 0;; ++attempt, step *= 0.25) try {
        extrapolated_column(family, k, at.data(), t, j, step, best.data());
        break;
      } catch (const DomainError&) {  // the first step left the domain of the energy
        if (attempt == 8) throw;
        std::copy_n(x, n, at.data());
      }
    for (int i = 0; i < n; ++i) h[i * n + j] = best[i];
  }
}

template <int D>
Tangents<D>::Tangents(const System<D>& system, const State<D>& state,
                      const std::vector<Variation>& variations, Hessian<D> hessian)
    : system_(system),
      count_(static_cast<int>(variations.size())),
      hessian_(hessian ? std::move(hessian) : Hessian<D>(difference_hessian<D>)) {
  const std::size_t n = static_cast<std::size_t>(system.node_count()) * D;
  x_.resize(n * variations.size());
  v_.resize(x_.size());
  for (std::size_t i = 0; i < variations.size(); ++i) {
    if (variations[i].x.size() != n || variations[i].v.size() != n)
      throw InvalidArgument("Tangents: variation " + std::to_string(i) + " has " +
                            std::to_string(variations[i].x.size()) + " positions and " +
                            std::to_string(variations[i].v.size()) + " velocities, " +
                            std::to_string(n) + " are needed");
    for (std::size_t j = 0; j < n; ++j) {
      x_[j * variations.size() + i] = variations[i].x[j];
      v_[j * variations.size() + i] = variations[i].v[j];
    }
  }
  for (const Node<D>& node : state.nodes) time_.push_back(node.t);
  for (int a = 0; a < system.node_count(); ++a) hold(a, state);
}

template <int D> void Tangents<D>::drift(int node, double t) {
  const double elapsed = t - time_[node];
  for (std::size_t i = at(0, node, 0); i < at(0, node + 1, 0); ++i) x_[i] += elapsed * v_[i];
  time_[node] = t;
}

/// Prescribed components do not vary.
template <int D> void Tangents<D>::hold(int node, const State<D>& state) {
  if (!(state.nodes[node].inverse_mass < 0.0)) return;
  for (int c = 0; c < D; ++c)
    if (state.supports.of(node).fixed[c])
      for (int i = 0; i < count_; ++i) x_[at(i, node, c)] = v_[at(i, node, c)] = 0.0;
}

template <int D>
void Tangents<D>::before(int term, double t, double weight, const State<D>& state) {
  const auto [family, k] = system_.place(term);
  const int* nodes = family->nodes(k);
  const int n = family->nodes_per_term() * D;
  TermValues<D> x{};
  gather(*family, k, state.nodes.data(), x.data());
  std::vector<double> h(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  hessian_(*family, k, x.data(), t, h.data());
  for (int a = 0; a < family->nodes_per_term(); ++a) drift(nodes[a], t);
  for (int row = 0; row < n; ++row) {
    const double scale = weight / system_.masses()[nodes[row / D]];
    for (int i = 0; i < count_; ++i) {
      double sum = 0.0;
      for (int j = 0; j < n; ++j) sum += h[row * n + j] * x_[at(i, nodes[j / D], j % D)];
      v_[at(i, nodes[row / D], row % D)] -= scale * sum;
    }
  }
  for (int a = 0; a < family->nodes_per_term(); ++a) hold(nodes[a], state);
}

template <int D>
SymplecticForm symplectic_form(const System<D>& system, const Tangents<D>& tangents, int i, int j) {
  SymplecticForm form;
  for (int a = 0; a < system.node_count(); ++a)
    for (int c = 0; c < D; ++c) {
      const double one = system.masses()[a] * tangents.x(i, a, c) * tangents.v(j, a, c);
      const double two = system.masses()[a] * tangents.v(i, a, c) * tangents.x(j, a, c);
      form.value += one - two;
      form.scale += std::abs(one) + std::abs(two);
    }
  return form;
}

template <int D>
double symplectic_defect(const System<D>& system, State<D> state, double until,
                         const Hessian<D>& hessian) {
  const std::size_t n = static_cast<std::size_t>(system.node_count()) * D;
  const Variation zero{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
  std::vector<Variation> basis;  // (δx_i, δp_i) one after the other
  for (int a = 0; a < system.node_count(); ++a)
    for (int c = 0; c < D; ++c) {
      if (state.nodes[a].inverse_mass < 0.0 && state.supports.of(a).fixed[c]) continue;
      const std::size_t i = static_cast<std::size_t>(a) * D + static_cast<std::size_t>(c);
      basis.resize(basis.size() + 2, zero);
      basis[basis.size() - 2].x[i] = 1.0;
      basis.back().v[i] = 1.0 / system.masses()[a];
    }
  Tangents<D> tangents(system, state, basis, hessian);
  ScheduleOptions<D> options;
  options.observer = &tangents;
  queue(system, state, options)->advance(until);
  double worst = 0.0;
  for (int i = 0; i < tangents.count(); ++i)
    for (int j = 0; j < i; ++j) {
      const SymplecticForm form = symplectic_form(system, tangents, j, i);
      const double canonical = i % 2 == 1 && j == i - 1 ? 1.0 : 0.0;
      if (form.scale > 0.0)
        worst = std::max(worst, std::abs(form.value - canonical) / form.scale);
      else if (canonical > 0.0)
        worst = std::max(worst, canonical);
    }
  return worst;
}

#define VARIA_DIMENSION(D)                                                                 \
  template void difference_hessian(const Family<D>&, int, const double*, double, double*); \
  template class Tangents<D>;                                                              \
  template SymplecticForm symplectic_form(const System<D>&, const Tangents<D>&, int, int); \
  template double symplectic_defect(const System<D>&, State<D>, double, const Hessian<D>&);
VARIA_DIMENSION(1)
VARIA_DIMENSION(2)
VARIA_DIMENSION(3)
#undef VARIA_DIMENSION

}  // namespace varia::terms
