// SPDX-License-Identifier: Apache-2.0

// What became of pages, counted as in Table 1 of the LiveRank paper (uk-2002): gone, host not
// found, moved and to how many distinct URLs, 200 and how many of these are true, other.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "webstrata/liverank/oracle.h"

namespace webstrata {

struct StatusRow {
  std::string_view name;  // "404, 410"
  std::string_view key;   // the same for programs: "gone"
  std::uint64_t count = 0;
  bool is_part = false;  // of the previous row
};

// `no_host` of the unreachable ones have no address. Rows that are not parts sum up to all answers.
std::vector<StatusRow> status_rows(const OutcomeCounts& outcomes, std::uint64_t no_host,
                                   std::uint64_t redirect_targets);

}  // namespace webstrata
