// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Compiled modules kept from one run to the next, in a folder nobody else can write to.
//
// An entry KEY.so is the module followed by a trailer: a mark and the SHA-256 of key and module.
// Entries are written under another name and renamed, so that a reader sees a whole entry or
// none. What is read is checked, copied into memory once, and used from there.
#include <cstdint>
#include <optional>
#include <string>

#include "descriptor.hpp"

namespace varia::expr {

class Cache {
 public:
  static constexpr std::uint64_t largest_total = 256ull * 1024 * 1024;

  /// VARIA_CACHE_DIR, $XDG_CACHE_HOME/varia or $HOME/.cache/varia; made if it is missing.
  static Cache open();

  /// False if there is no folder that can be trusted; problem() says why.
  bool usable() const { return folder_.valid(); }
  const std::string& problem() const { return problem_; }

  /// The module stored under the key. None if there is no entry, or a damaged or foreign one;
  /// `problem` then says what is wrong with it.
  std::optional<std::string> load(const std::string& key, std::string& problem) const;

  /// Stores the module; the oldest others are removed when all together exceed `most` bytes.
  /// What went wrong, or nothing.
  std::string store(const std::string& key, const std::string& module,
                    std::uint64_t most = largest_total) const;

  /// The file of a key, for messages.
  std::string path(const std::string& key) const { return path_ + '/' + key + ".so"; }

 private:
  void trim(const std::string& newest, std::uint64_t most) const;

  std::string path_, problem_;
  Descriptor folder_;
};

}  // namespace varia::expr
