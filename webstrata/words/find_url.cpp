// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/ask_test.py.

#include "webstrata/words/find_url.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace webstrata {
namespace {

// Keys end in a byte for the scheme, from 1 to 4 (url/key.h).
constexpr char kFirstScheme = 1;
constexpr char kBehindSchemes = 5;

std::optional<Uid> parse_uid(std::string_view word) {
  Uid uid = 0;
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, uid);
  if (error != std::errc() || rest != end) return std::nullopt;
  return uid;
}

std::vector<Uid> nodes_of_key(const Archive& archive, std::string_view word) {
  const std::string key(word);
  const UidRange range = archive.range({key + kFirstScheme, key + kBehindSchemes});
  std::vector<Uid> nodes;
  for (Uid uid = range.first; uid < range.end; ++uid) nodes.push_back(uid);
  return nodes;
}

// Other spellings that are in the archive, at most three.
std::string spellings(const Archive& archive, std::string_view word) {
  constexpr std::size_t kShown = 3;
  const std::vector<Uid> nodes = archive.folded(word, Dialect::Ia);
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, nodes.size()); ++i) {
    text += (i == 0 ? "" : ", ") + archive.url(nodes[i]);
  }
  return nodes.size() > kShown ? text + ", ..." : text;
}

}  // namespace

std::vector<Uid> find_nodes(const Archive& archive, std::string_view word,
                            std::optional<Dialect> fold) {
  if (const auto uid = parse_uid(word)) {
    return *uid < archive.node_count() ? std::vector<Uid>{*uid} : std::vector<Uid>{};
  }
  if (fold) return archive.folded(word, *fold);
  if (const auto uid = archive.uid(word)) return {*uid};
  return nodes_of_key(archive, word);
}

std::string not_found_text(const Archive& archive, std::string_view word,
                           std::optional<Dialect> fold) {
  const std::string others = fold ? "" : spellings(archive, word);
  const std::string hint =
      others.empty() ? std::string()
                     : fmt::format("; it has {} (--fold ia unites such spellings)", others);
  return fmt::format("{}: {} is not in it{}", archive.path().string(), word, hint);
}

std::string_view printable_key(std::string_view key) noexcept {
  return key.substr(0, key.empty() ? 0 : key.size() - 1);
}

}  // namespace webstrata
