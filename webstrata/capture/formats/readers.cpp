// SPDX-License-Identifier: Apache-2.0

// Tested by tests/capture/readers_test.cpp.

#include "webstrata/capture/formats/readers.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "webstrata/base/text.h"
#include "webstrata/capture/formats/warc_reader.h"
#include "webstrata/capture/stream/byte_source.h"

namespace webstrata {

bool recognises_arc(std::string_view first_bytes);  // arc_reader.cpp
std::unique_ptr<CaptureReader> open_arc_reader(const ReadContext& context);
bool recognises_cdx(std::string_view first_bytes);  // cdx_reader.cpp
std::unique_ptr<CaptureReader> open_cdx_reader(const ReadContext& context);
bool recognises_cdxj(std::string_view first_bytes);  // cdxj_reader.cpp
std::unique_ptr<CaptureReader> open_cdxj_reader(const ReadContext& context);
bool recognises_zipnum(std::string_view first_bytes);  // zipnum_reader.cpp
std::unique_ptr<CaptureReader> open_zipnum_reader(const ReadContext& context);
bool recognises_crawl_log(std::string_view first_bytes);  // crawl_log_reader.cpp
std::unique_ptr<CaptureReader> open_crawl_log_reader(const ReadContext& context);
bool recognises_jsonl(std::string_view first_bytes);  // jsonl_reader.cpp
std::unique_ptr<CaptureReader> open_jsonl_reader(const ReadContext& context);
bool recognises_tsv(std::string_view first_bytes);  // tsv_reader.cpp
std::unique_ptr<CaptureReader> open_tsv_reader(const ReadContext& context);
bool recognises_wacz(std::string_view first_bytes);  // wacz_reader.cpp
std::unique_ptr<CaptureReader> open_wacz_reader(const ReadContext& context);

const std::vector<ReaderEntry>& readers() {
  static const std::vector<ReaderEntry> all = {
      {"warc", "WARC 1.0 and 1.1, also WAT and WET", recognises_warc, open_warc_reader},
      {"arc", "ARC 1 and 2", recognises_arc, open_arc_reader},
      {"wacz", "WACZ: WARC files in a ZIP", recognises_wacz, open_wacz_reader},
      {"zipnum", "ZipNum .idx, with its shards next to it or where a .loc file says",
       recognises_zipnum, open_zipnum_reader},
      {"cdxj", "CDXJ index, also Common Crawl's", recognises_cdxj, open_cdxj_reader},
      {"cdx", "CDX index of 7, 9, 10, 11 or 14 columns, or any with a header", recognises_cdx,
       open_cdx_reader},
      {"crawl-log", "Heritrix's crawl.log", recognises_crawl_log, open_crawl_log_reader},
      {"jsonl", "JSON lines with url, time and links", recognises_jsonl, open_jsonl_reader},
      {"tsv", "tables: source time target target ..., or url time status digest length",
       recognises_tsv, open_tsv_reader},
  };
  return all;
}

const ReaderEntry* recognise(std::string_view first_bytes) {
  for (const ReaderEntry& entry : readers()) {
    if (entry.recognises(first_bytes)) return &entry;
  }
  return nullptr;
}

const ReaderEntry* recognise(InputStream& in) {
  constexpr std::uint64_t kLookedAt = std::uint64_t{64}
                                      << 20;  // without damage and without success
  while (true) {
    const std::string_view bytes = in.peek(kRecogniseBytes);
    const ReaderEntry* entry = recognise(bytes);
    // The first block of an index may be one line without its end.
    const auto member_end = in.next_member_start();
    if (entry == nullptr && member_end) entry = recognise(bytes.substr(0, *member_end));
    const bool is_hopeless = bytes.empty() || in.compression() == Compression::None;
    if (entry != nullptr || is_hopeless) return entry;
    if (in.skip(kLookedAt) == kLookedAt || in.at_end()) return nullptr;
  }
}

namespace {

// Whether a record with a plausible header begins here, perhaps compressed. The rest of it may be
// damaged: the reader reports that.
bool begins_warc_record(std::string_view bytes) {
  constexpr std::string_view kEveryRecordHas = "\nwarc-type:";
  Report report;
  InputStream in(InMemory{bytes}, report);
  const std::string_view head = in.peek(kRecogniseBytes);
  if (report.damage_count() > 0 || !recognises_warc(head)) return false;
  const auto type =
      std::search(head.begin(), head.end(), kEveryRecordHas.begin(), kEveryRecordHas.end(),
                  [](char a, char b) { return to_lower(a) == b; });
  return type != head.end();
}

std::optional<std::uint64_t> find_record(std::string_view bytes) {
  // The starts of gzip members, zstd and lz4 frames, and of records.
  constexpr std::string_view kStarts[] = {"\x1f\x8b\x08", "\x28\xb5\x2f\xfd", "\x04\x22\x4d\x18",
                                          "\nWARC/"};
  std::array<std::size_t, std::size(kStarts)> found = {};  // the next of each; npos: no more
  std::ranges::transform(kStarts, found.begin(), [&](auto word) { return bytes.find(word); });
  while (true) {
    const auto first = std::ranges::min_element(found);
    const std::size_t start = *first;
    if (start == std::string_view::npos) return std::nullopt;
    const std::size_t record = start + (bytes[start] == '\n' ? 1 : 0);
    const std::size_t looked_at = record > start ? kRecogniseBytes : kRecogniseBytes << 4;
    if (begins_warc_record(bytes.substr(record, looked_at))) return record;
    *first = bytes.find(kStarts[first - found.begin()], start + 1);
  }
}

}  // namespace

std::optional<std::uint64_t> find_warc_after_damage(const std::filesystem::path& path) {
  constexpr std::size_t kSearchedBytes = std::size_t{16} << 20;
  const auto start = find_record(ByteSource(path, 0, kSearchedBytes).peek(kSearchedBytes));
  if (start) return start;
  Report ignored;
  InputStream in(path, ignored);
  if (in.compression() == Compression::None) return std::nullopt;
  if (!find_record(in.peek(kSearchedBytes))) return std::nullopt;
  return 0;
}

}  // namespace webstrata
