// SPDX-License-Identifier: Apache-2.0

// The texts of links: a chunk of the optional layer `texts`.
//
// A row has four lists of equal length: positions of links, their texts, and the rows from which
// and up to which a link had the text (archive/gather/page_texts.h). They ascend by link, first row
// and text. The bytes are in docs/FORMAT.md.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/codec/layer_row.h"

namespace webstrata {

inline constexpr std::uint64_t kTextItemsMax = std::uint64_t{1} << 22;  // of a chunk

std::string encode_texts(std::span<const LayerRow> nodes);
// Throws Error(Corrupt).
std::vector<LayerRow> decode_texts(std::string_view bytes);

}  // namespace webstrata
