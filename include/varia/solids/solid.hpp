// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A solid: mesh, materials, supports, loads and start made into a sum of terms [LMOW03].
//
// Every element is a term with its own step f h_K/c (AVI-courant); loads are part of the energy of
// the elements they act on. Elements are put in an order in which neighbours in number are
// neighbours in space, region by region, so term K is element K of the reordered mesh.
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "varia/solids/elements.hpp"
#include "varia/solids/material.hpp"
#include "varia/solids/mesh.hpp"
#include "varia/solids/ordering.hpp"
#include "varia/terms/system.hpp"

namespace varia::solids {

/// A function of the reference coordinates X and time.
using Field = std::function<double(const double* X, double t)>;

/// One component of a vector field; without a value it is not given.
struct Component {
  Field value;
  Field rate;  ///< ∂/∂t; empty: the value does not depend on time
  explicit operator bool() const { return static_cast<bool>(value); }
  bool constant() const { return !rate; }
};
using Components = std::array<Component, 3>;

/// A component that is the same everywhere and always.
Component constant(double value);

struct Region {
  std::string name;
  std::vector<int> elements;
  Material material;
};

/// Nodes whose given components follow a prescribed position; others are free.
struct Fix {
  std::vector<int> nodes;
  Components position;
};

/// Force per reference area (per reference length and thickness in the plane).
struct Traction {
  std::vector<Face> faces;
  Components traction;
};

struct Problem {
  Mesh mesh;
  Plane plane = Plane::strain;
  std::vector<Region> regions;  ///< every element in exactly one
  std::vector<Fix> fixes;       ///< a later one overrides components of an earlier one
  std::vector<Traction> tractions;
  Components body_force;          ///< per mass
  Components position, velocity;  ///< at the start; X and 0 where not given
  double t0 = 0.0;
  double courant = 0.1;  ///< f of (AVI-courant)
};

template <int D> struct Solid {
  Mesh mesh;    ///< reordered
  Order order;  ///< place in the reordered mesh -> number in the problem's
  terms::System<D> system;
  std::vector<double> element_masses;  ///< m_Ka, element after element
  std::vector<double> x0, v0;
  std::vector<double> steps;   ///< of the elements
  std::vector<double> stable;  ///< 2/ω of each element alone, at the reference
  terms::Supports<D> supports;
  double t0 = 0.0;
  double total_mass = 0.0;
};

/// Throws InvalidArgument (elements in no region or in two, nodes or faces that do not exist) and MeshError.
template <int D> Solid<D> build(const Problem& problem);

/// The state at the start.
template <int D> terms::State<D> start(const Solid<D>& solid, bool half_kick = true);

/// Mean Cauchy stress of an element at positions x of all nodes: xx, yy, zz, xy, yz, xz.
template <int D>
std::array<double, 6> stress(const Solid<D>& solid, int element, const std::vector<double>& x);

double von_mises(const std::array<double, 6>& stress);

}  // namespace varia::solids
