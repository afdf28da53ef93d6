// SPDX-License-Identifier: BSD-3-Clause
// csv files of tables: what is read, and what is wrong in one, with its line.
#include "../../src/io/model/tables.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "models.hpp"
#include "refusal.hpp"
#include "varia/io/error.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io::tables_test {
namespace {

using Columns = std::vector<std::vector<double>>;

TEST(Tables, ReadNumbersWithAndWithoutNames) {
  const NumberTable named = parse_number_table(
      "\xEF\xBB\xBF# wind\r\nt, \"speed\", θ\r\n0,1,+2\r\n\n1,1.5,-2e3\r\n 2 ,2,.5\n3,0,1",
      "a.csv");
  EXPECT_EQ(named.names, (std::vector<std::string>{"t", "speed", "θ"}));
  EXPECT_EQ(named.columns, (Columns{{0, 1, 2, 3}, {1, 1.5, 2, 0}, {2, -2000, .5, 1}}));
  const NumberTable plain = parse_number_table("0,1\n1,2\n2,3\n3,5\n", "a.csv");
  EXPECT_TRUE(plain.names.empty());
  EXPECT_EQ(plain.columns[1], (std::vector<double>{1, 2, 3, 5}));
}

TEST(Tables, MistakesHaveTheirLine) {
  const auto expect = [](const std::string& text, std::initializer_list<const char*> words) {
    expect_words(refusal([&] { parse_number_table(text, "a.csv"); }), words);
  };
  expect("t,v\n0,1\n1,x\n", {"a.csv:3:", "\"x\"", "column v", "not a finite number"});
  expect("0,1\n1,\n", {"a.csv:2:", "\"\"", "column 2"});
  expect("t,v\n0,1\n1,2\n1,3\n", {"a.csv:4:", "column t must increase", "1 behind 1"});
  expect("t,v\n0,1\n1,2\n0.5,3\n", {"a.csv:4:", "0.5 behind 1"});
  expect("t,v\n0,1\n1,2,3\n", {"a.csv:3:", "found 3 columns", "2"});
  expect("t,v\n0,1\n1,2\n2,3\n", {"a.csv:4:", "at least 4", "found 3"});
  expect("", {"at least 4", "found 0"});
  expect("1\n2\n3\n4\n", {"a.csv:1:", "two columns", "commas"});
  expect("t,v,v\n", {"a.csv:1:", "column v occurs twice"});
  expect("t,v\n0,nan\n", {"a.csv:2:", "not a finite number"});
  expect("t,v\n0,1e999\n", {"a.csv:2:", "not a finite number"});
  expect("t,v\n0,1\n1;2\n", {"a.csv:3:", "found 1 column"});
}

/// A folder with a scenario and its data.
struct TableFiles : testing::Test {
  std::filesystem::path folder;

  TableFiles() {
    std::string path = testing::TempDir() + "/varia-tables-XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder = path;
    write("w.csv", "t,speed,height\n0,1,5\n1,2,6\n2,9,7\n4,65,9\n5,126,10\n");
  }
  ~TableFiles() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name) << text;
  }
  Model model(const std::string& force) const {
    const std::string text = models::single("x_dot^2/2", "force = { x = \"" + force + "\" }");
    return build_model(parse_scenario(text, (folder / "s.toml").string()));
  }
};

/// Of a force 1 + t^3 the velocity is v + t + t^4/4; a method of order 4 is exact for it.
TEST_F(TableFiles, AreForces) {
  for (const char* force : {"table('w.csv', 'speed', t)", "table('w.csv', t)",
                            "table('./w.csv', 'height', t) + t^3 - t - 4"}) {
    const Model m = model(force);
    const auto stepper = make_stepper(m);
    stepper->advance(0.05, 80);
    Snapshot s;
    stepper->snapshot(s);
    EXPECT_NEAR(s.v[0], 0.3 + 4 + 64, 1e-12) << force;
  }
}

TEST_F(TableFiles, MistakesHaveTheirPlace) {
  const auto expect = [&](const std::string& force, std::initializer_list<const char*> words) {
    expect_words(refusal<ScenarioError>([&] { model(force); }), words);
  };
  expect("table('W.csv', t)", {"s.toml:4:", "W.csv", "cannot be opened", "folder of the scenario"});
  expect("table('w.csv', 'sped', t)",
         {"s.toml:4:", "no column sped", "t, speed, height", "Did you mean speed?"});
  expect("table('.', t)", {"directory"});
  write("bad.csv", "t,v\n0,1\n1,oh\n");
  expect("table('bad.csv', t)", {"s.toml:4:", "bad.csv:3:", "\"oh\""});
  write("numbers.csv", "0,1\n1,2\n2,3\n3,5\n");
  expect("table('numbers.csv', 'v', t)", {"no line of names", "second column"});
  EXPECT_NO_THROW(model("table('numbers.csv', t)"));
}

TEST_F(TableFiles, TheBytesAreASetting) {
  const std::string before = model("table('w.csv', t)").scenario.settings.text();
  EXPECT_NE(before.find("system.table.w.csv = "), std::string::npos);
  EXPECT_EQ(model("table('w.csv', t)").scenario.settings.text(), before);
  write("w.csv", "t,speed,height\n0,1,5\n1,2,6\n2,9,7\n4,65,9\n5,127,10\n");
  expect_words(difference(before, model("table('w.csv', t)").scenario.settings.text()),
               {"belongs to another system", "system.table.w.csv"});
}

}  // namespace
}  // namespace varia::io::tables_test
