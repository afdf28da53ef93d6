// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "varia/core/error.hpp"

namespace varia::io {

/// Does work that makes steps; whether they could be made.
template <class Work> bool steps_are_made(const Work& work) {
  try {
    work();
    return true;
  } catch (const NoConvergence&) {
    return false;
  } catch (const DomainError&) {
    return false;
  } catch (const SingularMass&) {
    return false;
  }
}

}  // namespace varia::io
