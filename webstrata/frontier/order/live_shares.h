// SPDX-License-Identifier: Apache-2.0

// How likely a page lives of which nothing is known but its URL: from the outcomes of pages in the
// same directory, on the same host, and anywhere.
//
//   LiveShares shares;
//   shares.learn("http://a.org/news/1", true);
//   shares.probability("http://a.org/news/2");  // above 0.5
//
// Each level is the mean of a Beta distribution whose prior is the level above, as heavy as
// kPriorWeight outcomes. Memory is bounded: when there are kGroupsMax hosts and directories, new
// ones are not counted any more.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace webstrata::frontier {

class LiveShares {
 public:
  static constexpr double kPriorWeight = 2;
  static constexpr std::size_t kGroupsMax = 1'000'000;

  explicit LiveShares(std::size_t groups_max = kGroupsMax) : groups_max_(groups_max) {}

  void learn(std::string_view url, bool lives);
  // 0.5 before the first outcome.
  [[nodiscard]] double probability(std::string_view url) const;

 private:
  struct Counts {
    std::uint32_t tested = 0;
    std::uint32_t live = 0;
  };
  void count(std::uint64_t group, bool lives);
  [[nodiscard]] double mean(std::uint64_t group, double prior) const;

  std::size_t groups_max_;
  std::uint64_t tested_ = 0;
  std::uint64_t live_ = 0;
  std::unordered_map<std::uint64_t, Counts> groups_;  // by the hash of host or directory
};

}  // namespace webstrata::frontier
