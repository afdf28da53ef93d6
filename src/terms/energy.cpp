// SPDX-License-Identifier: BSD-3-Clause
#include "varia/terms/energy.hpp"

#include <algorithm>
#include <cmath>

#include "advance_clock.hpp"

namespace varia::terms {

namespace {

template <int D> double square(const Node<D>& node) {
  double sum = 0.0;
  for (int c = 0; c < D; ++c) sum += node.v[c] * node.v[c];
  return sum;
}

}  // namespace

template <int D>
LocalEnergy<D>::LocalEnergy(const System<D>& system, const std::vector<int>& terms)
    : system_(system), index_(static_cast<std::size_t>(system.term_count()), -1) {
  const auto watch = [&](int term) {
    if (term < 0 || term >= system.term_count())
      throw InvalidArgument("LocalEnergy: term " + std::to_string(term) +
                            " does not exist; terms are 0 to " +
                            std::to_string(system.term_count() - 1));
    int& index = index_[static_cast<std::size_t>(term)];
    if (index >= 0) return;  // named twice
    index = static_cast<int>(watched_.size());
    watched_.emplace_back();
  };
  if (terms.empty())
    for (int term = 0; term < system.term_count(); ++term) watch(term);
  else
    for (const int term : terms) watch(term);
}

template <int D>
double LocalEnergy<D>::kinetic(const Family<D>& family, int k, const State<D>& state) const {
  double sum = 0.0;
  for (int a = 0; a < family.nodes_per_term(); ++a) {
    const auto node = static_cast<std::size_t>(family.nodes(k)[a]);
    sum += 0.5 * system_.masses()[node] * square(state.nodes[node]);
  }
  return sum;
}

template <int D>
void LocalEnergy<D>::before(int term, double t, double weight, const State<D>& state) {
  if (index_[static_cast<std::size_t>(term)] < 0) return;
  Watched& w = watched_[at(term)];
  const auto [family, k] = system_.place(term);
  std::array<double, max_numbers<D>> x{};
  gather(*family, k, state.nodes.data(), x.data());
  const double potential = family->energy(k, x.data(), t);
  if (w.begun) {
    Balance& b = w.balance;
    b.residual = w.left - (w.after + potential);
    b.accumulated += b.residual;
    b.largest = std::max(b.largest, std::abs(b.residual));
    b.worst = std::max(b.worst, std::abs(b.accumulated));
    ++b.balances;
  }
  const double moving = kinetic(*family, k, state);
  w.balance.energy = std::max(w.balance.energy, moving + potential);
  w.left = moving + potential + weight * family->energy_rate(k, x.data(), t);
  w.begun = true;
}

template <int D> void LocalEnergy<D>::after(int term, double, double, const State<D>& state) {
  if (index_[static_cast<std::size_t>(term)] < 0) return;
  const auto [family, k] = system_.place(term);
  watched_[at(term)].after = kinetic(*family, k, state);
}

template <int D> double LocalEnergy<D>::worst_relative() const {
  double worst = 0.0;
  for (const Watched& w : watched_)
    if (w.balance.energy > 0.0) worst = std::max(worst, w.balance.worst / w.balance.energy);
  return worst;
}

template <int D> std::vector<double> LocalEnergy<D>::save() const {
  std::vector<double> data;
  for (const auto& [b, left, after, begun] : watched_)
    data.insert(data.end(), {b.residual, b.accumulated, b.largest, b.worst, b.energy,
                             static_cast<double>(b.balances), left, after, begun ? 1.0 : 0.0});
  return data;
}

template <int D> void LocalEnergy<D>::load(const std::vector<double>& data) {
  constexpr std::size_t width = 9;
  if (data.size() != width * watched_.size())
    throw InvalidArgument("LocalEnergy: " + std::to_string(data.size()) + " numbers were given, " +
                          std::to_string(width * watched_.size()) + " are needed");
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const double* d = data.data() + width * i;
    watched_[i] = {
        {d[0], d[1], d[2], d[3], d[4], static_cast<std::int64_t>(d[5])}, d[6], d[7], d[8] != 0.0};
  }
}

template <int D>
DiscreteEnergy<D>::DiscreteEnergy(const System<D>& system, const State<D>& start,
                                  std::vector<double> masses)
    : system_(system), masses_(std::move(masses)) {
  std::size_t total = 0;
  for (const auto& family : system.families()) {
    offset_.push_back(total);
    total += static_cast<std::size_t>(family->size()) *
             static_cast<std::size_t>(family->nodes_per_term());
  }
  if (masses_.size() != total)
    throw InvalidArgument("DiscreteEnergy: " + std::to_string(masses_.size()) +
                          " masses were given, " + std::to_string(total) + " are needed");
  energies_.resize(static_cast<std::size_t>(system.term_count()));
  for (int term = 0; term < system.term_count(); ++term)
    energies_[static_cast<std::size_t>(term)] = of_term(term, start.t0, start);
}

template <int D>
double DiscreteEnergy<D>::of_term(int term, double t, const State<D>& state) const {
  std::size_t f = 0;
  while (term >= system_.first()[f + 1]) ++f;
  const Family<D>& family = *system_.families()[f];
  const int k = term - system_.first()[f];
  const auto n = static_cast<std::size_t>(family.nodes_per_term());
  std::array<double, max_numbers<D>> x{};
  gather(family, k, state.nodes.data(), x.data());
  double sum = family.energy(k, x.data(), t);
  for (std::size_t a = 0; a < n; ++a)
    sum += 0.5 * masses_[offset_[f] + static_cast<std::size_t>(k) * n + a] *
           square(state.nodes[static_cast<std::size_t>(family.nodes(k)[a])]);
  return sum;
}

template <int D> void DiscreteEnergy<D>::before(int term, double t, double, const State<D>& state) {
  energies_[static_cast<std::size_t>(term)] = of_term(term, t, state);
}

template <int D> double DiscreteEnergy<D>::value() const {
  double sum = 0.0;
  for (const double energy : energies_) sum += energy;
  return sum;
}

template class LocalEnergy<1>;
template class LocalEnergy<2>;
template class LocalEnergy<3>;
template class DiscreteEnergy<1>;
template class DiscreteEnergy<2>;
template class DiscreteEnergy<3>;

}  // namespace varia::terms
