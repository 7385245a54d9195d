// SPDX-License-Identifier: Apache-2.0
#include "reader_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return webstrata::fuzz_reader("zipnum", data, size);
}
