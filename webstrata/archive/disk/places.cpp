// SPDX-License-Identifier: Apache-2.0

// Positions are gap-coded, with the bit for known keys below the gap: most keys of a small stratum
// take two or three bytes. The whole file is read when a stack is opened; its size follows what was
// added, not the archive.
// Tested by tests/archive/stack_numbers_test.cpp.

#include "webstrata/archive/disk/places.h"

#include <fmt/format.h>

#include "webstrata/base/bytes.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"
#include "webstrata/base/file.h"

namespace webstrata {
namespace {

constexpr std::string_view kPlacesMagic = "wsPLACE\n";

[[noreturn]] void refuse_places(std::string_view name, std::string_view why) {
  throw Error(ErrorKind::Corrupt,
              fmt::format("{}: {}; restore it from a copy or rebuild", name, why));
}

}  // namespace

std::string encode_places(const StratumPlaces& places) {
  std::string bytes(kPlacesMagic);
  append_varint(bytes, places.keys.size());
  std::uint64_t last = 0;
  for (const KeyPlace& place : places.keys) {
    append_varint(bytes, (place.position - last) << 1 | (place.is_known ? 1 : 0));
    last = place.position;
  }
  append_varint(bytes, places.whole_pages.size());
  last = 0;
  for (const std::uint64_t page : places.whole_pages) {
    append_varint(bytes, page - last);
    last = page;
  }
  return bytes;
}

StratumPlaces decode_places(std::string_view bytes, std::string_view name) {
  StratumPlaces places;
  ByteReader reader(bytes, name);
  if (reader.take(kPlacesMagic.size()) != kPlacesMagic) refuse_places(name, "is not a places file");
  const std::uint64_t key_count = reader.varint();
  if (key_count > reader.remaining()) refuse_places(name, "has too few places");
  places.keys.reserve(key_count);
  KeyPlace last;
  for (std::uint64_t i = 0; i < key_count; ++i) {
    const std::uint64_t code = reader.varint();
    const KeyPlace place = {last.position + (code >> 1), (code & 1) != 0};
    // After a known key the next one is behind it.
    const bool ascends = place.position >= last.position && (!last.is_known || code >> 1 != 0);
    if (!ascends) refuse_places(name, "its places do not ascend");
    places.keys.push_back(place);
    last = place;
  }
  const std::uint64_t page_count = reader.varint();
  if (page_count > reader.remaining()) refuse_places(name, "has too few pages");
  std::uint64_t page = 0;
  for (std::uint64_t i = 0; i < page_count; ++i) {
    const std::uint64_t gap = reader.varint();
    const bool ascends = (i == 0 || gap > 0) && gap < key_count && page + gap < key_count;
    if (!ascends) refuse_places(name, "its whole pages do not ascend");
    page += gap;
    places.whole_pages.push_back(page);
  }
  if (!reader.at_end()) refuse_places(name, "has bytes after its end");
  return places;
}

LayerFile write_places(const std::filesystem::path& folder, const StratumPlaces& places) {
  const std::string bytes = encode_places(places);
  write_file(folder / kPlacesName, bytes);
  return {std::string(kPlacesName), bytes.size(), checksum64(bytes)};
}

StratumPlaces read_places(const std::filesystem::path& folder, const LayerFile& file) {
  const std::string name = (folder / file.name).string();
  const std::string bytes = read_file(folder / file.name);
  if (bytes.size() != file.size || checksum64(bytes) != file.checksum) {
    refuse_places(name, "is not the file that MANIFEST lists");
  }
  return decode_places(bytes, name);
}

}  // namespace webstrata
