// SPDX-License-Identifier: Apache-2.0

// The plain byte form of facts in batches and runs: fast to write, read once, in order.
//
// merge/page_writer.cpp digests these bytes, and MANIFEST holds the digest: neither the order of
// the fields nor the bits below may change.

#pragma once

#include <string>

#include "webstrata/base/bytes.h"
#include "webstrata/codec/sightings.h"

namespace webstrata {

void append_signed(std::string& out, std::int64_t value);
void append_text(std::string& out, std::string_view text);
void append_record(std::string& out, const SightingRecord& record);

// `Reader` is a ByteReader or has the same interface.
template <typename Reader>
std::int64_t read_signed(Reader& reader) {
  const std::uint64_t folded = reader.varint();
  return static_cast<std::int64_t>((folded >> 1) ^ (~(folded & 1) + 1));
}

template <typename Reader>
void read_text(Reader& reader, std::string& out) {
  out = reader.take(reader.varint());
}

// Which optional fields of a record follow.
enum RecordField : std::uint32_t {
  kHasStatus = 1,
  kHasTextLength = 2,
  kHasTitleHash = 4,
  kHasOffset = 8,
  kHasLength = 16,
  kHasRefersToTime = 32,
  kHasRedirect = 64,
  kHasRefersTo = 128,
  kHasLinks = 256,
  kIsTruncated = 512,
};

template <typename Reader>
void read_record(Reader& reader, SightingRecord& record) {
  const auto fields = static_cast<std::uint32_t>(reader.varint());
  const auto number = [&](std::uint32_t field) {
    return (fields & field) != 0 ? std::optional(reader.varint()) : std::nullopt;
  };
  record.time = read_signed(reader);
  record.kind = reader.u8();
  record.outcome = reader.u8();
  record.revisit_profile = reader.u8();
  record.has_links = (fields & kHasLinks) != 0;
  record.truncated = (fields & kIsTruncated) != 0;
  record.status.reset();
  if ((fields & kHasStatus) != 0) record.status = static_cast<std::int16_t>(read_signed(reader));
  record.text_length = number(kHasTextLength);
  record.title_hash = number(kHasTitleHash);
  record.offset = number(kHasOffset);
  record.length = number(kHasLength);
  record.refers_to_time.reset();
  if ((fields & kHasRefersToTime) != 0) record.refers_to_time = read_signed(reader);
  record.redirect = number(kHasRedirect);
  record.refers_to = number(kHasRefersTo);
  for (std::string* text : {&record.digest, &record.text_digest, &record.mime, &record.spelling,
                            &record.file, &record.crawl}) {
    read_text(reader, *text);
  }
}

}  // namespace webstrata
