// SPDX-License-Identifier: BSD-3-Clause
// [system.let]: names for expressions.
#include "reading.hpp"

namespace varia::io {

namespace {

/// [a, b] as "[a, b]".
std::string definition_text(const Value& value) {
  if (value.kind != Kind::list) return expression_text(value);
  std::string text;
  for (const Value& item : value.items) text += (text.empty() ? "" : ", ") + definition_text(item);
  return "[" + text + "]";
}

expr::Definition read_definition(const Member& member, const std::string& key) {
  const Text text{definition_text(member.value), member.value.place(), key};
  expr::Definition definition =
      told_at({"", member.mark.place(), key}, [&] { return expr::definition_of(member.key); });
  definition.text = text.value;
  definition.origin = {key, text.place.file, text.place.line, text.place.column};
  return definition;
}

}  // namespace

void read_definitions(const Value& table, System& system, NameTable& names) {
  const auto key_of = [](const Member& member) { return "system.let." + shown(member.key); };
  for (const Member& member : table.members) {
    system.definitions.push_back(read_definition(member, key_of(member)));
    names.add(system.definitions.back().name, "a definition", member.mark.place(), key_of(member));
  }
  auto definition = system.definitions.begin();
  for (const Member& member : table.members) {
    for (const std::string& argument : definition->arguments)
      if (argument != "i")
        names.refuse(argument, "an argument of " + definition->head(), member.mark.place(),
                     key_of(member));
    ++definition;
  }
}

}  // namespace varia::io
