// SPDX-License-Identifier: Apache-2.0

// Graphs in memory. Tested by tests/python/graph_test.py.

#include <nanobind/ndarray.h>

#include "python/core/bindings.h"
#include "python/core/long_work.h"
#include "webstrata/arrow/graph_table.h"
#include "webstrata/graph/archive_snapshot.h"
#include "webstrata/graph/graph_file.h"
#include "webstrata/graph/graph_view.h"
#include "webstrata/graph/hand_over.h"
#include "webstrata/words/kinds.h"

namespace webstrata {
namespace {

GraphView view_of(std::string_view level, std::string_view fold, bool inner_links) {
  GraphView view;
  const auto found = parse_level(level);
  if (!found) {
    throw Error(ErrorKind::BadInput, "level " + std::string(level) + ": not page, host or domain");
  }
  view.level = *found;
  view.inner_links = inner_links;
  if (fold.empty()) return view;
  view.fold = parse_dialect(fold);
  if (!view.fold)
    throw Error(ErrorKind::BadInput, "fold " + std::string(fold) + ": not ia, pywb or cdxj");
  return view;
}

Snapshot snapshot(const Archive& archive, std::optional<Time> at,
                  const std::optional<Interval>& during, bool carry, std::string_view level,
                  std::string_view fold, std::string_view kinds, bool inner_links,
                  bool with_columns, unsigned threads, nb::object progress) {
  LongWork work(std::move(progress));
  SnapshotRequest request;
  if (at) request.time = GraphTime::at(*at);
  if (during) request.time = GraphTime::during(interval_of(*during), carry);
  request.kinds = parse_kinds_word("kinds", kinds);
  request.view = view_of(level, fold, inner_links);
  if (with_columns) {
    request.node_columns = {.outcome = true, .captures = true, .changes = true, .content = true};
    request.link_columns = {.kinds = true, .count = true, .seen = true};
  }
  request.work = work.options(threads);
  return work.run([&] { return snapshot_of(archive, request); });
}

Snapshot load(const std::filesystem::path& path, const std::filesystem::path& urls,
              unsigned threads, nb::object progress) {
  LongWork work(std::move(progress));
  return work.run([&] { return load_graph(path, {.urls = urls, .work = work.options(threads)}); });
}

using Nodes = nb::ndarray<const Node, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Snapshot from_links(std::uint64_t node_count, const Nodes& sources, const Nodes& targets,
                    const std::optional<std::vector<std::string>>& names) {
  if (sources.size() != targets.size()) {
    throw Error(ErrorKind::BadInput, "there must be as many sources as targets");
  }
  std::vector<std::pair<Node, Node>> links;
  links.reserve(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    links.emplace_back(sources.data()[i], targets.data()[i]);
  }
  const Snapshot graph = Snapshot::from_links(node_count, std::move(links));
  if (!names) return graph;
  if (names->size() != node_count) {
    throw Error(ErrorKind::BadInput, "there must be one name for each node");
  }
  auto list = std::make_shared<NameList>();
  for (const std::string& name : *names) list->add(name);
  return graph.with_names(list);
}

Node checked(const Snapshot& graph, std::uint64_t node) {
  if (node < graph.node_count()) return static_cast<Node>(node);
  throw Error(ErrorKind::NotFound, "no node " + std::to_string(node) + ": the graph has " +
                                       std::to_string(graph.node_count()));
}

// A part of the graph's own memory, which it keeps alive.
arrow::Column lent(std::string_view name, std::span<const Node> nodes, const Snapshot& graph) {
  return arrow::borrowed_column(name, "I", nodes.data(), nodes.size(),
                                std::make_shared<const Snapshot>(graph));
}

std::shared_ptr<const arrow::Column> shared(const std::optional<arrow::Column>& column) {
  return column ? std::make_shared<const arrow::Column>(*column) : nullptr;
}

}  // namespace

std::vector<Node> forgotten_in(const Snapshot& graph, const std::vector<std::string>& archives) {
  HandOver hand_over;
  for (const std::string& archive : archives) hand_over.ask(archive);
  return hand_over.forgotten(graph);
}

void bind_graph(nb::module_& module) {
  nb::class_<Snapshot>(module, "Snapshot")
      .def_prop_ro("node_count", &Snapshot::node_count)
      .def_prop_ro("link_count", &Snapshot::link_count)
      .def_prop_ro("has_names", &Snapshot::has_names)
      .def_prop_ro("has_uids", &Snapshot::has_uids)
      .def_prop_ro("memory_bytes", &Snapshot::memory_bytes)
      .def(
          "name",
          [](const Snapshot& self, std::uint64_t node) { return self.name(checked(self, node)); },
          "node"_a)
      .def("find", &Snapshot::find, "name"_a)
      .def(
          "uid",
          [](const Snapshot& self, std::uint64_t node) { return self.uid(checked(self, node)); },
          "node"_a)
      .def("node", &Snapshot::node, "uid"_a)
      .def(
          "successors",
          [](const Snapshot& self, std::uint64_t node) {
            return lent("target", self.successors(checked(self, node)), self);
          },
          "node"_a)
      .def(
          "predecessors",
          [](const Snapshot& self, std::uint64_t node) {
            return lent("source", self.predecessors(checked(self, node)), self);
          },
          "node"_a)
      .def(
          "transposed", [](const Snapshot& self) { return self.transposed(); },
          nb::call_guard<nb::gil_scoped_release>())
      .def(
          "viewed",
          [](const Snapshot& self, std::string_view level, std::string_view fold,
             bool inner_links) {
            Folding folding = viewed(self, view_of(level, fold, inner_links));
            return std::pair{folding.graph,
                             arrow::number_column("node", std::move(folding.node_of))};
          },
          "level"_a, "fold"_a, "inner_links"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("starts", arrow::start_column)
      .def("targets", arrow::target_column)
      .def(
          "names", [](const Snapshot& self) { return *arrow::name_column(self); },
          nb::call_guard<nb::gil_scoped_release>())
      .def(
          "links",
          [](const Snapshot& self, const std::optional<arrow::Column>& names) {
            return arrow::link_table(self, shared(names));
          },
          "names"_a = nb::none(), nb::call_guard<nb::gil_scoped_release>())
      .def(
          "nodes",
          [](const Snapshot& self, const std::optional<arrow::Column>& names) {
            return arrow::node_table(self, shared(names));
          },
          "names"_a = nb::none(), nb::call_guard<nb::gil_scoped_release>());
  module.def("snapshot", snapshot, "archive"_a, "at"_a, "during"_a, "carry"_a, "level"_a, "fold"_a,
             "kinds"_a, "inner_links"_a, "with_columns"_a, "threads"_a, "progress"_a.none());
  module.def("load_graph", load, "path"_a, "urls"_a, "threads"_a, "progress"_a.none());
  module.def("from_links", from_links, "node_count"_a, "sources"_a, "targets"_a,
             "names"_a = nb::none());
}

}  // namespace webstrata
