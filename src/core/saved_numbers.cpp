// SPDX-License-Identifier: BSD-3-Clause
#include "varia/core/saved_numbers.hpp"

#include <algorithm>

#include "varia/core/error.hpp"

namespace varia {

SavedNumbers::SavedNumbers(const std::vector<double>& data, std::string refusal)
    : reading_(true), next_(data.data()), end_(next_ + data.size()), refusal_(std::move(refusal)) {}

void SavedNumbers::refuse() const { throw InvalidArgument(refusal_); }

void SavedNumbers::exchange(double* x, std::size_t count) {
  if (!reading_) {
    written_.insert(written_.end(), x, x + count);
  } else {
    if (static_cast<std::size_t>(end_ - next_) < count) refuse();
    std::copy_n(next_, count, x);
    next_ += count;
  }
}

}  // namespace varia
