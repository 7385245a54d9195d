// SPDX-License-Identifier: Apache-2.0

// A web that grows and changes, of any size: hosts of very different sizes, folders with menus,
// links that stay near or go to what is popular elsewhere; pages and hosts that are born and die,
// and links that change between one crawl and the next.
//
// Nothing is stored but the sizes of hosts: whether a page is there in a crawl, and which links it
// has, follows from the seed, the numbers of host, page and crawl alone. So the largest web needs
// no more than a few megabytes, crawls can be written in any order, and a part of a crawl is the
// same as in the whole. docs/SCALE.md compares it with the real crawls that its constants come
// from.
//
//   const DatedWeb web({.hosts = 1000, .crawls = 2});
//   web.crawl(0, [](const DatedPage& page) { ... });

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "webstrata/base/time.h"

namespace webstrata {

struct DatedWebOptions {
  std::uint64_t seed = 1;
  std::uint64_t hosts = 800;  // alive in the first crawl
  int crawls = 2;
  double months = 22;  // from one crawl to the next
};

struct DatedPage {
  std::string url;
  Time time = 0;
  std::vector<std::string> links;  // without duplicates
};

class DatedWeb {
 public:
  using Visit = std::function<void(const DatedPage& page)>;

  explicit DatedWeb(const DatedWebOptions& options);

  // All pages that are there in crawl `number`, host by host.
  void crawl(int number, const Visit& visit) const;
  // `captures` random pages on a day after the last crawl. They are as the crawl after the last
  // one would have found them: some are new.
  void day(int number, std::uint64_t captures, const Visit& visit) const;

  [[nodiscard]] std::uint64_t host_count() const { return first_pages_.size() - 1; }  // ever alive

 private:
  struct Host;
  class Filler;

  [[nodiscard]] Host host(std::uint64_t number) const;
  [[nodiscard]] bool is_host_alive(std::uint64_t host, int crawl) const;
  [[nodiscard]] bool lives(std::uint64_t birth, std::uint64_t life, double born, double dies,
                           int crawl) const;
  [[nodiscard]] bool is_alive(const Host& host, std::uint64_t page, int crawl) const;
  void visit_page(const Host& host, std::uint64_t page, Filler& filler, DatedPage& out,
                  const Visit& visit) const;

  DatedWebOptions options_;
  double interval_ = 1;                     // of the crawls, in intervals of the measurement
  std::vector<std::uint64_t> first_pages_;  // of each host, and the number of all
};

}  // namespace webstrata
