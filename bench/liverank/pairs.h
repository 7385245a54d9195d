// SPDX-License-Identifier: Apache-2.0

// Pairs of an old crawl and what became of it, out of ../shared/data.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "webstrata/liverank/truth.h"

namespace webstrata {

struct LivePair {
  std::string name;
  Population pages;
  Truth truth;
};

enum class PairGroup : std::uint8_t {
  Main,        // the seven of docs/METHODS.md
  HeldOut,     // others of the same kinds
  Small,       // sites of some hundred pages
  SmallAgain,  // others, for ideas that came from the former; run by name
};
std::vector<std::string> pair_names(PairGroup group);

struct PairFolders {
  std::filesystem::path shared;    // with data/
  std::filesystem::path archives;  // made here where they are missing
};
// Throws Error(BadInput) if there is no pair of that name.
LivePair load_pair(const std::string& name, const PairFolders& folders);

// `copies` of debweb's bullseye side by side on hosts of their own, with what became of them.
LivePair copied_pair(unsigned copies, const PairFolders& folders);

}  // namespace webstrata
