// SPDX-License-Identifier: BSD-3-Clause
// Sums that stay loops: steps of a Fermi-Pasta-Ulam chain and of gravitating bodies against velocity-Verlet
// loops by hand, the time until the first step, and the memory of large runs.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "timing.hpp"
#include "varia/io/runner.hpp"
#include "varia/io/stepper.hpp"
#include "varia/report/report.hpp"

namespace {

using Numbers = std::vector<double>;

std::string with_run(const std::string& text, double step, long steps) {
  return text + "[run]\nmethod = \"verlet\"\nstep = " + std::to_string(step) +
         "\nsteps = " + std::to_string(steps) + "\nevery = " + std::to_string(steps) + "\n";
}

std::string chain(int n, long steps) {
  const std::string last = std::to_string(n);
  return with_run(
      "[system]\ncoordinates = [\"q[1.." + last + "]\"]\nparameters = { n = " + last +
          ", alpha = 0.25 }\nlagrangian = \"\"\"sum(i, 1, n, q_dot[i]^2)/2\n - sum(i, 1, "
          "n-1, (q[i+1] - q[i])^2/2 + alpha*(q[i+1] - q[i])^3/3)\n - q[1]^2/2 - "
          "alpha*q[1]^3/3 - q[n]^2/2 + alpha*q[n]^3/3\"\"\"\n[start]\nq = "
          "\"sin(pi*i/(n+1))\"\nq_dot = 0\n",
      0.1, steps);
}

std::string bodies(int n, long steps) {
  const std::string last = std::to_string(n);
  return with_run(
      "[system]\ncoordinates = [\"x[1.." + last + "]\", \"y[1.." + last + "]\", \"z[1.." + last +
          "]\"]\nparameters = { n = " + last +
          ", m = 0.01, eps = 0.05 }\nlagrangian = \"\"\"sum(i, 1, n, m*(x_dot[i]^2 + y_dot[i]^2 + "
          "z_dot[i]^2))/2\n + sum(i, 1, n - 1, sum(j, i + 1, n, m*m/sqrt((x[i]-x[j])^2 + "
          "(y[i]-y[j])^2 + (z[i]-z[j])^2 + eps^2)))\"\"\"\n[start]\nx = \"3*i^(1/3)*cos(2.4*i)\"\n"
          "y = \"3*i^(1/3)*sin(2.4*i)\"\nz = \"3*sin(7*i)\"\nx_dot = \"-0.01*sin(2.4*i)\"\ny_dot = "
          "\"0.01*cos(2.4*i)\"\nz_dot = 0\n",
      0.01, steps);
}

/// Velocity-Verlet by hand: plain doubles, the acceleration kept from step to step.
template <class Acceleration>
void by_hand(Numbers& q, Numbers& v, double h, long steps, const Acceleration& acceleration) {
  const std::size_t n = q.size();
  Numbers a(n);
  acceleration(q, a);
  for (long k = 0; k < steps; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      v[i] += 0.5 * h * a[i];
      q[i] += h * v[i];
    }
    acceleration(q, a);
    for (std::size_t i = 0; i < n; ++i) v[i] += 0.5 * h * a[i];
  }
}

void springs(const Numbers& q, Numbers& a) {
  constexpr double alpha = 0.25;
  double before = q[0] + alpha * q[0] * q[0];
  for (std::size_t i = 0; i + 1 < q.size(); ++i) {
    const double d = q[i + 1] - q[i];
    const double force = d + alpha * d * d;
    a[i] = force - before;
    before = force;
  }
  const double d = -q.back();
  a.back() = d + alpha * d * d - before;
}

void attraction(const Numbers& q, Numbers& a) {
  const std::size_t n = q.size() / 3;
  const double *x = q.data(), *y = x + n, *z = y + n;
  double *ax = a.data(), *ay = ax + n, *az = ay + n;
  std::fill(a.begin(), a.end(), 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      const double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
      const double r2 = dx * dx + dy * dy + dz * dz + 0.05 * 0.05;
      const double s = 0.01 / (r2 * std::sqrt(r2));
      ax[i] -= s * dx;
      ay[i] -= s * dy;
      az[i] -= s * dz;
      ax[j] += s * dx;
      ay[j] += s * dy;
      az[j] += s * dz;
    }
}

varia::io::Model model_of(const std::string& text, const char* evaluation) {
  auto model = varia::io::build_model(
      varia::io::parse_scenario(text, "bench", {std::string("run.evaluation=") + evaluation}));
  varia::io::prepare_evaluation(model);
  return model;
}

template <class Acceleration>
void rows(bench::Table& table, const std::string& name, const std::string& text, long steps,
          const Acceleration& acceleration, double native_bar, double interpreter_bar) {
  for (const auto& [evaluation, bar] :
       {std::pair{"native", native_bar}, std::pair{"interpreter", interpreter_bar}}) {
    const auto model = model_of(text, evaluation);
    const Numbers v = model.rates0;
    Numbers end;
    const auto theirs = [&] {
      end = model.q0;
      Numbers moving = v;
      by_hand(end, moving, model.step, steps, acceleration);
      bench::keep(end);
    };
    const auto stepper = varia::io::make_stepper(model);
    const auto ours = [&] { stepper->advance(model.step, steps); };
    ours();
    theirs();
    varia::io::Snapshot s;
    stepper->snapshot(s);
    for (std::size_t i = 0; i < end.size(); ++i)
      if (std::abs(s.q[i] - end[i]) > 1e-6 * (1.0 + std::abs(end[i]))) {
        std::printf("DIFFERENT RESULTS: %.17g %.17g\n", s.q[i], end[i]);
        break;
      }
    table.row((name + ", " + evaluation).c_str(), bench::fastest(ours, theirs, 15), steps, bar);
  }
}

/// Processor seconds and memory of work in a process of its own.
struct Use {
  double seconds, megabytes;
};
template <class Work> Use use_of(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    std::_Exit(0);
  }
  int status = 0;
  struct rusage used {};
  ::wait4(child, &status, 0, &used);
  const double seconds = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                         1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  return {status == 0 ? seconds : -1.0, static_cast<double>(used.ru_maxrss) / 1024.0};
}

/// A run with all its files and its report.
void run_all(const std::string& text, const char* evaluation, const std::string& folder) {
  auto model = varia::io::build_model(
      varia::io::parse_scenario(text, "bench", {std::string("run.evaluation=") + evaluation}));
  varia::io::RunOptions options;
  options.directory = folder;
  options.finish = [&](varia::io::RecordReader& reader, varia::io::Summary& summary) {
    std::ofstream(folder + "/report.html") << varia::report::run_report(model, reader, summary);
  };
  varia::io::run(model, options);
}

bool large_runs() {
  const std::string folder =
      (std::filesystem::temp_directory_path() / "varia_bench_loops").string();
  ::setenv("VARIA_CACHE_DIR", (folder + "/cache").c_str(), 1);
  bool missed = false;
  std::printf("Whole runs with all files\n%-44s %12s %12s %8s\n", "", "seconds", "megabytes",
              "bar");
  const auto row = [&](const char* name, const std::string& text, const char* evaluation,
                       double seconds, double megabytes) {
    std::filesystem::remove_all(folder);
    const Use used = use_of([&] { run_all(text, evaluation, folder); });
    const bool good = used.seconds >= 0.0 && (seconds == 0.0 || used.seconds <= seconds) &&
                      (megabytes == 0.0 || used.megabytes <= megabytes);
    missed = missed || !good;
    std::printf("%-44s %12.3f %12.0f %8g %s\n", name, used.seconds, used.megabytes,
                seconds > 0.0 ? seconds : megabytes, good ? "ok" : "MISSED");
  };
  row("chain of 4096, native, nothing in the cache", chain(4096, 1), "native", 0.5, 0.0);
  row("1000 bodies, 20 steps", bodies(1000, 20), "auto", 0.0, 1000.0);
  row("chain of 10^6, 10 steps", chain(1'000'000, 10), "auto", 0.0, 1000.0);
  std::filesystem::remove_all(folder);
  return missed;
}

}  // namespace

int main() {
  const bool missed =
      large_runs();  // first: memory is that of a process that has done nothing else
  bench::Table table("Steps of sums against loops by hand, verlet");
  rows(table, "FPU chain of 4096", chain(4096, 1), 500, springs, 1.3, 2.5);
  rows(table, "100 bodies", bodies(100, 1), 200, attraction, 1.2, 0.0);
  return missed ? 1 : table.missed();
}
