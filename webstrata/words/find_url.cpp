// SPDX-License-Identifier: Apache-2.0

// Tested by tests/cli/ask_test.py.

#include "webstrata/words/find_url.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "webstrata/words/url_word.h"

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

std::vector<Uid> nodes_of_keys(const Archive& archive, const KeyRange& keys) {
  const UidRange range = archive.range(keys);
  std::vector<Uid> nodes;
  for (Uid uid = range.first; uid < range.end; ++uid) nodes.push_back(uid);
  return nodes;
}

std::vector<Uid> nodes_of_key(const Archive& archive, std::string_view word) {
  const std::string key(word);
  return nodes_of_keys(archive, {key + kFirstScheme, key + kBehindSchemes});
}

// Other spellings that are in the archive, at most three.
std::string spellings(const Archive& archive, std::string_view word) {
  constexpr std::size_t kShown = 3;
  const auto url = parse_url_word(word);
  if (url && url->is_wildcard()) return "";
  const std::vector<Uid> nodes = archive.folded(url ? url->text : word, Dialect::Ia);
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
  return find_urls(archive, word, fold);
}

std::vector<Uid> find_urls(const Archive& archive, std::string_view word,
                           std::optional<Dialect> fold) {
  const auto url = parse_url_word(word);
  if (url && url->is_wildcard()) return nodes_of_keys(archive, keys_of(*url));
  if (fold) return archive.folded(url ? url->text : word, *fold);
  if (url && url->has_scheme) {
    const auto uid = archive.uid(word);
    return uid ? std::vector<Uid>{*uid} : std::vector<Uid>{};
  }
  if (url) return nodes_of_keys(archive, keys_of(*url));
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
