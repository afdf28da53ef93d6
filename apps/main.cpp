// SPDX-License-Identifier: BSD-3-Clause
// The program `varia`: reads the command line, calls a verb, turns errors into exit codes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <functional>
#include <iostream>

#include "commands.hpp"
#include "terminal.hpp"
#include "varia/core/error.hpp"
#include "varia/core/nearest.hpp"
#include "varia/core/version.hpp"
#include "varia/io/error.hpp"
#include "verbs.hpp"

namespace {

using namespace varia;
using namespace varia::apps;

/// A request that cannot be carried out as it stands; its text is what the user reads.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

UsageError unknown(const std::string& what, const std::string& got,
                   const std::vector<std::string>& allowed) {
  std::string names;
  for (const auto& name : allowed) names += (names.empty() ? "" : ", ") + name;
  const std::string near = nearest(got, allowed);
  return UsageError("unknown " + what + " '" + got + "'" +
                    (near.empty() ? "; " : "; did you mean '" + near + "'? ") +
                    (near.empty() ? "allowed: " : "Allowed: ") + names + ".");
}

struct Requests {
  RunRequest run, optimise;
  CheckRequest check;
  ShowRequest show;
  CompareRequest compare;
  SweepRequest sweep;
  ListRequest list;
  ReproduceRequest reproduce;
  std::string shell;
};

void add_changes(CLI::App& verb, ScenarioRequest& r) {
  verb.add_option("--method", r.method, "the method, instead of that in the file, e.g. gauss(3)")
      ->type_name("METHOD");
  verb.add_option("--step", r.step, "the step, instead of that in the file")->type_name("H");
  verb.add_option("--until", r.until, "the end time, instead of that in the file")->type_name("T");
  verb.add_option("--set", r.set, "any key of the scenario, e.g. mu=2 or system.parameters.mu=2")
      ->type_name("NAME=VALUE")
      ->take_all()
      ->allow_extra_args(false);
}

void add_scenario(CLI::App& verb, ScenarioRequest& r) {
  verb.add_option("FILE", r.file, "scenario file, - for standard input, or gallery:NAME")
      ->type_name("");
  add_changes(verb, r);
}

void add_json(CLI::App& verb, bool& json) {
  verb.add_flag("--json", json, "print only JSON on standard output");
}

void add_run(CLI::App& app, Requests& r) {
  auto* verb = app.add_subcommand("run", "integrate a scenario; write trajectory, summary, report");
  add_scenario(*verb, r.run);
  verb->add_option("--out", r.run.out, "folder for the outputs (default: out/<scenario name>)")
      ->type_name("DIR");
  verb->add_option("--every", r.run.every, "record every Nth step")->type_name("N");
  verb->add_option("--controls", r.run.controls,
                   "replay the inputs of an optimum, open loop: its trajectory.h5")
      ->type_name("TRAJECTORY");
  verb->add_option("--restart", r.run.restart, "go on from a checkpoint.h5")
      ->type_name("CHECKPOINT");
  verb->add_flag("--quiet", r.run.quiet, "no progress, no text");
  add_json(*verb, r.run.json);
  verb->footer(
      "Example:\n  varia run gallery:kepler --method \"gauss(3)\" --step 0.05 --until 100");
}

void add_optimise(CLI::App& app, Requests& r) {
  auto* verb = app.add_subcommand(
      "optimise", "find the inputs for which a cost is least, and the motion that they give");
  verb->alias("optimize");
  add_scenario(*verb, r.optimise);
  verb->add_option("--out", r.optimise.out, "folder for the outputs (default: out/<scenario name>)")
      ->type_name("DIR");
  verb->add_flag("--quiet", r.optimise.quiet, "no progress, no text");
  add_json(*verb, r.optimise.json);
  verb->footer(
      "The scenario has a [control]. Also spelt optimize. Writes the files of a run; the inputs\n"
      "in trajectory.h5 are replayed by varia run FILE --controls DIR/trajectory.h5. Exit code 3:\n"
      "no optimum was found; what was reached is written.\n\n"
      "Example:\n  varia optimise gallery:point_mass");
}

void add_check(CLI::App& app, Requests& r) {
  auto* verb = app.add_subcommand(
      "check", "measure order, symplecticity, reversibility, momenta, constraints, p0 = -D1 Ld");
  add_scenario(*verb, r.check);
  verb->add_option("--work", r.check.work,
                   "bound of the work, 1 unless given: 10 allows ten times as much")
      ->type_name("FACTOR")
      ->check(CLI::PositiveNumber);
  add_json(*verb, r.check.json);
  verb->footer(
      "The work is bounded by a count of operations, not by a clock. What takes more is not\n"
      "measured, and the verdict is 'incomplete' (exit code 3).\n\n"
      "Example:\n  varia check gallery:kepler --method \"lobatto(3)\"");
}

void add_compare(CLI::App& app, Requests& r) {
  auto* verb = app.add_subcommand("compare", "work and precision of several methods, with report");
  add_scenario(*verb, r.compare);
  verb->add_option("--methods", r.compare.methods, "the methods, e.g. \"verlet, gauss(2), rk4\"")
      ->type_name("METHODS");
  verb->add_option("--steps", r.compare.steps, "the steps, e.g. \"0.1, 0.05\"")->type_name("STEPS");
  verb->add_option("--out", r.compare.out, "folder for the report (default: out/<name>-compare)")
      ->type_name("DIR");
  verb->add_flag("--quiet", r.compare.quiet, "no progress, no text");
  add_json(*verb, r.compare.json);
  verb->footer(
      "Example:\n  varia compare gallery:kepler --methods \"verlet, gauss(2), rk4\" --steps \"0.1, "
      "0.05\"");
}

void add_sweep(CLI::App& app, Requests& r) {
  auto* verb = app.add_subcommand(
      "sweep", "runs over ranges of parameters, starts, methods or steps; one table, one report");
  verb->add_option("FILE", r.sweep.files,
                   "scenario file, - for standard input, or gallery:NAME; with --merge the folders")
      ->type_name("");
  verb->add_option("--vary", r.sweep.vary,
                   "values: first : last : step, a list, linear(a, b, n), geometric(a, b, n), "
                   "uniform(a, b), log_uniform(a, b) or normal(m, s); name as for --set")
      ->type_name("NAME=VALUES")
      ->take_all()
      ->allow_extra_args(false);
  verb->add_option("--mode", r.sweep.mode,
                   "grid: each value with each; list: the first values together")
      ->type_name("grid|list");
  verb->add_option("--samples", r.sweep.samples, "how many random samples are drawn")
      ->type_name("N");
  verb->add_option("--seed", r.sweep.seed, "where the random numbers begin")->type_name("N");
  verb->add_option("--jobs", r.sweep.jobs, "threads (default: all processors)")->type_name("N");
  verb->add_option("--shard", r.sweep.shard, "only the cases k, k + n, k + 2n, ...")
      ->type_name("K/N");
  verb->add_flag("--merge", r.sweep.merge, "merge the parts in these folders");
  verb->add_flag("--keep", r.sweep.keep, "keep the files of each run in DIR/case-...");
  verb->add_option("--out", r.sweep.out,
                   "folder for the outputs (default: out/<scenario name>_sweep)")
      ->type_name("DIR");
  verb->add_flag("--quiet", r.sweep.quiet, "no progress, no text");
  add_changes(*verb, r.sweep);
  add_json(*verb, r.sweep.json);
  verb->footer(
      "Writes sweep.csv, sweep.h5 and report.html. An interrupted or killed sweep goes on with\n"
      "the same command. Exit code 3: some cases failed; the others are in the table.\n\n"
      "Examples:\n"
      "  varia sweep gallery:kepler --vary \"e = 0 : 0.9 : 0.1\" --vary \"method = verlet, "
      "gauss(2)\"\n"
      "  varia sweep my.toml --shard 2/5 --out parts\n"
      "  varia sweep --merge parts");
}

void add_others(CLI::App& app, Requests& r) {
  auto* list = app.add_subcommand("list", "what there is: methods, spaces, functions, gallery");
  list->add_option("WHAT", r.list.what, "what to list")
      ->type_name("methods|spaces|functions|elements|materials|gallery");
  list->add_flag("--json", r.list.json, "as JSON");
  list->add_flag("--markdown", r.list.markdown, "as a Markdown table");
  list->footer("Example:\n  varia list methods --markdown");
  auto* show = app.add_subcommand(
      "show", "what Varia read: system, detected structure, equations, cost per step");
  add_scenario(*show, r.show);
  add_json(*show, r.show.json);
  show->add_flag("--latex", r.show.latex, "print the equations as a LaTeX document")
      ->excludes("--json");
  show->footer("Example:\n  varia show gallery:kepler");
  auto* reproduce = app.add_subcommand(
      "reproduce", "figures and tables of the source texts, each with its reference and verdict");
  reproduce->add_option("NAME", r.reproduce.names, "names of the gallery; all unless given")
      ->type_name("");
  reproduce->add_flag("--all", r.reproduce.all, "all of them");
  add_json(*reproduce, r.reproduce.json);
  reproduce->footer("Example:\n  varia reproduce double_well");
  auto* completion = app.add_subcommand("completion", "print the completion script of a shell");
  completion->add_option("SHELL", r.shell, "the shell")->type_name("bash|zsh|fish");
  completion->footer(
      "Shells find the script of an installed program by themselves. For this shell alone:\n"
      "  source <(varia completion bash)\n\nExample:\n  varia completion bash");
  auto* man = app.add_subcommand("man", "print the manual page, for man -l -");
  man->footer("Example:\n  varia man");
}

/// The footer of the help: exit codes, environment, examples.
std::string closing_words() {
  std::string text = "Exit codes:\n";
  for (const Fact& code : exit_codes()) text += fmt::format("  {:<5}{}\n", code.name, code.meaning);
  text += "\nEnvironment:\n";
  for (const Fact& variable : environment())
    text += fmt::format("  {:<18}{}\n", variable.name, variable.meaning);
  return text +
         "\nExamples:\n  varia list gallery\n  varia run gallery:kepler\n"
         "  varia run my.toml --set mu=2";
}

/// Asked for after parsing, so that a mistyped option is told first.
void require(const std::string& verb, const std::string& what, const std::string& value) {
  if (value.empty())
    throw UsageError("'varia " + verb + "' needs " + what + ", which is missing or empty.");
}

int call(const CLI::App& app, const Requests& r) {
  const std::string verb = app.get_subcommands().front()->get_name();
  if (verb == "run") require(verb, "FILE", r.run.file);
  if (verb == "optimise") require(verb, "FILE", r.optimise.file);
  if (verb == "check") require(verb, "FILE", r.check.file);
  if (verb == "show") require(verb, "FILE", r.show.file);
  if (verb == "compare") require(verb, "FILE", r.compare.file);
  if (verb == "sweep")
    require(verb, r.sweep.merge ? "DIR" : "FILE", r.sweep.files.empty() ? "" : r.sweep.files[0]);
  if (verb == "compare") require(verb, "--methods", r.compare.methods);
  if (verb == "completion") require(verb, "SHELL: bash, zsh or fish", r.shell);
  if (verb == "run") return run(r.run);
  if (verb == "optimise") return optimise(r.optimise);
  if (verb == "check") return check(r.check);
  if (verb == "compare") return compare(r.compare);
  if (verb == "sweep") return sweep(r.sweep);
  if (verb == "list") return list(r.list);
  if (verb == "show") return show(r.show);
  if (verb == "completion") return completion(commands(app), r.shell);
  if (verb == "man") return man_page(commands(app));
  return reproduce(r.reproduce);
}

std::vector<std::string> verbs(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(verb->get_name());
  names.insert(names.end(), {"optimize", "--help", "--version"});
  return names;
}

/// Names what was not understood, with the nearest that would be.
[[noreturn]] void refuse_extras(const CLI::App& app) {
  for (const auto* verb : app.get_subcommands()) {
    for (const std::string& extra : verb->remaining()) {
      std::vector<std::string> names;
      for (const auto* option : verb->get_options())
        if (option->get_name().starts_with("-")) names.push_back(option->get_name());
      if (extra.starts_with("-")) throw unknown("option", extra, names);
      throw UsageError("'varia " + verb->get_name() + "' takes no further argument, got '" + extra +
                       "'; see 'varia " + verb->get_name() + " --help'.");
    }
  }
  throw UsageError("the arguments were not understood.");
}

int parse_and_call(CLI::App& app, const Requests& requests, int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "--help";
  const auto known = verbs(app);
  if (first == "--version") {
    if (argc > 2)
      throw UsageError("'varia --version' takes no argument, got '" + std::string(argv[2]) + "'.");
    std::cout << "varia " << version << "\n";
    return done;
  }
  if (first == "--help" || first == "-h") {
    std::cout << app.help() << "\n";
    return done;
  }
  if (std::find(known.begin(), known.end(), first) == known.end())
    throw unknown(first.starts_with("-") ? "option" : "verb", first, known);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.get_subcommands().front()->help("varia") << "\n";
    return done;
  } catch (const CLI::ExtrasError&) {
    refuse_extras(app);
  } catch (const CLI::ArgumentMismatch& error) {
    throw UsageError("'varia " + first + "': an option is given twice or lacks its value (" +
                     error.what() + ").");
  } catch (const CLI::ParseError& error) {
    throw UsageError("'varia " + first + "': " + error.what() + ".");
  }
  return call(app, requests);
}

/// The options --method, --step, --until, --every are overrides of [run], --vary is one of [sweep]:
/// named as they were typed.
void complain(std::string text) {
  const std::string vary = "--set sweep.vary.";
  if (text.starts_with(vary)) text.replace(0, vary.size(), "--vary ");
  for (const char* key : {"method", "step", "until", "every"}) {
    const std::string typed = std::string("--") + key + " ";
    const std::string override = std::string("--set run.") + key + "=";
    if (text.starts_with(override)) text.replace(0, override.size(), typed);
  }
  complain_on_terminal(text);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of that file, not the end
  try {
    CLI::App app{"Varia: variational integrators from a Lagrangian.", "varia"};
    Requests requests;
    add_run(app, requests);
    add_optimise(app, requests);
    add_check(app, requests);
    add_compare(app, requests);
    add_sweep(app, requests);
    add_others(app, requests);
    bool version_flag = false;  // for the help text; handled before parsing
    app.add_flag("--version", version_flag, "the version");
    app.footer(closing_words());
    const int code = parse_and_call(app, requests, argc, argv);
    std::cout.flush();
    if (!std::cout || std::fflush(stdout) != 0)
      throw io::IoError("standard output", "could not be written");
    return code;
  } catch (const UsageError& error) {
    complain(std::string(error.what()) + " See 'varia --help'.");
    return wrong_request;
  } catch (const InvalidArgument& error) {
    complain(error.what());
    return wrong_request;
  } catch (const io::IoError& error) {
    complain(error.what());
    return files_failed;
  } catch (const std::exception& error) {
    complain(error.what());
    return numerics_failed;
  }
}
