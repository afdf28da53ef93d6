// SPDX-License-Identifier: BSD-3-Clause
// One origin of columns: whatever finds a mistake, the place it names is where the mistake stands in the
// file, with lines and columns counted from 1 and columns in characters.
#include "../src/io/scenario/string_place.hpp"

#include <algorithm>
#include <iterator>

#include "scenarios.hpp"
#include "varia/io/model.hpp"
#include "varia/io/solid_model.hpp"

namespace varia::io::string_place_test {
namespace {

/// "7:12" of the first `word` in the text.
std::string place_of(const std::string& text, const std::string& word) {
  const std::size_t at = text.find(word);
  EXPECT_NE(at, std::string::npos) << word;
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const std::size_t begin = line == 0 ? 0 : text.rfind('\n', at) + 1;
  const auto characters = std::count_if(std::next(text.begin(), static_cast<std::ptrdiff_t>(begin)),
                                        std::next(text.begin(), static_cast<std::ptrdiff_t>(at)),
                                        [](char c) { return (c & 0xC0) != 0x80; });
  return std::to_string(line + 1) + ":" + std::to_string(characters + 1);
}

std::string named_place(const std::string& text) {
  const std::string message = refusal<ScenarioError>([&] {
    const Scenario s = read(text);
    if (s.solid)
      build_solid_model(s);
    else
      build_model(s);
  });
  const std::size_t begin = message.find(':') + 1;
  EXPECT_TRUE(message.starts_with("f.toml:")) << message;
  return message.substr(begin, message.find(": ") - begin);
}

/// A scenario whose Lagrangian is written in this way, quotes and all.
std::string with_lagrangian(const std::string& written) {
  return "[system]\ncoordinates = [\"x\", \"θ\"]\nlagrangian = " + written +
         "\n[start]\nx = 0\nx_dot = 0\n\"θ\" = 0\n\"θ_dot\" = 0\n"
         "[run]\nmethod = \"verlet\"\nstep = 0.1\nuntil = 1\n";
}

void expect_place_of_wrong(const std::string& text) {
  EXPECT_EQ(named_place(text), place_of(text, "wrong")) << text;
}

TEST(StringPlace, AWrongNameInEverySpellingOfAText) {
  for (const char* const written : {
           "\"wrong + x\"",
           "\"x_dot^2/2 + wrong\"",
           "'x_dot^2/2 + wrong'",
           "\"θ_dot^2/2 + cos(θ) + wrong\"",
           "'''x_dot^2/2 + wrong'''",
           "\"\"\"x_dot^2/2 + wrong\"\"\"",
           "\"\"\"\nx_dot^2/2\n  + wrong\"\"\"",
           "'''\n\n  x_dot^2/2\n\n + θ + wrong'''",
           "\"\"\"\r\nx_dot^2/2 +\r\n  wrong\"\"\"",
           "\"\"\"x_dot^2/2 + \\\n    wrong\"\"\"",
           "\"\"\"\\\n  \\\n\n    x_dot^2/2 \\\n   + wrong\"\"\"",
           "\"\\u0078_dot^2/2 + wrong\"",
           "\"\\U00000078_dot^2/2 +\\twrong\"",
           "\"x_dot^2/2\\n+\\n wrong\"",
           "\"\"\"x_dot^2/2\\n+\n wrong\"\"\"",
       })
    expect_place_of_wrong(with_lagrangian(written));
}

TEST(StringPlace, BehindAFileNameInQuotes) {
  const std::string text = with_lagrangian("\"x_dot^2/2 + sin(\\\"a\\\" + wrong)\"");
  EXPECT_EQ(named_place(text), place_of(text, "\\\"a"));
}

TEST(StringPlace, AfterAByteOrderMark) {
  const std::string line = "system = { coordinates = [\"x\"], lagrangian = \"x_dot^2/2 + wrong\" }";
  const std::string rest =
      "\n[start]\nx = 0\nx_dot = 0\n[run]\nmethod = \"verlet\"\nstep = 0.1\nuntil = 1\n";
  EXPECT_EQ(named_place("\xEF\xBB\xBF" + line + rest), place_of(line, "wrong"));
}

TEST(StringPlace, KeysValuesAndWhatIsNoToml) {
  const std::string good = with_lagrangian("\"x_dot^2/2 + θ_dot^2/2\"");
  build_model(read(good));
  struct Line {
    const char *text, *mistake;
  };
  for (const Line& line : {
           Line{"step = wrong", "wrong"},                                 // not TOML
           Line{"every = 1 wrong", "wrong"},                              // not TOML
           Line{"\"θθ\".θ = 1", "θ = 1"},                                 // not TOML
           Line{"wrong = 1", "wrong"},                                    // no such key
           Line{"solver = { \"θ\" = 1 }", "{ \"θ\""},                     // a table
           Line{"\"θθ\".a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.wrong", ".wrong"},  // too many parts
       }) {
    const std::string text = replaced(good, "until = 1", "until = 1\n" + std::string(line.text));
    EXPECT_EQ(named_place(text), place_of(text, line.mistake)) << line.text;
  }
}

TEST(StringPlace, OfDefinitionsAndConditionsToo) {
  const std::string text = with_lagrangian("\"x_dot^2/2 + θ_dot^2/2 - k\"");
  const std::string before = "[system.let]\n\"κ\" = \"1\"\n";
  expect_place_of_wrong(replaced(text, "[start]", before + "k = \"κ*x + wrong\"\n[start]"));
  // letters of two bytes before the text, and in it
  expect_place_of_wrong(
      replaced(text, "[start]", before + "k = 1\n\"κκκ\" = \"κ*x + wrong\"\n[start]"));
  expect_place_of_wrong(
      replaced(block, "[run]",
               "material = { model = \"neo_hookean\", young = 1, poisson = 0.3, density = 1 }\n"
               "[[solid.fix]]\nwhere = \"X < 0.5 or\\tY > wrong\"\nposition = { x = 0 }\n[run]"));
}

TEST(StringPlace, WithoutAPlaceThereIsNone) {
  EXPECT_EQ(place_text(place_inside("a = \"b\"", {"--set a=b", 0, 0}, 1, 5)), "--set a=b");
  EXPECT_EQ(place_text(place_inside("a = 1", {"f", 1, 5}, 1, 3)), "f:1:5");  // no text: its begin
}

}  // namespace
}  // namespace varia::io::string_place_test
