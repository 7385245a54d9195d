// SPDX-License-Identifier: Apache-2.0

// The numbers inside LORE, `auto` and PB, each with where it comes from.
//
// Users have no reason to change them. They are fields, and not constants, so that
// `liverank_bench --choosing` (bench/liverank/choosing.cpp) can vary one at a time and print what
// other values cost; run it before and after you change one. "Chosen on 2006 and 2012" means by the
// costs on these two pairs of openbsd-www (docs/METHODS.md, "LORE and auto" and "On real crawls").
// "No record" means that how a number was chosen was not written down at the time: the bench is
// then the only evidence for it.

#pragma once

#include <cstddef>
#include <cstdint>

namespace webstrata {

// PageRank-Beta (beta_rank.h): PB, and LORE where its model explains nothing.
struct BetaParameters {
  // Shorter walks than PageRank's 0.85: page, group, page are two steps already. No record.
  double damping = 0.7;
  // The candidates for κ: 0.02, 0.08, … below 21, which is about the mass of a whole crawl
  // (docs/METHODS.md, "PB"). The first is used until there is a fit.
  double kappa_first = 0.02;
  double kappa_step = 4;
  double kappa_max = 21;
  // Log likelihood per answer that masses must gain over the mean rate: chance alone gains about 1
  // in total (docs/METHODS.md, "PB": labels that depend on the in-degree alone).
  double gain = 0.01;
  // Rank again after this share of the pages (docs/METHODS.md, "PB"). No record.
  double round = 1.0 / 40;
};

// Directories about which nothing is known (exploration.h). Chosen on openbsd-www 2003 and 2006 and
// on the unchanged pages of debweb: docs/decisions/013-auto.md.
struct ExplorationParameters {
  double price = 2;         // of an exploring test, in live pages
  double recent_max = 0.6;  // while more of the tests find live pages, exploration can wait
  // r covers about the latest ten tests, more where rounds are large: a round ends worse than it
  // began, which does not mean that the model knows too little.
  double recent_min = 10;
  double recent_share = 0.0025;  // of the pages
  // Exploring tests are limited to a number plus a share of all tests: a large web has thousands of
  // directories, and most of them say little about others.
  double lessons_free = 20;
  double lessons_share = 0.005;
  // What r begins with: five tests, nearly all of them live, so that a first failure or two do not
  // start an exploration. No record.
  double first_tests = 5;
  double first_live = 4.75;
};

struct LoreParameters {
  // The prior says that every kind of relative matters a little. Chosen on 2006 and 2012: 0.15 to
  // 0.3 work equally well, 0 needs a larger sample, 0.5 trusts relatives too early.
  double prior = 0.15;
  double ridge = 2;  // how firmly; chosen with the prior
  // Of a feature: octiles. More bins fit finer, but each needs tested pages. No record.
  std::size_t bins = 8;
  // Pages with more links say little about what they connect, and the bound limits the work for
  // relatives over two links (evidence.h). No record.
  std::size_t hub_links = 300;

  // Rounds. The cost of a round is proportional to the number of pages, and small rounds learn
  // faster: small sites can afford five hundred rounds, large ones a hundred, in between
  // `round_work` divided by the number of pages. Chosen on 2006 and 2012.
  double rounds_min = 100;
  double rounds_max = 500;
  double round_work = 4e6;
  // Most is learned from the first answers: the first round is one test, and rounds grow by 30 %.
  // When far fewer pages live than the model predicted, by this number of standard deviations and
  // one page, it does not know this kind of pages: rounds shrink. Chosen on 2006 and 2012.
  std::size_t first_tests = 1;
  double growth = 1.3;
  double shrinking = 0.25;
  double deviations = 2;

  // Limits of work, not of quality: a fit takes no longer on a large web, and begins where the last
  // one ended, so a few steps do. No record.
  std::size_t rows_max = 12000;  // of a fit; more are drawn from
  int steps_first = 12;
  int steps_later = 6;

  ExplorationParameters exploration = {};
  BetaParameters fallback = {};
};

}  // namespace webstrata
