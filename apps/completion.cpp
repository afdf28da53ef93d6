// SPDX-License-Identifier: BSD-3-Clause
// varia completion: what the shell offers after a part of a word. Scenarios of the gallery are asked for
// when they are needed; everything else is known when the script is written.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "commands.hpp"
#include "varia/core/error.hpp"
#include "varia/core/nearest.hpp"
#include "varia/methods/methods.hpp"
#include "verbs.hpp"

namespace varia::apps {

namespace {

/// How the values of an option are found.
enum class Source { none, words, files, folders, scenarios, gallery };

struct Offer {
  Source source = Source::none;
  std::vector<std::string> words;
};

Offer offer(const CommandOption& option) {
  std::vector<std::string> words = option.words();
  if (!words.empty()) return {Source::words, std::move(words)};
  const std::string& kind = option.kind();
  if (kind == "METHOD") {
    for (const Descriptor& method : method_list()) words.push_back(method.name);
    return {Source::words, std::move(words)};
  }
  if (kind == "FILE") return {Source::scenarios, {}};
  if (kind == "NAME") return {Source::gallery, {}};
  if (kind == "CHECKPOINT") return {Source::files, {}};
  return {kind == "DIR" ? Source::folders : Source::none, {}};
}

std::string spaced(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

/// In single quotes, for all three shells.
std::string in_shell_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// Of all options but positional ones.
std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> names;
  for (const CommandOption& option : command.options)
    if (!option.positional) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::vector<std::string> verb_names(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (auto verb = commands.begin() + 1; verb != commands.end(); ++verb)
    names.push_back(verb->name);
  return names;
}

/// The names of the gallery: the first words behind the line of titles.
constexpr const char* gallery_names_command =
    "varia list gallery 2>/dev/null | sed -e 1d -e 's/ .*//'";

/// How a shell writes an offer; {} stands for the words.
struct OfferForms {
  const char *words, *files, *folders, *scenarios, *gallery, *none;
};
constexpr OfferForms bash_forms{
    "words='{}'",
    "files=1",
    "folders=1",
    "files=1; [[ $cur == g* ]] && words=$(_varia_gallery | sed 's/^/gallery:/')",
    "words=$(_varia_gallery)",
    ":"};
constexpr OfferForms zsh_forms{"({})",           "_files", "_files -/", "_varia_scenarios",
                               "_varia_gallery", " "};
constexpr OfferForms fish_forms{" -a '{}'",
                                " -F",
                                " -a '(__fish_complete_directories)'",
                                " -F -a '(__varia_gallery | string replace -r \"^\" gallery:)'",
                                " -a '(__varia_gallery)'",
                                ""};

std::string written(const Offer& offer, const OfferForms& forms) {
  switch (offer.source) {
    case Source::words:
      return fmt::format(fmt::runtime(forms.words), spaced(offer.words));
    case Source::files:
      return forms.files;
    case Source::folders:
      return forms.folders;
    case Source::scenarios:
      return forms.scenarios;
    case Source::gallery:
      return forms.gallery;
    case Source::none:
      break;
  }
  return forms.none;
}

/// A word ends at a blank: bash itself also cuts gallery:kepler at the colon.
constexpr const char* bash_frame =
    R"shell(# bash completion of varia, printed by: varia completion bash
_varia_gallery() {{ {gallery}; }}
_varia() {{
  local line=${{COMP_LINE:0:COMP_POINT}} cur words='' files='' folders='' before verb previous
  cur=${{line##*[[:space:]]}}
  read -ra before <<<"${{line%"$cur"}}"
  verb=${{before[1]-}}
  previous=${{before[-1]}}
  if [[ -z $verb ]]; then
    words={verbs}
  elif [[ $cur == -* ]]; then
    case $verb in
{options}    esac
  else
    case "$verb $previous" in
{values}      *)
        case $verb in
{arguments}        esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  [[ -n $files ]] && COMPREPLY+=($(compgen -f -- "$cur"))
  [[ -n $folders ]] && COMPREPLY+=($(compgen -d -- "$cur"))
  [[ -n $files$folders ]] && compopt -o filenames 2>/dev/null
  if [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]]; then
    local i
    for i in "${{!COMPREPLY[@]}}"; do COMPREPLY[i]=${{COMPREPLY[i]#"${{cur%:*}}:"}}; done
  fi
}}
complete -F _varia varia
)shell";

std::string bash_script(const std::vector<Command>& commands) {
  std::string options, values, arguments;
  for (auto verb = commands.begin() + 1; verb != commands.end(); ++verb) {
    options += fmt::format("      {}) words='{}' ;;\n", verb->name, spaced(option_names(*verb)));
    for (const CommandOption& option : verb->options) {
      if (option.positional)
        arguments +=
            fmt::format("          {}) {} ;;\n", verb->name, written(offer(option), bash_forms));
      else if (!option.value.empty())
        values += fmt::format("      '{} {}') {} ;;\n", verb->name, option.names.front(),
                              written(offer(option), bash_forms));
    }
  }
  std::vector<std::string> first = verb_names(commands);
  for (const std::string& name : option_names(commands.front())) first.push_back(name);
  return fmt::format(bash_frame, fmt::arg("gallery", gallery_names_command),
                     fmt::arg("verbs", in_shell_quotes(spaced(first))),
                     fmt::arg("options", options), fmt::arg("values", values),
                     fmt::arg("arguments", arguments));
}

/// Signs that mean something in a specification of _arguments.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

/// '--out[folder]:DIR:_files -/'; a positional argument is '*:FILE:_varia_scenarios'.
std::string zsh_specification(const CommandOption& option, const std::string& name) {
  if (option.positional)
    return in_shell_quotes("*:" + zsh_text(name) + ":" + written(offer(option), zsh_forms));
  std::string text = (option.repeated ? "*" : "") + name + "[" + zsh_text(option.meaning) + "]";
  if (!option.value.empty())
    text += ":" + zsh_text(option.value) + ":" + written(offer(option), zsh_forms);
  return in_shell_quotes(text);
}

constexpr const char* zsh_frame = R"shell(#compdef varia
# zsh completion of varia, printed by: varia completion zsh
_varia_gallery() {{
  local -a names
  names=(${{(f)"$({gallery})"}})
  compadd -a names
}}
_varia_scenarios() {{
  local -a names
  names=(gallery:${{^${{(f)"$({gallery})"}}}})
  compadd -a names
  _files
}}
_varia() {{
  local curcontext="$curcontext" state line
  local -a verbs
  verbs=(
{verbs}  )
  _arguments -C {first} '1:verb:->verb' '*::argument:->argument'
  case $state in
    verb) _describe verb verbs ;;
    argument)
      case $line[1] in
{arguments}      esac ;;
  esac
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _varia "$@"; else compdef _varia varia; fi
)shell";

std::string zsh_options(const Command& command) {
  std::string text;
  for (const CommandOption& option : command.options)
    for (const std::string& name : option.names)
      text += (text.empty() ? "" : " ") + zsh_specification(option, name);
  return text;
}

std::string zsh_script(const std::vector<Command>& commands) {
  std::string verbs, arguments;
  for (auto verb = commands.begin() + 1; verb != commands.end(); ++verb) {
    verbs += "    " + in_shell_quotes(verb->name + ":" + zsh_text(verb->summary)) + "\n";
    arguments += fmt::format("        {}) _arguments {} ;;\n", verb->name, zsh_options(*verb));
  }
  return fmt::format(zsh_frame, fmt::arg("gallery", gallery_names_command),
                     fmt::arg("verbs", verbs), fmt::arg("first", zsh_options(commands.front())),
                     fmt::arg("arguments", arguments));
}

/// One line of `complete`; `when` is a condition of fish.
std::string fish_option(const CommandOption& option, const std::string& when) {
  std::string text = "complete -c varia -n " + in_shell_quotes(when);
  if (!option.positional) {
    for (const std::string& name : option.names)
      text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    text += " -d " + in_shell_quotes(option.meaning);
    if (!option.value.empty()) text += offer(option).source == Source::files ? " -r" : " -x";
  }
  return text + written(offer(option), fish_forms) + "\n";
}

std::string fish_script(const std::vector<Command>& commands) {
  std::string text =
      "# fish completion of varia, printed by: varia completion fish\n"
      "function __varia_gallery\n  " +
      std::string(gallery_names_command) + "\nend\ncomplete -c varia -f\n";
  for (const CommandOption& option : commands.front().options)
    text += fish_option(option, "__fish_use_subcommand");
  for (auto verb = commands.begin() + 1; verb != commands.end(); ++verb) {
    text += "complete -c varia -n __fish_use_subcommand -a " + verb->name + " -d " +
            in_shell_quotes(verb->summary) + "\n";
    for (const CommandOption& option : verb->options)
      text += fish_option(option, "__fish_seen_subcommand_from " + verb->name);
  }
  return text;
}

}  // namespace

int completion(const std::vector<Command>& commands, const std::string& shell) {
  const std::vector<std::string> shells{"bash", "zsh", "fish"};
  if (std::find(shells.begin(), shells.end(), shell) == shells.end()) {
    const std::string near = nearest(shell, shells);
    throw InvalidArgument("no completion for the shell '" + shell + "'" +
                          (near.empty() ? "" : "; did you mean '" + near + "'?") +
                          " Allowed: bash, zsh, fish.");
  }
  std::cout << (shell == "bash"  ? bash_script(commands)
                : shell == "zsh" ? zsh_script(commands)
                                 : fish_script(commands));
  return done;
}

}  // namespace varia::apps
