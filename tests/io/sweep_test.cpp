// SPDX-License-Identifier: BSD-3-Clause
// Sweeps: what a request means, that rows are single runs whatever the threads, that what was killed
// goes on, and that parts make the whole.
// Of sweep_text.hpp, sweep_cases.hpp, sweep_log.hpp, sweep_table.hpp and sweep_evaluation.hpp too.
#include "varia/io/sweep.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "refusal.hpp"
#include "varia/io/error.hpp"
#include "varia/io/model.hpp"
#include "varia/io/sweep_log.hpp"

namespace varia::io::sweep_test {

namespace {

namespace fs = std::filesystem;

const std::string base = R"~(title = "Kepler"
[system]
coordinates = ["x", "y"]
parameters = { mu = 1.0, e = 0.6, m = [1, 2] }
lagrangian = "(x_dot^2 + y_dot^2)/2 + mu/sqrt(x^2 + y^2)"
[system.symmetry]
rotation = { x = "-y", y = "x" }
[system.observe]
radius = "sqrt(x^2 + y^2)"
[start]
x = "1 - e"
y = 0
x_dot = 0
y_dot = "sqrt(mu*(1 + e)/(1 - e))"
[run]
method = "verlet"
step = 0.05
steps = 40
[output]
report = false
)~";

Scenario with(const std::vector<std::string>& overrides, const std::string& more = "") {
  return parse_scenario(base + more, "f.toml", overrides);
}

std::string vary(const std::string& name, const std::string& values) {
  return "sweep.vary." + name + "=\"" + values + "\"";
}

/// The values of the cases, those of one with blanks between.
std::vector<std::string> texts(const Scenario& scenario) {
  const SweepCases cases(scenario);
  std::vector<std::string> result;
  for (long i = 0; i < cases.size(); ++i) {
    std::string line;
    for (const SweepValue& value : cases.values(i)) line += (line.empty() ? "" : " ") + value.text;
    result.push_back(line);
  }
  return result;
}

std::vector<std::string> values(const std::string& text) { return texts(with({vary("e", text)})); }

using Texts = std::vector<std::string>;

std::string refused(const std::vector<std::string>& overrides, const std::string& more = "") {
  return refusal<ScenarioError>([&] { SweepCases(with(overrides, more)); });
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

class Sweep : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              ("varia-sweep-" + std::string(info->name()) + "-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  static std::string text_of(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  /// A table without its last column, the time.
  static std::string timeless(const std::string& file) {
    std::istringstream in(text_of(file));
    std::string result;
    for (std::string line; std::getline(in, line);)
      result += line.substr(0, line.rfind(',')) + "\n";
    return result;
  }

  fs::path folder_;
};

namespace {

SweepOptions options(const std::string& directory, int jobs = 1) {
  SweepOptions result;
  result.directory = directory;
  result.jobs = jobs;
  return result;
}

using Numbers = std::vector<std::pair<std::string, double>>;

Numbers without_time(Numbers numbers) {
  EXPECT_EQ(std::erase_if(numbers, [](const auto& entry) { return entry.first == "wall_seconds"; }),
            1U);
  return numbers;
}

/// The numbers of a row by their names, without the time.
Numbers numbers_in(const SweepTable& table, std::size_t row) {
  Numbers result;
  for (const auto& [column, number] : table.rows()[row].numbers)
    result.emplace_back(table.columns()[static_cast<std::size_t>(column)], number);
  return without_time(result);
}

Numbers numbers_of_run(const std::vector<std::string>& overrides) {
  Model model = build_model(with(overrides));
  return without_time(numbers_of(run(model, {}), {}));
}

}  // namespace

TEST(SweepValues, ARangeHasItsLastValueDespiteRounding) {
  EXPECT_EQ(values("0 : 0.9 : 0.1"),
            (Texts{"0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"}));
  EXPECT_EQ(values("0.9 : 0 : -0.3"), (Texts{"0.9", "0.6", "0.3", "0"}));
  EXPECT_EQ(values("0 : 1 : 0.3"), (Texts{"0", "0.3", "0.6", "0.9"}));
  EXPECT_EQ(values("-0.1:0.1:0.1"), (Texts{"-0.1", "0", "0.1"}));
  EXPECT_EQ(values("2 : 2 : 1"), (Texts{"2"}));
  EXPECT_EQ(values("10:20:05"), (Texts{"10", "15", "20"}));  // in TOML a time of day
  EXPECT_EQ(values("0 : 1e-3 : 2e-4").size(), 6U);
  const Texts turns = values("0 : pi : pi/7");
  ASSERT_EQ(turns.size(), 8U);
  EXPECT_EQ(turns.back(), "3.141592653589793");
}

TEST(SweepValues, PointsAndLists) {
  EXPECT_EQ(values("linear(0, 1, 5)"), (Texts{"0", "0.25", "0.5", "0.75", "1"}));
  const Texts ratios = values("geometric(0.001, 0.1, 3)");
  ASSERT_EQ(ratios.size(), 3U);
  EXPECT_EQ(ratios.front(), "0.001");
  EXPECT_NEAR(std::stod(ratios[1]), 0.01, 1e-17);
  EXPECT_EQ(ratios.back(), "0.1");
  EXPECT_EQ(values("0.1, 2*pi"), (Texts{"0.1", "2*pi"}));
  EXPECT_EQ(texts(with({vary("method", "verlet, galerkin(2, lobatto:3)")})),
            (Texts{"verlet", "galerkin(2, lobatto:3)"}));
  EXPECT_EQ(texts(with({}, "[sweep.vary]\nmethod = [\"verlet\", \"gauss(2)\"]\n")),
            (Texts{"verlet", "gauss(2)"}));
}

TEST(SweepValues, AreRefusedWithTheReason) {
  EXPECT_TRUE(has(refused({vary("e", "0 : 1 : -0.1")}), "leads away from 1"));
  EXPECT_TRUE(has(refused({vary("e", "1 : 0 : pi/10")}), "leads away from 0"));
  EXPECT_TRUE(has(refused({vary("e", "0 : 1 : 0")}), "the step of the range is 0"));
  EXPECT_TRUE(has(refused({vary("e", "0 : 1")}), "first : last : step"));
  EXPECT_TRUE(has(refused({vary("e", "")}), "has no values"));
  EXPECT_TRUE(
      has(refused({}, "[sweep.vary]\ne = []\n"), "f.toml:22:5: sweep.vary.e: has no values"));
  EXPECT_TRUE(has(refused({vary("e", "0.1,,0.2")}), "empty entry"));
  EXPECT_TRUE(has(refused({vary("e", "0 : 1 : 1e-9")}), "at most 1000000"));
  EXPECT_TRUE(has(refused({vary("e", "linear(0, 1, 1.5)")}), "a whole number from 2"));
  EXPECT_TRUE(has(refused({vary("e", "linear(0, 1)")}), "linear(first, last, count), found 2"));
  EXPECT_TRUE(has(refused({vary("e", "geometric(-1, 1, 3)")}), "one sign"));
  EXPECT_TRUE(has(refused({vary("e", "unifrom(0, 1)")}), "Did you mean uniform?"));
  EXPECT_TRUE(has(refused({vary("e", "normal(0, -1)")}), "must be above 0"));
  EXPECT_TRUE(has(refused({vary("e", "uniform(1, 0)")}), "must be below"));
  EXPECT_TRUE(has(refused({vary("e", "0 : foo : 0.1")}), "foo"));
}

TEST(SweepNames, AreThoseOfSet) {
  EXPECT_EQ(with({vary("e", "0.1")}).sweep.axes[0].key, "system.parameters.e");
  EXPECT_EQ(with({vary("step", "0.1")}).sweep.axes[0].key, "run.step");
  EXPECT_EQ(with({vary("start.x", "0.1")}).sweep.axes[0].key, "start.x");
  EXPECT_EQ(with({}, "[sweep.vary]\n\"start.x\" = 1\n").sweep.axes[0].name, "start.x");
  EXPECT_TRUE(has(refused({vary("metod", "verlet")}), "Did you mean method?"));
  EXPECT_TRUE(has(refused({vary("system.parameters.f", "1")}), "there is no such parameter"));
  EXPECT_TRUE(has(refused({vary("x", "1")}), "Did you mean start.x?"));
  EXPECT_TRUE(has(refused({vary("e", "1"), vary("system.parameters.e", "2")}), "varied twice"));
  EXPECT_TRUE(has(refused({}), "nothing is varied"));
}

TEST(SweepCasesOf, GridAndList) {
  EXPECT_EQ(texts(with({vary("e", "0.1, 0.2"), vary("method", "verlet, rk4")})),
            (Texts{"0.1 verlet", "0.1 rk4", "0.2 verlet", "0.2 rk4"}));
  EXPECT_EQ(texts(with({vary("e", "0.1, 0.2"), vary("method", "verlet, rk4"), "sweep.mode=list"})),
            (Texts{"0.1 verlet", "0.2 rk4"}));
  EXPECT_TRUE(has(refused({vary("e", "0.1, 0.2"), vary("mu", "1, 2, 3"), "sweep.mode=list"}),
                  "has 3 values, e has 2"));
  EXPECT_TRUE(has(refused({vary("e", "0 : 0.9 : 0.0001"), vary("mu", "1 : 2 : 0.001")}),
                  "the sweep would have"));
}

TEST(SweepCasesOf, SamplesComeFromTheSeed) {
  const std::string some =
      "[sweep]\nrandom = { count = 5, seed = 7 }\n[sweep.vary]\ne = "
      "\"uniform(0.2, 0.4)\"\nmu = \"normal(1, 0.1)\"\n";
  const Texts once = texts(with({}, some));
  ASSERT_EQ(once.size(), 5U);
  EXPECT_EQ(once, texts(with({}, some)));
  EXPECT_NE(once, texts(with({"sweep.random.seed=8"}, some)));
  EXPECT_EQ(std::set<std::string>(once.begin(), once.end()).size(), 5U);
  for (const std::string& line : once) {
    const double e = std::stod(line);
    EXPECT_GE(e, 0.2);
    EXPECT_LT(e, 0.4);
  }
  // a grid beside them has every sample for every value
  const Texts grid = texts(with({vary("method", "verlet, rk4")}, some));
  ASSERT_EQ(grid.size(), 10U);
  EXPECT_EQ(grid[0], once[0] + " verlet");
  EXPECT_EQ(grid[5], once[0] + " rk4");
  EXPECT_TRUE(has(refused({vary("e", "uniform(0, 1)")}), "count and seed are needed"));
  EXPECT_TRUE(has(refused({vary("e", "0.1"), "sweep.random.count=3"}), "no quantity is drawn"));
}

TEST(SweepCasesOf, SamplesHaveTheirDistribution) {
  const SweepCases cases(with({vary("mu", "normal(3, 2)"), vary("e", "log_uniform(0.01, 1)"),
                               "sweep.random.count=20000", "sweep.random.seed=1"}));
  double sum = 0, squares = 0;
  long below = 0;
  for (long i = 0; i < cases.size(); ++i) {
    const auto of = cases.values(i);
    const double x = std::stod(of[0].text);
    sum += x;
    squares += (x - 3) * (x - 3);
    below += std::stod(of[1].text) < 0.1 ? 1 : 0;
  }
  EXPECT_NEAR(sum / 20000, 3.0, 5 * 2 / std::sqrt(20000.0));
  EXPECT_NEAR(squares / 20000, 4.0, 5 * 4 * std::sqrt(2 / 20000.0));
  EXPECT_NEAR(static_cast<double>(below), 10000.0, 5 * 0.5 * std::sqrt(20000.0));
}

TEST(SweepShards, AreParsed) {
  EXPECT_EQ(parse_shard("2/5").part, 2);
  EXPECT_EQ(parse_shard("2/5").of, 5);
  for (const char* text : {"0/5", "6/5", "2", "2/", "a/b", "2/5x", "-1/3"})
    EXPECT_THROW(parse_shard(text), InvalidArgument) << text;
}

TEST(SweepColumns, ArePathsAndAllBelow) {
  EXPECT_TRUE(wanted_column("final.q.x", {}));
  EXPECT_TRUE(wanted_column("final.q.x", {"final.q"}));
  EXPECT_TRUE(wanted_column("final.lambda[1]", {"final.lambda"}));
  EXPECT_FALSE(wanted_column("final.q.x", {"final.q.x2", "fin"}));
}

TEST_F(Sweep, ARowHasTheBitsOfTheSingleRun) {
  const std::vector<std::string> request{vary("e", "0 : 0.6 : 0.2"),
                                         vary("method", "verlet, gauss(2), rk4")};
  const SweepResult found = sweep(with(request), options(path("a")));
  ASSERT_EQ(found.table.rows().size(), 12U);
  EXPECT_EQ(found.status, "done");
  for (std::size_t i = 0; i < 12; ++i) {
    const SweepTable::Row& row = found.table.rows()[i];
    EXPECT_EQ(row.status, "done");
    const Numbers single = numbers_of_run({"e=" + row.values[0], "method=" + row.values[1]});
    EXPECT_EQ(numbers_in(found.table, i), single) << row.values[0] << row.values[1];
  }
  EXPECT_EQ(found.table.columns().back(), "wall_seconds");
}

TEST_F(Sweep, NativeRowsHaveTheBitsOfANativeRunWithInputs) {
  const SweepResult found =
      sweep(with({vary("e", "0, 0.25, 0.6"), vary("mu", "0, 1, 1.5"), "run.evaluation=native"}),
            options(path("a"), 2));
  EXPECT_EQ(found.free, (Texts{"e", "mu"}));
  for (std::size_t i = 0; i < 9; ++i) {
    const SweepTable::Row& row = found.table.rows()[i];
    EXPECT_EQ(row.evaluation, "native");
    const Numbers single = numbers_of_run({"e=" + row.values[0], "mu=" + row.values[1],
                                           "run.evaluation=native", "system.free=[\"e\", \"mu\"]"});
    EXPECT_EQ(numbers_in(found.table, i), single) << i;
  }
}

TEST_F(Sweep, TheTableDoesNotDependOnTheThreads) {
  const Scenario scenario =
      with({vary("e", "0 : 0.9 : 0.05"), vary("method", "verlet, gauss(1), rk4")});
  sweep(scenario, options(path("one"), 1));
  sweep(scenario, options(path("four"), 4));
  EXPECT_EQ(timeless(path("one/sweep.csv")), timeless(path("four/sweep.csv")));
  EXPECT_FALSE(fs::exists(path("one/sweep.partial")));
}

TEST_F(Sweep, ACaseThatFailsIsARow) {
  // e = 1 has no start, e = 1.5 is a root of a negative number
  const SweepResult found = sweep(with({vary("e", "0.5, 1, 1.5, 0.6")}), options(path("a"), 2));
  EXPECT_EQ(found.status, "failed");
  EXPECT_EQ(found.table.count("failed"), 2);
  EXPECT_EQ(found.table.rows()[1].status, "failed");
  EXPECT_TRUE(found.table.rows()[1].numbers.empty());
  EXPECT_TRUE(has(found.table.rows()[1].message, "y_dot")) << found.table.rows()[1].message;
  EXPECT_EQ(found.table.rows()[3].status, "done");
  EXPECT_EQ(text_of(path("a/sweep.csv")).find("nan"), std::string::npos);
}

TEST_F(Sweep, WhatIsWrongForAllCasesIsRefused) {
  const auto refuse = [&](const std::vector<std::string>& request) {
    return refusal<ScenarioError>([&] { sweep(with(request), options(path("a"))); });
  };
  EXPECT_TRUE(has(refuse({vary("method", "verlet, gaus(2)")}), "gauss"));
  EXPECT_TRUE(has(refuse({vary("step", "0.1, 0")}), "refused"));
  EXPECT_TRUE(has(refuse({vary("run.metod", "verlet")}), "Did you mean method?"));
  EXPECT_TRUE(has(refuse({vary("e", "0.1"), "system.lagrangian=x_dot^2 + foo"}), "foo"));
  EXPECT_FALSE(fs::exists(path("a")));
}

TEST_F(Sweep, PartsMakeTheWhole) {
  const Scenario scenario = with({vary("e", "0.1 : 1 : 0.1"), vary("method", "rk4, gauss(2)")});
  sweep(scenario, options(path("whole"), 2));
  for (long part : {1, 2, 3}) {
    SweepOptions own = options(path("parts"), 2);
    own.shard = {part, 3};
    sweep(scenario, own);
  }
  std::vector<std::pair<std::string, SweepTable>> parts;
  for (const std::string& file : find_sweep_parts({path("parts")}))
    parts.emplace_back(file, read_sweep_hdf5(file));
  ASSERT_EQ(parts.size(), 3U);
  const SweepTable all = merged(parts);
  write_sweep_csv(all, path("merged.csv"));
  EXPECT_EQ(timeless(path("merged.csv")), timeless(path("whole/sweep.csv")));

  auto broken = parts;
  broken.pop_back();
  EXPECT_TRUE(has(refusal<InvalidArgument>([&] { merged(broken); }), "part 3 of 3 is missing"));
  broken.push_back(broken.front());
  EXPECT_TRUE(has(refusal<InvalidArgument>([&] { merged(broken); }), "occurs twice"));
  broken = parts;
  broken[1].second.request += "run.step = 7\n";
  EXPECT_TRUE(has(refusal<InvalidArgument>([&] { merged(broken); }), "run.step"));
  EXPECT_TRUE(has(refusal<InvalidArgument>([&] { merged({}); }), "no file"));
}

TEST_F(Sweep, AnInterruptedSweepGoesOn) {
  const Scenario scenario = with({vary("e", "0 : 0.95 : 0.05")});
  sweep(scenario, options(path("whole")));
  const std::string whole = timeless(path("whole/sweep.csv"));
  for (long most : {0, 1, 7, 19}) {
    const std::string folder = path("stopped" + std::to_string(most));
    SweepOptions stopped = options(folder, 2);
    std::atomic<long> runs{0};
    stopped.run = [&](const Scenario& of_case, const RunOptions& run_options) {
      ++runs;
      Model model = build_model(of_case);
      return run(model, run_options);
    };
    stopped.interrupted = [&] { return runs > most; };
    const SweepResult first = sweep(scenario, stopped);
    EXPECT_EQ(first.status, "interrupted");
    EXPECT_EQ(first.table.rows().size(), 20U);
    EXPECT_GT(first.table.count("interrupted"), 0);
    EXPECT_TRUE(fs::exists(folder + "/sweep.partial"));
    const SweepResult second = sweep(scenario, options(folder));
    EXPECT_EQ(second.resumed, first.table.count("done"));
    EXPECT_EQ(timeless(folder + "/sweep.csv"), whole);
    EXPECT_FALSE(fs::exists(folder + "/sweep.partial"));
  }
}

TEST_F(Sweep, ALogIsCutAtAnyByte) {
  const Scenario scenario = with({vary("e", "0 : 0.7 : 0.1")});
  sweep(scenario, options(path("whole")));
  const SweepTable table = read_sweep_hdf5(path("whole/sweep.h5"));
  {
    SweepLog log(path("log"), table.request);
    for (const SweepTable::Row& row : table.rows()) {
      SweepRow copy{row.number, row.status, row.message, row.evaluation, {}};
      for (const auto& [column, number] : row.numbers)
        copy.numbers.emplace_back(table.columns()[static_cast<std::size_t>(column)], number);
      log.append(copy);
    }
  }
  const std::string bytes = text_of(path("log"));
  std::size_t most = 0;
  for (std::size_t length = 0; length <= bytes.size(); length += 331) {
    fs::create_directories(path("cut"));
    std::ofstream(path("cut/sweep.partial"), std::ios::binary) << bytes.substr(0, length);
    const SweepResult found = sweep(scenario, options(path("cut")));
    EXPECT_EQ(timeless(path("cut/sweep.csv")), timeless(path("whole/sweep.csv"))) << length;
    most = std::max(most, static_cast<std::size_t>(found.resumed));
  }
  EXPECT_EQ(most, 7U);  // the last cut is before the last byte
  // damage in the middle ends the log there
  std::string damaged = bytes;
  damaged[bytes.size() / 2] = static_cast<char>(damaged[bytes.size() / 2] ^ 1);
  std::ofstream(path("cut/sweep.partial"), std::ios::binary) << damaged;
  EXPECT_LT(sweep(scenario, options(path("cut"))).resumed, 8);
  EXPECT_EQ(timeless(path("cut/sweep.csv")), timeless(path("whole/sweep.csv")));
}

TEST_F(Sweep, TheLogOfAnotherSweepIsRefused) {
  const std::string request = SweepCases(with({vary("e", "0.1, 0.2")})).request();
  fs::create_directories(path("a"));
  { const SweepLog log(path("a/sweep.partial"), request); }
  const std::string text = refusal<InvalidArgument>([&] {
    sweep(with({vary("e", "0.1, 0.2"), "step=0.1"}), options(path("a")));
  });
  EXPECT_TRUE(has(text, "another sweep")) << text;
  EXPECT_TRUE(has(text, "run.step is 0.05 there, 0.1 here")) << text;
  std::ofstream(path("a/sweep.partial")) << "something else";
  EXPECT_TRUE(
      has(refusal<IoError>([&] { sweep(with({vary("e", "0.1, 0.2")}), options(path("a"))); }),
          "not the log of a sweep"));
}

TEST_F(Sweep, TheTableReadsBack) {
  sweep(with({vary("e", "0.5, 1, 0.1"), vary("method", "verlet, rk4")}), options(path("a")));
  const SweepTable table = read_sweep_hdf5(path("a/sweep.h5"));
  write_sweep_csv(table, path("again.csv"));
  EXPECT_EQ(text_of(path("again.csv")), text_of(path("a/sweep.csv")));
  EXPECT_EQ(table.axes[0], (SweepTable::Axis{"e", "system.parameters.e", true}));
  EXPECT_EQ(table.axes[1], (SweepTable::Axis{"method", "run.method", false}));
}

TEST_F(Sweep, ColumnsThatAreAskedFor) {
  const SweepResult found =
      sweep(with({vary("e", "0.1, 0.2"), "sweep.columns=[\"energy.max_rel_error\", \"final.q\"]"}),
            options(path("a")));
  EXPECT_EQ(found.table.columns(),
            (Texts{"final.q.x", "final.q.y", "energy.max_rel_error", "wall_seconds"}));
}

TEST_F(Sweep, AParameterThatCannotStayAnInputIsCompiledIn) {
  const std::string chain = R"~([system]
coordinates = ["q[1..4]"]
parameters = { n = 3, k = 1 }
lagrangian = "sum(i, 1, 4, q_dot[i]^2)/2 - k*sum(i, 1, n, (q[i+1] - q[i])^2)/2"
[start]
q = "i"
q_dot = 0
[run]
method = "verlet"
step = 0.1
steps = 5
evaluation = "native"
)~";
  const SweepResult found =
      sweep(parse_scenario(chain, "f.toml", {vary("n", "1, 2, 3")}), options(path("a"), 2));
  EXPECT_EQ(found.status, "done");
  EXPECT_TRUE(found.free.empty());
  ASSERT_EQ(found.notes.size(), 1U);
  EXPECT_TRUE(has(found.notes[0], "cannot stay inputs"));
}

}  // namespace varia::io::sweep_test
