// SPDX-License-Identifier: BSD-3-Clause
// Chains of rigid bodies with ball joints, as text, on SO(3) x R^3 and on SE(3): a step costs O(n).
#include <cmath>
#include <string>

#include "timing.hpp"
#include "varia/io/stepper.hpp"

namespace {

/// How a body is held: by a rotation and the coordinates of its centre, or by a motion.
enum class Held { apart, motion };

/// The upper end of the body i is the lower end of the one before it, that of the first is the origin:
/// one component, by the names of the centre and of the third axis.
std::string joint(const std::string& centre, const std::string& axis, const std::string& n) {
  const std::string upper = centre + "[i] + l*" + axis + "[i]";
  return "  { phi = \"" + upper + "\", i = [1, 1] },\n  { phi = \"" + upper + " - " + centre +
         "[i-1] + l*" + axis + "[i-1]\", i = [2, " + n + "] },\n";
}

std::string system_text(const std::string& n, Held held) {
  const bool apart = held == Held::apart;
  const std::string range = "[1.." + n + "]";
  const std::string turn = apart ? "R" : "g";
  const std::string at = apart ? "" : "g_";
  const std::string coordinates = apart ? R"({ name = "R)" + range + R"(", space = "SO3" }, "x)" +
                                              range + R"(", "y)" + range + R"(", "z)" + range + '"'
                                        : R"({ name = "g)" + range + R"(", space = "SE3" })";
  const std::string speed =
      apart ? "x_dot[i]^2 + y_dot[i]^2 + z_dot[i]^2" : "g_v1[i]^2 + g_v2[i]^2 + g_v3[i]^2";
  return "[system]\ncoordinates = [" + coordinates +
         "]\nparameters = { l = 0.5, A = 0.1, C = 0.04 }\nlagrangian = \"sum(i, 1, " + n + ", (" +
         speed + ")/2 + (A*(" + turn + "_w1[i]^2 + " + turn + "_w2[i]^2) + C*" + turn +
         "_w3[i]^2)/2 - " + at + "z[i]/" + n + ")\"\nholonomic = [\n" +
         joint(at + "x", turn + "13", n) + joint(at + "y", turn + "23", n) +
         joint(at + "z", turn + "33", n) + "]\n";
}

/// Bodies that spin about their axes in a wave.
std::string start_text(int n, Held held) {
  using varia::to_text;
  std::string points;
  std::string y;
  std::string z;
  double side = 0.0;
  double height = 0.0;
  for (int i = 0; i < n; ++i) {
    const double tilt = 0.4 * std::sin(6.0 * i / n + 0.2);
    const double across = std::sin(tilt);
    const double down = std::cos(tilt);
    const std::string centre[] = {to_text(side + 0.5 * across), to_text(height - 0.5 * down)};
    y += centre[0] + ", ";
    z += centre[1] + ", ";
    points +=
        held == Held::apart ? "{ " : "{ position = [0, " + centre[0] + ", " + centre[1] + "], ";
    points += "angle_axis = [" + to_text(tilt) + ", 0, 0] }, ";
    side += across;
    height -= down;
  }
  if (held == Held::motion)
    return "[start]\ng = [" + points +
           "]\ng_w1 = 0\ng_w2 = 0\ng_w3 = 1\ng_v1 = 0\ng_v2 = 0\ng_v3 = 0\n";
  return "[start]\nR = [" + points + "]\nx = 0\ny = [" + y + "]\nz = [" + z +
         "]\nR_w1 = 0\nR_w2 = 0\nR_w3 = 1\nx_dot = 0\ny_dot = 0\nz_dot = 0\n";
}

/// All bodies together weigh 1, so that the forces in the joints are at most 1 and the time scale does
/// not depend on n.
std::string chain_text(int n, Held held, const std::string& method) {
  return system_text(std::to_string(n), held) + start_text(n, held) + "[run]\nmethod = \"" +
         method + "\"\nstep = 0.05\nsteps = 20\nevaluation = \"interpreter\"\n";
}

varia::io::Model chain(int n, Held held, const std::string& method) {
  auto model =
      varia::io::build_model(varia::io::parse_scenario(chain_text(n, held, method), "bench"));
  varia::io::prepare_evaluation(model);
  return model;
}

constexpr long steps = 20;

void run(const varia::io::Model& model) {
  const auto stepper = varia::io::make_stepper(model);
  stepper->advance(0.05, steps);
  varia::io::Snapshot s;
  stepper->snapshot(s);
  bench::keep(s);
}

}  // namespace

int main() {
  bench::Table table("Chains of rigid bodies with ball joints");
  for (const char* method : {"verlet", "lobatto(3)"})
    for (const Held held : {Held::apart, Held::motion}) {
      const auto large = chain(256, held, method);
      const auto small = chain(32, held, method);
      const auto time = bench::fastest([&] { run(large); }, [&] { run(small); }, 7);
      const std::string space = held == Held::apart ? ", SO(3) x R^3" : ", SE(3)";
      table.row((method + space + ": n = 256 against 32").c_str(), time, steps, 11.0);
    }
  return table.missed();
}
