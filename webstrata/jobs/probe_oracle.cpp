// SPDX-License-Identifier: Apache-2.0

// Tested by tests/fetch/miniweb_test.py.

#include "webstrata/jobs/probe_oracle.h"

#include <unordered_map>

#include <fmt/format.h>

#include "webstrata/base/error.h"

namespace webstrata {
namespace {

Target checked(Target target) {
  if (target == Target::Present || target == Target::Moved) return target;
  throw Error(
      ErrorKind::BadInput,
      fmt::format("a probe finds only pages that are present or moved; the target {} needs a truth",
                  to_string(target)));
}

}  // namespace

ProbeOracle::ProbeOracle(const ProbeJobOptions& options, std::shared_ptr<const Archive> known,
                         const Population& pages, Target target)
    : pages_(pages),
      target_(checked(target)),
      probes_(options, std::move(known)),
      findings_(pages.size()) {
  for (Node page = 0; page < pages.size(); ++page) findings_[page].page = page;
}

std::vector<Finding> ProbeOracle::ask(std::span<const Node> batch) {
  std::unordered_map<std::string, Node> nodes;
  std::vector<std::string> urls;
  for (const Node page : batch) {
    urls.push_back(pages_.graph.name(page));
    nodes.emplace(urls.back(), page);
  }
  probes_.probe(urls, [&](const Probed& probed) {
    const auto found = nodes.find(probed.url);
    if (found == nodes.end()) return;
    const Judgement& judgement = probed.judgement;
    const bool no_host =
        judgement.outcome == Outcome::Unreachable && judgement.failure == Failure::NameNotFound;
    findings_[found->second] = {found->second, judgement.outcome,
                                verdict_of(judgement.outcome, target_), no_host};
    judged_.insert_or_assign(found->second, probed);
    if (judgement.outcome == Outcome::Moved) moved_to_[found->second] = {judgement.target};
  });
  std::vector<Finding> answers;
  for (const Node page : batch) {
    answers.push_back(findings_[page]);
    asked_.push_back(page);
  }
  return answers;
}

Truth ProbeOracle::truth() const {
  Truth truth;
  truth.findings = findings_;
  for (const Finding& finding : findings_) {
    truth.live += finding.verdict == Verdict::Live ? 1 : 0;
    truth.no_host += finding.no_host ? 1 : 0;
    ++truth.outcomes[static_cast<std::size_t>(finding.outcome)];
  }
  truth.moved_to = moved_to_;
  return truth;
}

std::vector<Probed> ProbeOracle::asked() const {
  std::vector<Probed> all;
  for (const Node page : asked_) {
    const auto known = judged_.find(page);
    all.push_back(known != judged_.end() ? known->second : Probed{pages_.graph.name(page), {}});
  }
  return all;
}

std::string ProbeOracle::found_lines() const {
  std::string text;
  for (const Node page : asked_) {
    text += fmt::format("{}\t{}\n", pages_.graph.name(page), to_string(findings_[page].outcome));
  }
  return text;
}

}  // namespace webstrata
