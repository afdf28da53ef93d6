// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A separable system whose Lagrangian is a sum over index sets: L = Σ_families Σ_(i, j) body(q_i, q_i+1, ...).
//
// A body is differentiated once, in its own few variables; the kernels are programs of loops that gather, compute
// and add (expr/loop_program.hpp). What they cost in memory and time before the first step does not depend on
// the number of turns, but for the places of second derivatives. It is what element families are to solids.
#include <memory>
#include <vector>

#include "varia/expr/derivative.hpp"
#include "varia/expr/loops.hpp"
#include "varia/mechanics/kernel_system.hpp"

namespace varia {

/// A family with its derivatives.
struct LoopedBody {
  expr::Family family;
  std::vector<int> motion;          ///< of family.variables, those that are entries of q and v
  std::vector<expr::Id> gradient;   ///< of the body in these
  std::vector<expr::Entry> second;  ///< likewise
};

struct LoopedSystem {
  std::shared_ptr<KernelSystem> system;
  std::vector<LoopedBody> bodies;
};

/// Throws UnrolledOnly where L is not separable with a diagonal mass, an entry has two names in one turn, or
/// there is a term that is not smooth: what is known about such systems is found in the whole formula.
LoopedSystem make_looped_system(expr::Graph& graph, const ProductSpace& space,
                                const expr::FamilySum& lagrangian);

/// Turns of all families.
double turns_of(const expr::FamilySum& sum);

}  // namespace varia
