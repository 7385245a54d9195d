// SPDX-License-Identifier: Apache-2.0

// The parameters of `extra`, frozen; extra_prior.h has the weights it begins with. They were chosen
// on the development topics that docs/METHODS.md ("EXTRA") names, before the others were looked at.
// `explore_bench --quality --data schools-wiki,debpkg` measures them: run it before and after you
// change one. Internal to the room.

#pragma once

#include <cstddef>

namespace webstrata::extra {

// Share of the budget that is the learner's alone: there is little to judge experts by before.
inline constexpr double kLearnerAlone = 0.2;

// The bandit over experts. What an expert brought counts less with every choice of it, and a little
// less with every step at all.
inline constexpr double kOwnDiscount = 0.99;
inline constexpr double kTimeDiscount = 0.999;
inline constexpr double kPriorChoices = 1;     // of the mean reward of late, for each expert
inline constexpr double kLearnerChoices = 20;  // as many more for the learner
inline constexpr double kNoise = 0.3;          // of the draw, in standard deviations of rewards
inline constexpr std::size_t kMeanWindow = 100;
inline constexpr std::size_t kDeviationWindow = 200;
inline constexpr double kDeviationMin = 0.1;

// The learner: how many pages the weights it begins with count for.
inline constexpr double kPriorPages = 200;

// How many pages of the mean count for what nothing is known about, in means over ...
inline constexpr double kParentPrior = 0.3;
inline constexpr double kSiblingPrior = 0.2;
inline constexpr double kGroupPrior = 1;
inline constexpr double kSiblingExpertPrior = 0.02;

// Siblings: of a page with many parents only the latest ones tell their children about it, and
// pages with very many links tell nobody.
inline constexpr std::size_t kParentsMax = 64;
inline constexpr std::size_t kSiblingsMax = 1000;

// Up to so many nodes, the whole frontier is scored whenever the learner chooses. Beyond, nodes are
// scored when something about them changes, and all of them once in frontier / kScoredPerChoice
// choices.
inline constexpr std::size_t kScoredAlways = 4096;
inline constexpr std::size_t kScoredPerChoice = 2048;

}  // namespace webstrata::extra
