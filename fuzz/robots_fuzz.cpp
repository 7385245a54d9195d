// SPDX-License-Identifier: Apache-2.0

// robots.txt: whatever it says, the same question has the same answer, and /robots.txt may be read.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "webstrata/fetch/rules/robots.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const webstrata::RobotsRules rules = webstrata::parse_robots(text, "webstrata");
  const std::string_view path = text.substr(0, text.find('\n'));
  const webstrata::RobotsDecision decision = rules.decide(path);
  const bool has_reason = !decision.rule.empty() || decision.is_capped;
  if (!rules.allows("/robots.txt") || (!decision.is_allowed && !has_reason)) std::abort();
  if (rules.crawl_delay_ms() && *rules.crawl_delay_ms() < 0) std::abort();
  return 0;
}
