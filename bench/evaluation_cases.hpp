// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Twelve runs, from 1 to 4096 coordinates and from 10 to 10^7 steps, by which it is measured and
// tested how `auto` evaluates formulas.
#include <string>
#include <vector>

namespace bench {

struct EvaluationCase {
  std::string name;
  std::string text;     ///< of the scenario
  bool native = false;  ///< the better way, as measured
};

inline std::string scenario(const std::string& system, const std::string& start,
                            const std::string& method, double step, long steps) {
  return "[system]\n" + system + "[start]\n" + start + "[run]\nmethod = \"" + method +
         "\"\nstep = " + std::to_string(step) + "\nsteps = " + std::to_string(steps) +
         "\nevery = " + std::to_string(steps > 100 ? steps / 100 : 1) + "\n";
}

inline std::string pendulum(const std::string& method, long steps) {
  return scenario("coordinates = [\"a\"]\nlagrangian = \"a_dot^2/2 + cos(a)\"\n",
                  "a = 1\na_dot = 0\n", method, 0.02, steps);
}

inline std::string kepler(const std::string& method, long steps) {
  return scenario(
      "coordinates = [\"x\", \"y\"]\n"
      "lagrangian = \"(x_dot^2 + y_dot^2)/2 + 1/sqrt(x^2 + y^2)\"\n",
      "x = 0.4\ny = 0\nx_dot = 0\ny_dot = 2\n", method, 0.01, steps);
}

inline std::string double_pendulum(const std::string& method, long steps) {
  return scenario(
      "coordinates = [\"a\", \"b\"]\n"
      "lagrangian = \"a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b) + 2*cos(a) + cos(b)\"\n",
      "a = 1.6\nb = 2.2\na_dot = 0\nb_dot = 0\n", method, 0.01, steps);
}

inline std::string chain(int n, const std::string& method, long steps) {
  const std::string last = std::to_string(n);
  return scenario("coordinates = [\"q[1.." + last + "]\"]\nlagrangian = \"sum(i, 1, " + last +
                      ", q_dot[i]^2)/2 - sum(i, 1, " + std::to_string(n - 1) +
                      ", (q[i+1] - q[i])^2/2 + (q[i+1] - q[i])^4/4)\"\n",
                  "q = \"0.1*sin(i)\"\nq_dot = 0\n", method, 0.05, steps);
}

inline std::string atoms(int n, long steps) {
  const std::string last = std::to_string(n);
  return scenario(
      "coordinates = [\"x[1.." + last + "]\", \"y[1.." + last + "]\"]\nlagrangian = \"sum(i, 1, " +
          last + ", x_dot[i]^2 + y_dot[i]^2)/2 - sum(i, 1, " + std::to_string(n - 1) +
          ", sum(j, i + 1, " + last +
          ", ((x[i] - x[j])^2 + (y[i] - y[j])^2)^(-6) - ((x[i] - x[j])^2 + "
          "(y[i] - y[j])^2)^(-3)))\"\n",
      "x = \"1.2*i\"\ny = \"0.1*sin(i)\"\nx_dot = 0\ny_dot = 0\n", "verlet", 0.002, steps);
}

inline std::string bodies(int n, long steps) {
  const std::string last = std::to_string(n);
  return scenario("coordinates = [\"x[1.." + last + "]\", \"y[1.." + last + "]\", \"z[1.." + last +
                      "]\"]\nlagrangian = \"sum(i, 1, " + last +
                      ", x_dot[i]^2 + y_dot[i]^2 + z_dot[i]^2)/2 + sum(i, 1, " +
                      std::to_string(n - 1) + ", sum(j, i + 1, " + last +
                      ", 1/sqrt(0.01 + (x[i] - x[j])^2 + (y[i] - y[j])^2 + (z[i] - z[j])^2)))/" +
                      last + "\"\n",
                  "x = \"cos(i)\"\ny = \"sin(i)\"\nz = \"sin(3*i)\"\nx_dot = 0\ny_dot = 0\n"
                  "z_dot = 0\n",
                  "verlet", 0.001, steps);
}

inline std::vector<EvaluationCase> evaluation_cases() {
  return {{"pendulum, verlet, 10 steps", pendulum("verlet", 10), false},
          {"pendulum, verlet, 10^7 steps", pendulum("verlet", 10'000'000), true},
          {"Kepler, gauss(3), 2000 steps", kepler("gauss(3)", 2000), false},
          {"Kepler, verlet, 10^7 steps", kepler("verlet", 10'000'000), true},
          {"double pendulum, gauss(2), 10^6 steps", double_pendulum("gauss(2)", 1'000'000), true},
          {"chain of 64, verlet, 10^6 steps", chain(64, "verlet", 1'000'000), true},
          {"chain of 256, midpoint, 1000 steps", chain(256, "midpoint", 1000), false},
          {"12 bodies, 10^6 steps", bodies(12, 1'000'000), true},
          {"30 Lennard-Jones atoms, 5000 steps", atoms(30, 5000), false},
          {"50 bodies, 20,000 steps", bodies(50, 20'000), true},
          {"chain of 1024, verlet, 20,000 steps", chain(1024, "verlet", 20'000), false},
          {"chain of 4096, verlet, 5000 steps", chain(4096, "verlet", 5000), false}};
}

}  // namespace bench
