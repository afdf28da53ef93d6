// SPDX-License-Identifier: BSD-3-Clause
#include "terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace varia::apps {

namespace {

volatile std::sig_atomic_t requests = 0;

extern "C" void note_request(int signal) {
  requests = requests + 1;
  if (requests > 1) {  // asked twice: end at once
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

std::string duration(double seconds) {
  if (seconds < 60.0) return fmt::format("{:.0f} s", seconds);
  if (seconds < 3600.0)
    return fmt::format("{:.0f} min {:02.0f} s", seconds / 60 - 0.5, std::fmod(seconds, 60.0));
  return fmt::format("{:.1f} h", seconds / 3600.0);
}

/// Whether a control character begins there; how many bytes it has. C1 controls have two in UTF-8.
std::size_t control_bytes(std::string_view text, std::size_t i) {
  const auto byte = static_cast<unsigned char>(text[i]);
  if (byte < 0x20 || byte == 0x7F) return 1;
  const bool c1 = byte == 0xC2 && i + 1 < text.size() &&
                  (static_cast<unsigned char>(text[i + 1]) & 0xE0U) == 0x80U;
  return c1 ? 2 : 0;
}

std::string without_controls(std::string_view text, bool lines) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = control_bytes(text, i);
    if (bytes == 0 || (lines && text[i] == '\n'))
      result += text[i];
    else
      result += fmt::format("\\u{:04X}", static_cast<unsigned char>(text[i + bytes - 1]));
    i += std::max<std::size_t>(1, bytes);
  }
  return result;
}

bool shows_colours(int descriptor) {
  const char* const refused = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  return isatty(descriptor) == 1 && (refused == nullptr || *refused == '\0') &&
         terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::string coloured(int descriptor, Tone tone, std::string_view word) {
  if (!shows_colours(descriptor)) return std::string(word);
  const char* const code = tone == Tone::good ? "32" : tone == Tone::note ? "33" : "1;31";
  return fmt::format("\033[{}m{}\033[0m", code, word);
}

}  // namespace

std::string toned(Tone tone, std::string_view word) { return coloured(STDOUT_FILENO, tone, word); }

void complain_on_terminal(const std::string& text) {
  fmt::print(stderr, "{} {}\n", coloured(STDERR_FILENO, Tone::bad, "varia:"),
             printable_lines(text));
}

std::string printable(std::string_view text) { return without_controls(text, false); }
std::string printable_lines(std::string_view text) { return without_controls(text, true); }

Interrupt::Interrupt() {
  requests = 0;
  std::signal(SIGINT, note_request);
  std::signal(SIGTERM, note_request);
}
Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}
bool Interrupt::requested() { return requests > 0; }

ProgressLine::ProgressLine(bool quiet) : active_(!quiet && isatty(STDERR_FILENO) == 1) {}
ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::bar(double part) {
  shown_ = true;
  for (const std::string& text : std::exchange(announced_, {})) fmt::print(stderr, "{}\n", text);
  const int width = 30;
  const int full = static_cast<int>(part * width);
  fmt::print(stderr, "\r\033[K{}{} {:5.1f} %", std::string(static_cast<std::size_t>(full), '#'),
             std::string(static_cast<std::size_t>(width - full), '.'), 100.0 * part);
}

void ProgressLine::show(const io::Progress& p) {
  if (!active_) return;
  bar(p.steps > 0 ? static_cast<double>(p.done) / static_cast<double>(p.steps) : 1.0);
  fmt::print(stderr, "  t = {:.6g}  {:.3g} {}/s  {} left", p.t, p.steps_per_second, p.unit,
             duration(p.seconds_left));
  std::fflush(stderr);
}

void ProgressLine::show(const std::string& law, double part) {
  if (!active_) return;
  bar(part);
  fmt::print(stderr, " of the work that it may take: {}", law);
  std::fflush(stderr);
}

void ProgressLine::show_cases(long finished, long cases, long failed, double seconds_left) {
  if (!active_) return;
  bar(cases > 0 ? static_cast<double>(finished) / static_cast<double>(cases) : 1.0);
  fmt::print(stderr, "  {} of {} cases{}  {} left", finished, cases,
             failed > 0 ? fmt::format(", {} failed", failed) : "", duration(seconds_left));
  std::fflush(stderr);
}

void ProgressLine::show_search(int iteration, double cost, double infeasibility) {
  if (!active_) return;
  shown_ = true;
  fmt::print(stderr, "\r\033[Kiteration {}  cost {:.10g}  infeasibility {:.2e}", iteration, cost,
             infeasibility);
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (shown_) fmt::print(stderr, "\r\033[K");
  shown_ = false;
}

}  // namespace varia::apps
