// Hosts that died whole: what a few dead pages, or a name without an address, say of all the rest.

#pragma once

#include <cstdint>
#include <vector>

#include "webstrata/liverank/oracle.h"
#include "webstrata/liverank/url_groups.h"

namespace webstrata {

class HostEvidence {
 public:
  // A host is dead when its first `tests` > 0 answers were all dead, or one says that it has no
  // address. `hosts` must outlive it.
  HostEvidence(const UrlLevel& hosts, std::uint32_t tests);

  void add(const Finding& finding);
  [[nodiscard]] bool is_dead(Node page) const noexcept;

 private:
  struct Answers {
    std::uint32_t dead = 0;
    bool has_other = false;
    bool no_host = false;
  };
  const UrlLevel& hosts_;
  std::uint32_t tests_;
  std::vector<Answers> answers_;
};

}  // namespace webstrata
