// SPDX-License-Identifier: BSD-3-Clause
// The program `varia`. Exit codes: 0 done, 2 the request is wrong.
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <iostream>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "varia/core/version.hpp"
#include "varia/methods/methods.hpp"

namespace {

using varia::Descriptor;

constexpr std::string_view help_text = R"(Varia: variational integrators from a Lagrangian.

Usage:
  varia list methods [--json | --markdown]   the methods with their order and structure
  varia --version                            the version
  varia --help                               this text

Example:
  varia list methods --markdown
)";

// A request that cannot be carried out as it stands; its text is what the user reads.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Levenshtein distance: the least number of insertions, deletions and replacements from a to b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

// The complaint about a name that is not among the allowed ones.
UsageError unknown(const std::string& what, const std::string& got,
                   std::span<const std::string_view> allowed) {
  const auto nearest = *std::ranges::min_element(
      allowed, {}, [&](std::string_view name) { return edit_distance(got, name); });
  std::string names;
  for (const auto name : allowed) names += (names.empty() ? "" : ", ") + std::string(name);
  return UsageError("unknown " + what + " '" + got + "'; did you mean '" + std::string(nearest) +
                    "'? Allowed: " + names + ".");
}

// The columns of the list of methods, once for all formats.
struct Column {
  std::string_view key, title;
  std::string Descriptor::*member;
};

constexpr std::array<Column, 8> columns{{{"name", "method", &Descriptor::name},
                                         {"parameters", "parameters", &Descriptor::parameters},
                                         {"order", "order", &Descriptor::order},
                                         {"symmetric", "symmetric", &Descriptor::symmetric},
                                         {"explicit_when", "explicit", &Descriptor::explicit_when},
                                         {"needs", "needs", &Descriptor::needs},
                                         {"cite", "source", &Descriptor::cite},
                                         {"summary", "summary", &Descriptor::summary}}};

// The number of characters of UTF-8 text.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> code{};
      std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(c));
      out += code.data();
    } else {
      out += c;
    }
  }
  return out + '"';
}

void print_json(std::ostream& out, const std::vector<Descriptor>& methods) {
  out << "[";
  for (std::size_t i = 0; i < methods.size(); ++i) {
    out << (i == 0 ? "\n  {" : ",\n  {");
    for (std::size_t k = 0; k < columns.size(); ++k)
      out << (k == 0 ? "" : ", ") << quoted(columns[k].key) << ": "
          << quoted(methods[i].*columns[k].member);
    out << "}";
  }
  out << "\n]\n";
}

void print_markdown(std::ostream& out, const std::vector<Descriptor>& methods) {
  for (const auto& column : columns) out << "| " << column.title << " ";
  out << "|\n";
  for (std::size_t k = 0; k < columns.size(); ++k) out << "|---";
  out << "|\n";
  for (const auto& method : methods) {
    for (const auto& column : columns) {
      out << "| ";
      for (const char c : method.*column.member) out << (c == '|' ? "\\|" : std::string(1, c));
      out << " ";
    }
    out << "|\n";
  }
}

void print_text(std::ostream& out, const std::vector<Descriptor>& methods) {
  std::array<std::size_t, columns.size()> widths{};
  for (std::size_t k = 0; k < columns.size(); ++k) {
    widths[k] = width(columns[k].title);
    for (const auto& method : methods)
      widths[k] = std::max(widths[k], width(method.*columns[k].member));
  }
  const auto line = [&](auto&& cell) {
    for (std::size_t k = 0; k + 1 < columns.size(); ++k)
      out << cell(columns[k]) << std::string(widths[k] + 2 - width(cell(columns[k])), ' ');
    out << cell(columns.back()) << "\n";
  };
  line([](const Column& column) { return column.title; });
  for (const auto& method : methods)
    line([&](const Column& column) { return std::string_view(method.*column.member); });
}

void list(std::span<const std::string> arguments) {
  static constexpr std::array<std::string_view, 1> things{"methods"};
  static constexpr std::array<std::string_view, 2> options{"--json", "--markdown"};
  if (arguments.empty()) throw UsageError("'varia list' needs to know what to list: methods.");
  if (arguments[0] != things[0]) throw unknown("list", arguments[0], things);
  if (arguments.size() > 2)
    throw UsageError("'varia list methods' takes one option, --json or --markdown, got '" +
                     arguments[2] + "' as well.");
  const std::string option = arguments.size() == 2 ? arguments[1] : "";
  if (option.empty()) {
    print_text(std::cout, varia::method_list());
  } else if (option == options[0]) {
    print_json(std::cout, varia::method_list());
  } else if (option == options[1]) {
    print_markdown(std::cout, varia::method_list());
  } else {
    throw unknown("option", option, options);
  }
}

void run(std::span<const std::string> arguments) {
  static constexpr std::array<std::string_view, 3> verbs{"list", "--help", "--version"};
  const std::string verb = arguments.empty() ? "--help" : arguments[0];
  const bool asks_help = std::ranges::any_of(arguments, [](const std::string& argument) {
    return argument == "--help" || argument == "-h";
  });
  if (std::ranges::find(verbs, verb) == verbs.end() && verb != "-h")
    throw unknown(verb.starts_with("-") ? "option" : "verb", verb, verbs);
  if (asks_help || arguments.empty()) {
    std::cout << help_text;
  } else if (verb == "--version") {
    if (arguments.size() > 1)
      throw UsageError("'varia --version' takes no argument, got '" + arguments[1] + "'.");
    std::cout << "varia " << varia::version << "\n";
  } else {
    list(arguments.subspan(1));
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    run(arguments);
    return 0;
  } catch (const UsageError& error) {
    std::cerr << "varia: " << error.what() << " See 'varia --help'.\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "varia: " << error.what() << "\n";
    return 3;
  }
}
