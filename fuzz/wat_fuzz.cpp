// SPDX-License-Identifier: Apache-2.0

// The JSON of one WAT record; the WARC around it has its own target.

#include "reader_fuzz.h"
#include "webstrata/capture/formats/wat_links.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace webstrata;
  static const ReadOptions options = every_option();
  Report report;
  LinkCollector collector(options, report);
  Capture capture;
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  if (read_wat(json, options, collector, report, 0, capture)) expect_sense(capture);
  return 0;
}
