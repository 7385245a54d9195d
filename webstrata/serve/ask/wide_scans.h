// SPDX-License-Identifier: Apache-2.0

// Questions about all pages of a host, however many: births and deaths of their links, and their
// links counted by the host or domain of the other end.
//
//   const LinkGroups groups = link_groups(archive, {.nodes =
//   archive.range(host_keys("a.example"))});
//
// Derived (derived.h) keeps the results of the last few.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/ask/presence.h"
#include "webstrata/base/work.h"

namespace webstrata::serve {

// The links whose other end is on one host or domain. A link counts in every year from the first
// to the last in which it was seen.
struct LinkGroup {
  std::uint64_t links = 0;
  Time first = kAllTime.last;
  Time last = kAllTime.first;
  std::map<int, std::uint64_t> years = {};
  friend bool operator==(const LinkGroup&, const LinkGroup&) = default;
};
using LinkGroups = std::map<std::string, LinkGroup>;  // by name

struct GroupQuestion {
  UidRange nodes = {};
  Direction direction = Direction::Out;
  std::optional<TimeInterval> during = {};
  LinkKinds kinds = kAllKinds;
  bool by_domain = false;
  friend bool operator==(const GroupQuestion&, const GroupQuestion&) = default;
};

// Reads every page that has such links once, on all threads.
LinkGroups link_groups(const Archive& archive, const GroupQuestion& question,
                       const WorkOptions& work = {});

// The same for a few nodes, which need not be neighbours; `question.nodes` is not read.
LinkGroups link_groups(const Archive& archive, std::span<const Uid> nodes,
                       const GroupQuestion& question);

// link_churn() of all nodes of a range, without its list of pages.
struct ChurnSums {
  std::uint64_t pages = 0;
  std::map<std::string, LinkChurn::Month> months = {};
};
ChurnSums churn_sums(const Archive& archive, UidRange nodes, const WorkOptions& work = {});

}  // namespace webstrata::serve
