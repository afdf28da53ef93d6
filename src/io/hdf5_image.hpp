// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A checkpoint as the bytes of an HDF5 file in memory: HDF5 itself touches no disk, so that no
// failure of a disk reaches it.
#include <string>
#include <string_view>

#include "varia/io/checkpoint.hpp"

namespace varia::io {

std::string hdf5_image(const Checkpoint& checkpoint, const std::string& path);

Checkpoint from_hdf5_image(std::string_view image, const std::string& path);

}  // namespace varia::io
