// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A world of its own for tests of native code: cache and temporaries in a fresh folder that is
// removed at the end, environment variables put back as they were.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace varia::expr {

class Sandbox : public testing::Test {
 protected:
  Sandbox() {
    std::string path = testing::TempDir() + "/varia-test-XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary folder");
    root_ = path;
    std::filesystem::create_directory(root_ / "tmp");
    set("VARIA_CACHE_DIR", cache().string());
    set("TMPDIR", (root_ / "tmp").string());
    unset("VARIA_CC");
  }
  ~Sandbox() override {
    for (const auto& [name, value] : saved_) {
      if (value)
        ::setenv(name.c_str(), value->c_str(), 1);
      else
        ::unsetenv(name.c_str());
    }
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  void set(const std::string& name, const std::string& value) {
    save(name);
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  void unset(const std::string& name) {
    save(name);
    ::unsetenv(name.c_str());
  }

  std::filesystem::path root() const { return root_; }
  std::filesystem::path cache() const { return root_ / "cache"; }

  /// The names of what is in a folder, sorted.
  static std::vector<std::string> names(const std::filesystem::path& folder) {
    std::vector<std::string> result;
    for (const auto& item : std::filesystem::directory_iterator(folder))
      result.push_back(item.path().filename().string());
    std::sort(result.begin(), result.end());
    return result;
  }

  /// A program in place of the compiler.
  std::string script(const std::filesystem::path& path, const std::string& commands) const {
    std::ofstream(path) << "#!/bin/sh\n" << commands << '\n';
    ::chmod(path.c_str(), 0700);
    return path.string();
  }

  static std::string read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void write(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

 private:
  void save(const std::string& name) {
    if (saved_.count(name) > 0) return;
    const char* value = std::getenv(name.c_str());
    saved_[name] = value == nullptr ? std::nullopt : std::optional<std::string>(value);
  }

  std::filesystem::path root_;
  std::map<std::string, std::optional<std::string>> saved_;
};

}  // namespace varia::expr
