// SPDX-License-Identifier: BSD-3-Clause
#include "varia/terms/system.hpp"

#include <algorithm>
#include <cmath>

#include "varia/terms/gradient.hpp"

namespace varia::terms {

namespace {

void check_size(const char* what, std::size_t found, std::size_t wanted) {
  if (found != wanted)
    throw InvalidArgument("terms: " + std::to_string(found) + " " + what + " were given, " +
                          std::to_string(wanted) + " are needed");
}

void check_finite(const char* what, const std::vector<double>& values) {
  for (const double value : values)
    if (!std::isfinite(value))
      throw InvalidArgument(std::string("terms: ") + what + " hold the value " + to_text(value));
}

template <int D> void check_nodes(const Family<D>& family, int node_count) {
  const auto refuse = [&](int k, const std::string& what) {
    throw InvalidArgument("terms: term " + std::to_string(k) + " (" + family.kind() + ") has " +
                          what);
  };
  for (int k = 0; k < family.size(); ++k)
    for (int a = 0; a < family.nodes_per_term(); ++a) {
      const int* nodes = family.nodes(k);
      if (nodes[a] < 0 || nodes[a] >= node_count)
        refuse(k, "node " + std::to_string(nodes[a]) + "; nodes are 0 to " +
                      std::to_string(node_count - 1));
      if (std::find(nodes, nodes + a, nodes[a]) != nodes + a)
        refuse(k, "node " + std::to_string(nodes[a]) + " twice");
    }
}

}  // namespace

template <int D> int System<D>::add(std::unique_ptr<Family<D>> family) {
  if (!family) throw InvalidArgument("System: the family is empty");
  const int first = term_count();
  first_.push_back(first + family->size());
  families_.push_back(std::move(family));
  return first;
}

template <int D> void System<D>::set_masses(std::vector<double> masses) {
  for (std::size_t a = 0; a < masses.size(); ++a)
    if (!(masses[a] > 0.0) || !std::isfinite(masses[a]))
      throw InvalidArgument("System: node " + std::to_string(a) + " has mass " +
                            to_text(masses[a]) + "; masses are positive and finite");
  masses_ = std::move(masses);
}

template <int D> void check(const System<D>& system, const Supports<D>& supports) {
  for (const auto& family : system.families()) check_nodes(*family, system.node_count());
  for (const auto& support : supports.list())
    if (support.node >= system.node_count())
      throw InvalidArgument("terms: node " + std::to_string(support.node) +
                            " has a support and does not exist; nodes are 0 to " +
                            std::to_string(system.node_count() - 1));
}

template <int D>
State<D> start(const System<D>& system, const std::vector<double>& x, const std::vector<double>& v,
               const std::vector<double>& steps, Supports<D> supports,
               const StartOptions& options) {
  const auto n = static_cast<std::size_t>(system.node_count());
  check_size("positions", x.size(), n * D);
  check_size("velocities", v.size(), n * D);
  check_size("steps", steps.size(), static_cast<std::size_t>(system.term_count()));
  check_finite("positions", x);
  check_finite("velocities", v);
  check(system, supports);
  if (!std::isfinite(options.t0))
    throw InvalidArgument("terms: the start time is " + to_text(options.t0));

  State<D> state;
  state.t0 = options.t0;
  state.supports = std::move(supports);
  state.nodes.resize(n);
  for (std::size_t a = 0; a < n; ++a) {
    Node<D>& node = state.nodes[a];
    for (int c = 0; c < D; ++c) node.x[c] = x[a * D + c], node.v[c] = v[a * D + c];
    node.t = options.t0;
    node.inverse_mass = 1.0 / system.masses()[a];
  }
  for (const auto& support : state.supports.list()) {
    Node<D>& node = state.nodes[static_cast<std::size_t>(support.node)];
    node.inverse_mass = -node.inverse_mass;
    place(support, node, options.t0);
  }
  state.clocks.resize(steps.size());
  state.lead.assign(steps.size(), 0.0);
  for (std::size_t K = 0; K < steps.size(); ++K) {
    if (!(steps[K] > 0.0) || !std::isfinite(steps[K]) || options.t0 + steps[K] == options.t0)
      throw InvalidArgument("terms: term " + std::to_string(K) + " has the step " +
                            to_text(steps[K]) +
                            "; steps are positive, finite and do not vanish beside the time");
    state.clocks[K] = {options.t0 + steps[K], options.t0, steps[K], 0};
    if (options.half_kick) state.lead[K] = 0.5 * steps[K];
  }
  if (!options.half_kick) return state;

  // (AVI-start)  all gradients at x⁰, before any drift
  std::vector<double> x0(x);
  for (std::size_t a = 0; a < n; ++a)
    for (int c = 0; c < D; ++c) x0[a * D + c] = state.nodes[a].x[c];
  for_gradients(system, x0, options.t0, [&](int term, int a, const double* g) {
    Node<D>& node = state.nodes[static_cast<std::size_t>(a)];
    const double weight = state.lead[static_cast<std::size_t>(term)];
    if (node.inverse_mass < 0.0)
      kick(state.supports.of(a), node, weight, g);
    else
      for (int c = 0; c < D; ++c) node.v[c] -= weight * node.inverse_mass * g[c];
  });
  return state;
}

template <int D>
Synchronised<D> synchronise(const System<D>& system, const State<D>& state, double t) {
  if (!std::isfinite(t)) throw InvalidArgument("synchronise: the time is " + to_text(t));
  const std::size_t n = state.nodes.size();
  Synchronised<D> at{t, std::vector<double>(n * D), std::vector<double>(n * D)};
  for (std::size_t a = 0; a < n; ++a) {
    Node<D> node = state.nodes[a];
    if (node.t > t)
      throw InvalidArgument("synchronise: node " + std::to_string(a) +
                            " is at t = " + to_text(node.t) + " already, later than " + to_text(t));
    drift(node, t);
    if (node.inverse_mass < 0.0) place(state.supports.of(static_cast<int>(a)), node, t);
    for (int c = 0; c < D; ++c) at.x[a * D + c] = node.x[c], at.v[a * D + c] = node.v[c];
  }
  check_finite_motion(at);
  // (AVI-sync)
  for_gradients(system, at.x, t, [&](int term, int a, const double* g) {
    const auto K = static_cast<std::size_t>(term);
    const Node<D>& node = state.nodes[static_cast<std::size_t>(a)];
    const double weight = t - state.clocks[K].last - state.lead[K];
    const bool supported = node.inverse_mass < 0.0;
    for (int c = 0; c < D; ++c)
      if (!supported || !state.supports.of(a).fixed[c])
        at.v[static_cast<std::size_t>(a) * D + c] -= weight * std::abs(node.inverse_mass) * g[c];
  });
  check_finite_motion(at);
  return at;
}

template <int D> void check_finite_motion(const Synchronised<D>& at) {
  for (std::size_t i = 0; i < at.x.size(); ++i)
    if (!std::isfinite(at.x[i]) || !std::isfinite(at.v[i]))
      throw Divergence("the motion diverged: node " + std::to_string(i / D) + " has position " +
                           to_text(at.x[i]) + " and velocity " + to_text(at.v[i]) +
                           " at t = " + to_text(at.t) + "; use smaller steps",
                       static_cast<long>(i / D), at.t);
}

template class System<1>;
template void check(const System<1>&, const Supports<1>&);
template void check_finite_motion(const Synchronised<1>&);
template State<1> start(const System<1>&, const std::vector<double>&, const std::vector<double>&,
                        const std::vector<double>&, Supports<1>, const StartOptions&);
template Synchronised<1> synchronise(const System<1>&, const State<1>&, double);

template class System<2>;
template void check(const System<2>&, const Supports<2>&);
template void check_finite_motion(const Synchronised<2>&);
template State<2> start(const System<2>&, const std::vector<double>&, const std::vector<double>&,
                        const std::vector<double>&, Supports<2>, const StartOptions&);
template Synchronised<2> synchronise(const System<2>&, const State<2>&, double);

template class System<3>;
template void check(const System<3>&, const Supports<3>&);
template void check_finite_motion(const Synchronised<3>&);
template State<3> start(const System<3>&, const std::vector<double>&, const std::vector<double>&,
                        const std::vector<double>&, Supports<3>, const StartOptions&);
template Synchronised<3> synchronise(const System<3>&, const State<3>&, double);

}  // namespace varia::terms
