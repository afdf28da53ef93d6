// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The verbs of the program: what can be asked of each, and the answer as an exit code.
#include <string>
#include <vector>

#include "varia/io/model.hpp"
#include "varia/io/runner.hpp"

namespace varia::apps {

/// Exit codes of the contract.
inline constexpr int done = 0, wrong_request = 2, numerics_failed = 3, files_failed = 4,
                     interrupted = 130;

/// What the verbs on a scenario share.
struct ScenarioRequest {
  std::string file;
  std::string method, step, until, every;  ///< overrides; empty: as in the file
  std::vector<std::string> set;
  bool json = false;
  /// All overrides as --set texts.
  std::vector<std::string> overrides() const;
};

struct RunRequest : ScenarioRequest {
  std::string out, restart, controls;
  bool quiet = false;
};

struct ShowRequest : ScenarioRequest {
  bool latex = false;
};

struct CheckRequest : ScenarioRequest {
  double work = 1.0;  ///< that may be done, in units of the usual
};

struct CompareRequest : ScenarioRequest {
  std::string methods, steps, out;
  bool quiet = false;
};

/// Its files are one scenario, or folders to merge.
struct SweepRequest : ScenarioRequest {
  std::vector<std::string> files, vary;
  std::string mode, samples, seed, jobs, shard, out;
  bool keep = false, merge = false, quiet = false;
};

struct ListRequest {
  std::string what;
  bool json = false, markdown = false;
};

struct ReproduceRequest {
  std::vector<std::string> names;
  bool all = false, json = false;
};

int run(const RunRequest& request);
/// A run with all its files, the report as well.
io::Summary run_with_files(const io::Scenario& scenario, const io::RunOptions& options);
/// The same of a model that is made already.
io::Summary run_model(io::Model& model, io::RunOptions options);
void print_run(const io::Summary& summary, const std::string& folder);
int exit_code(const io::Summary& summary);
/// The optimum of a control problem, with all its files.
int optimise(const RunRequest& request);
int check(const CheckRequest& request);
int compare(const CompareRequest& request);
int sweep(const SweepRequest& request);
int list(const ListRequest& request);
int show(const ShowRequest& request);
int reproduce(const ReproduceRequest& request);

}  // namespace varia::apps
