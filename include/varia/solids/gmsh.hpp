// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Mesh files of Gmsh: versions 2.2 and 4.1, text and binary, both byte orders.
//
// The mesh is made of the elements of the highest dimension: triangles in a plane z = constant, or
// tetrahedra, all of one order. If some of them are in physical groups, only those count, as Gmsh
// itself saves them. A group's name is the region; without a name it is physical_<tag>; of several
// groups the first counts. Groups of lower dimension become boundaries: faces (lines of a plane
// mesh, triangles of a solid one) with their nodes, or only nodes (points; curves in space). Groups
// with the same name are one boundary. Faces are turned outwards; faces and nodes that no element
// has are left out. A geometric entity most elements of which run clockwise is turned round.
//
// The bytes are not trusted: whatever they are, the answer is a valid mesh or a MeshError that
// says where: "part.msh:12: ..." (line) for text, "part.msh: byte 120: ..." for binary files.
#include <string>

#include "varia/solids/mesh.hpp"

namespace varia::solids {

Mesh read_gmsh(const std::string& path);

/// The same from the bytes of a file; `name` is for messages.
Mesh parse_gmsh(const std::string& bytes, const std::string& name);

enum class GmshVersion { v22, v41 };

/// The bytes of a file that reads back as the same mesh. Nodes and elements are numbered from 1 in
/// the order of the mesh. MeshError if a name cannot be written, or some but not all elements
/// have a region.
std::string gmsh_text(const Mesh& mesh, GmshVersion version = GmshVersion::v41,
                      bool binary = false);

void write_gmsh(const Mesh& mesh, const std::string& path, GmshVersion version = GmshVersion::v41,
                bool binary = false);

}  // namespace varia::solids
