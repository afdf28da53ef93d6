// SPDX-License-Identifier: BSD-3-Clause
#include "solid_signature.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "crc64.hpp"
#include "varia/terms/gradient.hpp"

namespace varia::io {

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
