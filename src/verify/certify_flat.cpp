// SPDX-License-Identifier: BSD-3-Clause
#include "varia/verify/certify_flat.hpp"

#include "varia/verify/certify_order.hpp"

namespace varia {

CertifiedOrder certify_order(const FlatFlow& flow, const FlatState& start, double h) {
  return detail::certify_method(flow, start, h);
}

}  // namespace varia
