// SPDX-License-Identifier: Apache-2.0

// The first byte is the number of a layer, the rest a chunk of it: bytes of any kind are a chunk or
// Error(Corrupt). A chunk of an optional layer must also come back when its rows are encoded again.
// Every layer of the table is tried, so a new one needs no target of its own.

#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "webstrata/archive/disk/layer.h"
#include "webstrata/base/error.h"

namespace {

void check_layer_chunk(const webstrata::LayerEntry& entry, std::string_view bytes) {
  try {
    entry.check_chunk(bytes, 0);
    if (!entry.is_optional) return;
    const auto rows = entry.decode(bytes);
    require(entry.decode(entry.encode(rows)) == rows);
  } catch (const webstrata::Error& error) {
    require(error.kind() == webstrata::ErrorKind::Corrupt);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto layers = webstrata::layer_table();
  if (input.empty()) return 0;
  check_layer_chunk(layers[data[0] % layers.size()], input.substr(1));
  return 0;
}
