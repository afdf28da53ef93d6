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
std::size_t place_of(const io::ColumnList& columns, const std::string& kind);

/// Those columns that a report shows: the first dozen of each kind, and the coordinates named in `needed`.
std::vector<std::size_t> shown_columns(const io::ColumnList& columns,
                                       const std::set<std::string>& needed);
io::ColumnList chosen(const io::ColumnList& columns, const std::vector<std::size_t>& places);
Table chosen(const Table& table, const std::vector<std::size_t>& places);

/// Of them what was recorded; errors are added by themselves.
void add_recorded(const io::ColumnList& columns, const Table& table, Json& out);

/// Energy, as error where it is conserved, and the changes of the momenta.
void add_errors(const io::Summary& summary, bool conserved, const io::ColumnList& columns,
                const Table& table, Json& out);

Json times(const Table& table);
Json verdict_rows(const io::Summary& summary);
Json head(const io::Scenario& scenario, const char* kind);
/// Of a list of a summary that has an entry for each coordinate.
inline constexpr std::size_t most_in_summary = 1000;
/// What to say of a summary that is shown in part; nothing if it is whole.
std::string note_of_part(const io::Summary& summary);
/// The page of a run: its data, and the summary as it is written to summary.json, long lists cut.
std::string page_of(const Json& data, const io::Summary& summary);

}  // namespace varia::report
