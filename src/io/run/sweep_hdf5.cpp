// SPDX-License-Identifier: BSD-3-Clause
// The table of a sweep as HDF5, and back.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "../files/hdf5_file.hpp"
#include "varia/core/version.hpp"
#include "varia/io/atomic_file.hpp"
#include "varia/io/error.hpp"
#include "varia/io/sweep_table.hpp"

namespace varia::io {

namespace {

constexpr const char* no_dataset = "cannot make a dataset";

/// A compressed dataset of so many rows and, unless columns is 0, columns.
Hdf5Dataset make_dataset(const Hdf5File& file, const std::string& name, hid_t type, hsize_t rows,
                         hsize_t columns) {
  const std::string& path = file.name();
  const std::array<hsize_t, 2> size{rows, columns};
  const int rank = columns == 0 ? 1 : 2;
  const Hdf5Space space(checked(H5Screate_simple(rank, size.data(), nullptr), path, no_dataset));
  const Hdf5Properties link(checked(H5Pcreate(H5P_LINK_CREATE), path, no_dataset));
  checked(H5Pset_create_intermediate_group(link.id(), 1), path, no_dataset);
  const Hdf5Properties creation(checked(H5Pcreate(H5P_DATASET_CREATE), path, no_dataset));
  checked(H5Pset_obj_track_times(creation.id(), false), path, no_dataset);
  if (rows > 0) {
    const std::array<hsize_t, 2> chunk{std::min<hsize_t>(rows, 1024), columns};
    checked(H5Pset_chunk(creation.id(), rank, chunk.data()), path, no_dataset);
    checked(H5Pset_deflate(creation.id(), 1), path, no_dataset);
  }
  return Hdf5Dataset(checked(
      H5Dcreate2(file.id(), name.c_str(), type, space.id(), link.id(), creation.id(), H5P_DEFAULT),
      path, no_dataset));
}

void write_data(const Hdf5File& file, const Hdf5Dataset& dataset, hid_t type, const void* data) {
  checked(H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), file.name(),
          "cannot write a dataset");
}

Hdf5Dataset write_strings(const Hdf5File& file, const std::string& name,
                          const std::vector<std::string>& texts) {
  const Hdf5Type type = utf8_strings();
  Hdf5Dataset dataset = make_dataset(file, name, type.id(), texts.size(), 0);
  std::vector<const char*> pointers;
  pointers.reserve(texts.size());
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  if (!texts.empty()) write_data(file, dataset, type.id(), pointers.data());
  return dataset;
}

template <class Get> std::vector<std::string> texts_of(const SweepTable& table, const Get& get) {
  std::vector<std::string> texts;
  for (const SweepTable::Row& row : table.rows()) texts.push_back(get(row));
  return texts;
}

double number_in(const std::string& text) {
  double x = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), x);
  return x;
}

void write_axis(const Hdf5File& file, const SweepTable& table, std::size_t k) {
  const SweepTable::Axis& axis = table.axes[k];
  const std::string name = "varied/" + std::to_string(k);
  const auto texts = texts_of(table, [k](const SweepTable::Row& row) { return row.values[k]; });
  Hdf5Dataset dataset;
  if (axis.numbers) {
    std::vector<double> numbers;
    numbers.reserve(texts.size());
    for (const std::string& text : texts) numbers.push_back(number_in(text));
    dataset = make_dataset(file, name, H5T_IEEE_F64LE, numbers.size(), 0);
    if (!numbers.empty()) write_data(file, dataset, H5T_NATIVE_DOUBLE, numbers.data());
  } else {
    dataset = write_strings(file, name, texts);
  }
  write_text(dataset.id(), "name", axis.name, file.name());
  write_text(dataset.id(), "key", axis.key, file.name());
}

void write_numbers(const Hdf5File& file, const SweepTable& table) {
  const std::size_t columns = table.columns().size();
  if (columns == 0) return;  // no case was done
  std::vector<double> numbers;
  std::vector<std::uint8_t> present;
  for (const SweepTable::Row& row : table.rows())
    for (const std::optional<double>& number : table.by_column(row)) {
      numbers.push_back(number.value_or(0.0));
      present.push_back(number ? 1 : 0);
    }
  const hsize_t rows = table.rows().size();
  const Hdf5Dataset values = make_dataset(file, "numbers", H5T_IEEE_F64LE, rows, columns);
  write_texts(values.id(), "columns", table.columns(), file.name());
  write_data(file, values, H5T_NATIVE_DOUBLE, numbers.data());
  const Hdf5Dataset mask = make_dataset(file, "present", H5T_STD_U8LE, rows, columns);
  write_data(file, mask, H5T_NATIVE_UINT8, present.data());
}

void describe_table(const Hdf5File& file, const SweepTable& table) {
  const std::string& path = file.name();
  write_text(file.id(), "varia", std::string(version), path);
  write_text(file.id(), "kind", "sweep", path);
  write_text(file.id(), "title", table.title, path);
  write_text(file.id(), "name", table.name, path);
  write_text(file.id(), "scenario", table.scenario, path);
  write_text(file.id(), "request", table.request, path);
  write_integers(file.id(), "cases", {table.cases}, path);
  write_integers(file.id(), "part", {table.part}, path);
  write_integers(file.id(), "of", {table.of}, path);
}

// Reading.

Hdf5Dataset open_dataset(const Hdf5File& file, const std::string& name) {
  return Hdf5Dataset(checked(H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT), file.name(),
                             ("cannot read the dataset " + name).c_str()));
}

std::size_t entries(const Hdf5File& file, const Hdf5Dataset& dataset) {
  const Hdf5Space space(checked(H5Dget_space(dataset.id()), file.name(), "cannot read a dataset"));
  return static_cast<std::size_t>(
      checked(H5Sget_simple_extent_npoints(space.id()), file.name(), "cannot read a dataset"));
}

template <class Number>
std::vector<Number> read_dataset(const Hdf5File& file, const Hdf5Dataset& dataset, hid_t type) {
  std::vector<Number> numbers(entries(file, dataset));
  checked(H5Dread(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), file.name(),
          "cannot read a dataset");
  return numbers;
}

bool holds_texts(const Hdf5File& file, const Hdf5Dataset& dataset) {
  const Hdf5Type type(checked(H5Dget_type(dataset.id()), file.name(), "cannot read a dataset"));
  return H5Tis_variable_str(type.id()) > 0;
}

std::vector<std::string> read_strings(const Hdf5File& file, const Hdf5Dataset& dataset) {
  if (!holds_texts(file, dataset)) throw IoError(file.name(), "a dataset of texts holds none");
  const Hdf5Type type = utf8_strings();
  auto pointers = read_dataset<char*>(file, dataset, type.id());
  std::vector<std::string> texts;
  texts.reserve(pointers.size());
  for (const char* pointer : pointers) texts.emplace_back(pointer == nullptr ? "" : pointer);
  const Hdf5Space space(checked(H5Dget_space(dataset.id()), file.name(), "cannot read a dataset"));
  H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, pointers.data());
  return texts;
}

/// The values of an axis as texts; numbers as the shortest text, which is how they were written.
std::vector<std::string> read_axis_values(const Hdf5File& file, const std::string& name,
                                          SweepTable::Axis& axis) {
  const Hdf5Dataset dataset = open_dataset(file, name);
  axis.name = read_texts(dataset.id(), "name", file.name()).at(0);
  axis.key = read_texts(dataset.id(), "key", file.name()).at(0);
  axis.numbers = !holds_texts(file, dataset);
  if (!axis.numbers) return read_strings(file, dataset);
  std::vector<std::string> texts;
  for (const double x : read_dataset<double>(file, dataset, H5T_NATIVE_DOUBLE))
    texts.push_back(varia::to_text(x));
  return texts;
}

struct ReadNumbers {
  std::vector<std::string> columns;
  std::vector<double> values;
  std::vector<std::uint8_t> present;
};

ReadNumbers read_numbers(const Hdf5File& file, std::size_t rows) {
  ReadNumbers result;
  if (H5Lexists(file.id(), "numbers", H5P_DEFAULT) <= 0) return result;
  const Hdf5Dataset values = open_dataset(file, "numbers");
  result.columns = read_texts(values.id(), "columns", file.name());
  result.values = read_dataset<double>(file, values, H5T_NATIVE_DOUBLE);
  result.present =
      read_dataset<std::uint8_t>(file, open_dataset(file, "present"), H5T_NATIVE_UINT8);
  if (result.values.size() != rows * result.columns.size() ||
      result.present.size() != result.values.size())
    throw IoError(file.name(), "its datasets do not match each other");
  return result;
}

void read_rows(const Hdf5File& file, SweepTable& table) {
  const auto cases = read_dataset<long>(file, open_dataset(file, "case"), H5T_NATIVE_LONG);
  const auto status = read_strings(file, open_dataset(file, "status"));
  const auto message = read_strings(file, open_dataset(file, "message"));
  const auto evaluation = read_strings(file, open_dataset(file, "evaluation"));
  std::vector<std::vector<std::string>> varied;
  for (const std::string name = "varied/";
       H5Lexists(file.id(), (name + std::to_string(varied.size())).c_str(), H5P_DEFAULT) > 0;) {
    table.axes.emplace_back();
    varied.push_back(
        read_axis_values(file, name + std::to_string(varied.size()), table.axes.back()));
  }
  const ReadNumbers numbers = read_numbers(file, cases.size());
  const auto fits = [&](const auto& list) { return list.size() == cases.size(); };
  if (!fits(status) || !fits(message) || !fits(evaluation) ||
      !std::all_of(varied.begin(), varied.end(), fits))
    throw IoError(file.name(), "its datasets do not match each other");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SweepRow row{cases[i] - 1, status[i], message[i], evaluation[i], {}};
    for (std::size_t k = 0; k < numbers.columns.size(); ++k)
      if (const std::size_t at = i * numbers.columns.size() + k; numbers.present[at] != 0)
        row.numbers.emplace_back(numbers.columns[k], numbers.values[at]);
    std::vector<std::string> values;
    values.reserve(varied.size());
    for (const auto& of_axis : varied) values.push_back(of_axis[i]);
    table.add(row, std::move(values));
  }
}

}  // namespace

void write_sweep_hdf5(const SweepTable& table, const std::string& path) {
  const QuietHdf5 quiet;
  AtomicPath target(path);
  Hdf5File file(target.temporary(), path, Hdf5File::Mode::create);
  describe_table(file, table);
  {
    std::vector<long> cases;
    for (const SweepTable::Row& row : table.rows()) cases.push_back(row.number + 1);
    const Hdf5Dataset numbers = make_dataset(file, "case", H5T_STD_I64LE, cases.size(), 0);
    if (!cases.empty()) write_data(file, numbers, H5T_NATIVE_LONG, cases.data());
  }
  for (std::size_t k = 0; k < table.axes.size(); ++k) write_axis(file, table, k);
  write_strings(file, "status", texts_of(table, [](const auto& row) { return row.status; }));
  write_strings(file, "message", texts_of(table, [](const auto& row) { return row.message; }));
  write_strings(file, "evaluation",
                texts_of(table, [](const auto& row) { return row.evaluation; }));
  write_numbers(file, table);
  file.close();
  target.commit();
}

SweepTable read_sweep_hdf5(const std::string& path) {
  const QuietHdf5 quiet;
  const Hdf5File file(path, path, Hdf5File::Mode::read);
  const auto text = [&](const char* name) { return read_texts(file.id(), name, path).at(0); };
  if (H5Aexists(file.id(), "kind") <= 0 || text("kind") != "sweep")
    throw IoError(path, "this is not the table of a sweep");
  SweepTable table;
  table.title = text("title");
  table.name = text("name");
  table.scenario = text("scenario");
  table.request = text("request");
  table.cases = read_integers(file.id(), "cases", path).at(0);
  table.part = read_integers(file.id(), "part", path).at(0);
  table.of = read_integers(file.id(), "of", path).at(0);
  read_rows(file, table);
  table.sort();
  return table;
}

}  // namespace varia::io
