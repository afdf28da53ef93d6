// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The C interface of Ipopt, found at run time: nothing of it is needed to build.
//
// Its truth values are int before version 3.14 and bool since. Results of ours are int, 0 or 1, whose low byte is a
// bool; of its results the low byte is read; its arguments of that type are not.
#include <initializer_list>

namespace varia::detail {

struct IpoptLibrary {
  using Problem = struct IpoptProblemInfo*;
  using Truth = unsigned char;
  using Cost = int (*)(int n, double* x, int is_new, double* cost, void* user);
  using Gradient = int (*)(int n, double* x, int is_new, double* gradient, void* user);
  using Rows = int (*)(int n, double* x, int is_new, int m, double* rows, void* user);
  /// x is null where places are asked for, and values are null then.
  using Jacobian = int (*)(int n, double* x, int is_new, int m, int count, int* row, int* column,
                           double* values, void* user);
  using Hessian = int (*)(int n, double* x, int is_new, double cost_factor, int m, double* lambda,
                          int lambda_is_new, int count, int* row, int* column, double* values,
                          void* user);
  using Iteration = int (*)(int mode, int iteration, double cost, double infeasibility,
                            double stationarity, double mu, double step_size, double regularisation,
                            double dual_share, double primal_share, int trials, void* user);

  Problem (*create)(int n, double* x_lower, double* x_upper, int m, double* g_lower,
                    double* g_upper, int jacobian_count, int hessian_count, int first_index, Cost,
                    Rows, Gradient, Jacobian, Hessian);
  void (*free)(Problem);
  Truth (*set_text)(Problem, const char* name, const char* value);
  Truth (*set_number)(Problem, const char* name, double value);
  Truth (*set_count)(Problem, const char* name, int value);
  Truth (*watch)(Problem, Iteration);
  /// Multipliers: of rows, of lower and of upper bounds. The result is a number of IpReturnCodes.h.
  int (*solve)(Problem, double* x, double* rows, double* cost, double* lambda, double* zeta_lower,
               double* zeta_upper, void* user);
};

/// From the first of these files that can be loaded, which stays loaded; InvalidArgument where there is none.
IpoptLibrary load_ipopt(std::initializer_list<const char*> files);
/// The one that is installed.
const IpoptLibrary& ipopt();

}  // namespace varia::detail
