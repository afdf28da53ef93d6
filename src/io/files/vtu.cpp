// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/vtu.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "varia/io/atomic_file.hpp"
#include "varia/io/base64.hpp"

namespace varia::io {

namespace {

constexpr std::string_view vtk_byte_order =
    std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";

constexpr std::string_view type_name(double) { return "Float64"; }
constexpr std::string_view type_name(float) { return "Float32"; }
constexpr std::string_view type_name(std::int64_t) { return "Int64"; }
constexpr std::string_view type_name(int) { return "Int32"; }
constexpr std::string_view type_name(std::uint8_t) { return "UInt8"; }

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '"') {
      result += "&quot;";
    } else {
      result += c;
    }
  }
  return result;
}

/// XML elements of numbers, written a piece at a time: `count` numbers, number(i) the i-th.
class Writer {
 public:
  explicit Writer(const std::string& path) : file_(path) {}

  void text(std::string_view xml) { file_.append(xml); }

  template <class Number, class F>
  void numbers(std::string_view name, int components, std::size_t count, const F& number) {
    file_.append("<DataArray type=\"" + std::string(type_name(Number{})) + "\" Name=\"" +
                 escaped(name) + "\"");
    if (components > 1)  // with a 1, readers make a matrix of one column
      file_.append(" NumberOfComponents=\"" + std::to_string(components) + "\"");
    file_.append(" format=\"binary\">\n");
    const std::uint64_t bytes = count * sizeof(Number);
    encoder_.add(&bytes, sizeof bytes, buffer_);
    std::array<Number, 4096> piece;
    for (std::size_t i = 0; i < count; i += piece.size()) {
      const std::size_t n = std::min(piece.size(), count - i);
      for (std::size_t j = 0; j < n; ++j) piece[j] = number(i + j);
      encoder_.add(piece.data(), n * sizeof(Number), buffer_);
      flush();
    }
    encoder_.finish(buffer_);
    flush();
    file_.append("\n</DataArray>\n");
  }

  void commit() { file_.commit(); }

 private:
  void flush() {
    file_.append(buffer_);
    buffer_.clear();
  }

  AtomicPath file_;
  Base64 encoder_;
  std::string buffer_;
};

void check_size(const std::string& what, std::size_t found, std::size_t wanted) {
  if (found != wanted)
    throw InvalidArgument("vtu: " + what + " has " + std::to_string(found) + " numbers, " +
                          std::to_string(wanted) + " are needed");
}

void write_data(Writer& out, const char* tag, const std::vector<VtuArray>& arrays,
                std::size_t items) {
  out.text("<" + std::string(tag) + ">\n");
  for (const VtuArray& array : arrays)
    std::visit(
        [&](auto span) {
          check_size(array.name, span.size(), items * static_cast<std::size_t>(array.components));
          using Number = std::remove_cv_t<typename decltype(span)::element_type>;
          out.numbers<Number>(array.name, array.components, span.size(),
                              [&](std::size_t i) { return span[i]; });
        },
        array.numbers);
  out.text("</" + std::string(tag) + ">\n");
}

void write_points(Writer& out, const solids::Mesh& mesh) {
  const auto dimension = static_cast<std::size_t>(mesh.dimension());
  const auto nodes = static_cast<std::size_t>(mesh.node_count());
  out.text("<Points>\n");
  out.numbers<double>("Points", 3, 3 * nodes, [&](std::size_t i) {
    return i % 3 < dimension ? mesh.X[i / 3 * dimension + i % 3] : 0.0;
  });
  out.text("</Points>\n");
}

void write_cells(Writer& out, const solids::Mesh& mesh) {
  const auto count = static_cast<std::size_t>(mesh.element_count());
  const int nodes = mesh.nodes_per_element();
  const auto type = static_cast<std::uint8_t>(solids::info(mesh.shape).vtk);
  out.text("<Cells>\n");
  out.numbers<int>("connectivity", 1, mesh.elements.size(),
                   [&](std::size_t i) { return mesh.elements[i]; });
  out.numbers<std::int64_t>(
      "offsets", 1, count, [&](std::size_t i) { return static_cast<std::int64_t>(i + 1) * nodes; });
  out.numbers<std::uint8_t>("types", 1, count, [&](std::size_t) { return type; });
  out.text("</Cells>\n");
}

std::string file_head(const char* type) {
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"" + std::string(type) +
         "\" version=\"1.0\" byte_order=\"" + std::string(vtk_byte_order) +
         "\" header_type=\"UInt64\">\n";
}

}  // namespace

void write_vtu(const std::string& path, const VtuSnapshot& s) {
  const auto nodes = static_cast<std::size_t>(s.mesh.node_count());
  const auto cells = static_cast<std::size_t>(s.mesh.element_count());
  Writer out(path);
  out.text(file_head("UnstructuredGrid"));
  out.text(
      "<UnstructuredGrid>\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" "
      "NumberOfTuples=\"1\" format=\"ascii\">" +
      varia::to_text(s.t) + "</DataArray>\n</FieldData>\n<Piece NumberOfPoints=\"" +
      std::to_string(nodes) + "\" NumberOfCells=\"" + std::to_string(cells) + "\">\n");
  write_data(out, "PointData", s.points, nodes);
  write_data(out, "CellData", s.cells, cells);
  write_points(out, s.mesh);
  write_cells(out, s.mesh);
  out.text("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
  out.commit();
}

void write_pvd(const std::string& path,
               const std::vector<std::pair<double, std::string>>& snapshots) {
  std::string xml = file_head("Collection") + "<Collection>\n";
  for (const auto& [t, file] : snapshots)
    xml += "<DataSet timestep=\"" + varia::to_text(t) + "\" part=\"0\" file=\"" + escaped(file) +
           "\"/>\n";
  write_atomically(path, xml + "</Collection>\n</VTKFile>\n");
}

}  // namespace varia::io
