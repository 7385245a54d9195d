// SPDX-License-Identifier: Apache-2.0

// What TimeMaps, TimeGates and replay share: the captures of a URL, and where they are replayed.

#pragma once

#include <string>
#include <vector>

#include "webstrata/facts/sighting.h"
#include "webstrata/serve/ask/question.h"

namespace webstrata::serve {

// The URL at the end of an address: as it is, or percent-encoded as a whole. Throws Problem 400.
std::string original_of(const Question& question);

// All sightings of the spellings of a URL that can be replayed, in the order of time. Throws
// Problem 404 if there is none.
std::vector<Sighting> replayable(const Question& question, const std::string& original);

// "https://…/{timestamp}id_/{url}": the one that `serve` was given, else that of the built-in
// replay. Throws Problem 404 if there is neither.
std::string replay_template(const Question& question);

// The sighting nearest to a time; there is one at least.
const Sighting& nearest_to(const std::vector<Sighting>& sightings, Time time);

}  // namespace webstrata::serve
