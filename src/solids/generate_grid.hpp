// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Structured grids of cells, cut into triangles and tetrahedra: the beginning of every generator.
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "varia/solids/mesh.hpp"

namespace varia::solids {

/// InvalidArgument unless there are 2 or 3 positive sizes with as many positive cell numbers and
/// the mesh can be numbered with int.
void check_block(const std::vector<double>& size, const std::vector<int>& elements);

/// InvalidArgument unless value > 0 and finite; `what` names it: "length".
void check_positive(double value, const std::string& what);
void check_at_least(long value, long smallest, const std::string& what);

/// InvalidArgument unless from 0 to 0.4.
void check_irregularity(double value, const std::string& of);

/// 0 = x_0 < ... < x_n = size with widths in geometric progression; the last is grading times the
/// first.
std::vector<double> graded(double size, int cells, double grading);

using CellTest = std::function<bool(std::array<int, 3> cell)>;

/// Coordinates axes[0] x axes[1] (x axes[2]); cells for which keep() fails are left out, and so
/// are nodes of no element. Each cell becomes 2 triangles or 6 tetrahedra around one diagonal.
Mesh grid(const std::vector<std::vector<double>>& axes, const CellTest& keep = {});

/// Moves inner coordinates by at most `fraction` of the width of the cell next to them, by a fixed
/// pattern. A coordinate stays when it is one of `kept`[axis]: planes that bound the body.
void roughen(Mesh& mesh, const std::vector<std::vector<double>>& axes,
             const std::vector<std::vector<double>>& kept, double fraction);

/// left right bottom top (back front) of a block with one corner at the origin.
void name_sides(Mesh& mesh, const std::vector<double>& size);

}  // namespace varia::solids
