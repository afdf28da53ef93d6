// SPDX-License-Identifier: BSD-3-Clause
// A few thousand damaged scenarios, and those that are known to be nasty.
#include "fuzz.hpp"

namespace varia::io::fuzz_test {
namespace {

TEST(Fuzz, TheCorpusItselfSteps) {
  for (const std::string& text : fuzz::corpus()) {
    const bool built =
        text.find("[solid]") != std::string::npos || text.find("[control]") != std::string::npos;
    EXPECT_EQ(fuzz::digest(text, "corpus"), built ? fuzz::Outcome::built : fuzz::Outcome::stepped)
        << text;
  }
}

TEST(Fuzz, DamagedScenariosAreRefusedOrRun) { fuzz::run(1, 3001); }

TEST(Fuzz, NestedTextsAreRefused) {
  const int deep = 100000;
  for (const auto& [open, close] : std::vector<std::pair<std::string, std::string>>{{"(", ")"},
                                                                                    {"sin(", ")"},
                                                                                    {"-", ""},
                                                                                    {"2^", ""},
                                                                                    {"x^", ""},
                                                                                    {"-(", ")"},
                                                                                    {"q[", "]"},
                                                                                    {"(", ""},
                                                                                    {"[", "]"}}) {
    const std::string text = fuzz::times(open, deep) + "x" + fuzz::times(close, deep);
    fuzz::digest(models::single("x_dot^2/2 - " + text), open);
  }
  // long, not deep: fine
  EXPECT_EQ(fuzz::digest(models::single("x_dot^2/2" + fuzz::times(" - x^2", 20000)), "sum"),
            fuzz::Outcome::stepped);
  EXPECT_EQ(fuzz::digest(models::single("x_dot^2/2" + fuzz::times(" - x*0.5/1.5", 20000)), "sum"),
            fuzz::Outcome::stepped);
  for (const char* brackets : {"[", "{ a = ", "[["}) {
    const std::string value = fuzz::times(brackets, deep);
    EXPECT_EQ(fuzz::digest("[system]\ncoordinates = " + value, brackets), fuzz::Outcome::refused);
    EXPECT_EQ(fuzz::digest(value, brackets), fuzz::Outcome::refused);
  }
  EXPECT_EQ(fuzz::digest("[" + fuzz::times("a.", deep) + "a]\n", "dotted"), fuzz::Outcome::refused);
  EXPECT_EQ(fuzz::digest(fuzz::times("a.", deep) + "a = 1\n", "dotted"), fuzz::Outcome::refused);
}

TEST(Fuzz, DivisionsByZeroAreRefused) {
  for (const char* term : {"x^2/0", "1/0*x", "x/(1 - 1)", "-1/0", "x/0/0", "0/0*x", "1/(0*x)",
                           "x^(1/0)", "log(0)*x", "sqrt(-1)*x", "1e308*1e308*x", "(-1)^0.5*x"})
    for (const char* sign : {" - ", " + ", " - -", " + 2*"})
      EXPECT_EQ(fuzz::digest(models::single(std::string("x_dot^2/2") + sign + term), term),
                fuzz::Outcome::refused)
          << sign << term;
}

TEST(Fuzz, MethodNamesAreBounded) {
  const auto with = [](const std::string& method) {
    std::string text = models::pendulum();
    text.replace(text.find("verlet"), 6, method);
    return text;
  };
  for (const std::string& method :
       {std::string("gauss(2147483647)"), std::string("gauss(-2147483648)"),
        std::string("lobatto(99999999999999999999)"), std::string("galerkin(1000000000)"),
        std::string("galerkin(2, gauss:1000000000)"), std::string("midpoint(1e308)"),
        std::string("dopri5(1e-400)"), std::string("gauss"), std::string("gauss()"),
        std::string("gauss(2"), std::string("(2)"), std::string(")("), std::string(""),
        fuzz::times("triple_jump(", 100000), fuzz::times("(", 100000),
        fuzz::times("triple_jump(", 30) + "verlet" + fuzz::times(")", 30),
        fuzz::times("triple_jump(", 100000) + "verlet" + fuzz::times(")", 100000)})
    EXPECT_EQ(fuzz::digest(with(method), method.substr(0, 60)), fuzz::Outcome::refused)
        << method.substr(0, 60);
}

TEST(Fuzz, SizesAreBounded) {
  const auto chain = [](const std::string& range) {
    return models::scenario(
        "coordinates = [\"q[" + range + "]\"]\nlagrangian = \"q_dot[1]^2 - q[1]^2\"",
        "q = 0\nq_dot = 0");
  };
  for (const char* range : {"1..2000000000", "1..99999999999999999999", "5..1", "1..", "..",
                            "-1..3", "1..1..1", "1...3", "0..2147483647", "1..99999,1..99999",
                            "1..2,0..2147483647", "1..2,", ",1..2", "1..2,1"})
    EXPECT_EQ(fuzz::digest(chain(range), range), fuzz::Outcome::refused);
  for (const char* sum : {"sum(i, 1, 1e9, x^i)", "sum(i, 1, 1e300, x)", "sum(i, 1, 1/0, x)",
                          "sum(i, 1, 1000, sum(j, 1, 1000, sum(k, 1, 1000, x*i*j*k)))"})
    EXPECT_EQ(fuzz::digest(models::single(std::string("x_dot^2/2 - ") + sum), sum),
              fuzz::Outcome::refused);
  for (const char* power : {"x^1e300", "x^2147483648"})
    fuzz::digest(models::single(std::string("x_dot^2/2 - ") + power), power);
}

}  // namespace
}  // namespace varia::io::fuzz_test
