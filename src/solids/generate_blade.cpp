// SPDX-License-Identifier: BSD-3-Clause
// Two blades and a joint: a box of cells, stretched station by station.
#include <algorithm>
#include <cmath>

#include "generate_grid.hpp"
#include "varia/solids/blade.hpp"

namespace varia::solids {
namespace {

void check(const BladeShape& b) {
  const auto fraction = [](double value, const char* what) {
    if (!(value > 0) || !(value <= 1))
      throw InvalidArgument(std::string(what) +
                            " of a blade is a fraction of its thickness, above 0 and at most 1; "
                            "found " +
                            to_text(value));
  };
  check_positive(b.span, "the span of a blade");
  check_positive(b.chord, "the chord of a blade");
  check_positive(b.thickness, "the thickness of a blade");
  fraction(b.edge, "edge");
  fraction(b.tip, "tip");
  check_positive(b.joint_length, "the length of the joint");
  check_positive(b.joint_chord, "the chord of the joint");
  check_positive(b.joint_thickness, "the thickness of the joint");
  check_positive(b.root_length, "the length of the root");
  check_at_least(b.elements_span, 2, "elements_span of a blade");
  check_at_least(b.elements_joint, 1, "elements_joint of a blade");
  check_at_least(b.elements_chord, 1, "elements_chord of a blade");
  check_at_least(b.elements_thickness, 1, "elements_thickness of a blade");
  if (!(b.joint_length / 2 + b.root_length < b.span / 2))
    throw InvalidArgument(
        "joint_length / 2 + root_length must be less than span / 2 to leave room for a blade");
  check_block({1, 1, 1},
              {std::min(b.elements_span, 1 << 28) * 2 + std::min(b.elements_joint, 1 << 28),
               b.elements_chord, b.elements_thickness});
}

// Distances from the middle at which cells of one half of the rotor end; the first is the end of
// the joint. One or more cells for the root, the others of equal width up to the tip.
std::vector<double> stations(const BladeShape& b) {
  const double start = b.joint_length / 2;
  const double blade = b.span / 2 - start - b.root_length;
  const double share = b.root_length / (b.root_length + blade) * b.elements_span;
  const int root = std::clamp(static_cast<int>(std::lround(share)), 1, b.elements_span - 1);
  std::vector<double> x;
  for (int i = 0; i <= root; ++i) x.push_back(start + b.root_length * i / root);
  const int rest = b.elements_span - root;
  for (int i = 1; i < rest; ++i) x.push_back(start + b.root_length + blade * i / rest);
  x.push_back(b.span / 2);
  return x;
}

std::vector<double> span_axis(const BladeShape& b) {
  const std::vector<double> half = stations(b);
  std::vector<double> x(half.rbegin(), half.rend());
  for (double& at : x) at = -at;
  for (int i = 1; i < b.elements_joint; ++i)  // exact in sign: the mesh must be symmetric
    x.push_back(b.joint_length * (2 * i - b.elements_joint) / (2.0 * b.elements_joint));
  x.insert(x.end(), half.begin(), half.end());
  return x;
}

std::vector<double> symmetric_axis(int cells) {  // -1 to 1
  std::vector<double> x;
  for (int i = 0; i <= cells; ++i) x.push_back((2.0 * i - cells) / cells);
  return x;
}

void place(const BladeShape& b, double* X) {
  const double distance = std::abs(X[0]);
  const double start = b.joint_length / 2;
  const double along = std::clamp((distance - start) / b.root_length, 0.0, 1.0);
  const double outer = std::max(0.0, distance - start) / (b.span / 2 - start);
  const double eta = X[1];
  const double lens = b.edge + (1 - b.edge) * (1 - eta * eta);
  const double profile = b.thickness * lens * (1 - (1 - b.tip) * outer * outer * outer);
  X[1] = eta * ((1 - along) * b.joint_chord + along * b.chord) / 2;
  X[2] *= ((1 - along) * b.joint_thickness + along * profile) / 2;
}

void name_regions(Mesh& mesh, double joint_end) {
  mesh.region_names = {"blade", "joint"};
  for (long k = 0; k < mesh.element_count(); ++k) {
    bool inside = true;
    for (int i = 0; i < 4; ++i)
      inside = inside && std::abs(mesh.node(mesh.element(k)[i])[0]) <= joint_end;
    mesh.region.push_back(inside ? 1 : 0);
  }
}

}  // namespace

Mesh blade(const BladeShape& shape, int order) {
  check(shape);
  shape_of(3, order);
  Mesh mesh = grid({span_axis(shape), symmetric_axis(shape.elements_chord),
                    symmetric_axis(shape.elements_thickness)});
  for (std::size_t a = 0; a < mesh.X.size(); a += 3) place(shape, mesh.X.data() + a);
  name_regions(mesh, shape.joint_length / 2);
  const std::vector<Face> faces = boundary_faces(mesh);
  const double end = shape.span / 2;
  name_boundary(mesh, "tip_left", faces, [end](const double* X) { return X[0] == -end; });
  name_boundary(mesh, "tip_right", faces, [end](const double* X) { return X[0] == end; });
  return order == 2 ? elevate(mesh) : mesh;
}

}  // namespace varia::solids
