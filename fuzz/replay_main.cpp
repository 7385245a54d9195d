// Runs a fuzz target over every file of a corpus folder, so that what a fuzzer once found stays
// found. Fails if the folder is missing or empty.

#include <cstdint>
#include <cstdio>
#include <filesystem>

#include "webstrata/base/file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argument_count, char** arguments) {
  std::size_t count = 0;
  for (int i = 1; i < argument_count; ++i) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(arguments[i])) {
      if (!entry.is_regular_file()) continue;
      const std::string bytes = webstrata::read_file(entry.path());
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      ++count;
    }
  }
  std::printf("%zu inputs replayed\n", count);
  return count > 0 ? 0 : 1;
}
