// SPDX-License-Identifier: Apache-2.0

// Hosts and registered domains that died entirely: what a few dead pages, or a name without an
// address, say about the rest.

#pragma once

#include <cstdint>
#include <vector>

#include "webstrata/liverank/oracle.h"
#include "webstrata/liverank/url_groups.h"

namespace webstrata {

class HostEvidence {
 public:
  // An origin (scheme, host and port) is dead when its first `tests` > 0 answers were all dead; a
  // host when one says that it has no address; a registered domain when its first `domain_tests`
  // > 0 answers, from whichever hosts, were all dead. 0: never. The partitions must outlive it;
  // `domains` is not needed without domain_tests.
  HostEvidence(const UrlLevel& hosts, const UrlLevel& origins, std::uint32_t tests,
               const UrlLevel* domains = nullptr, std::uint32_t domain_tests = 0);

  void add(const Finding& finding);
  [[nodiscard]] bool is_dead(Node page) const noexcept;

 private:
  struct Answers {
    std::uint32_t dead = 0;
    bool has_other = false;
    bool no_host = false;
  };
  static void add(Answers& answers, const Finding& finding);

  const UrlLevel& hosts_;
  const UrlLevel& origins_;
  const UrlLevel* domains_;
  std::uint32_t tests_;
  std::uint32_t domain_tests_;
  std::vector<Answers> of_hosts_;
  std::vector<Answers> of_origins_;
  std::vector<Answers> of_domains_;
};

}  // namespace webstrata
