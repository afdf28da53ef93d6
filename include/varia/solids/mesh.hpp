// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A mesh of one shape: flat arrays of coordinates and node numbers, regions and named boundaries.
//
// Numbers of nodes and elements begin at 0. The numbers a mesh file used are kept for messages.
#include <functional>
#include <string>
#include <vector>

#include "varia/core/error.hpp"
#include "varia/solids/shape.hpp"

namespace varia::solids {

/// A mesh that cannot be used, or a mesh file that cannot be read.
struct MeshError : InvalidArgument {
  using InvalidArgument::InvalidArgument;
};

/// A named part of the boundary (or an inner surface): faces, or only nodes.
struct Boundary {
  std::string name;
  std::vector<int> faces;  ///< info(shape).face_nodes nodes each, in the order of face_nodes()
  std::vector<int> nodes;  ///< sorted, each once; those of the faces and possibly more
};

struct Mesh {
  Shape shape = Shape::t3;
  std::vector<double> X;                  ///< reference coordinates, dimension() per node
  std::vector<int> elements;              ///< info(shape).nodes per element
  std::vector<int> region;                ///< per element: index into region_names, -1 for none
  std::vector<std::string> region_names;  ///< empty when the mesh has no regions
  std::vector<Boundary> boundaries;
  std::vector<long> element_tag;  ///< numbers in the file; empty: 1, 2, ...
  std::vector<long> node_tag;     ///< numbers in the file; empty: 1, 2, ...

  int dimension() const { return info(shape).dimension; }
  int nodes_per_element() const { return info(shape).nodes; }
  long node_count() const { return static_cast<long>(X.size()) / dimension(); }
  long element_count() const { return static_cast<long>(elements.size()) / nodes_per_element(); }
  const int* element(long k) const { return elements.data() + k * nodes_per_element(); }
  const double* node(long a) const { return X.data() + a * dimension(); }
};

/// The number a person knows an element or node by: that of the file, or index + 1.
long element_number(const Mesh& mesh, long element);
long node_number(const Mesh& mesh, long node);

/// Throws a MeshError that names the element or node unless all of this holds:
/// array sizes fit, node numbers are in range, coordinates finite, no node twice in an element,
/// every element has a positive volume (order 2: a positive Jacobian at its nodes, its centre and
/// the points of the usual quadratures), every node is in some element, at most two elements
/// share a face and lie on opposite sides of it, faces of boundaries are faces of elements.
void validate(const Mesh& mesh);

struct Face {
  int element = 0;
  int local = 0;  ///< for face_nodes(shape, local)
};

/// The faces that belong to one element only, by element and local number. Linear time.
/// A face of more than two elements is a MeshError.
std::vector<Face> boundary_faces(const Mesh& mesh);

/// Node numbers of a face, in the order of face_nodes().
std::vector<int> nodes_of(const Mesh& mesh, Face face);

/// Appends the boundary of those `faces` (all nodes of which lie in `where`).
/// An empty selection is a MeshError that shows the bounding box.
void name_boundary(Mesh& mesh, const std::string& name, const std::vector<Face>& faces,
                   const std::function<bool(const double* X)>& where);

/// The boundary of that name; MeshError with the names there are when there is none.
const Boundary& boundary(const Mesh& mesh, const std::string& name);

/// Smallest and largest coordinates: x0 x1, y0 y1(, z0 z1).
std::vector<double> bounding_box(const Mesh& mesh);

/// Are the mid nodes of an element in the middle of their edges, to `tolerance` edge lengths?
/// Always true for order 1. (Gmsh places them to about 1e-12.)
bool straight(const Mesh& mesh, long element, double tolerance = 1e-10);

/// Order 1 -> 2 by nodes in the middle of the edges; regions and boundaries are kept. The old
/// nodes keep their numbers. A mesh of order 2 is returned as it is.
Mesh elevate(const Mesh& mesh);

/// Order 2 -> 1: the corners only. A mesh of order 1 is returned as it is.
Mesh lower(const Mesh& mesh);

}  // namespace varia::solids
