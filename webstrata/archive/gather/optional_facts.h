// SPDX-License-Identifier: Apache-2.0

// What the optional layers hold about a page.
//
// An optional layer is a function of the rows of a page, not of its sightings: when a merge copies
// the rows of a block, it copies the optional layers with them.

#pragma once

#include "webstrata/archive/disk/layer.h"
#include "webstrata/archive/gather/page.h"

namespace webstrata {

// The row of a page in an optional layer; empty if the layer holds nothing about it.
LayerRow row_of(Layer layer, const PageFacts& page);

// Whether the layer holds facts that the other layers do not, so that they have to be read from it
// when a page is merged.
bool is_restored(Layer layer) noexcept;
// Adds these facts to `page`. `layer` is one that is_restored().
void restore(Layer layer, const LayerRow& row, PageFacts& page);

// A row of the layer of texts; views live as long as the row. Its lists are equally long.
std::vector<TextSpan> spans_of_row(const LayerRow& row);

}  // namespace webstrata
