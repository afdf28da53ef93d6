// SPDX-License-Identifier: BSD-3-Clause
// Verlet of a declared separable system against velocity-Verlet loops written by hand.
#include <array>
#include <cmath>

#include "timing.hpp"
#include "varia/varia.hpp"

using varia::Flow, varia::Separable, varia::System, varia::Vector;

namespace {

/// Velocity-Verlet by hand: plain doubles, the acceleration kept from step to step.
template <std::size_t N, class Acceleration>
double by_hand(std::array<double, N> q, std::array<double, N> v, double h, long steps,
               const Acceleration& acceleration) {
  std::array<double, N> a;
  acceleration(q, a);
  for (long k = 0; k < steps; ++k) {
    for (std::size_t i = 0; i < N; ++i) v[i] += 0.5 * h * a[i];
    for (std::size_t i = 0; i < N; ++i) q[i] += h * v[i];
    acceleration(q, a);
    for (std::size_t i = 0; i < N; ++i) v[i] += 0.5 * h * a[i];
  }
  return q[0] + v[N - 1];
}

/// Runs advance() on the system and the loop on the same start.
template <class S, int N, class Acceleration>
bench::Pair compare(const S& system, const Vector<double, N>& q0, const Vector<double, N>& v0,
                    double h, long steps, const Acceleration& acceleration) {
  const Flow flow(varia::verlet(), system);
  const auto start = initial(system, q0, v0);
  std::array<double, static_cast<std::size_t>(N)> q;
  std::array<double, static_cast<std::size_t>(N)> v;
  std::copy(q0.begin(), q0.end(), q.begin());
  std::copy(v0.begin(), v0.end(), v.begin());
  return bench::fastest([&] { bench::keep(advance(flow, start, h, steps)); },
                        [&] { bench::keep(by_hand(q, v, h, steps, acceleration)); });
}

constexpr int bodies = 6;
constexpr double gravity = 1.0;
constexpr std::array<double, bodies> masses = {1.0, 0.3, 0.2, 0.15, 0.1, 0.05};

void attraction(const std::array<double, 3 * bodies>& q, std::array<double, 3 * bodies>& a) {
  a.fill(0.0);
  for (std::size_t i = 0; i < bodies; ++i)
    for (std::size_t j = i + 1; j < bodies; ++j) {
      const double x = q[3 * i] - q[3 * j];
      const double y = q[3 * i + 1] - q[3 * j + 1];
      const double z = q[3 * i + 2] - q[3 * j + 2];
      const double r2 = x * x + y * y + z * z;
      const double s = gravity / (r2 * std::sqrt(r2));
      const double si = s * masses[j];
      const double sj = s * masses[i];
      a[3 * i] -= si * x;
      a[3 * i + 1] -= si * y;
      a[3 * i + 2] -= si * z;
      a[3 * j] += sj * x;
      a[3 * j + 1] += sj * y;
      a[3 * j + 2] += sj * z;
    }
}

void kepler(bench::Table& table) {
  const Vector<double, 2> q0(0.4, 0.0);
  const Vector<double, 2> v0(0.0, 2.0);
  constexpr long steps = 100000;
  const auto acceleration = [](const std::array<double, 2>& q, std::array<double, 2>& a) {
    const double r2 = q[0] * q[0] + q[1] * q[1];
    const double s = -1.0 / (r2 * std::sqrt(r2));
    a[0] = s * q[0];
    a[1] = s * q[1];
  };
  const System norm{Separable{1.0, [](const auto& q) { return -1.0 / q.norm(); }}};
  const System root{
      Separable{1.0, [](const auto& q) { return -1.0 / sqrt(q[0] * q[0] + q[1] * q[1]); }}};
  table.row("Kepler, -1/q.norm()", compare(norm, q0, v0, 1e-3, steps, acceleration), steps, 1.2);
  table.row("Kepler, -1/sqrt(x^2+y^2)", compare(root, q0, v0, 1e-3, steps, acceleration), steps,
            1.2);
}

void six_bodies(bench::Table& table) {
  Vector<double, 3 * bodies> q0;
  Vector<double, 3 * bodies> v0;
  Vector<double, 3 * bodies> m;
  for (int i = 0; i < bodies; ++i) {
    const double r = 1.0 + i;
    const double angle = 2.4 * i;
    q0.segment<3>(3 * i) << r * std::cos(angle), r * std::sin(angle), 0.1 * i;
    v0.segment<3>(3 * i) << -std::sin(angle) / std::sqrt(r), std::cos(angle) / std::sqrt(r), 0.0;
    m.segment<3>(3 * i).setConstant(masses[static_cast<std::size_t>(i)]);
  }
  const auto product = [](int i, int j) {
    return gravity * masses[static_cast<std::size_t>(i)] * masses[static_cast<std::size_t>(j)];
  };
  const System pairs{Separable{
      m, varia::over_pairs<3>([=](int i, int j, const auto& r) { return -product(i, j) / r; })}};
  const System whole{
      Separable{m, [=](const auto& q) {
                  auto sum = 0.0 * q[0];
                  for (int i = 0; i < bodies; ++i)
                    for (int j = i + 1; j < bodies; ++j)
                      sum -= product(i, j) /
                             (q.template segment<3>(3 * i) - q.template segment<3>(3 * j)).norm();
                  return sum;
                }}};
  constexpr long steps = 10000;
  table.row("6 bodies, over_pairs<3>", compare(pairs, q0, v0, 1e-3, steps, attraction), steps, 1.2);
  table.row("6 bodies, one lambda (no bar)", compare(whole, q0, v0, 1e-3, steps / 10, attraction),
            steps / 10, 0.0);
}

}  // namespace

int main() {
  bench::Table table("Verlet, per step");
  kepler(table);
  six_bodies(table);
  return table.missed();
}
