// SPDX-License-Identifier: BSD-3-Clause
#include "symbol.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "characters.hpp"

namespace varia::expr {

namespace {

struct Letter {
  const char *name, *letter;
};

// Those that look like Latin letters are left out: LaTeX has no command for them.
constexpr std::array<Letter, 36> greek{{
    {"alpha", "α"},  {"beta", "β"},  {"gamma", "γ"},   {"delta", "δ"},    {"epsilon", "ε"},
    {"zeta", "ζ"},   {"eta", "η"},   {"theta", "θ"},   {"iota", "ι"},     {"kappa", "κ"},
    {"lambda", "λ"}, {"mu", "μ"},    {"nu", "ν"},      {"xi", "ξ"},       {"pi", "π"},
    {"rho", "ρ"},    {"sigma", "σ"}, {"tau", "τ"},     {"upsilon", "υ"},  {"phi", "φ"},
    {"chi", "χ"},    {"psi", "ψ"},   {"omega", "ω"},   {"varsigma", "ς"}, {"vartheta", "ϑ"},
    {"Gamma", "Γ"},  {"Delta", "Δ"}, {"Theta", "Θ"},   {"Lambda", "Λ"},   {"Xi", "Ξ"},
    {"Pi", "Π"},     {"Sigma", "Σ"}, {"Upsilon", "Υ"}, {"Phi", "Φ"},      {"Psi", "Ψ"},
    {"Omega", "Ω"},
}};

void add_list(std::string_view list, std::vector<std::string>& out) {
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t to = std::min(list.find(',', from), list.size());
    out.emplace_back(list.substr(from, to - from));
    from = to + 1;
  }
}

/// Takes the indices in brackets and behind a point out of the name: q[3], d[2,4], r[2].x
std::string without_brackets(std::string_view name, std::vector<std::string>& inside) {
  std::string rest;
  for (std::size_t i = 0; i < name.size();) {
    if (name[i] == '[') {
      const std::size_t close = std::min(name.find(']', i), name.size());
      add_list(name.substr(i + 1, close - i - 1), inside);
      i = close + 1;
    } else if (name[i] == '.') {
      const std::size_t end = std::min(name.find_first_of("[_.", i + 1), name.size());
      inside.emplace_back(name.substr(i + 1, end - i - 1));
      i = end;
    } else {
      rest += name[i++];
    }
  }
  return rest;
}

std::vector<std::string> parts_of(const std::string& name) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t to = std::min(name.find('_', from), name.size());
    if (to > from) parts.push_back(name.substr(from, to - from));
    from = to + 1;
  }
  return parts;
}

/// x1 and x₁ are x with the index 1.
void split_number(std::string& base, std::vector<std::string>& indices) {
  std::vector<std::string> letters = letters_of(base);
  std::string digits;
  while (letters.size() > 1 && !digit_of(letters.back()).empty()) {
    digits.insert(0, digit_of(letters.back()));
    letters.pop_back();
  }
  if (digits.empty()) return;
  indices.push_back(digits);
  base.clear();
  for (const std::string& letter : letters) base += letter;
}

}  // namespace

std::vector<std::string> letters_of(std::string_view text) {
  std::vector<std::string> letters;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = std::max<std::size_t>(character(text, at).bytes, 1);
    letters.emplace_back(text.substr(at, bytes));
    at += bytes;
  }
  return letters;
}

std::string digit_of(const std::string& letter) {
  if (letter.size() == 1) return is_digit(letter.front()) ? letter : "";
  const char32_t c = character(letter, 0).value;
  return c >= U'₀' && c <= U'₉' ? std::string(1, static_cast<char>('0' + (c - U'₀'))) : "";
}

std::string greek_letter(const std::string& name) {
  for (const Letter& g : greek)
    if (name == g.name) return g.letter;
  return name;
}

std::string greek_name(const std::string& letter) {
  for (const Letter& g : greek)
    if (letter == g.letter) return g.name;
  return {};
}

Symbol symbol_of(std::string_view name) {
  std::vector<std::string> inside;
  std::vector<std::string> parts = parts_of(without_brackets(name, inside));
  Symbol symbol;
  if (parts.empty()) return {std::string(name), {}, false};
  symbol.base = parts.front();
  parts.erase(parts.begin());
  split_number(symbol.base, symbol.indices);
  symbol.base = greek_letter(symbol.base);
  const bool momentum = !parts.empty() && parts.back() == "p";
  symbol.dot = !parts.empty() && parts.back() == "dot";
  if (momentum || symbol.dot) parts.pop_back();
  for (const std::string& part : parts) symbol.indices.push_back(greek_letter(part));
  symbol.indices.insert(symbol.indices.end(), inside.begin(), inside.end());
  if (momentum) symbol.indices.insert(symbol.indices.begin(), std::exchange(symbol.base, "p"));
  return symbol;
}

}  // namespace varia::expr
