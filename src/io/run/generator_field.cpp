// SPDX-License-Identifier: BSD-3-Clause
#include "generator_field.hpp"

#include <algorithm>

namespace varia::io {

GeneratorField generator_field(const Model& model, std::size_t momentum) {
  const int n = model.system->n;
  if (!model.momenta[momentum].has_generator) {
    const auto& names = model.momentum_names;
    const auto found = std::find(names.begin(), names.end(), model.momenta[momentum].name);
    return [n, degree = static_cast<int>(found - names.begin())](const Vn&) {
      return Vn(Vn::Unit(n, degree));
    };
  }
  const auto earlier = std::count_if(model.momenta.begin(),
                                     model.momenta.begin() + static_cast<std::ptrdiff_t>(momentum),
                                     [](const Momentum& m) { return m.has_generator; });
  return [kernel = model.generators, n, inputs = model.variable_names.size(),
          first = static_cast<Eigen::Index>(earlier) * n](const Vn& q) {
    std::vector<double> x(inputs, 0.0);
    std::copy(q.data(), q.data() + q.size(), x.begin() + 1);
    Vn all(kernel.tape().outputs());
    kernel(x.data(), all.data());
    return Vn(all.segment(first, n));
  };
}

}  // namespace varia::io
