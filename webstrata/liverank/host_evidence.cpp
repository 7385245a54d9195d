// Tested by tests/liverank/run_test.cpp.

#include "webstrata/liverank/host_evidence.h"

namespace webstrata {

HostEvidence::HostEvidence(const UrlLevel& hosts, std::uint32_t tests)
    : hosts_(hosts), tests_(tests), answers_(hosts.sizes.size()) {}

void HostEvidence::add(const Finding& finding) {
  Answers& host = answers_[hosts_.group_of[finding.page]];
  if (finding.verdict == Verdict::Dead) {
    ++host.dead;
  } else {
    host.has_other = true;
  }
  host.no_host = host.no_host || finding.no_host;
}

bool HostEvidence::is_dead(Node page) const noexcept {
  const Answers& host = answers_[hosts_.group_of[page]];
  return !host.has_other && (host.no_host || host.dead >= tests_);
}

}  // namespace webstrata
