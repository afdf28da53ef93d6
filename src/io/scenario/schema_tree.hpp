// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The schema: rows that are stated in several files, the tree made of them, and a document held
// against it.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document.hpp"
#include "varia/io/schema.hpp"

namespace varia::io {

/// The table of keys as a tree.
struct SchemaNode {
  const SchemaEntry* entry = nullptr;
  std::optional<Value> fallback;
  std::vector<std::pair<std::string, std::unique_ptr<SchemaNode>>> children;  // keys with a name
  std::unique_ptr<SchemaNode> any_name;                                       // NAME
  std::unique_ptr<SchemaNode> item;                                           // []
  std::vector<Alternative> alternatives;
  Form form = Form::system;

  const SchemaNode* child(std::string_view key) const;  ///< the one for this key; nullptr if none
  std::vector<std::string> keys() const;                ///< that can be used; sorted
};

const SchemaNode& schema_tree(Form form);

/// A solid if there is a [solid], a control problem if there is a [control].
Form form_of(const Value& root);

/// "a number or an expression", "a list of texts"
std::string type_words(const SchemaNode& node);

/// The words of the choices that can be used.
std::vector<std::string> usable(const std::vector<Choice>& choices);

/// Full keys whose last part is `name`: run.step for step.
std::vector<std::string> keys_named(std::string_view name, Form form);

/// Throws ScenarioError for whatever the schema does not allow; then puts the defaults in.
void check_schema(Value& root);

// The parts of the table of keys.
namespace rows {

using Rows = std::vector<SchemaEntry>;

inline SchemaEntry entry(std::string key, std::vector<Type> types, std::string meaning = {},
                         std::string example = {}) {
  SchemaEntry row{std::move(key), std::move(types)};
  row.meaning = std::move(meaning);
  row.example = std::move(example);
  return row;
}

/// (key, meaning, example), where the entries of a list have neither of the last two.
template <Type... types> struct KeyOf {
  template <class... Words> SchemaEntry operator()(std::string key, Words&&... words) const {
    return entry(std::move(key), {types...}, std::forward<Words>(words)...);
  }
};
inline constexpr KeyOf<Type::text> text;
inline constexpr KeyOf<Type::expression> expression;
inline constexpr KeyOf<Type::number> number;
inline constexpr KeyOf<Type::integer> integer;
inline constexpr KeyOf<Type::truth> truth;
inline constexpr KeyOf<Type::list> list;
inline constexpr KeyOf<Type::table> table;
inline constexpr KeyOf<Type::any> any;
inline constexpr KeyOf<Type::number, Type::expression> scalar;
inline constexpr KeyOf<Type::number, Type::expression, Type::list> scalars;
inline constexpr KeyOf<Type::number, Type::expression, Type::list, Type::table> point;

/// A text that is one of these words, the first unless given.
SchemaEntry one_of(std::string key, const std::vector<std::string>& words, std::string meaning,
                   const std::string& example);
/// A whole number above zero; optional, with a default or none ("").
SchemaEntry count(std::string key, std::string fallback, std::string meaning, std::string example);
SchemaEntry end_time(std::string example);

Rows control_rows();
Rows end_rows(const Rows& start);
Rows control_start_rows(Rows start);
Rows control_run_rows(Rows run);
Rows body_rows();
Rows joint_rows();
Rows diagnose_rows();
Rows event_rows();
Rows format_rows();
Rows output_rows(Form form);
Rows reproduce_rows();
Rows draw_rows();
Rows plot_rows();
Rows sweep_rows(Form form);
Rows solid_mesh_rows();
Rows solid_rows();        ///< material, regions, supports, loads
Rows solid_start_rows();  ///< start and observe
Rows solid_run_rows();
Rows solid_format_rows();
const std::vector<Alternative>& solid_alternatives();

}  // namespace rows

}  // namespace varia::io
