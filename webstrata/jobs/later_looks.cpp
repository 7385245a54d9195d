// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/liverank_test.py.

#include "webstrata/jobs/later_looks.h"

#include <algorithm>

#include "webstrata/facts/page_state.h"

namespace webstrata {

LookAgain look_again_in(const Archive& archive, const GraphTime& time) {
  return [archive, time](const std::string& url, std::optional<Time> since) {
    LaterLooks looks;
    const auto uid = archive.uid(url);
    if (!uid) return looks;
    const bool is_interval = time.form == GraphTime::Form::During;
    const bool is_moment = time.form == GraphTime::Form::At;
    const std::vector<Time> captures = archive.capture_times(*uid);
    for (const Sighting& sighting : archive.sightings(*uid)) {
      const bool is_later =
          is_interval ? sighting.time >= time.interval.first : !since || sighting.time > *since;
      const bool is_earlier = (is_interval || is_moment) && sighting.time > time.interval.last;
      if (!is_later || is_earlier) continue;
      // A capture without a known outcome shows the page present (archive/read/page_verdict.h).
      const bool shows_page = sighting.outcome == Outcome::Unknown &&
                              std::ranges::binary_search(captures, sighting.time);
      if (shows_page) looks.decided = Outcome::Alive;
      if (decided_by(sighting.outcome)) looks.decided = sighting.outcome;
      looks.last = sighting.outcome;
      ++looks.count;
    }
    return looks;
  };
}

}  // namespace webstrata
