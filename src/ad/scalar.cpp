// SPDX-License-Identifier: BSD-3-Clause
#include "varia/ad/scalar.hpp"

namespace varia::detail {

void no_derivative(const char* call, double x, const char* text) {
  throw DomainError(std::string(call) + " at x = " + to_text(x) + ": " + text);
}

void no_derivative(const char* call, double x, double y, const char* text) {
  throw DomainError(std::string(call) + " at (x, y) = (" + to_text(x) + ", " + to_text(y) +
                    "): " + text);
}

}  // namespace varia::detail
