// SPDX-License-Identifier: Apache-2.0

// fuzz_replay TARGET FOLDER: runs a fuzz target over every file of a corpus folder, so that what a
// fuzzer once found stays found. Fails if the folder is missing or empty.

#include <cstdio>
#include <filesystem>

#include "fuzz/replay.h"
#include "webstrata/base/file.h"

int main(int argument_count, char** arguments) {
  const auto target = argument_count == 3 ? kFuzzTargets.find(arguments[1]) : kFuzzTargets.end();
  if (target == kFuzzTargets.end()) {
    std::fprintf(stderr, "usage: fuzz_replay TARGET FOLDER\n");
    return 2;
  }
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(arguments[2])) {
    if (!entry.is_regular_file()) continue;
    const std::string bytes = webstrata::read_file(entry.path());
    target->second(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    ++count;
  }
  std::printf("%zu inputs replayed\n", count);
  return count > 0 ? 0 : 1;
}
