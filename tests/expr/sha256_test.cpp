// SPDX-License-Identifier: BSD-3-Clause
// The standard's own examples, and lengths around the end of a block.
#include "varia/expr/sha256.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace varia::expr::sha256_test {
namespace {

TEST(Sha256, StandardExamples) {
  EXPECT_EQ(to_hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(to_hex(sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(to_hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(to_hex(sha256("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                          "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu")),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(to_hex(sha256(std::string(1'000'000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// 55 bytes fit into one block with their length, 56 do not; 64 fill it.
TEST(Sha256, EndOfABlock) {
  EXPECT_EQ(to_hex(sha256(std::string(55, 'a'))),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(to_hex(sha256(std::string(56, 'a'))),
            "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(to_hex(sha256(std::string(64, 'a'))),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

TEST(Sha256, EveryBitCounts) {
  std::set<std::string> digests;
  for (std::size_t bit = 0; bit < 8 * 70; ++bit) {
    std::string text(70, '\0');
    text[bit / 8] = static_cast<char>(1 << (bit % 8));
    digests.insert(to_hex(sha256(text)));
  }
  EXPECT_EQ(digests.size(), 8u * 70u);
}

}  // namespace
}  // namespace varia::expr::sha256_test
