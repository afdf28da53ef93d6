// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The report of a run of a solid: one HTML file with the deforming mesh, the map of updates, energies
// and momenta. The page stays below about 12 MB: of too many frames every so many are shown.
#include <string>

#include "varia/io/solid_runner.hpp"

namespace varia::report {

std::string solid_report(const io::SolidModel& model, io::RecordReader& reader,
                         const io::SolidPicture& picture, const io::Summary& summary);

}  // namespace varia::report
