// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The problems on which Varia is tested, each stated once, and what builds systems from text.
//
//   system_of(texts::kepler())             a problem as text; its start is start_of(texts::kepler())
//   kepler()                               the same as C++ functions, with a step and a duration
//   hamiltonians::double_pendulum()        problems stated by a Hamiltonian
//   discrete::ring_midpoint()              discrete Lagrangians as text
//   curved::space().held()                 problems on curved spaces, free and with constraints
//
//   system_of({{"x"}, "x_dot^2/2 - x^4"})                    a system of one test alone
//   system_of({{{"R", "SO3"}}, "(R_w1^2 + R_w2^2)/2 - R33"})   on any space
#include "problems/builders.hpp"
#include "problems/curved.hpp"
#include "problems/degenerate.hpp"
#include "problems/discrete.hpp"
#include "problems/hamiltonians.hpp"
#include "problems/mechanical.hpp"
#include "problems/methods.hpp"
#include "problems/shooting.hpp"
#include "problems/states.hpp"
#include "problems/texts.hpp"
