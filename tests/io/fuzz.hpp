// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Damaged scenarios: whatever the bytes, reading, building and stepping succeed or throw a
// varia::Error that says something. The inputs follow from a seed alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "models.hpp"
#include "source_folder.hpp"
#include "varia/io/control_problem.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io::fuzz {

/// xorshift64*
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : x_(seed * 0x9E3779B97F4A7C15ULL + 1) {}
  std::uint64_t next() {
    x_ ^= x_ >> 12;
    x_ ^= x_ << 25;
    x_ ^= x_ >> 27;
    return x_ * 0x2545F4914F6CDD1DULL;
  }
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(next() % n); }

 private:
  std::uint64_t x_;
};

inline std::string times(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

/// The gallery, which stands beside the tests, and the systems of these tests.
inline std::vector<std::string> corpus() {
  std::vector<std::string> result{models::kepler(),
                                  models::double_pendulum(),
                                  models::van_der_pol(),
                                  models::spherical_pendulum(),
                                  models::caldirola_kanai(),
                                  models::magnetic(),
                                  models::full_mass(),
                                  models::chain(5, true),
                                  models::top("{ A = 1, B = 1.4, C = 0.6 }")};
  const auto folder = std::filesystem::path(source_folder) / "gallery";
  std::vector<std::filesystem::path> files;
  std::error_code missing;
  for (const auto& item : std::filesystem::directory_iterator(folder, missing))
    if (item.path().extension() == ".toml") files.push_back(item.path());
  std::sort(files.begin(), files.end());
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    result.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return result;
}

/// What is put into texts: numbers at the edges, names, operators, pieces of TOML.
inline const std::vector<std::string>& pieces() {
  static const std::vector<std::string> list{"0",
                                             "-0.0",
                                             "1e308",
                                             "-1e308",
                                             "1e-308",
                                             "nan",
                                             "inf",
                                             "-inf",
                                             "1e999",
                                             "9223372036854775807",
                                             "-9223372036854775808",
                                             "99999999999999999999",
                                             "0x7fffffff",
                                             "1/0",
                                             "0/0",
                                             "sqrt(-1)",
                                             "log(0)",
                                             "x",
                                             "y",
                                             "x_dot",
                                             "q[i]",
                                             "q[0]",
                                             "q[99999]",
                                             "R11",
                                             "R_w1",
                                             "t",
                                             "pi",
                                             "(",
                                             ")",
                                             "[",
                                             "]",
                                             "{",
                                             "}",
                                             "\"",
                                             "\"\"\"",
                                             "'",
                                             "=",
                                             ",",
                                             ".",
                                             "..",
                                             "+",
                                             "-",
                                             "*",
                                             "/",
                                             "^",
                                             "\n",
                                             "#",
                                             "^-1",
                                             "^0.5",
                                             "^1e9",
                                             "^(1/3)",
                                             "sum(i, 1, 1000000, i)",
                                             "sum(i, 5, 1, i)",
                                             "sum(i, 1, 3, sum(j, 1, i, x^j))",
                                             "sin(",
                                             "atan2(x, 0)",
                                             "abs(x)",
                                             "min(x, y)",
                                             "max(x_dot, 0)",
                                             "sign(x)",
                                             "hypot(x, y)",
                                             "pow(x, y)",
                                             "gauss(0)",
                                             "gauss(-1)",
                                             "gauss(7)",
                                             "gauss(1000000)",
                                             "lobatto(2)",
                                             "lobatto(3)",
                                             "verlet",
                                             "rk4",
                                             "dopri5",
                                             "euler_a",
                                             "triple_jump(verlet)",
                                             "triple_jump(triple_jump(verlet))",
                                             "galerkin(2, lobatto:3)",
                                             "midpoint(nan)",
                                             "trapezoid(0.3)",
                                             "true",
                                             "false",
                                             "1979-05-27",
                                             "\xff",
                                             std::string(1, '\0'),
                                             "\xc3\xa9",
                                             "\r\n",
                                             "[system]",
                                             "[start]",
                                             "[run]",
                                             "holonomic = [\"x\"]",
                                             "force = { x = \"x_dot\" }",
                                             "hamiltonian = \"x_p^2\"",
                                             "project = true",
                                             "steps = 1",
                                             "coordinates = [\"q[1..3]\"]",
                                             "{ name = \"R\", space = \"SO3\" }",
                                             "{ quaternion = [0, 0, 0, 0] }",
                                             times("(", 500),
                                             times("[", 500),
                                             times("-", 500),
                                             times("x+", 500),
                                             times("sin(", 500),
                                             times("2^", 500),
                                             times("a.", 500)};
  return list;
}

/// A token of the text: letters and digits, or a number, or one sign.
inline std::pair<std::size_t, std::size_t> token(const std::string& s, Generator& random) {
  if (s.empty()) return {0, 0};
  const auto word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
  };
  std::size_t first = random.below(s.size());
  std::size_t last = first + 1;
  if (word(s[first])) {
    while (first > 0 && word(s[first - 1])) --first;
    while (last < s.size() && word(s[last])) ++last;
  }
  return {first, last - first};
}

inline void mutate_once(std::string& s, const std::vector<std::string>& all, Generator& random) {
  const auto& parts = pieces();
  const std::size_t at = random.below(s.size() + 1);
  const std::size_t length = random.below(std::min<std::size_t>(s.size() - at, 40) + 1);
  switch (random.below(9)) {
    case 0:
      if (!s.empty()) s[random.below(s.size())] = static_cast<char>(random.below(256));
      break;
    case 1:
      s.erase(at, length);
      break;
    case 2:
      s.insert(at, s.substr(at, length));
      break;
    case 3:
      s.insert(at, parts[random.below(parts.size())]);
      break;
    case 4: {
      const std::string& other = all[random.below(all.size())];
      const std::size_t from = random.below(other.size());
      s.replace(at, length, other.substr(from, random.below(80)));
      break;
    }
    case 5:
    case 6: {
      const auto [first, count] = token(s, random);
      s.replace(first, count, parts[random.below(parts.size())]);
      break;
    }
    case 7: {
      const auto [a, a_count] = token(s, random);
      const auto [b, b_count] = token(s, random);
      const std::string word = s.substr(b, b_count);
      s.replace(a, a_count, word);
      break;
    }
    default:
      if (!s.empty()) s[random.below(s.size())] ^= static_cast<char>(1U << random.below(8));
  }
}

inline std::string mutant(const std::vector<std::string>& all, std::uint64_t seed) {
  Generator random(seed);
  std::string s = all[random.below(all.size())];
  const std::size_t count = 1 + random.below(random.below(4) == 0 ? 12 : 3);
  for (std::size_t k = 0; k < count; ++k) mutate_once(s, all, random);
  return s;
}

/// What became of an input.
enum class Outcome { stepped, built, refused };

constexpr int largest_stepped = 300;  ///< coordinates

/// Everything but a varia::Error with a text is a failure of the test.
inline Outcome digest(const std::string& text, const std::string& name) {
  Outcome outcome = Outcome::refused;
  try {
    // beside the tables of the gallery
    const auto file = std::filesystem::path(source_folder) / "gallery/fuzz.toml";
    const Scenario scenario = parse_scenario(text, file.string());
    if (scenario.solid) return Outcome::built;  // a damaged number may ask for a million elements
    if (scenario.control) {
      const ControlStatement statement = build_control(scenario);
      if (statement.model.system->n > largest_stepped || statement.time.steps > 100)
        return Outcome::built;
      const ControlProblem problem = make_problem(statement);
      const ControlGuess guess = stated_guess(statement);
      require_values(statement, guess);
      problem.guess(guess);
      return Outcome::built;
    }
    const Model model = build_model(scenario);
    outcome = Outcome::built;
    if (model.system->n > largest_stepped) return outcome;
    const auto stepper = make_stepper(model);
    stepper->advance(model.step, 1);
    Snapshot s;
    stepper->snapshot(s);
    outcome = Outcome::stepped;
    for (const std::vector<double>* part : {&s.q, &s.p})
      for (const double x : *part)
        EXPECT_TRUE(std::isfinite(x)) << name << ": a step gave a number that is not finite\n"
                                      << text;
  } catch (const Error& error) {
    if (std::string(error.what()).empty()) ADD_FAILURE() << name << ": no message\n" << text;
  } catch (const std::exception& error) {
    ADD_FAILURE() << name << ": another exception: " << error.what() << "\n" << text;
  }
  return outcome;
}

/// Inputs `first` to `last`, with a look at whether the mutations reach all depths.
inline void run(std::uint64_t first, std::uint64_t last) {
  const auto all = corpus();
  ASSERT_GE(all.size(), 20U) << "the gallery is missing";
  long counts[3] = {};
  for (std::uint64_t seed = first; seed < last; ++seed) {
    const std::string text = mutant(all, seed);
    ++counts[static_cast<int>(digest(text, "seed " + std::to_string(seed)))];
    if (testing::Test::HasFailure()) return;  // one input is enough to look at
  }
  const auto total = static_cast<long>(last - first);
  EXPECT_GT(counts[static_cast<int>(Outcome::stepped)], total / 20);
  EXPECT_GT(counts[static_cast<int>(Outcome::refused)], total / 20);
}

}  // namespace varia::io::fuzz
