// SPDX-License-Identifier: Apache-2.0

// Tested by tests/liverank/run_test.cpp.

#include "webstrata/liverank/run.h"

#include <algorithm>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/liverank/host_evidence.h"

namespace webstrata {
namespace {

// The minimum uniform sample for an estimate that decides: with 200 tests the standard error of a
// share is at most 3.5 %.
constexpr std::size_t kEnoughTests = 200;

void check(const RunOptions& options) {
  if (!(options.alpha > 0 && options.alpha <= 1)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("alpha {}: it must be above 0 and at most 1", options.alpha));
  }
  if (!(options.price >= 0 && options.price <= 1)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("price {}: live pages a test, from 0 to 1", options.price));
  }
}

class Campaign {
 public:
  Campaign(Planner& planner, Oracle& oracle, const RunOptions& options)
      : planner_(planner), oracle_(oracle), options_(options) {
    if (options.dead_host_tests > 0 && options.hosts != nullptr) {
      const UrlLevel& origins = options.origins != nullptr ? *options.origins : *options.hosts;
      hosts_.emplace(*options.hosts, origins, options.dead_host_tests);
    }
  }

  LiveRun run() {
    while (!is_over()) {
      const auto planned = planner_.next(batch_size());
      if (planned.empty()) break;
      const auto batch = without_dead_hosts(planned);
      if (!batch.empty()) test(batch);
      tell();
    }
    run_.curve = Curve(run_.live);
    run_.tests = run_.order.size();
    run_.outcomes = oracle_.outcomes();
    run_.no_host = oracle_.no_host();
    if (options_.sample_tests > 0) run_.estimate = estimate();
    return std::move(run_);
  }

 private:
  [[nodiscard]] std::uint64_t budget() const {
    return options_.budget.value_or(planner_.page_count());
  }
  [[nodiscard]] std::size_t batch_size() const {
    std::size_t size = options_.batch > 0 ? options_.batch : planner_.batch_size();
    if (hosts_) return 1;  // each answer may decide pages that would come next
    // The stopping rules need answers early.
    if (options_.alpha < 1 || options_.price > 0) size = std::min<std::size_t>(size, 20);
    return std::min<std::size_t>(size, budget() - run_.order.size());
  }
  [[nodiscard]] Estimate estimate() const {
    const std::size_t tested = std::min<std::size_t>(options_.sample_tests, run_.live.size());
    const auto live =
        std::count(run_.live.begin(), run_.live.begin() + static_cast<std::ptrdiff_t>(tested), 1);
    return estimate_live(planner_.page_count(), tested, static_cast<std::uint64_t>(live));
  }
  [[nodiscard]] bool stop(RunEnd end) {
    run_.ended = end;
    return true;
  }
  [[nodiscard]] bool is_over() {
    const std::size_t tests = run_.order.size();
    if (tests >= budget()) {
      return stop(tests >= planner_.page_count() ? RunEnd::AllPages : RunEnd::Budget);
    }
    const bool knows = options_.sample_tests > 0 &&
                       tests >= std::min<std::size_t>(options_.sample_tests, kEnoughTests);
    if (options_.alpha < 1 && knows &&
        static_cast<double>(run_.found) >= options_.alpha * estimate().value) {
      return stop(RunEnd::Alpha);
    }
    if (options_.price > 0 && tests >= kPriceWindow) {
      const auto recent = std::count(run_.live.end() - kPriceWindow, run_.live.end(), 1);
      if (static_cast<double>(recent) < options_.price * kPriceWindow) return stop(RunEnd::Price);
    }
    return false;
  }
  std::vector<Node> without_dead_hosts(std::vector<Node> batch) {
    if (!hosts_) return batch;
    run_.settled += std::erase_if(batch, [&](Node page) { return hosts_->is_dead(page); });
    return batch;
  }
  void test(const std::vector<Node>& batch) {
    const auto findings = oracle_.test(batch);
    ++run_.batches;
    for (const Finding& finding : findings) {
      const bool is_live = finding.verdict == Verdict::Live;
      run_.order.push_back(finding.page);
      run_.live.push_back(is_live ? 1 : 0);
      run_.found += is_live ? 1 : 0;
      if (hosts_) hosts_->add(finding);
    }
    planner_.learn(findings);
  }
  void tell() const {
    options_.work.check_cancelled();
    if (!options_.work.progress) return;
    options_.work.progress({"testing", run_.order.size(), budget(), "pages"});
  }

  Planner& planner_;
  Oracle& oracle_;
  const RunOptions& options_;
  LiveRun run_;
  std::optional<HostEvidence> hosts_;
};

}  // namespace

std::string_view to_string(RunEnd end) noexcept {
  switch (end) {
    case RunEnd::AllPages:
      return "all pages";
    case RunEnd::Budget:
      return "budget";
    case RunEnd::Alpha:
      return "alpha";
    case RunEnd::Price:
      return "price";
  }
  return "";
}

LiveRun run_planner(Planner& planner, Oracle& oracle, const RunOptions& options) {
  check(options);
  return Campaign(planner, oracle, options).run();
}

}  // namespace webstrata
