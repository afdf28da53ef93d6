// SPDX-License-Identifier: BSD-3-Clause
// Snapshots for ParaView: what is written is read back from XML and base64 by other code than wrote it.
// Of base64.hpp too.
#include "varia/io/vtu.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "adversity.hpp"
#include "refusal.hpp"
#include "varia/io/base64.hpp"
#include "varia/io/error.hpp"
#include "varia/solids/generate.hpp"

namespace varia::io::vtu_test {
namespace {

std::string encoded(const std::string& bytes) {
  return base64(std::vector<char>(bytes.begin(), bytes.end()));
}

std::string decoded(const std::string& text) {
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    if (c == '\n' || c == '=') continue;
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t value = letters.find(c);
    if (value == std::string::npos) throw InvalidArgument("not a letter of base64");
    bits = bits << 6U | static_cast<unsigned>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255U);
  }
  return bytes;
}

/// The numbers of the DataArray of that name.
template <class Number>
std::vector<Number> numbers(const std::string& xml, const std::string& name,
                            const std::string& type) {
  const std::size_t at = xml.find("Name=\"" + name + "\"");
  EXPECT_NE(at, std::string::npos) << name;
  const std::size_t begin = xml.rfind('<', at), end = xml.find('>', at);
  const std::string tag = xml.substr(begin, end - begin);
  EXPECT_NE(tag.find("type=\"" + type + "\""), std::string::npos) << tag;
  EXPECT_NE(tag.find("format=\"binary\""), std::string::npos) << tag;
  const std::string bytes = decoded(xml.substr(end + 1, xml.find('<', end) - end - 1));
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof size);
  EXPECT_EQ(size, bytes.size() - sizeof size) << name;
  std::vector<Number> found(size / sizeof(Number));
  std::memcpy(found.data(), bytes.data() + sizeof size, size);
  return found;
}

TEST(Base64, VectorsOfTheStandard) {
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foob"), "Zm9vYg==");
  EXPECT_EQ(encoded("fooba"), "Zm9vYmE=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encoded("\xff\xfe\xfd"), "//79");
}

TEST(Base64, PiecesMakeNoDifference) {
  std::string bytes;
  for (int i = 0; i < 200; ++i) bytes += static_cast<char>(i * 37);
  for (const std::size_t piece : {1U, 2U, 3U, 4U, 5U, 7U, 64U}) {
    std::string text;
    Base64 encoder;
    for (std::size_t i = 0; i < bytes.size(); i += piece)
      encoder.add(bytes.data() + i, std::min(piece, bytes.size() - i), text);
    encoder.finish(text);
    EXPECT_EQ(text, encoded(bytes)) << piece;
    EXPECT_EQ(decoded(text), bytes) << piece;
  }
}

struct Case {
  solids::Mesh mesh;
  int vtk;
};

std::vector<Case> cases() {
  return {{solids::block({2, 1}, {3, 2}), 5},
          {solids::block({2, 1}, {3, 2}, 2, 2), 22},
          {solids::block({2, 1, 1}, {2, 1, 1}), 10},
          {solids::block({2, 1, 1}, {2, 1, 1}, 1, 2), 24}};
}

TEST(Vtu, HoldsTheMeshAndItsNumbers) {
  const Folder folder;
  for (const auto& [mesh, vtk] : cases()) {
    std::vector<double> u(static_cast<std::size_t>(mesh.node_count()) * 3);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = 0.1 * static_cast<double>(i);
    std::vector<std::int64_t> updates(static_cast<std::size_t>(mesh.element_count()), 1LL << 40U);
    std::vector<float> stress(updates.size() * 6, -2.5F);
    write_vtu(folder / "a.vtu", {mesh,
                                 {{"displacement", 3, std::span<const double>(u)}},
                                 {{"updates", 1, std::span<const std::int64_t>(updates)},
                                  {"stress", 6, std::span<const float>(stress)}},
                                 0.1});
    const std::string xml = content_of(folder / "a.vtu");
    const auto d = static_cast<std::size_t>(mesh.dimension());
    const std::vector<double> points = numbers<double>(xml, "Points", "Float64");
    ASSERT_EQ(points.size(), u.size());
    for (std::size_t i = 0; i < points.size(); ++i)
      EXPECT_EQ(points[i], i % 3 < d ? mesh.X[i / 3 * d + i % 3] : 0.0);
    EXPECT_EQ(numbers<double>(xml, "displacement", "Float64"), u);
    EXPECT_EQ(numbers<std::int64_t>(xml, "updates", "Int64"), updates);
    EXPECT_EQ(numbers<float>(xml, "stress", "Float32"), stress);
    EXPECT_EQ(numbers<int>(xml, "connectivity", "Int32"), mesh.elements);
    const auto offsets = numbers<std::int64_t>(xml, "offsets", "Int64");
    const auto types = numbers<std::uint8_t>(xml, "types", "UInt8");
    ASSERT_EQ(offsets.size(), updates.size());
    ASSERT_EQ(types.size(), updates.size());
    for (std::size_t k = 0; k < types.size(); ++k) {
      EXPECT_EQ(types[k], vtk);
      EXPECT_EQ(offsets[k], static_cast<std::int64_t>(k + 1) * mesh.nodes_per_element());
    }
    expect_has(xml, "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.1<");
  }
}

TEST(Vtu, MidNodesLieBetweenTheCornersVtkExpects) {
  // VTK: triangle 3 = 01, 4 = 12, 5 = 20; tetrahedron 4 = 01, 5 = 12, 6 = 20, 7 = 03, 8 = 13, 9 = 23
  const std::vector<std::array<int, 2>> edges = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  for (const auto& [mesh, vtk] : cases()) {
    if (solids::info(mesh.shape).order == 1) continue;
    const int corners = solids::info(mesh.shape).corners;
    for (long k = 0; k < mesh.element_count(); ++k)
      for (int e = 0; e < solids::info(mesh.shape).edges; ++e)
        for (int c = 0; c < mesh.dimension(); ++c)
          EXPECT_NEAR(mesh.node(mesh.element(k)[corners + e])[c],
                      0.5 * (mesh.node(mesh.element(k)[edges[e][0]])[c] +
                             mesh.node(mesh.element(k)[edges[e][1]])[c]),
                      1e-12);
  }
}

TEST(Vtu, WrongSizesAreRefusedAndTheOldFileStays) {
  const Folder folder;
  put_content(folder / "a.vtu", "old");
  const solids::Mesh mesh = solids::block({1, 1}, {1, 1});
  const std::vector<double> few(3, 0.0);
  expect_words(
      refusal([&] {
        write_vtu(folder / "a.vtu", {mesh, {{"u", 3, std::span<const double>(few)}}, {}, 0.0});
      }),
      {"u has 3", "12"});
  EXPECT_EQ(content_of(folder / "a.vtu"), "old");
  EXPECT_EQ(folder.files(), 1U);
  refusal<IoError>([&] { write_vtu(folder / "none/a.vtu", {mesh, {}, {}, 0.0}); });
}

TEST(Pvd, ListsTimesAndFiles) {
  const Folder folder;
  write_pvd(folder / "solid.pvd", {{0.0, "a.vtu"}, {0.1, "b & c.vtu"}});
  const std::string xml = content_of(folder / "solid.pvd");
  expect_words(xml, {"type=\"Collection\"", "timestep=\"0\" part=\"0\" file=\"a.vtu\"",
                     "timestep=\"0.1\" part=\"0\" file=\"b &amp; c.vtu\""});
}

}  // namespace
}  // namespace varia::io::vtu_test
