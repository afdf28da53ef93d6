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

void fill(const std::string& path, int count) {
  FrameLog log = FrameLog::create(path, 5);
  for (int i = 0; i < count; ++i) log.append(0.1 * i, frame(i));
  EXPECT_EQ(log.frames(), count);
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
    fill(folder / "f", 4);
    // a writer that was killed leaves half a frame
    put_content(folder / "f", content_of(folder / "f") + "half");
    FrameLog log = FrameLog::open_and_truncate(folder / "f", 5, keep);
    for (int i = keep; i < 6; ++i) log.append(0.1 * i, frame(i));
    log.flush();
    expect_frames(log, 6);
  }
}

TEST(FrameLog, RefusesWhatIsNotIts) {
  const Folder folder;
  fill(folder / "f", 2);
  expect_has(refusal<IoError>([&] { FrameLog::open_and_truncate(folder / "f", 5, 3); }),
             "3 frames");
  expect_has(refusal<IoError>([&] { FrameLog::open_and_truncate(folder / "f", 6, 1); }),
             "this run");
  put_content(folder / "g", "something else entirely");
  refusal<IoError>([&] { FrameLog::open_and_truncate(folder / "g", 5, 0); });
  put_content(folder / "h", "short");
  refusal<IoError>([&] { FrameLog::open_and_truncate(folder / "h", 5, 0); });
  FrameLog log = FrameLog::open_and_truncate(folder / "f", 5, 2);
  refusal([&] { log.append(1.0, {1.0F}); });
  expect_frames(log, 2);
  log.remove();
  EXPECT_FALSE(fs::exists(folder / "f"));
}

}  // namespace
}  // namespace varia::io::frame_log_test
