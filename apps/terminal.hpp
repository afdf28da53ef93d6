// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The terminal: a progress line on standard error, Ctrl-C as a question one can ask, colours of
// verdicts and errors, and texts that do not command it.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "varia/io/runner.hpp"

namespace varia::apps {

/// A text of the user made harmless for a terminal: control characters are written as \u001B.
std::string printable(std::string_view text);
/// The same for a text of several lines.
std::string printable_lines(std::string_view text);

/// What a word says: colours of a terminal.
enum class Tone { good, note, bad };
/// The word for standard output: coloured when that is a terminal, TERM is not "dumb" and NO_COLOR is
/// not set. Files and pipes get plain text.
std::string toned(Tone tone, std::string_view word);
/// "varia: " and the text as a line on standard error; the first word in red on a terminal.
void complain_on_terminal(const std::string& text);

/// While it lives, Ctrl-C (and a request to terminate) is noted instead of ending the program.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  static bool requested();
};

/// One line that is written over: percentage, steps per second, time left. Silent when standard
/// error is not a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  /// Lines above the first bar: what a run that lasts says before it goes.
  void announce(std::vector<std::string> lines) { announced_ = std::move(lines); }
  void show(const io::Progress& progress);
  /// A check: which law is measured, and the part that is done of the work it may take.
  void show(const std::string& law, double part);
  /// A sweep: how many of its cases are done.
  void show_cases(long finished, long cases, long failed, double seconds_left);
  /// An optimum: where its search stands.
  void show_search(int iteration, double cost, double infeasibility);
  void clear();

 private:
  /// Begins a line with the bar.
  void bar(double part);
  bool active_;
  bool shown_ = false;
  std::vector<std::string> announced_;
};

}  // namespace varia::apps
