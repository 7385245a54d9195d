// SPDX-License-Identifier: Apache-2.0

// The texts of the links of one page, from the optional layer `texts`.

#pragma once

#include "webstrata/archive/gather/page_texts.h"
#include "webstrata/archive/read/cached_stack.h"

namespace webstrata {

// Replaces `texts` by those of all links of the page, or with `target` by those of the links to it;
// normalised. None if the archive keeps no texts.
void read_texts(const CachedStack& stack, Uid uid, const Uid* target, PageTexts& texts);

}  // namespace webstrata
