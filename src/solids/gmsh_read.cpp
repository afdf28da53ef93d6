// SPDX-License-Identifier: BSD-3-Clause
// The sections of a mesh file, one after the other.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>

#include "gmsh_raw.hpp"
#include "varia/solids/gmsh.hpp"

namespace varia::solids {
namespace {

void read_format(GmshCursor& in, GmshRaw& raw) {
  in.expect("$MeshFormat");
  const std::string version(in.word());
  if (version != "2.2" && version != "4.1")
    in.fail("Gmsh format " + version.substr(0, 20) +
            "; 2.2 and 4.1 can be read (convert with: gmsh file.msh -save -format msh41)");
  raw.version22 = version == "2.2";
  const long type = in.integer();
  if (type != 0 && type != 1)
    in.fail("the file type must be 0 (text) or 1 (binary), found " + std::to_string(type));
  const long size = in.integer();
  if (size != 8) in.fail("the data size must be 8, found " + std::to_string(size));
  if (type == 1) {
    in.end_of_line();
    in.binary = true;
    const long mark = in.raw_int32();
    if (mark != 1 && mark != 0x01000000)
      in.fail("the mark of the byte order must be 1, found " + std::to_string(mark));
    in.swapped = mark != 1;
  }
  in.expect("$EndMeshFormat");
}

void read_names(GmshCursor& in, GmshRaw& raw) {
  const long n = in.count(in.integer(), 8, 8, "names");
  for (long i = 0; i < n; ++i) {
    const long dim = in.integer();
    if (dim < 0 || dim > 3)
      in.fail("the dimension of a physical group must be 0 to 3, found " + std::to_string(dim));
    const int tag = physical_tag(in, in.integer());
    if (!raw.names.try_emplace({static_cast<int>(dim), tag}, in.quoted()).second)
      in.fail("physical group " + std::to_string(tag) + " has two names");
  }
}

void read_section(GmshCursor& in, GmshRaw& raw, const std::string& section) {
  const bool old = raw.version22;
  if (section == "$PartitionedEntities")
    in.fail("the mesh is partitioned; save it without partitions");
  if (section == "$PhysicalNames") {
    read_names(in, raw);
  } else if (section == "$Entities" && !old) {
    in.end_of_line();
    read_entities41(in, raw);
  } else if (section == "$Nodes") {
    in.end_of_line();
    old ? read_nodes22(in, raw) : read_nodes41(in, raw);
  } else if (section == "$Elements") {
    in.end_of_line();
    old ? read_elements22(in, raw) : read_elements41(in, raw);
  } else {  // data, periodicity, comments
    in.skip_past("$End" + section.substr(1));
    return;
  }
  in.expect("$End" + section.substr(1));
}

GmshRaw read_raw(GmshCursor& in) {
  GmshRaw raw;
  read_format(in, raw);
  std::set<std::string> seen;
  while (!in.at_end()) {
    const std::string section(in.word());
    if (section[0] != '$' || section.size() < 2 || section.size() > 100)
      in.fail("expected a section such as $Nodes");
    const bool once = section == "$PhysicalNames" || section == "$Entities" ||
                      section == "$Nodes" || section == "$Elements";
    if (once && !seen.insert(section).second) in.fail("there is a second section " + section);
    if (section == "$Entities" && seen.count("$Elements") > 0)
      in.fail("$Entities must come before $Elements, which are in its groups");
    read_section(in, raw, section);
  }
  for (const char* section : {"$Nodes", "$Elements"})
    if (seen.count(section) == 0) in.fail("the file has no section " + std::string(section));
  return raw;
}

}  // namespace

const GmshType& known_type(const GmshCursor& in, long number) {
  const GmshType* type = gmsh_type(number);
  if (type == nullptr)
    in.fail("there is no element type " + std::to_string(number) +
            "; triangles (2, 9) and tetrahedra (4, 11) can be used");
  return *type;
}

int small_tag(const GmshCursor& in, long tag) {
  if (tag < -2147483647L || tag > 2147483647L)
    in.fail("the tag " + std::to_string(tag) + " is out of range");
  return static_cast<int>(tag);
}

int physical_tag(const GmshCursor& in, long tag) { return std::abs(small_tag(in, tag)); }

Mesh parse_gmsh(const std::string& bytes, const std::string& name) {
  GmshCursor in(bytes, name);
  GmshRaw raw = read_raw(in);
  try {
    Mesh mesh = build_mesh(std::move(raw));
    validate(mesh);
    return mesh;
  } catch (const MeshError& error) {
    throw MeshError(name + ": " + error.what());
  }
}

Mesh read_gmsh(const std::string& path) {
  const auto refuse = [&path](const std::string& why) {
    throw MeshError("cannot read the mesh " + path + ": " + why);
  };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) refuse("there is no such file");
  if (!std::filesystem::is_regular_file(status)) refuse("it is not a file");
  const auto size = std::filesystem::file_size(path, error);
  if (error) refuse(error.message());
  std::string bytes(size, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse("it cannot be opened");
  file.read(bytes.data(), static_cast<std::streamsize>(size));
  if (!file) refuse("it ended or failed while it was read");
  return parse_gmsh(bytes, path);
}

}  // namespace varia::solids
