// SPDX-License-Identifier: BSD-3-Clause
// The pictures of a run: the report gets all of them, a restart continues them or is refused.
#include <gtest/gtest.h>

#include <map>

#include "adversity.hpp"
#include "refusal.hpp"
#include "solid_bodies.hpp"
#include "varia/io/error.hpp"

namespace varia::io::solid_frames_test {
namespace {

TEST(SolidFrames, TheReportHasItsFrames) {
  const Folder folder;
  const SolidModel m = spinning(2);
  long frames = 0, drawn = 0;
  std::int64_t updates = 0;
  double last = 0.0;
  const auto finish = [&](RecordReader& reader, const SolidPicture& p, Summary&) {
    EXPECT_EQ(reader.records(), 65);
    frames = p.frames.frames();
    drawn = static_cast<long>(p.drawing.triangle_count());
    for (const auto count : p.all_updates) updates += count;
    EXPECT_EQ(p.all_updates.size(), static_cast<std::size_t>(m.problem.mesh.element_count()));
    std::vector<float> frame;
    last = p.frames.read(frames - 1, frame);
    EXPECT_EQ(frame.size(), 4 * p.drawing.nodes.size() + p.drawing.triangle_count());
    for (std::size_t i = 2; i < 3 * p.drawing.nodes.size(); i += 3) EXPECT_EQ(frame[i], 0.0F);
  };
  const Summary s = run_in(m, folder.path(), "", -1, finish);
  EXPECT_EQ(frames, 5);
  EXPECT_EQ(drawn, m.problem.mesh.element_count());
  EXPECT_EQ(updates, s.updates->total);
  EXPECT_EQ(last, 4.0);
  EXPECT_FALSE(fs::exists(folder / "frames.partial"));
}

/// The frames of a run with a report, one text each.
std::vector<std::string> frames_of(const SolidModel& m, const std::string& directory,
                                   const std::string& restart = "", long interrupt_after = -1) {
  std::vector<std::string> frames;
  run_in(m, directory, restart, interrupt_after,
         [&](RecordReader&, const SolidPicture& p, Summary&) {
           std::vector<float> frame;
           for (long i = 0; i < p.frames.frames(); ++i) {
             const double t = p.frames.read(i, frame);
             frames.emplace_back(reinterpret_cast<const char*>(frame.data()),
                                 frame.size() * sizeof(float));
             frames.back() += varia::to_text(t);
           }
         });
  return frames;
}

std::map<std::string, std::string> files_in(const std::string& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(directory))
    files[entry.path().filename().string()] = content_of(entry.path().string());
  return files;
}

TEST(SolidFrames, FramesAreContinuedOrRefused) {
  const Folder whole, parts, other;
  SolidModel m = spinning(2);
  m.scenario.output.formats = {"csv", "h5"};
  const auto all = frames_of(m, whole.path());
  ASSERT_EQ(all.size(), 5U);
  EXPECT_GE(frames_of(m, parts.path(), "", 40).size(), 2U) << "interrupted";
  const std::string from = parts / "checkpoint.h5", log = parts / "frames.partial";
  const std::string good = content_of(log);
  EXPECT_EQ(frames_of(m, other.path(), from), all);

  const auto answer = [&](const std::string& frames) {
    put_content(log, frames);
    const auto before = files_in(parts.path());
    for (const std::string& out : {parts.path(), other / "new"}) {
      const std::string text = refusal<IoError>([&] { frames_of(m, out, from); });
      expect_has(text, log);
      expect_words(text, {"--restart", "frames before the checkpoint", "left as they are"});
    }
    EXPECT_EQ(files_in(parts.path()), before);
    EXPECT_FALSE(fs::exists(other / "new"));
  };
  std::string damaged = good;
  damaged[good.size() / 2] = static_cast<char>(damaged[good.size() / 2] ^ 4);
  answer(damaged);
  answer(good.substr(0, good.size() / 2));
  answer("frames of somebody else");

  put_content(log, "");  // of a run that was killed before its first frame: nothing is lost
  EXPECT_EQ(frames_of(m, other.path(), from).back(), all.back());
  put_content(log, good);
  EXPECT_EQ(frames_of(m, parts.path(), from), all);
}

}  // namespace
}  // namespace varia::io::solid_frames_test
