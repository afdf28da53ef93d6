// SPDX-License-Identifier: BSD-3-Clause
// varia man: the manual page, in the macros of man(7).
#include <fmt/format.h>

#include <iostream>
#include <sstream>

#include "commands.hpp"
#include "varia/core/version.hpp"
#include "verbs.hpp"

namespace varia::apps {

namespace {

/// A text as it is to be read: no sign of it is a command.
std::string plain(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (c == '"')
      result += "\\(dq";
    else if (c == '\'')
      result += "\\(aq";
    else if (c == '~')
      result += "\\(ti";
    else if (c == '^')
      result += "\\(ha";
    else
      result += c;
  }
  return result.starts_with('.') ? "\\&" + result : result;
}

std::string bold(const std::string& text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + plain(text) + "\\fR"; }

std::string item(const std::string& head, const std::string& body) {
  return ".TP\n" + head + "\n" + body + "\n";
}

/// --out DIR
std::string head_of(const CommandOption& option) {
  std::string text;
  for (const std::string& name : option.names)
    text += (text.empty() ? "" : ", ") + (option.positional ? italic(name) : bold(name));
  if (!option.value.empty() && !option.positional) text += " " + italic(option.value);
  return text;
}

std::string body_of(const CommandOption& option) {
  std::string text = plain(option.meaning);
  if (option.positional && !option.value.empty()) text += ": " + plain(option.value);
  return text;
}

/// Paragraphs; lines that begin with a blank are shown as they are typed.
std::string footer_text(const std::string& footer) {
  std::istringstream lines(footer);
  std::string text, line;
  bool typed = false, begun = false;
  while (std::getline(lines, line)) {
    const bool now = line.starts_with("  ");
    if (typed && !now) text += ".EE\n";
    if (line.empty()) {
      begun = false;
    } else {
      if (!begun && !now) text += ".PP\n";
      if (now && !typed) text += ".PP\n.EX\n";
      text += plain(line) + "\n";
      begun = true;
    }
    typed = now;
  }
  return text + (typed ? ".EE\n" : "");
}

std::string usage(const Command& command) {
  std::string text = bold("varia") + " " + bold(command.name);
  for (const CommandOption& option : command.options)
    if (option.positional)
      text += " " + italic(option.names.front()) + (option.repeated ? " ..." : "");
  return text + " [options]";
}

std::string facts(const std::vector<Fact>& list) {
  std::string text;
  for (const Fact& fact : list) text += item(bold(fact.name), plain(fact.meaning));
  return text;
}

}  // namespace

int man_page(const std::vector<Command>& commands) {
  std::string text = fmt::format(
      ".TH VARIA 1 \"\" \"varia {}\" \"User Commands\"\n"
      ".SH NAME\nvaria \\- variational integrators from a Lagrangian\n.SH SYNOPSIS\n",
      version);
  for (auto verb = commands.begin() + 1; verb != commands.end(); ++verb)
    text += usage(*verb) + "\n.br\n";
  text += bold("varia") + " " + bold("--help") + "\n";
  text +=
      ".SH DESCRIPTION\nVaria discretises Hamilton\\(cqs principle. A scenario states a "
      "Lagrangian, "
      "a start and a method;\n.B varia run\nintegrates the discrete Euler\\-Lagrange equations and "
      "writes the trajectory, a summary and a report.\n.SH OPTIONS\n";
  for (const CommandOption& option : commands.front().options)
    text += item(head_of(option), body_of(option));
  text += ".SH VERBS\n";
  for (auto verb = commands.begin() + 1; verb != commands.end(); ++verb) {
    text += ".SS " + usage(*verb) + "\n" + plain(verb->summary) + "\n";
    for (const CommandOption& option : verb->options)
      text += item(head_of(option), body_of(option));
    text += footer_text(verb->footer);
  }
  std::cout << text << ".SH EXIT STATUS\n"
            << facts(exit_codes()) << ".SH ENVIRONMENT\n"
            << facts(environment());
  return done;
}

}  // namespace varia::apps
