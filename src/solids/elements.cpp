// SPDX-License-Identifier: BSD-3-Clause
#include "varia/solids/elements.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "elements_of.hpp"

namespace varia::solids {

namespace {

/// Three digits: what a person wants to know of J.
std::string brief(double J) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", J);
  return text.data();
}

}  // namespace

template <int D> void Elements<D>::inverted(int k, double J, double t) const {
  const std::string name = "element " + std::to_string(tag(k)) + ": ";
  const std::string when = " at t = " + to_text(t) + "; use a smaller courant, or a finer mesh";
  if (!std::isfinite(J))
    throw terms::InvertedElement(name + "its nodes are at no finite place (J = " + brief(J) +
                                     "), the motion has diverged" + when,
                                 tag(k), t);
  if (J > 0.0)
    throw terms::InvertedElement(
        name + "its material has no stress for this strain (J = " + brief(J) + ")" + when, tag(k),
        t);
  throw terms::InvertedElement(name + "turned inside out (J = " + brief(J) + ")" + when, tag(k), t);
}

template <int D> void Elements<D>::no_volume(long number, double size) const {
  throw MeshError("element " + std::to_string(number) + ": its " + (D == 2 ? "area" : "volume") +
                  " is " + to_text(size) +
                  "; it must be positive (nodes in the order of the shape, not inside out)");
}

namespace {

void check(const Mesh& mesh, const std::vector<int>& which, int dimension) {
  if (mesh.dimension() != dimension)
    throw InvalidArgument("make_elements: the mesh has dimension " +
                          std::to_string(mesh.dimension()) + ", asked for " +
                          std::to_string(dimension));
  for (const int k : which)
    if (k < 0 || k >= mesh.element_count())
      throw InvalidArgument("make_elements: there is no element " + std::to_string(k) +
                            "; elements are 0 to " + std::to_string(mesh.element_count() - 1));
}

}  // namespace

template <int D>
std::unique_ptr<Elements<D>> make_elements(const Mesh& mesh, const std::vector<int>& which,
                                           const Material& material, Plane plane) {
  check(mesh, which, D);
  return std::visit([&](const auto& m) { return elements_of<D>(mesh, which, m, plane); },
                    law(material));
}

template <int D>
void cauchy(const terms::Family<D>& family, int k, const double* x, double* sigma, double t) {
  const auto* elements = dynamic_cast<const Elements<D>*>(&family);
  if (elements == nullptr)
    throw InvalidArgument(std::string("cauchy: terms of kind ") + family.kind() +
                          " have no stress; only elements of a solid have");
  elements->cauchy(k, x, t, sigma);
}

template class Elements<2>;
template class Elements<3>;
template std::unique_ptr<Elements<2>> make_elements(const Mesh&, const std::vector<int>&,
                                                    const Material&, Plane);
template std::unique_ptr<Elements<3>> make_elements(const Mesh&, const std::vector<int>&,
                                                    const Material&, Plane);
template void cauchy(const terms::Family<2>&, int, const double*, double*, double);
template void cauchy(const terms::Family<3>&, int, const double*, double*, double);

}  // namespace varia::solids
