// SPDX-License-Identifier: BSD-3-Clause
// Any file and any bytes are read, or refused with their name.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>

#include "scenarios.hpp"
#include "varia/io/error.hpp"

namespace varia::io::scenario_files_test {

TEST(ScenarioErrors, TextThatIsNotToml) {
  EXPECT_EQ(refused("[run]\nmethod = verlet\n").substr(0, 32), "f.toml:2:10: not valid TOML: Err");
  expect_words(refused("[run]\nmethod = verlet\n"), {"a text must stand in quotes"});
  expect_words(refused("a = 1\na = 2\n"), {"f.toml:2:"});
  expect_words(refused("a = \"\xff\""), {"f.toml:1:"});
  expect_words(refused(std::string("a = \0", 5)), {"f.toml:1:"});
  expect_words(refused(std::string(4 * 1024 * 1024 + 1, ' ')), {"f.toml: larger than 4 MB"});
  try {
    read("a = ");
    FAIL();
  } catch (const ScenarioError& error) {
    EXPECT_EQ(error.place.line, 1);
    EXPECT_TRUE(error.key.empty());
  }
}

TEST(ScenarioErrors, DeepNestingIsRefused) {
  const auto repeated = [](const std::string& part, int times) {
    std::string text;
    for (int k = 0; k < times; ++k) text += part;
    return text;
  };
  refused("a = " + repeated("[", 100000));
  refused("a = " + repeated("{a=", 100000));
  expect_words(refused("a" + repeated(".a", 1000000) + " = 1"),
               {"1:32: a key of more than 16 parts"});
  expect_words(refused("[a" + repeated(" . 'a'", 100000) + "]"), {"more than 16 parts"});
  expect_words(refused("b = \"\"\"\"\"\"\"\"\nc" + repeated(".a", 100000) + " = 1"), {"f.toml:2:"});
  // Dots inside texts, comments and numbers are not keys.
  EXPECT_NO_THROW(
      read("title = \"" + repeated("..", 50) + "\\\"....\" # " + repeated(".", 50) + "\n" +
           scenario("[\"x\"]", "parameters = { a = [" + repeated("1.5, ", 50) + "] }", at_rest)));
}

TEST(Files, AreReadOrRefusedWithTheirName) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "varia_scenario_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "gallery");
  const auto write = [](const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  };
  write(folder / "orbit.toml", replaced(kepler, "title", "# title"));
  const Scenario s = read_scenario((folder / "orbit.toml").string(), {"mu=2"});
  EXPECT_EQ(s.name, "orbit");
  EXPECT_EQ(s.title, "orbit");
  EXPECT_EQ(s.system.parameters[0].values[0].value, "2");
  expect_words(refusal<IoError>([&] { read_scenario((folder / "none.toml").string()); }),
               {"none.toml", "No such file"});
  expect_words(refusal<IoError>([&] { read_scenario(folder.string()); }), {"is a directory"});
  write(folder / "large.toml", std::string(5 * 1024 * 1024, '\n'));
  expect_words(refusal<ScenarioError>([&] { read_scenario((folder / "large.toml").string()); }),
               {"large.toml: larger than 4 MB"});

  for (const char* name : {"pendulum", "kepler", "chain"})
    write(folder / "gallery" / (std::string(name) + ".toml"), kepler);
  write(folder / "gallery" / "README.md", "");
  ASSERT_EQ(setenv("VARIA_GALLERY", (folder / "gallery").c_str(), 1), 0);
  EXPECT_EQ(gallery_names(), (Names{"chain", "kepler", "pendulum"}));
  EXPECT_EQ(read_scenario("gallery:kepler").name, "kepler");
  EXPECT_EQ(read_scenario("gallery:kepler").file, "gallery:kepler");
  EXPECT_EQ(refusal<ScenarioError>([] { read_scenario("gallery:keppler"); }),
            "gallery:keppler: there is no such scenario in the gallery; there are: chain, kepler, "
            "pendulum. Did you mean kepler?");
  refusal<ScenarioError>([] { read_scenario("gallery:../orbit"); });
  ASSERT_EQ(setenv("VARIA_GALLERY", (folder / "nowhere").c_str(), 1), 0);
  expect_words(refusal<IoError>([] { read_scenario("gallery:kepler"); }), {"nowhere"});
  unsetenv("VARIA_GALLERY");
  std::filesystem::remove_all(folder);
}

TEST(Scenario, ReadsStandardInput) {
  std::istringstream input(kepler);
  std::streambuf* const before = std::cin.rdbuf(input.rdbuf());
  const Scenario s = read_scenario("-");
  std::cin.rdbuf(before);
  EXPECT_EQ(s.name, "scenario");
  EXPECT_EQ(s.run.place.file, "<stdin>");
}

TEST(Scenario, AnyTextIsReadOrRefused) {
  std::mt19937 random(20240607);
  const std::vector<std::string> corpus = {
      kepler, block,
      scenario(R"(["q[1..4]", { name = "R", space = "SO3" }])", "observe.a = \"q[1]\"",
               "q = \"i\"\nq_p = [1, 2, 3, 4]\nR = { quaternion = [1, 0, 0, 0] }\nR_m1 = 0\nR_m2 = "
               "0\nR_m3 = 0"),
      kepler +
          "[reproduce]\n[[reproduce.expect]]\nwhat = \"a\"\nvalue = 1\ntolerance = 1\nset = { mu = "
          "3 }\n"};
  constexpr char raw[] = "[]{}\"'=.,#\n\\ 0123456789eE+-_xqRtabcdn\x00\x7f\xc3\xa4\xff";
  const std::string bytes(raw, sizeof raw - 1);  // one of them is 0
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  int accepted = 0, refusals = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    std::string text = corpus[below(corpus.size())];
    for (std::size_t edits = below(4); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = bytes[below(bytes.size())];
          break;
        case 1:
          text.erase(at, 1 + below(12));
          break;
        case 2:
          text.insert(at, 1, bytes[below(bytes.size())]);
          break;
        default:
          text.insert(at, text.substr(below(text.size()), below(40)));
      }
    }
    try {
      parse_scenario(text, "fuzz.toml");
      ++accepted;
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(std::string(error.what()).rfind("fuzz.toml", 0), 0U);
      ++refusals;
    }
  }
  EXPECT_GT(accepted, 500);
  EXPECT_GT(refusals, 500);
}

}  // namespace varia::io::scenario_files_test
