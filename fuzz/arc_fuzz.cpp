// SPDX-License-Identifier: Apache-2.0

// ARC files, plain or compressed: framing, HTTP, codings, links.

#include "reader_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return webstrata::fuzz_reader("arc", data, size);
}
