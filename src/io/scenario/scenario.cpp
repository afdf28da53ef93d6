// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/scenario.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <utility>

#include "document.hpp"
#include "reading.hpp"
#include "schema_tree.hpp"
#include "varia/io/error.hpp"
#include "words.hpp"

namespace varia::io {

namespace {

/// pendulum for dir/pendulum.toml, gallery:pendulum and pendulum.
std::string name_of(const std::string& file) {
  const std::string scheme = "gallery:";
  if (file.starts_with(scheme)) return file.substr(scheme.size());
  const std::string stem = std::filesystem::path(file).stem().string();
  // out/<name> must be a folder in out, not "." or ".."
  const bool usable = stem.find_first_not_of('.') != std::string::npos && stem.front() != '<';
  return usable ? stem : "scenario";
}

}  // namespace

Scenario parse_scenario(const std::string& text, const std::string& file,
                        const std::vector<std::string>& overrides) {
  return ScenarioSource(text, file).with(overrides);
}

ScenarioSource::ScenarioSource(std::string text, std::string file,
                               const std::vector<std::string>& left_out)
    : text_(std::move(text)), file_(std::move(file)) {
  Value document = parse_document(text_, file_);
  for (const std::string& name : left_out)
    std::erase_if(document.members, [&](const Member& member) { return member.key == name; });
  document_ = std::make_shared<const Value>(std::move(document));
}

Scenario ScenarioSource::with(const std::vector<std::string>& overrides) const {
  Value root = *document_;
  apply_overrides(root, overrides);
  check_schema(root);
  Scenario scenario;
  scenario.name = name_of(file_);
  const Value* title = root.find("title");
  scenario.title = title == nullptr ? scenario.name : title->text;
  scenario.text = text_;
  scenario.file = file_;
  scenario.overrides = overrides;
  scenario.settings = settings_of(root);
  if (const Value* solid = root.find("solid")) {
    scenario.solid = read_solid(*solid, *root.find("run"));
    scenario.run = read_end(*root.find("run"));
    scenario.output = read_output(*root.find("output"), solid_quantities(*scenario.solid));
  } else {
    scenario.system = read_system(*root.find("system"));
    leave_out_points(*root.find("run"), scenario.system);
    const bool controlled = root.find("control") != nullptr;
    if (controlled)
      scenario.control = read_control(root, scenario.system, scenario.start);
    else
      scenario.start = read_start(*root.find("start"), scenario.system);
    scenario.run = read_run(*root.find("run"));
    if (!controlled) {
      scenario.diagnose =
          read_diagnose(*root.find("diagnose"), recorded_names(scenario.system), scenario.system);
      scenario.events = read_events(root.find("event"));
    }
    scenario.output = read_output(*root.find("output"), recorded_names(scenario.system));
    scenario.scene = read_scene(*root.find("draw"));
    scenario.plots = read_plots(root.find("plot"));
  }
  scenario.reproduce = read_reproduce(*root.find("reproduce"), root);
  scenario.sweep = read_sweep(*root.find("sweep"), root);
  return scenario;
}

std::string full_text(const Scenario& scenario) {
  std::string text = scenario.text;
  if (!text.empty() && text.back() != '\n') text += '\n';
  for (const std::string& override : scenario.overrides) text += "# --set " + override + "\n";
  return text;
}

std::string place_text(const Place& place) {
  if (place.line == 0) return place.file;
  return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

ScenarioError::ScenarioError(Place where, std::string which, const std::string& message)
    : InvalidArgument(place_text(where) + ": " + (which.empty() ? "" : which + ": ") + message),
      place(std::move(where)),
      key(std::move(which)) {}

ScenarioError::ScenarioError(const Text& text, const std::string& message)
    : ScenarioError(text.place, text.key, message) {}

// Where scenario files are: a path, standard input, or the gallery.

extern const char* const source_gallery;  // written by CMake: the folder of the sources

namespace {

constexpr const char* gallery_prefix = "gallery:";

/// Reads one byte more than is allowed at most, so that the reader of the text sees the excess.
std::string read_all(std::istream& in, const std::string& path) {
  std::string text(max_scenario_bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) throw IoError(path, "cannot be read.");
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

std::string read_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw IoError(path, "is a directory, not a scenario file.");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw IoError(path, std::string("cannot be opened: ") + std::strerror(errno) + ".");
  return read_all(in, path);
}

std::string gallery_file(const std::string& file) {
  const std::string name = file.substr(std::strlen(gallery_prefix));
  const std::vector<std::string> names = gallery_names();
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw ScenarioError({shown(file)}, "",
                        "there is no such scenario in the gallery; there are: " +
                            listed(names, names.size()) + "." + did_you_mean(name, names));
  return (std::filesystem::path(gallery_directory()) / (name + ".toml")).string();
}

}  // namespace

std::string gallery_directory() {
  if (const char* directory = std::getenv("VARIA_GALLERY")) return directory;
  std::error_code error;  // an installed program: bin/varia, share/varia/gallery
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto installed = program.parent_path().parent_path() / "share" / "varia" / "gallery";
  if (!error && std::filesystem::is_directory(installed, error)) return installed.string();
  return source_gallery;
}

std::vector<std::string> gallery_names() {
  const std::string directory = gallery_directory();
  if (directory.empty())
    throw IoError("gallery", "no gallery is known; set VARIA_GALLERY to its folder.");
  std::error_code error;
  std::vector<std::string> names;
  std::filesystem::directory_iterator entry(directory, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error))
    if (entry->path().extension() == ".toml") names.push_back(entry->path().stem().string());
  if (error) throw IoError(directory, "the gallery cannot be read: " + error.message() + ".");
  std::sort(names.begin(), names.end());
  return names;
}

std::string path_beside(const Scenario& scenario, const std::string& file) {
  const std::filesystem::path path(file);
  if (path.is_absolute() || scenario.file == "<stdin>") return file;
  if (scenario.file.starts_with(gallery_prefix))
    return (std::filesystem::path(gallery_directory()) / path).string();
  return (std::filesystem::path(scenario.file).parent_path() / path).string();
}

std::string read_regular_file(const std::string& path, std::size_t most_bytes) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw IoError(path, "is a directory.");
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
    throw IoError(path, "is a pipe or a device.");  // opening one may wait for ever
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw IoError(path, std::string("cannot be opened: ") + std::strerror(errno) + ".");
  if (std::filesystem::file_size(path, error) > most_bytes || error)
    throw IoError(path, "is larger than " + std::to_string(most_bytes) + " bytes.");
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) throw IoError(path, "cannot be read.");
  return text;
}

Scenario read_scenario(const std::string& file, const std::vector<std::string>& overrides) {
  if (file == "-") return parse_scenario(read_all(std::cin, "<stdin>"), "<stdin>", overrides);
  const std::string path = file.starts_with(gallery_prefix) ? gallery_file(file) : file;
  return parse_scenario(read_file(path), file, overrides);
}

}  // namespace varia::io
