// SPDX-License-Identifier: BSD-3-Clause
// Mesh files: those of Gmsh itself, round trips, and what wrong files are answered with.
#include "varia/solids/gmsh.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "refusal.hpp"
#include "solids/gmsh_files.hpp"
#include "solids/mesh_laws.hpp"
#include "varia/solids/generate.hpp"

namespace varia::solids::gmsh_test {
namespace {

constexpr std::array<GmshVersion, 2> versions{GmshVersion::v22, GmshVersion::v41};

std::string wrong(const std::string& bytes) {
  return refusal<MeshError>([&] { parse_gmsh(bytes, "part.msh"); });
}

// Every mid node lies in the middle of the two corners it belongs to, by geometry.
TEST(Gmsh, TetrahedronOfOrderTwo) {
  for (const std::string& text : {tet10_22, tet10_41}) {
    const Mesh mesh = parse_gmsh(text, "tet.msh");
    ASSERT_EQ(mesh.shape, Shape::tet10);
    expect_solid(mesh, 1.0 / 6);
    EXPECT_TRUE(straight(mesh, 0));
    // The numbers of the file: corners 1 3 4 2, mids 13 34 41 12 23 24 in our order.
    std::vector<long> tags;
    for (int i = 0; i < 10; ++i) tags.push_back(node_number(mesh, mesh.element(0)[i]));
    EXPECT_EQ(tags, (std::vector<long>{1, 3, 4, 2, 7, 10, 8, 5, 6, 9}));
    EXPECT_EQ(mesh.region_names, (std::vector<std::string>{"body"}));
    const Boundary& slope = boundary(mesh, "slope");
    ASSERT_EQ(slope.faces.size(), 6U);
    const Vec n = area_vector(mesh, slope.faces.data());
    for (const double x : n) EXPECT_NEAR(x, 0.5, 1e-15);  // outwards
    EXPECT_EQ(slope.nodes.size(), 6U);
  }
  // The last two mid nodes the other way round are far from their edges.
  expect_words(wrong(replaced(tet10_22, "5 9 6\n$EndE", "5 6 9\n$EndE")), {"element 2", "folded"});
}

TEST(Gmsh, GroupsOfPlaneMeshes) {
  for (const std::string& text : {squares_22, squares_41}) {
    const Mesh mesh = parse_gmsh(text, "squares.msh");
    ASSERT_EQ(mesh.shape, Shape::t3);
    expect_solid(mesh, 2);  // the clockwise half is turned round
    EXPECT_EQ(mesh.element_count(), 4);
    EXPECT_EQ(mesh.region_names, (std::vector<std::string>{"soft part", "physical_12"}));
    for (long k = 0; k < 4; ++k) {
      double x = 0;
      for (int i = 0; i < 3; ++i) x += mesh.node(mesh.element(k)[i])[0] / 3;
      EXPECT_EQ(mesh.region[static_cast<std::size_t>(k)], x < 1 ? 0 : 1);
    }
    ASSERT_EQ(mesh.boundaries.size(), 3U);
    EXPECT_EQ(face_measure(mesh, boundary(mesh, "left")), 1);
    EXPECT_EQ(face_measure(mesh, boundary(mesh, "rim")), 6);
    EXPECT_EQ(boundary(mesh, "rim").nodes.size(), 6U);
    EXPECT_TRUE(boundary(mesh, "corner").faces.empty());
    ASSERT_EQ(boundary(mesh, "corner").nodes.size(), 1U);
    EXPECT_EQ(node_number(mesh, boundary(mesh, "corner").nodes[0]), 1);
    const Vec n = area_vector(mesh, boundary(mesh, "left").faces.data());
    EXPECT_EQ(n[0], -1);
  }
}

// An entity is turned round as a whole; what then is inverted is an error.
TEST(Gmsh, ClockwiseEntities) {
  Mesh mesh = block({2, 1}, {3, 2}, 2, 2);
  for (long k = 0; k < mesh.element_count(); ++k) {
    int* n = mesh.elements.data() + 6 * k;
    std::swap(n[1], n[2]);
    std::swap(n[3], n[5]);
  }
  expect_solid(parse_gmsh(gmsh_text(mesh), "a.msh"), 2);
  std::swap(mesh.elements[6 * 4 + 1], mesh.elements[6 * 4 + 2]);
  expect_words(wrong(gmsh_text(mesh)), {"element 5", "inverted"});
  Mesh solid = block({1, 1, 1}, {1, 1, 1}, 1, 2);
  for (long k = 0; k < solid.element_count(); ++k) {
    int* n = solid.elements.data() + 10 * k;
    for (const auto& [i, j] : {std::pair{1, 2}, {4, 6}, {8, 9}}) std::swap(n[i], n[j]);
  }
  expect_solid(parse_gmsh(gmsh_text(solid), "b.msh"), 1);
}

TEST(Gmsh, OnlyElementsOfGroupsCount) {
  // The second surface is in no group: its elements and the nodes 5, 6 are left out.
  std::string text = replaced(squares_41, "2 1 0 0.5 2 1 0.5 2 12 13 4", "2 1 0 0.5 2 1 0.5 0 4");
  const Mesh half = parse_gmsh(text, "half.msh");
  expect_solid(half, 1);
  EXPECT_EQ(half.node_count(), 4);
  EXPECT_EQ(face_measure(half, boundary(half, "rim")), 3);  // faces of no element are left out
  // No surface is in a group: all count, without region.
  text = replaced(text, "1 0 0 0.5 1 1 0.5 2 11 13 4", "1 0 0 0.5 1 1 0.5 0 4");
  const Mesh all = parse_gmsh(text, "all.msh");
  expect_solid(all, 2);
  EXPECT_TRUE(all.region.empty());
  EXPECT_TRUE(all.region_names.empty());
  EXPECT_EQ(all.boundaries.size(), 3U);
}

TEST(Gmsh, NamesMayHaveOtherLetters) {
  const Mesh mesh = parse_gmsh(replaced(squares_41, "\"left\"", "\"Größe € 𝄞\""), "a.msh");
  EXPECT_EQ(face_measure(mesh, boundary(mesh, "Größe € 𝄞")), 1);
}

TEST(Gmsh, SameNameIsOneBoundary) {
  const std::string text = replaced(squares_41, "0 23 \"corner\"", "0 23 \"left\"");
  const Mesh mesh = parse_gmsh(replaced(text, "1 0 0 0.5 1 23", "1 0 0 0.5 0"), "a.msh");
  EXPECT_EQ(mesh.boundaries.size(), 2U);
  const Mesh more = parse_gmsh(replaced(text, "1 22 \"rim\"", "1 22 \"left\""), "b.msh");
  ASSERT_EQ(more.boundaries.size(), 1U);
  EXPECT_EQ(face_measure(more, more.boundaries[0]), 6);  // the left side is not there twice
}

TEST(Gmsh, OtherSectionsAndCoordinatesOfParameters) {
  std::string text = replaced(squares_41, "$Entities",
                              "$Comments\nanything $Nodes at all\n$EndComments\n$Entities");
  text += "$Periodic\n1\n0 2 1\n0\n1\n2 1\n$EndPeriodic\n$NodeData\n1\n\"u\"\n$EndNodeData\n";
  expect_solid(parse_gmsh(text, "a.msh"), 2);
  // Node 6 as one of a curve with its parameter.
  text = replaced(squares_41, "0 6 0 1\n6\n2 1 0.5", "1 6 1 1\n6\n2 1 0.5 0.75");
  expect_solid(parse_gmsh(text, "b.msh"), 2);
  text = replaced(squares_41, "\n", "\r\n");  // one line end of Windows
  expect_solid(parse_gmsh(text, "c.msh"), 2);
}

Mesh with_regions_and_points(Mesh mesh) {
  mesh.region_names = {"first", "second"};
  for (long k = 0; k < mesh.element_count(); ++k) mesh.region.push_back(k % 3 == 0 ? 1 : 0);
  mesh.boundaries.push_back({"points", {}, {0, 3}});
  return mesh;
}

void expect_same(const Mesh& x, const Mesh& y) {
  EXPECT_EQ(x.shape, y.shape);
  EXPECT_EQ(x.X, y.X);
  ASSERT_EQ(x.boundaries.size(), y.boundaries.size());
  for (const Boundary& b : x.boundaries) {
    EXPECT_EQ(b.nodes, boundary(y, b.name).nodes);
    EXPECT_NEAR(face_measure(x, b), face_measure(y, boundary(y, b.name)), 1e-12);
  }
  // A file may gather elements by region: compare them by their numbers there.
  ASSERT_EQ(x.element_count(), y.element_count());
  std::map<std::vector<int>, std::string> regions;
  const auto name = [](const Mesh& m, long k) {
    const int r = m.region.empty() ? -1 : m.region[static_cast<std::size_t>(k)];
    return r < 0 ? std::string() : m.region_names[static_cast<std::size_t>(r)];
  };
  const auto nodes = [](const Mesh& m, long k) {
    return std::vector<int>(m.element(k), m.element(k) + m.nodes_per_element());
  };
  for (long k = 0; k < x.element_count(); ++k) regions[nodes(x, k)] = name(x, k);
  for (long k = 0; k < y.element_count(); ++k) {
    const auto found = regions.find(nodes(y, k));
    ASSERT_NE(found, regions.end());
    EXPECT_EQ(found->second, name(y, k));
  }
}

std::vector<Mesh> samples() {
  return {block({2, 1}, {3, 2}, 2, 1), with_regions_and_points(block({2, 1}, {3, 2}, 2, 2)),
          with_regions_and_points(block({1, 1, 2}, {1, 2, 2}, 2, 1)),
          block({1, 1, 2}, {2, 1, 2}, 2, 2)};
}

TEST(Gmsh, RoundTrip) {
  for (const Mesh& mesh : samples())
    for (const GmshVersion version : versions)
      for (const bool binary : {false, true}) {
        const Mesh back = parse_gmsh(gmsh_text(mesh, version, binary), "mesh.msh");
        expect_same(mesh, back);
        if (version == GmshVersion::v41) {
          EXPECT_EQ(mesh.elements, back.elements);
        }
        EXPECT_EQ(gmsh_text(back, GmshVersion::v41, binary),
                  gmsh_text(parse_gmsh(gmsh_text(back), "again.msh"), GmshVersion::v41, binary));
      }
}

// The same file from a machine of the other byte order. Binary parts are found by reading along.
class Swapper {
 public:
  explicit Swapper(std::string bytes) : bytes_(std::move(bytes)) {}

  std::string run22(int nodes_per_element) {
    past("1 8\n");
    swap(4);
    const long nodes = count("$Nodes\n");
    for (long i = 0; i < nodes; ++i) {
      swap(4);
      for (int d = 0; d < 3; ++d) swap(8);
    }
    const long elements = count("$Elements\n");
    EXPECT_GT(elements, 0);
    for (int i = 0; i < 3; ++i) swap(4);
    for (long i = 0; i < elements * (3 + nodes_per_element); ++i) swap(4);
    return bytes_;
  }

  std::string run41(const Mesh& mesh) {
    past("1 8\n");
    swap(4);
    past("$Entities\n");
    for (int i = 0; i < 4; ++i) swap(8);
    swap(4);
    for (int i = 0; i < 8; ++i) swap(8);  // box, no groups, no bounds
    past("$Nodes\n");
    for (int i = 0; i < 4; ++i) swap(8);
    for (int i = 0; i < 3; ++i) swap(4);
    for (long i = 0; i < 1 + 4 * mesh.node_count(); ++i) swap(8);
    past("$Elements\n");
    for (int i = 0; i < 4; ++i) swap(8);
    for (int i = 0; i < 3; ++i) swap(4);
    for (long i = 0; i < 1 + mesh.element_count() * (1 + mesh.nodes_per_element()); ++i) swap(8);
    return bytes_;
  }

 private:
  void past(const std::string& mark) { at_ = bytes_.find(mark, at_) + mark.size(); }
  long count(const std::string& mark) {
    past(mark);
    const long value = std::stol(bytes_.substr(at_, 20));
    past("\n");
    return value;
  }
  void swap(long size) {
    const auto first = bytes_.begin() + static_cast<long>(at_);
    std::reverse(first, first + size);
    at_ += static_cast<std::size_t>(size);
  }

  std::string bytes_;
  std::size_t at_ = 0;
};

TEST(Gmsh, OtherByteOrder) {
  Mesh mesh = block({2, 1}, {3, 2}, 2, 2);
  mesh.boundaries.clear();
  const std::string old22 = gmsh_text(mesh, GmshVersion::v22, true);
  const std::string old41 = gmsh_text(mesh, GmshVersion::v41, true);
  expect_same(mesh, parse_gmsh(Swapper(old22).run22(6), "a.msh"));
  expect_same(mesh, parse_gmsh(Swapper(old41).run41(mesh), "b.msh"));
  std::string bad = old41;
  bad[bad.find("1 8\n") + 4] = 7;
  expect_words(wrong(bad), {"part.msh: byte 20", "byte order must be 1", "found 7"});
}

TEST(Gmsh, Files) {
  const auto folder = std::filesystem::temp_directory_path() / "varia_gmsh_test";
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "block.msh").string();
  const Mesh mesh = block({2, 1}, {3, 2});
  for (const bool binary : {false, true}) {
    write_gmsh(mesh, path, GmshVersion::v41, binary);
    expect_same(mesh, read_gmsh(path));
  }
  expect_words(refusal<MeshError>([&] { read_gmsh((folder / "none.msh").string()); }),
               {"cannot read", "none.msh", "no such file"});
  expect_words(refusal<MeshError>([&] { read_gmsh(folder.string()); }), {"not a file"});
  expect_words(refusal<MeshError>([&] { write_gmsh(mesh, (folder / "no" / "x.msh").string()); }),
               {"cannot write", "x.msh"});
  std::ofstream(path) << "no mesh";
  expect_words(refusal<MeshError>([&] { read_gmsh(path); }), {"block.msh:1", "$MeshFormat"});
  std::filesystem::remove_all(folder);
}

TEST(Gmsh, WriterRefuses) {
  Mesh mesh = block({2, 1}, {3, 2});
  mesh.boundaries[0].name = "a \"b\"";
  expect_words(refusal<MeshError>([&] { gmsh_text(mesh); }), {"cannot be written", "quote"});
  mesh = block({2, 1}, {3, 2});
  mesh.region_names = {"a"};
  mesh.region.assign(12, 0);
  mesh.region[7] = -1;
  expect_words(refusal<MeshError>([&] { gmsh_text(mesh); }), {"element 8", "no region"});
  expect_words(refusal<MeshError>([] { gmsh_text(Mesh{}); }), {"without elements"});
}

TEST(Gmsh, HeaderErrors) {
  expect_words(wrong(""), {"part.msh:1", "ends too early"});
  expect_words(wrong("solid cube\n"), {"part.msh:1", "expected $MeshFormat", "'solid'"});
  expect_words(wrong(replaced(squares_41, "4.1", "4.0")), {"part.msh:2", "4.0", "2.2 and 4.1"});
  expect_words(wrong(replaced(squares_41, "4.1 0", "4.1 2")), {"part.msh:2", "file type"});
  expect_words(wrong(replaced(squares_41, "0 8", "0 4")), {"part.msh:2", "data size", "4"});
  expect_words(wrong(squares_41.substr(0, squares_41.find("$Nodes"))), {"no section $Nodes"});
  expect_words(wrong(squares_41.substr(0, squares_41.find("$Elements"))), {"$Elements"});
  expect_words(wrong(squares_41 + "$Nodes\n"), {"second section $Nodes"});
  expect_words(wrong(squares_41 + "rubbish\n"), {"part.msh:82", "expected a section"});
  expect_words(wrong(squares_41 + "$Foo\nbar\n"), {"no $EndFoo"});
  expect_words(wrong(replaced(squares_41, "$Entities", "$PartitionedEntities")), {"partition"});
}

TEST(Gmsh, SectionErrorsNameTheLine) {
  const auto text = [](const char* old, const char* by) {
    return wrong(replaced(squares_41, old, by));
  };
  expect_words(text("1 21 \"left\"", "1 21 left"), {"part.msh:7", "quotes"});
  expect_words(text("1 21 \"left\"", "1 21 \"left"), {"part.msh:7", "closing quote"});
  expect_words(text("1 21 \"left\"", "1 21 \"\""), {"part.msh:7", "empty"});
  for (const char* name :
       {"a\tb", "\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "x\xe2\x82"})
    expect_words(text("1 21 \"left\"", ("1 21 \"" + std::string(name) + "\"").c_str()),
                 {"part.msh:7", "UTF-8"});
  expect_words(text("1 21 \"left\"", ("1 21 \"" + std::string(128, 'a') + "\"").c_str()),
               {"part.msh:7", "127"});
  expect_words(text("1 21 \"left\"", "5 21 \"left\""), {"part.msh:7", "0 to 3"});
  expect_words(text("1 21 \"left\"", "1 22 \"left\""), {"part.msh:8", "two names"});
  expect_words(text("6 7 2 0", "6 7 3 0"), {"part.msh:29", "whole number", "$EndEntities"});
  expect_words(text("6 7 2 0", "6 7 1 0"), {"part.msh:28", "$EndEntities", "'2'"});
  expect_words(text("6 7 2 0", "6 -7 2 0"), {"part.msh:13", "-7 curves"});
  expect_words(text("6 7 2 0", "99999999999 7 2 0"), {"part.msh:13", "99999999999 points"});
  expect_words(text("6 7 2 0", "99999999999999999999 7 2 0"), {"whole number"});
  expect_words(text("14 6 1 6", "14 7 1 6"), {"have 6 nodes", "says 7"});
  expect_words(text("14 6 1 6", "14 123456 1 6"), {"123456 nodes follow", "bytes are left"});
  expect_words(text("2 1 0.5\n1 1", "2 1 0.5x\n1 1"), {"part.msh:49", "a number", "'0.5x'"});
  expect_words(text("2 1 0.5\n1 1", "2 nan 0.5\n1 1"), {"part.msh:49", "finite", "'nan'"});
  expect_words(text("2 1 0.5\n1 1", "2 1e999 0.5\n1 1"), {"part.msh:49", "number"});
  expect_words(text("0 6 0 1\n6", "0 6 2 1\n6"), {"parametric", "0 or 1", "2"});
  expect_words(text("0 6 0 1\n6", "4 6 0 1\n6"), {"dimension", "0 to 3"});
  expect_words(text("0 6 0 1\n6", "0 6 0 1\n5"), {"part.msh: node 5", "twice"});
  expect_words(text("9 11 1 11", "9 12 1 11"), {"have 11 elements", "says 12"});
  expect_words(text("2 2 2 2\n10", "2 2 99 2\n10"), {"no element type 99", "triangles"});
  expect_words(text("2 2 2 2\n10", "2 2 4 2\n10"), {"4-node tetrahedron", "dimension 2"});
  expect_words(text("11 3 6 5", "11 3 6 55"), {"element 11", "node 55", "does not have"});
  expect_words(wrong(replaced(squares_22, "16 2 2 13", "16 2 2000 13")), {"2000 tags"});
  std::string many = "2 1 0 0.5 2 1 0.5 101";
  for (int i = 1; i <= 101; ++i) many += " " + std::to_string(i);
  expect_words(text("2 1 0 0.5 2 1 0.5 2 12 13", many.c_str()), {"101 physical groups"});
}

TEST(Gmsh, MeshesThatCannotBeUsed) {
  expect_words(wrong(replaced(squares_22, "15 2 2 12 2 3 6 5", "15 3 2 12 2 3 6 5 2")),
               {"element 15", "4-node quadrangle", "T3, T6, Tet4 and Tet10"});
  expect_words(wrong(replaced(squares_22, "6 2 1 0.5", "6 2 1 0.6")),
               {"plane z = constant", "node 6", "0.6", "surfaces in space"});
  expect_words(wrong(replaced(squares_22, "5 2 0 0.5", "5 1 0.5 0.5")),
               {"element 13", "area 0", "flat"});
  // Node 2 far inside the second square: elements of both senses in one entity.
  expect_words(wrong(replaced(squares_22, "2 1 0 0.5", "2 1.9 0.9 0.5")), {"inverted"});
  std::string lines = squares_22.substr(0, squares_22.find("9 2 2 11")) + "$EndElements\n";
  lines = replaced(lines, "$Elements\n16", "$Elements\n8");
  expect_words(wrong(lines), {"no triangles", "2-node line, point", "physical group"});
  expect_words(wrong(replaced(tet10_22, "1 9 2 2 3 2 3 4 6 10 9", "1 2 2 2 3 2 3 4")),
               {"element 1 of 'slope'", "3-node triangle", "Tet10"});
  const std::string mixed = replaced(replaced(tet10_22, "$Elements\n2", "$Elements\n3"),
                                     "$EndElements", "3 4 2 1 1 1 3 4 2\n$EndElements");
  expect_words(wrong(mixed), {"several types", "4-node", "10-node"});
  const std::string none =
      replaced(squares_22.substr(0, squares_22.find("1 15 2 23")), "16\n", "0\n");
  expect_words(wrong(none + "$EndElements\n"), {"no triangles", "no elements"});
}

TEST(Gmsh, BinaryErrorsNameTheByte) {
  const std::string whole = gmsh_text(block({2, 1}, {3, 2}), GmshVersion::v41, true);
  const std::size_t nodes = whole.find("$Nodes\n") + 7;
  std::string bad = whole;
  bad[nodes + 14] = 1;  // the number of nodes is now above 2^48
  expect_words(wrong(bad), {"nodes follow", "bytes are left"});
  expect_has(wrong(bad), "part.msh: byte " + std::to_string(nodes + 8) + ":");
  bad = whole;
  const double infinite = std::numeric_limits<double>::infinity();
  std::memcpy(bad.data() + nodes + 32 + 20 + 12 * 8, &infinite, sizeof infinite);
  expect_words(wrong(bad), {"finite", "inf"});
  expect_has(wrong(bad), "part.msh: byte " + std::to_string(nodes + 32 + 20 + 12 * 8) + ":");
}

TEST(Gmsh, TruncatedFilesAreRefused) {
  std::vector<std::string> files{tet10_22, tet10_41, squares_22, squares_41};
  for (const GmshVersion version : versions)
    files.push_back(gmsh_text(block({2, 1}, {2, 1}), version, true));
  for (const std::string& file : files)
    for (std::size_t n = 0; n + 1 < file.size(); ++n)  // the last byte is a line end
      EXPECT_THROW(parse_gmsh(file.substr(0, n), "part.msh"), MeshError) << "at " << n;
}

TEST(Gmsh, NumbersOfTheFileAppearInMessages) {
  std::string text = replaced(squares_22, "11 2 2 11 1 4 2 3", "777 2 2 11 1 4 2 3");
  text = replaced(text, "3 1 1 0.5", "3 0.2 0.2 0.5");
  expect_words(wrong(text), {"part.msh: element 777"});
}

TEST(Gmsh, SparseAndLargeNumbers) {
  std::string text = squares_41;
  text = replaced(text, "0 6 0 1\n6\n", "0 6 0 1\n9000000000000000000\n");
  text = replaced(text, "6 5 6 \n", "6 5 9000000000000000000\n");
  text = replaced(text, "7 6 3 \n", "7 9000000000000000000 3\n");
  text = replaced(text, "11 3 6 5", "11 3 9000000000000000000 5");
  const Mesh mesh = parse_gmsh(text, "a.msh");
  expect_solid(mesh, 2);
  EXPECT_EQ(mesh.node_tag.back(), 9000000000000000000L);
}

}  // namespace
}  // namespace varia::solids::gmsh_test
