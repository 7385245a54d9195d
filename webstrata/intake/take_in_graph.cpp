// SPDX-License-Identifier: Apache-2.0

// Names become keys once, before the links are read: a list of exact keys is as small as one of
// reversed hosts, and each inverts to its URL. Then parts of the graph, one for each thread, become
// batches of facts at the same time. The order of batches does not matter to an archive.
// Tested by tests/cli/dated_graphs_test.py.

#include "webstrata/intake/take_in_graph.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "webstrata/archive/gather/run_gatherer.h"
#include "webstrata/base/error.h"
#include "webstrata/base/threads.h"
#include "webstrata/graph/arc_labels.h"
#include "webstrata/url/host.h"
#include "webstrata/url/key.h"

namespace webstrata {
namespace {

constexpr std::size_t kNamesAtOnce = 1 << 14;
constexpr Node kNamesTried = 1000;  // to find out whether a list of names is reversed

WorkOptions quiet(const WorkOptions& work) {
  return {.threads = work.threads, .cancel = work.cancel};
}

std::string key_of(const std::string& text) {
  Url url;
  std::string key;
  if (parse_url(text, url) && url.is_web()) append_key(url, key);
  return key;
}

// The exact keys of the nodes; empty where the name is not a URL.
NameList keys_of(const NamedGraph& graph, const WorkOptions& work) {
  NameList keys;
  const unsigned threads = work.threads == 0 ? default_thread_count() : work.threads;
  std::vector<std::string> texts(kNamesAtOnce * threads);
  for (std::uint64_t first = 0; first < graph.node_count(); first += texts.size()) {
    const std::uint64_t count = std::min<std::uint64_t>(texts.size(), graph.node_count() - first);
    run_tasks((count + kNamesAtOnce - 1) / kNamesAtOnce, quiet(work), "", [&](std::size_t task) {
      const std::uint64_t end = std::min<std::uint64_t>(count, (task + 1) * kNamesAtOnce);
      for (std::uint64_t i = task * kNamesAtOnce; i < end; ++i) {
        texts[i] = key_of(
            url_of_name(graph.name(static_cast<Node>(first + i)), graph.has_reversed_names()));
      }
    });
    for (std::uint64_t i = 0; i < count; ++i) keys.add(texts[i]);
    if (work.progress) work.progress({"reading names", first + count, graph.node_count(), "nodes"});
  }
  return keys;
}

// A list of reversed hosts would give an archive of hosts that do not exist, without a word.
void refuse_reversed_hosts(const NamedGraph& graph, const std::filesystem::path& path) {
  if (graph.has_reversed_names()) return;
  std::size_t tried = 0;
  std::size_t reversed = 0;
  for (Node node = 0; node < std::min(graph.node_count(), kNamesTried); ++node) {
    const std::string name = graph.name(node);
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos || name.find_first_of(":/") != std::string::npos) continue;
    ++tried;
    if (!has_known_top_level(name) && has_known_top_level(name.substr(0, dot))) ++reversed;
  }
  if (reversed == 0 || reversed * 10 < tried * 9) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: the names of its nodes look like reversed hosts ({}); give them as "
                          "vertices: number, tab, reversed host",
                          path.string(), graph.name(0)));
}

std::uint64_t bytes_at(const std::filesystem::path& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

std::uint64_t bytes_of(const std::filesystem::path& path, GraphFormat format) {
  return bytes_at(format == GraphFormat::BvGraph
                      ? std::filesystem::path(bvgraph_base(path).string() + ".graph")
                      : path);
}

// The links of a part that have the bit of a snapshot. Parts come in order, and so do labels.
void keep_snapshot(ArcLabels& labels, unsigned bit, SnapshotPart& part) {
  std::size_t kept = 0;
  std::size_t at = 0;
  for (std::uint64_t& end : part.ends) {
    for (; at < end; ++at) {
      if ((labels.next() >> bit & 1) != 0) part.targets[kept++] = part.targets[at];
    }
    end = kept;
  }
  part.targets.resize(kept);
}

// Turns parts of a graph into facts. One for each thread.
class PartTaker {
 public:
  PartTaker(RunGatherer& gatherer, const NameList& keys, const DatedGraph& graph,
            const std::string& crawl)
      : gatherer_(gatherer),
        keys_(keys),
        only_with_links_(!graph.labels.empty()),
        batch_(gatherer.make_batch()) {
    Sighting& sighting = capture_.sighting;
    sighting.time = graph.time;
    sighting.kind = SightingKind::Response;
    sighting.outcome = Outcome::Alive;
    sighting.crawl = crawl;
    capture_.links_known = true;
  }

  void take(const SnapshotPart& part) {
    for (std::size_t i = 0; i < part.ends.size(); ++i) {
      const std::uint64_t start = i == 0 ? 0 : part.ends[i - 1];
      take_node(part.first + static_cast<Node>(i),
                std::span(part.targets).subspan(start, part.ends[i] - start));
      if (batch_->bytes() >= gatherer_.batch_bytes()) give(gatherer_.make_batch());
    }
  }
  void finish(InputSummary& summary) {
    give(nullptr);
    summary.captures += captures_;
    summary.links += links_;
    if (left_out_ > 0) summary.report.count("links to nodes whose names are not URLs", left_out_);
    if (without_links_ > 0) {
      summary.report.count("nodes without links in their snapshot", without_links_);
    }
    summary.records -= without_links_;
  }

 private:
  void give(std::unique_ptr<FactBatch> next) {
    gatherer_.take(std::exchange(batch_, std::move(next)));
  }
  // False: the node has no URL.
  bool url_of(Node node, std::string& url) const {
    url.clear();
    const std::string key = keys_.name(node);
    return !key.empty() && append_url_of_key(key, url);
  }
  void take_node(Node node, std::span<const Node> targets) {
    if (only_with_links_ && targets.empty()) {
      ++without_links_;
      return;
    }
    if (!url_of(node, capture_.sighting.url)) return;
    capture_.links.clear();
    for (const Node target : targets) {
      if (url_of(target, target_)) {
        capture_.links.add({.target = target_, .kinds = LinkKind::Navigation});
      } else {
        ++left_out_;
      }
    }
    batch_->add(capture_);
    ++captures_;
    links_ += capture_.links.size();
  }

  RunGatherer& gatherer_;
  const NameList& keys_;
  bool only_with_links_;  // a node of a union graph without links was perhaps not in the snapshot
  std::unique_ptr<FactBatch> batch_;
  Capture capture_;
  std::string target_;
  std::uint64_t captures_ = 0;
  std::uint64_t links_ = 0;
  std::uint64_t left_out_ = 0;
  std::uint64_t without_links_ = 0;
};

InputSummary take_in(RunGatherer& gatherer, const DatedGraph& dated, const TakeInOptions& options) {
  const WorkOptions& work = options.parallel.work;
  NamedGraph graph(dated.path, dated.names, work);
  refuse_reversed_hosts(graph, dated.path);
  const NameList keys = keys_of(graph, work);
  InputSummary summary;
  summary.path = dated.path.string();
  summary.format = to_string(graph.format());
  summary.records = graph.node_count();
  summary.bytes = bytes_of(dated.path, graph.format());

  const std::filesystem::path& named = dated.labels.empty() ? dated.path : dated.labels;
  const std::string crawl = options.crawl.empty() ? named.filename().string() : options.crawl;
  std::optional<ArcLabels> labels;
  if (!dated.labels.empty()) labels.emplace(dated.labels);
  std::vector<std::unique_ptr<PartTaker>> takers;
  const unsigned threads = work.threads == 0 ? default_thread_count() : work.threads;
  for (unsigned i = 0; i < threads; ++i) {
    takers.push_back(std::make_unique<PartTaker>(gatherer, keys, dated, crawl));
  }
  std::vector<SnapshotPart> parts;
  for (bool is_done = false; !is_done;) {
    parts.clear();
    while (parts.size() < takers.size() && !is_done) {
      auto part = graph.next();
      is_done = !part;
      if (part && labels) keep_snapshot(*labels, dated.label_bit, *part);
      if (part) parts.push_back(std::move(*part));
    }
    run_tasks(parts.size(), quiet(work), "", [&](std::size_t i) { takers[i]->take(parts[i]); });
  }
  for (const auto& taker : takers) taker->finish(summary);
  if (summary.captures < summary.records) {
    summary.report.count("nodes whose names are not URLs", summary.records - summary.captures);
  }
  return summary;
}

}  // namespace

std::vector<InputSummary> take_in_graphs(RunGatherer& gatherer,
                                         const std::vector<DatedGraph>& graphs,
                                         const TakeInOptions& options) {
  if (!graphs.empty() && !gatherer.options().kinds.has(LinkKind::Navigation)) {
    throw Error(ErrorKind::BadInput,
                "the links of graph files are of the kind navigation, which this archive does not "
                "store; build one with other kinds of links");
  }
  std::vector<InputSummary> summaries;
  for (const DatedGraph& graph : graphs) summaries.push_back(take_in(gatherer, graph, options));
  return summaries;
}

std::vector<InputSummary> take_in_graphs(ArchiveWriter& writer,
                                         const std::vector<DatedGraph>& graphs,
                                         const TakeInOptions& options) {
  return take_in_graphs(writer.gatherer(), graphs, options);
}

}  // namespace webstrata
