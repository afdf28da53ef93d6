// SPDX-License-Identifier: BSD-3-Clause
// What `evaluation = "auto"` costs against the better one of interpreter and native code: whole runs
// with nothing in the cache, so that compiling counts. Processor time; the bar is 1.3.
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "evaluation_cases.hpp"
#include "timing.hpp"
#include "varia/io/runner.hpp"

namespace {

constexpr double bar = 1.3;

struct Way {
  explicit Way(const char* name) : evaluation(name) {}

  std::string evaluation;
  double seconds = std::numeric_limits<double>::infinity();
  std::string text;  ///< what was chosen
};

/// One run from its text to its end; its time counts if it is the fastest so far.
void run(const std::string& text, const std::string& cache, Way& way) {
  std::filesystem::remove_all(cache);
  const double seconds = bench::processor_seconds([&] {
    auto model = varia::io::build_model(
        varia::io::parse_scenario(text, "bench", {"run.evaluation=" + way.evaluation}));
    way.text = varia::io::run(model, {}).evaluation;
  });
  way.seconds = std::min(way.seconds, seconds);
}

/// Several runs one after the other, so that a short one does not find memory as a compiler left it.
void run_some(const std::string& text, const std::string& cache, Way& way) {
  constexpr int most = 200;
  constexpr double enough = 0.3;  // seconds
  double spent = 0.0;
  for (int k = 0; k < most && spent < enough; ++k)
    spent += bench::seconds([&] { run(text, cache, way); });
}

double ratio_of(const bench::EvaluationCase& example, const std::string& cache) {
  Way interpreter("interpreter"), native("native"), automatic("auto");
  for (int round = 0; round < 2; ++round)
    for (Way* way : {&interpreter, &native, &automatic}) run_some(example.text, cache, *way);
  const double best = std::min(interpreter.seconds, native.seconds);
  const double ratio = automatic.seconds / best;
  std::printf("%-40s %11.4f %11.4f %11.4f  %-11s %6.2f %s\n", example.name.c_str(),
              interpreter.seconds, native.seconds, automatic.seconds,
              automatic.text.starts_with("native") ? "native" : "interpreter", ratio,
              ratio <= bar ? "ok" : "MISSED");
  return ratio;
}

}  // namespace

int main() {
  const std::string cache =
      (std::filesystem::temp_directory_path() / "varia_bench_evaluation").string();
  ::setenv("VARIA_CACHE_DIR", cache.c_str(), 1);
  std::printf(
      "Interpreter, native code and auto: processor seconds of a run, compiling included\n");
  std::printf("%-40s %11s %11s %11s  %-11s %6s\n", "", "interpreter", "native", "auto", "chosen",
              "ratio");
  double worst = 0.0;
  for (const auto& example : bench::evaluation_cases())
    worst = std::max(worst, ratio_of(example, cache));
  std::printf("worst ratio of auto to the better way: %.2f, bar %.2f\n", worst, bar);
  std::filesystem::remove_all(cache);
  return worst <= bar ? 0 : 1;
}
