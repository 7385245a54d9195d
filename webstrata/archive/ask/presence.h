// SPDX-License-Identifier: Apache-2.0

// The presence matrix of a page: which of its links each of its captures had.
//
//   const Presence found = presence(archive, {uid});
//   for (const PresenceRow& row : found.rows) ... archive.url(row.node), row.runs ...
//
// Also the births and deaths of links that follow from it, for a page or for all pages of a host.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "webstrata/archive/ask/archive.h"

namespace webstrata {

struct PresenceQuestion {
  Direction direction = Direction::Out;
  std::optional<TimeInterval> during = {};  // only captures made inside it
  LinkKinds kinds = kAllKinds;              // links that had one of these in any of the captures
  std::size_t links_max = 10'000;           // those in most captures are kept
};

// One uninterrupted stay of a link: its first column and the number of columns.
struct PresenceRun {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  friend bool operator==(const PresenceRun&, const PresenceRun&) = default;
};

struct PresenceRow {
  Uid node = 0;  // the other end
  LinkKinds kinds = {};
  std::uint64_t captures = 0;  // in how many captures of its page it was
  std::vector<PresenceRun> runs = {};
  friend bool operator==(const PresenceRow&, const PresenceRow&) = default;
};

struct Presence {
  std::vector<Time> times = {};        // of the columns, ascending
  std::vector<PresenceRow> rows = {};  // ascending by node
  std::uint64_t left_out = 0;          // links beyond links_max
};

// Out: a column is a capture of the page. Several nodes are spellings of one page; captures of one
// second are one column. In: a row is a page that linked here, a column a capture of any of them,
// and a run lasts from one capture of that page to the last in succession that has the link.
Presence presence(const Archive& archive, std::span<const Uid> nodes,
                  const PresenceQuestion& question = {});

// Births and deaths as LinkStatistics counts them, of some pages, by the month of the capture.
struct LinkChurn {
  struct Month {
    std::uint64_t captures = 0;
    std::uint64_t new_pages = 0;  // first captures
    std::uint64_t births = 0;
    std::uint64_t deaths = 0;
  };
  std::map<std::string, Month> months = {};  // "2021-08"
  // Of each page that was captured, in the order of `pages`.
  struct Page {
    Uid uid = 0;
    TimeInterval span = {};  // first and last capture
    std::uint64_t captures = 0;
    std::uint64_t births = 0;
    std::uint64_t deaths = 0;
    std::uint64_t links_last = 0;  // in its last capture
  };
  std::vector<Page> pages = {};
};
LinkChurn link_churn(const Archive& archive, std::span<const Uid> pages,
                     std::optional<TimeInterval> during = std::nullopt,
                     LinkKinds kinds = kAllKinds);

}  // namespace webstrata
