// SPDX-License-Identifier: BSD-3-Clause
// What a large scenario costs beside its steps: reading it, building the model, and the files of a
// run of 10 steps. Processor time, which must grow like the number of coordinates.
#include <filesystem>
#include <fstream>
#include <vector>

#include "evaluation_cases.hpp"
#include "timing.hpp"
#include "varia/io/runner.hpp"
#include "varia/report/report.hpp"

namespace {

/// A run with all its files and its report.
double seconds_of(int n, const char* method, const std::string& folder) {
  const std::string text = bench::chain(n, method, 10);
  return bench::processor_seconds([&] {
    auto model = varia::io::build_model(varia::io::parse_scenario(text, "bench", {}));
    varia::io::RunOptions options;
    options.directory = folder;
    options.finish = [&](varia::io::RecordReader& reader, varia::io::Summary& summary) {
      std::ofstream(folder + "/report.html") << varia::report::run_report(model, reader, summary);
    };
    varia::io::run(model, options);
  });
}

}  // namespace

int main() {
  constexpr double bar = 1.5;    // of the time for each coordinate
  constexpr double limit = 1.0;  // seconds for 20,000
  const std::string folder =
      (std::filesystem::temp_directory_path() / "varia_bench_setup").string();
  bool missed = false;
  std::printf("Set-up of a chain with 10 steps and all files\n%-32s %10s %16s %8s\n", "", "seconds",
              "us a coordinate", "ratio");
  for (const char* method : {"verlet", "midpoint"}) {
    double first = 0.0;
    for (const int n : {5000, 20'000, 100'000}) {
      double seconds = seconds_of(n, method, folder);
      for (int repeat = 0; repeat < 2; ++repeat)
        seconds = std::min(seconds, seconds_of(n, method, folder));
      const double each = seconds / n;
      if (first == 0.0) first = each;
      const bool good = each / first <= bar && (n != 20'000 || seconds <= limit);
      missed = missed || !good;
      std::printf("%-10s n = %-17d %10.3f %16.2f %8.2f %s\n", method, n, seconds, each * 1e6,
                  each / first, good ? "ok" : "MISSED");
    }
  }
  std::filesystem::remove_all(folder);
  return missed ? 1 : 0;
}
