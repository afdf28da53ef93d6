// SPDX-License-Identifier: BSD-3-Clause
// Frames in a growing file: read back to the bit, continued after any number of them.
#include "varia/io/frame_log.hpp"

#include <gtest/gtest.h>

#include "adversity.hpp"
#include "refusal.hpp"
#include "varia/io/error.hpp"

namespace varia::io::frame_log_test {
namespace {

std::vector<float> frame(int number) {
  std::vector<float> floats(5);
  for (int i = 0; i < 5; ++i) floats[i] = static_cast<float>(number) + 0.1F * static_cast<float>(i);
  return floats;
}

/// So many frames in a file; returns what is known of the first `keep`.
EarlierFrames fill(const std::string& path, int count, int keep) {
  FrameLog log = FrameLog::create(path, 5);
  EarlierFrames kept;
  for (int i = 0; i < count; ++i) {
    log.append(0.1 * i, frame(i));
    if (i + 1 == keep) kept = log.written();
  }
  EXPECT_EQ(log.frames(), count);
  return kept;
}

void expect_frames(const FrameLog& log, int count) {
  ASSERT_EQ(log.frames(), count);
  std::vector<float> found;
  for (int i = count - 1; i >= 0; --i) {
    EXPECT_EQ(log.read(i, found), 0.1 * i);
    EXPECT_EQ(found, frame(i));
  }
}

TEST(FrameLog, ContinuesAfterAnyFrame) {
  const Folder folder;
  for (int keep = 0; keep <= 4; ++keep) {
    const EarlierFrames kept = fill(folder / "f", 4, keep);
    // a writer that was killed leaves half a frame
    put_content(folder / "f", content_of(folder / "f") + "half");
    FrameLog log = FrameLog::open_and_truncate(folder / "f", 5, kept);
    for (int i = keep; i < 6; ++i) log.append(0.1 * i, frame(i));
    log.flush();
    expect_frames(log, 6);
    EXPECT_EQ(log.written().checksum, fill(folder / "whole", 6, 6).checksum);
    EXPECT_EQ(content_of(folder / "f"), content_of(folder / "whole"));
  }
}

TEST(FrameLog, IsEmptyUntilItsFirstFrame) {
  const Folder folder;
  FrameLog log = FrameLog::create(folder / "f", 5);
  EXPECT_EQ(content_of(folder / "f"), "");
  log.append(0.0, frame(0));
  expect_frames(log, 1);
}

/// Every single bit counts, in times as well as in floats, and a refused file stays as it is.
TEST(FrameLog, RefusesDamagedFrames) {
  const Folder folder;
  const EarlierFrames three = fill(folder / "f", 4, 3);
  const std::string whole = content_of(folder / "f");
  const std::size_t head = 16, size = (whole.size() - head) / 4;
  const auto answer = [&](const std::string& content) {
    put_content(folder / "f", content);
    const std::string check = refusal<IoError>([&] { FrameLog::check(folder / "f", 5, three); });
    EXPECT_EQ(refusal<IoError>([&] { FrameLog::open_and_truncate(folder / "f", 5, three); }),
              check);
    EXPECT_EQ(content_of(folder / "f"), content);
    return check;
  };
  for (std::size_t byte = head; byte < head + 3 * size; ++byte) {
    std::string damaged = whole;
    damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << (byte % 8)));
    const std::string text = answer(damaged);
    expect_has(text, folder / "f");
    expect_words(text, {"damaged", "checksum"});
  }
  for (std::size_t length = 1; length < head + 3 * size; length += 5)
    EXPECT_FALSE(answer(whole.substr(0, length)).empty()) << length;
  expect_words(answer(whole.substr(0, head + 3 * size - 1)), {"fewer than the 3 frames"});
  const std::string exchanged = whole.substr(0, head) + whole.substr(head + size, size) +
                                whole.substr(head, size) + whole.substr(head + 2 * size);
  expect_words(answer(exchanged), {"checksum"});
  // what comes after the checkpoint does not matter
  std::string later = whole;
  later.back() = static_cast<char>(later.back() ^ 1);
  put_content(folder / "f", later);
  FrameLog::check(folder / "f", 5, three);
  expect_frames(FrameLog::open_and_truncate(folder / "f", 5, three), 3);
}

TEST(FrameLog, RefusesWhatIsNotIts) {
  const Folder folder;
  const EarlierFrames two = fill(folder / "f", 2, 2);
  expect_has(refusal<IoError>([&] { FrameLog::open_and_truncate(folder / "f", 6, two); }),
             "this run");
  put_content(folder / "g", "something else entirely");
  refusal<IoError>([&] { FrameLog::open_and_truncate(folder / "g", 5, two); });
  refusal<IoError>([&] { FrameLog::check(folder / "nowhere", 5, two); });
  FrameLog log = FrameLog::open_and_truncate(folder / "f", 5, two);
  refusal([&] { log.append(1.0, {1.0F}); });
  expect_frames(log, 2);
  log.remove();
  EXPECT_FALSE(fs::exists(folder / "f"));
}

}  // namespace
}  // namespace varia::io::frame_log_test
