// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/hand_over_test.py.

#include "webstrata/cli/frame/left_out.h"

#include <filesystem>

#include <fmt/format.h>

#include "webstrata/base/counted.h"
#include "webstrata/cli/frame/command.h"
#include "webstrata/words/graph_word.h"

namespace webstrata {

HandOver hand_over_of(std::initializer_list<std::string_view> words) {
  HandOver hand_over;
  for (const std::string_view word : words) {
    const std::filesystem::path archive = archive_behind(word);
    if (!archive.empty()) hand_over.ask(archive);
  }
  return hand_over;
}

void report_left_out(std::uint64_t count, std::string_view one, std::string_view many) {
  if (count == 0) return;
  complain(fmt::format("left out, because the archive forgot {}: {}", count == 1 ? "it" : "them",
                       counted(count, one, many)));
}

}  // namespace webstrata
