// SPDX-License-Identifier: Apache-2.0

// A line of an index as words, whatever its syntax, and what it says about a URL.
//
// An index line is a sighting, never a capture: it says that a page answered, not what was on it.

#pragma once

#include <cstdint>
#include <string_view>

#include "webstrata/capture/record/reader.h"
#include "webstrata/facts/sighting.h"
#include "webstrata/url/url.h"

namespace webstrata {

// "-" and "" mean "not known".
struct IndexWords {
  std::string_view url;
  std::string_view time;
  std::string_view mime;
  std::string_view status;
  std::string_view digest;
  std::string_view redirect;
  std::string_view file;  // with or without folders
  std::string_view offset;
  std::string_view length;
};

// False if the line at `line_offset` gives no fact, see sighting_fields.h. Where the line names a
// file, that and its offset replace the place of the line itself.
bool read_index_words(const IndexWords& words, const ReadContext& context,
                      std::uint64_t line_offset, Url& url, Sighting& sighting);

}  // namespace webstrata
