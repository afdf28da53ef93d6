// SPDX-License-Identifier: BSD-3-Clause
// One step of the heavy top on SO(3) with gauss(1), from a plain Lagrangian and declared separable.
#include "timing.hpp"
#include "varia/varia.hpp"

using varia::Flow, varia::Retraction, varia::Separable, varia::SO3, varia::System, varia::Vector;

namespace {

constexpr long steps = 20000;

template <class S> double fastest(const S& system, Retraction tau) {
  const SO3<double> attitude(varia::rotation(Vector<double, 3>(0.3, 0.2, -0.1), tau));
  const auto start = initial(system, attitude, Vector<double, 3>(0.4, 0.2, 3.0));
  const Flow flow(varia::gauss(1), system, {.retraction = tau});
  const auto run = [&] { bench::keep(advance(flow, start, 0.01, steps)); };
  return bench::fastest(run, [] {}).ours;
}

}  // namespace

int main() {
  constexpr double weight = 1.3;
  const Vector<double, 3> inertia(1.0, 1.2, 0.6);
  const System plain{[=](const auto& R, const auto& w) {
    return 0.5 * w.dot(inertia.cwiseProduct(w)) - weight * R(2, 2);
  }};
  const System declared{Separable{inertia, [=](const auto& R) { return weight * R(2, 2); }}};
  bench::Table table("heavy top, gauss(1), h = 0.01, per step (the reference is the limit)");
  table.limit("L(R, w), Cayley", fastest(plain, Retraction::cayley), steps, 5000.0);
  table.limit("L(R, w), exponential", fastest(plain, Retraction::exponential), steps, 5000.0);
  table.limit("Separable, Cayley", fastest(declared, Retraction::cayley), steps, 1000.0);
  table.limit("Separable, exponential", fastest(declared, Retraction::exponential), steps, 1000.0);
  return table.missed();
}
