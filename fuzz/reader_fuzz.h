// SPDX-License-Identifier: Apache-2.0

// One scheme for all readers: the bytes are read to the end by the reader of a given name, with
// every option on, and what comes out must make sense.

#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "webstrata/capture/formats/readers.h"

namespace webstrata {

inline void expect(bool truth) {
  if (!truth) std::abort();
}

inline ReadOptions every_option() {
  ReadOptions options;
  options.kinds = kAllKinds;
  options.with_anchor_text = true;
  options.with_context = true;
  options.with_title = true;
  options.with_text = true;
  options.keep_other_schemes = true;
  return options;
}

inline void expect_sense(const Capture& capture) {
  expect(!capture.sighting.url.empty());
  expect(capture.links_known || capture.links.empty());
  for (std::size_t i = 0; i < capture.links.size(); ++i) {
    expect(!capture.links[i].target.empty());
    expect(!capture.links[i].kinds.empty());
  }
}

inline int fuzz_reader(std::string_view name, const std::uint8_t* data, std::size_t size) {
  static const ReadOptions options = every_option();
  for (const ReaderEntry& entry : readers()) {
    if (entry.name != name) continue;
    Report report;
    InputStream in(InMemory{{reinterpret_cast<const char*>(data), size}}, report);
    entry.recognises(in.peek(kRecogniseBytes));
    const auto reader = entry.open({in, options, report, "fuzz"});
    Capture capture;
    while (reader->next(capture)) expect_sense(capture);
    return 0;
  }
  std::abort();  // no such reader
}

}  // namespace webstrata
