// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/law_test.cpp.

#include "webstrata/archive/gather/fact_bytes.h"

namespace webstrata {

void append_signed(std::string& out, std::int64_t value) {
  append_varint(out,
                (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
}

void append_text(std::string& out, std::string_view text) {
  append_varint(out, text.size());
  out += text;
}

void append_record(std::string& out, const SightingRecord& record) {
  std::uint32_t fields = 0;
  const auto note = [&](bool is_there, std::uint32_t field) {
    if (is_there) fields |= field;
  };
  note(record.status.has_value(), kHasStatus);
  note(record.text_length.has_value(), kHasTextLength);
  note(record.title_hash.has_value(), kHasTitleHash);
  note(record.offset.has_value(), kHasOffset);
  note(record.length.has_value(), kHasLength);
  note(record.refers_to_time.has_value(), kHasRefersToTime);
  note(record.redirect.has_value(), kHasRedirect);
  note(record.refers_to.has_value(), kHasRefersTo);
  note(record.has_links, kHasLinks);
  note(record.truncated, kIsTruncated);
  append_varint(out, fields);
  append_signed(out, record.time);
  out += static_cast<char>(record.kind);
  out += static_cast<char>(record.outcome);
  out += static_cast<char>(record.revisit_profile);
  if (record.status) append_signed(out, *record.status);
  for (const auto& number : {record.text_length, record.title_hash, record.offset, record.length}) {
    if (number) append_varint(out, *number);
  }
  if (record.refers_to_time) append_signed(out, *record.refers_to_time);
  if (record.redirect) append_varint(out, *record.redirect);
  if (record.refers_to) append_varint(out, *record.refers_to);
  for (const std::string* text : {&record.digest, &record.text_digest, &record.mime,
                                  &record.spelling, &record.file, &record.crawl}) {
    append_text(out, *text);
  }
}

}  // namespace webstrata
