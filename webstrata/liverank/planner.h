// SPDX-License-Identifier: Apache-2.0

// A LiveRank method: says which pages to test next, and learns from the answers.
//
//   const auto planner = make_planner("lore", pages, {.seed = 7});     // planners.h
//   while (true) {
//     const auto batch = planner->next(100);
//     if (batch.empty()) break;
//     planner->learn(oracle.test(batch));
//   }
//
// Static methods plan once, sample-based ones twice, dynamic ones repeatedly. Answers may come
// late, in any order, twice, or about pages that were not planned. The first decisive answer
// counts; later contradictions are counted and ignored.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "webstrata/liverank/oracle.h"

namespace webstrata {

// A reason for or against a page.
struct Reason {
  std::string what;   // "evidence of its directory", "score"
  double value = 0;   // of the feature
  double weight = 0;  // what it adds to the score; 0 where a method has no weights

  friend bool operator==(const Reason&, const Reason&) = default;
};

struct LearnReport {
  std::uint64_t learned = 0;        // pages decided for the first time
  std::uint64_t undecided = 0;      // answers that decide nothing
  std::uint64_t repeated = 0;       // repeated answers
  std::uint64_t contradicting = 0;  // different answers; the first one counts
};

class Planner {
 public:
  virtual ~Planner() = default;
  Planner(const Planner&) = delete;
  Planner& operator=(const Planner&) = delete;

  // At most `count` pages to test next, best first, none of which was named or tested before. Fewer
  // at the end of a round of instructions; none once all pages were named.
  std::vector<Node> next(std::size_t count);
  // Throws Error(BadInput) if a page does not exist.
  LearnReport learn(std::span<const Finding> findings);
  // These are already being tested: they will not be named.
  void leave_out(std::span<const Node> pages);

  // The number of tests after which its plan changes: 1 for methods that learn from each.
  [[nodiscard]] virtual std::size_t batch_size() const = 0;
  // The reasons for its present estimate of a page.
  [[nodiscard]] virtual std::vector<Reason> why(Node page) = 0;

  [[nodiscard]] Node page_count() const noexcept { return static_cast<Node>(states_.size()); }
  // Neither named nor tested.
  [[nodiscard]] bool is_open(Node page) const noexcept { return states_[page] == 0; }
  [[nodiscard]] Verdict verdict(Node page) const noexcept;
  // The pages decided so far, in the order of learning.
  [[nodiscard]] const std::vector<Node>& decided() const noexcept { return decided_; }
  [[nodiscard]] std::uint64_t live_count() const noexcept { return live_count_; }

 protected:
  explicit Planner(Node page_count) : states_(page_count) {}
  [[nodiscard]] bool is_live(Node page) const noexcept { return verdict(page) == Verdict::Live; }

 private:
  // Appends open pages to the empty `batch`, at most `count` > 0.
  virtual void propose(std::size_t count, std::vector<Node>& batch) = 0;
  // The page is decided; it was not before.
  virtual void take_in(Node page, bool is_live) = 0;

  std::vector<std::uint8_t> states_;  // bits: named, dead, live
  std::vector<Node> decided_;
  std::uint64_t live_count_ = 0;
};

}  // namespace webstrata
