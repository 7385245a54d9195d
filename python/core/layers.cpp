// SPDX-License-Identifier: Apache-2.0

// What the tasks of a cluster read of an archive: layers, documents, blocks of a graph.
// Tested by tests/spark/analysis_test.py.

#include "python/core/bindings.h"
#include "webstrata/archive/read/stack_reader.h"
#include "webstrata/arrow/layer_stream.h"
#include "webstrata/base/error.h"
#include "webstrata/graph/block_links.h"
#include "webstrata/liverank/sampling.h"
#include "webstrata/liverank/url_groups.h"
#include "webstrata/words/kinds.h"

namespace webstrata {
namespace {

Layer layer_of(std::string_view name) {
  if (const auto layer = layer_named(name)) return *layer;
  std::string names;
  for (const LayerEntry& entry : layer_table()) {
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw Error(ErrorKind::BadInput, "layer " + std::string(name) + ": not one of " + names);
}

// Names and types of columns.
nb::list columns_of(std::span<const LayerColumn> columns) {
  nb::list found;
  for (const LayerColumn& column : columns) {
    found.append(nb::make_tuple(std::string(column.name), std::string(column.type)));
  }
  return found;
}

// For each layer: name, whether it is optional, its columns, and those in documents.
nb::list table_of_layers() {
  nb::list found;
  for (const LayerEntry& entry : layer_table()) {
    found.append(nb::make_tuple(std::string(entry.name), entry.is_optional,
                                columns_of(entry.columns), columns_of(entry.document_columns)));
  }
  return found;
}

std::shared_ptr<arrow::TableStream> layer(const Archive& archive, std::string_view name, Uid first,
                                          Uid end) {
  return arrow::layer_stream(archive, layer_of(name), {first, end});
}

std::shared_ptr<arrow::TableStream> documents(const Archive& archive, Uid first, Uid end) {
  return arrow::document_stream(archive, {first, end});
}

// Pages, living ones, sources and targets of links.
std::vector<arrow::Column> links_of_block(const Archive& archive, std::uint64_t block,
                                          std::optional<Time> at,
                                          const std::optional<Interval>& during, bool carry,
                                          std::string_view kinds) {
  SnapshotRequest request;
  if (at) request.time = GraphTime::at(*at);
  if (during) request.time = GraphTime::during(interval_of(*during), carry);
  request.kinds = parse_kinds_word("kinds", kinds);
  BlockLinks found = block_links(archive, request, block);
  return {arrow::number_column("page", std::move(found.pages)),
          arrow::number_column("living", std::move(found.living)),
          arrow::number_column("source", std::move(found.sources)),
          arrow::number_column("target", std::move(found.targets))};
}

std::vector<Node> sample(std::string_view kind, double size, Node page_count, std::uint64_t seed) {
  SampleOptions options;
  const auto found = parse_sample_kind(kind);
  if (!found || (*found != SampleKind::Random && *found != SampleKind::Systematic)) {
    throw Error(ErrorKind::BadInput, "sample " + std::string(kind) + ": not random or systematic");
  }
  options.kind = *found;
  options.size = size;
  return drawn_sample(options, page_count, seed);
}

}  // namespace

void bind_layers(nb::module_& module) {
  module.def("layer_table", table_of_layers);
  module.def("layer_stream", layer, "archive"_a, "layer"_a, "first"_a, "end"_a);
  module.def("document_stream", documents, "archive"_a, "first"_a, "end"_a);
  module.def("block_links", links_of_block, "archive"_a, "block"_a, "at"_a.none(),
             "during"_a.none(), "carry"_a, "kinds"_a, nb::call_guard<nb::gil_scoped_release>());
  module.def("block_count", [](const Archive& archive) { return archive.stack().block_count(); });
  module.def("block_bits",
             [](const Archive& archive) { return archive.stack().options().block_bits; });
  module.def("drawn_sample", sample, "kind"_a, "size"_a, "page_count"_a, "seed"_a);
  module.def(
      "sample_size",
      [](double size, Node page_count) { return sample_size({.size = size}, page_count); },
      "size"_a, "page_count"_a);
  module.def("site_of", site_of_url, "url"_a, "directories"_a);
}

}  // namespace webstrata
