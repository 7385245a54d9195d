// SPDX-License-Identifier: Apache-2.0

// Tested by tests/graph/graph_file_test.cpp.

#include "webstrata/graph/graph_file.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/base/text.h"
#include "webstrata/graph/bvgraph.h"
#include "webstrata/graph/common_crawl.h"
#include "webstrata/graph/graph_text.h"
#include "webstrata/graph/line_reader.h"
#include "webstrata/graph/tsv_form.h"

namespace webstrata {
namespace {

using Path = std::filesystem::path;

constexpr std::string_view kFormatNames[] = {"bvgraph", "tsv", "ascii", "commoncrawl"};

bool is_bvgraph(const Path& path) {
  return std::filesystem::exists(bvgraph_base(path).string() + ".properties");
}

bool is_named(const Path& path, std::string_view word) {
  return path.filename().string().find(word) != std::string::npos;
}

bool begins_with_a_lone_number(LineReader& lines) {
  constexpr std::size_t kNumberBytes = 64;
  const std::string_view start = lines.peek(kNumberBytes);
  const std::string_view text = trim(start.substr(0, start.find('\n')));
  return !text.empty() &&
         std::ranges::all_of(text, [](char byte) { return byte >= '0' && byte <= '9'; });
}

}  // namespace

Path bvgraph_base(const Path& path) {
  Path base = path;
  const auto extension = path.extension();
  if (extension == ".graph" || extension == ".properties" || extension == ".offsets") {
    base.replace_extension();
  }
  return base;
}

std::string_view to_string(GraphFormat format) noexcept {
  return kFormatNames[static_cast<std::size_t>(format)];
}

GraphFormat recognise_graph(const Path& path) {
  if (is_bvgraph(path)) return GraphFormat::BvGraph;
  if (!common_crawl_files(path).edges.empty()) return GraphFormat::CommonCrawl;
  if (path != "-" && !std::filesystem::exists(path)) {
    throw Error(ErrorKind::NotFound,
                fmt::format("{}: no such graph (neither this file nor {}.properties exists)",
                            path.string(), path.filename().string()));
  }
  if (is_named(path, ".graph-txt")) return GraphFormat::Ascii;
  if (!std::filesystem::is_regular_file(path)) return GraphFormat::Tsv;  // a pipe is read only once
  LineReader lines(path);
  if (begins_with_a_lone_number(lines)) return GraphFormat::Ascii;
  refuse_unless_tsv(lines);
  return GraphFormat::Tsv;
}

Snapshot load_graph(const Path& path, const LoadGraphOptions& options) {
  const WorkOptions& work = options.work;
  Snapshot graph;
  switch (recognise_graph(path)) {
    case GraphFormat::BvGraph:
      graph = load_bvgraph(bvgraph_base(path), {.work = work});
      break;
    case GraphFormat::Tsv:
      graph = read_tsv(path, work);
      break;
    case GraphFormat::Ascii:
      graph = read_ascii_graph(path, work);
      break;
    case GraphFormat::CommonCrawl: {
      const CommonCrawlFiles files = common_crawl_files(path);
      graph = read_common_crawl(files.vertices, files.edges, work);
      break;
    }
  }
  if (options.urls.empty()) return graph;
  return graph.with_names(load_name_list(options.urls, graph.node_count(), work));
}

}  // namespace webstrata
