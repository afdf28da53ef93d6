// SPDX-License-Identifier: BSD-3-Clause
// Sizes against closed forms, and the identities of the predicted speed-up.
#include "varia/solids/quality.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "refusal.hpp"
#include "solids/mesh_laws.hpp"
#include "varia/solids/generate.hpp"

namespace varia::solids::quality_test {
namespace {

Mesh simplex(std::vector<double> X, int dimension) {
  Mesh mesh;
  mesh.shape = shape_of(dimension, 1);
  mesh.X = std::move(X);
  for (int i = 0; i <= dimension; ++i) mesh.elements.push_back(i);
  return mesh;
}

TEST(Quality, InradiusOfKnownElements) {
  const double L = 1.7;
  const Mesh equilateral = simplex({0, 0, L, 0, L / 2, L * std::sqrt(3.0) / 2}, 2);
  EXPECT_NEAR(inradius(equilateral, 0), L / (2 * std::sqrt(3.0)), 1e-15);
  EXPECT_NEAR(volume(equilateral, 0), L * L * std::sqrt(3.0) / 4, 1e-15);
  const Mesh pythagoras = simplex({0, 0, 4, 0, 0, 3}, 2);  // sides 3, 4, 5
  EXPECT_DOUBLE_EQ(inradius(pythagoras, 0), 1);
  // Alternate corners of a cube of edge 1: regular with edge sqrt 2.
  const Mesh regular = simplex({0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1}, 3);
  const double edge = std::sqrt(2.0);
  EXPECT_NEAR(inradius(regular, 0), edge / (2 * std::sqrt(6.0)), 1e-15);
  EXPECT_NEAR(volume(regular, 0), edge * edge * edge / (6 * std::sqrt(2.0)), 1e-15);
  const Mesh corner = simplex({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, 3);
  EXPECT_NEAR(inradius(corner, 0), 1 / (3 + std::sqrt(3.0)), 1e-15);
  for (const Mesh& m : {equilateral, regular}) EXPECT_NEAR(quality(m).roundness.smallest, 1, 1e-14);
  EXPECT_LT(quality(corner).roundness.smallest, 0.75);
}

TEST(Quality, BallOfTheInradiusTouchesEveryFace) {
  const Mesh mesh = l_beam();
  for (long k = 0; k < mesh.element_count(); k += 17) {
    // The volume is the sum of the pyramids over the faces with height r.
    double surface = 0;
    for (int f = 0; f < 4; ++f)
      surface += length(area_vector(mesh, nodes_of(mesh, {static_cast<int>(k), f}).data()));
    EXPECT_NEAR(inradius(mesh, k) * surface / 3, volume(mesh, k), 1e-14);
  }
}

TEST(Quality, InvertedVolumeIsNegative) {
  EXPECT_DOUBLE_EQ(volume(simplex({0, 0, 0, 1, 1, 0}, 2), 0), -0.5);
  EXPECT_LT(volume(simplex({0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1}, 3), 0), 0);
}

TEST(Quality, SpeedUpIsMaxTimesCountOverTotal) {
  const std::vector<double> steps{1e-3, 2e-3, 5e-3, 1e-2, 1e-2};
  // Updates in a time of which all steps are divisors.
  std::vector<double> updates;
  for (const double dt : steps) updates.push_back(std::round(0.1 / dt));
  const double total = std::accumulate(updates.begin(), updates.end(), 0.0);
  EXPECT_NEAR(speed_up(steps), 100 * 5 / total, 1e-12);
  EXPECT_DOUBLE_EQ(speed_up({0.3, 0.3, 0.3}), 1);
  EXPECT_GT(speed_up({1, 10, 10, 10}), 3);
  const Distribution d = distribution(steps);
  EXPECT_NEAR(speed_up(steps), d.harmonic_mean / d.smallest, 1e-12);
}

TEST(Quality, DistributionsAndHistograms) {
  const Mesh mesh = block({2, 1}, {9, 7}, 5);
  const Quality q = quality(mesh);
  EXPECT_EQ(q.nodes, 80);
  EXPECT_EQ(q.elements, 126);
  EXPECT_NEAR(q.total_volume, 2, 1e-14);
  const std::vector<double> r = inradii(mesh);
  EXPECT_EQ(q.size.smallest, *std::min_element(r.begin(), r.end()));
  EXPECT_EQ(q.size.largest, *std::max_element(r.begin(), r.end()));
  EXPECT_EQ(r[static_cast<std::size_t>(q.size.smallest_element)], q.size.smallest);
  EXPECT_LE(q.size.smallest, q.size.harmonic_mean);
  EXPECT_LT(q.size.harmonic_mean, q.size.mean);
  EXPECT_LT(q.size.mean, q.size.largest);
  EXPECT_EQ(q.speed_up, speed_up(r));  // equal wave speeds
  const Histogram& h = q.size_histogram;
  ASSERT_EQ(h.edges.size(), h.counts.size() + 1);
  EXPECT_EQ(h.edges.front(), q.size.smallest);
  EXPECT_EQ(h.edges.back(), q.size.largest);
  EXPECT_EQ(std::accumulate(h.counts.begin(), h.counts.end(), 0L), 126);
  for (std::size_t i = 0; i + 1 < h.edges.size(); ++i) {
    const auto inside = std::count_if(r.begin(), r.end(), [&](double x) {
      return x > h.edges[i] * (1 + 1e-12) && x < h.edges[i + 1] * (1 - 1e-12);
    });
    EXPECT_LE(inside, h.counts[i]);
  }
  std::vector<double> steps(126, 1.0);
  steps[5] = 0.01;
  EXPECT_NEAR(quality(mesh, steps).speed_up, 100 * 126 / 225.0, 1e-10);
  EXPECT_EQ(quality(mesh, steps).step.smallest_element, 5);
  EXPECT_EQ(log_histogram({2, 2, 2}).counts[0], 3);
}

TEST(Quality, RefusesWhatHasNoMean) {
  expect_words(refusal([] { distribution({}); }), {"at least one"});
  expect_words(refusal([] { distribution({1, 0}); }), {"positive", "0"});
  expect_words(refusal([] { distribution({1, -2}); }), {"-2"});
  expect_words(refusal([] { distribution({1, std::nan("")}); }), {"nan"});
  expect_words(refusal([] { log_histogram({1}, 0); }), {"bin"});
  expect_words(refusal([] { quality(block({1, 1}, {2, 2}), {1, 2}); }), {"2 steps", "8 elements"});
}

}  // namespace
}  // namespace varia::solids::quality_test
