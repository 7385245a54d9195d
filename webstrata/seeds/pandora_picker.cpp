// SPDX-License-Identifier: Apache-2.0

// PANDORA-RIS: seeds that reach what matters and will still exist.
//
// A test costs something, and a candidate is worth its gain only if it is alive. Weitzman's rule
// for such boxes (Optimal search for the best alternative, 1979): open the one with the highest
// reservation value z, where price = p * (gain - z), so z = gain - price / p. Gains come from
// reverse-reachable sets (coverage_sets.h), the chance p to be alive from what tests of neighbours
// showed (survival.h). When everything in the sample is covered, PageRank times that chance decides.
//
// Gains only fall and p is at most 1, so gain - price bounds z: the heap re-evaluates only nodes
// that may still win.
//
// Tested by tests/seeds/pandora_picker_test.cpp.

#include <fmt/format.h>

#include <utility>

#include "webstrata/base/error.h"
#include "webstrata/seeds/falling_heap.h"
#include "webstrata/seeds/pickers.h"

namespace webstrata {
namespace {

// A sample of thousands cannot resolve smaller differences.
constexpr double kPageRankTolerance = 1e-5;

CoverageOptions coverage_of(const SeedOptions& options) {
  CoverageOptions coverage = options.pandora.coverage;
  coverage.seed = options.seed;
  coverage.work = options.work;
  return coverage;
}

class PandoraPicker : public SeedPicker {
 public:
  PandoraPicker(const Snapshot& graph, const SeedOptions& options, std::vector<double> scores)
      : graph_(graph),
        sets_(CoverageSets::draw(graph, scores, coverage_of(options))),
        scores_(std::move(scores)),
        price_(options.pandora.test_price * static_cast<double>(sets_.total())),
        group_survival_(graph),
        survival_(options.pandora.survival != nullptr ? *options.pandora.survival
                                                      : group_survival_),
        is_tested_(options.test != nullptr),
        is_given_(graph.node_count(), 0) {
    for (const Node node : pages_of(graph)) {
      if (const std::uint64_t gain = sets_.gain(node); gain > 0) {
        heap_.add(node, static_cast<double>(gain));
      }
    }
  }

  std::optional<SeedCandidate> next() override {
    std::optional<SeedCandidate> candidate = next_by_coverage();
    if (!candidate) candidate = next_by_score();
    if (candidate) is_given_[candidate->node] = 1;
    return candidate;
  }

  void learn(Node node, bool is_alive) override {
    if (is_tested_) survival_.learn(node, is_alive);
    if (!is_alive) return;
    sets_.cover(node);
    heap_.values_fell();
  }

 private:
  std::optional<SeedCandidate> next_by_coverage() {
    const auto best = heap_.take_worthiest(
        price_, [&](Node node) { return static_cast<double>(sets_.gain(node)); },
        [&](const FallingHeap::Entry& entry) {
          return entry.value - price_ / survival_.probability(entry.node);
        });
    if (!best) return std::nullopt;
    const double share = best->value / static_cast<double>(sets_.total());
    std::string why =
        fmt::format("reaches {:.2f} % of the PageRank that no earlier seed reaches", 100 * share);
    if (is_tested_) {
      why += fmt::format("; alive with probability {:.2f}", survival_.probability(best->node));
    }
    return SeedCandidate{best->node, share, std::move(why)};
  }

  std::optional<SeedCandidate> next_by_score() {
    if (!is_by_score_) {
      for (const Node node : pages_of(graph_)) {
        if (is_given_[node] == 0) by_score_.add(node, scores_[node]);
      }
      is_by_score_ = true;
    }
    const auto best = by_score_.take_worthiest(
        0, [&](Node node) { return scores_[node]; },
        [&](const FallingHeap::Entry& entry) {
          return is_tested_ ? entry.value * survival_.probability(entry.node) : entry.value;
        });
    if (!best) return std::nullopt;
    return SeedCandidate{
        best->node, 0,
        fmt::format("reaches nothing more of the sample; PageRank {:.3g}", best->value)};
  }

  const Snapshot& graph_;
  CoverageSets sets_;
  std::vector<double> scores_;
  double price_;  // in sets
  GroupSurvival group_survival_;
  SurvivalModel& survival_;
  bool is_tested_;  // otherwise everything counts as alive, and nothing is learned
  std::vector<std::uint8_t> is_given_;
  FallingHeap heap_;  // by gain
  FallingHeap by_score_;
  bool is_by_score_ = false;
};

void check(const PandoraOptions& options) {
  if (options.test_price >= 0 && options.test_price < 1) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("price of a test {}: from 0 to below 1", options.test_price));
}

}  // namespace

std::unique_ptr<SeedPicker> make_pandora_picker(const Snapshot& graph, const SeedOptions& options) {
  check(options.pandora);
  return std::make_unique<PandoraPicker>(graph, options,
                                         scores_for(graph, options, kPageRankTolerance));
}

}  // namespace webstrata
