// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A table for a person, a script or a document: the same cells as text, JSON or Markdown.
#include <ostream>
#include <string>
#include <vector>

namespace varia::apps {

struct Table {
  struct Column {
    std::string key, title;
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

void print_text(std::ostream& out, const Table& table);
void print_json(std::ostream& out, const Table& table);
void print_markdown(std::ostream& out, const Table& table);

}  // namespace varia::apps
