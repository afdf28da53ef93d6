// SPDX-License-Identifier: BSD-3-Clause
#include "varia/solids/solid.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "varia/solids/loads.hpp"
#include "varia/solids/lumping.hpp"
#include "varia/solids/steps.hpp"

namespace varia::solids {

namespace {

/// The region of every element.
std::vector<int> owners(const Problem& problem) {
  const long count = problem.mesh.element_count();
  std::vector<int> owner(static_cast<std::size_t>(count), -1);
  for (std::size_t r = 0; r < problem.regions.size(); ++r)
    for (const int k : problem.regions[r].elements) {
      if (k < 0 || k >= count)
        throw InvalidArgument("region " + problem.regions[r].name + ": element index " +
                              std::to_string(k) + " does not exist; there are " +
                              std::to_string(count) + " elements");
      int& at = owner[static_cast<std::size_t>(k)];
      if (at >= 0)
        throw InvalidArgument(
            "element " + std::to_string(element_number(problem.mesh, k)) + " is in the regions " +
            problem.regions[static_cast<std::size_t>(at)].name + " and " + problem.regions[r].name);
      at = static_cast<int>(r);
    }
  const auto without = std::count(owner.begin(), owner.end(), -1);
  if (without > 0)
    throw InvalidArgument(std::to_string(without) + " of " + std::to_string(count) +
                          (without == 1 ? " elements is" : " elements are") +
                          " in no region, and without a material");
  return owner;
}

/// Region by region, in each along a curve through space; nodes by first use.
Order computing_order(const Mesh& mesh, const std::vector<int>& owner) {
  Order order = spatial_order(mesh);
  if (std::all_of(owner.begin(), owner.end(), [](int r) { return r == 0; })) return order;
  std::stable_sort(order.elements.begin(), order.elements.end(), [&](int a, int b) {
    return owner[static_cast<std::size_t>(a)] < owner[static_cast<std::size_t>(b)];
  });
  std::vector<bool> seen(order.nodes.size(), false);
  std::vector<int> nodes;
  const auto take = [&](int a) {
    if (!seen[static_cast<std::size_t>(a)]) nodes.push_back(a);
    seen[static_cast<std::size_t>(a)] = true;
  };
  for (const int k : order.elements)
    for (int i = 0; i < mesh.nodes_per_element(); ++i) take(mesh.element(k)[i]);
  for (const int a : order.nodes) take(a);
  order.nodes = std::move(nodes);
  return order;
}

std::vector<int> inverse(const std::vector<int>& order) {
  std::vector<int> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  return place;
}

Mesh numbered(Mesh mesh) {
  const auto number = [](std::vector<long>& tags, long count) {
    if (!tags.empty()) return;
    tags.resize(static_cast<std::size_t>(count));
    std::iota(tags.begin(), tags.end(), 1L);
  };
  number(mesh.element_tag, mesh.element_count());
  number(mesh.node_tag, mesh.node_count());
  return mesh;
}

template <int D> class Builder {
 public:
  explicit Builder(const Problem& problem) : problem_(problem) {}

  Solid<D> run() {
    if (problem_.mesh.dimension() != D)
      throw InvalidArgument("solid: the mesh has dimension " +
                            std::to_string(problem_.mesh.dimension()) + ", " + std::to_string(D) +
                            " was asked for");
    if (!(problem_.courant > 0.0) || !std::isfinite(problem_.courant))
      throw InvalidArgument("solid: courant must be positive and finite, got " +
                            to_text(problem_.courant));
    validate(problem_.mesh);
    const std::vector<int> owner = owners(problem_);
    solid_.order = computing_order(problem_.mesh, owner);
    solid_.mesh = reorder(numbered(problem_.mesh), solid_.order);
    solid_.t0 = problem_.t0;
    place_of_element_ = inverse(solid_.order.elements);
    place_of_node_ = inverse(solid_.order.nodes);
    add_masses();
    add_regions(owner);
    add_start();
    add_supports();
    return std::move(solid_);
  }

 private:
  void add_masses();
  void add_regions(const std::vector<int>& owner);
  void add_loads(terms::Family<D>& family, int first);
  void add_steps(const terms::Family<D>& family, int first, const Material& material);
  void add_start();
  void add_supports();
  double value(const Component& component, long node, double otherwise) const {
    if (!component) return otherwise;
    const double found = component.value(solid_.mesh.node(node), problem_.t0);
    if (!std::isfinite(found))
      throw InvalidArgument("solid: a start value at node " +
                            std::to_string(node_number(solid_.mesh, node)) + " is " +
                            to_text(found));
    return found;
  }
  const double* element_masses(int element) const {
    return solid_.element_masses.data() +
           static_cast<std::ptrdiff_t>(element) * solid_.mesh.nodes_per_element();
  }

  const Problem& problem_;
  Solid<D> solid_;
  std::vector<int> place_of_element_, place_of_node_;
};

template <int D> void Builder<D>::add_masses() {
  const Mesh& mesh = solid_.mesh;
  std::vector<double> densities(static_cast<std::size_t>(mesh.element_count()));
  for (const Region& region : problem_.regions)
    for (const int k : region.elements)
      densities[static_cast<std::size_t>(place_of_element_[k])] = region.material.density;
  std::vector<double> masses(static_cast<std::size_t>(mesh.node_count()), 0.0);
  solid_.element_masses.reserve(mesh.elements.size());
  for (long k = 0; k < mesh.element_count(); ++k) {
    const auto lumped = lumped_masses(mesh, k, densities[static_cast<std::size_t>(k)]);
    for (int i = 0; i < mesh.nodes_per_element(); ++i) {
      masses[static_cast<std::size_t>(mesh.element(k)[i])] += lumped[static_cast<std::size_t>(i)];
      solid_.element_masses.push_back(lumped[static_cast<std::size_t>(i)]);
    }
  }
  solid_.total_mass = std::accumulate(masses.begin(), masses.end(), 0.0);
  solid_.system.set_masses(std::move(masses));
}

template <int D> void Builder<D>::add_regions(const std::vector<int>& owner) {
  std::vector<std::vector<int>> elements(problem_.regions.size());
  for (long k = 0; k < solid_.mesh.element_count(); ++k) {
    const auto old = static_cast<std::size_t>(solid_.order.elements[static_cast<std::size_t>(k)]);
    elements[static_cast<std::size_t>(owner[old])].push_back(static_cast<int>(k));
  }
  for (std::size_t r = 0; r < elements.size(); ++r) {
    if (elements[r].empty()) continue;
    const Material& material = problem_.regions[r].material;
    std::unique_ptr<terms::Family<D>> family =
        make_elements<D>(solid_.mesh, elements[r], material, problem_.plane);
    const int first = elements[r].front();
    add_loads(*family, first);
    add_steps(*family, first, material);
    solid_.system.add(std::move(family));
  }
}

template <int D> void Builder<D>::add_loads(terms::Family<D>& family, int first) {
  const Mesh& mesh = solid_.mesh;
  const int n = family.nodes_per_term();
  auto loads = std::make_shared<ElementLoads<D>>(family.size(), n);
  const auto& body = problem_.body_force;
  if (body[0] || body[1] || body[2])
    for (int k = 0; k < family.size(); ++k)
      for (int a = 0; a < n; ++a) {
        std::array<double, terms::max_nodes> weights{};
        weights[a] = element_masses(first + k)[a];
        loads->add_sample(k, body, mesh.node(family.nodes(k)[a]), weights.data(), problem_.t0);
      }
  for (const Traction& traction : problem_.tractions)
    for (const Face& face : traction.faces) {
      const int k = place_of_element_.at(static_cast<std::size_t>(face.element)) - first;
      if (k < 0 || k >= family.size()) continue;
      for (const FacePoint& p : face_quadrature(mesh, {first + k, face.local}))
        loads->add_sample(k, traction.traction, p.X.data(), p.weights.data(), problem_.t0);
    }
  if (loads->empty()) return;
  loads->finish();
  family.set_load(std::move(loads));
}

template <int D>
void Builder<D>::add_steps(const terms::Family<D>& family, int first, const Material& material) {
  const double c = wave_speed(material);
  std::array<double, terms::max_numbers<D>> X{};
  for (int k = 0; k < family.size(); ++k) {
    solid_.steps.push_back(courant_step(solid_.mesh, first + k, c, problem_.courant));
    for (int a = 0; a < family.nodes_per_term(); ++a)
      for (int i = 0; i < D; ++i) X[a * D + i] = solid_.mesh.node(family.nodes(k)[a])[i];
    solid_.stable.push_back(stable_step(family, k, X.data(), element_masses(first + k)));
  }
}

template <int D> void Builder<D>::add_start() {
  const Mesh& mesh = solid_.mesh;
  solid_.x0 = mesh.X;
  solid_.v0.assign(mesh.X.size(), 0.0);
  for (long a = 0; a < mesh.node_count(); ++a)
    for (int c = 0; c < D; ++c) {
      const auto i = static_cast<std::size_t>(a * D + c);
      solid_.x0[i] = value(problem_.position[c], a, solid_.x0[i]);
      solid_.v0[i] = value(problem_.velocity[c], a, 0.0);
    }
}

template <int D> void Builder<D>::add_supports() {
  const int count = solid_.system.node_count();
  std::vector<std::array<const Component*, D>> of_node(static_cast<std::size_t>(count));
  for (const Fix& fix : problem_.fixes)
    for (const int node : fix.nodes) {
      const int a = place_of_node_.at(static_cast<std::size_t>(node));
      for (int c = 0; c < D; ++c)
        if (fix.position[c]) of_node[static_cast<std::size_t>(a)][c] = &fix.position[c];
    }
  for (int a = 0; a < count; ++a) {
    const auto& given = of_node[static_cast<std::size_t>(a)];
    if (std::all_of(given.begin(), given.end(), [](const Component* c) { return c == nullptr; }))
      continue;
    terms::Support<D> support;
    support.node = a;
    bool moves = false;
    std::array<Component, D> components;
    std::array<double, D> X{};
    std::copy(solid_.mesh.node(a), solid_.mesh.node(a) + D, X.begin());
    for (int c = 0; c < D; ++c) {
      if (!given[c]) continue;
      support.fixed[c] = true;
      support.position[c] = value(*given[c], a, 0.0);
      components[c] = *given[c];
      moves = moves || !given[c]->constant();
    }
    if (moves)
      support.motion = [components, X](int c, double t) {
        const Component& f = components[static_cast<std::size_t>(c)];
        return terms::Motion{f.value(X.data(), t), f.rate ? f.rate(X.data(), t) : 0.0};
      };
    solid_.supports.add(count, std::move(support));
  }
}

}  // namespace

Component constant(double value) {
  return {[value](const double*, double) { return value; }, {}};
}

template <int D> Solid<D> build(const Problem& problem) { return Builder<D>(problem).run(); }

template <int D> terms::State<D> start(const Solid<D>& solid, bool half_kick) {
  return terms::start(solid.system, solid.x0, solid.v0, solid.steps, solid.supports,
                      {solid.t0, half_kick});
}

template <int D>
std::array<double, 6> stress(const Solid<D>& solid, int element, const std::vector<double>& x) {
  const auto [family, k] = solid.system.place(element);
  std::array<double, terms::max_numbers<D>> at{};
  const int* nodes = family->nodes(k);
  for (int a = 0; a < family->nodes_per_term(); ++a)
    for (int c = 0; c < D; ++c) at[a * D + c] = x[static_cast<std::size_t>(nodes[a]) * D + c];
  std::array<double, 6> sigma{};
  cauchy<D>(*family, k, at.data(), sigma.data());
  return sigma;
}

double von_mises(const std::array<double, 6>& s) {
  const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
  return std::sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

template Solid<2> build(const Problem&);
template Solid<3> build(const Problem&);
template terms::State<2> start(const Solid<2>&, bool);
template terms::State<3> start(const Solid<3>&, bool);
template std::array<double, 6> stress(const Solid<2>&, int, const std::vector<double>&);
template std::array<double, 6> stress(const Solid<3>&, int, const std::vector<double>&);

}  // namespace varia::solids
