// SPDX-License-Identifier: Apache-2.0

// Tested by tests/archive/stack_test.cpp.

#include "webstrata/archive/disk/take_over.h"

#include <unistd.h>

#include "webstrata/base/file.h"

namespace webstrata {

void take_over(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (::link(from.c_str(), to.c_str()) == 0) return;
  const MappedFile file = MappedFile::open(from);
  write_file(to, file.bytes());
}

void take_over_layers(const std::filesystem::path& from, const std::filesystem::path& to,
                      const std::map<Layer, std::vector<LayerFile>>& layers) {
  std::filesystem::create_directories(to);
  for (const auto& [layer, files] : layers) {
    for (const LayerFile& file : files) take_over(from / file.name, to / file.name);
  }
}

}  // namespace webstrata
