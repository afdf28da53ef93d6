// SPDX-License-Identifier: BSD-3-Clause
// Mixed spaces: the laws of tests/space/space_laws.hpp, and that a space whose factors are listed at
// run time is the product whose factors are types, to the bit.
#include "varia/space/mixed.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "refusal.hpp"
#include "space/space_laws.hpp"
#include "varia/space/chart.hpp"

namespace varia {

/// Four degrees of freedom, as space_points.hpp expects of sizes known at run time.
template <> struct Origin<MixedPoint<double>> {
  static MixedPoint<double> point() { return MixedPoint<double>({euclidean(1), rotations()}); }
};
template <class S> std::vector<S> entries(const MixedPoint<S>& q) {
  return {q.values().data(), q.values().data() + q.values().size()};
}

}  // namespace varia

namespace varia::mixed_test {
namespace {

using V3 = Vector<double, 3>;
using V9 = Vector<double, 9>;
using Fixed = Product<Vector<double, 2>, SO3<double>, Vector<double, 1>, SO3<double>>;
using Mixed = MixedPoint<double>;
using F = Space<Fixed>;
using M = Space<Mixed>;

const std::vector<FactorPtr> factors = {euclidean(2), rotations(), euclidean(1), rotations()};

/// The numbers of a point of the product in the order of a mixed space: rotations row by row.
template <class P> Vector<Scalar<P>, Dynamic> row_by_row(const P& q) {
  Vector<Scalar<P>, Dynamic> all(21);
  all.head(2) = get<0>(q);
  all[11] = get<2>(q)[0];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      all[2 + 3 * i + j] = get<1>(q)(i, j);
      all[12 + 3 * i + j] = get<3>(q)(i, j);
    }
  return all;
}

/// The same point in both, and tangent vectors.
struct Both {
  V9 xi, eta;
  Fixed fixed;
  Mixed mixed;

  explicit Both(double size) {
    std::mt19937 random(7u);
    std::uniform_real_distribution<double> uniform(-1.5, 1.5);
    V9 at;
    for (V9* v : {&xi, &eta, &at})
      for (int i = 0; i < 9; ++i) (*v)[i] = uniform(random);
    xi *= size;
    fixed = F::retract(Fixed(Vector<double, 2>(1.0, -2.0), {}, Vector<double, 1>(0.5), {}), at);
    mixed = Mixed(factors, row_by_row(fixed));
  }
};

const std::vector<double> sizes = {0.0, 1e-3, 0.3, 1.0};
constexpr Retraction both_retractions[] = {Retraction::cayley, Retraction::exponential};

TEST(Mixed, PointsMoveAsThoseOfTheProduct) {
  for (const Retraction tau : both_retractions)
    for (const double size : sizes) {
      const Both b(size);
      EXPECT_EQ(M::dim(b.mixed), 9);
      EXPECT_EQ(b.mixed.values().size(), 21);
      const Fixed fixed = F::retract(b.fixed, b.xi, tau);
      const Mixed mixed = M::retract(b.mixed, b.xi, tau);
      EXPECT_EQ(mixed.values(), row_by_row(fixed));
      EXPECT_EQ(M::difference(b.mixed, mixed, tau), Vn(F::difference(b.fixed, fixed, tau)));
      EXPECT_EQ(M::displace<double>(b.mixed, b.xi).values(),
                row_by_row(F::displace(b.fixed, b.xi)));
    }
}

TEST(Mixed, JetsAreThoseOfTheProduct) {
  const Both b(1.0);
  using J = Jet2<9>;
  const auto fixed = row_by_row(F::seed<J>(b.fixed, 0));
  const Vector<J, Dynamic> variables = Space<V9>::seed<J>(V9(V9::Zero()), 0);
  const auto mixed = M::displace<J>(b.mixed, variables).values();
  for (int e = 0; e < 21; ++e) {
    EXPECT_EQ(mixed[e].v, fixed[e].v);
    for (int i = 0; i < 9; ++i) {
      EXPECT_NEAR(mixed[e].g[i], fixed[e].g[i], 1e-15);
      for (int j = 0; j <= i; ++j) EXPECT_NEAR(mixed[e].hess(i, j), fixed[e].hess(i, j), 1e-15);
    }
  }
}

TEST(Mixed, TangentsAreThoseOfTheProduct) {
  for (const Retraction tau : both_retractions)
    for (const double size : sizes) {
      const Both b(size);
      EXPECT_EQ(AtPoint<Mixed>::velocity(b.mixed, b.xi, b.eta, tau),
                Vn(F::velocity<double>(b.xi, b.eta, tau)));
    }
}

TEST(Mixed, EntriesAreKeptToTheBit) {
  const Both b(0.0);
  const auto list = entries(b.mixed);
  const Mixed again(factors, Eigen::Map<const Vn>(list.data(), 21));
  EXPECT_EQ(again.values(), b.mixed.values());
  EXPECT_EQ(list[2 + 1], get<1>(b.fixed)(0, 1));  // R₁₂ is the second entry of a rotation
  EXPECT_EQ(Space<SO3<double>>::read(Mixed(factors).values().data() + 12).matrix,
            (Matrix<double, 3>::Identity()));
  EXPECT_EQ(M::dim(Mixed()), 0);
  EXPECT_EQ(Mixed().values().size(), 0);
}

TEST(Mixed, RefusesWhatIsNotAPoint) {
  const std::vector<FactorPtr> body = {euclidean(1), rotations()};
  Vn x = Mixed(body).values();
  expect_words(refusal([&] { Mixed(body, Vn(x.head(9))); }), {"10 entries", "got 9"});
  Vn off = x;
  off[2] = 1e-9;
  expect_words(refusal([&] { Mixed(body, off); }), {"factor 1", "not a rotation", "1e-09"});
  off[2] = 1e-11;
  EXPECT_NO_THROW(Mixed(body, off));
  Vn mirror = x;
  mirror[9] = -1.0;
  expect_words(refusal([&] { Mixed(body, mirror); }), {"factor 1", "reflection"});
  for (const int at : {0, 5}) {
    Vn bad = x;
    bad[at] = std::numeric_limits<double>::quiet_NaN();
    expect_words(refusal([&] { Mixed(body, bad); }),
                 {at == 0 ? "factor 0" : "factor 1", "not a finite number"});
  }
  expect_words(refusal([&] { Mixed({euclidean(0)}); }), {"at least one", "0"});
  const Mixed q(body);
  // three numbers are not a rotation, though both spaces have three degrees of freedom
  expect_words(refusal([&] { M::difference(Mixed({euclidean(3)}), Mixed({rotations()})); }),
               {"different"});
  EXPECT_NO_THROW(M::difference(q, Mixed(body)));
}

}  // namespace
}  // namespace varia::mixed_test
