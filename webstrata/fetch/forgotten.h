// What an archive forgot is never asked.

#pragma once

#include <functional>
#include <string>

#include "webstrata/facts/tombstones.h"
#include "webstrata/fetch/clock.h"
#include "webstrata/url/key.h"

namespace webstrata {

// Whether a url is forgotten altogether, or at the time at which it would be asked. `clock` must
// outlive the answer.
inline std::function<bool(const Url&)> forgotten_by(Tombstones tombstones, const Clock& clock) {
  return [tombstones = std::move(tombstones), &clock](const Url& url) {
    std::string key;
    append_key(url, key);
    return tombstones.covers(key, std::nullopt) || tombstones.covers(key, seconds_of(clock.now()));
  };
}

}  // namespace webstrata
