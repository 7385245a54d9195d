// SPDX-License-Identifier: Apache-2.0

// TimeMaps in link format (RFC 7089, section 5): where the mementos of a URL are.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "webstrata/facts/sighting.h"

namespace webstrata {

struct Memento {
  Time time = 0;
  std::string url;  // as it was captured
};

// The URL under which a sighting can be replayed; empty if it left nothing to replay (a probe).
std::string memento_url(const Sighting& sighting);

// `replay` precedes "20210814100000/http://..."; without it these are relative references.
// Mementos ascend in time.
void append_timemap(std::string& out, std::string_view original, std::span<const Memento> mementos,
                    std::string_view replay);

}  // namespace webstrata
