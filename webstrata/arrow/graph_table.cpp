// SPDX-License-Identifier: Apache-2.0

// Tested by tests/arrow/graph_table_test.cpp and tests/python/graph_test.py.

#include "webstrata/arrow/graph_table.h"

#include <algorithm>

namespace webstrata::arrow {
namespace {

constexpr Node kNodesOfTask = 1 << 14;

std::shared_ptr<const Snapshot> kept(const Snapshot& graph) {
  return std::make_shared<const Snapshot>(graph);  // a copy shares the memory
}

// A column of the graph: its values are shared, missing ones become a bit map.
template <typename Value>
Column lent(std::string_view name, std::string format, const webstrata::Column<Value>& column,
            const std::shared_ptr<const Snapshot>& graph) {
  Validity validity;
  for (const std::uint8_t known : column.known()) validity.add(known != 0);
  Column out =
      borrowed_column(name, std::move(format), column.values().data(), column.size(), graph);
  out.null_count = validity.null_count();
  out.buffers.front() = validity.finish();
  return out;
}

template <typename Value>
void add_if_there(Table& table, std::string_view name, std::string format,
                  const webstrata::Column<Value>& column,
                  const std::shared_ptr<const Snapshot>& graph) {
  if (!column.empty()) table.columns.push_back(lent(name, std::move(format), column, graph));
}

// Enumerators are bytes, and so are the indices of their names.
template <typename Value>
std::shared_ptr<const Column> words(unsigned count, Value value_of) {
  TextBuilder text;
  for (unsigned i = 0; i < count; ++i) text.add(value_of(i));
  return std::make_shared<const Column>(text.finish(""));
}

std::shared_ptr<const Column> kinds_words() {
  static const auto all = words(256, [](unsigned bits) {
    return to_string(LinkKinds::from_bits(static_cast<std::uint8_t>(bits)));
  });
  return all;
}

std::shared_ptr<const Column> outcome_words() {
  static const auto all = words(static_cast<unsigned>(Outcome::SoftGone) + 1,
                                [](unsigned i) { return to_string(static_cast<Outcome>(i)); });
  return all;
}

Column source_column(const Snapshot& graph) {
  std::vector<Node> sources;
  sources.reserve(graph.link_count());
  for (Node node = 0; node < graph.node_count(); ++node) {
    sources.insert(sources.end(), graph.out_degree(node), node);
  }
  return number_column("source", std::move(sources));
}

Column uid_column(const Snapshot& graph) {
  std::vector<Uid> uids;
  uids.reserve(graph.node_count());
  for (Node node = 0; node < graph.node_count(); ++node) uids.push_back(*graph.uid(node));
  return number_column("uid", std::move(uids));
}

}  // namespace

std::shared_ptr<const Column> name_column(const Snapshot& graph, const WorkOptions& work) {
  const std::size_t task_count = (graph.node_count() + kNodesOfTask - 1) / kNodesOfTask;
  std::vector<std::vector<std::string>> parts(task_count);
  run_tasks(task_count, work, "reading names", [&](std::size_t task) {
    const Node first = static_cast<Node>(task * kNodesOfTask);
    const Node end = std::min<Node>(graph.node_count(), first + kNodesOfTask);
    parts[task].reserve(end - first);
    for (Node node = first; node < end; ++node) parts[task].push_back(graph.name(node));
  });
  TextBuilder names;
  for (auto& part : parts) {
    for (const std::string& name : part) names.add(name);
    part = {};
  }
  return std::make_shared<const Column>(names.finish("name"));
}

Column start_column(const Snapshot& graph) {
  const auto owner = kept(graph);
  return borrowed_column("start", "L", owner->starts().data(), owner->starts().size(), owner);
}

Column target_column(const Snapshot& graph) {
  const auto owner = kept(graph);
  return borrowed_column("target", "I", owner->targets().data(), owner->targets().size(), owner);
}

Table link_table(const Snapshot& graph, std::shared_ptr<const Column> names) {
  const auto owner = kept(graph);
  Table table = {{source_column(graph), target_column(graph)}};
  for (Column& column : table.columns) {
    if (names) column = dictionary_column(std::move(column), names);
  }
  const LinkColumns& columns = owner->link_columns();
  add_if_there(table, "kinds", "C", columns.kinds, owner);
  if (!columns.kinds.empty()) table.columns.back().dictionary = kinds_words();
  add_if_there(table, "count", "I", columns.count, owner);
  add_if_there(table, "first_seen", kTimeFormat, columns.first_seen, owner);
  add_if_there(table, "last_seen", kTimeFormat, columns.last_seen, owner);
  for (const auto& [name, column] : columns.scores) add_if_there(table, name, "g", column, owner);
  return table;
}

Table node_table(const Snapshot& graph, const std::shared_ptr<const Column>& names) {
  const auto owner = kept(graph);
  Table table;
  if (names) table.columns.push_back(*names);
  if (graph.has_uids()) table.columns.push_back(uid_column(graph));
  const NodeColumns& columns = owner->node_columns();
  add_if_there(table, "outcome", "C", columns.outcome, owner);
  if (!columns.outcome.empty()) table.columns.back().dictionary = outcome_words();
  add_if_there(table, "first_capture", kTimeFormat, columns.first_capture, owner);
  add_if_there(table, "last_capture", kTimeFormat, columns.last_capture, owner);
  add_if_there(table, "captures", "I", columns.captures, owner);
  add_if_there(table, "changes_seen", "I", columns.changes_seen, owner);
  add_if_there(table, "span", "l", columns.span, owner);
  add_if_there(table, "digest", "L", columns.digest, owner);
  add_if_there(table, "text_digest", "L", columns.text_digest, owner);
  add_if_there(table, "length", "L", columns.length, owner);
  add_if_there(table, "title", "L", columns.title, owner);
  for (const auto& [name, column] : columns.scores) add_if_there(table, name, "g", column, owner);
  return table;
}

}  // namespace webstrata::arrow
