// SPDX-License-Identifier: Apache-2.0

// Hosts that died entirely: what a few dead pages, or a name without an address, say about the
// rest.

#pragma once

#include <cstdint>
#include <vector>

#include "webstrata/liverank/oracle.h"
#include "webstrata/liverank/url_groups.h"

namespace webstrata {

class HostEvidence {
 public:
  // An origin (scheme, host and port) is dead when its first `tests` > 0 answers were all dead; a
  // host when one says that it has no address. Both partitions must outlive it.
  HostEvidence(const UrlLevel& hosts, const UrlLevel& origins, std::uint32_t tests);

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
  std::uint32_t tests_;
  std::vector<Answers> of_hosts_;
  std::vector<Answers> of_origins_;
};

}  // namespace webstrata
