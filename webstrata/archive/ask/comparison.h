// SPDX-License-Identifier: Apache-2.0

// What changed between two times, and how links live and die: questions over the whole archive.
//
// All scan the pages in order, block by block on several threads; the answers do not depend on the
// number of threads.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/base/work.h"

namespace webstrata {

struct ScanOptions {
  LinkKinds kinds = kAllKinds;
  WorkOptions work = {};
};

// What became of a page or link between two times. A crawl that did not look at a page says nothing
// about it: such a page is neither kept nor vanished.
enum class Change : std::uint8_t {
  Appeared,  // known to exist at the second time only: seen for the first time, or back again
  Vanished,  // seen to be gone; a link: missing in a later capture of its page, or with its page
  Kept,      // seen again after the first time
  NotSeen,   // existed at the first time, and not seen since: not looked at, or refused
};
std::string_view to_string(Change change) noexcept;  // "appeared", "not_seen"

// One difference between the states at two times; `target` is empty for a page.
struct Difference {
  Change change = Change::Appeared;
  Uid source = 0;
  std::optional<Uid> target;
};

struct HostDifference {
  std::string host;
  std::uint64_t pages_kept = 0;
  std::uint64_t pages_appeared = 0;
  std::uint64_t pages_vanished = 0;
  std::uint64_t pages_not_seen = 0;
  std::uint64_t links_kept = 0;
  std::uint64_t links_appeared = 0;
  std::uint64_t links_vanished = 0;
  std::uint64_t links_not_seen = 0;
};

struct DiffResult {
  std::vector<HostDifference> hosts;  // of the sources, in order of their keys
  HostDifference total;               // its host is empty
};

// Compares the states at t0 and t1. Pages are those present or moved. If t0 is the later time, what
// appears after t1 counts as vanished, and the other way around. `visit`, if given, is called in
// order of uid, on one thread, with every page and link that appeared or vanished and every page
// that was not seen since; links of such pages are only counted.
DiffResult diff(const Archive& archive, Time t0, Time t1, const ScanOptions& options = {},
                const std::function<void(const Difference&)>& visit = {});

// Link updates, growth, mortality, locality, menus, from the presence layer.
struct LinkStatistics {
  std::uint64_t pages = 0;
  std::uint64_t captures = 0;
  std::uint64_t links = 0;  // union
  std::uint64_t link_facts = 0;

  // A birth is a capture with a link that the page's previous capture lacked (the first capture of
  // a page gives none), a death the reverse.
  std::uint64_t births = 0;
  std::uint64_t deaths = 0;
  std::uint64_t returns = 0;  // births of links that had died before
  // By year of the capture: births, deaths, captures, links in them.
  struct Year {
    std::uint64_t captures = 0;
    std::uint64_t new_pages = 0;  // first captures
    std::uint64_t link_facts = 0;
    std::uint64_t births = 0;
    std::uint64_t deaths = 0;
  };
  std::map<int, Year> years;
  // Lifetimes of links from first to last capture that has them, in days; those still there in
  // the page's last capture are censored and counted separately.
  std::vector<std::uint64_t> lifetime_days_ended;     // [k]: 2^k <= days+1 < 2^(k+1)
  std::vector<std::uint64_t> lifetime_days_censored;  // likewise

  // Locality of union links: to the page's own directory, host, registered domain, or elsewhere.
  std::uint64_t same_directory = 0;
  std::uint64_t same_host = 0;
  std::uint64_t same_domain = 0;
  std::uint64_t elsewhere = 0;

  // Menus: targets that at least `menu_share` of the pages of a host (global) or of a directory
  // (local) link to in their last captures, of those with at least `menu_pages_min` pages.
  struct Menu {
    std::string place;  // host, or directory
    bool is_global = false;
    std::uint64_t pages = 0;
    std::vector<Uid> targets;
  };
  std::vector<Menu> menus;       // in order of key
  std::uint64_t menu_links = 0;  // links of last captures that are menu links
  std::uint64_t last_capture_links = 0;
};

struct StatisticsOptions {
  ScanOptions scan;
  double menu_share = 0.8;
  std::uint64_t menu_pages_min = 5;
};
LinkStatistics link_statistics(const Archive& archive, const StatisticsOptions& options = {});

}  // namespace webstrata
