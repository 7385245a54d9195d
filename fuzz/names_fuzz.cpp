// SPDX-License-Identifier: Apache-2.0

// The first byte says which way: the rest is a chunk of names to be opened and read, or text whose
// lines are keys that must come back. A broken promise of names.h traps.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "webstrata/base/error.h"
#include "webstrata/codec/names.h"

namespace {

using webstrata::KeyList;
using webstrata::NamesChunk;

// Bytes of any kind give keys or Error(Corrupt).
void read_chunk(std::string_view bytes) {
  try {
    const NamesChunk names = NamesChunk::open(bytes);
    std::string key;
    bool found = false;
    for (std::size_t i = 0; i < names.size(); i += 1 + names.size() / 50) {
      names.key(i, key);
      require(names.lower_bound(key, found) <= names.size());
    }
    require(names.lower_bound(bytes.substr(bytes.size() / 2), found) <= names.size());
    KeyList keys;
    names.decode(keys);
    require(keys.size() == names.size());
  } catch (const webstrata::Error& error) {
    require(error.kind() == webstrata::ErrorKind::Corrupt);
  }
}

std::set<std::string> lines_of(std::string_view text) {
  std::set<std::string> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    lines.emplace(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

void check_round_trip(std::string_view text) {
  const std::set<std::string> lines = lines_of(text);
  KeyList keys;
  for (const std::string& line : lines) keys.add(line);
  const std::string bytes = webstrata::encode_names(keys);
  const NamesChunk names = NamesChunk::open(bytes);
  KeyList decoded;
  names.decode(decoded);
  require(decoded.ends == keys.ends && decoded.bytes == keys.bytes);
  std::string key;
  bool found = false;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    names.key(i, key);
    require(key == keys[i]);
    require(names.lower_bound(key, found) == i && found);
    key += '\0';
    require(names.lower_bound(key, found) == i + 1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (input.empty()) return 0;
  if (input[0] == 't') {
    check_round_trip(input.substr(1));
  } else {
    read_chunk(input.substr(1));
  }
  return 0;
}
