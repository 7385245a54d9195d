// SPDX-License-Identifier: Apache-2.0

// Tested by tests/liverank/run_test.cpp.

#include "webstrata/liverank/run.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "webstrata/base/error.h"
#include "webstrata/liverank/host_evidence.h"

namespace webstrata {
namespace {

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
    const bool gives_up = options.dead_host_tests > 0 || options.dead_domain_tests > 0;
    if (gives_up && options.hosts != nullptr) {
      const UrlLevel& origins = options.origins != nullptr ? *options.origins : *options.hosts;
      hosts_.emplace(*options.hosts, origins, options.dead_host_tests, options.domains,
                     options.dead_domain_tests);
    }
  }

  LiveRun run() {
    planner_.leave_out(options_.first);
    while (!is_over()) {
      const auto planned = next_batch();
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
  std::vector<Node> next_batch() {
    std::vector<Node> batch;
    const std::size_t size = batch_size();
    for (; first_given_ < options_.first.size() && batch.size() < size; ++first_given_) {
      batch.push_back(options_.first[first_given_]);
    }
    if (batch.empty()) batch = planner_.next(size);
    for (const Node page : batch) {
      if (sample_.size() < options_.sample_tests) sample_.emplace(page, false);
    }
    return batch;
  }
  // From the pages of the sample; those of dead hosts count as dead without a test. Whatever else
  // was tested since then narrows the interval.
  [[nodiscard]] Estimate estimate() const {
    const std::uint64_t pages = planner_.page_count();
    const std::uint64_t dead = run_.order.size() - run_.found;
    const Estimate found = options_.sample_is_systematic
                               ? estimate_live_systematic(pages, sample_answers())
                               : estimate_live(pages, sample_.size(), sample_live_);
    return narrowed(found, run_.found, pages - dead - run_.settled);
  }
  [[nodiscard]] std::vector<std::uint8_t> sample_answers() const {
    std::vector<std::uint8_t> answers;
    for (const auto& [page, is_live] : sample_) answers.push_back(is_live ? 1 : 0);
    return answers;
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
    const bool knows =
        options_.sample_tests > 0 &&
        sample_.size() >= std::min<std::size_t>(options_.sample_tests, kEstimateTests);
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
      if (is_live) count_in_sample(finding.page);
      if (hosts_) hosts_->add(finding);
    }
    planner_.learn(findings);
  }
  void count_in_sample(Node page) {
    const auto found = sample_.find(page);
    if (found == sample_.end() || found->second) return;
    found->second = true;
    ++sample_live_;
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
  std::size_t first_given_ = 0;
  std::map<Node, bool> sample_;  // the pages for the estimate, and whether they were found alive
  std::uint64_t sample_live_ = 0;
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

void sample_for_estimate(RunOptions& run, std::string_view method, const Population& pages,
                         const PlannerOptions& options) {
  const UniformTests sample = uniform_tests(method, pages, options);
  run.sample_tests = sample.count;
  run.sample_is_systematic = sample.is_systematic;
  if (sample.count > 0 || run.alpha >= 1) return;
  const SampleOptions beside{.size = static_cast<double>(kEstimateTests)};
  run.first = drawn_sample(beside, pages.size(), options.seed);
  run.sample_tests = run.first.size();
}

LiveRun run_planner(Planner& planner, Oracle& oracle, const RunOptions& options) {
  check(options);
  return Campaign(planner, oracle, options).run();
}

}  // namespace webstrata
