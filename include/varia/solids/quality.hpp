// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How large and how round the elements are, and what asynchronous steps would save.
#include <vector>

#include "varia/solids/mesh.hpp"
#include "varia/terms/speed_up.hpp"

namespace varia::solids {

/// Area or volume of the simplex of the corners; negative if inverted.
double volume(const Mesh& mesh, long element);

/// Radius of the largest ball in the simplex of the corners: 2 area / perimeter or
/// 3 volume / surface. The h of the Courant step.
double inradius(const Mesh& mesh, long element);

struct Distribution {
  double smallest = 0;
  double largest = 0;
  double mean = 0;
  double harmonic_mean = 0;
  long smallest_element = -1;  ///< index of the first element with the smallest value
};

/// InvalidArgument if there are no values or one is not positive and finite.
Distribution distribution(const std::vector<double>& values);

using terms::speed_up;

struct Histogram {
  std::vector<double> edges;  ///< ascending, equal ratios; one more than counts
  std::vector<long> counts;
};

/// Counts in bins of equal ratio from the smallest to the largest value.
Histogram log_histogram(const std::vector<double>& values, int bins = 20);

struct Quality {
  long nodes = 0;
  long elements = 0;
  double total_volume = 0;   ///< of the straight simplices
  Distribution size;         ///< inradius
  Distribution roundness;    ///< inradius / longest edge, 1 for the regular simplex
  Distribution step;         ///< the steps given, or the inradius (equal wave speeds)
  double speed_up = 1;       ///< predicted from the steps
  Histogram size_histogram;  ///< of the inradius
  Histogram step_histogram;
};

/// steps: one per element, or empty for steps in proportion to the inradius.
Quality quality(const Mesh& mesh, const std::vector<double>& steps = {});

}  // namespace varia::solids
