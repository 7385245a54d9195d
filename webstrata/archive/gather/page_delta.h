// SPDX-License-Identifier: Apache-2.0

// What an update adds to a page: the part that a stratum of its own has to hold.
//
// The strata of a stack say disjoint things about a page, so that its facts are their union and
// nothing has to be joined when it is read. Where the new facts change what is known, such as the
// links of a revisit whose original was found, the stratum holds the whole page instead.

#pragma once

#include "webstrata/archive/gather/page.h"

namespace webstrata {

enum class PageDelta {
  Nothing,  // all of it was known
  Part,     // the union of both is the page
  Whole,    // the page as it is now, instead of what was known
};

// `before` and `now` are normalised and include derived rows; `now` has all facts of `before`.
// Replaces `delta`.
PageDelta subtract(const PageFacts& now, const PageFacts& before, PageFacts& delta);

}  // namespace webstrata
