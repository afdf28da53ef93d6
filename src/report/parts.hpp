// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Parts that the reports of all kinds of runs have: columns, verdicts, the head.
#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "varia/io/records.hpp"
#include "varia/io/scenario.hpp"
#include "varia/io/summary.hpp"

namespace varia::report {

using Json = nlohmann::ordered_json;
using Table = std::vector<std::vector<double>>;

inline constexpr long most_points = 3000;
inline constexpr int most_columns = 12;  // of one kind

/// Enough digits for a screen, few bytes in the file.
double rounded(double x, int digits);

Json column(const std::string& name, const std::string& kind, const std::string& unit,
            const Table& table, const std::function<double(const std::vector<double>&)>& value,
            int digits);

/// The first column of a kind.
std::size_t place_of(const std::vector<io::Column>& columns, const std::string& kind);

/// Recorded columns: the first dozen of each kind, and the coordinates named in `needed`.
void add_recorded(const std::vector<io::Column>& columns, const std::set<std::string>& needed,
                  const Table& table, Json& out);

/// Energy, as error where it is conserved, and the changes of the momenta.
void add_errors(const io::Summary& summary, bool conserved, const std::vector<io::Column>& columns,
                const Table& table, Json& out);

Json times(const Table& table);
Json verdict_rows(const io::Summary& summary);
Json head(const io::Scenario& scenario, const char* kind);
/// The page of a run: its data, and the summary as it is written to summary.json.
std::string page_of(const Json& data, const io::Summary& summary);

}  // namespace varia::report
