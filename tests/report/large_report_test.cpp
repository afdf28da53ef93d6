// SPDX-License-Identifier: BSD-3-Clause
// Reports of systems with many coordinates stay small, say what they leave out, and hold in memory what they show.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "../../src/report/parts.hpp"
#include "../../src/report/series.hpp"
#include "varia/io/runner.hpp"
#include "varia/report/report.hpp"

namespace varia::large_report_test {
namespace {

namespace fs = std::filesystem;

std::string chain(int n) {
  const std::string last = std::to_string(n);
  return "[system]\ncoordinates = [\"q[1.." + last + "]\"]\nlagrangian = \"sum(i, 1, " + last +
         ", q_dot[i]^2 - q[i]^2)/2\"\n[start]\nq = "
         "\"sin(i)\"\nq_dot = 0\n[run]\nmethod = \"verlet\"\nstep = 0.1\nsteps = 40\n";
}

class LargeReport : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(folder_); }

  /// The page of a run, and what `look` sees of its records.
  std::string page(int n, const std::function<void(io::RecordReader&)>& look = {}) const {
    io::Model model = io::build_model(io::parse_scenario(chain(n), "chain.toml"));
    std::string text;
    io::RunOptions options;
    options.directory = folder_.string();
    options.finish = [&](io::RecordReader& reader, io::Summary& summary) {
      text = report::run_report(model, reader, summary);
      if (look) look(reader);
    };
    run(model, options);
    return text;
  }

  fs::path folder_ =
      fs::temp_directory_path() / ("varia-large-report-" + std::to_string(::getpid()));
};

nlohmann::json data_of(const std::string& page) {
  const std::string opening = R"(<script type="application/json" id="data">)";
  const auto first = page.find(opening) + opening.size();
  return nlohmann::json::parse(page.substr(first, page.find("</script", first) - first));
}

bool has_fact(const nlohmann::json& data, const std::string& name) {
  for (const auto& fact : data["facts"])
    if (fact[0] == name) return true;
  return false;
}

TEST_F(LargeReport, EmbedsTheFirstOfLongLists) {
  const std::string page_of_many = page(20000), page_of_few = page(800);
  const nlohmann::json many = data_of(page_of_many), few = data_of(page_of_few);
  EXPECT_LT(page_of_many.size(), page_of_few.size() + 60'000);
  EXPECT_EQ(few["summary"]["final"]["q"].size(), 800U);
  for (const char* list : {"q", "v", "p"})
    EXPECT_EQ(many["summary"]["final"][list].size(), report::most_in_summary) << list;
  EXPECT_TRUE(many["summary"]["final"]["q"].contains("q[1000]"));
  EXPECT_TRUE(has_fact(many, "Summary"));
  EXPECT_FALSE(has_fact(few, "Summary"));
}

TEST_F(LargeReport, HoldsTheNumbersItShows) {
  page(3, [](io::RecordReader& reader) {
    const std::size_t energy = report::place_of(reader.columns(), "energy");
    const report::Table whole = report::thinned(reader, energy, 12);
    const report::Table part = report::thinned(reader, energy, 12, {0, 2});
    ASSERT_EQ(part.size(), whole.size());
    ASSERT_LT(whole.size(), 20U);
    for (std::size_t k = 0; k < part.size(); ++k)
      EXPECT_EQ(part[k], (std::vector<double>{whole[k][0], whole[k][2]}));
  });
  page(50, [](io::RecordReader& reader) {
    const std::vector<std::size_t> places =
        report::shown_columns(reader.columns(), {"q[20]", "q[2]"});
    std::vector<std::string> names;
    for (const io::Column& c : report::chosen(reader.columns(), places)) names.push_back(c.name);
    std::vector<std::string> expected{"t"};
    for (int i = 1; i <= 12; ++i) expected.push_back("q[" + std::to_string(i) + "]");
    expected.emplace_back("q[20]");
    for (const char* kind : {"q_dot[", "q_p["})
      for (int i = 1; i <= 12; ++i) expected.push_back(kind + std::to_string(i) + "]");
    expected.emplace_back("energy");
    EXPECT_EQ(names, expected);
  });
}

}  // namespace
}  // namespace varia::large_report_test
