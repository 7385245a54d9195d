// SPDX-License-Identifier: Apache-2.0

// Tested by tests/liverank/run_test.cpp.

#include "webstrata/liverank/host_evidence.h"

namespace webstrata {

HostEvidence::HostEvidence(const UrlLevel& hosts, const UrlLevel& origins, std::uint32_t tests,
                           const UrlLevel* domains, std::uint32_t domain_tests)
    : hosts_(hosts),
      origins_(origins),
      domains_(domain_tests > 0 ? domains : nullptr),
      tests_(tests),
      domain_tests_(domain_tests),
      of_hosts_(hosts.sizes.size()),
      of_origins_(origins.sizes.size()),
      of_domains_(domains_ != nullptr ? domains_->sizes.size() : 0) {}

void HostEvidence::add(Answers& answers, const Finding& finding) {
  if (finding.verdict == Verdict::Dead) {
    ++answers.dead;
  } else {
    answers.has_other = true;
  }
  answers.no_host = answers.no_host || finding.no_host;
}

void HostEvidence::add(const Finding& finding) {
  add(of_hosts_[hosts_.group_of[finding.page]], finding);
  add(of_origins_[origins_.group_of[finding.page]], finding);
  if (domains_ != nullptr) add(of_domains_[domains_->group_of[finding.page]], finding);
}

bool HostEvidence::is_dead(Node page) const noexcept {
  if (domains_ != nullptr) {
    const Answers& domain = of_domains_[domains_->group_of[page]];
    if (domain.dead >= domain_tests_ && !domain.has_other) return true;
  }
  if (tests_ == 0) return false;
  const Answers& host = of_hosts_[hosts_.group_of[page]];
  const Answers& origin = of_origins_[origins_.group_of[page]];
  return (host.no_host && !host.has_other) || (origin.dead >= tests_ && !origin.has_other);
}

}  // namespace webstrata
