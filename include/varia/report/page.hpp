// SPDX-License-Identifier: BSD-3-Clause
// The report page: one HTML file that needs nothing else, with the data of a run inside.
#pragma once
#include <string>

namespace varia::report {

/// The page with the data in its element `<script type="application/json" id="data">`.
/// json: a JSON text as described in report/README.md. It is not parsed here, but whatever it
/// holds cannot leave that element: "<" occurs in JSON inside strings only and is written as \u003c.
std::string report_page(const std::string& json);

}  // namespace varia::report
