// SPDX-License-Identifier: Apache-2.0

// PageRank-Beta: how likely a page is to live, from PageRank masses of live and dead pages.
//
// The surfer walks links in both directions, and from a page to the groups of its URL and back:
//
//   T = rownorm(links + linksᵀ + page <-> group, for every level; groups of one page left out)
//   a = Σ over live pages s of PPR_T(s),   b = the same over dead ones      (damping 0.7)
//   score(v) = (a_v + κ·π) / (a_v + b_v + κ),   π = (live + 1) / (tested + 2),   κ = 0.02
//
// That is the mean of a Beta distribution whose counts are masses. Without links it is active site
// first, without groups and with κ = 0 it orders as P± does.
//
// The tested pages show how far masses can be trusted: fit() chooses the κ under which their
// answers are most likely, excluding each page's own mass (leave one out). If none explains them
// better than their rate π, masses are not informative.

#pragma once

#include <optional>
#include <vector>

#include "webstrata/liverank/lore_parameters.h"
#include "webstrata/liverank/population.h"
#include "webstrata/rank/ppr.h"

namespace webstrata {

class BetaRank {
 public:
  // epsilon 0: exact scores, at the price of two PageRanks each time; otherwise by push
  // (rank/ppr.h).
  BetaRank(const Population& pages, double epsilon, const BetaParameters& parameters = {});

  void add(Node page, bool is_live);
  // Learns κ. False if masses do not predict the answers; κ is then the largest candidate.
  bool fit();
  // One per page.
  void score(std::vector<double>& scores) const;
  struct Masses {
    double live = 0;
    double dead = 0;
  };
  // By push, or after score().
  [[nodiscard]] Masses masses(Node page) const;
  [[nodiscard]] double rate() const;  // π
  [[nodiscard]] double kappa() const noexcept { return kappa_; }

 private:
  void weave(const Population& pages);
  [[nodiscard]] std::vector<double> exact(const std::vector<Node>& sources) const;
  [[nodiscard]] double surprise(double kappa) const;

  Node page_count_;
  bool is_exact_;
  BetaParameters parameters_;
  double kappa_;
  Snapshot graph_;  // pages, then groups
  std::vector<double> weights_;
  std::optional<PushPageRank> pushed_[2];
  std::vector<Node> sources_[2];       // dead, live
  std::vector<double> own_masses_[2];  // what each of them has from itself
  mutable std::vector<double> exact_[2];
};

}  // namespace webstrata
