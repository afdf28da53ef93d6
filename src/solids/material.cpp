// SPDX-License-Identifier: BSD-3-Clause
#include "varia/solids/material.hpp"

#include <algorithm>
#include <cmath>

#include "varia/core/error.hpp"
#include "varia/core/nearest.hpp"

namespace varia::solids {

namespace {

using Names = std::vector<std::string>;

std::string list(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string hint(const std::string& word, const Names& known) {
  const std::string near = nearest(word, known);
  return near.empty() ? "" : ", did you mean " + near + "?";
}

[[noreturn]] void refuse(const Material& material, const std::string& why) {
  throw InvalidArgument("material " + material.model + ": " + why);
}

const MaterialModel& model(const std::string& name) {
  Names known;
  for (const MaterialModel& entry : material_models()) {
    if (entry.name == name) return entry;
    known.push_back(entry.name);
  }
  throw InvalidArgument("material: there is no model '" + name + "'" + hint(name, known) +
                        " Known models: " + list(known));
}

std::string allowed(const MaterialModel& entry) {
  std::string text;
  for (const Names& set : entry.parameters) text += (text.empty() ? "" : " or ") + list(set);
  return text;
}

/// Every constant has a known name, is stated once and is finite.
void check_names(const Material& material, const MaterialModel& entry) {
  Names known, seen;
  for (const Names& set : entry.parameters) known.insert(known.end(), set.begin(), set.end());
  for (const auto& [name, value] : material.parameters) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      refuse(material, "there is no constant '" + name + "'" + hint(name, known) +
                           " The model takes " + allowed(entry));
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      refuse(material, "the constant '" + name + "' is stated twice");
    seen.push_back(name);
    if (!std::isfinite(value)) refuse(material, name + " = " + to_text(value) + " is not finite");
  }
}

/// The set of constants that was stated: which one, and the values in its order.
struct Stated {
  std::size_t set = 0;
  std::vector<double> values;
};

Stated stated(const Material& material, const MaterialModel& entry) {
  for (std::size_t s = 0; s < entry.parameters.size(); ++s) {
    const Names& set = entry.parameters[s];
    if (set.size() != material.parameters.size()) continue;
    Stated found{s, {}};
    for (const std::string& name : set)
      for (const auto& [given, value] : material.parameters)
        if (given == name) found.values.push_back(value);
    if (found.values.size() == set.size()) return found;
  }
  Names given;
  for (const auto& parameter : material.parameters) given.push_back(parameter.first);
  refuse(material, "the model takes " + allowed(entry) + "; found " +
                       (given.empty() ? "no constants" : list(given)));
}

/// (lame)
void from_young(const Material& material, double& lambda, double& mu) {
  const double young = lambda, poisson = mu;
  if (!(young > 0.0)) refuse(material, "young = " + to_text(young) + " is not positive");
  if (!(poisson > -1.0 && poisson < 0.5))
    refuse(material, "poisson = " + to_text(poisson) + " is not between -1 and 1/2");
  lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
  mu = 0.5 * young / (1.0 + poisson);
}

void check_stable(const Material& material, double lambda, double mu) {
  if (!(mu > 0.0))
    refuse(material, "the shear modulus is " + to_text(mu) + "; it must be positive");
  if (!(lambda + 2.0 * mu / 3.0 > 0.0))
    refuse(material, "the bulk modulus lambda + 2 mu/3 is " + to_text(lambda + 2.0 * mu / 3.0) +
                         "; it must be positive");
  if (!std::isfinite(lambda + 2.0 * mu))
    refuse(material, "the pressure wave modulus is not finite");
}

}  // namespace

const std::vector<MaterialModel>& material_models() {
  static const Names lame{"lambda", "mu"}, engineering{"young", "poisson"};
  static const std::vector<MaterialModel> models{
      {"neo_hookean", "compressible neo-Hookean solid, any strain", {lame, engineering}},
      {"st_venant_kirchhoff",
       "linear law in the Green strain, any rotation, moderate strain",
       {lame, engineering}},
      {"mooney_rivlin", "compressible Mooney-Rivlin solid (rubber)", {{"c1", "c2", "lambda"}}},
      {"linear_elastic",
       "linear elasticity, small strains and rotations only",
       {lame, engineering}}};
  return models;
}

Law law(const Material& material) {
  const MaterialModel& entry = model(material.model);
  check_names(material, entry);
  const Stated given = stated(material, entry);
  if (!(material.density > 0.0) || !std::isfinite(material.density))
    refuse(material, "density = " + to_text(material.density) + " is not positive and finite");

  if (entry.name == "mooney_rivlin") {
    const double c1 = given.values[0], c2 = given.values[1], lambda = given.values[2];
    if (!(c1 >= 0.0)) refuse(material, "c1 = " + to_text(c1) + " is negative");
    if (!(c2 >= 0.0)) refuse(material, "c2 = " + to_text(c2) + " is negative");
    check_stable(material, lambda + 4.0 * c2, 2.0 * (c1 + c2));
    return MooneyRivlin{c1, c2, lambda};
  }
  double lambda = given.values[0], mu = given.values[1];
  if (given.set == 1) from_young(material, lambda, mu);
  check_stable(material, lambda, mu);
  if (entry.name == "st_venant_kirchhoff") return StVenantKirchhoff{lambda, mu};
  if (entry.name == "linear_elastic") return LinearElastic{lambda, mu};
  return NeoHookean{lambda, mu};
}

double wave_speed(const Material& material) {
  const double modulus =
      std::visit([](const auto& m) { return m.pressure_wave_modulus(); }, law(material));
  return std::sqrt(modulus / material.density);
}

}  // namespace varia::solids
