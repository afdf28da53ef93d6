// SPDX-License-Identifier: BSD-3-Clause
// Elements: every shape with every law, in both planes, straight and curved.
// Of linear_elements.hpp, quadratic_elements.hpp, element_stress.hpp.
#include "varia/solids/elements.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "../refusal.hpp"
#include "one_element.hpp"

namespace varia::solids::elements_test {
namespace {

/// One combination; calls f with a description of it.
struct Case {
  Shape shape;
  Material material;
  Plane plane;
  double bend;
  bool objective() const { return material.model != "linear_elastic"; }
  std::string name() const {
    return std::string(info(shape).name) + " " + material.model +
           (plane == Plane::stress ? " plane stress" : "") + (bend > 0 ? " curved" : "");
  }
};

std::vector<Case> cases(int dimension) {
  std::vector<Case> list;
  for (const Shape shape : all_shapes) {
    if (info(shape).dimension != dimension) continue;
    for (const Material& material : test_materials())
      for (const Plane plane : {Plane::strain, Plane::stress})
        for (const double bend : {0.0, 0.05}) {
          if (dimension == 3 && plane == Plane::stress) continue;
          if (info(shape).order == 1 && bend > 0) continue;
          list.push_back({shape, material, plane, bend});
        }
  }
  return list;
}

template <int D, class F> void for_each_case(const F& f) {
  for (const Case& c : cases(D)) {
    SCOPED_TRACE(c.name());
    const Mesh mesh = pair_of(c.shape, c.bend);
    // Element 1 comes first: the numbers in the family are not those of the mesh.
    const auto family = make_elements<D>(mesh, {1, 0}, c.material, c.plane);
    f(c, mesh, *family);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

template <int D>
std::vector<double> gradient(const terms::Family<D>& family, int k, const std::vector<double>& x) {
  std::vector<double> g(x.size());
  family.gradient(k, x.data(), 0.0, g.data());
  return g;
}

double largest(const std::vector<double>& g) {
  double m = 0.0;
  for (const double v : g) m = std::max(m, std::abs(v));
  return m;
}

template <class Test> void in_both_dimensions(const Test& test) {
  test(std::integral_constant<int, 2>());
  test(std::integral_constant<int, 3>());
}

/// Gradient by jets, a few directions at a time, of the energy written a second time.
template <int D>
std::vector<double> plain_gradient(const Case& c, const std::vector<double>& X,
                                   const std::vector<double>& x, double& energy) {
  constexpr int chunk = 6;
  using J = Jet<double, chunk>;
  std::vector<double> g(x.size());
  for (std::size_t begin = 0; begin < x.size(); begin += chunk) {
    std::vector<J> y(x.begin(), x.end());
    for (std::size_t i = begin; i < std::min(x.size(), begin + chunk); ++i)
      y[i] = J::variable(x[i], static_cast<int>(i - begin));
    const J V = std::visit(
        [&](const auto& m) {
          return plain_element_energy<D>(c.shape, m, c.plane, X.data(), y.data());
        },
        law(c.material));
    energy = V.v;
    for (std::size_t i = begin; i < std::min(x.size(), begin + chunk); ++i) g[i] = V.d[i - begin];
  }
  return g;
}

TEST(Elements, GradientIsThatOfTheEnergyWrittenASecondTime) {
  in_both_dimensions([](auto dimension) {
    constexpr int D = dimension;
    for_each_case<D>([](const Case& c, const Mesh& mesh, const Elements<D>& family) {
      Random random(21);
      for (int n = 0; n < 6; ++n) {
        const int k = n % 2;
        const auto X = positions<D>(mesh, 1 - k);
        const auto x = deformed<D>(X, random_gradient<D>(random, 0.3), 0.03, random);
        double V = 0.0;
        const auto expected = plain_gradient<D>(c, X, x, V);
        const auto g = gradient<D>(family, k, x);
        EXPECT_NEAR(family.energy(k, x.data(), 0.0), V, 1e-13);
        const double scale = largest(expected);
        EXPECT_GT(scale, 1e-2);
        for (std::size_t i = 0; i < g.size(); ++i)
          EXPECT_NEAR(g[i] / scale, expected[i] / scale, 1e-12) << i;
      }
    });
  });
}

TEST(Elements, GradientIsTheSlopeOfTheEnergy) {
  in_both_dimensions([](auto dimension) {
    constexpr int D = dimension;
    for_each_case<D>([](const Case&, const Mesh& mesh, const Elements<D>& family) {
      Random random(22);
      auto x = deformed<D>(positions<D>(mesh, 1), random_gradient<D>(random, 0.3), 0.03, random);
      const auto g = gradient<D>(family, 0, x);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double at = x[i], h = 1e-5;
        x[i] = at + h;
        const double up = family.energy(0, x.data(), 0.0);
        x[i] = at - h;
        const double down = family.energy(0, x.data(), 0.0);
        x[i] = at;
        EXPECT_NEAR(g[i], (up - down) / (2 * h), 1e-7);
      }
    });
  });
}

TEST(Elements, RigidMotionsAreFree) {
  in_both_dimensions([](auto dimension) {
    constexpr int D = dimension;
    for_each_case<D>([](const Case& c, const Mesh& mesh, const Elements<D>& family) {
      Random random(23);
      const auto X = positions<D>(mesh, 1);
      const auto x = deformed<D>(X, random_gradient<D>(random, 0.3), 0.03, random);
      const auto R = random_rotation<D>(random);
      auto moved = deformed<D>(x, R, 0.0, random);
      for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += 0.7 + static_cast<double>(i % D);
      const double V = family.energy(0, x.data(), 0.0), W = family.energy(0, moved.data(), 0.0);
      if (!c.objective()) {
        EXPECT_GT(std::abs(V - W), 1e-3);
        return;
      }
      EXPECT_NEAR(V, W, 1e-12);
      const auto g = gradient<D>(family, 0, x), turned = gradient<D>(family, 0, moved);
      const auto expected = deformed<D>(g, R, 0.0, random);
      for (std::size_t i = 0; i < g.size(); ++i) EXPECT_NEAR(turned[i], expected[i], 1e-12);
    });
  });
}

TEST(Elements, ForcesHaveNoSumAndNoMoment) {
  in_both_dimensions([](auto dimension) {
    constexpr int D = dimension;
    for_each_case<D>([](const Case& c, const Mesh& mesh, const Elements<D>& family) {
      Random random(24);
      for (int n = 0; n < 5; ++n) {
        const auto x =
            deformed<D>(positions<D>(mesh, 1), random_gradient<D>(random, 0.3), 0.03, random);
        const auto g = gradient<D>(family, 0, x);
        const double scale = largest(g);
        for (int i = 0; i < D; ++i) {
          double sum = 0.0;
          for (std::size_t a = 0; a < g.size() / D; ++a) sum += g[a * D + i];
          EXPECT_NEAR(sum / scale, 0.0, 2e-15);
          for (int j = 0; j < i && c.objective(); ++j) {
            double moment = 0.0;
            for (std::size_t a = 0; a < g.size() / D; ++a)
              moment += x[a * D + i] * g[a * D + j] - x[a * D + j] * g[a * D + i];
            EXPECT_NEAR(moment / scale, 0.0, 1e-14);
          }
        }
      }
    });
  });
}

/// A straight element beside a curved one goes through the kernel for curved elements.
TEST(Elements, CurvedKernelIsTheStraightOneOnStraightElements) {
  in_both_dimensions([](auto dimension) {
    constexpr int D = dimension;
    for (const Case& c : cases(D)) {
      if (c.bend == 0.0) continue;
      SCOPED_TRACE(c.name());
      const Mesh mesh = pair_of(c.shape, c.bend);
      const auto curved = make_elements<D>(mesh, {0, 1}, c.material, c.plane);
      const auto fast = make_elements<D>(mesh, {0}, c.material, c.plane);
      EXPECT_NE(std::string(curved->kind()), fast->kind());
      EXPECT_NEAR(curved->volume(0), fast->volume(0), 1e-15);
      Random random(25);
      const auto x =
          deformed<D>(positions<D>(mesh, 0), random_gradient<D>(random, 0.3), 0.03, random);
      const auto g = gradient<D>(*curved, 0, x), h = gradient<D>(*fast, 0, x);
      for (std::size_t i = 0; i < g.size(); ++i) EXPECT_NEAR(g[i], h[i], 1e-13);
      double a[6], b[6];
      curved->cauchy(0, x.data(), 0.0, a);
      fast->cauchy(0, x.data(), 0.0, b);
      for (int i = 0; i < 6; ++i) EXPECT_NEAR(a[i], b[i], 1e-12);
    }
  });
}

/// Acting is drifting, then kicking with the gradient: to the bit, and with the right sign.
TEST(Elements, ActDriftsAndKicks) {
  in_both_dimensions([](auto dimension) {
    constexpr int D = dimension;
    for_each_case<D>([](const Case&, const Mesh& mesh, const Elements<D>& family) {
      Random random(26);
      std::vector<terms::Node<D>> one(static_cast<std::size_t>(mesh.node_count()));
      for (std::size_t a = 0; a < one.size(); ++a) {
        for (int c = 0; c < D; ++c) {
          one[a].x[c] = 1.1 * mesh.node(static_cast<long>(a))[c];
          one[a].v[c] = 0.1 * random();
        }
        one[a].inverse_mass = 1.5 + random();
      }
      auto two = one;
      terms::Supports<D> supports;
      family.act(1, 0.125, 0.25, one.data(), supports);
      family.drift(1, 0.125, two.data(), supports);
      const auto before = two;
      family.kick(1, 0.125, 0.25, two.data(), supports);
      std::vector<double> x;
      for (int a = 0; a < family.nodes_per_term(); ++a)
        for (int c = 0; c < D; ++c) x.push_back(before[family.nodes(1)[a]].x[c]);
      const auto g = gradient<D>(family, 1, x);
      for (int a = 0; a < family.nodes_per_term(); ++a) {
        const auto n = static_cast<std::size_t>(family.nodes(1)[a]);
        EXPECT_EQ(family.nodes(1)[a], mesh.element(0)[a]);
        for (int c = 0; c < D; ++c) {
          EXPECT_EQ(one[n].x[c], two[n].x[c]);
          EXPECT_EQ(one[n].v[c], two[n].v[c]);
          EXPECT_NEAR(two[n].v[c], before[n].v[c] - 0.25 * one[n].inverse_mass * g[a * D + c],
                      1e-15);
        }
      }
    });
  });
}

template <int D> std::array<double, 9> tensor(const double* s) {
  return {s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2]};
}

TEST(Elements, CauchyStressTurnsWithTheBody) {
  in_both_dimensions([](auto dimension) {
    constexpr int D = dimension;
    for_each_case<D>([](const Case& c, const Mesh& mesh, const Elements<D>& family) {
      if (!c.objective()) return;
      Random random(27);
      const auto x =
          deformed<D>(positions<D>(mesh, 1), random_gradient<D>(random, 0.2), 0.02, random);
      const auto R = random_rotation<D>(random);
      const auto y = deformed<D>(x, R, 0.0, random);
      double s[6], r[6];
      cauchy<D>(family, 0, x.data(), s);
      cauchy<D>(family, 0, y.data(), r);
      std::array<double, 9> Q{1, 0, 0, 0, 1, 0, 0, 0, 1}, Qt{};
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) Q[3 * i + j] = R[i * D + j];
      for (int i = 0; i < 9; ++i) Qt[i] = Q[3 * (i % 3) + i / 3];
      const auto expected = product<3>(product<3>(Q, tensor<D>(s)), Qt);
      const auto got = tensor<D>(r);
      EXPECT_GT(std::abs(s[0]) + std::abs(s[3]), 1e-3);
      for (int i = 0; i < 9; ++i) EXPECT_NEAR(got[i], expected[i], 1e-12) << i;
    });
  });
}

/// Uniaxial stretch with free sides, where the stress is the force on a face by its present area.
TEST(Elements, CauchyStressIsForceByPresentArea) {
  const NeoHookean m{1.7, 0.6};
  for (const Shape shape : {Shape::tet4, Shape::tet10}) {
    const Mesh mesh = pair_of(shape, 0.0);
    const auto family = make_elements<3>(mesh, {0}, test_materials()[0]);
    const std::array<double, 9> F{1.3, 0, 0, 0, 0.9, 0, 0, 0, 0.8};
    double P[9], s[6];
    ASSERT_TRUE(m.stress<3>(F.data(), P));
    Random none(1);
    const auto x = deformed<3>(positions<3>(mesh, 0), F, 0.0, none);
    family->cauchy(0, x.data(), 0.0, s);
    EXPECT_NEAR(s[0], P[0] / (0.9 * 0.8), 1e-13);
    EXPECT_NEAR(s[1], P[4] / (1.3 * 0.8), 1e-13);
    EXPECT_NEAR(s[2], P[8] / (1.3 * 0.9), 1e-13);
    for (int i = 3; i < 6; ++i) EXPECT_NEAR(s[i], 0.0, 1e-13);
  }
}

TEST(Elements, StressAcrossThePlane) {
  for (const Case& c : cases(2)) {
    SCOPED_TRACE(c.name());
    const Mesh mesh = pair_of(c.shape, c.bend);
    const auto family = make_elements<2>(mesh, {0, 1}, c.material, c.plane);
    Random random(28);
    const auto x = deformed<2>(positions<2>(mesh, 1), {1.1, 0.05, -0.02, 1.05}, 0.01, random);
    double s[6];
    family->cauchy(1, x.data(), 0.0, s);
    if (c.plane == Plane::stress)
      EXPECT_NEAR(s[2], 0.0, 1e-14);
    else
      EXPECT_GT(s[2], 0.05);  // lateral contraction is held
    EXPECT_EQ(s[4], 0.0);
    EXPECT_EQ(s[5], 0.0);
  }
}

TEST(Elements, InsideOutIsAnErrorThatNamesElementAndTime) {
  in_both_dimensions([](auto dimension) {
    constexpr int D = dimension;
    for_each_case<D>([](const Case&, const Mesh& mesh, const Elements<D>& family) {
      auto x = positions<D>(mesh, 1);
      for (std::size_t i = 0; i < x.size(); i += D) x[i] = -x[i];
      std::vector<double> g(x.size());
      const auto attempt = [&](const auto& f) {
        const std::string text = refusal<terms::InvertedElement>(f);
        expect_words(text, {"element 29", "inside out", "J = -1", "t = 0.0012", "courant"});
        try {
          f();
        } catch (const terms::InvertedElement& e) {
          EXPECT_EQ(e.element, 29);
          EXPECT_EQ(e.t, 1.2e-3);
        }
      };
      attempt([&] { family.gradient(0, x.data(), 1.2e-3, g.data()); });
      attempt([&] { static_cast<void>(family.energy(0, x.data(), 1.2e-3)); });
      attempt([&] {
        double s[6];
        family.cauchy(0, x.data(), 1.2e-3, s);
      });
      x[0] = std::nan("");
      expect_words(
          refusal<terms::InvertedElement>([&] { family.gradient(0, x.data(), 1.0, g.data()); }),
          {"element 29", "no finite place"});
    });
  });
}

TEST(Elements, WrongRequestsAreRefused) {
  const Material m = test_materials()[0];
  Mesh mesh = pair_of(Shape::t3, 0.0);
  expect_words(refusal([&] { make_elements<3>(mesh, {0}, m); }), {"dimension 2", "3"});
  expect_words(refusal([&] { make_elements<2>(mesh, {2}, m); }), {"no element 2", "0 to 1"});
  EXPECT_EQ(make_elements<2>(mesh, {}, m)->size(), 0);
  std::swap(mesh.elements[3], mesh.elements[4]);
  expect_words(refusal<MeshError>([&] {
                 make_elements<2>(mesh, {0, 1}, m);
               }),
               {"element 29", "area", "positive"});
  for (const Shape shape : {Shape::t6, Shape::tet4, Shape::tet10}) {
    Mesh other = pair_of(shape, 0.0);
    for (std::size_t i = 0; i < other.X.size(); i += static_cast<std::size_t>(other.dimension()))
      other.X[i] = -other.X[i];
    const auto build = [&] {
      if (other.dimension() == 2)
        make_elements<2>(other, {0}, m);
      else
        make_elements<3>(other, {0}, m);
    };
    expect_words(refusal<MeshError>(build), {"element 17", "positive"});
  }
}

/// A family without stress.
struct Idle : terms::FamilyOf<Idle, 2, 1> {
  Idle() : FamilyOf({{0}}) {}
  const char* kind() const override { return "idle"; }
  double energy_of(int, const double*, double) const { return 0.0; }
  void gradient_of(int, const double*, double, double* g) const { g[0] = g[1] = 0.0; }
};

TEST(Elements, OnlyElementsHaveStress) {
  double s[6];
  const double x[2] = {0, 0};
  expect_words(refusal([&] { cauchy<2>(Idle(), 0, x, s); }), {"idle", "no stress"});
}

}  // namespace
}  // namespace varia::solids::elements_test
