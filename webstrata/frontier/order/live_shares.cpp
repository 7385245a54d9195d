// SPDX-License-Identifier: Apache-2.0

// Tested by tests/frontier/live_shares_test.cpp.

#include "webstrata/frontier/order/live_shares.h"

#include <functional>
#include <string>

#include "webstrata/url/url.h"

namespace webstrata::frontier {
namespace {

struct Groups {
  std::uint64_t host = 0;
  std::uint64_t directory = 0;
};

std::uint64_t hash_of(std::string_view text) { return std::hash<std::string_view>{}(text); }

Groups groups_of(std::string_view text) {
  Url url;
  if (!parse_url(text, url)) return {hash_of(text), hash_of(text)};
  const std::string_view path = url.path();
  std::string directory(url.host());
  directory.append(path.substr(0, path.rfind('/') + 1));
  return {hash_of(url.host()), hash_of(directory)};
}

}  // namespace

void LiveShares::count(std::uint64_t group, bool lives) {
  auto found = groups_.find(group);
  if (found == groups_.end()) {
    if (groups_.size() >= groups_max_) return;
    found = groups_.emplace(group, Counts{}).first;
  }
  ++found->second.tested;
  if (lives) ++found->second.live;
}

double LiveShares::mean(std::uint64_t group, double prior) const {
  const auto found = groups_.find(group);
  if (found == groups_.end()) return prior;
  return (found->second.live + kPriorWeight * prior) / (found->second.tested + kPriorWeight);
}

void LiveShares::learn(std::string_view url, bool lives) {
  ++tested_;
  if (lives) ++live_;
  const Groups groups = groups_of(url);
  count(groups.host, lives);
  count(groups.directory, lives);
}

double LiveShares::probability(std::string_view url) const {
  const double all =
      (static_cast<double>(live_) + 1) / (static_cast<double>(tested_) + 2);  // uniform prior
  const Groups groups = groups_of(url);
  return mean(groups.directory, mean(groups.host, all));
}

}  // namespace webstrata::frontier
