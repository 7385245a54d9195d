// SPDX-License-Identifier: Apache-2.0

// MANIFEST: the input as the whole file, and as its first line under a checksum that fits. What is
// taken must come back the same after being written.

#include <cstdint>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "fuzz/require.h"
#include "webstrata/archive/disk/manifest.h"
#include "webstrata/base/checksum.h"
#include "webstrata/base/error.h"

namespace {

using namespace webstrata;

void read_manifest_text(const std::string& text) {
  try {
    Manifest manifest = Manifest::parse(text, "fuzz");
    manifest.unknown_layers.clear();  // the one thing that is not written
    require(Manifest::parse(manifest.to_text(), "fuzz") == manifest);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::Corrupt || error.kind() == ErrorKind::BadInput);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  read_manifest_text(text);
  const std::string line = text.substr(0, text.find('\n')) + "\n";
  read_manifest_text(line + fmt::format("{{\"checksum\":\"{:016x}\"}}\n", checksum64(line)));
  return 0;
}
