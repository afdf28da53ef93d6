// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Small mesh files as Gmsh 4.8 writes them.
#include <string>

namespace varia::solids {

// One Tet10, corners 1 3 4 2 of the unit corner; the surface x + y + z = 1 is "slope".
inline const std::string tet10_22 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
2 2 "slope"
3 1 "body"
$EndPhysicalNames
$Nodes
10
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
5 0.4999999999986718 0 0
6 0.5000000000013294 0.4999999999986707 0
7 0 0.5000000000013305 0
8 0 0 0.4999999999986718
9 0.5000000000013294 0 0.4999999999986707
10 0 0.5000000000013294 0.4999999999986707
$EndNodes
$Elements
2
1 9 2 2 3 2 3 4 6 10 9
2 11 2 1 1 1 3 4 2 7 10 8 5 9 6
$EndElements
)";

inline const std::string tet10_41 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
2 2 "slope"
3 1 "body"
$EndPhysicalNames
$Entities
4 6 4 1
1 0 0 0 0 
2 1 0 0 0 
3 0 1 0 0 
4 0 0 1 0 
1 0 0 0 1 0 0 0 2 1 -2 
2 0 0 0 1 1 0 0 2 2 -3 
3 0 0 0 0 1 0 0 2 3 -1 
4 0 0 0 0 0 1 0 2 1 -4 
5 0 0 0 1 0 1 0 2 2 -4 
6 0 0 0 0 1 1 0 2 3 -4 
1 0 0 0 1 1 0 0 3 1 2 3 
2 0 0 0 1 0 1 0 3 1 5 -4 
3 0 0 0 1 1 1 1 2 3 2 6 -5 
4 0 0 0 0 1 1 0 3 3 4 -6 
1 0 0 0 1 1 1 1 1 4 1 2 3 4 
$EndEntities
$Nodes
12 10 1 10
0 1 0 1
1
0 0 0
0 2 0 1
2
1 0 0
0 3 0 1
3
0 1 0
0 4 0 1
4
0 0 1
1 1 0 1
5
0.4999999999986718 0 0
1 2 0 1
6
0.5000000000013294 0.4999999999986707 0
1 3 0 1
7
0 0.5000000000013305 0
1 4 0 1
8
0 0 0.4999999999986718
1 5 0 1
9
0.5000000000013294 0 0.4999999999986707
1 6 0 1
10
0 0.5000000000013294 0.4999999999986707
2 3 0 0
3 1 0 0
$EndNodes
$Elements
2 2 1 2
2 3 9 1
1 2 3 4 6 10 9 
3 1 11 1
2 1 3 4 2 7 10 8 5 9 6 
$EndElements
)";

// Two squares side by side at z = 0.5; the curves of the second run clockwise. Groups: surfaces
// 11 "soft part", 12 without a name, 13 "all" (both); curves "left" and "rim", the point "corner".
inline const std::string squares_22 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
5
0 23 "corner"
1 21 "left"
1 22 "rim"
2 11 "soft part"
2 13 "all"
$EndPhysicalNames
$Nodes
6
1 0 0 0.5
2 1 0 0.5
3 1 1 0.5
4 0 1 0.5
5 2 0 0.5
6 2 1 0.5
$EndNodes
$Elements
16
1 15 2 23 1 1
2 1 2 22 1 1 2
3 1 2 22 3 3 4
4 1 2 21 4 4 1
5 1 2 22 4 4 1
6 1 2 22 5 2 5
7 1 2 22 6 5 6
8 1 2 22 7 6 3
9 2 2 11 1 1 2 4
10 2 2 13 1 1 2 4
11 2 2 11 1 4 2 3
12 2 2 13 1 4 2 3
13 2 2 12 2 2 3 5
14 2 2 13 2 2 3 5
15 2 2 12 2 3 6 5
16 2 2 13 2 3 6 5
$EndElements
)";

inline const std::string squares_41 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
5
0 23 "corner"
1 21 "left"
1 22 "rim"
2 11 "soft part"
2 13 "all"
$EndPhysicalNames
$Entities
6 7 2 0
1 0 0 0.5 1 23 
2 1 0 0.5 0 
3 1 1 0.5 0 
4 0 1 0.5 0 
5 2 0 0.5 0 
6 2 1 0.5 0 
1 0 0 0.5 1 0 0.5 1 22 2 1 -2 
2 1 0 0.5 1 1 0.5 0 2 2 -3 
3 0 1 0.5 1 1 0.5 1 22 2 3 -4 
4 0 0 0.5 0 1 0.5 2 21 22 2 4 -1 
5 1 0 0.5 2 0 0.5 1 22 2 2 -5 
6 2 0 0.5 2 1 0.5 1 22 2 5 -6 
7 1 1 0.5 2 1 0.5 1 22 2 6 -3 
1 0 0 0.5 1 1 0.5 2 11 13 4 1 2 3 4 
2 1 0 0.5 2 1 0.5 2 12 13 4 -5 2 -7 -6 
$EndEntities
$Nodes
14 6 1 6
0 1 0 1
1
0 0 0.5
0 2 0 1
2
1 0 0.5
0 3 0 1
3
1 1 0.5
0 4 0 1
4
0 1 0.5
0 5 0 1
5
2 0 0.5
0 6 0 1
6
2 1 0.5
1 1 0 0
1 3 0 0
1 4 0 0
1 5 0 0
1 6 0 0
1 7 0 0
2 1 0 0
2 2 0 0
$EndNodes
$Elements
9 11 1 11
0 1 15 1
1 1 
1 1 1 1
2 1 2 
1 3 1 1
3 3 4 
1 4 1 1
4 4 1 
1 5 1 1
5 2 5 
1 6 1 1
6 5 6 
1 7 1 1
7 6 3 
2 1 2 2
8 1 2 4 
9 4 2 3 
2 2 2 2
10 2 3 5 
11 3 6 5 
$EndElements
)";

/// `text` with the first `old` in it replaced.
inline std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const std::size_t place = text.find(old);
  if (place == std::string::npos) throw "the file does not have " + old;
  return text.replace(place, old.size(), by);
}

}  // namespace varia::solids
