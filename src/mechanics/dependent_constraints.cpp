// SPDX-License-Identifier: BSD-3-Clause
#include "varia/mechanics/dependent_constraints.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

#include "varia/core/counted.hpp"
#include "varia/core/index.hpp"

namespace varia {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// The plain orthogonalisation, O(d²n), is cheap up to the first number and gives way to a sparse one
/// beyond the second.
constexpr int cheap_dense = 8, largest_dense = 300;

/// Coefficients below are round-off of the elimination.
constexpr double smallest_coefficient = 1e-6;

using detail::sz;

/// Gᵀ with columns of length 1, and their lengths before.
struct Gradients {
  Sparse columns;
  Vn length;
};

Gradients gradients(const Pattern& pattern, int d, int n, const double* g) {
  Gradients result;
  result.length = Vn::Zero(d);
  for (int e = 0; e < pattern.size(); ++e)
    result.length[pattern.row[sz(e)]] =
        std::hypot(result.length[pattern.row[sz(e)]], g[static_cast<std::size_t>(e)]);
  std::vector<Eigen::Triplet<double>> entries;
  for (int e = 0; e < pattern.size(); ++e)
    if (const double size = result.length[pattern.row[sz(e)]]; size > 0.0)
      entries.emplace_back(pattern.column[sz(e)], pattern.row[sz(e)], g[e] / size);
  result.columns.resize(n, d);
  result.columns.setFromTriplets(entries.begin(), entries.end());
  result.columns.makeCompressed();
  return result;
}

/// x are the coefficients of unit gradients; those of the gradients differ by the lengths.
Dependency dependency(const Gradients& g, int last, const std::vector<int>& others, const Vn& x,
                      const double* phi) {
  Dependency result;
  result.last = last;
  result.value = phi[last];
  for (std::size_t i = 0; i < others.size(); ++i) {
    const double c = x[static_cast<Eigen::Index>(i)];
    if (!(std::abs(c) > smallest_coefficient)) continue;
    result.constraints.push_back(others[i]);
    result.coefficients.push_back(c * g.length[last] / g.length[others[i]]);
    result.value -= result.coefficients.back() * phi[others[i]];
  }
  return result;
}

/// Gram and Schmidt in the given order, each gradient twice: q R = Gᵀ.
std::vector<Dependency> in_order(const Gradients& g, const double* phi, double tolerance) {
  const auto d = static_cast<int>(g.columns.cols());
  const Eigen::MatrixXd columns(g.columns);
  Eigen::MatrixXd q = columns;
  Eigen::MatrixXd r = Eigen::MatrixXd::Zero(d, d);
  std::vector<int> kept;
  std::vector<Dependency> result;
  for (int a = 0; a < d; ++a) {
    const auto rank = static_cast<Eigen::Index>(kept.size());
    Vn rest = columns.col(a);
    Vn along = Vn::Zero(rank);
    for (int twice = 0; twice < 2; ++twice) {
      const Vn more = q.leftCols(rank).transpose() * rest;
      rest -= q.leftCols(rank) * more;
      along += more;
    }
    if (g.length[a] > 0.0 && rest.norm() > tolerance) {
      r.col(rank).head(rank) = along;
      r(rank, rank) = rest.norm();
      q.col(rank) = rest / rest.norm();
      kept.push_back(a);
      continue;
    }
    const Vn x = r.topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solve(along);
    result.push_back(dependency(g, a, kept, x, phi));
  }
  return result;
}

/// Columns of a matrix.
Sparse select(const Sparse& all, const std::vector<int>& columns) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (Sparse::InnerIterator it(all, columns[k]); it; ++it)
      entries.emplace_back(static_cast<int>(it.row()), static_cast<int>(k), it.value());
  Sparse result(all.rows(), static_cast<Eigen::Index>(columns.size()));
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

/// G Gᵀ = P L D Lᵀ Pᵀ, in an order with few nonzeros: O(n) for a chain. The pivot of a gradient is
/// the square of its sine against the span of those before it; `pivot_shift` keeps the pivots of
/// dependent ones from being zero.
using Factors = Eigen::SimplicialLDLT<Sparse, Eigen::Lower>;
constexpr double pivot_shift = 1e-14;

/// Whether every gradient stands far off the span of others.
bool clearly_independent(const Gradients& g, double tolerance) {
  constexpr double far = 1e-2;
  if (!(g.length.minCoeff() > 0.0)) return false;
  Factors factors;
  factors.setShift(pivot_shift);
  factors.compute(Sparse(g.columns.transpose() * g.columns));
  const double sine = std::max(far, 10.0 * tolerance);
  return factors.info() == Eigen::Success && factors.vectorD().minCoeff() > sine * sine;
}

/// What looks dependent by its pivot is solved for, and believed only if the combination is found.
std::vector<Dependency> sparse(const Gradients& g, const double* phi, double tolerance) {
  constexpr double seen_in_a_square = 1e-6;  // a smaller sine has a square near round-off
  tolerance = std::max(tolerance, seen_in_a_square);
  const Eigen::Index d = g.columns.cols();
  Factors factors;
  factors.setShift(pivot_shift);
  factors.compute(Sparse(g.columns.transpose() * g.columns));
  const Vn pivots = factors.vectorD();
  std::vector<int> kept, candidates;
  for (Eigen::Index a = 0; a < d; ++a) {
    const double pivot = pivots[factors.permutationP().indices()[a]];
    const bool seen = g.length[a] > 0.0 && pivot > tolerance * tolerance;
    (seen ? kept : candidates).push_back(static_cast<int>(a));
  }
  std::vector<Dependency> result;
  if (candidates.empty()) return result;
  const Sparse basis = select(g.columns, kept);
  factors.setShift(0.0);
  factors.compute(Sparse(basis.transpose() * basis));
  for (const int a : candidates) {
    const Vn column(g.columns.col(a));
    const Vn x = factors.solve(Vn(basis.transpose() * column));
    if ((column - basis * x).norm() <= 10.0 * tolerance)
      result.push_back(dependency(g, a, kept, x, phi));
  }
  return result;
}

std::string number(double x) {
  const double rounded = std::round(x * 1e6) / 1e6;
  return to_text(rounded == 0.0 ? x : rounded);
}

std::string name(int constraint, const std::vector<std::string>& names) {
  const auto at = static_cast<std::size_t>(constraint);
  return at < names.size() ? "(" + names[at] + ")" : "phi[" + std::to_string(constraint + 1) + "]";
}

}  // namespace

std::vector<int> ConstraintRank::left_out() const {
  std::vector<int> result;
  for (const auto& x : dependencies) result.push_back(x.last);
  std::sort(result.begin(), result.end());
  return result;
}

int ConstraintRank::without_gradient() const {
  for (const auto& x : dependencies)
    if (x.constraints.empty()) return x.last;
  return -1;
}

ConstraintRank dependent_constraints(const Pattern& pattern, int d, int n, const double* phi,
                                     const double* g, double tolerance) {
  ConstraintRank result;
  result.count = d;
  if (d == 0) return result;
  const bool finite = std::all_of(g, g + pattern.size(), [](double x) { return std::isfinite(x); });
  if (!finite) throw DomainError("a constraint has no finite gradient at the point");
  const Gradients columns = gradients(pattern, d, n, g);
  if (d > cheap_dense && clearly_independent(columns, tolerance)) return result;
  result.dependencies =
      d <= largest_dense ? in_order(columns, phi, tolerance) : sparse(columns, phi, tolerance);
  return result;
}

ConstraintRank dependent_constraints(const KernelSystem& system, const double* q, double t,
                                     double tolerance) {
  std::vector<double> values(sz(system.d + system.constraint_pattern.size()), 0.0);
  std::vector<double> point{t};
  point.insert(point.end(), q, q + system.entries);
  if (system.d > 0) system.constraint(point.data(), values.data());
  return dependent_constraints(system.constraint_pattern, system.d, system.n, values.data(),
                               values.data() + system.d, tolerance);
}

std::string to_text(const Dependency& x, const std::vector<std::string>& names) {
  std::string text = "grad " + name(x.last, names) + " =";
  if (x.constraints.empty()) return text + " 0";
  for (std::size_t i = 0; i < x.constraints.size(); ++i) {
    const double c = x.coefficients[i];
    text += c < 0.0 ? " - " : (i == 0 ? " " : " + ");
    const std::string size = number(std::abs(c));
    if (size != "1") text += size + " ";
    text += "grad " + name(x.constraints[i], names);
  }
  return text;
}

namespace {

/// The relation, or where it would be long, how many constraints are in it.
std::string brief(const Dependency& x, const std::vector<std::string>& names) {
  constexpr std::size_t most_characters = 160;
  std::string relation = to_text(x, names);
  if (relation.size() <= most_characters) return relation;
  return name(x.last, names) + " follows from " + counted(x.constraints.size(), "other");
}

}  // namespace

std::string to_text(const ConstraintRank& rank, const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  std::string text = counted(rank.count, "constraint") + ", but only " +
                     std::to_string(rank.rank()) + " of them independent: ";
  for (std::size_t i = 0; i < std::min(most, rank.dependencies.size()); ++i)
    text += (i == 0 ? "" : "; ") + brief(rank.dependencies[i], names);
  if (rank.dependencies.size() > most)
    text += "; and " + std::to_string(rank.dependencies.size() - most) + " more";
  return text;
}

}  // namespace varia
