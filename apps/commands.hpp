// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The verbs and options of the program as data. They are stated once, for the parser of the command line;
// help, completion scripts and the manual page are made from that statement.
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace varia::apps {

struct CommandOption {
  std::vector<std::string> names;  ///< --help, -h; of a positional argument its one name, FILE
  std::string value;               ///< what it takes, such as DIR or grid|list; "" for a flag
  std::string meaning;
  bool positional = false, repeated = false;

  /// The words that may be given, where they are known: those of grid|list.
  std::vector<std::string> words() const;
  /// What the value is: the name of a positional argument, else that of the value.
  const std::string& kind() const { return positional ? names.front() : value; }
};

struct Command {
  std::string name, summary, footer;
  std::vector<CommandOption> options;
};

/// The verbs, and first the program itself.
std::vector<Command> commands(const CLI::App& app);

/// A name and what it means: of an exit code, of an environment variable.
struct Fact {
  std::string name, meaning;
};
std::vector<Fact> exit_codes();
std::vector<Fact> environment();

/// varia completion: prints the script for a shell.
int completion(const std::vector<Command>& commands, const std::string& shell);
/// varia man: prints the manual page.
int man_page(const std::vector<Command>& commands);

}  // namespace varia::apps
