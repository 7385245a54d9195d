// SPDX-License-Identifier: Apache-2.0

// The output of `liverank`: as text, as one JSON object, as CSV.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/graph/hand_over.h"
#include "webstrata/liverank/comparison.h"
#include "webstrata/liverank/population.h"
#include "webstrata/show/text_table.h"

namespace webstrata {

// Everything about one run; a report draws its pictures from this too.
struct LiveReport {
  std::string method;
  std::uint64_t seed = 1;
  Target target = Target::Present;
  std::uint64_t pages = 0;
  std::uint64_t links = 0;
  const Truth* truth = nullptr;
  const LiveRun* run = nullptr;
  std::string why_url;                    // empty: not requested
  std::optional<std::uint64_t> why_rank;  // from 1; empty: not tested
  std::vector<Reason> why;
  bool truth_is_whole = true;  // false: nothing is known about untested pages
};

// Adds what `planner` knows about a page after the run.
void explain(LiveReport& report, const Population& pages, Planner& planner, Node page);

std::string as_json(const LiveReport& report);
std::string as_text(const LiveReport& report);
std::string why_as_text(const LiveReport& report);

// One URL per line. Page i goes to crawler i mod `shards`, as the paper divides a plan, with the
// crawler's number in front; one crawler needs no number.
std::string plan_as_text(const std::vector<std::string>& urls, unsigned shards);
TextTable plan_table(const std::vector<std::string>& urls, unsigned shards);
// The URLs of pages, without those that must not be named.
std::vector<std::string> urls_of_plan(const Population& pages, const std::vector<Node>& plan,
                                      const HandOver& hand_over);

struct ComparisonTable {
  std::uint64_t pages = 0;
  std::uint64_t live = 0;
  std::vector<double> alphas;  // rows may have costs at more of them, for curves
  std::uint64_t first_seed = 1;
  std::uint32_t seeds = 1;
  std::vector<CostRow> rows;
};
std::string as_text(const ComparisonTable& table);
std::string as_json(const ComparisonTable& table);
// method, sample, z, run, alpha, cost: one line per run and alpha.
std::string as_csv(const ComparisonTable& table);

}  // namespace webstrata
