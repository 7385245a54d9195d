// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/cdx_reader_test.cpp and cdxj_reader_test.cpp.

#include "webstrata/capture/formats/index_words.h"

#include <optional>
#include <string>

#include "webstrata/capture/record/sighting_fields.h"

namespace webstrata {
namespace {

// False if the word is neither a number nor absent.
bool set_number(std::optional<std::uint64_t>& field, std::string_view word) {
  field.reset();
  if (is_absent(word)) return true;
  field = parse_number<std::uint64_t>(word);
  return field.has_value();
}

bool set_place(Sighting& sighting, const IndexWords& words) {
  if (is_absent(words.file)) return true;
  sighting.file = base_name(words.file);
  return set_number(sighting.offset, words.offset) && set_number(sighting.length, words.length);
}

}  // namespace

bool read_index_words(const IndexWords& words, const ReadContext& context,
                      std::uint64_t line_offset, Url& url, Sighting& sighting) {
  if (!set_url(sighting, words.url, context.options, context.report, line_offset, url) ||
      !set_time(sighting, words.time, context.report, line_offset)) {
    return false;
  }
  sighting.kind = SightingKind::IndexLine;
  set_mime(sighting, words.mime);
  set_digest(sighting.digest, words.digest);
  set_redirect(sighting, url, words.redirect);
  if (!set_status(sighting, words.status)) {
    context.report.damaged(line_offset, "not a status: " + in_quotes(words.status));
    return false;
  }
  if (!set_place(sighting, words)) {
    context.report.damaged(line_offset, "offset or length is not a number");
    return false;
  }
  // Indexes give the status of a revisit record or leave it out; either way the page existed.
  if (sighting.mime == "warc/revisit" && !sighting.status) sighting.outcome = Outcome::Alive;
  return true;
}

}  // namespace webstrata
