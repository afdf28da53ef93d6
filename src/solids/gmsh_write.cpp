// SPDX-License-Identifier: BSD-3-Clause
// A mesh as a file of Gmsh.
//
// Every region is an entity of the mesh's dimension, every boundary one of the dimension below
// (faces) or a point (nodes that are in none of its faces), each in a physical group of its own.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "varia/solids/gmsh.hpp"

namespace varia::solids {
namespace {

// Elements of one type in one entity and one group (0: none).
struct Block {
  int dimension = 0;
  int tag = 0;  // of the entity and of the group
  bool grouped = true;
  int type = 0;
  int nodes = 1;  // per element
  std::string name;
  std::vector<int> list;

  long count() const { return static_cast<long>(list.size()) / nodes; }
};

class Writer {
 public:
  Writer(const Mesh& mesh, bool binary) : mesh_(mesh), binary_(binary) { gather(); }

  std::string version22() {
    header("2.2");
    names();
    text("$Nodes\n" + std::to_string(mesh_.node_count()) + "\n");
    for (long a = 0; a < mesh_.node_count(); ++a) {
      int32(a + 1);
      point(a);
    }
    text(binary_ ? "\n$EndNodes\n" : "$EndNodes\n");
    elements22();
    return std::move(out_);
  }

  std::string version41() {
    header("4.1");
    names();
    entities();
    nodes41();
    elements41();
    return std::move(out_);
  }

 private:
  void gather();
  void gather_boundaries();
  void header(const std::string& version);
  void names();
  void entities();
  void nodes41();
  void elements41();
  void elements22();

  void text(const std::string& words) { out_ += words; }

  template <class T> void raw(T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out_.append(bytes, sizeof(T));
  }

  void word(const std::string& w) {
    if (!out_.empty() && out_.back() != '\n') out_ += ' ';
    out_ += w;
  }

  void int32(long value) {
    binary_ ? raw(static_cast<std::int32_t>(value)) : word(std::to_string(value));
  }
  void int64(long value) {
    binary_ ? raw(static_cast<std::int64_t>(value)) : word(std::to_string(value));
  }
  void real(double value) { binary_ ? raw(value) : word(to_text(value)); }
  void end_line() {
    if (!binary_) out_ += '\n';
  }

  void point(long a) {
    for (int d = 0; d < 3; ++d) real(d < mesh_.dimension() ? mesh_.node(a)[d] : 0.0);
    end_line();
  }

  void section(const std::string& name) { text("$" + name + "\n"); }
  void end_section(const std::string& name) { text((binary_ ? "\n$End" : "$End") + name + "\n"); }

  long element_total() const {
    long total = 0;
    for (const Block& b : blocks_) total += b.count();
    return total;
  }

  const Mesh& mesh_;
  bool binary_;
  std::string out_;
  std::vector<Block> blocks_;  // elements first, in their order; then boundaries
  std::vector<const Block*> entities_;
};

void Writer::gather() {
  const ShapeInfo& s = info(mesh_.shape);
  const bool regions =
      !mesh_.region.empty() &&
      std::any_of(mesh_.region.begin(), mesh_.region.end(), [](int r) { return r >= 0; });
  int last = -2;
  for (long k = 0; k < mesh_.element_count(); ++k) {
    const int region = regions ? mesh_.region[static_cast<std::size_t>(k)] : -1;
    if (regions && region < 0)
      throw MeshError("element " + std::to_string(element_number(mesh_, k)) +
                      " has no region but others have: the file could not say so");
    if (region != last)
      blocks_.push_back({s.dimension,
                         std::max(region + 1, 1),
                         regions,
                         s.gmsh,
                         s.nodes,
                         regions ? mesh_.region_names[static_cast<std::size_t>(region)] : "",
                         {}});
    last = region;
    for (int i = 0; i < s.nodes; ++i)
      blocks_.back().list.push_back(
          mesh_.element(k)[mesh_.shape == Shape::tet10 && i >= 8 ? 17 - i : i]);
  }
  gather_boundaries();
}

void Writer::gather_boundaries() {
  const ShapeInfo& s = info(mesh_.shape);
  int tag = 0;
  for (const Boundary& b : mesh_.boundaries) {
    ++tag;
    if (!b.faces.empty())
      blocks_.push_back({s.dimension - 1, tag, true, s.gmsh_face, s.face_nodes, b.name, b.faces});
    std::vector<int> of_faces = b.faces;
    std::sort(of_faces.begin(), of_faces.end());
    Block points{0, tag, true, 15, 1, b.name, {}};
    std::set_difference(b.nodes.begin(), b.nodes.end(), of_faces.begin(), of_faces.end(),
                        std::back_inserter(points.list));
    if (!points.list.empty()) blocks_.push_back(points);
  }
}

void Writer::header(const std::string& version) {
  text("$MeshFormat\n" + version + (binary_ ? " 1 8\n" : " 0 8\n"));
  if (binary_) {
    raw(std::int32_t{1});
    text("\n");
  }
  text("$EndMeshFormat\n");
}

// Each entity once; sorted by dimension, as the sections want it.
void Writer::names() {
  for (const Block& b : blocks_) {
    const auto same = [&b](const Block* other) {
      return other->dimension == b.dimension && other->tag == b.tag;
    };
    if (std::none_of(entities_.begin(), entities_.end(), same)) entities_.push_back(&b);
  }
  std::stable_sort(entities_.begin(), entities_.end(),
                   [](const Block* x, const Block* y) { return x->dimension < y->dimension; });
  std::string lines;
  long count = 0;
  for (const Block* b : entities_) {
    if (!b->grouped) continue;
    if (b->name.empty() || b->name.find_first_of("\"\n") != std::string::npos)
      throw MeshError("the name '" + b->name +
                      "' cannot be written: it is empty or has a quote or line end");
    lines += std::to_string(b->dimension) + " " + std::to_string(b->tag) + " \"" + b->name + "\"\n";
    ++count;
  }
  if (count > 0)
    text("$PhysicalNames\n" + std::to_string(count) + "\n" + lines + "$EndPhysicalNames\n");
}

void Writer::entities() {
  section("Entities");
  for (int d = 0; d <= 3; ++d)
    int64(std::count_if(entities_.begin(), entities_.end(),
                        [d](const Block* b) { return b->dimension == d; }));
  end_line();
  std::vector<double> box = bounding_box(mesh_);
  box.resize(6, 0.0);
  for (const Block* b : entities_) {
    int32(b->tag);
    for (std::size_t i = 0; i < 3; ++i) real(box[2 * i]);
    for (std::size_t i = 0; b->dimension > 0 && i < 3; ++i) real(box[2 * i + 1]);
    int64(b->grouped ? 1 : 0);
    if (b->grouped) int32(b->tag);
    if (b->dimension > 0) int64(0);  // what bounds the entity is not known
    end_line();
  }
  end_section("Entities");
}

void Writer::nodes41() {
  section("Nodes");
  for (const long x : {1L, mesh_.node_count(), 1L, mesh_.node_count()}) int64(x);
  end_line();
  for (const long x : {static_cast<long>(mesh_.dimension()), static_cast<long>(blocks_[0].tag), 0L})
    int32(x);
  int64(mesh_.node_count());
  end_line();
  for (long a = 0; a < mesh_.node_count(); ++a) {
    int64(a + 1);
    end_line();
  }
  for (long a = 0; a < mesh_.node_count(); ++a) point(a);
  end_section("Nodes");
}

void Writer::elements41() {
  section("Elements");
  const auto blocks = static_cast<long>(blocks_.size());
  for (const long x : {blocks, element_total(), 1L, element_total()}) int64(x);
  end_line();
  long number = 0;
  for (const Block& b : blocks_) {
    for (const int x : {b.dimension, b.tag, b.type}) int32(x);
    int64(b.count());
    end_line();
    for (std::size_t i = 0; i < b.list.size(); i += b.nodes) {
      int64(++number);
      for (int j = 0; j < b.nodes; ++j) int64(b.list[i + j] + 1L);
      end_line();
    }
  }
  end_section("Elements");
}

void Writer::elements22() {
  text("$Elements\n" + std::to_string(element_total()) + "\n");
  long number = 0;
  for (const Block& b : blocks_) {
    const int group = b.grouped ? b.tag : 0;
    if (binary_)
      for (const long x : {static_cast<long>(b.type), b.count(), 2L}) int32(x);
    for (std::size_t i = 0; i < b.list.size(); i += b.nodes) {
      int32(++number);
      if (!binary_)
        for (const int x : {b.type, 2}) int32(x);
      for (const int x : {group, b.tag}) int32(x);
      for (int j = 0; j < b.nodes; ++j) int32(b.list[i + j] + 1L);
      end_line();
    }
  }
  end_section("Elements");
}

}  // namespace

std::string gmsh_text(const Mesh& mesh, GmshVersion version, bool binary) {
  if (mesh.elements.empty()) throw MeshError("a mesh without elements cannot be written");
  Writer writer(mesh, binary);
  return version == GmshVersion::v22 ? writer.version22() : writer.version41();
}

void write_gmsh(const Mesh& mesh, const std::string& path, GmshVersion version, bool binary) {
  const std::string bytes = gmsh_text(mesh, version, binary);
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.flush();
  if (!file) throw MeshError("cannot write the mesh " + path);
}

}  // namespace varia::solids
