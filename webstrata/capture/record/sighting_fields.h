// SPDX-License-Identifier: Apache-2.0

// From the words of a crawl file to the fields of a Sighting: one set of rules for all readers.
//
// "-" and "" mean "not known" everywhere, and leave the field empty. An invalid word is damage and
// goes to the Report with its offset; what is left out on purpose is counted there.

#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "webstrata/base/report.h"
#include "webstrata/capture/record/reader.h"
#include "webstrata/facts/sighting.h"
#include "webstrata/url/url.h"

namespace webstrata {

// In WARC 1.0 some writers put <> around every URI.
std::string_view without_brackets(std::string_view text);

// Parses `raw` into `url` and sets URL and spelling; optional angle brackets are removed. False if
// the record gives no fact: no URL (damage), one that is too long, one of another scheme unless the
// options keep it, or a name that crawlers give to their own records, such as dns: and warcinfo:
// (counted). A spelling that contains a user name or password is not kept.
bool set_url(Sighting& sighting, std::string_view raw, const ReadOptions& options, Report& report,
             std::uint64_t offset, Url& url);

// Any form of base/time.h. False, and reported as damage, if it is not a time. A date that does not
// exist is replaced by the nearest one that does, which is reported as damage too; a day of the
// year where the day of the month belongs is corrected and counted.
bool set_time(Sighting& sighting, std::string_view text, Report& report, std::uint64_t offset);
// The same for the time of a revisit's original, which may be missing.
void set_refers_to_time(Sighting& sighting, std::string_view text, Report& report,
                        std::uint64_t offset);

// Both set the outcome too, so kind and redirect target come before. The second parses a word, and
// returns false if that is not a number in range.
void set_status(Sighting& sighting, int status);
bool set_status(Sighting& sighting, std::string_view text);

// `reference` may be relative to `page`. False, with nothing set, if it is not a web URL.
bool set_redirect(Sighting& sighting, const Url& page, std::string_view reference);

// With its algorithm: "sha-256:ab..", "urn:sha1:3I42.." and bare base32 or hex are brought to the
// form "sha1:3I42..", the value as it was given. `algorithm` is for bare values whose length does
// not determine it; if it is empty, they stay bare.
void set_digest(std::string& digest, std::string_view text, std::string_view algorithm = {});

// A payload digest that does not match `payload` is reported and replaced by the right one, because
// pages with equal digests count as equal.
void replace_wrong_digest(std::string_view payload, Report& report, std::uint64_t offset,
                          Sighting& sighting);

// Without parameters, in lower case; words that are not a type ("unk", "no-type") leave it empty.
void set_mime(Sighting& sighting, std::string_view content_type);

// Sets title_hash, and the title itself if the options ask for it. White space is folded first.
void set_title(Capture& capture, std::string_view title, const ReadOptions& options);

// "sha1:" and 40 hexadecimal digits.
std::string sha1_digest(std::string_view bytes);

// The number of characters in `text`; ill-formed bytes count one each.
std::uint64_t character_count(std::string_view text) noexcept;

// The part after the last slash.
std::string_view base_name(std::string_view path) noexcept;

// True for "-" and "".
inline bool is_absent(std::string_view word) noexcept { return word.empty() || word == "-"; }

// The whole word as a decimal number.
template <typename Integer>
std::optional<Integer> parse_number(std::string_view word) noexcept {
  Integer number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

// For messages: the start of `text` in quotes, or nothing where it may contain a password.
std::string in_quotes(std::string_view text);

}  // namespace webstrata
