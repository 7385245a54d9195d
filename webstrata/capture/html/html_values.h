// SPDX-License-Identifier: Apache-2.0

// The syntax of attribute values: rel, srcset, and the content of a meta refresh.
// Values come decoded. Each function follows the HTML standard's own algorithm.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "webstrata/facts/link.h"

namespace webstrata {

// Whether a list of words separated by white space holds `word` (lower case), in any case.
bool has_word(std::string_view list, std::string_view word) noexcept;

// How a <link rel=...> or a Link: header counts here: Embed if a browser loads the target by itself
// (stylesheet, icon, preload, ...), else Relation.
LinkKinds kinds_of_relation(std::string_view rel) noexcept;

// What rel adds to a link that a reader can follow: Nofollow for nofollow, ugc and sponsored.
LinkKinds kinds_of_anchor(std::string_view rel) noexcept;

// The URLs of a srcset, in order; candidates with invalid descriptors are left out.
void parse_srcset(std::string_view value, std::vector<std::string_view>& urls);

// The URL in "5; url='next.html'", also for the Refresh: header. Empty if there is none: the page
// then only reloads itself.
std::optional<std::string_view> parse_refresh(std::string_view content) noexcept;

}  // namespace webstrata
