// SPDX-License-Identifier: Apache-2.0

// The order of URLs by what an archive knows about them.
//
//   ArchiveOrder order({.archive = "lib.ws@2021"});             // how likely pages live
//   ArchiveOrder order({.archive = "lib.ws", .column = "pagerank"});  // saved scores
//
// The first half of a score is the likelihood that the page lives (liverank/posterior.h), or its
// place in a column of scores; the second half decides ties: PageRank, or that likelihood.
//
// A page without a score gets the mean of the pages that link to it, else of its directory, else of
// its host. One that the archive does not know at all lives as likely as others in its directory
// and on its host, as far as clients have reported (live_shares.h). docs/METHODS.md has the
// formulas.
//
// Outcomes that clients report are learned: a URL that was found alive makes its relatives more
// likely to live. Memory is that of the graph, some hundred bytes per page.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/frontier/store/frontier.h"

namespace webstrata::frontier {

struct ArchiveOrderOptions {
  std::string archive;      // "lib.ws", or with a time: "lib.ws@2021"
  std::string column = {};  // of scores; empty: how likely pages live
};

class ArchiveOrder : public Order {
 public:
  // Reads the graph. Throws Error(NotFound) if there is no such archive or column.
  explicit ArchiveOrder(const ArchiveOrderOptions& options);
  ~ArchiveOrder() override;

  std::uint32_t score(std::string_view url) override;
  bool is_forgotten(std::string_view url) override;
  std::optional<bool> outcome_of(const Metadata& metadata) override;
  void learn(std::string_view url, bool lives, std::vector<std::string>& changed) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Whether a page lives, by what clients write about a fetch into metadata: an HTTP status under
// fetch.statusCode, statusCode, http.status or status, or the name of an outcome
// (facts/outcome.h) under outcome. Refusals and missing answers say nothing.
std::optional<bool> lives(const Metadata& metadata);

}  // namespace webstrata::frontier
