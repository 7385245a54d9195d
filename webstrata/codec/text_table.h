// SPDX-License-Identifier: Apache-2.0

// A table of texts before a chunk: each is written as what it does not share with the previous one,
// at its beginning and at its end ("crawl-0001.warc.gz" after "crawl-0000.warc.gz" is one byte).

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/base/bytes.h"

namespace webstrata {

// What two texts share at both ends, without counting a byte twice.
struct SharedEnds {
  std::size_t front = 0;
  std::size_t back = 0;
};
SharedEnds shared_ends(std::string_view before, std::string_view text) noexcept;

void append_text_table(std::string& out, const std::vector<std::string_view>& texts);
// Throws Error(Corrupt), also if there are more than `count_max` texts or `bytes_max` bytes in all.
std::vector<std::string> read_text_table(ByteReader& bytes, std::size_t count_max,
                                         std::size_t bytes_max);

}  // namespace webstrata
