// SPDX-License-Identifier: BSD-3-Clause
#include "frames.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <tuple>
#include <utility>

#include "varia/io/drawing.hpp"
#include "varia/io/error.hpp"
#include "varia/io/vtu.hpp"

namespace varia::io {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_drawn = 40000;  // of the picture in the report

std::string snapshot_name(std::size_t number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "solid_%04zu.vtu", number);
  return text.data();
}

/// Is it solid_, at least four digits, .vtu?
bool is_snapshot(const std::string& name) {
  const std::string head = "solid_", tail = ".vtu";
  if (name.size() < head.size() + 4 + tail.size() || !name.starts_with(head) ||
      !name.ends_with(tail))
    return false;
  const std::string digits = name.substr(head.size(), name.size() - head.size() - tail.size());
  return digits.find_first_not_of("0123456789") == std::string::npos;
}

/// Numbers of nodes, `from` each, put where `order` says and filled up with 0 to three.
std::vector<double> in_space(const std::vector<double>& numbers, int from,
                             const std::vector<int>& order) {
  std::vector<double> all(order.size() * 3, 0.0);
  for (std::size_t a = 0; a < order.size(); ++a)
    for (int c = 0; c < from; ++c)
      all[static_cast<std::size_t>(order[a]) * 3 + static_cast<std::size_t>(c)] =
          numbers[a * static_cast<std::size_t>(from) + static_cast<std::size_t>(c)];
  return all;
}

}  // namespace

template <int D>
SolidFrames<D>::SolidFrames(const SolidModel& model, const solids::Solid<D>& solid,
                            FrameOptions options)
    : model_(model), solid_(solid), options_(std::move(options)) {
  if (options_.report) drawing_ = draw(solid.mesh, most_drawn);
  if (!options_.vtu) return;
  region_.resize(static_cast<std::size_t>(model.problem.mesh.element_count()));
  for (std::size_t r = 0; r < model.problem.regions.size(); ++r)
    for (const int k : model.problem.regions[r].elements)
      region_[static_cast<std::size_t>(k)] = static_cast<int>(r);
}

template <int D> void SolidFrames<D>::begin() {
  if (options_.report) log_.emplace(FrameLog::create(path("frames.partial"), floats()));
  std::vector<fs::path> old;
  for (const auto& entry : fs::directory_iterator(options_.directory))
    if (is_snapshot(entry.path().filename().string())) old.push_back(entry.path());
  std::error_code ignored;
  fs::remove(pvd(), ignored);
  for (const fs::path& file : old) fs::remove(file, ignored);
}

template <int D>
bool SolidFrames<D>::find(const EarlierFrames& frames, const std::string& from) const {
  const std::string earlier = from + "/frames.partial";
  std::error_code error;
  const auto size = fs::file_size(earlier, error);
  // an empty file is that of a run which was killed before its first frame
  if (!options_.report || frames.count == 0 || error || size == 0) return false;
  FrameLog::check(earlier, floats(), frames);
  return true;
}

/// Copies the snapshots, unless they are where they are needed; says which are not there.
template <int D> std::string SolidFrames<D>::resume_snapshots(const std::string& from) {
  std::string lost;
  const bool same_folder = fs::equivalent(from, options_.directory);
  std::error_code error;
  for (std::size_t i = 0; options_.vtu && i < times_.size(); ++i) {
    const std::string name = snapshot_name(i);
    if (!same_folder)
      fs::copy_file(fs::path(from) / name, path(name), fs::copy_options::overwrite_existing, error);
    if (fs::exists(path(name)))
      snapshots_.emplace_back(times_[i], name);
    else
      lost = "snapshots before the restart are no longer there";
  }
  return lost;
}

template <int D>
void SolidFrames<D>::resume_frames(const EarlierFrames& frames, const std::string& from) {
  const std::string to = path("frames.partial");
  if (find(frames, from)) {
    std::error_code error;
    if (!fs::equivalent(from, options_.directory))
      fs::copy_file(from + "/frames.partial", to, fs::copy_options::overwrite_existing, error);
    if (error) throw IoError(to, "cannot copy the earlier frames: " + error.message());
    log_.emplace(FrameLog::open_and_truncate(to, floats(), frames));
    return;
  }
  log_.emplace(FrameLog::create(to, floats()));
  if (drawing_.note.empty() && !times_.empty())
    drawing_.note = "Frames before the restart at t = " + varia::to_text(times_.back()) +
                    " are in the .vtu files only.";
}

template <int D>
std::string SolidFrames<D>::resume(const std::vector<double>& times, const EarlierFrames& frames,
                                   const std::string& from) {
  times_ = times;
  std::string lost = resume_snapshots(from);
  if (options_.report) resume_frames(frames, from);
  return lost;
}

template <int D> void SolidFrames<D>::find_stress(const std::vector<double>& x) {
  const auto elements = static_cast<std::size_t>(solid_.mesh.element_count());
  stress_.resize(6 * elements);
  von_mises_.resize(elements);
  for (std::size_t k = 0; k < elements; ++k) {
    const std::array<double, 6> sigma = solids::stress(solid_, static_cast<int>(k), x);
    for (std::size_t i = 0; i < 6; ++i) stress_[6 * k + i] = static_cast<float>(sigma[i]);
    von_mises_[k] = static_cast<float>(solids::von_mises(sigma));
  }
}

template <int D>
void SolidFrames<D>::write_snapshot(const SolidMotion<D>& motion,
                                    const terms::Synchronised<D>& at) {
  const solids::Mesh& mesh = model_.problem.mesh;
  const std::vector<int>& elements = solid_.order.elements;
  std::vector<double> moved(at.x.size());
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] = at.x[i] - solid_.mesh.X[i];
  const std::vector<double> u = in_space(moved, D, solid_.order.nodes);
  const std::vector<double> v = in_space(at.v, D, solid_.order.nodes);
  std::vector<float> stress(stress_.size()), von_mises(elements.size());
  std::vector<std::int64_t> updates(elements.size());
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const auto to = static_cast<std::size_t>(elements[k]);
    for (std::size_t i = 0; i < 6; ++i) stress[6 * to + i] = stress_[6 * k + i];
    von_mises[to] = von_mises_[k];
    updates[to] = motion.updates(static_cast<int>(k));
  }
  const std::string name = snapshot_name(times_.size());
  write_vtu(path(name), {mesh,
                         {{"displacement", 3, std::span<const double>(u)},
                          {"velocity", 3, std::span<const double>(v)}},
                         {{"stress", 6, std::span<const float>(stress)},
                          {"von_mises", 1, std::span<const float>(von_mises)},
                          {"updates", 1, std::span<const std::int64_t>(updates)},
                          {"region", 1, std::span<const int>(region_)}},
                         at.t});
  snapshots_.emplace_back(at.t, name);
}

template <int D> void SolidFrames<D>::write_frame(const terms::Synchronised<D>& at) {
  std::vector<float> frame;
  frame.reserve(floats());
  for (const int a : drawing_.nodes)
    for (int c = 0; c < 3; ++c)
      frame.push_back(c < D ? static_cast<float>(at.x[static_cast<std::size_t>(a) * D + c]) : 0.0F);
  for (const int k : drawing_.element) frame.push_back(von_mises_[static_cast<std::size_t>(k)]);
  for (const int a : drawing_.nodes) {
    double square = 0.0;
    for (int c = 0; c < D; ++c) {
      const double v = at.v[static_cast<std::size_t>(a) * D + c];
      square += v * v;
    }
    frame.push_back(static_cast<float>(std::sqrt(square)));
  }
  log_->append(at.t, frame);
}

template <int D>
void SolidFrames<D>::write(const SolidMotion<D>& motion, const terms::Synchronised<D>& at) {
  find_stress(at.x);
  if (options_.vtu) write_snapshot(motion, at);
  if (log_) write_frame(at);
  times_.push_back(at.t);
}

template <int D> void SolidFrames<D>::list() {
  if (options_.vtu) write_pvd(pvd(), snapshots_);
  if (log_) log_->flush();
}

template class SolidFrames<2>;
template class SolidFrames<3>;

namespace {

using solids::Mesh;

struct Triangle {
  std::array<int, 3> nodes;
  int element;
};

using Lines = std::vector<std::array<int, 2>>;

/// A triangle of three or six nodes: corners, then the middles of its sides.
void add(const std::vector<int>& n, int element, std::vector<Triangle>& triangles, Lines& lines) {
  const bool quadratic = n.size() == 6;
  for (std::size_t side = 0; side < 3; ++side) {
    const int a = n[side], b = n[(side + 1) % 3];
    if (quadratic) {
      lines.push_back({a, n[3 + side]});
      lines.push_back({n[3 + side], b});
      triangles.push_back({{a, n[3 + side], n[3 + (side + 2) % 3]}, element});
    } else {
      lines.push_back({a, b});
    }
  }
  triangles.push_back(
      {quadratic ? std::array<int, 3>{n[3], n[4], n[5]} : std::array<int, 3>{n[0], n[1], n[2]},
       element});
}

void collect(const Mesh& mesh, std::vector<Triangle>& triangles, Lines& lines) {
  if (mesh.dimension() == 2) {
    for (long k = 0; k < mesh.element_count(); ++k)
      add({mesh.element(k), mesh.element(k) + mesh.nodes_per_element()}, static_cast<int>(k),
          triangles, lines);
    return;
  }
  for (const solids::Face face : solids::boundary_faces(mesh))
    add(solids::nodes_of(mesh, face), face.element, triangles, lines);
}

/// Node -> the node that stands for all in its cell of a grid with so many cells along the longest side.
std::vector<int> representatives(const Mesh& mesh, const std::vector<Triangle>& drawn, long cells) {
  std::vector<bool> used(static_cast<std::size_t>(mesh.node_count()), false);
  for (const Triangle& t : drawn)
    for (const int a : t.nodes) used[static_cast<std::size_t>(a)] = true;
  const auto d = static_cast<std::size_t>(mesh.dimension());
  const std::vector<double> box = solids::bounding_box(mesh);
  double longest = 0.0;
  for (std::size_t c = 0; c < d; ++c) longest = std::max(longest, box[2 * c + 1] - box[2 * c]);
  std::vector<std::pair<long, int>> by_cell;
  for (long a = 0; a < mesh.node_count(); ++a) {
    if (!used[static_cast<std::size_t>(a)]) continue;
    long cell = 0;
    for (std::size_t c = 0; c < d; ++c) {
      const double place = (mesh.node(a)[c] - box[2 * c]) / longest * static_cast<double>(cells);
      cell = cell * (cells + 1) + static_cast<long>(place);
    }
    by_cell.emplace_back(cell, static_cast<int>(a));
  }
  std::sort(by_cell.begin(), by_cell.end());
  std::vector<int> stands(used.size());
  int first = 0;
  for (std::size_t i = 0; i < by_cell.size(); ++i) {
    const auto [cell, node] = by_cell[i];
    if (i == 0 || cell != by_cell[i - 1].first) first = node;
    stands[static_cast<std::size_t>(node)] = first;
  }
  return stands;
}

/// The triangles that keep three corners, each once.
std::vector<Triangle> coarsened(const std::vector<Triangle>& fine, const std::vector<int>& stands) {
  std::vector<Triangle> coarse;
  for (Triangle t : fine) {
    for (int& a : t.nodes) a = stands[static_cast<std::size_t>(a)];
    const auto& n = t.nodes;
    if (n[0] == n[1] || n[1] == n[2] || n[2] == n[0]) continue;
    std::rotate(t.nodes.begin(), std::min_element(t.nodes.begin(), t.nodes.end()), t.nodes.end());
    coarse.push_back(t);
  }
  std::sort(coarse.begin(), coarse.end(), [](const Triangle& a, const Triangle& b) {
    return std::tie(a.nodes, a.element) < std::tie(b.nodes, b.element);
  });
  const auto same = [](const Triangle& a, const Triangle& b) { return a.nodes == b.nodes; };
  coarse.erase(std::unique(coarse.begin(), coarse.end(), same), coarse.end());
  return coarse;
}

std::string coarsen(const Mesh& mesh, std::size_t most, std::vector<Triangle>& triangles,
                    Lines& lines) {
  const std::size_t all = triangles.size();
  if (all <= most) return {};
  auto cells = static_cast<long>(1.5 * std::sqrt(static_cast<double>(most)));
  std::vector<Triangle> coarse = coarsened(triangles, representatives(mesh, triangles, cells));
  while (coarse.size() > most && cells > 1) {
    cells = cells * 4 / 5;
    coarse = coarsened(triangles, representatives(mesh, triangles, cells));
  }
  triangles = std::move(coarse);
  lines.clear();
  for (const Triangle& t : triangles)
    for (std::size_t i = 0; i < 3; ++i) lines.push_back({t.nodes[i], t.nodes[(i + 1) % 3]});
  return "The mesh has " + std::to_string(all) +
         " triangles to draw; the picture shows a coarser one of " +
         std::to_string(triangles.size()) + ". The .vtu files hold all of them.";
}

/// Each line once, its smaller node first.
void make_unique(Lines& lines) {
  for (auto& line : lines)
    if (line[0] > line[1]) std::swap(line[0], line[1]);
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
}

}  // namespace

Drawing draw(const Mesh& mesh, std::size_t most_triangles) {
  std::vector<Triangle> triangles;
  Lines lines;
  collect(mesh, triangles, lines);
  Drawing drawing;
  drawing.note = coarsen(mesh, most_triangles, triangles, lines);
  make_unique(lines);
  std::vector<int> number(static_cast<std::size_t>(mesh.node_count()), -1);
  for (const Triangle& t : triangles)
    for (const int a : t.nodes) number[static_cast<std::size_t>(a)] = 0;
  for (std::size_t a = 0; a < number.size(); ++a) {
    if (number[a] < 0) continue;
    number[a] = static_cast<int>(drawing.nodes.size());
    drawing.nodes.push_back(static_cast<int>(a));
  }
  for (const Triangle& t : triangles) {
    for (const int a : t.nodes) drawing.triangles.push_back(number[static_cast<std::size_t>(a)]);
    drawing.element.push_back(t.element);
  }
  for (const auto& line : lines)
    for (const int a : line) drawing.edges.push_back(number[static_cast<std::size_t>(a)]);
  return drawing;
}

}  // namespace varia::io
