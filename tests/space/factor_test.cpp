// SPDX-License-Identifier: BSD-3-Clause
// Every factor of the list: its notation fits its numbers, its points can be stated, and what it says
// of plain arrays and of formulas is one geometry.
// Of list.hpp, notation.hpp and reduced.hpp too.
#include "varia/space/factor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "refusal.hpp"
#include "varia/expr/tape.hpp"
#include "varia/space/list.hpp"
#include "varia/space/reduced.hpp"

namespace varia::factor_test {
namespace {

using Numbers = std::vector<double>;

Numbers read(const FactorPtr& factor, std::size_t form, const Numbers& x) {
  Numbers q(static_cast<std::size_t>(factor->entries()));
  factor->read_point(form, x.data(), q.data());
  return q;
}

void expect_near(const Numbers& a, const Numbers& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

/// A point off the origin, and a velocity.
Numbers some_point(const Factor& factor) {
  Numbers q(static_cast<std::size_t>(factor.entries()));
  Numbers xi;
  for (int i = 0; i < factor.dof(); ++i) xi.push_back(0.3 - 0.17 * i);
  factor.origin(q.data());
  factor.retract(q.data(), xi.data(), Retraction::exponential, q.data());
  return q;
}
Numbers some_velocity(const Factor& factor) {
  Numbers v;
  for (int i = 0; i < factor.dof(); ++i) v.push_back(0.4 * std::cos(1.3 * i) + 0.1);
  return v;
}

Formulas variables(expr::Graph& graph, int first, int count) {
  Formulas ids;
  for (int i = first; i < first + count; ++i) ids.push_back(graph.variable(i));
  return ids;
}

/// What is seen has a name, and what is held has one where it is something else.
TEST(Factor, NotationFitsTheNumbers) {
  for (const FactorPtr& factor : space_list()) {
    const Notation& n = factor->notation();
    const auto dof = static_cast<std::size_t>(factor->dof());
    expr::Graph graph;
    const Formulas q = variables(graph, 0, factor->entries());
    const Formulas v = variables(graph, factor->entries(), factor->dof());
    const Formulas seen = factor->seen_vector(graph, q, v);
    const std::size_t entries = factor->seen_point(graph, q).size();
    EXPECT_EQ(n.entries.suffixes.size(), entries) << n.key;
    EXPECT_EQ(n.velocities.suffixes.size(), seen.size()) << n.key;
    EXPECT_EQ(n.momenta.suffixes.size(), seen.size()) << n.key;
    EXPECT_EQ(n.forces.suffixes.size(), seen.size()) << n.key;
    EXPECT_EQ(factor->held_vector(graph, q, seen).size(), dof) << n.key;
    std::set<std::string> names;
    for (const Names* part : {&n.entries, &n.velocities, &n.momenta})
      names.insert(part->suffixes.begin(), part->suffixes.end());
    EXPECT_EQ(names.size(), entries + 2 * seen.size()) << n.key;
    EXPECT_EQ(factor->seen_point(graph, q) == q, n.held_entries.empty()) << n.key;
    if (!n.held_entries.empty()) {
      EXPECT_EQ(n.held_entries.size(), q.size()) << n.key;
      EXPECT_EQ(n.held_velocities.size(), dof) << n.key;
      EXPECT_EQ(n.held_momenta.size(), dof) << n.key;
    }
    EXPECT_EQ(find_space(n.key), factor);
    EXPECT_EQ(n.forms.empty(), factor->curved() == nullptr) << n.key;
    EXPECT_EQ(n.frame_term.empty(), factor->curved() == nullptr) << n.key;
  }
  EXPECT_EQ(find_space("SO4"), nullptr);
}

/// What people read about a space is there, and says which space it is.
TEST(Factor, NotationHasWords) {
  std::set<std::string> keys;
  std::set<std::string> whats;
  std::set<std::string> summaries;
  for (const FactorPtr& factor : space_list()) {
    const Notation& n = factor->notation();
    for (const std::string& text : {n.key, n.example, n.what, n.summary, n.entries.what,
                                    n.velocities.what, n.momenta.what, n.forces.what})
      EXPECT_FALSE(text.empty()) << n.key;
    keys.insert(n.key);
    whats.insert(n.what);
    summaries.insert(n.summary);
    // what is drawn are entries, two or three of them
    const auto& drawn = n.drawing.suffixes;
    EXPECT_EQ(drawn.empty(), factor->curved() == nullptr) << n.key;
    EXPECT_EQ(n.drawing.what.empty(), drawn.empty()) << n.key;
    EXPECT_TRUE(drawn.empty() || drawn.size() == 2 || drawn.size() == 3) << n.key;
    for (const std::string& suffix : drawn)
      EXPECT_EQ(std::count(n.entries.suffixes.begin(), n.entries.suffixes.end(), suffix), 1)
          << n.key << suffix;
  }
  EXPECT_EQ(keys.size(), space_list().size());
  EXPECT_EQ(whats.size(), space_list().size());
  EXPECT_EQ(summaries.size(), space_list().size());
}

/// A pose is stated as a position beside a rotation in any of its forms.
TEST(Factor, MotionsHaveTheFormsOfRotations) {
  const std::vector<PointForm>& forms = motions()->notation().forms;
  const std::vector<PointForm>& of_rotations = rotations()->notation().forms;
  ASSERT_EQ(forms.size(), of_rotations.size());
  for (std::size_t i = 0; i < forms.size(); ++i) {
    ASSERT_EQ(forms[i].size(), of_rotations[i].size() + 1);
    EXPECT_EQ(forms[i].front().key, "position");
    EXPECT_EQ(forms[i].back().key, of_rotations[i].back().key);
  }
}

TEST(Factor, PointsAreReadInEveryForm) {
  const double h = std::sqrt(0.5);
  const double quarter = std::acos(0.0);
  const Numbers turn = {0, -1, 0, 1, 0, 0, 0, 0, 1};  // a quarter turn about the third axis
  expect_near(read(rotations(), 0, {0, 0, quarter}), turn, 1e-15);
  expect_near(read(rotations(), 1, {h, 0, 0, h}), turn, 1e-15);
  expect_near(read(rotations(), 2, turn), turn, 0.0);
  Numbers moved = turn;
  moved.insert(moved.end(), {1.5, -2.5, 3.5});
  expect_near(read(motions(), 0, {1.5, -2.5, 3.5, 0, 0, quarter}), moved, 1e-15);
  expect_near(read(motions(), 1, {1.5, -2.5, 3.5, h, 0, 0, h}), moved, 1e-15);
  Numbers stated = {1.5, -2.5, 3.5};
  stated.insert(stated.end(), turn.begin(), turn.end());
  expect_near(read(motions(), 2, stated), moved, 0.0);
  expect_near(read(plane_motions(), 0, {1.5, -2.5, 7.0}), {1.5, -2.5, 7.0}, 0.0);
  expect_words(refusal([&] { read(motions(), 1, {1, 2, 3, 0, 0, 0, 0}); }), {"quaternion is zero"});
  expect_words(refusal([&] {
                 read(rotations(), 2, {1, 0, 0, 0, 1, 0, 0, 0, -1});
               }),
               {"not a rotation", "determinant is -1", "sign of one"});
}

/// Squares of large and of small numbers are beyond the doubles; the rotation is not.
TEST(Factor, PointsAreReadInEverySize) {
  const Numbers turn = {1, 0, 0, 0, 0, -1, 0, 1, 0};  // a quarter turn about the first axis
  for (const double size : {1e-300, 1e-170, 1e-160, 1.0, 1e200, 1e308}) {
    expect_near(read(rotations(), 1, {size, size, 0, 0}), turn, 1e-15);
    expect_near(read(motions(), 1, {0, 0, 0, -size, -size, 0, 0}),
                {1, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0, 0}, 1e-15);
    const Numbers frame = read(spheres(), 1, {size, 0, -size});
    const double h = std::sqrt(0.5);
    expect_near({frame[2], frame[5], frame[8]}, {h, 0, -h}, 1e-15);
  }
  const double small = 1e-170;  // its square is 0
  expect_near(read(rotations(), 0, {0, 0, small}), {1, -small, 0, small, 1, 0, 0, 0, 1}, 0.0);
  expect_words(refusal([] {
                 read(rotations(), 0, {1e200, 1e200, 0});
               }),
               {"the angle 1.41421", "whole turns"});
  expect_words(refusal([] { read(spheres(), 1, {0, 0, 0}); }), {"axis is zero"});
}

/// In a product other numbers follow: a factor writes its own and no more.
TEST(Factor, WritesItsOwnNumbersOnly) {
  constexpr double guard = 1234.5;
  std::vector<FactorPtr> factors = space_list();
  factors.push_back(euclidean(4));
  for (const FactorPtr& factor : factors) {
    const auto entries = static_cast<std::size_t>(factor->entries());
    const auto dof = static_cast<std::size_t>(factor->dof());
    const Numbers from = some_point(*factor);
    const Numbers v(dof, 0.1);
    const auto expect_own = [&](std::size_t count, const auto& write) {
      Numbers out(count + 3, guard);
      write(out.data());
      for (std::size_t i = 0; i < count; ++i) EXPECT_NE(out[i], guard) << factor->name() << i;
      for (std::size_t i = count; i < out.size(); ++i) EXPECT_EQ(out[i], guard) << factor->name();
    };
    Numbers to(entries);
    factor->retract(from.data(), v.data(), Retraction::exponential, to.data());
    expect_own(entries, [&](double* out) { factor->origin(out); });
    expect_own(entries, [&](double* out) {
      factor->retract(from.data(), v.data(), Retraction::exponential, out);
    });
    expect_own(dof, [&](double* out) {
      factor->difference(from.data(), to.data(), Retraction::exponential, out);
      for (std::size_t i = 0; i < dof; ++i) EXPECT_NEAR(out[i], v[i], 1e-14) << factor->name();
    });
    expect_own(entries, [&](double* out) { factor->entry_rates(from.data(), v.data(), out); });
  }
}

TEST(Factor, FormulasAndRatesAreThoseOfTheRetraction) {
  for (const FactorPtr& factor : space_list()) {
    const auto entries = static_cast<std::size_t>(factor->entries());
    const Numbers q = some_point(*factor);
    const Numbers v = some_velocity(*factor);
    expr::Graph graph;
    std::vector<expr::Id> at;
    std::vector<expr::Id> delta;
    for (int i = 0; i < factor->entries(); ++i) at.push_back(graph.variable(i));
    for (int i = 0; i < factor->dof(); ++i) delta.push_back(graph.variable(factor->entries() + i));
    const expr::Tape tape(graph, factor->displaced(graph, at, delta),
                          factor->entries() + factor->dof());
    Numbers work(tape.instructions().size());
    Numbers rates(entries);
    factor->entry_rates(q.data(), v.data(), rates.data());
    for (const double size : {1e-2, 1e-3}) {
      Numbers x = q;
      Numbers xi;
      for (const double component : v) xi.push_back(size * component);
      x.insert(x.end(), xi.begin(), xi.end());
      Numbers by_formula(entries);
      Numbers moved(entries);
      tape.evaluate(x.data(), by_formula.data(), work.data());
      factor->retract(q.data(), xi.data(), Retraction::exponential, moved.data());
      expect_near(by_formula, moved, size * size * size);
      Numbers along = q;
      for (std::size_t i = 0; i < entries; ++i) along[i] += size * rates[i];
      expect_near(along, moved, size * size);
      Numbers back(v.size());
      factor->difference(q.data(), moved.data(), Retraction::exponential, back.data());
      expect_near(back, xi, 1e-15);
    }
  }
}

Numbers product(const double* map, const Numbers& x, bool transposed) {
  Numbers y(x.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j)
      y[i] += map[transposed ? j * x.size() + i : i * x.size() + j] * x[j];
  return y;
}

/// What is quicker without the maps of a chart is what they give.
TEST(Factor, ProductsWithTheMapsOfAChart) {
  for (const FactorPtr& factor : {curved_angles(), rotations(), plane_motions(), motions(),
                                  spheres(), reduced(rotations())}) {
    const CurvedFactor& space = *factor->curved();
    const Numbers q = some_point(space);
    const Numbers eta = some_velocity(space);
    const auto n = eta.size();
    Numbers N(n), pi(n);
    for (std::size_t i = 0; i < n; ++i) {
      N[i] = std::sin(1.0 + 2.0 * static_cast<double>(i));
      pi[i] = std::cos(0.3 + 3.0 * static_cast<double>(i));
    }
    for (const Retraction tau : {Retraction::exponential, Retraction::cayley})
      for (const double size : {0.0, 1e-4, 0.05, 0.4, 1.7}) {
        SCOPED_TRACE(factor->name() + " " + std::to_string(size));
        Numbers xi;
        for (std::size_t i = 0; i < n; ++i)
          xi.push_back(size * (0.5 - 0.4 * static_cast<double>(i)));
        FactorChart with, without;
        Numbers placed(q.size()), located(q.size()), velocity(n), quick(n);
        space.place(q.data(), xi.data(), eta.data(), tau, with, placed.data(), velocity.data());
        space.locate(q.data(), xi.data(), eta.data(), tau, without, located.data(), quick.data());
        expect_near(located, placed, 0.0);
        expect_near(quick, velocity, 1e-15);
        Numbers W = product(with.D, N, true);
        const Numbers by_velocity = product(with.E, pi, true);
        for (std::size_t i = 0; i < n; ++i) W[i] += by_velocity[i];
        for (const FactorChart* chart : {&with, &without}) {
          Numbers P(n), pulled(n), moved(n);
          space.pull_back(*chart, eta.data(), N.data(), pi.data(), P.data(), pulled.data(),
                          moved.data());
          expect_near(P, product(with.D, pi, true), 4e-15);
          expect_near(pulled, W, 4e-15);
          expect_near(moved, product(with.A, N, false), 4e-15);
        }
        Numbers momentum(n);
        space.tangent(xi.data(), tau, with);
        space.pull_momentum(xi.data(), tau, pi.data(), momentum.data());
        expect_near(momentum, product(with.D, pi, true), 4e-15);
      }
  }
}

}  // namespace
}  // namespace varia::factor_test
