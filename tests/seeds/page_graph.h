// SPDX-License-Identifier: Apache-2.0

// The graph of the pages of one crawl file: nodes are the captured pages in the order of their
// URLs, links those between them. For tests and benchmarks on ../shared.

#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "webstrata/base/error.h"
#include "webstrata/base/report.h"
#include "webstrata/capture/formats/readers.h"
#include "webstrata/capture/stream/input_stream.h"
#include "webstrata/graph/names.h"
#include "webstrata/graph/snapshot.h"

namespace webstrata {

namespace page_graph_detail {

struct Page {
  std::string url;
  std::vector<std::string> targets;
};

inline std::vector<Page> read_pages(const std::filesystem::path& path) {
  Report report;
  InputStream in(path, report);
  const ReaderEntry* format = recognise(in);
  if (format == nullptr) throw Error(ErrorKind::BadInput, path.string() + ": unknown format");
  const ReadOptions options;
  const auto reader = format->open({in, options, report, path.filename().string()});
  std::vector<Page> pages;
  Capture capture;
  while (reader->next(capture)) {
    if (!capture.links_known) continue;
    Page page{capture.sighting.url, {}};
    for (std::size_t i = 0; i < capture.links.size(); ++i) {
      page.targets.emplace_back(capture.links[i].target);
    }
    pages.push_back(std::move(page));
  }
  return pages;
}

}  // namespace page_graph_detail

inline Snapshot page_graph(const std::filesystem::path& path) {
  auto pages = page_graph_detail::read_pages(path);
  std::ranges::sort(pages, {}, &page_graph_detail::Page::url);
  std::unordered_map<std::string_view, Node> numbers;
  auto names = std::make_shared<NameList>();
  for (const auto& page : pages) {
    numbers.emplace(page.url, static_cast<Node>(numbers.size()));
    names->add(page.url);
  }
  std::vector<std::pair<Node, Node>> links;
  for (const auto& page : pages) {
    const Node source = numbers.at(page.url);
    for (const std::string& url : page.targets) {
      const auto target = numbers.find(url);
      if (target != numbers.end() && target->second != source) {
        links.emplace_back(source, target->second);
      }
    }
  }
  return Snapshot::from_links(pages.size(), std::move(links)).with_names(names);
}

}  // namespace webstrata
