// SPDX-License-Identifier: Apache-2.0

// The input is a chunk of sightings. Whatever it is, reading it ends in Error(Corrupt) or in
// records; and records, written again, come back the same.

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "fuzz/require.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/sightings.h"

namespace {

using webstrata::SightingLists;
using webstrata::SightingRecord;
using webstrata::SightingsChunk;
using webstrata::Time;
using webstrata::TimeLists;

constexpr std::size_t kRecordsMax = 2000;  // of an input that is looked at

std::vector<Time> some_rows() {
  std::vector<Time> rows;
  for (Time row = 0; row < 64; ++row) rows.push_back(row * 86400);
  return rows;
}

void check_again(const SightingLists& lists, const TimeLists& rows) {
  const std::string bytes = webstrata::encode_sightings(lists, rows);
  const SightingsChunk chunk = SightingsChunk::open(bytes, lists.first);
  std::vector<SightingRecord> records;
  for (std::size_t node = 0, at = 0; node < lists.node_count(); at = lists.ends[node++]) {
    chunk.sightings(node, rows.list(node), records);
    require(records.size() == lists.ends[node] - at);
    require(std::equal(records.begin(), records.end(),
                       lists.records.begin() + static_cast<std::ptrdiff_t>(at)));
  }
}

void check(std::string_view bytes) {
  const std::vector<Time> row_times = some_rows();
  const SightingsChunk chunk = SightingsChunk::open(bytes, 1000);
  if (chunk.sighting_count() > kRecordsMax) return;
  SightingLists lists;
  lists.first = 1000;
  TimeLists rows;
  std::vector<SightingRecord> records;
  for (std::size_t node = 0; node < chunk.node_count(); ++node) {
    chunk.sightings(node, row_times, records);
    std::sort(records.begin(), records.end());
    lists.records.insert(lists.records.end(), records.begin(), records.end());
    lists.ends.push_back(static_cast<std::uint32_t>(lists.records.size()));
    rows.add(records.empty() ? std::vector<Time>() : row_times);
  }
  check_again(lists, rows);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    check({reinterpret_cast<const char*>(data), size});
  } catch (const webstrata::Error& error) {
    require(error.kind() == webstrata::ErrorKind::Corrupt);
  }
  return 0;
}
