// SPDX-License-Identifier: BSD-3-Clause
// Names with letters of any alphabet; signs that look like those of the language; carets below characters.
#include "../../src/expr/characters.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "refusal.hpp"
#include "text_fixture.hpp"
#include "varia/expr/print.hpp"

namespace varia::expr::characters_test {
namespace {

struct UnicodeTest : TextFixture {
  Id theta = g.variable(0), omega = g.variable(1);

  UnicodeTest() {
    scope.add("θ", theta);
    scope.add("θ_dot", omega);
    scope.add("длина", g.constant(2));
    scope.add_array("φ", 1, {theta, omega});
  }
};

TEST_F(UnicodeTest, LettersOfAnyAlphabetMakeNames) {
  for (const char* name : {"θ", "θ_dot", "Ω", "ω1", "μ", "ħ", "é", "ß", "длина", "速度", "ℓ", "𝜑",
                           "θ̇", "x₁", "_β", "aΔb", "λ₀"})
    EXPECT_TRUE(is_name(name)) << name;
  for (const char* name :
       {"x²",           "·",        "x·y", "−x",    "∂x", "∑",    "1θ",    "₁",
        "x√",           "→",        "a b", "½",     "°",  "\xCE", "x\xFF", "\xC0\xAF",
        "\xED\xA0\x80", "a\u200Bb", "“x”", "\u0307"})
    EXPECT_FALSE(is_name(name)) << name;
}

TEST_F(UnicodeTest, AreReadAndWritten) {
  EXPECT_EQ((*this)("sin(θ)*длина + φ[2]"), (*this)("2*sin(θ) + θ_dot"));
  EXPECT_EQ((*this)("2*π"), g.constant(2 * std::numbers::pi));
  EXPECT_EQ((*this)("sum(κ, 1, 3, κ)"), g.constant(6));
  const std::vector<std::string> names{"θ", "θ_dot"};
  const std::string text = to_text(g, (*this)("θ_dot^2/2 - cos(θ)"), names);
  EXPECT_EQ((*this)(text), (*this)("θ_dot^2/2 - cos(θ)"));
  Definition definition = definition_of("ξ(α, β)");
  definition.text = "α - β";
  scope.add(definition);
  EXPECT_EQ((*this)("ξ(θ, 1)"), (*this)("θ - 1"));
}

TEST_F(UnicodeTest, CaretsAndColumnsCountCharacters) {
  const ParseError e = error("θ + длина*foo");
  EXPECT_EQ(e.column, 11);
  EXPECT_EQ(e.caret, "  θ + длина*foo\n            ^");
  // a mark stands above its letter and takes no column of its own
  scope.add("θ̇", omega);
  EXPECT_EQ(error("θ̇ + foo").caret, "  θ̇ + foo\n      ^");
  EXPECT_EQ(error("θ +\n φ").line, 2);
  const std::string many(3 * 200, ' ');
  std::string text = "θ";
  for (int k = 0; k < 100; ++k) text += " + θ";
  text += " + foo";
  for (int k = 0; k < 100; ++k) text += " + θ";
  const ParseError far = error(text);
  EXPECT_EQ(far.column, 405);
  const auto split = far.caret.find('\n');
  EXPECT_EQ(far.caret.substr(2, 3), "...");
  const std::string line = far.caret.substr(0, split), mark = far.caret.substr(split + 1);
  const auto foo = line.find("foo");
  EXPECT_EQ(length(line.substr(0, foo)), mark.size() - 1) << far.caret;
}

TEST_F(UnicodeTest, LookAlikesAreRefusedWithWhatToWrite) {
  const std::vector<std::pair<std::string, std::string>> table{{"θ²", "write ^2"},
                                                               {"θ³", "write ^3"},
                                                               {"θ⁵", "powers"},
                                                               {"1 − θ", "write -"},
                                                               {"2·θ", "write *"},
                                                               {"2×θ", "write *"},
                                                               {"θ÷2", "write /"},
                                                               {"√θ", "sqrt"},
                                                               {"if(θ ≤ 1, 1, 2)", "write <="},
                                                               {"if(θ ≠ 1, 1, 2)", "write !="},
                                                               {"½*θ", "1/2"},
                                                               {"θ\u00A0+ 1", "blank"}};
  for (const auto& [text, hint] : table) expect_words(error(text).message, {hint.c_str()});
  EXPECT_EQ(error("2·θ").column, 2);
  expect_words(error("θ²").message, {"'²'", "no meaning"});
  expect_words(error("θ\u200B").message, {"U+200B"});
  expect_words(error("∂θ").message, {"'∂'"});
}

TEST_F(UnicodeTest, BrokenBytesAreRefused) {
  for (const char* bytes : {"\xCE", "\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xF8\x88\x80\x80\x80",
                            "\xF4\x90\x80\x80", "\xE2\x82"}) {
    const ParseError e = error("θ + " + std::string(bytes));
    EXPECT_EQ(e.column, 5);
    expect_words(e.message, {"byte 0x"});
    for (const char c : e.caret)
      EXPECT_TRUE(c > 0 || std::string("θ").find(c) != std::string::npos) << e.caret;
  }
}

TEST_F(UnicodeTest, NamesNearTheOneMeant) {
  expect_words(error("θ_dt").message, {"unknown name 'θ_dt'", "did you mean 'θ_dot'"});
  expect_words(refusal([&] { scope.add("π", theta); }), {"'π'", "language"});
}

}  // namespace
}  // namespace varia::expr::characters_test
