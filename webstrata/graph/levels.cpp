// SPDX-License-Identifier: Apache-2.0

// Keys are computed chunk by chunk, each chunk keeping its distinct ones; neighbours on a site
// mostly share theirs, so there is little to sort. Then every group gathers the groups that its
// members link to.
//
// Tested by tests/graph/levels_test.cpp.

#include "webstrata/graph/levels.h"

#include <algorithm>
#include <unordered_map>

#include "webstrata/base/error.h"
#include "webstrata/url/key.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

constexpr Node kLevelTaskNodes = 1 << 14;
constexpr std::uint64_t kPartLinks = 1 << 18;

constexpr std::string_view kLevelNames[] = {"page", "host", "domain"};

using KeyFunction = std::function<std::string(Node)>;

// The distinct keys of a chunk of nodes, sorted once the chunk is complete.
class ChunkKeys {
 public:
  // The number of `key` in the order of arrival.
  Node number(std::string key) {
    if (!keys_.empty() && key == keys_[last_]) return last_;
    const auto [found, is_new] = numbers_.try_emplace(key, static_cast<Node>(keys_.size()));
    if (is_new) keys_.push_back(std::move(key));
    return last_ = found->second;
  }
  void forget_numbers() { numbers_ = {}; }
  [[nodiscard]] const std::vector<std::string>& keys() const noexcept { return keys_; }

 private:
  Node last_ = 0;
  std::vector<std::string> keys_;
  std::unordered_map<std::string, Node> numbers_;
};

struct Groups {
  std::vector<std::string> keys;  // ascending
  std::vector<Node> node_of;      // group of each node, or kNoNode
};

std::vector<std::string> united_keys(const std::vector<ChunkKeys>& chunks) {
  std::vector<std::string> keys;
  for (const ChunkKeys& chunk : chunks) {
    keys.insert(keys.end(), chunk.keys().begin(), chunk.keys().end());
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  if (!keys.empty() && keys.front().empty()) keys.erase(keys.begin());
  return keys;
}

// For each key of a chunk, its place among all.
std::vector<Node> places(const ChunkKeys& chunk, const std::vector<std::string>& keys) {
  std::vector<Node> places;
  for (const std::string& key : chunk.keys()) {
    const auto found = std::lower_bound(keys.begin(), keys.end(), key);
    places.push_back(key.empty() ? kNoNode : static_cast<Node>(found - keys.begin()));
  }
  return places;
}

Groups group_nodes(Node node_count, const KeyFunction& key, const WorkOptions& work) {
  Groups groups;
  groups.node_of.resize(node_count);
  std::vector<ChunkKeys> chunks((node_count + std::size_t{kLevelTaskNodes} - 1) / kLevelTaskNodes);
  const auto nodes_of = [&](std::size_t chunk) {
    const std::size_t first = chunk * kLevelTaskNodes;
    const std::size_t size = std::min<std::size_t>(kLevelTaskNodes, node_count - first);
    return std::span(groups.node_of).subspan(first, size);
  };
  run_tasks(chunks.size(), work, "naming groups", [&](std::size_t chunk) {
    auto node = static_cast<Node>(chunk * kLevelTaskNodes);
    for (Node& group : nodes_of(chunk)) group = chunks[chunk].number(key(node++));
    chunks[chunk].forget_numbers();
  });
  groups.keys = united_keys(chunks);
  run_tasks(chunks.size(), work, "numbering groups", [&](std::size_t chunk) {
    const std::vector<Node> place = places(chunks[chunk], groups.keys);
    for (Node& group : nodes_of(chunk)) group = place[group];
  });
  return groups;
}

// The members of each group, and the number of links that leave from previous groups.
struct Members {
  std::vector<std::uint64_t> starts;
  std::vector<Node> nodes;
  std::vector<std::uint64_t> link_starts;

  [[nodiscard]] std::span<const Node> of(std::uint64_t group) const noexcept {
    return std::span(nodes).subspan(starts[group], starts[group + 1] - starts[group]);
  }
};

Members gather_members(const Snapshot& graph, const Groups& groups) {
  Members members;
  members.starts.assign(groups.keys.size() + 2, 0);
  members.link_starts.assign(groups.keys.size() + 1, 0);
  for (Node node = 0; node < graph.node_count(); ++node) {
    const Node group = groups.node_of[node];
    if (group == kNoNode) continue;
    ++members.starts[group + std::size_t{2}];
    members.link_starts[group + std::size_t{1}] += graph.out_degree(node);
  }
  for (std::size_t i = 2; i < members.starts.size(); ++i)
    members.starts[i] += members.starts[i - 1];
  for (std::size_t i = 1; i < members.link_starts.size(); ++i) {
    members.link_starts[i] += members.link_starts[i - 1];
  }
  members.nodes.resize(members.starts.back());
  for (Node node = 0; node < graph.node_count(); ++node) {
    const Node group = groups.node_of[node];
    if (group != kNoNode) members.nodes[members.starts[group + std::size_t{1}]++] = node;
  }
  members.starts.pop_back();
  return members;
}

// Targets with their counts; joined now and then, so that memory is proportional to the number of
// different targets.
class Tally {
 public:
  void add(Node target) {
    entries_.emplace_back(target, 1);
    if (entries_.size() >= 2 * joined_ + (1 << 16)) join();
  }
  // Ascending targets; the tally is empty afterwards.
  void drain(SnapshotPart& part, bool with_counts) {
    join();
    for (const auto& [target, count] : entries_) {
      part.targets.push_back(target);
      if (with_counts) part.columns.count.push_back(count);
    }
    entries_.clear();
    joined_ = 0;
  }

 private:
  void join() {
    std::sort(entries_.begin(), entries_.end());
    std::size_t size = 0;
    for (const auto& [target, count] : entries_) {
      if (size > 0 && entries_[size - 1].first == target) {
        std::uint32_t& sum = entries_[size - 1].second;
        sum = count > ~sum ? ~std::uint32_t{0} : sum + count;
      } else {
        entries_[size++] = {target, count};
      }
    }
    entries_.resize(size);
    joined_ = size;
  }

  std::vector<std::pair<Node, std::uint32_t>> entries_;
  std::size_t joined_ = 0;
};

Snapshot link_groups(const Snapshot& graph, const Groups& groups, const FoldOptions& options) {
  const Members members = gather_members(graph, groups);
  const std::size_t parts = members.link_starts.back() / kPartLinks + 1;
  const auto borders = balanced_borders(members.link_starts, parts);
  SnapshotBuilder builder(groups.keys.size());
  run_tasks(borders.size() - 1, options.work, "joining links", [&](std::size_t i) {
    SnapshotPart part{.first = static_cast<Node>(borders[i])};
    Tally tally;
    for (std::uint64_t group = borders[i]; group < borders[i + 1]; ++group) {
      for (const Node member : members.of(group)) {
        for (const Node page : graph.successors(member)) {
          const Node target = groups.node_of[page];
          if (target == kNoNode || (target == group && !options.keep_links_inside)) continue;
          tally.add(target);
        }
      }
      tally.drain(part, options.count_links);
      part.end_list();
    }
    builder.add(std::move(part));
  });
  return builder.finish(options.work);
}

NameList list_of(const std::vector<std::string>& keys) {
  NameList list;
  for (const std::string& key : keys) list.add(key);
  return list;
}

void need_names(const Snapshot& graph) {
  if (graph.has_names()) return;
  throw Error(ErrorKind::BadInput,
              "the graph has no URLs, so its hosts are unknown; give a file of URLs");
}

// The beginning of all keys of a host is a name for it that sorts with its domain.
std::string host_key(std::string_view host) { return host_keys(host).first; }

std::string host_name_of_key(std::string_view key) {
  std::string href;
  Url url;
  const std::string root = std::string(key) + "/\x01";
  if (!append_url_of_key(root, href) || !parse_url(href, url)) return std::string(key);
  return std::string(url.host());
}

// Names groups by host, from the keys of hosts.
class HostNames : public NodeNames {
 public:
  explicit HostNames(NameList keys) : keys_(std::move(keys)) {}
  [[nodiscard]] std::string name(Node node) const override { return host_name_of_key(keys_.name(node)); }
  [[nodiscard]] std::optional<Node> find(std::string_view host) const override {
    return keys_.find(host_key(host));
  }

 private:
  NameList keys_;
};

// Names each group by its first member, and finds it by any.
class MemberNames : public NodeNames {
 public:
  MemberNames(std::shared_ptr<const NodeNames> names, std::vector<Node> node_of, std::size_t groups)
      : names_(std::move(names)), node_of_(std::move(node_of)), first_(groups, kNoNode) {
    for (Node node = 0; node < node_of_.size(); ++node) {
      if (node_of_[node] == kNoNode) continue;
      Node& first = first_[node_of_[node]];
      first = std::min(first, node);
    }
  }
  [[nodiscard]] std::string name(Node node) const override { return names_->name(first_[node]); }
  [[nodiscard]] std::optional<Node> find(std::string_view name) const override {
    const auto node = names_->find(name);
    if (!node || node_of_[*node] == kNoNode) return std::nullopt;
    return node_of_[*node];
  }

 private:
  std::shared_ptr<const NodeNames> names_;
  std::vector<Node> node_of_;
  std::vector<Node> first_;
};

KeyFunction host_keys_of(const Snapshot& graph, Level level, Suffixes suffixes) {
  return [&graph, level, suffixes](Node node) {
    thread_local Url url;
    if (!parse_url(graph.name(node), url) || url.host().empty()) return std::string();
    if (level == Level::Host) return host_key(url.host());
    const std::string_view domain = registered_domain(url.host(), suffixes);
    return host_key(domain.empty() ? url.host() : domain);
  };
}

}  // namespace

std::string_view to_string(Level level) noexcept {
  return kLevelNames[static_cast<std::size_t>(level)];
}

std::optional<Level> parse_level(std::string_view name) noexcept {
  for (const Level level : {Level::Page, Level::Host, Level::Domain}) {
    if (to_string(level) == name) return level;
  }
  return std::nullopt;
}

Folding folded(const Snapshot& graph, const KeyFunction& key, const FoldOptions& options) {
  Groups groups = group_nodes(graph.node_count(), key, options.work);
  const Snapshot bare = link_groups(graph, groups, options);
  return {bare.with_names(std::make_shared<NameList>(list_of(groups.keys))),
          std::move(groups.node_of)};
}

Folding at_level(const Snapshot& graph, Level level, const FoldOptions& options,
                 Suffixes suffixes) {
  if (level == Level::Page) {
    Folding same{graph, std::vector<Node>(graph.node_count())};
    for (Node node = 0; node < graph.node_count(); ++node) same.node_of[node] = node;
    return same;
  }
  need_names(graph);
  Groups groups =
      group_nodes(graph.node_count(), host_keys_of(graph, level, suffixes), options.work);
  const Snapshot bare = link_groups(graph, groups, options);
  return {bare.with_names(std::make_shared<HostNames>(list_of(groups.keys))),
          std::move(groups.node_of)};
}

Folding folded_by(const Snapshot& graph, Dialect dialect, const FoldOptions& options) {
  need_names(graph);
  const KeyFunction key = [&](Node node) { return fold(dialect, graph.name(node)); };
  Groups groups = group_nodes(graph.node_count(), key, options.work);
  const Snapshot bare = link_groups(graph, groups, options);
  auto names = std::make_shared<MemberNames>(graph.names(), groups.node_of, groups.keys.size());
  return {bare.with_names(std::move(names)), std::move(groups.node_of)};
}

Snapshot without_links_inside_hosts(const Snapshot& graph, const WorkOptions& work) {
  need_names(graph);
  const auto key = host_keys_of(graph, Level::Host, Suffixes::IcannAndPrivate);
  const std::vector<Node> host_of = group_nodes(graph.node_count(), key, work).node_of;
  SnapshotBuilder builder(graph.node_count());
  const std::size_t tasks =
      (graph.node_count() + std::size_t{kLevelTaskNodes} - 1) / kLevelTaskNodes;
  run_tasks(tasks, work, "leaving links out", [&](std::size_t task) {
    SnapshotPart part{.first = static_cast<Node>(task * kLevelTaskNodes)};
    const std::uint64_t end =
        std::min<std::uint64_t>(part.first + std::uint64_t{kLevelTaskNodes}, graph.node_count());
    for (std::uint64_t node = part.first; node < end; ++node) {
      std::uint64_t link = graph.first_link(static_cast<Node>(node));
      for (const Node target : graph.successors(static_cast<Node>(node))) {
        const bool is_inside = host_of[node] == host_of[target] && host_of[node] != kNoNode;
        if (!is_inside) part.targets.push_back(target);
        if (!is_inside) part.columns.append(graph.link_columns(), link);
        ++link;
      }
      part.end_list();
    }
    builder.add(std::move(part));
  });
  return graph.with_links_of(builder.finish(work));
}

}  // namespace webstrata
