// SPDX-License-Identifier: Apache-2.0

// From what a user types to the nodes of an archive.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/ask/archive.h"
#include "webstrata/url/dialect.h"

namespace webstrata {

// A word is a uid (digits), or one of those of find_urls().
std::vector<Uid> find_nodes(const Archive& archive, std::string_view word,
                            std::optional<Dialect> fold);

// A word is a URL, perhaps without a scheme or with a wildcard (url_word.h), or a key without its
// last byte: then all schemes are meant. With `fold`, a URL means all URLs that fold to the same
// key in that dialect. In key order; empty if there is none, see not_found_text().
std::vector<Uid> find_urls(const Archive& archive, std::string_view word,
                           std::optional<Dialect> fold);

// One line: what was not found, and which spellings of it exist.
std::string not_found_text(const Archive& archive, std::string_view word,
                           std::optional<Dialect> fold);

// A key for display: without the byte of the scheme.
std::string_view printable_key(std::string_view key) noexcept;

}  // namespace webstrata
