// SPDX-License-Identifier: Apache-2.0

// Tested by tests/seeds/survival_test.cpp.

#include "webstrata/seeds/survival.h"

#include <algorithm>
#include <utility>

#include "webstrata/base/error.h"
#include "webstrata/url/url.h"

namespace webstrata {
namespace {

// The weight of the enclosing group's rate, in tests.
constexpr double kLean = 2;
// Deeper directories of one page each say nothing more.
constexpr int kDirectoryDepthMax = 8;

}  // namespace

std::vector<Node> drawn(std::vector<Node> nodes, std::uint64_t count, Random& random) {
  const std::size_t wanted = std::min<std::uint64_t>(count, nodes.size());
  for (std::size_t i = 0; i < wanted; ++i) {
    std::swap(nodes[i], nodes[i + random.below(nodes.size() - i)]);
  }
  nodes.resize(wanted);
  return nodes;
}

SurvivalTest survival_by_name(const Snapshot& old, const Snapshot& newer) {
  if (pages_of(newer).empty()) {
    throw Error(ErrorKind::BadInput,
                "the truth is empty: the newer graph has no pages, so it says nothing about any");
  }
  return [&old, &newer](Node node) { return survivor(old, newer, node).has_value(); };
}

GroupSurvival::GroupSurvival(const Snapshot& graph) : graph_(graph), groups_(1) {}

GroupSurvival::Group GroupSurvival::group_within(Group around, std::string_view key) {
  const auto [place, is_new] =
      by_key_.try_emplace(std::string(key), static_cast<Group>(groups_.size()));
  if (is_new) groups_.push_back({around, 0, 0});
  return place->second;
}

GroupSurvival::Group GroupSurvival::directory_of(Node node) {
  const auto [place, is_new] = directories_.try_emplace(node, 0);
  Url url;
  if (!is_new || !graph_.has_names() || !parse_url(graph_.name(node), url)) return place->second;
  std::string key(url.host());
  Group group = group_within(0, key);
  const std::string_view path = url.path();
  std::size_t start = 0;
  for (int depth = 0; depth < kDirectoryDepthMax; ++depth) {
    const std::size_t slash = path.find('/', start + 1);
    if (slash == std::string_view::npos) break;
    key.append(path.substr(start, slash - start));
    group = group_within(group, key);
    start = slash;
  }
  place->second = group;
  return group;
}

double GroupSurvival::rate(Group group) const {
  const Counts& counts = groups_[group];
  const double around = group == 0 ? 0.5 : rate(counts.around);
  return (counts.alive + kLean * around) / (counts.tested + kLean);
}

double GroupSurvival::probability(Node node) { return rate(directory_of(node)); }

void GroupSurvival::learn(Node node, bool is_alive) {
  Group group = directory_of(node);
  while (true) {
    ++groups_[group].tested;
    if (is_alive) ++groups_[group].alive;
    if (group == 0) return;
    group = groups_[group].around;
  }
}

}  // namespace webstrata
