// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A straight-line program read back into a graph: a kernel becomes an expression again, which can
// be differentiated and combined with others.
#include <vector>

#include "varia/expr/graph.hpp"
#include "varia/expr/tape.hpp"

namespace varia::expr {

/// The outputs of the program with its inputs replaced by the given nodes. Throws InvalidArgument
/// when there are not as many nodes as inputs. Free parameters of the program become those of the
/// graph with the same numbers, which are added where there are none yet.
std::vector<Id> graft(Graph& graph, const Tape& tape, const std::vector<Id>& inputs);

/// Whether some instruction reads the input.
bool reads(const Tape& tape, int input);

}  // namespace varia::expr
