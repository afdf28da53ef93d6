// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Varia: from a Lagrangian to a certified discrete flow. The only include a user needs.
#include "varia/flow/discrete_flow.hpp"
#include "varia/flow/flow.hpp"
#include "varia/flow/integrate.hpp"
#include "varia/mechanics/system.hpp"
#include "varia/methods/methods.hpp"
#include "varia/space/euclidean.hpp"
#include "varia/space/product.hpp"
#include "varia/space/so3.hpp"
#include "varia/verify/verify.hpp"
