// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A material as a scenario states it: the name of a strain energy, its constants, a density.
//
//   neo_hookean, st_venant_kirchhoff, linear_elastic   lambda, mu   or   young, poisson
//   mooney_rivlin                                      c1, c2, lambda
//
//   (lame)   λ = E ν / ((1 + ν)(1 - 2ν)),     μ = E / (2 (1 + ν))
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "varia/solids/linear_elastic.hpp"
#include "varia/solids/mooney_rivlin.hpp"
#include "varia/solids/neo_hookean.hpp"
#include "varia/solids/st_venant_kirchhoff.hpp"

namespace varia::solids {

struct Material {
  std::string model;
  std::vector<std::pair<std::string, double>> parameters;
  double density = 0.0;
};

/// One entry of the list of models.
struct MaterialModel {
  std::string name;
  std::string summary;                               ///< for a person, one line
  std::vector<std::vector<std::string>> parameters;  ///< sets of constants; one of them is stated
};

/// All models, in the order they are listed to a person.
const std::vector<MaterialModel>& material_models();

using Law = std::variant<NeoHookean, StVenantKirchhoff, MooneyRivlin, LinearElastic>;

/// The strain energy. Throws InvalidArgument for unknown names (with the nearest known one),
/// missing or surplus constants, values that are not finite, a density that is not positive, and
/// constants without a stable rest state: it takes μ > 0 and λ + 2μ/3 > 0 at small strain, and
/// c1 ≥ 0, c2 ≥ 0, because with a negative one the energy has no lower bound.
Law law(const Material& material);

/// (wave-speed)  c = sqrt((λ + 2μ)/ρ): pressure waves at small strain.        [LMOW03] (68)
double wave_speed(const Material& material);

}  // namespace varia::solids
