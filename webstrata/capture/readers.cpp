// Tested by tests/capture/readers_test.cpp.

#include "webstrata/capture/readers.h"

namespace webstrata {

const std::vector<ReaderEntry>& readers() {
  static const std::vector<ReaderEntry> all = {};
  return all;
}

const ReaderEntry* recognise(std::string_view first_bytes) {
  for (const ReaderEntry& entry : readers()) {
    if (entry.recognises(first_bytes)) return &entry;
  }
  return nullptr;
}

}  // namespace webstrata
