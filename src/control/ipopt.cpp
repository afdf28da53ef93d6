// SPDX-License-Identifier: BSD-3-Clause
// The optimum of a chain by Ipopt.
#include <cmath>
#include <exception>
#include <memory>

#include "chain_iterate.hpp"
#include "ipopt_library.hpp"
#include "sparse_chain.hpp"
#include "varia/control/optimise.hpp"
#include "varia/core/error.hpp"
#include "varia/core/index.hpp"

namespace varia::detail {

using Eigen::VectorXd;

namespace {

/// What calls of Ipopt get at. An exception cannot cross it: it is kept, and all further calls fail.
struct IpoptRun {
  SparseChain& chain;
  const OptimiserOptions& options;
  bool has_bounds = false;
  std::vector<OptimiserProgress> history = {};
  int iterations = 0;
  std::exception_ptr failure = nullptr;
};

template <class F> int guarded(void* user, const F& f) {
  auto& run = *static_cast<IpoptRun*>(user);
  if (run.failure) return 0;
  try {
    return f(run) ? 1 : 0;
  } catch (...) {
    run.failure = std::current_exception();
    return 0;
  }
}

int ipopt_cost(int /*n*/, double* x, int /*is_new*/, double* out, void* user) {
  return guarded(user, [&](IpoptRun& run) { return run.chain.cost(x, *out); });
}

int ipopt_gradient(int /*n*/, double* x, int /*is_new*/, double* out, void* user) {
  return guarded(user, [&](IpoptRun& run) { return run.chain.gradient(x, out); });
}

int ipopt_rows(int /*n*/, double* x, int /*is_new*/, int /*m*/, double* out, void* user) {
  return guarded(user, [&](IpoptRun& run) { return run.chain.values(x, out); });
}

int ipopt_jacobian(int /*n*/, double* x, int /*is_new*/, int /*m*/, int /*count*/, int* row,
                   int* column, double* out, void* user) {
  return guarded(user, [&](IpoptRun& run) {
    if (out != nullptr) return run.chain.jacobian(x, out);
    run.chain.jacobian_places(row, column);
    return true;
  });
}

int ipopt_hessian(int /*n*/, double* x, int /*is_new*/, double factor, int /*m*/, double* lambda,
                  int /*lambda_is_new*/, int /*count*/, int* row, int* column, double* out,
                  void* user) {
  return guarded(user, [&](IpoptRun& run) {
    if (out != nullptr) return run.chain.hessian(x, factor, lambda, out);
    run.chain.hessian_places(row, column);
    return true;
  });
}

int ipopt_iteration(int /*mode*/, int iteration, double cost, double infeasibility,
                    double stationarity, double mu, double /*step_size*/, double regularisation,
                    double /*dual_share*/, double primal_share, int /*trials*/, void* user) {
  return guarded(user, [&](IpoptRun& run) {
    run.iterations = iteration;
    if (iteration == 0) return true;
    const double barrier = run.has_bounds ? mu : 0.0;
    run.history.push_back({iteration, cost, infeasibility, stationarity, barrier, barrier,
                           primal_share, regularisation});
    return !run.options.progress || run.options.progress(run.history.back());
  });
}

/// What the numbers of IpReturnCodes.h mean.
struct IpoptEnd {
  int number;
  OptimumStatus status;
  const char* message;
};
constexpr IpoptEnd solved_by_ipopt{0, OptimumStatus::solved, ""};
constexpr IpoptEnd ends_of_ipopt[] = {
    solved_by_ipopt,
    {1, OptimumStatus::stalled, "Ipopt ends short of the tolerance"},
    {2, OptimumStatus::infeasible, "Ipopt finds no motion that meets its conditions"},
    {3, OptimumStatus::stalled, "no step of Ipopt makes progress"},
    {4, OptimumStatus::unbounded,
     "the cost falls without end: bound the inputs, or let the cost grow with them"},
    {5, OptimumStatus::interrupted, "interrupted"},
    {6, OptimumStatus::solved, ""},
    {-1, OptimumStatus::iterations, "Ipopt does not reach the optimum in its iterations"},
    {-2, OptimumStatus::stalled, "the restoration phase of Ipopt fails"},
    {-3, OptimumStatus::stalled, "Ipopt cannot compute a step"},
    {-10, OptimumStatus::dependent, "there are more conditions than unknowns"},
    {-13, OptimumStatus::no_value, "the cost or a condition has no value"},
};

IpoptEnd end_of_ipopt(int number) {
  for (const IpoptEnd& end : ends_of_ipopt)
    if (end.number == number) return end;
  throw InvalidArgument("Ipopt refuses the problem with its code " + std::to_string(number) +
                        ": take the solver of Varia");
}

struct IpoptSolution {
  VectorXd x, lambda, zeta_lower, zeta_upper;
};

void set_options(const IpoptLibrary& library, IpoptLibrary::Problem problem,
                 const OptimiserOptions& options) {
  const bool taken = library.set_number(problem, "tol", options.tolerance) != 0 &&
                     library.set_count(problem, "max_iter", options.max_iterations) != 0 &&
                     library.set_text(problem, "linear_solver", "mumps") != 0 &&
                     library.set_count(problem, "print_level", 0) != 0 &&
                     library.set_text(problem, "sb", "yes") != 0 &&
                     library.set_number(problem, "bound_relax_factor", 0.0) != 0 &&
                     library.set_count(problem, "acceptable_iter", 0) != 0 &&
                     library.watch(problem, ipopt_iteration) != 0;
  if (!taken)
    throw InvalidArgument(
        "the Ipopt that is installed does not know its options: install another version");
}

/// The number it ends with.
int solve(const IpoptLibrary& library, IpoptRun& run, IpoptSolution& s) {
  SparseChain& chain = run.chain;
  ChainBounds x = chain.bounds(), c = chain.row_bounds();
  const std::unique_ptr<IpoptProblemInfo, void (*)(IpoptLibrary::Problem)> problem(
      library.create(chain.variables(), x.lower.data(), x.upper.data(), chain.rows(),
                     c.lower.data(), c.upper.data(), chain.jacobian_count(), chain.hessian_count(),
                     0, ipopt_cost, ipopt_rows, ipopt_gradient, ipopt_jacobian, ipopt_hessian),
      library.free);
  if (!problem)
    throw InvalidArgument("Ipopt refuses the problem: do bounds contradict each other?");
  set_options(library, problem.get(), run.options);
  const int number =
      library.solve(problem.get(), s.x.data(), nullptr, nullptr, s.lambda.data(),
                    s.zeta_lower.data(), s.zeta_upper.data(), static_cast<void*>(&run));
  if (run.failure) std::rethrow_exception(run.failure);
  return number;
}

/// From the point, until no entry grows.
IpoptEnd solve(IpoptRun& run, const ChainPoint& from, IpoptSolution& s) {
  const SparseChain& chain = run.chain;
  for (;;) {
    s = {chain.flat(from), VectorXd::Zero(chain.rows()), VectorXd::Zero(chain.variables()),
         VectorXd::Zero(chain.variables())};
    const int number = solve(ipopt(), run, s);
    if (!chain.has_grown()) return end_of_ipopt(number);
    run.chain.settle();
    run.history.clear();
  }
}

/// The point and the multipliers of a solution, in the order of the chain.
void adopt(const SparseChain& chain, const IpoptSolution& s, ChainIterate& out) {
  const ChainProblem& problem = out.values.problem();
  const int count = problem.steps();
  ChainMultipliers& m = out.multipliers;
  out.at = chain.point(s.x);
  m.start = s.lambda.head(problem.start_rows());
  m.ties.resize(out.values.ties().size());
  m.ties.head(problem.end_rows()) = s.lambda.tail(problem.end_rows());
  std::vector<VectorXd> force;
  for (int k = 0; k < count; ++k) {
    const ChainStepSizes size = problem.sizes(k);
    const ChainLimits& limits = out.values.limits()[sz(k)];
    const ChainJoint& joint = out.values.joints()[sz(k)];
    const VectorXd rows = s.lambda.segment(chain.first_row(k), size.y + size.g);
    const VectorXd inequalities = rows.tail(size.g);
    m.rho.emplace_back(rows.head(size.y));
    m.limits.emplace_back(inequalities(limits.open));
    m.ties.segment(joint.first, joint.slopes.rows()) = inequalities(limits.held);
    VectorXd both(size.w + m.limits.back().size());
    const int input = chain.first_variable(k) + size.x;
    both << s.zeta_upper.segment(input, size.w) - s.zeta_lower.segment(input, size.w),
        m.limits.back();
    force.push_back(std::move(both));
  }
  out.values.evaluate(out.at, m, ChainOrder::slopes);
  out.barrier.adopt(out.at, out.values, force);
}

}  // namespace

}  // namespace varia::detail

namespace varia {

Optimum optimise_by_ipopt(const ChainProblem& problem, const ChainPoint& guess,
                          const OptimiserOptions& options) {
  using namespace detail;
  ipopt();
  SparseChain chain(problem, guess);
  ChainIterate start(problem);
  start.at = guess;
  start.barrier.enter(start.at);
  start.values.evaluate(start.at, {}, ChainOrder::slopes);
  const double scale = cost_scale(start.values);
  IpoptRun run{chain, options, start.barrier.any()};
  IpoptEnd end = end_of_ipopt(-13);
  IpoptSolution solution{chain.flat(start.at), VectorXd::Zero(chain.rows()),
                         VectorXd::Zero(chain.variables()), VectorXd::Zero(chain.variables())};
  if (start.values.finite() && std::isfinite(scale)) end = solve(run, start.at, solution);
  ChainIterate found(problem);
  adopt(chain, solution, found);
  Optimum o = optimum_of(found, scale);
  if (end.status == OptimumStatus::stalled && o.kkt_error <= options.tolerance)
    end = solved_by_ipopt;
  o.status = end.status;
  o.message = end.message;
  o.iterations = run.iterations;
  o.history = std::move(run.history);
  return o;
}

}  // namespace varia
