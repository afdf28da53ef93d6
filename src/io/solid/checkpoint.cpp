// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "../files/crc64.hpp"
#include "varia/core/error.hpp"
#include "varia/io/solid_checkpoint.hpp"
#include "varia/terms/gradient.hpp"

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

namespace {

template <class Number> std::string sum_of(const std::vector<Number>& numbers) {
  return std::to_string(
      crc64({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)}));
}

/// A text in which two solids agree if mesh, materials, supports and loads do. Materials and loads
/// are seen in masses, wave speeds, and the energy of the start.
template <int D> std::string system_signature(const solids::Solid<D>& solid) {
  std::string text(solids::info(solid.mesh.shape).name);
  const auto add = [&](const std::string& part) { text += "\n" + part; };
  add(std::to_string(solid.mesh.node_count()) + " nodes " + sum_of(solid.mesh.X));
  add(std::to_string(solid.mesh.element_count()) + " elements " + sum_of(solid.mesh.elements));
  add("masses " + sum_of(solid.system.masses()));
  add("stable steps " + sum_of(solid.stable));
  std::vector<double> supports;
  for (const auto& support : solid.supports.list())
    for (int c = 0; c < D; ++c) {
      supports.push_back(static_cast<double>(support.node));
      supports.push_back(support.fixed[c] ? 1.0 : 0.0);
      supports.push_back(support.position[c]);
      supports.push_back(support.motion ? 1.0 : 0.0);
    }
  add("supports " + sum_of(supports));
  std::array<std::uint64_t, 1 + D> digest{};  // of the forces so far, and the next one
  terms::for_gradients(solid.system, solid.mesh.X, solid.t0, [&](int, int, const double* g) {
    for (std::size_t c = 0; c < D; ++c) digest[1 + c] = std::bit_cast<std::uint64_t>(g[c]);
    digest[0] = crc64({reinterpret_cast<const char*>(digest.data()), sizeof digest});
  });
  add("forces at rest " + std::to_string(digest[0]));
  return text;
}

const char* name_of(LocalEnergy which) {
  if (which == LocalEnergy::none) return "none";
  return which == LocalEnergy::all ? "all" : "sample";
}

}  // namespace

template <int D>
Checkpoint signed_checkpoint(const SolidModel& model, const solids::Solid<D>& solid) {
  Checkpoint c;
  c.texts = {{"solid", system_signature(solid)},
             {"start", sum_of(solid.x0) + " " + sum_of(solid.v0)},
             {"method", model.run.method()},
             {"steps", model.run.newmark ? "" : sum_of(solid.steps)},
             {"courant", varia::to_text(model.run.courant)},
             {"local_energy", name_of(model.run.local_energy)}};
  return c;
}

template Checkpoint signed_checkpoint(const SolidModel&, const solids::Solid<2>&);
template Checkpoint signed_checkpoint(const SolidModel&, const solids::Solid<3>&);

void check_fits(const Checkpoint& found, const Checkpoint& here, const std::string& columns,
                const std::string& path, const SolidRun& run) {
  const auto refuse = [&](const std::string& what) {
    throw InvalidArgument("--restart " + path + ": " + what);
  };
  const auto differs = [&](const char* name) { return found.text(name) != here.text(name); };
  const auto both = [&](const char* name) {
    return found.text(name) + ", the scenario has " + here.text(name);
  };
  if (std::none_of(found.texts.begin(), found.texts.end(),
                   [](const auto& text) { return text.first == "solid"; }))
    refuse("the checkpoint is not of a solid");
  if (differs("solid"))
    refuse(
        "the checkpoint belongs to another solid; mesh, materials, supports and loads must be "
        "those of the first run");
  if (differs("method")) refuse("the checkpoint is of another method: " + both("method"));
  if (differs("steps")) refuse("the checkpoint is of another courant: " + both("courant"));
  if (run.newmark && run.step > 0.0 && found.array("step").at(0) != run.step)
    refuse("the checkpoint is of another step: " + varia::to_text(found.array("step").at(0)) +
           ", the scenario has " + varia::to_text(run.step));
  if (found.text("columns") != columns)
    refuse("the first run recorded other functions; [solid.observe] must be the same");
  if (differs("local_energy"))
    refuse("the first run had another local_energy: " + both("local_energy"));
}

}  // namespace varia::io
