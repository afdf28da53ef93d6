// SPDX-License-Identifier: BSD-3-Clause
#include "varia/terms/stationary.hpp"

#include <algorithm>
#include <cmath>

#include "advance_clock.hpp"
#include "first_root.hpp"
#include "term_values.hpp"

namespace varia::terms {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <int D> std::vector<std::vector<int>> find_neighbours(const System<D>& system) {
  std::vector<std::vector<int>> at(static_cast<std::size_t>(system.node_count()));
  std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(system.term_count()));
  for (int term = 0; term < system.term_count(); ++term) {
    const auto [family, k] = system.place(term);
    for (int a = 0; a < family->nodes_per_term(); ++a) at[family->nodes(k)[a]].push_back(term);
  }
  for (int term = 0; term < system.term_count(); ++term) {
    const auto [family, k] = system.place(term);
    std::vector<int>& list = neighbours[term];
    for (int a = 0; a < family->nodes_per_term(); ++a) {
      const auto& here = at[family->nodes(k)[a]];
      list.insert(list.end(), here.begin(), here.end());
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    list.erase(std::find(list.begin(), list.end(), term));
  }
  return neighbours;
}

}  // namespace

template <int D>
Stationary<D>::Stationary(const System<D>& system, State<D>& state,
                          const StationaryOptions& options, Observer<D>* observer)
    : system_(system),
      state_(state),
      options_(options),
      observer_(observer),
      pending_(static_cast<std::size_t>(system.term_count())),
      neighbours_(find_neighbours(system)) {
  if (!(options.smallest > 0.0) || !(options.smallest <= 1.0) || !(options.largest >= 1.0) ||
      !std::isfinite(options.largest))
    throw InvalidArgument("Stationary: steps from " + to_text(options.smallest) + " to " +
                          to_text(options.largest) +
                          " times the nominal one were asked for; 0 < smallest <= 1 <= largest");
  if (options.stretches < 1)
    throw InvalidArgument("Stationary: " + std::to_string(options.stretches) +
                          " stretches were asked for, at least 1 is needed");
  for (int term = 0; term < system.term_count(); ++term) {
    if (state.clocks[term].count != 0)
      throw InvalidArgument("Stationary: term " + std::to_string(term) + " has acted " +
                            std::to_string(state.clocks[term].count) +
                            " times already; balances begin with the motion");
    pending_[term].nominal = state.clocks[term].step;
    schedule(term);
  }
  state.variable_steps = true;
}

template <int D> void Stationary<D>::schedule(int term) {
  events_.push({state_.clocks[term].next, term, ++pending_[term].version});
  // stale entries may lie far ahead: throw them away before they are most of the queue
  if (events_.size() < 64 || events_.size() < 8 * pending_.size()) return;
  events_ = {};
  for (std::size_t K = 0; K < pending_.size(); ++K)
    events_.push({state_.clocks[K].next, static_cast<int>(K), pending_[K].version});
}

template <int D> void Stationary<D>::advance(double until) {
  check_bound(until);
  while (!events_.empty() && events_.top().t <= until) {
    const Event event = events_.top();
    events_.pop();
    if (event.version == pending_[event.term].version) act(event.term);
  }
}

template <int D> double Stationary<D>::kinetic(const Family<D>& family, int k) const {
  double sum = 0.0;
  for (int a = 0; a < family.nodes_per_term(); ++a) {
    const int node = family.nodes(k)[a];
    for (const double v : state_.nodes[node].v) sum += 0.5 * system_.masses()[node] * v * v;
  }
  return sum;
}

template <int D> void Stationary<D>::act(int term) {
  const auto [family, k] = system_.place(term);
  Clock& clock = state_.clocks[term];
  Pending& pending = pending_[term];
  const double t = clock.next, weight = t - clock.last;
  TermValues<D> x{};

  family->drift(k, t, state_.nodes.data(), state_.supports);
  gather(*family, k, state_.nodes.data(), x.data());
  const double before = kinetic(*family, k), potential = family->energy(k, x.data(), t);
  const double rate = family->energy_rate(k, x.data(), t);
  if (observer_) observer_->before(term, t, weight, state_);
  family->kick(k, t, weight, state_.nodes.data(), state_.supports);
  if (observer_) observer_->after(term, t, weight, state_);
  const double after = kinetic(*family, k);

  count(pending, weight);
  pending.target = before + potential + weight * rate - after;
  pending.size = before + std::abs(potential) + std::abs(weight * rate) + after;
  pending.begun = true;
  clock.last = t;
  ++clock.count;
  predict(term, t);
  // kicks do not move nodes: who acts at this very time keeps it
  for (const int other : neighbours_[term])
    if (pending_[other].begun && state_.clocks[other].next > t) predict(other, t);
}

template <int D> void Stationary<D>::count(const Pending& pending, double step) {
  if (!pending.begun) {
    ++statistics_.first;
    return;
  }
  const bool none = statistics_.solved + statistics_.failed == 0;
  ++(pending.solved ? statistics_.solved : statistics_.failed);
  statistics_.smallest_step = none ? step : std::min(statistics_.smallest_step, step);
  statistics_.largest_step = std::max(statistics_.largest_step, step);
}

/// Positions and velocities of the nodes of a term, were they left alone until t.
template <int D>
void Stationary<D>::path(const Family<D>& family, int k, double t, double* x, double* v) const {
  for (int a = 0; a < family.nodes_per_term(); ++a) {
    const int at = family.nodes(k)[a];
    Node<D> node = state_.nodes[at];
    drift(node, t);
    if (node.inverse_mass < 0.0) place(state_.supports.of(at), node, t);
    for (int c = 0; c < D; ++c) x[a * D + c] = node.x[c], v[a * D + c] = node.v[c];
  }
}

/// V_K at time t over its target; no number where the energy has no value.
template <int D> double Stationary<D>::excess(int term, double t) const {
  const auto [family, k] = system_.place(term);
  TermValues<D> x{}, v{};
  path(*family, k, t, x.data(), v.data());
  try {
    return family->energy(k, x.data(), t) - pending_[term].target;
  } catch (const DomainError&) {
    return nan;
  }
}

template <int D> double Stationary<D>::slope(int term, double t) const {
  const auto [family, k] = system_.place(term);
  TermValues<D> x{}, v{}, g{};
  path(*family, k, t, x.data(), v.data());
  try {
    family->gradient(k, x.data(), t, g.data());
    double sum = family->energy_rate(k, x.data(), t);
    for (int i = 0; i < family->nodes_per_term() * D; ++i) sum += g[i] * v[i];
    return sum;
  } catch (const DomainError&) {
    return nan;
  }
}

template <int D> void Stationary<D>::predict(int term, double now) {
  Clock& clock = state_.clocks[term];
  Pending& pending = pending_[term];
  const double nominal = std::max(clock.last + pending.nominal, now);
  const double a = std::max(options_.smallest * pending.nominal, now - clock.last);
  const double b = options_.largest * pending.nominal;
  const auto f = [&](double t) { return excess(term, t); };
  const auto still = [&](double t) {
    return std::abs(f(t)) <= 8.0 * std::numeric_limits<double>::epsilon() * pending.size;
  };

  std::optional<double> root;
  if (still(nominal) && still(clock.last + a) && still(clock.last + b))
    root = nominal;  // nothing happens to the term: every time is a root
  else if (a < b)
    root = first_root(
        f, [&](double t) { return slope(term, t); }, clock.last, a, b, options_.stretches);
  pending.solved = root.has_value();
  clock.next = std::max(root.value_or(nominal), now);
  clock.step = clock.next - clock.last;
  if (!(clock.step > 0.0) || !std::isfinite(clock.next))
    throw NoConvergence("Stationary: term " + std::to_string(term) + " cannot go on from t = " +
                            to_text(clock.last) + ": its step " + to_text(clock.step) +
                            " is not positive beside the time; use larger nominal steps",
                        clock.last, clock.step, 0, 0.0);
  schedule(term);
}

template class Stationary<1>;
template class Stationary<2>;
template class Stationary<3>;

}  // namespace varia::terms
