// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace varia {

/// The folder of the sources, written by CMake; __FILE__ may be relative to the folder of the build.
extern const char* const source_folder;

}  // namespace varia
