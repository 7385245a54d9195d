// From what a user types to the nodes of an archive.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "webstrata/archive/archive.h"
#include "webstrata/cli/flags.h"

namespace webstrata {

// A word is a url, a uid (digits), or a key without its last byte: then all schemes are meant.
// With `fold`, a url stands for all urls that fold to the same key in that dialect. Empty if there
// is none; tell_not_found() then says so.
std::vector<Uid> find_nodes(const Archive& archive, std::string_view word,
                            std::optional<Dialect> fold);

// One line: what was not found, and which spellings of it are there.
void tell_not_found(const Archive& archive, std::string_view word, std::optional<Dialect> fold);

// A key as people read it: without the byte of the scheme.
std::string_view printable_key(std::string_view key) noexcept;

// --fold
void declare_fold(FlagSet& app, std::string& fold);
std::optional<Dialect> fold_of(const std::string& word);

}  // namespace webstrata
