// SPDX-License-Identifier: Apache-2.0

// What may be named to a crawler, by the archives of the graphs on the command line, and how many
// names were left out (graph/hand_over.h).

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "webstrata/graph/hand_over.h"

namespace webstrata {

// Asks the archive of each word such as lib.ws@2021 (graph_word.h). Empty words and graph files
// have none.
HandOver hand_over_of(std::initializer_list<std::string_view> words);

// "left out, because the archive forgot them: 3 seeds", on standard error; nothing for none.
void report_left_out(std::uint64_t count, std::string_view one, std::string_view many);

}  // namespace webstrata
