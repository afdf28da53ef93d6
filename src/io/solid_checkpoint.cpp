// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/solid_checkpoint.hpp"

#include <algorithm>

#include "varia/core/error.hpp"

namespace varia::io {

namespace {

const std::vector<double>& checked(const Checkpoint& checkpoint, const char* name,
                                   std::size_t size) {
  const std::vector<double>& found = checkpoint.array(name);
  if (found.size() != size)
    throw InvalidArgument("the checkpoint is of another solid: " + std::string(name) + " has " +
                          std::to_string(found.size()) + " numbers, " + std::to_string(size) +
                          " are needed");
  return found;
}

template <int D> std::vector<double> impulses(const terms::Supports<D>& supports) {
  std::vector<double> all;
  for (const auto& support : supports.list())
    all.insert(all.end(), support.impulse.begin(), support.impulse.end());
  return all;
}

template <int D> void load_impulses(const Checkpoint& checkpoint, terms::Supports<D>& supports) {
  const double* at = checked(checkpoint, "impulses", supports.list().size() * D).data();
  for (auto& support : supports.list()) {
    std::copy_n(at, D, support.impulse.begin());
    at += D;
  }
}

/// x, v, t of a node, in this order.
constexpr int node_numbers(int dimension) { return 2 * dimension + 1; }

}  // namespace

template <int D> void save(const terms::State<D>& state, Checkpoint& checkpoint) {
  std::vector<double> nodes;
  nodes.reserve(state.nodes.size() * node_numbers(D));
  for (const auto& node : state.nodes) {
    nodes.insert(nodes.end(), node.x.begin(), node.x.end());
    nodes.insert(nodes.end(), node.v.begin(), node.v.end());
    nodes.push_back(node.t);
  }
  std::vector<double> clocks;
  clocks.reserve(state.clocks.size() * 4);
  for (const auto& clock : state.clocks)  // counts are far below 2^53
    clocks.insert(clocks.end(),
                  {clock.next, clock.last, clock.step, static_cast<double>(clock.count)});
  checkpoint.integers.emplace_back("variable_steps", state.variable_steps ? 1 : 0);
  checkpoint.arrays.emplace_back("t0", std::vector<double>{state.t0});
  checkpoint.arrays.emplace_back("nodes", std::move(nodes));
  checkpoint.arrays.emplace_back("clocks", std::move(clocks));
  checkpoint.arrays.emplace_back("lead", state.lead);
  checkpoint.arrays.emplace_back("impulses", impulses(state.supports));
}

template <int D> void load(const Checkpoint& checkpoint, terms::State<D>& state) {
  const double* at = checked(checkpoint, "nodes", state.nodes.size() * node_numbers(D)).data();
  const double* times = checked(checkpoint, "clocks", state.clocks.size() * 4).data();
  state.lead = checked(checkpoint, "lead", state.clocks.size());
  state.t0 = checked(checkpoint, "t0", 1).front();
  state.variable_steps = checkpoint.integer("variable_steps") != 0;
  load_impulses(checkpoint, state.supports);
  for (auto& node : state.nodes) {
    std::copy_n(at, D, node.x.begin());
    std::copy_n(at + D, D, node.v.begin());
    node.t = at[2 * D];
    at += node_numbers(D);
  }
  for (auto& clock : state.clocks) {
    clock = {times[0], times[1], times[2], static_cast<std::int64_t>(times[3])};
    times += 4;
  }
}

template <int D> void save(const terms::NewmarkState<D>& state, Checkpoint& checkpoint) {
  checkpoint.integers.emplace_back("count", state.count);
  checkpoint.arrays.emplace_back("t0", std::vector<double>{state.t0, state.step});
  checkpoint.arrays.emplace_back("x", state.x);
  checkpoint.arrays.emplace_back("v", state.v);
  checkpoint.arrays.emplace_back("impulses", impulses(state.supports));
}

template <int D> void load(const Checkpoint& checkpoint, terms::NewmarkState<D>& state) {
  state.x = checked(checkpoint, "x", state.x.size());
  state.v = checked(checkpoint, "v", state.v.size());
  const std::vector<double>& times = checked(checkpoint, "t0", 2);
  state.t0 = times[0];
  state.step = times[1];
  state.count = checkpoint.integer("count");
  load_impulses(checkpoint, state.supports);
}

#define VARIA_DIMENSION(D)                                        \
  template void save(const terms::State<D>&, Checkpoint&);        \
  template void save(const terms::NewmarkState<D>&, Checkpoint&); \
  template void load(const Checkpoint&, terms::State<D>&);        \
  template void load(const Checkpoint&, terms::NewmarkState<D>&);
VARIA_DIMENSION(2)
VARIA_DIMENSION(3)
#undef VARIA_DIMENSION

}  // namespace varia::io
