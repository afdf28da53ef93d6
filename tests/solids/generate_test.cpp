// SPDX-License-Identifier: BSD-3-Clause
// Generated meshes: exact volume, conforming, named sides, the numbers of the sources.
#include "varia/solids/generate.hpp"

#include <gtest/gtest.h>

#include "refusal.hpp"
#include "solids/mesh_laws.hpp"

namespace varia::solids::generate_test {
namespace {

std::set<double> coordinates(const Mesh& mesh, int axis) {
  std::set<double> result;
  for (long a = 0; a < mesh.node_count(); ++a) result.insert(mesh.node(a)[axis]);
  return result;
}

std::vector<double> widths(const Mesh& mesh, int axis) {
  std::vector<double> result;
  double last = 0;
  for (const double x : coordinates(mesh, axis)) {
    if (x > 0) result.push_back(x - last);
    last = x;
  }
  return result;
}

TEST(Block, CountsVolumesAndSides) {
  for (const int order : {1, 2}) {
    const Mesh plane = block({2, 0.5}, {19, 10}, 4, order);
    expect_solid(plane, 1);
    expect_covered(plane);
    EXPECT_EQ(plane.element_count(), 380);  // as in [LMOW03] section 4.1, which has 821 nodes
    EXPECT_EQ(plane.node_count(), order == 1 ? 20 * 11 : 39 * 21);
    for (const char* side : {"left", "right"})
      EXPECT_NEAR(face_measure(plane, boundary(plane, side)), 0.5, 1e-15);
    for (const char* side : {"bottom", "top"})
      EXPECT_NEAR(face_measure(plane, boundary(plane, side)), 2, 1e-14);

    const Mesh solid = block({2, 0.5, 3}, {3, 2, 4}, 4, order);
    expect_solid(solid, 3);
    expect_covered(solid);
    EXPECT_EQ(solid.element_count(), 6 * 24);
    EXPECT_EQ(solid.node_count(), order == 1 ? 4 * 3 * 5 : 7 * 5 * 9);
    for (const char* side : {"left", "right"})
      EXPECT_NEAR(face_measure(solid, boundary(solid, side)), 1.5, 1e-14);
    for (const char* side : {"back", "front"})
      EXPECT_NEAR(face_measure(solid, boundary(solid, side)), 1, 1e-14);
  }
  const Mesh mesh = block({1, 1, 1}, {2, 2, 2});
  for (const int a : boundary(mesh, "right").nodes) EXPECT_EQ(mesh.node(a)[0], 1);
  for (const int a : boundary(mesh, "bottom").nodes) EXPECT_EQ(mesh.node(a)[1], 0);
  for (const int a : boundary(mesh, "front").nodes) EXPECT_EQ(mesh.node(a)[2], 1);
}

TEST(Block, GradingIsAGeometricProgression) {
  const Mesh mesh = block({3, 1}, {8, 5}, 10);
  for (const int axis : {0, 1}) {
    const std::vector<double> w = widths(mesh, axis);
    ASSERT_EQ(w.size(), axis == 0 ? 8U : 5U);
    EXPECT_NEAR(w.back() / w.front(), 10, 1e-11);
    for (std::size_t i = 2; i < w.size(); ++i) EXPECT_NEAR(w[i] / w[i - 1], w[1] / w[0], 1e-11);
  }
  const std::vector<double> even = widths(block({3, 1}, {8, 5}, 1), 0);
  for (const double w : even) EXPECT_NEAR(w, 3.0 / 8, 1e-15);
  EXPECT_NO_THROW(validate(block({3, 1}, {1, 1}, 10)));
}

TEST(Block, Refuses) {
  expect_words(refusal([] { block({1}, {1}); }), {"2 or 3", "1 and 1"});
  expect_words(refusal([] { block({1, 1}, {1, 1, 1}); }), {"2 and 3"});
  expect_words(refusal([] { block({1, 0}, {1, 1}); }), {"size", "positive", "0"});
  expect_words(refusal([] { block({1, std::nan("")}, {1, 1}); }), {"nan"});
  expect_words(refusal([] { block({1, 1}, {1, 0}); }), {"at least 1", "found 0"});
  expect_words(refusal([] { block({1, 1}, {1, 1}, 0.5); }), {"grading", "0.5"});
  expect_words(refusal([] { block({1, 1}, {1, 1}, std::nan("")); }), {"grading"});
  expect_words(refusal([] { block({1, 1}, {1, 1}, 1, 3); }), {"order 3"});
  expect_words(refusal([] { block({1, 1}, {2000000000, 2000000000}); }), {"too large"});
}

TEST(LBeam, ShapeIsExact) {
  for (const double irregularity : {0.0, 0.2, 0.335}) {
    LBeamShape s;
    s.length = 5;
    s.height = 3;
    s.width = 0.5;
    s.thickness = 0.8;
    s.irregularity = irregularity;
    for (const int order : {1, 2}) {
      const Mesh mesh = l_beam(s, order);
      expect_solid(mesh, 0.5 * 0.8 * (5 + 3 - 0.8));
      EXPECT_NEAR(face_measure(mesh, boundary(mesh, "end_a")), 0.4, 1e-14);
      EXPECT_NEAR(face_measure(mesh, boundary(mesh, "end_b")), 0.4, 1e-14);
      for (const int a : boundary(mesh, "end_a").nodes) EXPECT_EQ(mesh.node(a)[0], 5);
      for (const int a : boundary(mesh, "end_b").nodes) EXPECT_EQ(mesh.node(a)[1], 3);
      for (long a = 0; a < mesh.node_count(); ++a)  // nothing in the missing quarter
        EXPECT_FALSE(mesh.node(a)[0] > 0.8 + 1e-12 && mesh.node(a)[1] > 0.8 + 1e-12);
    }
  }
}

TEST(LBeam, DefaultsAreThoseOfTheSource) {
  const Mesh mesh = l_beam({}, 2);
  EXPECT_EQ(mesh.element_count(), 624);  // 621
  EXPECT_NEAR(static_cast<double>(mesh.node_count()), 1262, 70);
  EXPECT_NEAR(quality(mesh).speed_up, 3, 0.1);
  LBeamShape even;
  even.irregularity = 0;
  EXPECT_NEAR(quality(l_beam(even)).speed_up, 1, 1e-10);
}

TEST(LBeam, Refuses) {
  const auto text = [](const auto& change) {
    LBeamShape s;
    change(s);
    return refusal([&] { l_beam(s); });
  };
  expect_words(text([](LBeamShape& s) { s.length = -1; }), {"length", "-1"});
  expect_words(text([](LBeamShape& s) { s.width = 0; }), {"width"});
  expect_words(text([](LBeamShape& s) { s.thickness = 7; }), {"thickness", "less than"});
  expect_words(text([](LBeamShape& s) { s.elements_across = 0; }), {"elements_across"});
  expect_words(text([](LBeamShape& s) { s.irregularity = 0.5; }), {"irregularity", "0.4"});
  expect_words(text([](LBeamShape& s) { s.irregularity = std::nan(""); }), {"irregularity"});
  expect_words(text([](LBeamShape& s) { s.length = 1e300; }), {"too large"});
  expect_words(text([](LBeamShape& s) { s.elements_across = 2147483647; }), {"too large"});
  expect_words(refusal([] { l_beam({}, 0); }), {"order 0"});
}

TEST(Slab, FourTimesAsManyPerLevel) {
  long count = 88;
  for (int level = 0; level < 4; ++level, count *= 4)
    for (const int order : {1, 2}) {
      const Mesh mesh = slab(2, 0.5, level, order);
      EXPECT_EQ(mesh.element_count(), count);
      expect_solid(mesh, 1);
      expect_covered(mesh);
      EXPECT_NEAR(face_measure(mesh, boundary(mesh, "left")), 0.5, 1e-14);
      EXPECT_NEAR(face_measure(mesh, boundary(mesh, "top")), 2, 1e-13);
    }
}

TEST(Slab, NoTwoElementsAreAlike) {
  const Mesh mesh = slab(2, 0.5, 0);
  const std::vector<double> r = inradii(mesh);
  EXPECT_EQ(std::set<double>(r.begin(), r.end()).size(), r.size());
  EXPECT_GT(quality(mesh).speed_up, 1.5);
  expect_words(refusal([] { slab(1, 1, -1); }), {"level", "-1"});
  expect_words(refusal([] { slab(1, 1, 11); }), {"0 to 10"});
  expect_words(refusal([] { slab(0, 1, 1); }), {"length"});
  expect_words(refusal([] { slab(1, std::nan(""), 1); }), {"height"});
}

TEST(Blade, HasTheNumbersOfTheSource) {
  const Mesh mesh = blade();
  const Quality q = quality(mesh);
  expect_solid(mesh, q.total_volume);
  const std::vector<double> box = bounding_box(mesh);
  EXPECT_DOUBLE_EQ(box[1] - box[0], 7.2);
  EXPECT_DOUBLE_EQ(box[3] - box[2], 0.533);
  EXPECT_NEAR(box[5] - box[4], 0.040, 1e-15);
  EXPECT_NEAR(static_cast<double>(q.elements), 2089, 50);
  EXPECT_NEAR(static_cast<double>(q.nodes), 4420, 250);
  EXPECT_NEAR(q.size.smallest, 1.01e-3, 0.05e-3);
  EXPECT_NEAR(q.size.harmonic_mean, 6.5e-3, 0.2e-3);
  EXPECT_NEAR(q.speed_up, 6.4, 0.1);
}

TEST(Blade, IsItsOwnImageAndHasItsCentreAtTheOrigin) {
  for (const int across : {1, 2}) {
    BladeShape shape;
    shape.elements_thickness = across;
    shape.elements_chord = 4;
    shape.elements_joint = 3;
    const Mesh mesh = blade(shape, 1);
    validate(mesh);
    Vec centre{};
    for (long k = 0; k < mesh.element_count(); ++k)
      for (int i = 0; i < 4; ++i)
        for (std::size_t d = 0; d < 3; ++d)
          centre[d] += volume(mesh, k) * at(mesh, mesh.element(k)[i])[d] / 4;
    EXPECT_LT(length(centre), 1e-15);
    std::multiset<std::vector<double>> elements;
    std::multiset<std::vector<double>> images;
    for (long k = 0; k < mesh.element_count(); ++k) {
      std::vector<Vec> corners;
      for (int i = 0; i < 4; ++i) corners.push_back(at(mesh, mesh.element(k)[i]));
      const auto key = [&](double sign) {
        std::vector<Vec> c = corners;
        for (Vec& v : c)
          for (double& x : v) x = std::round(sign * x * 1e12) + 0.0;  // no -0
        std::sort(c.begin(), c.end());
        std::vector<double> flat;
        for (const Vec& v : c) flat.insert(flat.end(), v.begin(), v.end());
        return flat;
      };
      elements.insert(key(1));
      images.insert(key(-1));
    }
    EXPECT_EQ(elements, images);
  }
}

TEST(Blade, RegionsAndTips) {
  const BladeShape shape;
  const Mesh mesh = blade(shape);
  ASSERT_EQ(mesh.region_names, (std::vector<std::string>{"blade", "joint"}));
  double joint = 0;
  for (long k = 0; k < mesh.element_count(); ++k) {
    double x = 0;
    for (int i = 0; i < 4; ++i) x += mesh.node(mesh.element(k)[i])[0] / 4;
    const bool inside = mesh.region[static_cast<std::size_t>(k)] == 1;
    EXPECT_EQ(inside, std::abs(x) < shape.joint_length / 2);
    if (inside) joint += volume(mesh, k);
  }
  EXPECT_NEAR(joint, shape.joint_length * shape.joint_chord * shape.joint_thickness, 1e-15);
  for (const char* tip : {"tip_left", "tip_right"}) {
    const double area = face_measure(mesh, boundary(mesh, tip));
    EXPECT_GT(area, 0);
    EXPECT_LT(area, shape.chord * shape.thickness * shape.tip);
  }
  for (const int a : boundary(mesh, "tip_left").nodes) EXPECT_EQ(mesh.node(a)[0], -3.6);
}

TEST(Blade, Refuses) {
  const auto text = [](const auto& change) {
    BladeShape s;
    change(s);
    return refusal([&] { blade(s); });
  };
  expect_words(text([](BladeShape& s) { s.span = 0; }), {"span", "positive"});
  expect_words(text([](BladeShape& s) { s.edge = 0; }), {"edge", "above 0"});
  expect_words(text([](BladeShape& s) { s.tip = 1.5; }), {"tip", "1.5"});
  expect_words(text([](BladeShape& s) { s.joint_length = 7.2; }), {"joint_length", "room"});
  expect_words(text([](BladeShape& s) { s.elements_span = 1; }), {"elements_span", "2"});
  expect_words(text([](BladeShape& s) { s.elements_joint = 0; }), {"elements_joint"});
  expect_words(text([](BladeShape& s) { s.elements_span = 2147483647; }), {"too large"});
}

TEST(Slivers, FlatElementsAreWhereAndAsFlatAsAsked) {
  for (const auto& [size, elements, count, ratio] :
       {std::tuple{std::vector<double>{1, 2}, std::vector<int>{7, 9}, 5, 0.01},
        {std::vector<double>{1, 1, 2}, std::vector<int>{3, 4, 5}, 4, 0.05}}) {
    const Mesh plain = block(size, elements);
    const Mesh mesh = slivers(size, elements, count, ratio);
    const int d = mesh.dimension();
    expect_solid(mesh, 2);
    expect_covered(mesh);
    EXPECT_EQ(mesh.element_count(), plain.element_count() + count * d);
    EXPECT_EQ(std::count(mesh.region.begin(), mesh.region.end(), 1), count);
    for (long k = 0; k < plain.element_count(); ++k) {
      if (mesh.region[static_cast<std::size_t>(k)] == 1)
        EXPECT_NEAR(inradius(mesh, k), ratio * inradius(plain, k), 1e-9 * inradius(plain, k));
      else
        EXPECT_TRUE(std::equal(mesh.element(k), mesh.element(k + 1), plain.element(k)));
    }
    for (long k = plain.element_count(); k < mesh.element_count(); ++k)  // the rest of a split one
      EXPECT_GT(inradius(mesh, k), 0.3 * inradius(plain, 0));
    expect_solid(slivers(size, elements, count, ratio, 2), 2);
  }
  EXPECT_EQ(slivers({1, 1}, {3, 3}, 0, 0.1).element_count(), 18);
  EXPECT_NO_THROW(validate(slivers({1, 1}, {3, 3}, 18, 1e-6)));
  expect_words(refusal([] { slivers({1, 1}, {3, 3}, 19, 0.1); }), {"18", "found 19"});
  expect_words(refusal([] { slivers({1, 1}, {3, 3}, -1, 0.1); }), {"-1"});
  expect_words(refusal([] { slivers({1, 1}, {3, 3}, 1, 0.9); }), {"ratio", "0.9"});
  expect_words(refusal([] { slivers({1, 1}, {3, 3}, 1, 0); }), {"ratio"});
}

}  // namespace
}  // namespace varia::solids::generate_test
