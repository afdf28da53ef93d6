// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5_layout.hpp"

#include <map>

#include "varia/core/error.hpp"

namespace varia::io {

std::string hdf5_link(const std::string& name) {
  if (name == "." || name == "..") return "_";
  std::string link = name;
  std::replace(link.begin(), link.end(), '/', '_');
  return link;
}

std::vector<Hdf5Part> hdf5_parts(const std::vector<Column>& columns) {
  std::vector<Hdf5Part> parts;
  std::map<std::string, std::size_t> places;  // of the datasets in the list
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    const bool alone = column.kind == "observe" || column.kind == "momentum";
    const bool matrix = !alone && column.kind != "t" && column.kind != "energy";
    const std::string dataset =
        alone ? (column.kind == "observe" ? "observe/" : "momenta/") + hdf5_link(column.name)
              : column.kind;
    const auto [place, is_new] = places.try_emplace(dataset, parts.size());
    if (is_new)
      parts.push_back({dataset, column.kind, matrix, {}});
    else if (!matrix)
      throw InvalidArgument(
          "the columns " + column.name + " and " +
          columns[static_cast<std::size_t>(parts[place->second].columns.front())].name +
          " would both be the dataset " + dataset + "; rename one of them");
    parts[place->second].columns.push_back(static_cast<long>(i));
  }
  return parts;
}

}  // namespace varia::io
