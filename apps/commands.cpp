// SPDX-License-Identifier: BSD-3-Clause
#include "commands.hpp"

#include <CLI/CLI.hpp>

namespace varia::apps {

namespace {

CommandOption as_data(const CLI::Option& option) {
  CommandOption data;
  data.positional = option.get_positional();
  data.meaning = option.get_description();
  data.repeated = option.get_items_expected_max() > 1;
  if (data.positional) data.names.push_back(option.get_name(true));
  for (const std::string& name : option.get_lnames()) data.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) data.names.push_back("-" + name);
  const std::string type = option.get_type_name();  // behind a colon: the check of the value
  if (data.positional || option.get_items_expected_max() > 0)
    data.value = type.substr(0, type.find(':'));
  return data;
}

Command command_of(const CLI::App& app) {
  Command command{app.get_name(), app.get_description(), app.get_footer(), {}};
  for (const CLI::Option* option : app.get_options()) command.options.push_back(as_data(*option));
  return command;
}

}  // namespace

std::vector<std::string> CommandOption::words() const {
  std::vector<std::string> list;
  if (value.find('|') == std::string::npos) return list;
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find('|', begin), value.size());
    list.push_back(value.substr(begin, end - begin));
    begin = end + 1;
  }
  return list;
}

std::vector<Command> commands(const CLI::App& app) {
  std::vector<Command> list{command_of(app)};
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    list.push_back(command_of(*verb));
  return list;
}

std::vector<Fact> exit_codes() {
  return {{"0", "done"},
          {"2", "the request is wrong: usage, or the scenario"},
          {"3", "the numerics failed: a step was not solved, a check or a reproduction failed"},
          {"4", "a file cannot be read or written"},
          {"130", "interrupted; the outputs are valid"}};
}

std::vector<Fact> environment() {
  return {{"VARIA_GALLERY", "the folder of gallery:NAME"},
          {"VARIA_CC", "the compiler of native code"},
          {"VARIA_CACHE_DIR", "the folder of compiled formulas"},
          {"NO_COLOR", "when it is set and not empty, nothing is coloured"}};
}

}  // namespace varia::apps
