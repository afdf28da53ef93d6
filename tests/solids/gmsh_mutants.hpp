// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Damaged mesh files by a fixed sequence of random numbers.
#include <gtest/gtest.h>

#include <random>

#include "solids/gmsh_files.hpp"
#include "solids/mesh_laws.hpp"
#include "varia/solids/generate.hpp"
#include "varia/solids/gmsh.hpp"

namespace varia::solids {

inline std::vector<std::string> seeds() {
  std::vector<std::string> files{tet10_22, tet10_41, squares_22, squares_41};
  Mesh plane = block({2, 1}, {2, 2}, 2, 2);
  plane.region_names = {"a", "b"};
  plane.region = {0, 0, 1, 1, 1, 0, 0, 0};
  plane.boundaries.push_back({"points", {}, {0, 3}});
  const Mesh solid = block({1, 1, 1}, {1, 1, 1}, 1, 1);
  for (const Mesh& mesh : {plane, solid})
    for (const GmshVersion version : {GmshVersion::v22, GmshVersion::v41})
      for (const bool binary : {false, true}) files.push_back(gmsh_text(mesh, version, binary));
  return files;
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed), seeds_(seeds()) {}

  std::string next() {
    std::string bytes = seeds_[below(seeds_.size())];
    const std::size_t changes = 1 + below(3);
    for (std::size_t i = 0; i < changes && !bytes.empty(); ++i) change(bytes);
    return bytes;
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }

  void change(std::string& bytes) {
    const std::size_t at = below(bytes.size());
    switch (below(9)) {
      case 0:
        bytes[at] = static_cast<char>(below(256));
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 2:
        bytes.erase(at, 1 + below(12));
        break;
      case 3:
        bytes.insert(at, bytes.substr(below(bytes.size()), below(40)));
        break;
      case 4:
        bytes.resize(at);
        break;
      case 5:
        number(bytes, at);
        break;
      case 6:
        line(bytes, at);
        break;
      case 7: {  // an extreme 32-bit or 64-bit number
        const std::size_t width = below(2) == 0 ? 4 : 8;
        const char fill = below(2) == 0 ? '\xff' : '\x7f';
        for (std::size_t i = at; i < std::min(at + width, bytes.size()); ++i) bytes[i] = fill;
        break;
      }
      default: {  // a part of another file
        const std::string& other = seeds_[below(seeds_.size())];
        bytes = bytes.substr(0, at) + other.substr(below(other.size()));
      }
    }
  }

  // The next number in the text becomes another.
  void number(std::string& bytes, std::size_t at) {
    static const std::vector<std::string> values{"0",
                                                 "-1",
                                                 "1",
                                                 "2",
                                                 "7",
                                                 "15",
                                                 "2147483647",
                                                 "2147483648",
                                                 "-2147483648",
                                                 "9223372036854775807",
                                                 "-9223372036854775808",
                                                 "99999999999999999999",
                                                 "1e308",
                                                 "-1e308",
                                                 "nan",
                                                 "inf",
                                                 "1e-320",
                                                 "0.5",
                                                 "\"",
                                                 "$"};
    const std::size_t first = bytes.find_first_of("0123456789", at);
    if (first == std::string::npos) return;
    const std::size_t last = bytes.find_first_not_of("0123456789.-", first);
    bytes.replace(first, last == std::string::npos ? std::string::npos : last - first,
                  values[below(values.size())]);
  }

  // A line is removed, doubled or moved.
  void line(std::string& bytes, std::size_t at) {
    const std::size_t first = bytes.rfind('\n', at);
    const std::size_t last = bytes.find('\n', at);
    if (first == std::string::npos || last == std::string::npos || last <= first) return;
    const std::string text = bytes.substr(first, last - first);
    switch (below(3)) {
      case 0:
        bytes.erase(first, last - first);
        break;
      case 1:
        bytes.insert(first, text);
        break;
      default:
        bytes.erase(first, last - first);
        const std::size_t place = bytes.find('\n', below(bytes.size()));
        if (place != std::string::npos) bytes.insert(place, text);
    }
  }

  std::mt19937 random_;
  std::vector<std::string> seeds_;
};

struct Verdicts {
  long accepted = 0;
  long refused = 0;
};

/// Every mutant is a valid mesh or a MeshError that begins with the name of the file.
inline Verdicts try_mutants(unsigned seed, long count) {
  Mutator mutator(seed);
  Verdicts verdicts;
  for (long i = 0; i < count; ++i) {
    const std::string bytes = mutator.next();
    try {
      const Mesh mesh = parse_gmsh(bytes, "part.msh");
      EXPECT_NO_THROW(validate(mesh)) << "mutant " << i;
      EXPECT_LE(mesh.elements.size() + mesh.X.size(), bytes.size()) << "mutant " << i;
      ++verdicts.accepted;
    } catch (const MeshError& error) {
      const std::string text = error.what();
      EXPECT_EQ(text.rfind("part.msh:", 0), 0U) << text;
      EXPECT_LT(text.size(), 600U) << text;
      const bool plain =
          std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
      EXPECT_TRUE(plain) << "mutant " << i << ": " << text;
      ++verdicts.refused;
    } catch (const std::exception& error) {
      ADD_FAILURE() << "mutant " << i << ": " << error.what();
    }
  }
  return verdicts;
}

}  // namespace varia::solids
