// SPDX-License-Identifier: BSD-3-Clause
// Objects as numbers, and back.
#include "varia/core/saved_numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "../refusal.hpp"
#include "varia/core/types.hpp"

namespace varia::saved_numbers_test {
namespace {

struct Inner {
  double x = 0.0;
  bool seen = false;
  void exchange(SavedNumbers& numbers) { numbers(x, seen); }

  std::vector<double> save() const { return SavedNumbers::of(*this); }
  void load(const std::vector<double>& data) {
    SavedNumbers::read(*this, data, "not an inner one");
  }
};

struct Outer {
  long count = 0;
  std::vector<double> fixed = std::vector<double>(2);
  Vn vector = Vn::Zero(2);
  std::vector<Inner> list = std::vector<Inner>(2);
  std::vector<double> a, b;
  Inner part, rest;
  void exchange(SavedNumbers& numbers) {
    auto length = static_cast<double>(a.size());
    numbers(count, fixed, vector, list, length);
    numbers.lists(length, a, b);
    numbers.part(part);
    numbers.rest(rest);
  }
};

Outer some() {
  Outer x{7, {1, 2}, Vn(2), {{5, true}, {6, false}}, {8}, {9}, {10, true}, {11, false}};
  x.vector << 3, 4;
  return x;
}

const std::vector<double> written{7, 1, 2, 3, 4, 5, 1, 6, 0, 1, 8, 9, 2, 10, 1, 11, 0};

TEST(SavedNumbers, AreWrittenInOrderAndReadBack) {
  EXPECT_EQ(SavedNumbers::of(some()), written);
  Outer back;
  SavedNumbers::read(back, written, "");
  EXPECT_EQ(back.count, 7);
  EXPECT_EQ(back.b, std::vector<double>{9});
  EXPECT_TRUE(back.part.seen);
  EXPECT_EQ(SavedNumbers::of(back), written);
}

TEST(SavedNumbers, RefuseWhatDoesNotFit) {
  const auto refused = [](std::size_t size, std::size_t at, double number) {
    std::vector<double> data(written.begin(), written.begin() + static_cast<std::ptrdiff_t>(size));
    if (at < size) data[at] = number;
    return refusal([&] {
      Outer back;
      SavedNumbers::read(back, data, "not an outer one");
    });
  };
  for (std::size_t size = 0; size < 15; ++size)
    EXPECT_EQ(refused(size, size, 0.0), "not an outer one") << size;
  EXPECT_EQ(refused(16, 16, 0.0), "not an inner one");
  for (const double length : {-1.0, 5.0, 1e300, std::nan("")})
    EXPECT_EQ(refused(17, 9, length), "not an outer one") << length;
  const std::vector<double> more{1, 1, 1};
  EXPECT_EQ(refusal([&] { Inner().load(more); }), "not an inner one");
}

}  // namespace
}  // namespace varia::saved_numbers_test
