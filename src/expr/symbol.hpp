// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a name of a scenario stands for: a letter or a word with dots above and indices below.
#include <string>
#include <string_view>
#include <vector>

namespace varia::expr {

struct Symbol {
  std::string base;                  ///< x, θ, mass
  std::vector<std::string> indices;  ///< from left to right
  bool dot = false;                  ///< a rate
};

/// x_dot, x_p, q[3], q_dot[3], R_w1[2], theta, A_tip_x; Greek letters may be spelled out.
Symbol symbol_of(std::string_view name);

/// The letters of a text in UTF-8, each with its bytes.
std::vector<std::string> letters_of(std::string_view text);

/// 3 of 3 and of ₃; empty where the letter is no digit.
std::string digit_of(const std::string& letter);

/// α for alpha; the text itself where it is no Greek letter.
std::string greek_letter(const std::string& name);
/// alpha for α; empty where the letter is no Greek one, or is also a Latin one.
std::string greek_name(const std::string& letter);

}  // namespace varia::expr
