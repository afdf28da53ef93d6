// SPDX-License-Identifier: BSD-3-Clause
#include "energy_search.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "varia/core/error.hpp"
#include "varia/core/round_off.hpp"

namespace varia::detail {

namespace {
using Sample = EnergySample;

/// Round-off of φ.
double noise(const Sample& x) { return 16 * eps * x.magnitude; }

/// The sign with which φ goes through zero between a and b, a.h < b.h; 0 if it does not.
double crossing(const Sample& a, const Sample& b) {
  if (a.value == b.value) return 0.0;
  if (a.value <= 0.0 && b.value >= 0.0) return 1.0;
  if (a.value >= 0.0 && b.value <= 0.0) return -1.0;
  return 0.0;
}

bool at_round_off(const Sample& x) { return std::abs(x.value) <= eps * x.magnitude; }

/// Secants kept in the bracket (Illinois), now and then a bisection.
std::optional<Sample> refine(Sample a, Sample b, const EnergySearch::Residual& residual) {
  double fa = a.value;  // an end that stays twice counts half, so that the other moves too
  double fb = b.value;
  int stayed = 0;
  for (int k = 0; k < 200; ++k) {
    if (at_round_off(a)) return a;
    if (at_round_off(b)) return b;
    const double width = b.h - a.h;
    double h = a.h - fa * (width / (fb - fa));
    if (k % 8 == 7 || !(h > a.h && h < b.h)) h = a.h + 0.5 * width;
    if (width <= 4 * eps * b.h) return std::abs(a.value) < std::abs(b.value) ? a : b;
    const auto x = residual(h);
    if (!x) return std::nullopt;
    if ((x->value < 0.0) == (a.value < 0.0)) {
      a = *x;
      fa = a.value;
      if (stayed == 1) fb *= 0.5;
      stayed = 1;
    } else {
      b = *x;
      fb = b.value;
      if (stayed == -1) fa *= 0.5;
      stayed = -1;
    }
  }
  return std::nullopt;
}

/// Samples around the expected step, further and further, in the order of h.
class Samples {
 public:
  Samples(const EnergySearch& search, double expected, const EnergySearch::Residual& residual)
      : search_(search), residual_(residual), center_(expected) {}

  /// One more; false when both sides are at their ends. The first two are close to the expected
  /// step; they show on which side the root must be, and the other side comes last.
  bool widen() {
    if (x_.empty() && low_open_ && high_open_) {
      low_open_ = add(center_ / (1.0 + low_reach_), true);
      high_open_ = add(center_ * (1.0 + high_reach_), false);
      if (x_.size() == 2) upwards_ = root_is_above();
      return true;
    }
    const bool up = upwards_ ? high_open_ : !low_open_;
    if (!low_open_ && !high_open_) return false;
    double& reach = up ? high_reach_ : low_reach_;
    reach = std::min(1.6 * reach, reach + 0.1);
    (up ? high_open_ : low_open_) =
        add(up ? center_ * (1.0 + reach) : center_ / (1.0 + reach), !up);
    return true;
  }

  /// The two neighbours between which φ crosses zero in the right direction.
  std::optional<std::pair<Sample, Sample>> bracket() const {
    for (std::size_t i = 0; i + 1 < x_.size(); ++i) {
      const double direction = crossing(x_[i], x_[i + 1]);
      if (direction != 0.0 && search_.slope * direction >= 0.0) return std::pair(x_[i], x_[i + 1]);
    }
    return std::nullopt;
  }

  bool redundant() const {
    return x_.size() > 1 && std::all_of(x_.begin(), x_.end(), [](const Sample& x) {
             return std::abs(x.value) <= noise(x);
           });
  }

  /// The smallest |φ| so far.
  std::size_t smallest() const {
    return static_cast<std::size_t>(std::min_element(x_.begin(), x_.end(),
                                                     [](const Sample& a, const Sample& b) {
                                                       return std::abs(a.value) < std::abs(b.value);
                                                     }) -
                                    x_.begin());
  }

  std::vector<Sample>& values() { return x_; }

 private:
  bool root_is_above() const {
    if (search_.slope != 0.0) return search_.slope * x_[1].value < 0.0;
    return std::abs(x_[1].value) < std::abs(x_[0].value);
  }

  bool add(double h, bool below) {
    const double inside = std::clamp(h, search_.lowest, search_.highest);
    const auto x = residual_(inside);
    if (!x) return false;
    x_.insert(below ? x_.begin() : x_.end(), *x);
    return inside == h;
  }

  const EnergySearch& search_;
  const EnergySearch::Residual& residual_;
  double center_;
  double low_reach_ = 0.02, high_reach_ = 0.02;
  bool low_open_ = true, high_open_ = true, upwards_ = true;
  std::vector<Sample> x_;
};

/// |φ| made smaller between the neighbours of sample i by golden sections, until φ changes sign or
/// the minimum is found; the new samples are put in their places.
void sharpen(Samples& samples, const EnergySearch::Residual& residual) {
  std::vector<Sample>& x = samples.values();
  constexpr double golden = 0.3819660112501051;
  constexpr double narrow = 1e-8;
  for (int k = 0; k < 100; ++k) {
    const std::size_t i = samples.smallest();
    const double left = i > 0 ? x[i].h - x[i - 1].h : 0.0;
    const double right = i + 1 < x.size() ? x[i + 1].h - x[i].h : 0.0;
    if (std::max(left, right) <= narrow * x[i].h) return;
    const bool lower = left > right;
    const auto y = residual(lower ? x[i].h - golden * left : x[i].h + golden * right);
    if (!y) return;
    x.insert(x.begin() + static_cast<std::ptrdiff_t>(lower ? i : i + 1), *y);
    if (y->value == 0.0 || (y->value < 0.0) != (x.front().value < 0.0)) return;
  }
}

}  // namespace

EnergyRoot EnergySearch::find(double expected, const Residual& residual) const {
  EnergyRoot result;
  Samples samples(*this, std::clamp(expected, lowest, highest), residual);
  auto bracket = samples.bracket();
  while (!bracket && samples.widen()) bracket = samples.bracket();
  if (samples.values().empty()) return result;
  if (samples.redundant()) {
    result.redundant = true;
    return result;
  }
  if (!bracket) {
    sharpen(samples, residual);
    bracket = samples.bracket();
  }
  if (bracket) {
    const auto root = refine(bracket->first, bracket->second, residual);
    if (root && std::abs(root->value) <= noise(*root)) {
      result.found = true;
      result.slope = crossing(bracket->first, bracket->second);
      result.best = root;
      return result;
    }
  }
  result.best = samples.values()[samples.smallest()];
  return result;
}

void no_energy_step(const std::string& method, double t, double sign, double energy,
                    const EnergySearch& search, const EnergyRoot& root) {
  const std::string where = method + ": the step from t = " + to_text(t);
  if (root.redundant)
    throw NoConvergence(where + " has the discrete energy E = " + to_text(energy) +
                            " for every length, to round-off: the method is too accurate for the "
                            "energy to determine the step. Use a larger first step, a method of "
                            "lower order, or a fixed step",
                        t, sign * search.highest, 0, 0.0);
  const double residual = root.best ? root.best->value : 0.0;
  const double h = sign * (root.best ? root.best->h : search.highest);
  const std::string found = root.best ? "; the nearest is E" +
                                            std::string(residual < 0.0 ? " - " : " + ") +
                                            to_text(std::abs(residual)) + " at h = " + to_text(h)
                                      : "; the momentum equations were not solved for any";
  throw NoConvergence(where + " has no length between " + to_text(search.lowest) + " and " +
                          to_text(search.highest) + " that keeps the discrete energy E = " +
                          to_text(energy) + " on the branch of the earlier steps" + found +
                          ". Try another first step, wider bounds, a fixed step, or "
                          "minimise the error of the energy (keep_energy in a scenario, "
                          "no_solution in C++)",
                      t, h, 0, residual);
}

}  // namespace varia::detail
