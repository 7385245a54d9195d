// SPDX-License-Identifier: Apache-2.0

// WARC records in order: framing only, no HTTP and no links.
//
//   WarcRecords records(in, report);
//   while (records.next()) {
//     use(records.type(), records.field("WARC-Target-URI"), records.content());
//     records.finish();  // now length() is known; views of this record end here
//   }
//
// Where a record does not end as its Content-Length says, the next one is searched for, also within
// the claimed length of the broken record: that length may be wrong.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "webstrata/base/report.h"
#include "webstrata/capture/http/http_message.h"
#include "webstrata/capture/stream/input_stream.h"

namespace webstrata {

class WarcRecords {
 public:
  // Longer blocks are shown up to here; the rest is skipped.
  static constexpr std::size_t kContentMax = std::size_t{48} << 20;

  WarcRecords(InputStream& in, Report& report) : in_(in), report_(report) {}

  // Moves to the next record, from wherever the stream is; false at the end.
  bool next();
  // Moves past the present record, as next() does.
  void finish();
  // Skips whatever comes before the first record, without reporting damage: for a stream that
  // starts in the middle of a file.
  void find_first();

  // Of the present record. Views live until finish() or next().
  [[nodiscard]] std::string_view type() const noexcept { return field("WARC-Type"); }
  [[nodiscard]] std::string_view field(std::string_view name) const noexcept;
  [[nodiscard]] std::string_view content() const noexcept { return content_; }
  // False if the block is longer than kContentMax or cut off.
  [[nodiscard]] bool content_is_whole() const noexcept { return content_is_whole_; }
  // Where the record begins in the file; in a compressed file, the member that holds its start.
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
  // True if the record begins a gzip member or zstd frame (or the file is not compressed): then
  // offset() is a place where reading can begin.
  [[nodiscard]] bool has_own_offset() const noexcept { return has_own_offset_; }
  // After finish(): bytes of the file from this record's start to the next one's.
  [[nodiscard]] std::uint64_t length() const noexcept { return length_; }
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

 private:
  bool find_record();
  bool search_record(std::size_t from);
  bool read_head();
  void read_content();
  [[nodiscard]] std::size_t claimed_end() const noexcept { return head_size_ + content_size_; }

  InputStream& in_;
  Report& report_;
  HeaderFields fields_;
  std::size_t head_size_ = 0;  // version line, fields, empty line
  bool size_is_known_ = true;
  std::uint64_t content_size_ = 0;  // as the record says, or the actual size where that is wrong
  std::string_view content_;
  bool content_is_whole_ = false;
  bool inside_ = false;
  std::uint64_t offset_ = 0;
  bool has_own_offset_ = false;
  std::uint64_t length_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace webstrata
