// SPDX-License-Identifier: Apache-2.0

// The only access to the truth: one test at a time, and every one is counted.
//
//   Oracle oracle([&](Node page) { return Finding{page, Outcome::Gone, Verdict::Dead}; });
//   oracle.test(pages);  oracle.tests();
//
// A method is given findings, never the oracle's source, so it cannot peek. The same planner serves
// a benchmark (truth.h), a file of outcomes, and real requests made by the callback. For concurrent
// requests, AskAll answers a whole batch at once.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "webstrata/base/ids.h"
#include "webstrata/facts/outcome.h"

namespace webstrata {

// Whether a page is what is looked for.
enum class Verdict : std::uint8_t {
  Undecided,  // the answer decides nothing: refused, no answer, unknown
  Dead,
  Live,
};

struct Finding {
  Node page = 0;
  Outcome outcome = Outcome::Unknown;
  Verdict verdict = Verdict::Undecided;
  bool no_host = false;  // the host has no address: none of its pages can exist

  friend bool operator==(const Finding&, const Finding&) = default;
};

inline constexpr std::size_t kOutcomes = static_cast<std::size_t>(Outcome::SoftGone) + 1;
// How many answers of each kind there were: the summary of a campaign.
using OutcomeCounts = std::array<std::uint64_t, kOutcomes>;

class Oracle {
 public:
  using Ask = std::function<Finding(Node)>;
  explicit Oracle(Ask ask);
  // One finding for each page of a batch, in its order. It may take long, and may throw.
  using AskAll = std::function<std::vector<Finding>(std::span<const Node>)>;
  static Oracle of_batches(AskAll ask_all);

  // In the order of `pages`; a page that is passed twice is tested, and counted, twice.
  std::vector<Finding> test(std::span<const Node> pages);
  [[nodiscard]] std::uint64_t tests() const noexcept { return tests_; }
  [[nodiscard]] const OutcomeCounts& outcomes() const noexcept { return outcomes_; }
  // Unreachable pages whose host has no address.
  [[nodiscard]] std::uint64_t no_host() const noexcept { return no_host_; }

 private:
  Oracle() = default;

  AskAll ask_all_;
  std::uint64_t tests_ = 0;
  OutcomeCounts outcomes_ = {};
  std::uint64_t no_host_ = 0;
};

}  // namespace webstrata
