// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The terminal: a progress line on standard error, and Ctrl-C as a question one can ask.
#include "varia/io/runner.hpp"

namespace varia::apps {

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
  void show(const io::Progress& progress);
  void clear();

 private:
  bool active_;
  bool shown_ = false;
};

}  // namespace varia::apps
