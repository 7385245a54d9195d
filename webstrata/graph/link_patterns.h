// SPDX-License-Identifier: Apache-2.0

// Frequent patterns of links: sets of links that appear and disappear together on the pages of a
// host, in all captures. Menus, footers and boxes are such sets.
//
//   for (const LinkPattern& pattern : link_patterns(archive, {.patterns_max = 20})) ...
//
// A pattern is a largest set of targets that are in exactly the same captures of the host (a closed
// item set of data mining, over the layers OL, BV and TS of the paper). So a menu that gains an
// entry is two patterns: the old entries, and the new one from that time on.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/archive/ask/comparison.h"

namespace webstrata {

struct PatternOptions {
  ScanOptions scan = {};            // its threads are not used
  std::uint64_t pages_min = 5;      // pages of the host that had the pattern at some time
  std::uint64_t links_min = 2;      // targets of a pattern
  std::uint64_t patterns_max = 20;  // the largest, by targets times captures
};

struct LinkPattern {
  std::string host;
  std::vector<Uid> targets;      // ascending
  std::uint64_t pages = 0;       // that had it in some capture
  std::uint64_t pages_last = 0;  // that have it in their last capture
  std::uint64_t captures = 0;    // with it
  TimeInterval seen = {};        // in the first and last of these
};

// The largest first; equal ones in the order of hosts and targets. Memory: one host at a time.
// Throws Error(Corrupt), Error(Cancelled).
std::vector<LinkPattern> link_patterns(const Archive& archive, const PatternOptions& options = {});

}  // namespace webstrata
